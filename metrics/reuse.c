/* reuse.c - how many other blocks of memory are used before one is used again, by a warp and by a thread block?
 *
 * Global memory, all accesses. Each warp has a stack of its own for blocks of 32 and of 128 bytes, each thread block
 * two more that see its warps as they are scheduled; all of them start empty with every thread block. An access uses
 * each distinct block of the warp's lanes once.
 *
 * The stacks hold 2^12 blocks for a warp and 2^15 for a thread block. Distances below that are exact. Beyond, an
 * access is either the first one or a far one; first ones are then counted apart (exactly up to 16384 blocks a thread
 * block, with a standard error of 0.8 % above, see distinct.h), the others are far. */
#include "metrics/family.h"

#include "base/lru.h"
#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/distinct.h"

#include <stdbool.h>
#include <stdlib.h>

enum { WARP_BITS = 12, CTA_BITS = 15, WARP_BINS = WARP_BITS + 1, CTA_BINS = CTA_BITS + 1 };

#define GROUP "reuse"
#define COUNTERS(ONE, MANY) \
    MANY(warp_32, SUM, WARP_BINS) \
    MANY(warp_128, SUM, WARP_BINS) \
    MANY(cta_32, SUM, CTA_BINS) \
    MANY(cta_128, SUM, CTA_BINS) \
    MANY(far, SUM, 4) \
    MANY(first, SUM, 4) \
    ONE(warps, SUM)
#define BINS(size, who, top) \
    "Share of a " who "'s accesses to " #size "-byte blocks of global memory with reuse distance 0, 1, 2-3, 4-7 ... " \
    "below 2^" #top "; exact."
#define FAR(size, who, top) \
    "Share of a " who "'s accesses to " #size "-byte blocks with a distance of 2^" #top " or more; exact up to 16384 " \
    "blocks, then with 0.8 % standard error of the first accesses."
#define FIRST(size, who) \
    "Share of a " who "'s accesses to " #size "-byte blocks that are its first; exact up to 16384 blocks, then " \
    "with 0.8 % standard error."
#define COLUMNS(ONE, MANY) \
    MANY(warp_32, WARP_BINS, "ratio", BINS(32, "warp", 12)) \
    ONE(warp_32_far, "ratio", FAR(32, "warp", 12)) \
    ONE(warp_32_first, "ratio", FIRST(32, "warp")) \
    MANY(warp_128, WARP_BINS, "ratio", BINS(128, "warp", 12)) \
    ONE(warp_128_far, "ratio", FAR(128, "warp", 12)) \
    ONE(warp_128_first, "ratio", FIRST(128, "warp")) \
    MANY(cta_32, CTA_BINS, "ratio", BINS(32, "thread block", 15)) \
    ONE(cta_32_far, "ratio", FAR(32, "thread block", 15)) \
    ONE(cta_32_first, "ratio", FIRST(32, "thread block")) \
    MANY(cta_128, CTA_BINS, "ratio", BINS(128, "thread block", 15)) \
    ONE(cta_128_far, "ratio", FAR(128, "thread block", 15)) \
    ONE(cta_128_first, "ratio", FIRST(128, "thread block")) \
    ONE(warp_lines, "lines", \
        "Distinct 128-byte blocks of global memory that a warp uses in its life, mean; exact up to " \
        "16384 of a warp, then with 0.8 % standard error.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* The four kinds of stacks, in the order of the counters. */
typedef enum kind { KIND_WARP_32, KIND_WARP_128, KIND_CTA_32, KIND_CTA_128, KINDS } kind;

/* One stack, and what it takes to tell first accesses from far ones. */
typedef struct track {
    ws_lru lru;
    ws_distinct seen; /* all blocks, once one has left the stack */
    bool overflowed;
    uint64_t misses; /* accesses to blocks that were not in the stack, since the thread block began */
} track;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint32_t in_block; /* warps */
    track *warp[2];    /* [in_block] for 32 and for 128 bytes */
    track cta[2];
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->in_block = launch->warps_per_block;
    for (unsigned size = 0; size < 2; size++) {
        s->warp[size] = calloc(s->in_block + 1u, sizeof *s->warp[size]);
        if (!s->warp[size])
            return ws_fail(WS_EMEM, "no memory for the reuse metrics");
        for (uint32_t i = 0; i < s->in_block; i++)
            ws_lru_init(&s->warp[size][i].lru, 1 << WARP_BITS);
        ws_lru_init(&s->cta[size].lru, 1 << CTA_BITS);
    }
    return WS_OK;
}

/* The stack has lost its first block: from now on all blocks are remembered. */
static int overflow(track *t)
{
    int status = ws_distinct_add(&t->seen, t->lru.gone);
    for (uint32_t i = 0; i < t->lru.places && status == WS_OK; i++)
        status = ws_distinct_add(&t->seen, t->lru.at[i].line);
    t->overflowed = true;
    return status;
}

static int use(track *t, uint64_t *near, uint64_t block)
{
    uint64_t distance;
    const int status = ws_lru_use(&t->lru, block, &distance);
    if (status)
        return status;
    if (distance != WS_LRU_FAR) {
        near[ws_log2_bin(distance, CTA_BINS)]++;
        return WS_OK;
    }
    t->misses++;
    if (t->overflowed)
        return ws_distinct_add(&t->seen, block);
    return t->lru.gone == WS_LRU_HOLE ? WS_OK : overflow(t);
}

static int use_all(track *warp, uint64_t *near_warp, track *cta, uint64_t *near_cta, const uint64_t *block, unsigned n)
{
    int status = WS_OK;
    for (unsigned i = 0; i < n && status == WS_OK; i++)
        status = use(warp, near_warp, block[i]);
    for (unsigned i = 0; i < n && status == WS_OK; i++)
        status = use(cta, near_cta, block[i]);
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_GLOBAL (ev, batch) {
        uint64_t own[WS_COALESCE_MAX];
        unsigned n;
        const ws_instr *const in = &launch->instr[ev->pc];
        const uint64_t *block = ws_coalesced_sectors(batch, ev, in, own, &n);
        int status = use_all(&s->warp[0][ev->warp], s->warp_32, &s->cta[0], s->cta_32, block, n);
        if (status != WS_OK)
            return status;
        block = ws_coalesced_lines(batch, ev, in, own, &n);
        status = use_all(&s->warp[1][ev->warp], s->warp_128, &s->cta[1], s->cta_128, block, n);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

/* Settles what was first and what far, and starts anew. */
static void settle(state *s, kind which, track *t)
{
    const double distinct = t->overflowed ? ws_distinct_count(&t->seen) : (double)t->misses;
    const uint64_t first = distinct < (double)t->misses ? (uint64_t)distinct : t->misses;
    s->first[which] += first;
    s->far[which] += t->misses - first;
    t->misses = 0;
    ws_lru_clear(&t->lru);
    if (t->overflowed)
        ws_distinct_clear(&t->seen);
    t->overflowed = false;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    for (unsigned size = 0; size < 2; size++) {
        for (uint32_t i = 0; i < s->in_block; i++)
            settle(s, KIND_WARP_32 + size, &s->warp[size][i]);
        settle(s, KIND_CTA_32 + size, &s->cta[size]);
    }
    return WS_OK;
}

WS_FAMILY_MERGE

static void drop(track *t)
{
    ws_lru_fini(&t->lru);
    ws_distinct_fini(&t->seen);
}

static void fini(void *p)
{
    state *const s = p;
    for (unsigned size = 0; size < 2; size++) {
        for (uint32_t i = 0; s->warp[size] && i < s->in_block; i++)
            drop(&s->warp[size][i]);
        free(s->warp[size]);
        drop(&s->cta[size]);
    }
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, ((const state *)p)->counts, counter);
    c->warps = (double)launch->blocks * launch->warps_per_block;
    return WS_OK;
}

static void shares(const double *near, unsigned bins, double far, double first, double *out, double *out_far,
                   double *out_first)
{
    double sum = far + first;
    for (unsigned i = 0; i < bins; i++)
        sum += near[i];
    for (unsigned i = 0; i < bins; i++)
        out[i] = ws_ratio(near[i], sum, 0);
    *out_far = ws_ratio(far, sum, 0);
    *out_first = ws_ratio(first, sum, 0);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double *const far = c->far, *const first = c->first;
    shares(c->warp_32, WARP_BINS, far[KIND_WARP_32], first[KIND_WARP_32], v->warp_32, &v->warp_32_far,
           &v->warp_32_first);
    shares(c->warp_128, WARP_BINS, far[KIND_WARP_128], first[KIND_WARP_128], v->warp_128, &v->warp_128_far,
           &v->warp_128_first);
    shares(c->cta_32, CTA_BINS, far[KIND_CTA_32], first[KIND_CTA_32], v->cta_32, &v->cta_32_far, &v->cta_32_first);
    shares(c->cta_128, CTA_BINS, far[KIND_CTA_128], first[KIND_CTA_128], v->cta_128, &v->cta_128_far,
           &v->cta_128_first);
    v->warp_lines = ws_ratio(first[KIND_WARP_128], c->warps, 0);
}

const ws_metric ws_metric_reuse =
    WS_FAMILY("modern", "How many other blocks of memory are used before one is used again?", .wants = WS_WANT_MEMORY,
              .init = init, .block_end = block_end, .fini = fini);
