/* study_stress.c - how much work is a workload, and how is it spread over launches and threads?
 * (study dimensions 48-58 and 102-122) */
#include "metrics/study_metrics.h"

#include "base/status.h"
#include "metrics/family.h"

typedef struct state {
    uint64_t instructions; /* of all threads */
} state;

enum { BINS = 10, T_KERNEL = 0, T_TOTAL = BINS, I_TOTAL, I_KERNEL, I_AVG = I_KERNEL + BINS };

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    state *const s = p;
    uint64_t sum = 0;
    WS_EACH_EVENT (ev, batch)
        sum += ev->kind == WS_EVENT_RECONVERGE ? 0 : ws_event_threads(ev);
    s->instructions += sum;
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    state *const a = into;
    const state *const b = from;
    a->instructions += b->instructions;
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    const double threads = (double)(launch->blocks * launch->threads_per_block);
    const double instructions = (double)s->instructions;
    ws_bins_one(WS_BINS_T_KERNEL, threads, counter + T_KERNEL);
    counter[T_TOTAL] = threads;
    counter[I_TOTAL] = instructions;
    ws_bins_one(WS_BINS_I_KERNEL, instructions, counter + I_KERNEL);
    ws_bins_one(WS_BINS_I_AVG, threads > 0 ? instructions / threads : 0, counter + I_AVG);
    return WS_OK;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_copy(WS_BINS_T_KERNEL, counter + T_KERNEL, value + T_KERNEL);
    value[T_TOTAL] = counter[T_TOTAL];
    value[I_TOTAL] = counter[I_TOTAL];
    ws_bins_copy(WS_BINS_I_KERNEL, counter + I_KERNEL, value + I_KERNEL);
    ws_bins_copy(WS_BINS_I_AVG, counter + I_AVG, value + I_AVG);
}

static const ws_counter counter_table[] = {
    WS_BINS_COUNTER("t_kernel", T_KERNEL, BINS),
    {.name = "t_total"},
    {.name = "i_total"},
    WS_BINS_COUNTER("i_kernel", I_KERNEL, BINS),
    WS_BINS_COUNTER("i_avg", I_AVG, BINS),
    {.name = NULL},
};

static const ws_metric_column column_table[] = {
    WS_BINS_COLUMN("T_kernel", "launches", "KS", 48, BINS, "Launches by number of threads; exact."),
    {.name = "T_total", .unit = "threads", .group = "KS", .index = 58, .question = "Threads of all launches; exact."},
    {.name = "I_total",
     .unit = "instr",
     .group = "KS",
     .index = 102,
     .question = "Thread instructions of all launches, every class; exact."},
    WS_BINS_COLUMN("I_kernel", "launches", "KS", 103, BINS, "Launches by number of thread instructions; exact."),
    WS_BINS_COLUMN("I_avg", "launches", "KS", 113, BINS, "Launches by thread instructions per thread; exact."),
    {.name = NULL},
};

#define GROUP "study_stress"
const ws_metric ws_metric_study_stress =
    WS_FAMILY("study", "How much work is a workload, and how is it spread over launches and threads?",
              .wants = WS_WANT_INSTRUCTIONS);
