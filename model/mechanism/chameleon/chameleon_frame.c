/* chameleon_frame.c - what runs gave, as rows. */
#include "model/mechanism/chameleon/chameleon.h"

#include <stdio.h>
#include <string.h>

typedef struct table {
    const ws_chameleon *chameleon;
    const ws_experiment_result *result;
    size_t width; /* columns an outcome: its mean, and the ends of its interval */
    ws_frame *frame;
} table;

static int begin(table *t)
{
    static const char *const ends[] = {"", "_low", "_high"};
    enum { MOST = WS_OUTCOMES * sizeof ends / sizeof *ends };
    char name[MOST][64];
    ws_frame_column column[MOST];
    for (size_t i = 0; i < WS_OUTCOMES * t->width; i++) {
        const ws_outcome *const o = ws_outcome_at(i / t->width);
        snprintf(name[i], sizeof name[i], "%s%s", o->name, ends[i % t->width]);
        column[i] = (ws_frame_column){name[i], o->unit};
    }
    const ws_frame_layout layout = {{"supply", "workload", "policy"}, column, WS_OUTCOMES * t->width, "control"};
    return ws_frame_begin(&layout, &t->frame);
}

static int add_row(const table *t, long source, long load, size_t policy)
{
    const ws_chameleon *const c = t->chameleon;
    const char *const label[] = {source < 0 ? "mean" : c->source[source].name, load < 0 ? "mean" : c->load[load].name,
                                 c->policy[policy]->name};
    ws_estimate estimate[WS_OUTCOMES];
    double value[WS_OUTCOMES * 3];
    ws_experiment_estimate(t->result, source, load, policy, estimate);
    for (size_t i = 0; i < WS_OUTCOMES; i++) {
        const double ends[] = {estimate[i].mean, estimate[i].low, estimate[i].high};
        memcpy(value + i * t->width, ends, t->width * sizeof *ends);
    }
    return ws_frame_add_row(t->frame, label, value);
}

static int add_policies(const table *t, long source, long load)
{
    int status = WS_OK;
    for (size_t p = 0; p < t->chameleon->policies && !status; p++)
        status = add_row(t, source, load, p);
    return status;
}

static int fill(const table *t, ws_chameleon_per per)
{
    const bool each = per == WS_CHAMELEON_WORKLOAD || per == WS_CHAMELEON_ALL;
    if (per == WS_CHAMELEON_POLICY)
        return add_policies(t, WS_EXPERIMENT_ALL, WS_EXPERIMENT_ALL);
    int status = WS_OK;
    for (long s = 0; s < (long)t->chameleon->sources; s++) {
        for (long l = 0; each && l < (long)t->chameleon->loads && !status; l++)
            status = add_policies(t, s, l);
        if (!status && per != WS_CHAMELEON_WORKLOAD)
            status = add_policies(t, s, WS_EXPERIMENT_ALL);
    }
    return status;
}

/* What a file was, and what had to be mended. */
static int note_file(const table *t, size_t source)
{
    const ws_chameleon *const c = t->chameleon;
    enum { SECONDS_PER_HOUR = 3600 };
    const ws_supply_report *const r = &c->report[source];
    return ws_frame_note(
        t->frame,
        "supply %s: power of %s, %zu rows of %g s, gaps filled: %zu (%g h), jumps of the calendar: %zu, "
        "negative values taken as 0: %zu",
        c->source[source].name, r->columns, r->rows, r->file_step_s, r->gaps, r->filled_s / SECONDS_PER_HOUR, r->jumps,
        r->negative);
}

static int note(const table *t)
{
    const ws_chameleon_request *const r = t->chameleon->request;
    int status = ws_frame_note(t->frame, "run: days=%g seed=%llu seeds=%zu base=%s", r->days,
                               (unsigned long long)r->seed, r->seeds, r->base);
    for (size_t i = 0; i < t->chameleon->sources && !status; i++)
        if (t->chameleon->measured[i].count)
            status = note_file(t, i);
    if (!status && r->seeds > 1)
        status =
            ws_frame_note(t->frame,
                          "interval: _low and _high are the ends of the 95 %% confidence interval of the mean over "
                          "%zu seeds (Student's t; ratios by their logarithms)",
                          r->seeds);
    return status;
}

int ws_chameleon_frame(const ws_chameleon *c, const ws_experiment_result *result, ws_chameleon_per per, ws_frame **out)
{
    table t = {.chameleon = c, .result = result, .width = result->seeds > 1 ? 3 : 1};
    int status = begin(&t);
    *out = t.frame;
    if (!status)
        status = note(&t);
    return status ? status : fill(&t, per);
}
