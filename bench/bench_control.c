/* bench_control.c - how long does the control of a server on renewable power take? One core, supplies and wear
 * included.
 *
 * The server of data/control, class HpHv of data/supply: ten days in steps of 1 s for each policy, and the whole study,
 * its ten workloads on four supplies under six policies, for one seed. Run it in the source tree. */
#include "base/status.h"
#include "model/control/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SUPPLIES = 4, MOST_POLICIES = 16, DAY = 86400 };

typedef struct world {
    ws_control control;
    ws_supply_class type[SUPPLIES];
    ws_experiment_source source[SUPPLIES];
    ws_load *load;
    size_t loads;
    ws_thermal_chip chip;
    ws_fatigue fatigue;
} world;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int read_world(world *w)
{
    static const char *const names[SUPPLIES] = {"HpHv", "HpLv", "LpHv", "LpLv"};
    int rc = ws_control_read("data", NULL, &w->control);
    for (size_t i = 0; i < SUPPLIES && !rc; i++) {
        rc = ws_supply_class_find("data/supply", names[i], &w->type[i]);
        w->source[i] = (ws_experiment_source){names[i], ws_experiment_generated, &w->type[i]};
    }
    if (!rc)
        rc = ws_loads_read("data/control/loads.csv", &w->load, &w->loads);
    if (!rc)
        rc = ws_thermal_chip_read("data/tech/thermal_renewable.ini", &w->chip);
    return rc ? rc : ws_fatigue_read("data/tech/lifetime.ini", &w->fatigue);
}

/* Seconds of the median of five runs; negative when it fails. */
static double measure(const ws_experiment *e)
{
    double best[5] = {0};
    for (size_t i = 0; i < 5; i++) {
        ws_experiment_result result;
        const double begin = cpu_s();
        const int rc = ws_experiment_run(e, &result);
        double took = cpu_s() - begin;
        ws_experiment_fini(&result);
        if (rc)
            return -1;
        size_t at = i;
        for (; at && best[at - 1] > took; at--)
            best[at] = best[at - 1];
        best[at] = took;
    }
    return best[2];
}

static void print(const char *what, const ws_experiment *e, size_t runs)
{
    const double seconds = measure(e), steps = e->seconds * (double)runs;
    if (seconds < 0)
        printf("| %s | %s |\n", what, ws_message());
    else
        printf("| %s | %zu | %.3f | %.0f |\n", what, runs, seconds, 1e9 * seconds / steps);
}

int main(void)
{
    static world w;
    const ws_policy *policy[MOST_POLICIES], *six[6];
    size_t policies = 0;
    if (read_world(&w)) {
        fprintf(stderr, "bench_control: %s\n", ws_message());
        return 1;
    }
    for (; policies < MOST_POLICIES && ws_policy_at(policies); policies++)
        policy[policies] = ws_policy_at(policies);
    ws_experiment e = {.control = &w.control,
                       .source = w.source,
                       .sources = 1,
                       .load = w.load,
                       .loads = 1,
                       .policies = 1,
                       .chip = &w.chip,
                       .fatigue = &w.fatigue,
                       .seed = 1,
                       .seeds = 1,
                       .workers = 1,
                       .seconds = 10 * DAY};
    printf("| what | runs | CPU s | ns a step |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < policies; i++) {
        char what[64];
        e.policy = &policy[i];
        e.base = policy[i];
        snprintf(what, sizeof what, "ten days, %s", policy[i]->name);
        print(what, &e, 1);
    }
    static const char *const names[6] = {"energy", "performance", "threshold", "chameleon", "predictive", "optimum"};
    for (size_t i = 0; i < 6; i++)
        six[i] = ws_policy_find(names[i]);
    e.policy = six;
    e.base = six[0];
    e.policies = 6;
    e.sources = SUPPLIES;
    e.loads = w.loads;
    e.seconds = DAY;
    print("a day of the study, six policies", &e, 6 * SUPPLIES * w.loads);
    free(w.load);
    return 0;
}
