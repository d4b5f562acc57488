/* entropy.c - how evenly are global memory accesses spread over addresses, seen ever more coarsely?
 *
 * Shannon entropy of the addresses that lanes access, with 0 to 10 low bits dropped. It is put together by the chain
 * rule from three levels: which MiB, which KiB within the MiB, which address within the KiB; so hot spots weigh in
 * fully although only a part of the addresses can be counted:
 *
 *     H(address) = H(MiB) + H(KiB | MiB) + H(address | KiB)
 *
 * Each level counts up to 2^15 keys. Up to that number all is exact; beyond, the spread within a parent (a KiB, a MiB)
 * is known for a sample of the parents only (tally.h). The others, whose accesses are known, are taken to look like
 * the sampled ones with as many accesses, to a factor of two. That is exact when parents with as many accesses look
 * alike; a parent that is alone with its number of accesses and holds the share p of them costs p times its
 * difference. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/tally.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { DROPS = 11, REGION_SHIFT = 10, SPAN_SHIFT = 20, CAP = 1 << 15 };

#define GROUP "entropy"
#define COUNTERS(ONE, MANY) \
    ONE(accesses, SUM) \
    MANY(bits, SUM, DROPS) \
    ONE(relative, SUM)
#define LIMITS \
    "exact up to 32768 distinct addresses, then the spread within a KiB from a sample: within 0.1 bit, or " \
    "0.5 bit when single KiB get a tenth of all accesses."
#define COLUMNS(ONE, MANY) \
    MANY(bits, DROPS, "bits", \
         "Shannon entropy of the global memory addresses that lanes access, with 0 .. 10 low " \
         "bits dropped (launches weighted by accesses); " LIMITS) \
    ONE(slope, "bits", \
        "Entropy lost per low bit dropped, by least squares over 0 .. 10: 1 for dense use, 0 when " \
        "neighbours are not used; " LIMITS) \
    ONE(relative, "ratio", \
        "Entropy over that of as many accesses to addresses of their own: 0 for one address, 1 " \
        "when no address is used twice; " LIMITS)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    uint64_t accesses;
    ws_tally address, region, span; /* bytes, KiB, MiB */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    (void)launch;
    ws_tally_init(&s->address, CAP, REGION_SHIFT);
    ws_tally_init(&s->region, CAP, SPAN_SHIFT - REGION_SHIFT);
    ws_tally_init(&s->span, CAP, 0);
    return WS_OK;
}

/* Equal keys of neighbouring lanes, added in one go. */
typedef struct gather {
    ws_tally *to;
    uint64_t key, n;
} gather;

static int flush(gather *g)
{
    ws_tally_entry *entry;
    return g->n ? ws_tally_add(g->to, g->key, g->n, &entry) : WS_OK;
}

static int put(gather *g, uint64_t key)
{
    if (g->n && g->key == key) {
        g->n++;
        return WS_OK;
    }
    const int status = flush(g);
    g->key = key;
    g->n = 1;
    return status;
}

/* All lanes within a KiB, as in most accesses: it and its MiB are counted once. */
static bool is_in_one_region(const uint64_t *address, uint32_t exec)
{
    uint64_t differ = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        differ |= address[lane] ^ address[0];
    return exec == UINT32_MAX && !(differ >> REGION_SHIFT);
}

static int see_region(state *s, const uint64_t *address)
{
    ws_tally_entry *entry;
    gather at = {.to = &s->address};
    int status = WS_OK;
    s->accesses += WS_WARP;
    if (ws_tally_samples(&s->address, address[0])) {
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            status |= put(&at, address[lane]);
        status |= flush(&at);
    }
    status |= ws_tally_add(&s->region, address[0] >> REGION_SHIFT, WS_WARP, &entry);
    status |= ws_tally_add(&s->span, address[0] >> SPAN_SHIFT, WS_WARP, &entry);
    return status ? WS_EMEM : WS_OK;
}

static int see(state *s, const uint64_t *address, uint32_t exec)
{
    if (is_in_one_region(address, exec))
        return see_region(s, address);
    gather at = {.to = &s->address}, region = {.to = &s->region}, span = {.to = &s->span};
    bool sampled = true;
    int status = WS_OK;
    s->accesses += ws_mask_lanes(exec);
    WS_EACH_LANE (lane, exec) {
        const uint64_t a = address[lane];
        if (!region.n || region.key != a >> REGION_SHIFT)
            sampled = ws_tally_samples(&s->address, a);
        status |= put(&region, a >> REGION_SHIFT);
        status |= put(&span, a >> SPAN_SHIFT);
        if (sampled)
            status |= put(&at, a);
    }
    status |= flush(&at);
    status |= flush(&region);
    status |= flush(&span);
    return status ? WS_EMEM : WS_OK; /* the one way in which adding fails; the message is set */
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    (void)launch;
    WS_EACH_GLOBAL (ev, batch) {
        const int status = see(s, WS_ADDRESSES(batch, ev), ev->exec);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    a->accesses += b->accesses;
    int status = ws_tally_merge(&a->address, &b->address, NULL);
    if (status == WS_OK)
        status = ws_tally_merge(&a->region, &b->region, NULL);
    if (status == WS_OK)
        status = ws_tally_merge(&a->span, &b->span, NULL);
    return status;
}

static void fini(void *p)
{
    state *const s = p;
    ws_tally_fini(&s->address);
    ws_tally_fini(&s->region);
    ws_tally_fini(&s->span);
}

static double n_log_n(uint64_t n)
{
    return n > 1 ? (double)n * log2((double)n) : 0;
}

/* Sum of n log n over the keys with `drop` low bits dropped; *total is the sum of n. */
static double spread(const ws_tally_entry *e, size_t n, unsigned drop, uint64_t *total)
{
    double sum = 0, term = 0;
    uint64_t before = 0; /* counts are mostly those of their neighbours: term is its n log n */
    *total = 0;
    for (size_t i = 0; i < n;) {
        uint64_t count = 0;
        const uint64_t key = e[i].key >> drop;
        for (; i < n && e[i].key >> drop == key; i++)
            count += e[i].count;
        if (count != before)
            term = n_log_n(count);
        before = count;
        sum += term;
        *total += count;
    }
    return sum;
}

/* What is known of the parents with 2^k .. 2^(k+1) - 1 accesses. */
typedef struct stratum {
    uint64_t accesses; /* of all of them */
    uint64_t sampled;  /* of those in the sample */
    double bits;       /* entropy within those in the sample, times their accesses */
} stratum;

enum { STRATA = 64 };

static unsigned stratum_of(uint64_t accesses)
{
    return 63 - (unsigned)__builtin_clzll(accesses);
}

/* The nearest stratum with a sample; the one with more accesses of two. */
static const stratum *nearest(const stratum *strata, int k)
{
    for (int off = 0; off < STRATA; off++) {
        if (k + off < STRATA && strata[k + off].sampled)
            return &strata[k + off];
        if (k - off >= 0 && strata[k - off].sampled)
            return &strata[k - off];
    }
    return NULL;
}

/* A level of the chain: sorted children and their parents, key >> shift. */
typedef struct level {
    const ws_tally_entry *child, *parent;
    size_t children, parents;
    unsigned shift;
} level;

static void fill_strata(const level *l, unsigned drop, stratum *strata)
{
    for (size_t i = 0; i < l->parents; i++)
        strata[stratum_of(l->parent[i].count)].accesses += l->parent[i].count;
    for (size_t first = 0, end; first < l->children; first = end) {
        uint64_t total;
        for (end = first; end < l->children && l->child[end].key >> l->shift == l->child[first].key >> l->shift; end++)
            continue;
        const double inner = spread(l->child + first, end - first, drop, &total);
        stratum *const at = &strata[stratum_of(total)];
        at->sampled += total;
        at->bits += n_log_n(total) - inner;
    }
}

/* Entropy of child >> drop given its parent, in bits. */
static double conditional(const level *l, unsigned drop)
{
    stratum strata[STRATA] = {{0}};
    double sum = 0, accesses = 0;
    fill_strata(l, drop, strata);
    for (int k = 0; k < STRATA; k++) {
        const stratum *const like = strata[k].accesses ? nearest(strata, k) : NULL;
        if (!like)
            continue;
        sum += like->bits / (double)like->sampled * (double)strata[k].accesses;
        accesses += (double)strata[k].accesses;
    }
    return ws_ratio(sum, accesses, 0);
}

/* Bits that the first level contributes, all keys against one. */
static double top_level(const ws_tally_entry *e, size_t n, uint64_t accesses)
{
    uint64_t total;
    const double sum = spread(e, n, 0, &total);
    return total ? log2((double)accesses) - sum / (double)total : 0;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_tally_entry *address = NULL, *region = NULL, *span = NULL;
    size_t addresses, regions, spans;
    (void)launch;
    *c = (counters){.accesses = (double)s->accesses};
    int status = ws_tally_sorted(&s->address, &address, &addresses);
    if (status == WS_OK)
        status = ws_tally_sorted(&s->region, &region, &regions);
    if (status == WS_OK)
        status = ws_tally_sorted(&s->span, &span, &spans);
    if (status == WS_OK && s->accesses) {
        const double n = (double)s->accesses;
        const level upper = {region, span, regions, spans, SPAN_SHIFT - REGION_SHIFT};
        const level lower = {address, region, addresses, regions, REGION_SHIFT};
        const double coarse = top_level(span, spans, s->accesses) + conditional(&upper, 0);
        for (unsigned drop = 0; drop < DROPS; drop++)
            c->bits[drop] = n * (coarse + conditional(&lower, drop));
        c->relative = s->accesses > 1 ? c->bits[0] / log2(n) : 0;
    }
    free(address);
    free(region);
    free(span);
    return status;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double middle = (DROPS - 1) / 2.;
    double slope = 0, squares = 0;
    for (unsigned drop = 0; drop < DROPS; drop++) {
        v->bits[drop] = ws_ratio(c->bits[drop], c->accesses, 0);
        slope += (middle - drop) * v->bits[drop];
        squares += (middle - drop) * (middle - drop);
    }
    v->slope = slope / squares;
    v->relative = ws_ratio(c->relative, c->accesses, 0);
}

const ws_metric ws_metric_entropy =
    WS_FAMILY("modern", "How evenly are global memory accesses spread over addresses, seen ever more coarsely?",
              .wants = WS_WANT_MEMORY, .init = init, .fini = fini);
