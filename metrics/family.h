/* family.h - macros that generate a family of the modern set from two lists.
 *
 * A family lists its counters and its columns once. The lists take two macros: ONE for a single value, MANY for an
 * array. They generate structs of doubles with these names and the tables for ws_metric. finish() and emit() therefore
 * use names, and positions are always consistent:
 *
 *     #define GROUP "simd"
 *     #define COUNTERS(ONE, MANY)  ONE(warp_instr, SUM)  MANY(lanes, SUM, 8)
 *     #define COLUMNS(ONE, MANY)   ONE(efficiency, "ratio", "Share of ...")  MANY(lanes, 8, "ratio", "Share of ...")
 *     WS_FAMILY_TABLES(COUNTERS, COLUMNS)          -> types counters, columns; tables counter_table, column_table
 *
 * Further members of a column may follow its sentence: ONE(efficiency, "ratio", "Share of ...", .brief = true).
 *
 * A family whose state consists of counts stores them under the names of its counters. The list then generates merge()
 * and finish(). A family with further state calls ws_family_join() and ws_family_tell() on the member `counts`:
 *
 *     typedef struct state {
 *         WS_FAMILY_TALLY(COUNTERS)                -> uint64_t warp_instr, lanes[8];
 *         ...
 *     } state;
 *     WS_FAMILY_MERGE                              -> merge(): sum, maximum or minimum, as the list says
 *     WS_FAMILY_FINISH                             -> finish(): the counts unchanged
 *
 * The family itself, with its set and question, and the members of its sink other than events() and merge():
 *
 *     const ws_metric ws_metric_simd = WS_FAMILY("modern", "How many ...?", .wants = WS_WANT_ALL, .init = init);
 *
 * Counters are sums of integers wherever possible, so that the distribution of blocks over workers cannot change a bit
 * of them. */
#ifndef WS_FAMILY_H
#define WS_FAMILY_H

#include "metrics/metric.h"

#include <math.h>

#define WS_FAMILY_ONE_COUNTER_FIELD(name, combine)      double name;
#define WS_FAMILY_MANY_COUNTER_FIELD(name, combine, n)  double name[n];
#define WS_FAMILY_ONE_COUNTER_ROW(id, how)              {.name = #id, .combine = WS_##how, .count = 1},
#define WS_FAMILY_MANY_COUNTER_ROW(id, how, n)          {.name = #id, .combine = WS_##how, .count = n},
#define WS_FAMILY_ONE_COLUMN_FIELD(name, unit, ...)     double name;
#define WS_FAMILY_MANY_COLUMN_FIELD(name, n, unit, ...) double name[n];
#define WS_FAMILY_ONE_COLUMN_ROW(id, of, ...) \
    {.name = GROUP "_" #id, .unit = of, .group = GROUP, .count = 1, .question = __VA_ARGS__},
#define WS_FAMILY_MANY_COLUMN_ROW(id, n, of, ...) \
    {.name = GROUP "_" #id, .unit = of, .group = GROUP, .count = n, .question = __VA_ARGS__},

#define WS_FAMILY_TABLES(COUNTERS, COLUMNS) \
    typedef struct counters { \
        COUNTERS(WS_FAMILY_ONE_COUNTER_FIELD, WS_FAMILY_MANY_COUNTER_FIELD) \
    } counters; \
    typedef struct columns { \
        COLUMNS(WS_FAMILY_ONE_COLUMN_FIELD, WS_FAMILY_MANY_COLUMN_FIELD) \
    } columns; \
    static const ws_counter counter_table[] = { \
        COUNTERS(WS_FAMILY_ONE_COUNTER_ROW, WS_FAMILY_MANY_COUNTER_ROW){.name = NULL}}; \
    static const ws_metric_column column_table[] = { \
        COLUMNS(WS_FAMILY_ONE_COLUMN_ROW, WS_FAMILY_MANY_COLUMN_ROW){.name = NULL}};

#define WS_FAMILY_ONE_TALLY_FIELD(name, combine)     uint64_t name;
#define WS_FAMILY_MANY_TALLY_FIELD(name, combine, n) uint64_t name[n];
#define WS_FAMILY_TALLY(COUNTERS) \
    union { \
        struct { \
            COUNTERS(WS_FAMILY_ONE_TALLY_FIELD, WS_FAMILY_MANY_TALLY_FIELD) \
        }; \
        uint64_t counts[sizeof(counters) / sizeof(double)]; \
    };
#define WS_FAMILY_MERGE \
    static int merge(void *into, void *from, const ws_launch *launch) \
    { \
        (void)launch; \
        ws_family_join(counter_table, ((state *)into)->counts, ((const state *)from)->counts); \
        return WS_OK; \
    }
#define WS_FAMILY_FINISH \
    static int finish(void *p, const ws_launch *launch, double *counter) \
    { \
        (void)launch; \
        ws_family_tell(counter_table, ((const state *)p)->counts, counter); \
        return WS_OK; \
    }

#define WS_FAMILY(set_, question_, ...) \
    { \
        .sink = {.name = GROUP, .state_size = sizeof(state), .events = events, .merge = merge, __VA_ARGS__}, \
        .set = (set_), .question = (question_), .counters = counter_table, .columns = column_table, .finish = finish, \
        .emit = emit \
    }

/* Implement merge() and finish() for the counts of a state. */
void ws_family_join(const ws_counter *table, uint64_t *into, const uint64_t *from);
void ws_family_tell(const ws_counter *table, const uint64_t *counts, double *counter);

/* Loops over all events of a batch; over its instructions, without ends of divergent sections; over the parts of its
 * accesses of global memory. */
#define WS_EACH_EVENT(ev, batch) \
    for (const ws_event *ev = (batch)->event, *const ev##_end = ev + (batch)->events; ev < ev##_end; ev++)
#define WS_EACH_INSTRUCTION(ev, batch) \
    WS_EACH_EVENT (ev, batch) \
        if (ev->kind != WS_EVENT_RECONVERGE)
#define WS_EACH_GLOBAL(ev, batch) \
    WS_EACH_EVENT (ev, batch) \
        if (ev->kind == WS_EVENT_MEMORY && ev->space == WS_SPACE_GLOBAL)

/* Returns a / b, or `empty` if b is 0. */
static inline double ws_ratio(double a, double b, double empty)
{
    return b != 0 ? a / b : empty;
}

/* Returns a counter that traces of SASS lack (ws_isa), or NaN for their launches. Sums with it stay NaN, and columns of
 * them are NA. */
static inline double ws_told(const ws_launch *launch, double count)
{
    return ws_isa_is_sass(launch->isa) ? NAN : count;
}

/* Returns a counter of branches, including branches that no lane takes: NaN for launches without them. */
static inline double ws_told_branches(const ws_launch *launch, double count)
{
    return launch->isa == WS_ISA_SASS_SPARSE ? NAN : count;
}

/* Returns the lesser value; unlike fmin(), it keeps NaN. */
static inline double ws_at_most(double value, double most)
{
    return value > most ? most : value;
}

/* Returns the number of lanes of a mask. Full masks are common, and are fast without a popcount instruction. */
static inline unsigned ws_mask_lanes(uint32_t mask)
{
    return mask == UINT32_MAX ? (unsigned)WS_WARP : ws_popcount(mask);
}

/* Returns the lanes of a warp that have a thread: all, except in the last warp of a block whose size is not a multiple
 * of 32. */
static inline uint32_t ws_warp_lanes(const ws_launch *launch, unsigned warp)
{
    const uint64_t before = (uint64_t)warp * WS_WARP;
    const uint64_t threads = launch->threads_per_block > before ? launch->threads_per_block - before : 0;
    return threads >= WS_WARP ? UINT32_MAX : ((uint32_t)1 << threads) - 1;
}

/* Returns the thread instructions of an event: the lanes that executed it. The parts of an access that spans several
 * spaces hold disjoint lanes, and only the first has a count. Parts at further addresses of the same lanes do not
 * count. */
static inline uint64_t ws_event_threads(const ws_event *ev)
{
    return (uint64_t)ws_mask_lanes(ev->exec) * (ev->kind == WS_EVENT_MEMORY ? ws_event_lane_runs(ev) : ev->count);
}

/* Returns the bin of v in a log2 histogram: 0 for 0, k for 2^(k-1) <= v < 2^k, the last one open. */
static inline unsigned ws_log2_bin(uint64_t v, unsigned bins)
{
    const unsigned bin = v ? 64 - (unsigned)__builtin_clzll(v) : 0;
    return bin < bins ? bin : bins - 1;
}

/* Divides counts by their sum; all fractions are 0 if the sum is 0. */
static inline void ws_fractions(const double *count, unsigned n, double *fraction)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += count[i];
    for (unsigned i = 0; i < n; i++)
        fraction[i] = ws_ratio(count[i], sum, 0);
}

/* Ratios that are summed over blocks are stored as integers of this scale: sums of integers do not depend on order. */
enum { WS_FIXED_SCALE = 1 << 24 };
static inline uint64_t ws_fixed(double ratio)
{
    return (uint64_t)(ratio * WS_FIXED_SCALE + 0.5);
}

#endif
