/* sampling.c - what methods of sampling have in common: strata, lots, and the table of methods. */
#include "model/sample/sampling_internal.h"

#include "base/mix.h"
#include "base/status.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_sample_method methods[] = {
#define METHOD(name, counts, bounded, meaning) {#name, meaning, counts, bounded, method_##name},
#include "model/sample/methods.def"
#undef METHOD
};

const ws_sample_method *ws_sample_method_at(size_t index)
{
    return index < sizeof methods / sizeof *methods ? &methods[index] : NULL;
}

void ws_sample_plan_init(ws_sample_plan *plan)
{
    *plan = (ws_sample_plan){.error = 0.02, .confidence = 0.95, .noise = 0.02, .cold = 0.2, .seed = 1};
}

void ws_sample_plan_fini(ws_sample_plan *plan)
{
    free(plan->stratum);
    plan->stratum = NULL;
    plan->strata = 0;
}

double ws_sample_quantile(double confidence)
{
    return gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2);
}

double sampling_spread(const double *value, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean) / (double)n;
    return squares > 0 && mean != 0 ? sqrt(squares) / fabs(mean) : 0;
}

static int compare_kernels(const void *a, const void *b, void *context)
{
    const ws_sample_plan *const plan = context;
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const int order = strcmp(plan->launch[i].kernel, plan->launch[j].kernel);
    return order ? order : (i > j) - (i < j);
}

size_t *sampling_by_kernel(const ws_sample_plan *plan)
{
    size_t *const order = malloc(plan->launches * sizeof *order);
    for (size_t i = 0; order && i < plan->launches; i++)
        order[i] = i;
    if (order)
        qsort_r(order, plan->launches, sizeof *order, compare_kernels, (void *)(uintptr_t)plan);
    return order;
}

int sampling_add_stratum(ws_sample_plan *plan, const size_t *launch, size_t n, double spread)
{
    ws_sample_stratum *const more = realloc(plan->stratum, (plan->strata + 1) * sizeof *more);
    if (!more)
        return ws_fail(WS_EMEM, "no memory for strata of launches");
    plan->stratum = more;
    ws_sample_stratum *const s = &more[plan->strata];
    *s = (ws_sample_stratum){.launches = n, .spread = spread, .error = NAN};
    for (size_t i = 0; i < n; i++) {
        plan->launch[launch[i]].stratum = plan->strata;
        s->time += plan->launch[launch[i]].time;
    }
    plan->strata++;
    return WS_OK;
}

size_t sampling_draw(uint64_t *state, size_t n)
{
    *state += WS_MIX_STEP;
    return (size_t)((unsigned __int128)ws_mix(*state) * n >> 64);
}

void sampling_start(ws_sample_plan *plan)
{
    ws_sample_plan_fini(plan);
    plan->bound = NAN;
    for (size_t i = 0; i < plan->launches; i++) {
        plan->launch[i].weight = 0;
        plan->launch[i].reason = NULL;
    }
}

int ws_sample_choose(const ws_sample_method *method, ws_sample_plan *plan)
{
    if (!plan->launches)
        return ws_fail(WS_EINPUT, "no launches to select from");
    if (method->counts && (!plan->count || plan->count > plan->launches))
        return ws_fail(WS_EINPUT, "%zu launches cannot be chosen of %zu", plan->count, plan->launches);
    sampling_start(plan);
    return method->choose(plan);
}

size_t ws_sample_chosen(const ws_sample_plan *plan, double *share)
{
    size_t n = 0;
    double some = 0, all = 0;
    for (size_t i = 0; i < plan->launches; i++) {
        const ws_sample_launch *const l = &plan->launch[i];
        all += l->instructions;
        some += l->weight > 0 ? l->instructions : 0;
        n += l->weight > 0;
    }
    if (share)
        *share = all > 0 ? some / all : 1;
    return n;
}
