/* activity.c - rows of activity.def, their sums and differences, and a frame of them. */
#include "model/activity.h"

#include "base/grow.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(ws_activity) % sizeof(uint64_t) == 0, "all of it is counters");
enum { COUNTERS = sizeof(ws_activity) / sizeof(uint64_t) };

static const char *const unit_names[WS_UNITS] = {
    [WS_UNIT_SP] = "sp",         [WS_UNIT_INT] = "int",   [WS_UNIT_DP] = "dp",         [WS_UNIT_SFU] = "sfu",
    [WS_UNIT_MEMORY] = "memory", [WS_UNIT_NONE] = "none", [WS_UNIT_TENSOR] = "tensor",
};
static const char *const cache_names[WS_ACTIVITY_CACHES] = {"l1", "texture", "constant", "l2", "l3"};
static const char *const direction_names[WS_ACTIVITY_DIRECTIONS] = {"request", "reply", "request_link", "reply_link"};
static const char *const table_names[WS_ACTIVITY_TABLES] = {"filter", "detector", "renaming"};

#define ONE        NULL
#define BANKS      NULL
#define UNITS      unit_names
#define OPERATIONS ws_operation_names
#define CACHES     cache_names
#define DIRECTIONS direction_names
#define TABLES     table_names
#define SIMULATION WS_ACTIVITY_SIMULATION
#define EVENTS     (WS_ACTIVITY_SIMULATION | WS_ACTIVITY_EVENTS)
#define TRAFFIC    (WS_ACTIVITY_SIMULATION | WS_ACTIVITY_TRAFFIC)
#define ALL        (EVENTS | TRAFFIC)
static const ws_activity_row rows[] = {
#define ACTIVITY(component, name, width, instances, knows, unit, meaning) \
    {#component, #name,    unit, meaning, width, offsetof(ws_activity, component##_##name) / sizeof(uint64_t), \
     knows,      instances},
#include "model/activity.def"
#undef ACTIVITY
};
#undef ONE
#undef BANKS
#undef UNITS
#undef OPERATIONS
#undef CACHES
#undef DIRECTIONS
#undef TABLES
#undef SIMULATION
#undef EVENTS
#undef TRAFFIC
#undef ALL

bool ws_activity_row_at(size_t index, ws_activity_row *row)
{
    if (index >= sizeof rows / sizeof *rows)
        return false;
    *row = rows[index];
    return true;
}

void ws_activity_add(ws_activity *sum, const ws_activity *more)
{
    uint64_t to[COUNTERS], from[COUNTERS];
    memcpy(to, sum, sizeof to);
    memcpy(from, more, sizeof from);
    for (size_t i = 0; i < COUNTERS; i++)
        to[i] += from[i];
    memcpy(sum, to, sizeof to);
}

void ws_activity_subtract(const ws_activity *after, const ws_activity *before, ws_activity *difference)
{
    uint64_t a[COUNTERS], b[COUNTERS];
    memcpy(a, after, sizeof a);
    memcpy(b, before, sizeof b);
    for (size_t i = 0; i < COUNTERS; i++)
        a[i] -= b[i];
    memcpy(difference, a, sizeof a);
}

/* ------------------------------------------------------------------------------------------------ a frame */

typedef struct stretch {
    char *workload, *kernel;
    size_t launch;
    uint64_t begin, cycles;
    ws_activity did;
} stretch;

struct ws_activity_report {
    ws_activity_source source;
    stretch *stretch;
    size_t count, room;
};

int ws_activity_report_create(ws_activity_source source, ws_activity_report **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ws_fail(WS_EMEM, "no memory for a report of activity");
    (*out)->source = source;
    return WS_OK;
}

void ws_activity_report_destroy(ws_activity_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->count; i++) {
        free(report->stretch[i].workload);
        free(report->stretch[i].kernel);
    }
    free(report->stretch);
    free(report);
}

int ws_activity_report_add(ws_activity_report *r, const char *workload, const char *kernel, size_t launch,
                           uint64_t begin, uint64_t cycles, const ws_activity *did)
{
    if (WS_GROW(r->stretch, r->room, r->count, 1))
        return ws_fail(WS_EMEM, "no memory for a report of activity");
    stretch *const s = &r->stretch[r->count];
    *s = (stretch){.workload = strdup(workload),
                   .kernel = strdup(kernel),
                   .launch = launch,
                   .begin = begin,
                   .cycles = cycles,
                   .did = *did};
    r->count++;
    return s->workload && s->kernel ? WS_OK : ws_fail(WS_EMEM, "no memory for a report of activity");
}

bool ws_activity_report_at(const ws_activity_report *r, size_t index, ws_activity_stretch *out)
{
    if (index >= r->count)
        return false;
    const stretch *const s = &r->stretch[index];
    *out = (ws_activity_stretch){.workload = s->workload,
                                 .kernel = s->kernel,
                                 .launch = s->launch,
                                 .begin = s->begin,
                                 .cycles = s->cycles,
                                 .did = &s->did};
    return true;
}

enum { BEGIN, CYCLES, VALUE, COLUMNS };
enum { WORKLOAD, KERNEL, LAUNCH, COMPONENT, INSTANCE, COUNTER, UNIT, LABELS };

typedef struct writer {
    const ws_activity_report *report;
    ws_frame *frame; /* NULL while rows are counted */
    size_t rows;
    int status;
} writer;

static void write_counter(writer *w, const stretch *s, const ws_activity_row *row, size_t element, uint64_t value)
{
    if (w->status || (!value && row->width > 1))
        return;
    const size_t at = w->rows++;
    if (!w->frame)
        return;
    char launch[24] = "", number[24] = "";
    if (s->launch)
        snprintf(launch, sizeof launch, "%zu", s->launch);
    if (row->width > 1)
        snprintf(number, sizeof number, "%zu", element);
    const char *const label[LABELS] = {
        s->workload, s->kernel, launch, row->component, row->instance ? row->instance[element] : number,
        row->name,   row->unit};
    for (size_t i = 0; i < LABELS && !w->status; i++)
        w->status = ws_frame_set_label(w->frame, at, i, label[i]);
    double *const to = w->frame->value + at * COLUMNS;
    to[BEGIN] = (double)s->begin;
    to[CYCLES] = (double)s->cycles;
    to[VALUE] = (double)value;
}

static void write_stretch(writer *w, const stretch *s)
{
    uint64_t counter[COUNTERS];
    memcpy(counter, &s->did, sizeof counter);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < rows[i].width && rows[i].known & (unsigned)w->report->source; k++)
            write_counter(w, s, &rows[i], k, counter[rows[i].at + k]);
}

static void write_all(writer *w)
{
    w->rows = 0;
    for (size_t i = 0; i < w->report->count; i++)
        write_stretch(w, &w->report->stretch[i]);
}

int ws_activity_report_frame(const ws_activity_report *report, ws_frame **out)
{
    const char *const labels[LABELS] = {"workload", report->source == WS_ACTIVITY_TRAFFIC ? "protocol" : "kernel",
                                        "launch",   "component",
                                        "instance", "counter",
                                        "unit"};
    static const char *const columns[COLUMNS][2] = {
        [BEGIN] = {"begin", "cycles"}, [CYCLES] = {"cycles", "cycles"}, [VALUE] = {"value", ""}};
    writer w = {.report = report};
    write_all(&w);
    w.frame = ws_frame_create(w.rows, COLUMNS, LABELS, labels);
    w.status = w.frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t i = 0; i < COLUMNS && !w.status; i++)
        w.status = ws_frame_set_column(w.frame, i, columns[i][0], columns[i][1], "");
    if (!w.status)
        write_all(&w);
    if (w.status) {
        ws_frame_destroy(w.frame);
        return w.status;
    }
    *out = w.frame;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ back from a frame */

/* Place of the element among the counters; COUNTERS: there is none. */
static size_t find_counter(const char *const label[LABELS])
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].component, label[COMPONENT]) != 0 || strcmp(rows[i].name, label[COUNTER]) != 0)
            continue;
        if (!rows[i].instance && rows[i].width > 1) {
            const unsigned long element = strtoul(label[INSTANCE], NULL, 10);
            return element < rows[i].width ? rows[i].at + element : COUNTERS;
        }
        for (size_t k = 0; k < rows[i].width; k++)
            if (!rows[i].instance || !strcmp(rows[i].instance[k], label[INSTANCE]))
                return rows[i].at + k;
    }
    return COUNTERS;
}

static bool is_same(const stretch *s, const char *const label[LABELS], const double *value)
{
    return !strcmp(s->workload, label[WORKLOAD]) && !strcmp(s->kernel, label[KERNEL]) &&
           s->launch == strtoul(label[LAUNCH], NULL, 10) && s->begin == (uint64_t)value[BEGIN];
}

int ws_activity_report_read(ws_activity_report *r, const ws_frame *frame)
{
    static const ws_activity nothing;
    const size_t before = r->count;
    int status =
        frame->labels == LABELS && frame->columns == COLUMNS ? WS_OK : ws_fail(WS_EINPUT, "this frame has no activity");
    for (size_t i = 0; i < frame->rows && !status; i++) {
        const char *const *const label = (const char *const *)frame->label + i * LABELS;
        const double *const value = frame->value + i * COLUMNS;
        const size_t at = find_counter(label);
        if (at == COUNTERS)
            return ws_fail(WS_EINPUT, "activity has no counter %s.%s of '%s'", label[COMPONENT], label[COUNTER],
                           label[INSTANCE]);
        if (r->count == before || !is_same(&r->stretch[r->count - 1], label, value))
            status = ws_activity_report_add(r, label[WORKLOAD], label[KERNEL], strtoul(label[LAUNCH], NULL, 10),
                                            (uint64_t)value[BEGIN], (uint64_t)value[CYCLES], &nothing);
        const uint64_t count = (uint64_t)value[VALUE];
        if (!status)
            memcpy((char *)&r->stretch[r->count - 1].did + at * sizeof count, &count, sizeof count);
    }
    return status;
}
