/* power_frame.c - rows of energy to columns of watts. */
#include "model/mechanism/power/power_frame.h"

#include "base/status.h"
#include "model/mechanism/work_rows.h"
#include "record/simulate/simulation.h"
#include "model/sample/extrapolate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept {
    double begin, cycles;
    ws_energy energy;
    double weight, seconds_bound, joules_bound; /* with a list */
} kept;

struct ws_power_table {
    const ws_power *power;
    ws_power_part part;
    bool joules;
    ws_work_rows rows;          /* of kept */
    const ws_launch_list *list; /* that chose the launches; NULL: they are all */
};

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for rows of power");
}

int ws_power_table_create(const ws_power *power, ws_power_part part, bool joules, ws_power_table **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return no_memory();
    **out = (ws_power_table){.power = power, .part = part, .joules = joules, .rows.bytes = sizeof(kept)};
    return WS_OK;
}

void ws_power_table_destroy(ws_power_table *t)
{
    if (t)
        ws_work_rows_fini(&t->rows);
    free(t);
}

static kept *kept_of(const ws_power_table *t, size_t row)
{
    return t->rows.row[row].kept;
}

static void add_energy(ws_energy *sum, const ws_energy *more, double weight)
{
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        sum->dynamic[i] += weight * more->dynamic[i];
        sum->leakage[i] += weight * more->leakage[i];
    }
    sum->seconds += weight * more->seconds;
}

int ws_power_table_per(ws_power_table *t, const ws_activity_report *report, ws_per per)
{
    ws_activity_stretch s;
    for (size_t i = 0; ws_activity_report_at(report, i, &s); i++) {
        const char *const kernel = per == WS_PER_WORKLOAD ? "" : s.kernel;
        const size_t launch = per == WS_PER_LAUNCH ? s.launch : 0, before = t->rows.count;
        kept *const k = launch ? ws_work_rows_add(&t->rows, s.workload, kernel, launch)
                               : ws_work_rows_find(&t->rows, s.workload, kernel, 0, false);
        ws_energy energy = {0};
        if (!k)
            return WS_EMEM;
        if (t->rows.count > before)
            k->begin = (double)s.begin;
        k->cycles += (double)s.cycles;
        ws_power_energy(t->power, s.did, &energy);
        add_energy(&k->energy, &energy, 1);
    }
    return WS_OK;
}

int ws_power_table_report(ws_power_table *t, const ws_activity_report *report)
{
    return ws_power_table_per(t, report, WS_PER_LAUNCH);
}

/* ------------------------------------------------------------------------------------------------ estimates */

enum { OF_SECONDS, OF_JOULES, OF };

/* Nothing is estimated from a part of what was to be simulated. */
static void lose(kept *total)
{
    total->cycles = total->energy.seconds = total->weight = total->seconds_bound = total->joules_bound = NAN;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        total->energy.dynamic[i] = total->energy.leakage[i] = NAN;
}

/* Rows first to end are of one workload, stretches of those of its launches that are listed. */
static int add_up(ws_power_table *t, size_t first, size_t end, bool whole, kept *total)
{
    const ws_listed_launch *listed;
    size_t n, at;
    double sum;
    int status = ws_launch_list_of(t->list, t->rows.row[first].workload, &listed, &n);
    double(*const value)[OF] = status ? NULL : calloc(n, sizeof *value);
    if (!value)
        return status ? status : no_memory();
    for (size_t i = first; i < end; i++) {
        kept *const r = kept_of(t, i);
        at = ws_listed_find(listed, n, t->rows.row[i].launch);
        if (at == n)
            continue;
        r->weight = listed[at].weight;
        add_energy(&total->energy, &r->energy, r->weight);
        total->cycles += r->weight * r->cycles;
        value[at][OF_SECONDS] += r->energy.seconds;
        value[at][OF_JOULES] += ws_energy_total(&r->energy);
    }
    for (at = 0; at < n; at++)
        whole &= value[at][OF_SECONDS] > 0;
    status =
        ws_extrapolate(listed, n, &value[0][OF_SECONDS], OF, WS_SIMULATION_CONFIDENCE, &sum, &total->seconds_bound);
    if (!status)
        status =
            ws_extrapolate(listed, n, &value[0][OF_JOULES], OF, WS_SIMULATION_CONFIDENCE, &sum, &total->joules_bound);
    free(value);
    if (!whole)
        lose(total);
    return status;
}

static size_t end_of_workload(const ws_work_rows *rows, size_t first)
{
    size_t end = first;
    while (end < rows->count && !strcmp(rows->row[end].workload, rows->row[first].workload))
        end++;
    return end;
}

/* A new row, which becomes the one of that number. */
static kept *insert_total(ws_work_rows *rows, size_t at)
{
    kept *const total = ws_work_rows_add(rows, rows->row[at - 1].workload, "total", 0);
    if (!total)
        return NULL;
    const ws_work_row last = rows->row[rows->count - 1];
    memmove(&rows->row[at + 1], &rows->row[at], (rows->count - 1 - at) * sizeof last);
    rows->row[at] = last;
    *total = (kept){.begin = NAN, .weight = NAN};
    return total;
}

int ws_power_table_estimate(ws_power_table *t, const ws_launch_list *list, bool whole)
{
    int status = WS_OK;
    t->list = list;
    for (size_t first = 0, end; first < t->rows.count && !status; first = end + 1) {
        end = end_of_workload(&t->rows, first);
        kept *const total = insert_total(&t->rows, end);
        status = total ? add_up(t, first, end, whole, total) : WS_EMEM;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ frame */

enum { BEGIN, CYCLES, SECONDS, WATTS, JOULES, DYNAMIC, LEAKAGE, FIRST };
enum { WEIGHT, SECONDS_BOUND, JOULES_BOUND, LAST }; /* behind components, with a list */

static double component(const ws_power_table *t, const ws_energy *e, size_t i)
{
    return e->dynamic[i] + (t->part == WS_POWER_DYNAMIC ? 0 : e->leakage[i]);
}

static bool is_used(const ws_power_table *t, size_t i)
{
    bool used = false;
    for (size_t k = 0; k < t->rows.count; k++)
        used |= component(t, &kept_of(t, k)->energy, i) > 0;
    return used;
}

/* Are there several rows of one launch, stretches of it? */
static bool has_stretches(const ws_power_table *t)
{
    for (size_t i = 1; i < t->rows.count; i++)
        if (t->rows.row[i].launch && t->rows.row[i].launch == t->rows.row[i - 1].launch &&
            !strcmp(t->rows.row[i].workload, t->rows.row[i - 1].workload))
            return true;
    return false;
}

/* When each row begins, in seconds from the first one of its workload, into a column of the frame. */
static void fill_time(const ws_power_table *t, size_t column, ws_frame *frame)
{
    double now = 0;
    for (size_t i = 0; i < t->rows.count; i++) {
        if (i && strcmp(t->rows.row[i].workload, t->rows.row[i - 1].workload))
            now = 0;
        const bool one = t->rows.row[i].launch > 0; /* else a total of them */
        frame->value[i * frame->columns + column] = one ? now : NAN;
        now += one ? kept_of(t, i)->energy.seconds : 0;
    }
}

static void fill_row(const ws_power_table *t, size_t row, const size_t *shown, size_t count, double *to)
{
    const kept *const r = kept_of(t, row);
    const bool one = t->rows.row[row].launch > 0;
    const double per = r->energy.seconds == 0 ? 0 : 1 / r->energy.seconds;
    double leakage = 0;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        leakage += r->energy.leakage[i];
    const double joules = ws_energy_total(&r->energy);
    to[BEGIN] = r->begin;
    to[CYCLES] = r->cycles;
    to[SECONDS] = r->energy.seconds;
    to[WATTS] = joules * per;
    to[JOULES] = joules;
    to[DYNAMIC] = (joules - leakage) * (t->joules ? 1 : per);
    to[LEAKAGE] = leakage * (t->joules ? 1 : per);
    for (size_t i = 0; i < count; i++)
        to[FIRST + i] = component(t, &r->energy, shown[i]) * (t->joules ? 1 : per);
    if (t->list)
        memcpy(&to[FIRST + count],
               (double[LAST]){[WEIGHT] = r->weight,
                              [SECONDS_BOUND] = one ? NAN : r->seconds_bound,
                              [JOULES_BOUND] = one ? NAN : r->joules_bound},
               LAST * sizeof *to);
}

static int label_row(ws_frame *frame, size_t at, const ws_work_row *r)
{
    char launch[WS_LAUNCH_LABEL];
    int status = ws_frame_set_label(frame, at, 0, r->workload);
    if (!status)
        status = ws_frame_set_label(frame, at, 1, r->kernel);
    return status ? status : ws_frame_set_label(frame, at, 2, ws_launch_label(r->launch, launch));
}

static int note_point(const ws_power *power, ws_frame *frame)
{
    const ws_power_point p = ws_power_point_of(power);
    if (!(p.feature_m > 0))
        return ws_frame_note(frame, "energies: accesses of %s, nothing leaks, at %.4g MHz", p.chip, p.core_hz * 1e-6);
    return ws_frame_note(frame, "chip: %s, %.0f nm, %.3g V at %.4g MHz, %.4g K", p.chip, p.feature_m * 1e9, p.volts,
                         p.core_hz * 1e-6, p.temperature_k);
}

static int note_estimates(const ws_power_table *t, ws_frame *frame)
{
    const ws_listed_launch *listed;
    size_t n;
    int status = WS_OK;
    for (size_t i = 0; t->list && i < t->rows.count && !status; i++) {
        const ws_work_row *const r = &t->rows.row[i];
        if (!r->launch && !(status = ws_launch_list_of(t->list, r->workload, &listed, &n)))
            status = ws_frame_note(frame, WS_SIMULATION_ESTIMATED, r->workload, n, ws_launch_list_file(t->list));
    }
    return status;
}

int ws_power_table_frame(const ws_power_table *t, ws_frame **out)
{
    static const char *const labels[] = {"workload", "kernel", "launch"};
    const char *const unit = t->joules ? "J" : "W";
    const char *const first[FIRST][2] = {{"begin", "cycles"}, {"cycles", "cycles"}, {"seconds", "s"}, {"watts", "W"},
                                         {"joules", "J"},     {"dynamic", unit},    {"leakage", unit}};
    static const char *const last[LAST][2] = {[WEIGHT] = {"weight", "launches"},
                                              [SECONDS_BOUND] = {"seconds_bound", "s"},
                                              [JOULES_BOUND] = {"joules_bound", "J"}};
    size_t shown[WS_POWER_COMPONENTS], count = 0;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        if (is_used(t, i))
            shown[count++] = i;
    const size_t behind = t->list ? LAST : 0, time = FIRST + count + behind, columns = time + has_stretches(t);
    ws_frame *const frame = ws_frame_create(t->rows.count, columns, 3, labels);
    int status = frame ? note_point(t->power, frame) : no_memory();
    if (!status)
        status = note_estimates(t, frame);
    for (size_t i = 0; i < FIRST && !status; i++)
        status = ws_frame_set_column(frame, i, first[i][0], first[i][1], "power");
    for (size_t i = 0; i < count && !status; i++)
        status = ws_frame_set_column(frame, FIRST + i, ws_power_component_name(shown[i]), unit,
                                     ws_power_component_group(shown[i]));
    for (size_t i = 0; i < behind && !status; i++)
        status = ws_frame_set_column(frame, FIRST + count + i, last[i][0], last[i][1], "power");
    if (!status && time < columns) {
        status = ws_frame_set_column(frame, time, "time", "s", "power");
        fill_time(t, time, frame);
    }
    for (size_t i = 0; i < t->rows.count && !status; i++) {
        status = label_row(frame, i, &t->rows.row[i]);
        fill_row(t, i, shown, count, frame->value + i * columns);
    }
    return ws_frame_give(status, frame, out);
}

/* ------------------------------------------------------------------------------------------------ terms */

int ws_power_terms_frame(const ws_power *power, const ws_activity *did, ws_frame **out)
{
    static const ws_frame_column columns[] = {{"each", "J"}, {"count", ""}, {"joules", "J"}};
    static const ws_frame_layout layout = {
        {"component", "kind", "counter", "instance", "why"}, columns, sizeof columns / sizeof *columns, "power"};
    uint64_t counter[sizeof *did / sizeof(uint64_t)];
    memcpy(counter, did, sizeof counter);
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = note_point(power, *out);
    for (size_t i = 0; i < ws_power_terms(power) && !status; i++) {
        const ws_power_term *const t = ws_power_term_at(power, i);
        const double count = (double)counter[t->at], value[] = {t->joules, count, t->joules * count};
        char name[64];
        snprintf(name, sizeof name, "%s.%s", t->part, t->counter);
        const char *const label[] = {ws_power_component_name(t->component), t->leaks ? "leakage" : "dynamic", name,
                                     t->instance ? t->instance : "", t->why};
        status = ws_frame_add_row(*out, label, value);
    }
    return status;
}
