/* method_random.c - so many launches, each set of them as likely as any other. */
#include "model/sample/sampling_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>

int method_random(ws_sample_plan *plan)
{
    size_t *const all = malloc(plan->launches * sizeof *all);
    double *const time = malloc(plan->launches * sizeof *time);
    uint64_t state = plan->seed;
    int status = all && time ? WS_OK : ws_fail(WS_EMEM, "no memory to choose launches");
    for (size_t i = 0; i < plan->launches && !status; i++) {
        all[i] = i;
        time[i] = plan->launch[i].time;
    }
    if (!status)
        status = sampling_add_stratum(plan, all, plan->launches, sampling_spread(time, plan->launches));
    for (size_t i = 0; i < plan->count && !status; i++) {
        const size_t other = i + sampling_draw(&state, plan->launches - i), drawn = all[other];
        all[other] = all[i];
        plan->launch[drawn].weight = (double)plan->launches / (double)plan->count;
        plan->launch[drawn].reason = plan->count == plan->launches ? "all" : "drawn";
    }
    if (!status) {
        ws_sample_stratum *const s = &plan->stratum[0];
        const ws_allocation a = {plan->launches, s->time, s->spread, plan->count};
        s->chosen = plan->count;
        plan->bound = s->error = allocate_error(&a, ws_sample_quantile(plan->confidence)) / s->time;
    }
    free(all);
    free(time);
    return status;
}
