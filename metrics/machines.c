/* machines.c - how much do row locality and merge misses (study dimensions 82-101) hang on the machine assumed?
 *
 * The study's two characteristics that need a machine are frozen in study_coalescing.c. Here they are computed once
 * more for each machine that the study used, in one run: so many multiprocessors with so many threads and blocks at
 * once, and so many channels. Nothing else of the 129 dimensions has a machine in its definition. Asked for by the set
 * "machines" alone. */
#include "metrics/study_metrics.h"

#include "base/status.h"
#include "metrics/family.h"
#include "metrics/off_chip.h"

#include <math.h>

enum { BINS = 10 };

static const ws_board boards[] = {
#define MACHINE(id, processors_, channels_, threads_, blocks_) \
    {.processors = processors_, .channels = channels_, .threads = threads_, .blocks = blocks_},
#include "metrics/machines.def"
#undef MACHINE
};
enum { MACHINES = sizeof boards / sizeof boards[0] };

#define MACHINE(id, processors, channels, threads, blocks) \
    _Static_assert((channels) <= WS_BOARD_CHANNELS && (processors) <= WS_BOARD_PROCESSORS, #id);
#include "metrics/machines.def"
#undef MACHINE

typedef struct state {
    ws_off_chip *on[MACHINES];
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    int status = WS_OK;
    for (unsigned m = 0; m < MACHINES && status == WS_OK; m++)
        status = ws_off_chip_create(&boards[m], launch, &s->on[m]);
    return status;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    const state *const s = p;
    int status = WS_OK;
    for (unsigned m = 0; m < MACHINES && status == WS_OK; m++)
        status = ws_off_chip_see(s->on[m], launch, batch);
    return status;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    const state *const s = p;
    int status = WS_OK;
    (void)launch;
    for (unsigned m = 0; m < MACHINES && status == WS_OK; m++)
        status = ws_off_chip_block_end(s->on[m], block);
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    const state *const a = into, *const b = from;
    int status = WS_OK;
    (void)launch;
    for (unsigned m = 0; m < MACHINES && status == WS_OK; m++)
        status = ws_off_chip_join(a->on[m], b->on[m]);
    return status;
}

static void fini(void *p)
{
    const state *const s = p;
    for (unsigned m = 0; m < MACHINES; m++)
        ws_off_chip_destroy(s->on[m]);
}

/* Counters of a machine: histogram of R, histogram of M_m, accesses, runs in rows, mergeable accesses. */
enum { R = 0, M_M = BINS, ACCESSES = 2 * BINS, RUNS, MERGEABLE, COUNTERS };

static void count_machine(const ws_off_chip_count *n, double *counter)
{
    for (unsigned i = 0; i < 2 * BINS; i++)
        counter[i] = 0;
    counter[ACCESSES] = (double)n->accesses;
    counter[RUNS] = (double)n->runs;
    counter[MERGEABLE] = (double)n->mergeable;
    if (n->accesses) { /* else the launch is no sample */
        ws_bins_one(WS_BINS_R, counter[ACCESSES] / counter[RUNS], counter + R);
        ws_bins_one(WS_BINS_RATIO, counter[MERGEABLE] / counter[ACCESSES], counter + M_M);
    }
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    int status = WS_OK;
    (void)launch;
    for (unsigned m = 0; m < MACHINES && status == WS_OK; m++) {
        ws_off_chip_count n;
        status = ws_off_chip_finish(s->on[m], &n);
        count_machine(&n, counter + (size_t)m * COUNTERS);
    }
    return status;
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

static const ws_counter counter_table[] = {
#define MACHINE(id, processors, channels, threads, blocks) \
    WS_BINS_COUNTER(#id "_r_interleaved", R, BINS), WS_BINS_COUNTER(#id "_m_m_under_way", RATIO, BINS), \
        {.name = #id "_followed"}, {.name = #id "_runs"}, {.name = #id "_mergeable"},
#include "metrics/machines.def"
#undef MACHINE
    {.name = NULL},
};

static const ws_metric_column column_table[] = {
#define MACHINE(id, processors, channels, threads, blocks) \
    WS_BINS_COLUMN(#id "_R", "launches", "machines", 0, BINS, \
                   "R on a machine with " #processors " multiprocessors and " #channels " channels; exact."), \
        WS_BINS_COLUMN(#id "_M_m", "launches", "machines", 0, BINS, \
                       "M_m on a machine with " #processors " multiprocessors of " #threads " threads; exact."), \
        {.name = #id "_row_locality", \
         .unit = "acc/run", \
         .group = "machines", \
         .question = "Accesses to one DRAM row in succession, all launches, " #channels " channels; exact."}, \
        {.name = #id "_merge_misses", \
         .unit = "ratio", \
         .group = "machines", \
         .question = "Accesses that could share a request under way, all launches; exact."},
#include "metrics/machines.def"
#undef MACHINE
    {.name = NULL},
};

#define GROUP "machines"
const ws_metric ws_metric_machines =
    WS_FAMILY("machines", "How much do row locality and merge misses hang on the machine assumed?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_end = block_end, .fini = fini);
