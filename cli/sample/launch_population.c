/* launch_population.c - see launch_population.h.
 *
 * What takes time on a machine nobody knows yet is instructions and traffic. A sector of 32 bytes is counted as
 * SECTOR_TIME warp instructions, and a launch itself as LAUNCH_TIME of them: a GPU with as many lanes and as much
 * bandwidth as those of docs/sampling.md issues so many meanwhile. The weights of strata hang on it, and the bound that
 * is planned; what a simulation says has no part of it. */
#include "cli/sample/launch_population.h"

#include "base/grow.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SECTOR_TIME = 4, LAUNCH_TIME = 10000;

/* The columns that PKA clusters by (metrics/pka.c), and those that split strata. */
static const char *const pka_columns[WS_LAUNCH_PKA] = {
    "pka_coalesced_global_loads", "pka_coalesced_global_stores", "pka_coalesced_local_loads",
    "pka_thread_global_loads",    "pka_thread_global_stores",    "pka_thread_local_loads",
    "pka_thread_shared_loads",    "pka_thread_shared_stores",    "pka_thread_global_atomics",
    "pka_instructions",           "pka_divergence_efficiency",   "pka_thread_blocks"};
enum { SECTOR_COLUMNS = 3, DIVERGENCE = 10 }; /* the first of them: traffic in sectors */
enum { TIME, SECTORS, FOOTPRINT, LANES, THREADS };
static const double shares[WS_LAUNCH_FEATURES] = {
    [TIME] = 0.25, [SECTORS] = 1, [FOOTPRINT] = 1, [LANES] = 1, [THREADS] = 0.5};
static const char footprint_column[] = "footprint_sectors";

static bool is_named(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, list[i]))
            return true;
    return !n;
}

/* ------------------------------------------------------------------------------------------------ launches */

typedef struct loading {
    ws_launch_populations *all;
    const char *const *wanted;
    size_t wanted_count;
} loading;

static int find_population(ws_launch_populations *all, const char *workload, ws_launch_population **out)
{
    if (all->count && !strcmp(all->item[all->count - 1].workload, workload)) {
        *out = &all->item[all->count - 1];
        return WS_OK;
    }
    if (WS_GROW(all->item, all->room, all->count, 1))
        return WS_EMEM;
    ws_launch_population *const p = &all->item[all->count];
    *p = (ws_launch_population){.workload = strdup(workload)};
    if (!p->workload)
        return ws_fail(WS_EMEM, "out of memory");
    all->count++;
    *out = p;
    return WS_OK;
}

static double product(const int64_t n[3])
{
    return n[0] > 0 && n[1] > 0 && n[2] > 0 ? (double)n[0] * (double)n[1] * (double)n[2] : NAN;
}

static int take_launch(void *context, const ws_store_row *row)
{
    const loading *const l = context;
    ws_launch_population *p = NULL;
    if (!is_named(row->workload, l->wanted, l->wanted_count))
        return WS_OK;
    int status = find_population(l->all, row->workload, &p);
    if (!status)
        status = WS_GROW(p->known, p->room, p->launches, 1);
    if (status)
        return status;
    ws_known_launch *const k = &p->known[p->launches];
    *k = (ws_known_launch){.kernel = strdup(row->kernel),
                           .title = strdup(row->title),
                           .number = (uint64_t)row->sequence + 1,
                           .instructions = row->warp_instructions > 0 ? (double)row->warp_instructions : 0,
                           .threads = product(row->block)};
    for (size_t i = 0; i < WS_LAUNCH_PKA; i++)
        k->pka[i] = NAN;
    k->feature[THREADS] = k->threads * product(row->grid);
    k->feature[SECTORS] = k->feature[FOOTPRINT] = k->feature[LANES] = NAN;
    p->launches++;
    return k->kernel && k->title ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

/* ------------------------------------------------------------------------------------------------ what was measured of
 * them */

static double value_of(const ws_frame *f, size_t row, const char *column)
{
    const long at = ws_frame_find_column(f, column);
    return at < 0 ? NAN : f->value[row * f->columns + (size_t)at];
}

static void take_numbers(ws_known_launch *k, const ws_frame *f, size_t row)
{
    double sectors = 0;
    for (size_t i = 0; i < WS_LAUNCH_PKA; i++) {
        k->pka[i] = value_of(f, row, pka_columns[i]);
        sectors += i < SECTOR_COLUMNS ? k->pka[i] : 0;
    }
    k->feature[SECTORS] = sectors;
    k->feature[FOOTPRINT] = value_of(f, row, footprint_column);
    k->feature[LANES] = k->pka[DIVERGENCE];
}

/* Rows of the frame in a table for look-ups by number, workload by workload. */
static int join(ws_launch_population *p, const ws_frame *f, size_t workload, size_t launch)
{
    ws_table rows = WS_TABLE(size_t);
    int status = WS_OK;
    for (size_t i = 0; i < f->rows && !status; i++) {
        if (strcmp(f->label[i * f->labels + workload], p->workload) != 0)
            continue;
        size_t *const row = ws_table_put(&rows, strtoull(f->label[i * f->labels + launch], NULL, 10));
        if (row)
            *row = i;
        else
            status = WS_EMEM;
    }
    for (size_t i = 0; i < p->launches && !status; i++) {
        const size_t *const row = ws_table_find(&rows, p->known[i].number);
        if (row)
            take_numbers(&p->known[i], f, *row);
    }
    ws_table_fini(&rows);
    return status;
}

static int join_all(ws_launch_populations *all, const ws_frame *f)
{
    const long workload = ws_frame_find_label(f, "workload"), launch = ws_frame_find_label(f, "launch");
    int status = WS_OK;
    for (size_t i = 0; i < all->count && !status && workload >= 0 && launch >= 0; i++)
        status = join(&all->item[i], f, (size_t)workload, (size_t)launch);
    return status;
}

/* ------------------------------------------------------------------------------------------------ all of it */

static int check_wanted(const loading *l, const char *db)
{
    for (size_t i = 0; i < l->wanted_count; i++) {
        bool found = false;
        for (size_t k = 0; k < l->all->count && !found; k++)
            found = !strcmp(l->all->item[k].workload, l->wanted[i]);
        if (!found)
            return ws_fail(WS_ENOTFOUND, "%s: no run of a workload '%s' counts in it (see `warpscape runs')", db,
                           l->wanted[i]);
    }
    return l->all->count ? WS_OK : ws_fail(WS_ENOTFOUND, "%s: holds no launches (see `warpscape run')", db);
}

static double time_of(const ws_known_launch *k)
{
    return LAUNCH_TIME + k->instructions + (isnan(k->feature[SECTORS]) ? 0 : SECTOR_TIME * k->feature[SECTORS]);
}

/* Weights account for what goes with time; what else varies does so beside it. */
static void relate_to_time(ws_launch_population *p)
{
    for (size_t i = 0; i < p->launches; i++) {
        ws_known_launch *const k = &p->known[i];
        k->feature[TIME] = time_of(k);
        for (size_t f = TIME + 1; f < WS_LAUNCH_FEATURES; f++)
            k->feature[f] /= f == LANES ? 1 : k->feature[TIME];
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const ws_known_launch *const x = a, *const y = b;
    return (x->number > y->number) - (x->number < y->number);
}

int ws_launch_populations_load(const char *db, int64_t run, const char *const *workload, size_t workloads,
                               ws_launch_populations *out)
{
    loading l = {.all = out, .wanted = workload, .wanted_count = workloads};
    ws_store *store;
    ws_frame *frame = NULL;
    int status = ws_store_open_run(db, run, &store);
    if (status)
        return status;
    status = ws_store_launches(store, take_launch, &l);
    if (!status)
        status = check_wanted(&l, db);
    if (!status)
        status = ws_store_frame(store, WS_PER_LAUNCH, "all", false, &frame);
    if (!status)
        status = join_all(out, frame);
    for (size_t i = 0; i < out->count && !status; i++) {
        qsort(out->item[i].known, out->item[i].launches, sizeof *out->item[i].known, compare_numbers);
        relate_to_time(&out->item[i]);
    }
    ws_frame_destroy(frame);
    ws_store_close(store);
    return status;
}

void ws_launch_populations_fini(ws_launch_populations *all)
{
    for (size_t i = 0; i < all->count; i++) {
        ws_launch_population *const p = &all->item[i];
        for (size_t k = 0; k < p->launches; k++) {
            free(p->known[k].kernel);
            free(p->known[k].title);
        }
        free(p->known);
        free(p->launch);
        free(p->workload);
    }
    free(all->item);
    *all = (ws_launch_populations){0};
}

void ws_launch_population_plan(ws_launch_population *p, const ws_sample_method *method, const ws_sample_plan *how,
                               ws_sample_plan *plan)
{
    const bool pka = !strcmp(method->name, "pka");
    *plan = *how;
    free(p->launch);
    p->launch = calloc(p->launches, sizeof *p->launch);
    plan->launch = p->launch;
    plan->share = shares;
    plan->launches = p->launch ? p->launches : 0;
    plan->features = pka ? WS_LAUNCH_PKA : WS_LAUNCH_FEATURES;
    for (size_t i = 0; i < plan->launches; i++)
        p->launch[i] = (ws_sample_launch){.kernel = p->known[i].kernel,
                                          .number = p->known[i].number,
                                          .time = p->known[i].feature[TIME],
                                          .instructions = p->known[i].instructions,
                                          .threads = p->known[i].threads,
                                          .feature = pka ? p->known[i].pka : p->known[i].feature};
}
