/* model_divergence.c - `warpscape model divergence`: which remedy would help which kernel against memory divergence,
 * and why. */
#include "base/status.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/divergence/predict.h"
#include "model/mechanism/mechanism.h"
#include "model/occlusion.h"

#include <math.h>
#include <stdio.h>

#define WS_COLUMNS "model/mechanism/divergence/divergence_columns.def"
#include "model/mechanism/column_names.def"

enum { EFFECT = 96, PERCENT = 100 };
static const double APART = 1.05; /* speedups nearer to 1 are none */

typedef struct request {
    ws_machine_traces on;
} request;

/* ------------------------------------------------------------------------------------------------ options */

static const ws_option_row option_rows[] = {
    WS_MACHINE_TRACES_OPTIONS(request, on, "fermi"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = "FILE.wst|DIR...",
    .doc = "Predicts, for each kernel of traces, the effect of set indices, replacements and warp schedulers on a "
           "machine, and the cause of slowdowns: conflicts within sets, lines that do not fit, MSHRs.\vAccesses of one "
           "SM walk through the tags of its L1 in the order of a coarse clock, once for each remedy. Row `none' is the "
           "unchanged machine; no-conflicts, more-lines and more-mshrs are machines that distinguish causes. "
           "docs/divergence.md describes the model and its errors (`warpscape verify --divergence').\n\nExample:\n  "
           "warpscape suite run --scale tiny --trace traces ATAX\n  warpscape model divergence traces",
};

/* ------------------------------------------------------------------------------------------------ rows */

/* 1 for the best of those that can be built. */
static double rank_of(const ws_remedies *r, const ws_predicted_kernel *k, size_t i)
{
    double rank = 1;
    if (i == 0 || r->ideal[i])
        return NAN;
    for (size_t other = 1; other < r->count; other++) {
        const double own = ws_predicted_speedup(k, i), its = ws_predicted_speedup(k, other);
        rank += !r->ideal[other] && (its > own || (its == own && other < i));
    }
    return rank;
}

/* The remedy, or the ideal, with the greatest speedup; "nothing" when there is hardly any. */
static const char *best_of(const ws_remedies *r, const ws_predicted_kernel *k, bool ideal)
{
    const char *best = "nothing";
    double most = APART;
    for (size_t i = 1; i < r->count; i++)
        if (r->ideal[i] == ideal && ws_predicted_speedup(k, i) > most) {
            most = ws_predicted_speedup(k, i);
            best = r->one[i].name;
        }
    return best;
}

static void describe_effect(const ws_remedies *r, const ws_predicted_kernel *k, size_t i, char effect[EFFECT])
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

static int add_row(const ws_prediction_run *of, const ws_prediction *p, const ws_work_row *kernel, size_t i)
{
    const ws_remedies *const all = of->state;
    const ws_predicted_kernel *const k = kernel->kept;
    const ws_walk_result *const r = &k->result[i];
    const ws_walk_machine *const m = &p->machine[i];
    const ws_walk_bound bound = ws_walk_bound_of(m, r), *const b = &bound;
    const double rank = rank_of(all, k, i), missed = missed_of(r);
#include "model/mechanism/column_values.def"
    char effect[EFFECT];
    const int status = ws_walk_check(m, kernel->mangled, r);
    if (status)
        return status;
    describe_effect(all, k, i, effect);
    return ws_frame_add_row(
        of->frame,
        (const char *[]){kernel->workload, kernel->kernel, all->one[i].name, ws_walk_term_name(b->binding), effect},
        value);
}

static int run_trace(ws_prediction_run *of, ws_trace *trace, const char *workload)
{
    const ws_remedies *const remedies = of->state;
    ws_prediction p;
    int status = ws_predict(trace, workload, remedies, &p);
    for (size_t k = 0; k < p.kernels.count && !status; k++)
        for (size_t i = 0; i < remedies->count && !status; i++)
            if (((const ws_predicted_kernel *)p.kernels.row[k].kept)->result[i].accesses > 0)
                status = add_row(of, &p, &p.kernels.row[k], i);
    ws_prediction_fini(&p);
    return status;
}

static int require_rows(ws_prediction_run *of)
{
    return of->frame->rows ? WS_OK : ws_fail(WS_ENOTFOUND, "no kernel in the traces loads from global memory");
}

static int open_remedies(ws_prediction_run *of)
{
    const request *const asked = of->request;
    const int status = ws_frame_note(of->notes, "machine: %s", ws_machine_name(of->machine));
    return status ? status : ws_remedies_create(&asked->on.machine.choice, true, of->notes, of->state);
}

static void close_remedies(const ws_prediction_run *of)
{
    ws_remedies_fini(of->state);
}

const ws_mechanism ws_mechanism_divergence = {
    .options = &options,
    .asked = &(const request){.on.machine.choice.config = "fermi"},
    .asked_bytes = sizeof(request),
    .traces = offsetof(request, on.traces),
    .model.layout = {{"workload", "kernel", "mechanism", "bound_by", "effect"}, columns, COLUMNS, "divergence"},
    WS_ON_MACHINE(request, on.machine),
    .model.state_bytes = sizeof(ws_remedies),
    .model.open = open_remedies,
    .model.trace = run_trace,
    .model.finish = require_rows,
    .model.close = close_remedies,
    .subject = &ws_subject_divergence,
};
