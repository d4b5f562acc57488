/* method_sieve.c - Sieve: M. Naderan-Tahan, H. SeyyedAghaei, L. Eeckhout, "Sieve: Stratified GPU-Compute Workload
 * Sampling", ISPASS 2023.
 *
 * Tier 1: all launches of a kernel execute the same number of instructions. Tier 2: their coefficient of variation is
 * below theta (0.4 there, `split` here). In tier 3 it is not, and they are split where a kernel density estimate of the
 * number is least until it is. Of each stratum one launch is simulated: the first one (tier 1), or the first with the
 * size of block that most launches have. It stands for the instructions of the stratum: weight = instructions of all /
 * its own. */
#include "model/sample/sampling_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_threads(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The size of block that most launches have; of several the least. */
static double usual_threads(const ws_sample_plan *p, const size_t *launch, size_t n, double *room)
{
    size_t best = 0, run = 0;
    double usual = 0;
    for (size_t i = 0; i < n; i++)
        room[i] = p->launch[launch[i]].threads;
    qsort(room, n, sizeof *room, compare_threads);
    for (size_t i = 0; i < n; i++) {
        run = i && room[i] == room[i - 1] ? run + 1 : 1;
        if (run > best) {
            best = run;
            usual = room[i];
        }
    }
    return usual;
}

static int add_stratum(ws_sample_plan *p, const size_t *launch, size_t n, double *room)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += room[i] = p->launch[launch[i]].instructions;
    const double spread = sampling_spread(room, n), usual = spread > 0 ? usual_threads(p, launch, n, room) : 0;
    size_t at = 0;
    while (spread > 0 && p->launch[launch[at]].threads != usual)
        at++;
    const int status = sampling_add_stratum(p, launch, n, n > 1 ? spread : 0);
    if (status)
        return status;
    ws_sample_launch *const l = &p->launch[launch[at]];
    l->weight = l->instructions > 0 ? all / l->instructions : (double)n;
    l->reason = n == 1 ? "only" : spread > 0 ? "tier 2 or 3" : "tier 1";
    p->stratum[p->strata - 1].chosen = 1;
    return WS_OK;
}

static int add_kernel(ws_sample_plan *p, const size_t *launch, size_t n)
{
    double *const room = malloc(n * sizeof *room);
    size_t *const class_of = calloc(n, sizeof *class_of), *const part = malloc(n * sizeof *part), classes = 1;
    size_t found = classes;
    int status = room && class_of && part ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    for (size_t i = 0; i < n && !status; i++)
        room[i] = p->launch[launch[i]].instructions;
    if (!status && sampling_spread(room, n) >= p->split)
        status = split_density(room, n, p->split, class_of, &found);
    for (size_t k = 0; k < found && !status; k++) {
        size_t size = 0;
        for (size_t i = 0; i < n; i++)
            if (class_of[i] == k)
                part[size++] = launch[i];
        status = size ? add_stratum(p, part, size, room) : WS_OK;
    }
    free(room);
    free(class_of);
    free(part);
    return status;
}

int method_sieve(ws_sample_plan *plan)
{
    size_t *const order = sampling_by_kernel(plan);
    int status = order ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    for (size_t begin = 0, end; begin < plan->launches && !status; begin = end) {
        for (end = begin;
             end < plan->launches && !strcmp(plan->launch[order[end]].kernel, plan->launch[order[begin]].kernel); end++)
            ;
        status = add_kernel(plan, order + begin, end - begin);
    }
    free(order);
    return status;
}
