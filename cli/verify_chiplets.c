/* verify_chiplets.c - `warpscape verify --chiplets`: does `model chiplets` say what the simulator does, policy by
 * policy?
 *
 * Each workload on machines that differ in how their L2s agree: policies that the model and the simulator have.
 * Operations come from the same table in both, which the simulator asks in the middle of its launches: they have to be
 * the same. What caches find is modelled by other means, with a coarser time: it may differ by a band, and so may
 * energies, which the simulator has from the activity of its parts. */
#include "cli/chiplets/chiplet_arguments.h"
#include "cli/chiplets/chiplet_prediction.h"
#include "cli/cli.h"
#include "record/simulate/machine_choice.h"
#include "cli/verify.h"

#include "base/grow.h"
#include "model/power/power.h"
#include "model/sim/sim_activity.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_chiplet_policy variants[] = {
#define POLICY(name, NAME) WS_CHIPLET_##NAME,
#define PREDICTED(name, NAME)
#define SIMULATED(name, NAME)
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
#undef POLICY
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* A workload under a policy, and one of the things that are compared. */
typedef struct quantity {
    const char *workload, *policy, *name;
    double predicted, simulated, whole; /* whole: errors are parts of it */
    bool exact;
} quantity;

typedef struct verification {
    const ws_verify_request *request;
    ws_machine *machine[VARIANTS];
    char **workload; /* [workloads] */
    size_t workloads, workload_room;
    quantity *quantity;
    size_t quantities, room;
    ws_progress bar;
} verification;

/* ------------------------------------------------------------------------------------------------ machines */

static int make_machine(const char *config, const ws_chiplet_policy_ops *policy, ws_machine **out)
{
    char *settings;
    if (asprintf(&settings, "package.coherence=%s\n%s", policy->name, policy->needs ? policy->needs : "") < 0)
        return ws_fail(WS_EMEM, "out of memory");
    const ws_machine_choice choice = {.config = config, .more = settings};
    const int status = ws_machine_choose(&choice, out);
    free(settings);
    if (!status && strcmp((*out)->chip_cta_scheduler, "partitioned"))
        return ws_fail(WS_EUNSUPPORTED,
                       "machine %s: chip.cta_scheduler is %s; expected partitioned, as the model has it", (*out)->name,
                       (*out)->chip_cta_scheduler);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a workload */

/* What a machine did; energy: with prices of accesses alone, else nothing of it is compared. */
typedef struct simulated {
    ws_sim_sums sums;
    ws_energy energy;
} simulated;

static int add_quantities(verification *v, unsigned variant, const ws_chiplet_sums *p, const simulated *did)
{
    const ws_sim_sums *const s = &did->sums;
    const ws_energy *const e = &did->energy;
#define SHARE(a, b) ((b) ? (double)(a) / (double)(b) : 0)
    const struct {
        const char *name;
        bool of_operations, exact;
        double predicted, simulated, whole;
    } rows[] = {
#define QUANTITY(name, of_operations, exact, predicted, simulated, whole) \
    {#name, of_operations, exact, predicted, simulated, whole},
#include "cli/chiplets/quantities.def"
#undef QUANTITY
    };
#undef SHARE
    const ws_chiplet_policy_ops *const policy = ws_chiplet_policy_of(variants[variant]);
    const size_t count = sizeof rows / sizeof *rows;
    if (WS_GROW(v->quantity, v->room, v->quantities, count))
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < count; i++)
        if ((!rows[i].of_operations || policy->operates) && !isnan(rows[i].predicted))
            v->quantity[v->quantities++] = (quantity){.workload = v->workload[v->workloads - 1],
                                                      .policy = policy->name,
                                                      .name = rows[i].name,
                                                      .predicted = rows[i].predicted,
                                                      .simulated = rows[i].simulated,
                                                      .exact = rows[i].exact,
                                                      .whole = rows[i].whole > 0 ? rows[i].whole : rows[i].simulated};
    return WS_OK;
}

static int no_end(void *context, const ws_sim *sim, const ws_launch *launch)
{
    (void)context, (void)sim, (void)launch;
    return WS_OK;
}

static int find_energy(const ws_machine *machine, const ws_sim *sim, ws_energy *out)
{
    ws_power *power;
    ws_activity did;
    const int status = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (status)
        return status;
    ws_sim_activity(sim, &did);
    ws_power_energy(power, &did, out);
    ws_power_destroy(power);
    return WS_OK;
}

static int simulate(ws_trace *trace, const ws_machine *machine, const ws_chiplet_kernels *kernels, simulated *out)
{
    const ws_sim_options how = {.arguments = kernels};
    ws_sim *sim;
    int status = ws_sim_create(machine, &how, &sim);
    if (status)
        return status;
    status = ws_verify_simulate_each(trace, machine, sim, no_end, NULL);
    if (!status)
        ws_sim_sum(sim, &out->sums);
    if (!status && strcmp(machine->power_accesses, WS_MACHINE_PLAIN))
        status = find_energy(machine, sim, &out->energy);
    ws_sim_destroy(sim);
    return status;
}

/* What is still dirty at the end of the program is written back by the model alone. */
static int compare(verification *v, ws_trace *trace, unsigned variant, const ws_chiplet_kernels *kernels)
{
    const ws_machine *const m = v->machine[variant];
    ws_chiplet_prediction prediction = {0};
    ws_chiplet_sums predicted = {0};
    simulated did = {0};
    int status = ws_chiplet_predict(trace, m, kernels, &prediction);
    for (size_t i = 0; i < prediction.launches && !status; i++)
        ws_chiplet_sums_add(&predicted, &prediction.launch[i].policy[variants[variant]]);
    if (!status)
        status = simulate(trace, m, kernels, &did);
    if (!status)
        status = add_quantities(v, variant, &predicted, &did);
    ws_chiplet_prediction_fini(&prediction);
    return status;
}

static int verify_trace(verification *v, const char *path, double done)
{
    ws_chiplet_kernels kernels = {0};
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    if (WS_GROW(v->workload, v->workload_room, v->workloads, 1))
        status = ws_fail(WS_EMEM, "out of memory");
    else if (!(v->workload[v->workloads] = ws_trace_workload(trace)))
        status = WS_EMEM;
    else
        v->workloads++;
    if (!status)
        status = ws_chiplet_arguments(trace, NULL, v->machine[0]->package_chips, false, &kernels);
    for (unsigned i = 0; i < VARIANTS && !status; i++) {
        ws_progress_show(&v->bar, v->workload[v->workloads - 1],
                         done + (double)i / VARIANTS / (double)v->request->traces->count);
        status = compare(v, trace, i, &kernels);
    }
    if (status)
        status = ws_fail_context(status, "%s", path);
    ws_chiplet_kernels_fini(&kernels);
    ws_trace_close(trace);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static double error_of(const quantity *q)
{
    const double off = fabs(q->predicted - q->simulated);
    return q->whole > 0 ? off / q->whole : off;
}

static double band_of(const verification *v, const quantity *q)
{
    return q->exact ? 0 : v->request->worst;
}

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"workload", "kernel", "policy", "quantity"};
    ws_frame *frame;
    int status = ws_verify_frame(v->quantities, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s", v->machine[0]->name);
    for (size_t i = 0; i < v->quantities && !status; i++) {
        const quantity *const q = &v->quantity[i];
        status = ws_verify_set_row(frame, i,
                                   &(ws_verify_row){.label = {q->workload, "all", q->policy, q->name},
                                                    .predicted = q->predicted,
                                                    .simulated = q->simulated,
                                                    .error = error_of(q),
                                                    .band = band_of(v, q),
                                                    .within = error_of(q) <= band_of(v, q)});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    size_t within = 0, errors = 0;
    double *const error = malloc((v->quantities + 1) * sizeof *error);
    if (!error)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < v->quantities; i++) {
        const quantity *const q = &v->quantity[i];
        within += error_of(q) <= band_of(v, q);
        if (!q->exact)
            error[errors++] = error_of(q);
    }
    gsl_sort(error, 1, errors);
    fprintf(stderr,
            "warpscape verify: %zu of %zu quantities within their bands; median error of those that are not exact %.1f "
            "%%, at most %.1f %%\n",
            within, v->quantities, 100 * gsl_stats_median_from_sorted_data(error, 1, errors), 100 * error[errors - 1]);
    free(error);
    return within == v->quantities
               ? WS_OK
               : ws_fail(WS_EVERIFY, "%zu quantities are beyond their bands", v->quantities - within);
}

static int verify(verification *v, int argc, char **argv)
{
    int status = WS_OK;
    for (unsigned i = 0; i < VARIANTS && !status; i++)
        status = make_machine(v->request->config, ws_chiplet_policy_of(variants[i]), &v->machine[i]);
    ws_progress_begin(&v->bar);
    for (size_t i = 0; i < v->request->traces->count && !status; i++)
        status = verify_trace(v, v->request->traces->path[i], (double)i / (double)v->request->traces->count);
    ws_progress_end(&v->bar);
    if (!status && !v->quantities)
        status = ws_fail(WS_ENOTFOUND, "no launch in the traces");
    if (!status)
        status = print(v, argc, argv);
    return status ? status : judge(v);
}

int ws_verify_chiplets(const ws_verify_request *request, int argc, char **argv)
{
    verification v = {.request = request};
    const int status = verify(&v, argc, argv);
    for (size_t i = 0; i < v.workloads; i++)
        free(v.workload[i]);
    for (unsigned i = 0; i < VARIANTS; i++)
        ws_machine_destroy(v.machine[i]);
    free(v.workload);
    free(v.quantity);
    return status;
}
