/* groups.c - do thread blocks, and groups of neighbours, have equal work?
 *
 * Schedulers that give groups of consecutive thread blocks to an SM (Tabbakh, "Efficient Memory Coherence and
 * Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2) are as good as their groups are even. Work
 * is warp instructions; time is what the simulator says
 * (`l1.sharing`). Thread blocks come in order, so of each size of groups only the first and the last one may be cut by
 * a range. */
#include "metrics/family.h"

#include "base/status.h"

/* Groups of so many thread blocks; the last of a row of the grid. */
enum { BY_8, BY_16, BY_ROW, SIZES };

#define GROUP "groups"
#define COUNTERS(ONE, MANY) \
    ONE(instr, SUM) \
    ONE(blocks, SUM) \
    ONE(least, MIN) \
    ONE(most, MAX) \
    MANY(peak, SUM, SIZES)
#define COLUMNS(ONE, MANY) \
    ONE(block_min, "instr", "Fewest warp instructions of a thread block; exact.") \
    ONE(block_mean, "instr", "Mean warp instructions of a thread block; exact.") \
    ONE(block_max, "instr", "Most warp instructions of a thread block; exact.") \
    MANY(peak, SIZES, "ratio", \
         "Warp instructions of the longest group of 8, of 16, of a row of thread blocks over those of the mean group " \
         "(mean over launches, weighted by thread blocks; the last group may be smaller); exact to 2^-24.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* Groups first .. last; of those in between only the most. */
typedef struct run {
    uint64_t first, last; /* numbers of groups */
    uint64_t first_work, last_work, most;
} run;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    uint64_t block_instr; /* of the one that runs */
    run run[SIZES];
} state;

static int init(void *p, const ws_launch *launch)
{
    (void)launch;
    ((state *)p)->least = UINT64_MAX;
    return WS_OK;
}

static uint64_t size_of(const ws_launch *launch, unsigned i)
{
    const uint64_t size[SIZES] = {[BY_8] = 8, [BY_16] = 16, [BY_ROW] = launch->grid[0] ? launch->grid[0] : 1};
    return size[i];
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    (void)launch;
    WS_EACH_INSTRUCTION (ev, batch)
        s->block_instr += ev->count;
    return WS_OK;
}

/* Behind a run that is not empty comes another one. */
static void append(run *a, const run *b)
{
    if (a->last == b->first) {
        a->last_work += b->first_work;
        a->first_work = a->first == a->last ? a->last_work : a->first_work;
        if (b->first == b->last)
            return;
    }
    if (a->last != a->first)
        a->most = greater(a->most, a->last_work);
    if (b->first != b->last && b->first != a->last)
        a->most = greater(a->most, b->first_work);
    a->most = greater(a->most, b->most);
    a->last = b->last;
    a->last_work = b->last_work;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    for (unsigned i = 0; i < SIZES; i++) {
        const uint64_t group = block / size_of(launch, i);
        const run one = {.first = group, .last = group, .first_work = s->block_instr, .last_work = s->block_instr};
        if (s->blocks)
            append(&s->run[i], &one);
        else
            s->run[i] = one;
    }
    s->instr += s->block_instr;
    s->blocks++;
    s->most = greater(s->most, s->block_instr);
    s->least = s->block_instr < s->least ? s->block_instr : s->least;
    s->block_instr = 0;
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    for (unsigned i = 0; i < SIZES && b->blocks; i++) {
        if (a->blocks)
            append(&a->run[i], &b->run[i]);
        else
            a->run[i] = b->run[i];
    }
    ws_family_join(counter_table, a->counts, b->counts);
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, s->counts, counter);
    c->least = s->blocks ? c->least : NAN;
    c->most = s->blocks ? c->most : NAN;
    for (unsigned i = 0; i < SIZES; i++) {
        const uint64_t size = size_of(launch, i), groups = (s->blocks + size - 1) / size;
        const uint64_t most = greater(s->run[i].most, greater(s->run[i].first_work, s->run[i].last_work));
        const double peak = ws_ratio((double)most * (double)groups, (double)s->instr, 1);
        c->peak[i] = (double)ws_fixed(peak * (double)s->blocks);
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    *v = (columns){.block_min = c->least, .block_mean = ws_ratio(c->instr, c->blocks, 0), .block_max = c->most};
    for (unsigned i = 0; i < SIZES; i++)
        v->peak[i] = ws_ratio(c->peak[i] / WS_FIXED_SCALE, c->blocks, 0);
}

const ws_metric ws_metric_groups = WS_FAMILY("modern", "Do thread blocks, and groups of neighbours, have equal work?",
                                             .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_end = block_end);
