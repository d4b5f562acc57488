/* chameleon_sensitivity.c - which of the constants that nobody knows matter? Each is moved to both ends of its range in
 * control.def, all others staying as they are. */
#include "model/mechanism/chameleon/chameleon.h"

#include <math.h>
#include <string.h>

/* What is looked at: a policy over another one, the mean over all supplies, workloads and seeds. */
static const struct {
    const char *name, *over;
    size_t outcome;
} gains[] = {
    {"throughput", "energy", WS_OUTCOME_throughput_relative},
    {"throughput", "threshold", WS_OUTCOME_throughput_relative},
    {"mtbf", "energy", WS_OUTCOME_mtbf_relative},
    {"mtbf", "threshold", WS_OUTCOME_mtbf_relative},
};
enum { GAINS = sizeof gains / sizeof *gains, POLICIES = 3 };

typedef struct study {
    const ws_chameleon *chameleon;
    ws_control control; /* as this run has it */
    ws_thermal_chip chip;
    ws_fatigue fatigue;
    ws_experiment experiment;
    const ws_policy *policy[POLICIES]; /* that one, and what it is measured against */
    size_t run, runs;
    int (*progress)(void *context, double done);
    void *context;
    ws_frame *frame;
} study;

/* Constants besides those of control.def: of package and wear. The ends: data/tech/thermal_*.ini and lifetime_*.ini,
 * and twice and half where no second source has one. */
static const struct {
    const char *section, *name, *unit;
    double low, high;
    size_t offset;
    bool thermal;
} others[] = {
    {"convection", "resistance", "K/W", 0.07, 0.28, offsetof(ws_thermal_chip, convection_k_w), true},
    {"fatigue", "exponent", "", 2.35, 6, offsetof(ws_fatigue, exponent), false},
    {"fatigue", "elastic", "K", 0, 2, offsetof(ws_fatigue, elastic_k), false},
};
enum { OTHERS = sizeof others / sizeof *others };

static double *other(study *s, size_t i)
{
    char *const base = others[i].thermal ? (char *)&s->chip : (char *)&s->fatigue;
    void *const place = base + others[i].offset;
    return place;
}

static void as_they_are(study *s)
{
    s->control = s->chameleon->control;
    s->chip = s->chameleon->chip;
    s->fatigue = s->chameleon->fatigue;
}

/* How far the whole study is, from how far a run is. */
static int pass_progress(void *context, double done)
{
    const study *const s = context;
    return s->progress(s->context, ((double)s->run + done) / (double)s->runs);
}

static int measure(study *s, double gain[GAINS])
{
    ws_experiment_result result;
    ws_estimate estimate[POLICIES][WS_OUTCOMES];
    int status = ws_experiment_run(&s->experiment, &result);
    for (size_t p = 0; p < POLICIES && !status; p++)
        ws_experiment_estimate(&result, WS_EXPERIMENT_ALL, WS_EXPERIMENT_ALL, p, estimate[p]);
    for (size_t g = 0; g < GAINS && !status; g++) {
        const size_t o = gains[g].outcome, against = strcmp(gains[g].over, s->policy[1]->name) ? 2 : 1;
        gain[g] = estimate[0][o].mean / estimate[against][o].mean; /* geometric means: that of the ratios */
    }
    ws_experiment_fini(&result);
    s->run++;
    return status;
}

/* The gains with one option at one end; NaN and a note when that does not go with the others. */
static int measure_option(study *s, const ws_control_option *row, double value, double gain[GAINS])
{
    char option[64], text[64];
    as_they_are(s);
    snprintf(option, sizeof option, "%s.%s", row->section, row->name);
    snprintf(text, sizeof text, "%.17g%s%s", value, *row->unit ? " " : "", row->unit);
    if (!ws_control_set(&s->control, option, text) && !ws_control_check(&s->control))
        return measure(s, gain);
    s->run++;
    for (size_t g = 0; g < GAINS; g++)
        gain[g] = NAN;
    return ws_frame_note(s->frame, "left out: %s = %s: %s", option, text, ws_message());
}

static int measure_other(study *s, size_t i, double value, double gain[GAINS])
{
    as_they_are(s);
    *other(s, i) = value;
    return measure(s, gain);
}

/* ------------------------------------------------------------------------------------------------ the frame */

enum { LOW, HIGH, ENDS, VALUES = 3 }; /* the option's low end, high end, and as it is */

static int add_row(study *s, const char *section, const char *name, const char *unit, const double value[VALUES],
                   double gain[VALUES][GAINS])
{
    char text[64];
    double row[VALUES + GAINS * VALUES];
    snprintf(text, sizeof text, "%s.%s", section, name);
    memcpy(row, value, VALUES * sizeof *value);
    for (size_t g = 0; g < GAINS; g++)
        for (size_t v = 0; v < VALUES; v++)
            row[VALUES + g * VALUES + v] = gain[v][g];
    return ws_frame_add_row(s->frame, (const char *const[]){text, unit}, row);
}

static int name_columns(ws_frame *frame)
{
    static const char *const values[VALUES] = {"low", "high", "as_is"};
    int status = WS_OK;
    for (size_t v = 0; v < VALUES && !status; v++)
        status = ws_frame_set_column(frame, v, values[v], "", "option");
    for (size_t i = 0; i < GAINS * VALUES && !status; i++) {
        char name[64], group[64];
        const size_t g = i / VALUES;
        snprintf(name, sizeof name, "%s_%s_%s", gains[g].name, gains[g].over, values[i % VALUES]);
        snprintf(group, sizeof group, "%s over %s", gains[g].name, gains[g].over);
        status = ws_frame_set_column(frame, VALUES + i, name, "ratio", group);
    }
    return status;
}

/* Options whose ends differ. */
static bool moves(size_t index, ws_control_option *row, bool *more)
{
    *more = ws_control_option_row(index, row);
    return *more && row->low != row->high;
}

static size_t count_rows(void)
{
    ws_control_option row;
    bool more = true;
    size_t n = OTHERS;
    for (size_t i = 0; more; i++)
        n += moves(i, &row, &more);
    return n;
}

static int fill(study *s)
{
    ws_control_option row;
    double gain[VALUES][GAINS];
    bool more = true;
    as_they_are(s);
    int status = measure(s, gain[2]);
    for (size_t i = 0; more && !status; i++) {
        if (!moves(i, &row, &more))
            continue;
        const double value[VALUES] = {row.low, row.high, ws_control_value(&s->chameleon->control, i)};
        for (size_t end = LOW; end < ENDS && !status; end++)
            status = measure_option(s, &row, value[end], gain[end]);
        if (!status)
            status = add_row(s, row.section, row.name, row.unit, value, gain);
    }
    for (size_t i = 0; i < OTHERS && !status; i++) {
        as_they_are(s);
        const double value[VALUES] = {others[i].low, others[i].high, *other(s, i)};
        for (size_t end = LOW; end < ENDS && !status; end++)
            status = measure_other(s, i, value[end], gain[end]);
        if (!status)
            status = add_row(s, others[i].section, others[i].name, others[i].unit, value, gain);
    }
    return status;
}

static void prepare(study *s)
{
    const ws_chameleon *const c = s->chameleon;
    s->policy[0] = c->request->policy.count ? c->policy[0] : &ws_policy_chameleon;
    s->policy[1] = &ws_policy_energy;
    s->policy[2] = &ws_policy_threshold;
    s->experiment = ws_chameleon_experiment(c);
    s->experiment.control = &s->control;
    s->experiment.chip = &s->chip;
    s->experiment.fatigue = &s->fatigue;
    s->experiment.policy = s->policy;
    s->experiment.policies = POLICIES;
    s->experiment.base = &ws_policy_energy;
    s->experiment.regret = false;
    s->experiment.progress = pass_progress;
    s->experiment.context = s;
}

int ws_chameleon_sensitivity(const ws_chameleon *c, int (*progress)(void *context, double done), void *context,
                             ws_frame **out)
{
    static const char *const labels[] = {"option", "unit"};
    study s = {.chameleon = c, .progress = progress, .context = context, .runs = 2 * count_rows() + 1};
    prepare(&s);
    s.frame = *out = ws_frame_create(0, VALUES + GAINS * VALUES, 2, labels);
    int status = s.frame ? name_columns(s.frame) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(s.frame, "run: policy=%s days=%g seed=%llu seeds=%zu supplies=%zu workloads=%zu",
                               s.policy[0]->name, c->request->days, (unsigned long long)c->request->seed,
                               c->request->seeds, c->sources, c->loads);
    return status ? status : fill(&s);
}
