/* footprint.c - how much global memory does a launch touch, and how well does it use what it touches?
 *
 * Distinct blocks are counted exactly up to 16384 of a kind, then by a sketch with 0.8 %
 * standard error (distinct.h). */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/distinct.h"

enum { PAGE_SHIFT = 12 };

enum { SET_SECTORS, SET_LINES, SET_PAGES, SET_READ, SET_WRITTEN, SETS }; /* what is counted */

#define GROUP "footprint"
#define COUNTERS(ONE, MANY) \
    MANY(distinct, SUM, SETS) \
    MANY(largest, MAX, SETS) \
    ONE(lane_bytes, SUM) \
    ONE(threads, SUM) \
    ONE(thread_instr, SUM)
#define SKETCH "exact up to 16384, then a sketch with 0.8 % standard error."
#define COLUMNS(ONE, MANY) \
    ONE(sectors, "blocks", "Distinct 32-byte blocks of global memory that a launch touches (largest launch); " SKETCH, \
        .brief = true) \
    ONE(lines, "blocks", "Distinct 128-byte blocks of global memory that a launch touches (largest launch); " SKETCH) \
    ONE(pages, "pages", "Distinct 4096-byte pages of global memory that a launch touches (largest launch); " SKETCH) \
    ONE(bytes_per_thread, "bytes", "Bytes in distinct 32-byte blocks over threads; blocks " SKETCH) \
    ONE(bytes_per_kinstr, "bytes/kinstr", \
        "Bytes in distinct 32-byte blocks per 1000 thread instructions; blocks " SKETCH) \
    ONE(uses, "ratio", \
        "Bytes that lanes access over bytes in distinct 32-byte blocks: how often a byte is used; " \
        "blocks " SKETCH) \
    ONE(line_fill, "ratio", "Share of the touched 128-byte blocks that is touched, in 32-byte blocks; " SKETCH) \
    ONE(page_fill, "ratio", "Share of the touched pages that is touched, in 32-byte blocks; " SKETCH) \
    ONE(read, "ratio", "Share of the distinct 32-byte blocks that is read (atomics read and write); " SKETCH) \
    ONE(written, "ratio", "Share of the distinct 32-byte blocks that is written; " SKETCH)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_distinct set[SETS];
    uint64_t last_page; /* + 1: seen last; neighbours mostly share it */
} state;

static int add_all(ws_distinct *set, const uint64_t *block, unsigned n)
{
    int status = WS_OK;
    for (unsigned i = 0; i < n && status == WS_OK; i++)
        status = ws_distinct_add(set, block[i]);
    return status;
}

static int see(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    uint64_t own[WS_COALESCE_MAX], page[WS_COALESCE_MAX];
    unsigned n;
    const uint64_t *block = ws_coalesced_sectors(batch, ev, in, own, &n);
    s->lane_bytes += (uint64_t)ws_mask_lanes(ev->exec) * in->bytes;
    int status = add_all(&s->set[SET_SECTORS], block, n);
    if (status == WS_OK && in->access != WS_ACCESS_STORE)
        status = add_all(&s->set[SET_READ], block, n);
    if (status == WS_OK && in->access != WS_ACCESS_LOAD)
        status = add_all(&s->set[SET_WRITTEN], block, n);
    block = ws_coalesced_lines(batch, ev, in, own, &n);
    if (status == WS_OK)
        status = add_all(&s->set[SET_LINES], block, n);
    n = ws_coalesce_widen(block, n, PAGE_SHIFT - WS_LINE_SHIFT, page);
    if (status != WS_OK || (n == 1 && page[0] + 1 == s->last_page))
        return status;
    s->last_page = n ? page[n - 1] + 1 : s->last_page;
    return add_all(&s->set[SET_PAGES], page, n);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        s->thread_instr += ws_event_threads(ev);
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL)
            continue;
        const int status = see(s, &launch->instr[ev->pc], batch, ev);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    int status = WS_OK;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    for (unsigned i = 0; i < SETS && status == WS_OK; i++)
        status = ws_distinct_merge(&a->set[i], &b->set[i]);
    return status;
}

static void fini(void *p)
{
    state *const s = p;
    for (unsigned i = 0; i < SETS; i++)
        ws_distinct_fini(&s->set[i]);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    c->threads = (double)launch->blocks * launch->threads_per_block;
    for (unsigned i = 0; i < SETS; i++)
        c->distinct[i] = c->largest[i] = ws_distinct_count(&s->set[i]);
    return WS_OK;
}

/* A share of two counts that may both be estimates. */
static double share(double part, double whole)
{
    const double value = ws_ratio(part, whole, 0);
    return value < 1 ? value : 1;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    const double *const distinct = c->distinct;
    const double sector = 1 << WS_SECTOR_SHIFT, bytes = sector * distinct[SET_SECTORS];
    *(columns *)value = (columns){
        .sectors = c->largest[SET_SECTORS],
        .lines = c->largest[SET_LINES],
        .pages = c->largest[SET_PAGES],
        .bytes_per_thread = ws_ratio(bytes, c->threads, 0),
        .bytes_per_kinstr = ws_ratio(1000 * bytes, c->thread_instr, 0),
        .uses = ws_ratio(c->lane_bytes, bytes, 0),
        .line_fill = share(bytes, (1 << WS_LINE_SHIFT) * distinct[SET_LINES]),
        .page_fill = share(bytes, (1 << PAGE_SHIFT) * distinct[SET_PAGES]),
        .read = share(distinct[SET_READ], distinct[SET_SECTORS]),
        .written = share(distinct[SET_WRITTEN], distinct[SET_SECTORS]),
    };
}

const ws_metric ws_metric_footprint =
    WS_FAMILY("modern", "How much global memory does a launch touch, and how well does it use what it touches?",
              .wants = WS_WANT_INSTRUCTIONS, .fini = fini);
