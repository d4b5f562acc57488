/* experiment_source.c - supplies that an experiment can ask for: of a class, and measured ones. */
#include "model/control/experiment.h"

#include "base/status.h"

#include <stdlib.h>

enum { SECONDS_PER_HOUR = 3600 };

int ws_experiment_generated(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out)
{
    return ws_supply_generate(context, count, step_s, seed, out);
}

/* Energy of a supply from `from_s` to `to_s`; *at is the step that from_s is in, and becomes that of to_s. */
static double energy_between(const ws_supply *s, double from_s, double to_s, size_t *at)
{
    double energy_j = 0;
    while (*at < s->count) {
        const double end_s = (double)(*at + 1) * s->step_s;
        if (end_s >= to_s)
            return energy_j + s->power_w[*at] * (to_s - from_s);
        energy_j += s->power_w[*at] * (end_s - from_s);
        from_s = end_s;
        ++*at;
    }
    return energy_j;
}

int ws_experiment_measured(const void *context, size_t count, double step_s, uint64_t seed, ws_supply *out)
{
    const ws_supply *const s = context;
    const double wanted_s = (double)count * step_s, there_s = (double)s->count * s->step_s;
    (void)seed;
    *out = (ws_supply){0};
    if (wanted_s > there_s * (1 + 1e-9))
        return ws_fail(WS_EINPUT, "%s lasts %g h, but %g h are requested", s->name, there_s / SECONDS_PER_HOUR,
                       wanted_s / SECONDS_PER_HOUR);
    double *const power_w = malloc((count + !count) * sizeof *power_w);
    if (!power_w)
        return ws_fail(WS_EMEM, "out of memory");
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        power_w[i] = energy_between(s, (double)i * step_s, (double)(i + 1) * step_s, &at) / step_s;
    const int rc = ws_supply_copy(s->name, power_w, count, step_s, out);
    free(power_w);
    return rc;
}
