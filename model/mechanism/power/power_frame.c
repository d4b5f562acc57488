/* power_frame.c - rows of energy to columns of watts. */
#include "model/mechanism/power/power_frame.h"

#include "base/grow.h"
#include "base/status.h"
#include "record/simulate/simulation.h"
#include "model/sample/extrapolate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    char *workload, *kernel;
    size_t launch;
    double begin, cycles;
    ws_energy energy;
    double weight, seconds_bound, joules_bound; /* with a list */
} row;

struct ws_power_table {
    const ws_power *power;
    bool joules;
    row *row;
    size_t rows, room;
    const ws_launch_list *list; /* that chose the launches; NULL: they are all */
};

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for rows of power");
}

int ws_power_table_create(const ws_power *power, bool joules, ws_power_table **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return no_memory();
    (*out)->power = power;
    (*out)->joules = joules;
    return WS_OK;
}

void ws_power_table_destroy(ws_power_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->rows; i++) {
        free(t->row[i].workload);
        free(t->row[i].kernel);
    }
    free(t->row);
    free(t);
}

static void add_energy(ws_energy *sum, const ws_energy *more, double weight)
{
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++) {
        sum->dynamic[i] += weight * more->dynamic[i];
        sum->leakage[i] += weight * more->leakage[i];
    }
    sum->seconds += weight * more->seconds;
}

/* The row of the same workload and kernel to which one without a launch belongs; NULL: none yet. */
static row *find_row(const ws_power_table *t, const ws_power_row *add)
{
    for (size_t i = t->rows; i-- > 0 && !add->launch && !strcmp(t->row[i].workload, add->workload);)
        if (!t->row[i].launch && !strcmp(t->row[i].kernel, add->kernel))
            return &t->row[i];
    return NULL;
}

int ws_power_table_add(ws_power_table *t, const ws_power_row *add)
{
    row *const same = find_row(t, add);
    if (same) {
        add_energy(&same->energy, &add->energy, 1);
        same->cycles += (double)add->cycles;
        return WS_OK;
    }
    if (WS_GROW(t->row, t->room, t->rows, 1))
        return no_memory();
    row *const r = &t->row[t->rows++];
    *r = (row){.workload = strdup(add->workload),
               .kernel = strdup(add->kernel),
               .launch = add->launch,
               .begin = (double)add->begin,
               .cycles = (double)add->cycles,
               .energy = add->energy};
    return r->workload && r->kernel ? WS_OK : no_memory();
}

int ws_power_table_report(ws_power_table *t, const ws_activity_report *report)
{
    ws_activity_stretch s;
    int status = WS_OK;
    for (size_t i = 0; !status && ws_activity_report_at(report, i, &s); i++) {
        ws_power_row add = {
            .workload = s.workload, .kernel = s.kernel, .launch = s.launch, .begin = s.begin, .cycles = s.cycles};
        ws_power_energy(t->power, s.did, &add.energy);
        status = ws_power_table_add(t, &add);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ estimates */

enum { OF_SECONDS, OF_JOULES, OF };

/* Nothing is estimated from a part of what was to be simulated. */
static void lose(row *total)
{
    total->cycles = total->energy.seconds = total->weight = total->seconds_bound = total->joules_bound = NAN;
    for (size_t i = 0; i < WS_POWER_COMPONENTS; i++)
        total->energy.dynamic[i] = total->energy.leakage[i] = NAN;
}

/* Rows first to end are of one workload, stretches of those of its launches that are listed. */
static int add_up(ws_power_table *t, size_t first, size_t end, bool whole, row *total)
{
    const ws_listed_launch *listed;
    size_t n, at;
    double sum;
    int status = ws_launch_list_of(t->list, t->row[first].workload, &listed, &n);
    double(*const value)[OF] = status ? NULL : calloc(n, sizeof *value);
    if (!value)
        return status ? status : no_memory();
    for (size_t i = first; i < end; i++) {
        row *const r = &t->row[i];
        at = ws_listed_find(listed, n, r->launch);
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

static size_t end_of_workload(const ws_power_table *t, size_t first)
{
    size_t end = first;
    while (end < t->rows && !strcmp(t->row[end].workload, t->row[first].workload))
        end++;
    return end;
}

int ws_power_table_estimate(ws_power_table *t, const ws_launch_list *list, bool whole)
{
    int status = WS_OK;
    t->list = list;
    for (size_t first = 0, end; first < t->rows && !status; first = end + 1) {
        row total = {
            .workload = strdup(t->row[first].workload), .kernel = strdup("total"), .begin = NAN, .weight = NAN};
        end = end_of_workload(t, first);
        status = total.workload && total.kernel ? add_up(t, first, end, whole, &total) : no_memory();
        if (!status && WS_GROW(t->row, t->room, t->rows, 1))
            status = no_memory();
        if (status) {
            free(total.workload);
            free(total.kernel);
            return status;
        }
        memmove(&t->row[end + 1], &t->row[end], (t->rows - end) * sizeof *t->row);
        t->row[end] = total;
        t->rows++;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ frame */

enum { BEGIN, CYCLES, SECONDS, WATTS, JOULES, DYNAMIC, LEAKAGE, FIRST };
enum { WEIGHT, SECONDS_BOUND, JOULES_BOUND, LAST }; /* behind components, with a list */

static double component(const ws_energy *e, size_t i)
{
    return e->dynamic[i] + e->leakage[i];
}

static bool is_used(const ws_power_table *t, size_t i)
{
    bool used = false;
    for (size_t k = 0; k < t->rows; k++)
        used |= component(&t->row[k].energy, i) > 0;
    return used;
}

static void fill_row(const ws_power_table *t, const row *r, const size_t *shown, size_t count, double *to)
{
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
        to[FIRST + i] = component(&r->energy, shown[i]) * (t->joules ? 1 : per);
    if (t->list)
        memcpy(&to[FIRST + count],
               (double[LAST]){[WEIGHT] = r->weight,
                              [SECONDS_BOUND] = r->launch ? NAN : r->seconds_bound,
                              [JOULES_BOUND] = r->launch ? NAN : r->joules_bound},
               LAST * sizeof *to);
}

static int label_row(ws_frame *frame, size_t at, const row *r)
{
    char launch[24] = "";
    if (r->launch)
        snprintf(launch, sizeof launch, "%zu", r->launch);
    int status = ws_frame_set_label(frame, at, 0, r->workload);
    if (!status)
        status = ws_frame_set_label(frame, at, 1, r->kernel);
    return status ? status : ws_frame_set_label(frame, at, 2, launch);
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
    for (size_t i = 0; t->list && i < t->rows && !status; i++)
        if (!t->row[i].launch && !(status = ws_launch_list_of(t->list, t->row[i].workload, &listed, &n)))
            status = ws_frame_note(frame, WS_SIMULATION_ESTIMATED, t->row[i].workload, n, ws_launch_list_file(t->list));
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
    const size_t behind = t->list ? LAST : 0, columns = FIRST + count + behind;
    ws_frame *const frame = ws_frame_create(t->rows, columns, 3, labels);
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
    for (size_t i = 0; i < t->rows && !status; i++) {
        status = label_row(frame, i, &t->row[i]);
        fill_row(t, &t->row[i], shown, count, frame->value + i * columns);
    }
    if (status)
        ws_frame_destroy(frame);
    else
        *out = frame;
    return status;
}

/* ------------------------------------------------------------------------------------------------ terms */

static int label_term(ws_frame *frame, size_t at, const ws_power_term *t)
{
    char counter[64];
    snprintf(counter, sizeof counter, "%s.%s", t->part, t->counter);
    const char *const label[] = {ws_power_component_name(t->component), t->leaks ? "leakage" : "dynamic", counter,
                                 t->instance ? t->instance : "", t->why};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof label / sizeof *label && !status; i++)
        status = ws_frame_set_label(frame, at, i, label[i]);
    return status;
}

int ws_power_terms_frame(const ws_power *power, const ws_activity *did, ws_frame **out)
{
    static const char *const labels[] = {"component", "kind", "counter", "instance", "why"};
    const size_t rows = ws_power_terms(power), columns = 3;
    uint64_t counter[sizeof *did / sizeof(uint64_t)];
    memcpy(counter, did, sizeof counter);
    ws_frame *const frame = ws_frame_create(rows, columns, 5, labels);
    int status = frame ? note_point(power, frame) : no_memory();
    if (!status)
        status = ws_frame_set_column(frame, 0, "each", "J", "power");
    if (!status)
        status = ws_frame_set_column(frame, 1, "count", "", "power");
    if (!status)
        status = ws_frame_set_column(frame, 2, "joules", "J", "power");
    for (size_t i = 0; i < rows && !status; i++) {
        const ws_power_term *const t = ws_power_term_at(power, i);
        const double count = (double)counter[t->at];
        status = label_term(frame, i, t);
        memcpy(frame->value + i * columns, (double[]){t->joules, count, t->joules * count}, columns * sizeof(double));
    }
    if (status)
        ws_frame_destroy(frame);
    else
        *out = frame;
    return status;
}
