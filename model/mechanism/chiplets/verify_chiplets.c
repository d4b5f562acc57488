/* verify_chiplets.c - `warpscape verify --chiplets`: does `model chiplets` say what the simulator does, policy by
 * policy?
 *
 * Each workload on machines that differ in how their L2s agree: policies that the model and the simulator have.
 * Operations come from the same table in both, which the simulator asks in the middle of its launches: they have to be
 * the same. What caches find is modelled by other means, with a coarser time: it may differ by a band, and so may
 * energies, which the simulator has from the activity of its parts. */
#include "base/progress.h"
#include "base/status.h"
#include "model/mechanism/activity_energy.h"
#include "model/mechanism/chiplets/chiplet_arguments.h"
#include "model/mechanism/chiplets/chiplet_prediction.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/ratio.h"
#include "model/mechanism/variant.h"
#include "model/mechanism/simulate_launches.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ws_chiplet_policy policies[] = {
#define POLICY(name, NAME) WS_CHIPLET_##NAME,
#define PREDICTED(name, NAME)
#define SIMULATED(name, NAME)
#include "model/chiplets/chiplet_policies.def"
#undef SIMULATED
#undef PREDICTED
#undef POLICY
};
enum { VARIANTS = sizeof policies / sizeof *policies };

enum { EXACT, NEAR };

typedef struct verification {
    ws_variant variant[VARIANTS]; /* by policy */
    size_t variants;
} verification;

/* ------------------------------------------------------------------------------------------------ machines */

static int add_machine(const char *config, const ws_chiplet_policy_ops *policy, verification *v)
{
    char *settings;
    if (asprintf(&settings, "package.coherence=%s\n%s", policy->name, policy->needs ? policy->needs : "") < 0)
        return ws_fail(WS_EMEM, "out of memory");
    const int status =
        ws_variants_add(&(ws_machine_choice){.config = config}, policy->name, settings, v->variant, &v->variants);
    free(settings);
    if (status)
        return status;
    const ws_machine *const m = v->variant[v->variants - 1].machine;
    return m->chip_cta_scheduler->by_chip
               ? WS_OK
               : ws_fail(WS_EUNSUPPORTED,
                         "machine %s: chip.cta_scheduler is %s; expected partitioned, as the model has it", m->name,
                         m->chip_cta_scheduler->name);
}

/* ------------------------------------------------------------------------------------------------ a workload */

static int add_quantities(ws_verification *v, const char *workload, ws_chiplet_policy of, const ws_chiplet_sums *p,
                          const ws_sim_sums *s, const ws_energy *e)
{
    const struct {
        const char *name;
        bool of_operations, exact;
        double predicted, simulated, whole; /* whole: errors are parts of it */
    } rows[] = {
#define QUANTITY(name, of_operations, exact, predicted, simulated, whole) \
    {#name, of_operations, exact, predicted, simulated, whole},
#include "model/mechanism/chiplets/quantities.def"
#undef QUANTITY
    };
    const ws_chiplet_policy_ops *const policy = ws_chiplet_policy_of(of);
    const ws_compared rows_of = {&v->ledger, {workload, "all", policy->name}};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
        if ((rows[i].of_operations && !policy->operates) || isnan(rows[i].predicted))
            continue;
        const double whole = rows[i].whole > 0 ? rows[i].whole : rows[i].simulated;
        ws_comparison row = ws_difference(rows[i].predicted, rows[i].simulated, rows[i].exact ? 0 : v->request->worst);
        row.error = whole > 0 ? row.error / whole : row.error;
        status = ws_compared_add(&rows_of, rows[i].name, rows[i].exact ? EXACT : NEAR, row);
    }
    return status;
}

/* What is still dirty at the end of the program is written back by the model alone. Energies are compared with prices
 * of accesses alone. */
static int compare(ws_verification *to, ws_trace *trace, const char *workload, unsigned variant,
                   const ws_chiplet_kernels *kernels)
{
    const verification *const v = to->state;
    ws_chiplet_prediction prediction = {0};
    ws_chiplet_sums predicted = {0};
    const ws_machine *const machine = v->variant[variant].machine;
    ws_sim_sums sums;
    ws_activity did;
    ws_energy energy = {0};
    int status = ws_chiplet_predict(trace, machine, kernels, &prediction);
    for (size_t i = 0; i < prediction.launches && !status; i++)
        ws_chiplet_sums_add(&predicted, &prediction.launch[i].policy[policies[variant]]);
    if (!status)
        status = ws_simulate_launches(trace, machine, &(ws_sim_options){.arguments = kernels}, NULL, NULL, &sums, &did);
    if (!status && ws_machine_has_printed_accesses(machine))
        status = ws_activity_energy(machine, &did, &energy);
    if (!status)
        status = add_quantities(to, workload, policies[variant], &predicted, &sums, &energy);
    ws_chiplet_prediction_fini(&prediction);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int open_machines(ws_verification *to)
{
    verification *const v = to->state;
    int status = WS_OK;
    for (unsigned i = 0; i < VARIANTS && !status; i++)
        status = add_machine(to->request->config, ws_chiplet_policy_of(policies[i]), v);
    return status;
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    ws_chiplet_kernels kernels = {0};
    int status = ws_chiplet_arguments(trace, NULL, to->machine->package_chips, false, &kernels);
    for (unsigned i = 0; i < VARIANTS && !status; i++) {
        ws_progress_show(&to->bar, workload, to->done + (double)i / VARIANTS / (double)to->request->traces->count);
        status = compare(to, trace, workload, i, &kernels);
    }
    ws_chiplet_kernels_fini(&kernels);
    return status;
}

static int judge(const ws_verification *v)
{
    const size_t beyond = ws_ledger_tell_within(&v->ledger);
    ws_ledger_tell_errors(&v->ledger, NEAR, "those that are not exact");
    fputc('\n', stderr);
    return ws_ledger_refuse(beyond);
}

static void close_machines(const ws_verification *to)
{
    verification *const v = to->state;
    ws_variants_destroy(v->variant, v->variants);
}

const ws_subject ws_subject_chiplets = {
    .name = "chiplets",
    .what = "Behaviour of chiplets' L2s (model chiplets) with simulations under the same policies",
    .machine = "four-chiplets",
    .worst = 25,
    .takes = WS_WANTS_TRACES,
    .verifier.labels = {"workload", "kernel", "policy", "quantity"},
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = open_machines,
    .verifier.trace = verify_trace,
    .verifier.finish = ws_verification_require_rows,
    .verifier.judge = judge,
    .verifier.close = close_machines,
};
