/* machines.c - how much do row locality and merge misses (study dimensions 82-101) hang on the machine assumed?
 *
 * The study's two characteristics that need a machine are frozen in study_coalescing.c. Here they are computed once more
 * for each machine that the study used, in one run: blocks of the grid dealt to that many multiprocessors, addresses
 * to that many channels, and a window of one block for every eight threads that a multiprocessor holds. Nothing else of
 * the 129 dimensions has a machine in its definition. Asked for by the set "machines" alone. */
#include "metrics/study.h"

#include "base/status.h"
#include "metrics/dram_rows.h"
#include "metrics/merge_window.h"
#include "metrics/warp_blocks.h"

#include <math.h>

enum { BINS = 10, THREADS_A_BLOCK = 8, MOST_CHANNELS = 11, MOST_PLACES = MOST_CHANNELS * WS_DRAM_BANKS };

typedef struct machine {
    unsigned processors, channels, window, first; /* first: of its windows in the state */
} machine;

/* Windows before those of each machine, then of all. */
enum {
#define MACHINE(id, processors, channels, threads) FIRST_##id, LAST_##id = FIRST_##id + (processors) - 1,
#include "metrics/machines.def"
#undef MACHINE
    WINDOWS
};

static const machine machines[] = {
#define MACHINE(id, processors, channels, threads) {processors, channels, (threads) / THREADS_A_BLOCK, FIRST_##id},
#include "metrics/machines.def"
#undef MACHINE
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

#define MACHINE(id, processors, channels, threads) \
    _Static_assert((channels) <= MOST_CHANNELS && (threads) / THREADS_A_BLOCK <= WS_WINDOW_BLOCKS, #id);
#include "metrics/machines.def"
#undef MACHINE

typedef struct state {
    uint64_t accesses;
    ws_dram_place place[MACHINES][MOST_PLACES];
    ws_warp_blocks scratch;
    ws_window window[WINDOWS];
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned i = 0; i < machines[m].processors; i++)
            s->window[machines[m].first + i].limit = machines[m].window;
    return ws_warp_blocks_check(launch);
}

static void touch(state *s, uint64_t grid_block, uint64_t block)
{
    s->accesses++;
    for (unsigned m = 0; m < MACHINES; m++) {
        unsigned place;
        const uint64_t row = ws_dram_map_to(block * WS_BLOCK_BYTES, machines[m].channels, &place);
        ws_dram_place_touch(&s->place[m][place], row);
        ws_window_touch(&s->window[machines[m].first + grid_block % machines[m].processors], block);
    }
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    for (const ws_event *ev = batch->event, *end = ev + batch->events; ev < end; ev++) {
        if (ev->kind != WS_EVENT_MEMORY || !ws_is_off_chip(ev->space))
            continue;
        const unsigned n = ws_warp_blocks_find(&s->scratch, launch, batch, ev);
        for (unsigned i = 0; i < n; i++)
            touch(s, batch->block, s->scratch.block[i]);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    state *const a = into;
    const state *const b = from;
    a->accesses += b->accesses;
    for (unsigned m = 0; m < MACHINES; m++)
        for (unsigned i = 0; i < MOST_PLACES; i++)
            ws_dram_place_join(&a->place[m][i], &b->place[m][i]);
    for (unsigned i = 0; i < WINDOWS; i++)
        ws_window_join(&a->window[i], &b->window[i]);
    return WS_OK;
}

/* Counters of a machine: histogram of R, histogram of M_m, accesses, runs in rows, mergeable accesses. */
enum { R = 0, M_M = BINS, ACCESSES = 2 * BINS, RUNS, MERGEABLE, COUNTERS };

static void count_machine(const state *s, unsigned m, double *counter)
{
    double runs = 0, mergeable = 0;
    for (unsigned i = 0; i < MOST_PLACES; i++)
        runs += (double)s->place[m][i].runs;
    for (unsigned i = 0; i < machines[m].processors; i++)
        mergeable += (double)s->window[machines[m].first + i].mergeable;
    for (unsigned i = 0; i < 2 * BINS; i++)
        counter[i] = 0;
    counter[ACCESSES] = (double)s->accesses;
    counter[RUNS] = runs;
    counter[MERGEABLE] = mergeable;
    if (s->accesses) { /* else the launch is no sample */
        ws_bins_one(WS_BINS_R, counter[ACCESSES] / runs, counter + R);
        ws_bins_one(WS_BINS_RATIO, mergeable / counter[ACCESSES], counter + M_M);
    }
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    (void)launch;
    for (unsigned m = 0; m < MACHINES; m++)
        count_machine(p, m, counter + (size_t)m * COUNTERS);
    return WS_OK;
}

/* Columns of a machine: the two histograms, then locality and merge misses over all launches. */
enum { LOCALITY = 2 * BINS, MERGED, COLUMNS };

static void emit(const double *counter, double *value)
{
    for (unsigned m = 0; m < MACHINES; m++, counter += COUNTERS, value += COLUMNS) {
        ws_bins_copy(WS_BINS_R, counter + R, value + R);
        ws_bins_copy(WS_BINS_RATIO, counter + M_M, value + M_M);
        value[LOCALITY] = counter[RUNS] > 0 ? counter[ACCESSES] / counter[RUNS] : NAN;
        value[MERGED] = counter[ACCESSES] > 0 ? counter[MERGEABLE] / counter[ACCESSES] : NAN;
    }
}

static const ws_counter counters[] = {
#define MACHINE(id, processors, channels, threads) \
    WS_BINS_COUNTER(#id "_r", R, BINS),            \
    WS_BINS_COUNTER(#id "_m_m", RATIO, BINS),      \
    {.name = #id "_accesses"},                     \
    {.name = #id "_runs"},                         \
    {.name = #id "_mergeable"},
#include "metrics/machines.def"
#undef MACHINE
    {.name = NULL},
};

static const ws_metric_column columns[] = {
#define MACHINE(id, processors, channels, threads)                                                      \
    WS_BINS_COLUMN(#id "_R", "launches", "machines", 0, BINS, \
                   "R on a machine with " #processors " multiprocessors and " #channels " channels; exact."), \
    WS_BINS_COLUMN(#id "_M_m", "launches", "machines", 0, BINS, \
                   "M_m on a machine with " #processors " multiprocessors of " #threads " threads; exact."), \
    {.name = #id "_row_locality", .unit = "acc/run", .group = "machines",                                  \
     .question = "Accesses to one DRAM row in succession, all launches, " #channels " channels; exact."},       \
    {.name = #id "_merge_misses", .unit = "ratio", .group = "machines",                                    \
     .question = "Accesses that could share a request under way, all launches; exact."},
#include "metrics/machines.def"
#undef MACHINE
    {.name = NULL},
};

const ws_metric ws_metric_machines = {
    .sink = {.name = "machines", .wants = WS_WANT_MEMORY, .state_size = sizeof(state), .init = init, .events = events,
             .merge = merge},
    .set = "machines",
    .question = "How much do row locality and merge misses hang on the machine assumed?",
    .counters = counters,
    .columns = columns,
    .finish = finish,
    .emit = emit,
};
