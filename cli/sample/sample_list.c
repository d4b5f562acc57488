/* sample_list.c - see sample_list.h. */
#include "cli/sample/sample_list.h"

#include "base/grow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct chosen_launch chosen_launch;

static const ws_known_launch *known(const chosen_launch *c)
{
    return &c->population->known[c->launch];
}

/* ------------------------------------------------------------------------------------------------ taking plans */

static size_t count_kernels(const ws_launch_population *p)
{
    size_t kernels = 0;
    for (size_t i = 0; i < p->launches; i++) {
        size_t k = 0;
        while (k < i && strcmp(p->known[k].kernel, p->known[i].kernel) != 0)
            k++;
        kernels += k == i;
    }
    return kernels;
}

int ws_sample_list_add(ws_sample_list *list, const ws_launch_population *p, const ws_sample_plan *plan)
{
    ws_sample_summary s = {.workload = p->workload,
                           .kernels = count_kernels(p),
                           .strata = plan->strata,
                           .launches = p->launches,
                           .bound = plan->bound};
    s.chosen = ws_sample_chosen(plan, &s.share);
    if (WS_GROW(list->item, list->room, list->count, s.chosen) ||
        WS_GROW(list->summary, list->summary_room, list->summaries, 1))
        return WS_EMEM;
    for (size_t i = 0; i < plan->launches; i++) {
        const ws_sample_launch *const l = &plan->launch[i];
        const ws_sample_stratum *const from = &plan->stratum[l->stratum];
        if (l->weight > 0)
            list->item[list->count++] = (chosen_launch){.population = p,
                                                        .launch = i,
                                                        .weight = l->weight,
                                                        .stratum = (double)l->stratum + 1,
                                                        .launches = (double)from->launches,
                                                        .spread = from->spread,
                                                        .error = from->error,
                                                        .reason = l->reason};
    }
    list->summary[list->summaries++] = s;
    return WS_OK;
}

void ws_sample_list_fini(ws_sample_list *list)
{
    free(list->item);
    free(list->summary);
    *list = (ws_sample_list){0};
}

/* ------------------------------------------------------------------------------------------------ the list */

static const ws_frame_column columns[] = {{"weight", "launches"}, {"stratum", ""},    {"launches", "launches"},
                                          {"spread", "ratio"},    {"error", "ratio"}, {"warp_instructions", "instr"}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int add_row(ws_frame *f, const chosen_launch *c)
{
    const double value[COLUMNS] = {c->weight, c->stratum, c->launches, c->spread, c->error, known(c)->instructions};
    char number[32];
    snprintf(number, sizeof number, "%" PRIu64, known(c)->number);
    const char *const label[] = {c->population->workload, known(c)->title, number, c->reason, known(c)->kernel};
    return ws_frame_add_row(f, label, value);
}

static int add_notes(ws_frame *f, const ws_sample_list *list, const ws_sample_method *method, const ws_sample_plan *how)
{
    int status = ws_frame_note(f, "method: %s (%s)", method->name, method->meaning);
    if (!status && method->bounded)
        status = ws_frame_note(f, "wanted: an error of at most %g %% with a confidence of %g %%", 100 * how->error,
                               100 * how->confidence);
    if (!status)
        status = ws_frame_note(f, "seed: %" PRIu64, how->seed);
    for (size_t i = 0; i < list->summaries && !status; i++) {
        const ws_sample_summary *const s = &list->summary[i];
        char bound[40] = "no bound";
        if (isfinite(s->bound))
            snprintf(bound, sizeof bound, "bound %.2f %%", 100 * s->bound);
        status = ws_frame_note(f, "%s: %zu of %zu launches, %.3g %% of the instructions, %s", s->workload, s->chosen,
                               s->launches, 100 * s->share, bound);
    }
    return status;
}

int ws_sample_list_frame(const ws_sample_list *list, const ws_sample_method *method, const ws_sample_plan *how,
                         ws_frame **out)
{
    static const ws_frame_layout layout = {
        {"workload", "kernel", "launch", "reason", WS_FRAME_MANGLED}, columns, COLUMNS, ""};
    ws_frame *f;
    int status = ws_frame_begin(&layout, &f);
    if (!status)
        status = add_notes(f, list, method, how);
    for (size_t i = 0; i < list->count && !status; i++)
        status = add_row(f, &list->item[i]);
    if (status)
        ws_frame_destroy(f);
    *out = status ? NULL : f;
    return status;
}

/* ------------------------------------------------------------------------------------------------ forms of others */

const char *const ws_sample_exports[] = {"accelsim", "nvbit", "numbers", NULL};
enum { ACCELSIM, NVBIT, NUMBERS };

/* "2,5-8" */
static void print_ranges(const ws_sample_list *list, char between, FILE *out)
{
    for (size_t i = 0, end; i < list->count; i = end) {
        const uint64_t first = known(&list->item[i])->number;
        for (end = i + 1; end < list->count && known(&list->item[end])->number == first + (end - i); end++)
            ;
        if (i)
            putc(between, out);
        fprintf(out, "%" PRIu64, first);
        if (end - i > 1)
            fprintf(out, "-%" PRIu64, first + (end - i) - 1);
    }
    putc('\n', out);
}

int ws_sample_list_export(const ws_sample_list *list, size_t form, FILE *out)
{
    for (size_t i = 0; i < list->count && form == ACCELSIM; i++)
        fprintf(out, "kernel-%" PRIu64 ".traceg\n", known(&list->item[i])->number);
    if (form != ACCELSIM)
        print_ranges(list, form == NVBIT ? ' ' : ',', out);
    return ferror(out) ? ws_fail(WS_EIO, "the list cannot be written") : WS_OK;
}

/* ------------------------------------------------------------------------------------------------ a few words */

void ws_sample_list_print(const ws_sample_list *list, FILE *out)
{
    size_t chosen = 0, launches = 0;
    fprintf(out, "%-16s %7s %7s %8s %9s %13s %9s\n", "workload", "kernels", "strata", "launches", "of", "instructions",
            "bound");
    for (size_t i = 0; i < list->summaries; i++) {
        const ws_sample_summary *const s = &list->summary[i];
        char bound[32] = "-";
        if (isfinite(s->bound))
            snprintf(bound, sizeof bound, "%.2f %%", 100 * s->bound);
        fprintf(out, "%-16s %7zu %7zu %8zu %9zu %11.3g %% %9s\n", s->workload, s->kernels, s->strata, s->chosen,
                s->launches, 100 * s->share, bound);
        chosen += s->chosen;
        launches += s->launches;
    }
    if (list->summaries > 1)
        fprintf(out, "%-16s %7s %7s %8zu %9zu\n", "all", "", "", chosen, launches);
}
