/* atomics.c - how many atomics are there, and how many threads want the same address?
 *
 * Atomics of each global address are counted exactly up to 16384 addresses; then all counts go to a count-min sketch
 * of 4 rows of 16384 counters (G. Cormode, S. Muthukrishnan, "An Improved Data Stream Summary: The Count-Min Sketch
 * and its Applications", 2005). The largest counter of each row is at least the count of the most used address; of the
 * four the smallest is taken. It is too large when in every row two hot addresses share a counter: for 100 equally hot
 * ones in one case of 200. Light addresses add about 1/16384 of all.
 * Shared memory is counted exactly, block by block. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/tally.h"

#include <stdlib.h>
#include <string.h>

enum { EXACT = 16384, ROWS = 4, ROW_BITS = 14, ROW = 1 << ROW_BITS, WORD_SHIFT = 2 };

/* Spaces told apart. */
typedef enum where { IN_GLOBAL, IN_SHARED, WHERES } where;

#define GROUP "atomic"
#define COUNTERS(ONE, MANY) \
    ONE(thread_instr, SUM) \
    MANY(accesses, SUM, WHERES) \
    MANY(lanes, SUM, WHERES) \
    MANY(distinct, SUM, WHERES) \
    MANY(passes, SUM, WHERES) \
    MANY(passes_max, MAX, WHERES) \
    ONE(returning, SUM) \
    ONE(hottest, MAX) \
    ONE(hot_lanes, SUM) \
    ONE(hot_shared, SUM) \
    ONE(shared_blocks, SUM)
#define HOT "exact up to 16384 addresses, then a sketch: never too small, 2/16384 of all too large or, rarely, more."
#define COLUMNS(ONE, MANY) \
    ONE(global_per_kinstr, "1/kinstr", "Atomics and reductions on global memory per 1000 thread instructions; exact.") \
    ONE(shared_per_kinstr, "1/kinstr", "Atomics and reductions on shared memory per 1000 thread instructions; exact.") \
    ONE(returning, "ratio", "Share of these that return the old value; exact.") \
    ONE(global_degree, "lanes", \
        "Lanes for each distinct address of a warp's global atomic, mean; 1 without " \
        "conflict, 0 without atomics; exact.") \
    ONE(shared_degree, "lanes", "Lanes for each distinct address of a warp's shared atomic, mean; exact.") \
    ONE(global_passes, "lanes", \
        "Lanes at the most wanted address of a warp's global atomic, mean: the times it has " \
        "to be repeated; exact.") \
    ONE(shared_passes, "lanes", "Lanes at the most wanted address of a warp's shared atomic, mean; exact.") \
    ONE(passes_max, "lanes", "Most lanes that ever want one address in one atomic; exact.") \
    ONE(hottest, "instr", "Atomics on the most used global address of a launch (largest launch); " HOT) \
    ONE(hot_share, "ratio", "Share of the global atomics that go to the most used address of their launch; " HOT) \
    ONE(shared_hot_share, "ratio", \
        "Share of a thread block's shared atomics that go to its most used word, mean " \
        "over blocks that have some; exact to 2^-24.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_tally exact;          /* of global addresses, while they are few */
    uint64_t (*sketch)[ROW]; /* [ROWS] of all of them, once they are many; else NULL */
    size_t words;            /* of shared memory */
    uint32_t *word;          /* [words] atomics of this block on each; NULL before the first */
    uint64_t block_lanes;    /* of shared atomics of this block */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    ws_tally_init(&s->exact, SIZE_MAX, 0);
    s->words = ((size_t)launch->shared_bytes >> WORD_SHIFT) + 1;
    return WS_OK;
}

static void put_sketch(state *s, uint64_t address, uint64_t n)
{
    uint64_t hash = ws_hash(address);
    for (unsigned row = 0; row < ROWS; row++, hash >>= ROW_BITS)
        s->sketch[row][hash % ROW] += n;
}

/* Too many addresses to keep: from now on only the sketch counts. */
static int start_sketch(state *s)
{
    s->sketch = calloc(ROWS, sizeof *s->sketch);
    if (!s->sketch)
        return ws_fail(WS_EMEM, "no memory for the atomics metrics");
    for (size_t i = 0; i < s->exact.slots; i++)
        if (s->exact.slot[i].count)
            put_sketch(s, s->exact.slot[i].key, s->exact.slot[i].count);
    ws_tally_fini(&s->exact);
    return WS_OK;
}

static int put_global(state *s, uint64_t address, uint64_t n)
{
    if (s->sketch) {
        put_sketch(s, address, n);
        return WS_OK;
    }
    ws_tally_entry *entry;
    const int status = ws_tally_add(&s->exact, address, n, &entry);
    return status == WS_OK && s->exact.used > EXACT ? start_sketch(s) : status;
}

static int put_shared(state *s, uint64_t offset, unsigned n)
{
    const uint64_t word = offset >> WORD_SHIFT;
    if (!s->word && !(s->word = calloc(s->words, sizeof *s->word)))
        return ws_fail(WS_EMEM, "no memory for the atomics metrics");
    s->word[word < s->words ? word : s->words - 1] += n;
    return WS_OK;
}

enum { SLOT_BITS = 6 };

/* Distinct addresses of a warp access and how many lanes want each. */
typedef struct wanted {
    uint64_t address[WS_WARP];
    uint8_t lanes[WS_WARP];
    uint8_t slot[1 << SLOT_BITS]; /* index + 1 */
    unsigned n;
} wanted;

static void collect(wanted *w, const uint64_t *address, uint32_t exec)
{
    w->n = 0;
    memset(w->slot, 0, sizeof w->slot);
    WS_EACH_LANE (lane, exec) {
        unsigned at = (unsigned)(address[lane] * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS));
        while (w->slot[at] && w->address[w->slot[at] - 1] != address[lane])
            at = (at + 1) % sizeof w->slot;
        if (!w->slot[at]) {
            w->address[w->n] = address[lane];
            w->lanes[w->n] = 0;
            w->slot[at] = (uint8_t)++w->n;
        }
        w->lanes[w->slot[at] - 1]++;
    }
}

static int see(state *s, where in, const ws_instr *instr, const uint64_t *address, uint32_t exec)
{
    wanted w;
    int status = WS_OK;
    const unsigned lanes = ws_mask_lanes(exec);
    unsigned most = 0;
    collect(&w, address, exec);
    for (unsigned i = 0; i < w.n && status == WS_OK; i++) {
        most = w.lanes[i] > most ? w.lanes[i] : most;
        status = in == IN_SHARED ? put_shared(s, w.address[i], w.lanes[i]) : put_global(s, w.address[i], w.lanes[i]);
    }
    s->accesses[in]++;
    s->lanes[in] += lanes;
    s->distinct[in] += w.n;
    s->passes[in] += most;
    s->passes_max[in] = most > s->passes_max[in] ? most : s->passes_max[in];
    s->returning += instr->access == WS_ACCESS_ATOMIC ? lanes : 0;
    s->block_lanes += in == IN_SHARED ? lanes : 0;
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
        s->thread_instr += ws_event_threads(ev);
        if (ev->kind != WS_EVENT_MEMORY || !ev->exec)
            continue;
        const ws_instr *const in = &launch->instr[ev->pc];
        if (in->access != WS_ACCESS_ATOMIC && in->access != WS_ACCESS_REDUCE)
            continue;
        if (ev->space != WS_SPACE_GLOBAL && ev->space != WS_SPACE_SHARED)
            continue;
        const where at = ev->space == WS_SPACE_GLOBAL ? IN_GLOBAL : IN_SHARED;
        const int status = see(s, at, in, WS_ADDRESSES(batch, ev), ev->exec);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    if (!s->block_lanes)
        return WS_OK;
    uint32_t most = 0;
    for (size_t i = 0; i < s->words; i++)
        most = s->word[i] > most ? s->word[i] : most;
    memset(s->word, 0, s->words * sizeof *s->word);
    s->hot_shared += ws_fixed((double)most / (double)s->block_lanes);
    s->shared_blocks++;
    s->block_lanes = 0;
    return WS_OK;
}

static int add_addresses(state *a, const state *b)
{
    int status = WS_OK;
    if (b->sketch && !a->sketch)
        status = start_sketch(a);
    if (b->sketch && status == WS_OK)
        for (unsigned row = 0; row < ROWS; row++)
            for (unsigned i = 0; i < ROW; i++)
                a->sketch[row][i] += b->sketch[row][i];
    for (size_t i = 0; i < b->exact.slots && status == WS_OK; i++)
        if (b->exact.slot[i].count)
            status = put_global(a, b->exact.slot[i].key, b->exact.slot[i].count);
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    return add_addresses(a, b);
}

static void fini(void *p)
{
    state *const s = p;
    ws_tally_fini(&s->exact);
    free(s->sketch);
    free(s->word);
}

static uint64_t hottest(const state *s)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < s->exact.slots; i++)
        most = s->exact.slot[i].count > most ? s->exact.slot[i].count : most;
    if (!s->sketch)
        return most;
    for (unsigned row = 0; row < ROWS; row++) {
        most = 0;
        for (unsigned i = 0; i < ROW; i++)
            most = s->sketch[row][i] > most ? s->sketch[row][i] : most;
        least = most < least ? most : least;
    }
    return least;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, s->counts, counter);
    c->hottest = c->hot_lanes = (double)hottest(s);
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    const double most = c->passes_max[c->passes_max[IN_SHARED] > c->passes_max[IN_GLOBAL] ? IN_SHARED : IN_GLOBAL];
    *(columns *)value = (columns){
        .global_per_kinstr = ws_ratio(1000 * c->lanes[IN_GLOBAL], c->thread_instr, 0),
        .shared_per_kinstr = ws_ratio(1000 * c->lanes[IN_SHARED], c->thread_instr, 0),
        .returning = ws_ratio(c->returning, c->lanes[IN_GLOBAL] + c->lanes[IN_SHARED], 0),
        .global_degree = ws_ratio(c->lanes[IN_GLOBAL], c->distinct[IN_GLOBAL], 0),
        .shared_degree = ws_ratio(c->lanes[IN_SHARED], c->distinct[IN_SHARED], 0),
        .global_passes = ws_ratio(c->passes[IN_GLOBAL], c->accesses[IN_GLOBAL], 0),
        .shared_passes = ws_ratio(c->passes[IN_SHARED], c->accesses[IN_SHARED], 0),
        .passes_max = most,
        .hottest = c->hottest,
        .hot_share = ws_ratio(c->hot_lanes, c->lanes[IN_GLOBAL], 0),
        .shared_hot_share = ws_ratio(c->hot_shared, WS_FIXED_SCALE * c->shared_blocks, 0),
    };
}

const ws_metric ws_metric_atomics = {
    .sink = {.name = "atomics",
             .wants = WS_WANT_INSTRUCTIONS,
             .state_size = sizeof(state),
             .init = init,
             .events = events,
             .block_end = block_end,
             .merge = merge,
             .fini = fini},
    .set = "modern",
    .question = "How many atomics are there, and how many threads want the same address?",
    .counters = counter_table,
    .columns = column_table,
    .finish = finish,
    .emit = emit,
};
