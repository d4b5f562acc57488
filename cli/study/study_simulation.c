/* study_simulation.c - what the study measured with a clock: DRAM efficiency on three machines, and what the networks
 * of one of them carry.
 *
 * Every workload of the map runs once more into a trace file of the report's folder, and the trace through the cycle
 * simulator, on the machines that the study took for its subsets (table 3-4: Config 1, Baseline, Config 3). Of a long
 * workload the first so many cycles are simulated. Those whose blocks do not fit a machine have no numbers there. */
#include "base/status.h"
#include "base/data_folder.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/study/study.h"
#include "collect/wst/wst.h"
#include "model/sim/sim_stats.h"
#include "model/sim/traffic_frame.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE_CYCLES = 20000 };

/* Workloads whose traffic the study shows over time (section 3.2). */
static const char *const shown[] = {"MT", "BFS", "KM", "64H"};

static bool is_shown(const char *workload)
{
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strcmp(workload, shown[i]))
            return true;
    return false;
}

/* ---------------------------------------------------------------- one workload on one machine */

typedef struct run {
    ws_study *study;
    const ws_machine *machine;
    const char *workload;
    ws_trace *trace;
    ws_sim *sim;
    ws_progress *bar;
    double *value;     /* of sim_stats.def */
    const char *ended; /* done, cut, no room */
} run;

/* The columns that every machine has. */
static int keep_values(const run *r, const ws_sim_sums *sums)
{
    double *const all = calloc(ws_sim_stat_count(r->machine), sizeof *all);
    if (!all)
        return ws_fail(WS_EMEM, "out of memory");
    ws_sim_stat_values(sums, r->machine, all);
    memcpy(r->value, all, ws_sim_stat_count(NULL) * sizeof *all);
    free(all);
    return WS_OK;
}

static int run_launch(run *r, size_t launch)
{
    const uint64_t most = r->study->simulated_cycles ? r->study->simulated_cycles : UINT64_MAX;
    ws_source *source;
    bool done = false;
    int status = ws_source_of_trace(r->trace, launch, ws_sim_slots(r->machine), &source);
    if (status)
        return status;
    status = ws_sim_begin(r->sim, source);
    while (!status && !done && ws_sim_now(r->sim) < most) {
        const uint64_t left = most - ws_sim_now(r->sim);
        status = ws_sim_run(r->sim, ws_sim_now(r->sim) + (left < SLICE_CYCLES ? left : SLICE_CYCLES), &done);
        ws_progress_show(r->bar, r->workload, (double)launch / (double)ws_trace_launches(r->trace));
        if (!status && ws_interrupted())
            status = ws_fail(WS_EINTERRUPTED, "interrupted while %s was simulated", r->workload);
    }
    if (!status) {
        ws_sim_sums sums;
        ws_sim_sum(r->sim, &sums);
        status = keep_values(r, &sums);
        r->ended = done ? "done" : "cut";
        if (!status)
            status = ws_sim_end(r->sim);
    }
    source->ops->destroy(source);
    return status;
}

/* WS_EINPUT of a launch says that its blocks do not fit; the workload is then left out. */
static int run_launches(run *r)
{
    int status = WS_OK;
    r->ended = "done";
    for (size_t i = 0; !status && !strcmp(r->ended, "done") && i < ws_trace_launches(r->trace); i++)
        status = run_launch(r, i);
    if (status != WS_EINPUT)
        return status;
    r->ended = "no room";
    for (size_t i = 0; i < ws_sim_stat_count(NULL); i++)
        r->value[i] = NAN;
    return WS_OK;
}

/* The traffic of some, on the baseline. */
static int keep_traffic(const run *r)
{
    char file[40], caption[200];
    ws_frame *frame;
    if (strcmp(r->machine->name, "baseline") || !is_shown(r->workload) || !strcmp(r->ended, "no room"))
        return WS_OK;
    int status = ws_traffic_frame(r->sim, r->workload, "", &frame);
    if (status)
        return status;
    snprintf(file, sizeof file, "traffic-%s", r->workload);
    snprintf(caption, sizeof caption, "What each node of the baseline sends and receives over time: %s.", r->workload);
    status = ws_album_save_frame(&r->study->album, frame, file);
    const ws_plot_request request = {.data = frame, .cut = NAN, .title = r->workload};
    if (!status)
        status = ws_album_draw(&r->study->album, "traffic", "networks", file, false, caption, &request);
    ws_frame_destroy(frame);
    return status;
}

static int simulate(run *r)
{
    char *path = NULL;
    if (asprintf(&path, "%s/traces/%s.wst", r->study->directory, r->workload) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    int status = ws_trace_open(path, &r->trace);
    free(path);
    if (!status && ws_trace_damage(r->trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(r->trace));
    if (!status)
        status = ws_sim_create(r->machine, &(ws_sim_options){.workers = 1}, &r->sim);
    if (!status)
        status = run_launches(r);
    if (!status)
        status = keep_traffic(r);
    ws_sim_destroy(r->sim);
    ws_trace_close(r->trace);
    return status;
}

/* ---------------------------------------------------------------- all of them */

const char *const ws_study_simulated[WS_STUDY_SIMULATED] = {"config1", "baseline", "config3"};

static int make_frame(ws_study *s, size_t rows)
{
    static const char *const label[] = {"workload", "machine", "ended"};
    const size_t columns = ws_sim_stat_count(NULL);
    ws_frame *const f = s->simulated = ws_frame_create(rows, columns, 3, label);
    int status = f ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; !status && i < columns; i++)
        status = ws_frame_set_column(f, i, ws_sim_stat_at(NULL, i).name, ws_sim_stat_at(NULL, i).unit, "");
    return status;
}

static int simulate_machine(ws_study *s, size_t number)
{
    char folder[4096];
    ws_machine *machine;
    ws_progress bar;
    int status = ws_data_folder(folder, sizeof folder);
    if (!status)
        status = ws_machine_read(folder, ws_study_simulated[number], &machine);
    if (status)
        return status;
    ws_progress_begin(&bar);
    for (size_t i = 0; !status && i < s->matrix->rows; i++) {
        const size_t row = number * s->matrix->rows + i;
        run r = {.study = s,
                 .machine = machine,
                 .workload = s->matrix->label[i * s->matrix->labels],
                 .bar = &bar,
                 .value = s->simulated->value + row * s->simulated->columns};
        const char *const label[] = {r.workload, ws_study_simulated[number]};
        status = simulate(&r);
        for (size_t j = 0; !status && j < 2; j++)
            status = ws_frame_set_label(s->simulated, row, j, label[j]);
        if (!status)
            status = ws_frame_set_label(s->simulated, row, 2, r.ended);
    }
    ws_progress_end(&bar);
    ws_machine_destroy(machine);
    return status;
}

static int write_traces(ws_study *s, size_t scale)
{
    bool wanted[WS_SUITE_MOST] = {false};
    size_t n;
    char *db = NULL, *folder = NULL;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++)
        wanted[i] = !isnan(ws_study_value(s->matrix, all[i].abbr, "I_total"));
    int status = asprintf(&db, "%s/simulated.db", s->directory) < 0 || asprintf(&folder, "%s/traces", s->directory) < 0
                     ? ws_fail(WS_EMEM, "out of memory")
                     : WS_OK;
    ws_suite_request request = s->suite;
    request.scale = scale;
    request.set = "study";
    request.db = db;
    request.trace = folder;
    request.wanted = wanted;
    if (!status)
        status = ws_study_run_suite(s, &request);
    free(db);
    free(folder);
    return status;
}

/* Of the workloads that ran on the baseline. */
static int draw_networks(ws_study *s)
{
    const size_t rows = s->matrix->rows;
    size_t *const row = calloc(rows, sizeof *row), n = 0;
    ws_frame *baseline = NULL;
    if (!row)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = rows; i < 2 * rows; i++)
        if (strcmp(s->simulated->label[i * s->simulated->labels + 2], "no room"))
            row[n++] = i;
    int status = n ? ws_frame_pick_rows(s->simulated, row, n, &baseline) : WS_OK;
    const ws_plot_request request = {.data = baseline, .cut = NAN};
    if (!status && n)
        status = ws_album_draw(&s->album, "network", "networks", "network", false,
                               "The networks of the baseline: maximum channel load, latency, and how many of 28 SMs "
                               "and 8 L2 slices wait to send.",
                               &request);
    ws_frame_destroy(baseline);
    free(row);
    return status;
}

int ws_study_simulate(ws_study *s)
{
    size_t scale = 0;
    while (ws_suite_scales[scale] && strcmp(ws_suite_scales[scale], s->simulate))
        scale++;
    if (!ws_suite_scales[scale])
        return make_frame(s, 0);
    ws_interrupts_catch();
    int status = write_traces(s, scale);
    if (!status)
        status = make_frame(s, WS_STUDY_SIMULATED * s->matrix->rows);
    for (size_t i = 0; !status && i < WS_STUDY_SIMULATED; i++)
        status = simulate_machine(s, i);
    return status ? status : draw_networks(s);
}
