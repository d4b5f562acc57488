/* chameleon_frame.c - what runs gave, as rows. */
#include "model/mechanism/chameleon/chameleon.h"

#include <string.h>

typedef struct table {
    const ws_chameleon *chameleon;
    const ws_experiment_result *result;
    ws_chameleon_per per;
    size_t width; /* columns an outcome: its mean, and the ends of its interval */
    ws_frame *frame;
} table;

static int name_columns(const table *t)
{
    static const char *const ends[] = {"", "_low", "_high"};
    int status = WS_OK;
    for (size_t i = 0; i < WS_OUTCOMES; i++)
        for (size_t k = 0; k < t->width && !status; k++) {
            const ws_outcome *const o = ws_outcome_at(i);
            char name[64];
            snprintf(name, sizeof name, "%s%s", o->name, ends[k]);
            status = ws_frame_set_column(t->frame, i * t->width + k, name, o->unit, "control");
        }
    return status;
}

static int fill_row(const table *t, size_t row, long source, long load, size_t policy)
{
    const ws_chameleon *const c = t->chameleon;
    ws_estimate estimate[WS_OUTCOMES];
    ws_experiment_estimate(t->result, source, load, policy, estimate);
    double *const value = t->frame->value + row * t->frame->columns;
    for (size_t i = 0; i < WS_OUTCOMES; i++) {
        const double ends[] = {estimate[i].mean, estimate[i].low, estimate[i].high};
        memcpy(value + i * t->width, ends, t->width * sizeof *ends);
    }
    int status = ws_frame_set_label(t->frame, row, 0, source < 0 ? "mean" : c->source[source].name);
    if (!status)
        status = ws_frame_set_label(t->frame, row, 1, load < 0 ? "mean" : c->load[load].name);
    return status ? status : ws_frame_set_label(t->frame, row, 2, c->policy[policy]->name);
}

static int fill(const table *t)
{
    const long sources = t->per == WS_CHAMELEON_POLICY ? 1 : (long)t->chameleon->sources;
    const long loads = t->per == WS_CHAMELEON_WORKLOAD ? (long)t->chameleon->loads : 1;
    int status = name_columns(t);
    size_t row = 0;
    for (long s = 0; s < sources; s++)
        for (long l = 0; l < loads; l++)
            for (size_t p = 0; p < t->chameleon->policies && !status; p++)
                status = fill_row(t, row++, t->per == WS_CHAMELEON_POLICY ? WS_EXPERIMENT_ALL : s,
                                  t->per == WS_CHAMELEON_WORKLOAD ? l : WS_EXPERIMENT_ALL, p);
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
    static const char *const labels[] = {"supply", "workload", "policy"};
    const size_t rows = (per == WS_CHAMELEON_POLICY ? 1 : c->sources) * (per == WS_CHAMELEON_WORKLOAD ? c->loads : 1);
    table t = {.chameleon = c, .result = result, .per = per, .width = result->seeds > 1 ? 3 : 1};
    t.frame = *out = ws_frame_create(rows * c->policies, WS_OUTCOMES * t.width, 3, labels);
    if (!t.frame)
        return ws_fail(WS_EMEM, "out of memory");
    const int status = note(&t);
    return status ? status : fill(&t);
}
