/* method_strata.c - launches of one kernel that differ in nothing cheap are a stratum, and as many of each are chosen
 * as the error allows.
 *
 * Kernels are split by the feature that makes times vary most, as long as any varies by more than a bound, which is
 * looser for kernels that take little time. The first launch of a stratum finds caches cold. Where that matters for the
 * total it is a stratum by itself, else it stands with the others and the second is the one that is chosen. Strata of
 * several launches are cut into as many slices in order of time as launches are wanted; of each slice one is chosen,
 * the first of all being the second launch and others drawn by lot. It stands for the time of its slice: weight = time
 * of the slice / its own. */
#include "model/sample/sampling_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    ws_sample_plan *plan;
    double total, quantile;
    double *value; /* [launches] for splits */
    size_t firsts; /* strata before firsts became strata */
    bool *apart;   /* [firsts] the first launch is a stratum by itself */
} work;

/* How much a feature makes times of these launches vary; leaves its values in w->value. 0 where it is not known of all.
 */
static double spread_by(const work *w, const size_t *launch, size_t n, size_t feature)
{
    for (size_t i = 0; i < n; i++)
        w->value[i] = w->plan->launch[launch[i]].feature[feature];
    const double spread = w->plan->share[feature] * sampling_spread(w->value, n);
    return isfinite(spread) ? spread : 0;
}

/* The feature that makes them vary most. */
static double find_widest(const work *w, const size_t *launch, size_t n, size_t *feature)
{
    double widest = 0;
    *feature = 0;
    for (size_t f = 0; f < w->plan->features; f++) {
        const double spread = spread_by(w, launch, n, f);
        if (spread > widest) {
            widest = spread;
            *feature = f;
        }
    }
    return widest;
}

static int add_all(const work *w, const size_t *launch, size_t n, double widest)
{
    return sampling_add_stratum(w->plan, launch, n, n > 1 ? hypot(w->plan->noise, widest) : 0);
}

static int split(work *w, size_t *launch, size_t n, double most);

/* Launches in order of their classes, those of each in their order; then each class. */
static int split_classes(work *w, size_t *launch, size_t n, const size_t *class_of, size_t classes, double most)
{
    size_t *const part = malloc(n * sizeof *part), *const begin = calloc(classes + 1, sizeof *begin);
    size_t at = 0;
    int status = part && begin ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    for (size_t k = 0; k < classes && !status; k++) {
        begin[k] = at;
        for (size_t i = 0; i < n; i++)
            if (class_of[i] == k)
                part[at++] = launch[i];
        begin[k + 1] = at;
    }
    if (!status)
        memcpy(launch, part, n * sizeof *launch);
    free(part);
    for (size_t k = 0; k < classes && !status; k++)
        status = split(w, launch + begin[k], begin[k + 1] - begin[k], most);
    free(begin);
    return status;
}

static int split(work *w, size_t *launch, size_t n, double most)
{
    size_t feature, classes = 0;
    const double widest = find_widest(w, launch, n, &feature);
    if (n < 2 || widest <= most)
        return add_all(w, launch, n, widest);
    size_t *const class_of = malloc(n * sizeof *class_of);
    int status = class_of ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    if (!status) {
        spread_by(w, launch, n, feature);
        status = split_optimal(w->value, n, most / w->plan->share[feature], class_of, &classes);
    }
    if (!status)
        status = classes > 1 ? split_classes(w, launch, n, class_of, classes, most) : add_all(w, launch, n, widest);
    free(class_of);
    return status;
}

/* What does the spread of a kernel matter, when one launch stands for all? */
static double most_spread(const work *w, double time)
{
    const double harmless = w->plan->error * w->total / (2 * w->quantile * time);
    return fmax(w->plan->split, fmin(harmless, 1));
}

static int split_kernels(work *w)
{
    ws_sample_plan *const p = w->plan;
    size_t *const order = sampling_by_kernel(p);
    int status = order ? WS_OK : ws_fail(WS_EMEM, "no memory to split launches");
    for (size_t begin = 0, end; begin < p->launches && !status; begin = end) {
        double time = 0;
        for (end = begin; end < p->launches && !strcmp(p->launch[order[end]].kernel, p->launch[order[begin]].kernel);
             end++)
            time += p->launch[order[end]].time;
        status = split(w, order + begin, end - begin, most_spread(w, time));
    }
    free(order);
    return status;
}

/* ------------------------------------------------------------------------------------------------ first launches */

typedef struct member {
    size_t stratum, launch;
    double time;
} member;

static int compare_members(const void *a, const void *b)
{
    const member *const x = a, *const y = b;
    return x->stratum != y->stratum ? (x->stratum > y->stratum) - (x->stratum < y->stratum)
                                    : (x->launch > y->launch) - (x->launch < y->launch);
}

/* Launches in order of their strata, those of one in order of their numbers. */
static member *list_members(const ws_sample_plan *p)
{
    member *const m = malloc(p->launches * sizeof *m);
    for (size_t i = 0; m && i < p->launches; i++)
        m[i] = (member){p->launch[i].stratum, i, p->launch[i].time};
    if (m)
        qsort(m, p->launches, sizeof *m, compare_members);
    return m;
}

typedef struct first {
    size_t launch;
    double harm; /* what its being cold may add to the total when it is not seen */
} first;

static int compare_harm(const void *a, const void *b)
{
    const first *const x = a, *const y = b;
    return x->harm != y->harm ? (x->harm < y->harm ? 1 : -1) : (x->launch > y->launch) - (x->launch < y->launch);
}

/* The first launches that matter most leave their strata, until what the others may add is a quarter of the error. */
static int set_firsts_apart(work *w)
{
    ws_sample_plan *const p = w->plan;
    const size_t strata = p->strata;
    first *const list = malloc(strata * sizeof *list);
    member *const m = list_members(p);
    w->firsts = strata;
    w->apart = calloc(strata, sizeof *w->apart);
    int status = list && m && w->apart ? WS_OK : ws_fail(WS_EMEM, "no memory to choose launches");
    size_t n = 0;
    double left = 0;
    for (size_t i = 0; i < p->launches && !status; i++)
        if ((!i || m[i].stratum != m[i - 1].stratum) && p->stratum[m[i].stratum].launches > 1) {
            list[n] = (first){m[i].launch, p->cold * p->launch[m[i].launch].time};
            left += list[n++].harm;
        }
    if (!status)
        qsort(list, n, sizeof *list, compare_harm);
    for (size_t i = 0; i < n && !status && left > p->error * w->total / 4; i++) {
        const size_t from = p->launch[list[i].launch].stratum;
        ws_sample_stratum *const s = &p->stratum[from];
        w->apart[from] = true;
        left -= list[i].harm;
        s->time -= p->launch[list[i].launch].time;
        if (--s->launches == 1)
            s->spread = 0;
        status = sampling_add_stratum(p, &list[i].launch, 1, 0);
        p->launch[list[i].launch].reason = "first";
    }
    free(list);
    free(m);
    return status;
}

/* ------------------------------------------------------------------------------------------------ lots */

static void choose_of(ws_sample_plan *p, const member *m, size_t n, size_t chosen, bool has_first, uint64_t *state)
{
    for (size_t k = 0; k < chosen; k++) {
        const size_t begin = k * n / chosen, end = (k + 1) * n / chosen;
        const bool second = !k && n > 1;
        const size_t at =
            second ? (has_first && end > 1 ? 1 : 0) : begin + (end - begin > 1 ? sampling_draw(state, end - begin) : 0);
        ws_sample_launch *const l = &p->launch[m[at].launch];
        double time = 0;
        for (size_t i = begin; i < end; i++)
            time += p->launch[m[i].launch].time;
        l->weight = time / l->time;
        if (!l->reason)
            l->reason = n == 1 ? "only" : chosen == n ? "all" : second ? "second" : "drawn";
    }
}

static int choose_all(work *w, const ws_allocation *a)
{
    ws_sample_plan *const p = w->plan;
    uint64_t state = p->seed;
    member *const m = list_members(p);
    if (!m)
        return ws_fail(WS_EMEM, "no memory to choose launches");
    for (size_t begin = 0, end; begin < p->launches; begin = end) {
        const size_t stratum = m[begin].stratum;
        for (end = begin; end < p->launches && m[end].stratum == stratum; end++)
            ;
        choose_of(p, m + begin, end - begin, a[stratum].chosen, stratum < w->firsts && !w->apart[stratum], &state);
    }
    free(m);
    return WS_OK;
}

static int allocate(work *w, ws_allocation **out)
{
    ws_sample_plan *const p = w->plan;
    ws_allocation *const a = calloc(p->strata, sizeof *a);
    if (!a)
        return ws_fail(WS_EMEM, "no memory to choose launches");
    for (size_t i = 0; i < p->strata; i++)
        a[i] = (ws_allocation){
            .launches = p->stratum[i].launches, .time = p->stratum[i].time, .spread = p->stratum[i].spread};
    p->bound = allocate_launches(a, p->strata, w->total, p->error, w->quantile);
    for (size_t i = 0; i < p->strata; i++) {
        p->stratum[i].chosen = a[i].chosen;
        p->stratum[i].error = allocate_error(&a[i], w->quantile) / w->total;
    }
    *out = a;
    return WS_OK;
}

static int plan_strata(ws_sample_plan *plan)
{
    ws_allocation *allocation = NULL;
    work w = {.plan = plan,
              .quantile = ws_sample_quantile(plan->confidence),
              .value = malloc(plan->launches * sizeof *w.value)};
    for (size_t i = 0; i < plan->launches; i++)
        w.total += plan->launch[i].time;
    int status = w.value ? split_kernels(&w) : ws_fail(WS_EMEM, "no memory to split launches");
    if (!status)
        status = set_firsts_apart(&w);
    if (!status)
        status = allocate(&w, &allocation);
    if (!status)
        status = choose_all(&w, allocation);
    free(allocation);
    free(w.apart);
    free(w.value);
    return status;
}

static double chosen_time(const ws_sample_plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < plan->launches; i++)
        sum += plan->launch[i].weight > 0 ? plan->launch[i].time : 0;
    return sum;
}

/* Few wide strata need many launches of each, many narrow ones need one of each: whichever takes least time. */
int method_strata(ws_sample_plan *plan)
{
    static const double tried[] = {0.4, 0.2, 0.1, 0.05, 0.025};
    double best = 0, least = INFINITY;
    if (plan->split > 0)
        return plan_strata(plan);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        plan->split = tried[i];
        const int status = plan_strata(plan);
        if (status)
            return status;
        if (chosen_time(plan) < least) {
            least = chosen_time(plan);
            best = tried[i];
        }
        sampling_start(plan);
    }
    plan->split = best;
    const int status = plan_strata(plan);
    plan->split = 0;
    return status;
}
