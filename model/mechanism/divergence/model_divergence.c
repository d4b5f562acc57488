/* model_divergence.c - `warpscape model divergence`: which mechanism would help which kernel against memory divergence,
 * and why. */
#include "base/status.h"
#include "model/mechanism/divergence/predict.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"

#include "base/demangle.h"
#include "model/occlusion.h"
#include "model/machine/machine.h"
#include "model/occlusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EFFECT = 96, PERCENT = 100 };
static const double APART = 1.05; /* speedups nearer to 1 are none */

typedef struct request {
    ws_machine_traces on;
} request;

typedef struct run {
    ws_remedy mechanism[WS_REMEDIES_MOST];
    size_t mechanisms;
} run;

static const ws_frame_column columns[] = {
#define COLUMN(name, unit, value) {#name, unit},
#include "model/mechanism/divergence/divergence_columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(request, on, "fermi"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FILE.wst|DIR...",
    .doc = "Predicts, for each kernel of traces, what set indices, replacements and warp schedulers would change on a "
           "machine, and what holds the kernel "
           "back: conflicts within sets, lines that do not fit, MSHRs.\v"
           "Accesses of one SM walk through the tags of its L1 in the order of a coarse clock, once for each "
           "mechanism. Row `none' is the machine as it is; "
           "no-conflicts, more-lines and more-mshrs are machines that tell causes apart. docs/divergence.md has the "
           "model, and how far off it is "
           "(`warpscape verify --divergence').\n\n"
           "Example:\n"
           "  warpscape suite run --scale tiny --trace traces ATAX\n"
           "  warpscape model divergence traces",
};

/* ------------------------------------------------------------------------------------------------ rows */

/* 1 for the best of those that can be built. */
static double rank_of(const run *r, const ws_predicted_kernel *k, size_t i)
{
    double rank = 1;
    if (i == 0 || r->mechanism[i].ideal)
        return NAN;
    for (size_t other = 1; other < r->mechanisms; other++) {
        const double own = ws_predicted_speedup(k, i), its = ws_predicted_speedup(k, other);
        rank += !r->mechanism[other].ideal && (its > own || (its == own && other < i));
    }
    return rank;
}

/* The mechanism, or the ideal, with the greatest speedup; "nothing" when there is hardly any. */
static const char *best_of(const run *r, const ws_predicted_kernel *k, bool ideal)
{
    const char *best = "nothing";
    double most = APART;
    for (size_t i = 1; i < r->mechanisms; i++)
        if (r->mechanism[i].ideal == ideal && ws_predicted_speedup(k, i) > most) {
            most = ws_predicted_speedup(k, i);
            best = r->mechanism[i].name;
        }
    return best;
}

static void describe_effect(const run *r, const ws_predicted_kernel *k, size_t i, char effect[EFFECT])
{
    const double speedup = ws_predicted_speedup(k, i);
    if (i == 0)
        snprintf(effect, EFFECT, "%s helps most (of ideals: %s)", best_of(r, k, false), best_of(r, k, true));
    else
        snprintf(effect, EFFECT, "%s", speedup > APART ? "helps" : speedup < 1 / APART ? "hurts" : "same");
}

/* Closed forms of model/occlusion.h, of the mean divergent load: the part of its lines that is not there,
 * ... */
static double missed_of(const ws_walk_result *r)
{
    return r->lacked[WS_LOAD_DIVERGENT] / r->lines[WS_LOAD_DIVERGENT];
}

/* ... cycles for which it would keep the port while it waits for MSHRs, if such loads came without a pause, ... */
static double occlusion_of(const ws_walk_machine *m, const ws_walk_result *r)
{
    const double loads = r->loads[WS_LOAD_DIVERGENT], latency = r->misses > 0 ? r->miss_cycles / r->misses : 0;
    const ws_occlusion o = {.accesses = r->lines[WS_LOAD_DIVERGENT] / loads,
                            .misses = r->lacked[WS_LOAD_DIVERGENT] / loads,
                            .mshrs = m->mshrs,
                            .latency = latency};
    return loads > 0 ? ws_occlusion_cycles(&o) : NAN;
}

/* ... and how many of whole warps there are MSHRs for at a time. */
static double admitted_of(const ws_walk_machine *m, double missed)
{
    const double percent = ceil(PERCENT * missed);
    if (isnan(percent))
        return NAN;
    return percent > 0 ? ws_occlusion_admitted(m->mshrs, WS_WARP, (uint32_t)percent) : INFINITY;
}

static int add_row(const ws_prediction_run *of, const char *workload, const ws_prediction *p,
                   const ws_predicted_kernel *k, size_t i)
{
    const run *const all = of->state;
    const ws_walk_result *const r = &k->result[i];
    const ws_walk_bound bound = ws_walk_bound_of(&p->machine[i], r), *const b = &bound;
    const ws_walk_machine *const m = &p->machine[i];
    const double rank = rank_of(all, k, i), missed = missed_of(r);
    const double value[COLUMNS] = {
#define COLUMN(name, unit, value) (double)(value),
#include "model/mechanism/divergence/divergence_columns.def"
#undef COLUMN
    };
    char effect[EFFECT];
    const int status = ws_walk_check(m, k->kernel, r);
    if (status)
        return status;
    char *const kernel = ws_demangle(k->kernel);
    if (!kernel)
        return ws_fail(WS_EMEM, "out of memory");
    describe_effect(all, k, i, effect);
    const char *const label[] = {workload, kernel, all->mechanism[i].name, ws_walk_term_name(b->binding), effect};
    const int added = ws_frame_add_row(of->frame, label, value);
    free(kernel);
    return added;
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    const run *const r = of->state;
    ws_prediction p = {0};
    int status = ws_predict(trace, r->mechanism, r->mechanisms, &p);
    for (size_t k = 0; k < p.kernels && !status; k++)
        for (size_t i = 0; i < r->mechanisms && !status; i++)
            status = p.kernel[k].result[i].accesses > 0 ? add_row(of, workload, &p, &p.kernel[k], i) : WS_OK;
    ws_prediction_free(&p);
    return status;
}

static int require_rows(ws_prediction_run *of)
{
    return of->frame->rows ? WS_OK : ws_fail(WS_ENOTFOUND, "no kernel in the traces loads from global memory");
}

static int open_mechanisms(ws_prediction_run *of)
{
    const request *const asked = of->request;
    run *const r = of->state;
    ws_frame *const remarks = ws_frame_create(0, 0, 1, NULL);
    int status = remarks ? ws_remedies_create(&asked->on.machine.choice, true, remarks, r->mechanism, &r->mechanisms)
                         : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(of->notes, "machine: %s", r->mechanism[0].machine->name);
    if (!status)
        status = ws_frame_add_notes(of->notes, remarks);
    ws_frame_destroy(remarks);
    return status;
}

static void close_mechanisms(const ws_prediction_run *of)
{
    run *const r = of->state;
    ws_remedies_destroy(r->mechanism, r->mechanisms);
}

static const ws_predictor model = {
    .layout = {{"workload", "kernel", "mechanism", "bound_by", "effect"}, columns, COLUMNS, "divergence"},
    .state_bytes = sizeof(run),
    .open = open_mechanisms,
    .trace = run_trace,
    .finish = require_rows,
    .close = close_mechanisms,
};

static const request usually = {.on.machine.choice.config = "fermi"};

const ws_mechanism ws_mechanism_divergence = {
    .options = &options,
    .asked = &usually,
    .asked_bytes = sizeof usually,
    .traces = offsetof(request, on.traces),
    .model = &model,
    .subject = &ws_subject_divergence,
};
