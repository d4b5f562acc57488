/* verify_chiplets.c - `warpscape verify --chiplets`: does `model chiplets` say what the simulator does, policy by
 * policy?
 *
 * Each workload on machines that differ in how their L2s agree: policies that the model and the simulator have.
 * Operations come from the same table in both, which the simulator asks in the middle of its launches: they have to be
 * the same. What caches find is modelled by other means, with a coarser time: it may differ by a band, and so may
 * energies, which the simulator has from the activity of its parts. */
#include "base/progress.h"
#include "base/status.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/chiplets/chiplet_arguments.h"
#include "model/mechanism/chiplets/chiplet_prediction.h"
#include "model/machine/machine_choice.h"
#include "model/mechanism/verify_simulate.h"

#include "model/placement/cta_scheduler.h"
#include "model/power/power.h"
#include "model/sim/sim_activity.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
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

enum { EXACT, NEAR };

typedef struct verification {
    ws_machine *machine[VARIANTS];
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
    if (!status && !(*out)->chip_cta_scheduler->by_chip)
        return ws_fail(WS_EUNSUPPORTED,
                       "machine %s: chip.cta_scheduler is %s; expected partitioned, as the model has it", (*out)->name,
                       (*out)->chip_cta_scheduler->name);
    return status;
}

/* ------------------------------------------------------------------------------------------------ a workload */

/* What a machine did; energy: with prices of accesses alone, else nothing of it is compared. */
typedef struct simulated {
    ws_sim_sums sums;
    ws_energy energy;
} simulated;

static int add_quantities(ws_verification *v, const char *workload, unsigned variant, const ws_chiplet_sums *p,
                          const simulated *did)
{
    const ws_sim_sums *const s = &did->sums;
    const ws_energy *const e = &did->energy;
#define SHARE(a, b) ((b) ? (double)(a) / (double)(b) : 0)
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
#undef SHARE
    const ws_chiplet_policy_ops *const policy = ws_chiplet_policy_of(variants[variant]);
    int status = WS_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
        if ((rows[i].of_operations && !policy->operates) || isnan(rows[i].predicted))
            continue;
        const double whole = rows[i].whole > 0 ? rows[i].whole : rows[i].simulated,
                     off = fabs(rows[i].predicted - rows[i].simulated);
        status = ws_ledger_add(&v->ledger, &(ws_comparison){.label = {workload, "all", policy->name, rows[i].name},
                                                            .kind = rows[i].exact ? EXACT : NEAR,
                                                            .predicted = rows[i].predicted,
                                                            .simulated = rows[i].simulated,
                                                            .error = whole > 0 ? off / whole : off,
                                                            .band = rows[i].exact ? 0 : v->request->worst});
    }
    return status;
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

/* What only the simulation knows: energy. */
typedef struct with_energy {
    const ws_machine *machine;
    ws_energy *to;
} with_energy;

static int take_energy(void *context, const ws_sim *sim)
{
    const with_energy *const w = context;
    return ws_machine_has_printed_accesses(w->machine) ? find_energy(w->machine, sim, w->to) : WS_OK;
}

/* What is still dirty at the end of the program is written back by the model alone. */
static int compare(ws_verification *to, ws_trace *trace, const char *workload, unsigned variant,
                   const ws_chiplet_kernels *kernels)
{
    const verification *const v = to->state;
    const ws_machine *const m = v->machine[variant];
    ws_chiplet_prediction prediction = {0};
    ws_chiplet_sums predicted = {0};
    simulated did = {0};
    with_energy energy = {.machine = m, .to = &did.energy};
    int status = ws_chiplet_predict(trace, m, kernels, &prediction);
    for (size_t i = 0; i < prediction.launches && !status; i++)
        ws_chiplet_sums_add(&predicted, &prediction.launch[i].policy[variants[variant]]);
    if (!status)
        status = ws_verify_simulate(trace, m, &(ws_sim_options){.arguments = kernels}, &did.sums, take_energy, &energy);
    if (!status)
        status = add_quantities(to, workload, variant, &predicted, &did);
    ws_chiplet_prediction_fini(&prediction);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int open_machines(ws_verification *to)
{
    verification *const v = to->state;
    int status = WS_OK;
    for (unsigned i = 0; i < VARIANTS && !status; i++)
        status = make_machine(to->request->config, ws_chiplet_policy_of(variants[i]), &v->machine[i]);
    return status ? status : ws_frame_note(to->notes, "machine: %s", v->machine[0]->name);
}

static int verify_trace(ws_verification *to, ws_trace *trace, const char *workload)
{
    const verification *const v = to->state;
    ws_chiplet_kernels kernels = {0};
    int status = ws_chiplet_arguments(trace, NULL, v->machine[0]->package_chips, false, &kernels);
    for (unsigned i = 0; i < VARIANTS && !status; i++) {
        ws_progress_show(&to->bar, workload, to->done + (double)i / VARIANTS / (double)to->request->traces->count);
        status = compare(to, trace, workload, i, &kernels);
    }
    ws_chiplet_kernels_fini(&kernels);
    return status;
}

static int finish(ws_verification *v)
{
    return ws_ledger_require_rows(&v->ledger);
}

static int judge(const ws_verification *v)
{
    const ws_ledger_sum all = ws_ledger_sum_of(&v->ledger, WS_LEDGER_ALL);
    const ws_ledger_sum near = ws_ledger_sum_of(&v->ledger, NEAR);
    fprintf(stderr,
            "warpscape verify: %zu of %zu quantities within their bands; median error of those that are not exact %.1f "
            "%%, at most %.1f %%\n",
            all.within, all.rows, 100 * near.median, 100 * near.most);
    return ws_ledger_refuse(all.rows - all.within);
}

static void close_machines(const ws_verification *to)
{
    const verification *const v = to->state;
    for (unsigned i = 0; i < VARIANTS; i++)
        ws_machine_destroy(v->machine[i]);
}

static const ws_verifier verifier = {
    .labels = {"workload", "kernel", "policy", "quantity"},
    .state_bytes = sizeof(verification),
    .open = open_machines,
    .trace = verify_trace,
    .finish = finish,
    .judge = judge,
    .close = close_machines,
};

const ws_subject ws_subject_chiplets = {
    .name = "chiplets",
    .what = "What L2s of chiplets do (model chiplets) with simulations under the same policies",
    .machine = "four-chiplets",
    .worst = 25,
    .takes = WS_WANTS_TRACES,
    .verifier = &verifier,
};
