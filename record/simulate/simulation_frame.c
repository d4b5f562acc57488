/* simulation_frame.c - rows of launches as a frame, with a total: of what was simulated, or an estimate. */
#include "record/simulate/simulation_internal.h"
#include "base/demangle.h"
#include "base/status.h"
#include "base/waiting_note.h"
#include "collect/shape/shape.h"
#include "model/sample/extrapolate.h"
#include "model/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without a launch the row is that of several, which have no name in the program. */
static int fill_row(ws_frame *frame, size_t at, const char *workload, const char *kernel, size_t launch,
                    const char *ended, const double *value)
{
    char number[32] = "";
    if (launch)
        snprintf(number, sizeof number, "%zu", launch);
    char *const title = ws_demangle(kernel);
    const char *const label[] = {workload, title, number, ended, launch ? kernel : ""};
    int status = title ? WS_OK : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t l = 0; l < sizeof label / sizeof *label && !status; l++)
        status = ws_frame_set_label(frame, at, l, label[l]);
    free(title);
    memcpy(frame->value + at * frame->columns, value, frame->columns * sizeof *value);
    return status;
}

/* Timestamps start again with each launch, so the sums know only those of the last one. */
static void set_greatest_timestamp(const ws_simulation *s, double *value)
{
    size_t column = 0;
    while (strcmp(ws_sim_stat_at(s->machine, column).name, "greatest_timestamp") != 0)
        column++;
    value[column] = 0;
    for (size_t i = 0; i < s->count; i++)
        value[column] = fmax(value[column], s->rows[i].value[column]);
}

static bool is_whole(const ws_simulation_row *r)
{
    return !strcmp(r->ended, "done") || !strcmp(r->ended, WS_SIMULATION_PROJECTED);
}

static bool all_done(const ws_simulation *s)
{
    bool all = true;
    for (size_t i = 0; i < s->count; i++)
        all = all && is_whole(&s->rows[i]);
    return all;
}

static bool any_projected(const ws_simulation *s)
{
    bool any = false;
    for (size_t i = 0; i < s->count; i++)
        any = any || s->rows[i].simulated < 1;
    return any;
}

/* Share of the warp instructions of all rows. */
static double share_simulated(const ws_simulation *s)
{
    double all = 0, did = 0;
    size_t column = 0;
    while (strcmp(ws_sim_stat_at(s->machine, column).name, "warp_instructions") != 0)
        column++;
    for (size_t i = 0; i < s->count; i++) {
        all += s->rows[i].value[column];
        did += s->rows[i].value[column] * s->rows[i].simulated;
    }
    return all > 0 ? did / all : 1;
}

/* Of column `c`: launches do the same things and are wrong the same way, so halves of intervals are added. */
static double bound_projected(const ws_simulation *s, size_t c)
{
    double sum = 0;
    for (size_t i = 0; i < s->count && s->options.steady > 0; i++) {
        const ws_simulation_row *const r = &s->rows[i];
        sum += r->bound[c] * (s->listed ? s->listed[ws_listed_find(s->listed, s->listed_count, r->launch)].weight : 1);
    }
    return sum;
}

/* Columns of bounds, those of what adds up, in their order; each adds what was projected to what there is. */
static void add_bounds(const ws_simulation *s, double *bound)
{
    for (size_t c = 0; c < ws_sim_stat_count(s->machine); c++)
        if (ws_sim_stat_at(s->machine, c).adds_up) {
            *bound = hypot(*bound, bound_projected(s, c));
            bound++;
        }
}

/* All launches of one workload are one row more. */
static int add_total(const ws_simulation *s, ws_frame *frame)
{
    const size_t columns = ws_sim_stat_count(s->machine);
    ws_sim_sums now, did;
    double *const value = calloc(frame->columns, sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "no memory for results");
    ws_sim_sum(s->sim, &now);
    ws_sim_sums_subtract(&now, &s->first, &did);
    ws_sim_stat_values(any_projected(s) ? &s->weighted : &did, s->machine, value);
    set_greatest_timestamp(s, value);
    if (s->options.steady > 0) {
        value[columns] = share_simulated(s);
        add_bounds(s, value + columns + 1);
        for (size_t i = columns; i < frame->columns && !all_done(s); i++)
            value[i] = NAN;
    }
    const char *const ended = !all_done(s) ? "incomplete" : any_projected(s) ? "estimated" : "done";
    const int status = fill_row(frame, s->count, s->rows[0].workload, "total", 0, ended, value);
    free(value);
    return status;
}

static bool has_bounds(const ws_simulation *s)
{
    return s->listed || s->options.steady > 0;
}

static int name_columns(const ws_simulation *s, ws_frame *frame)
{
    const size_t columns = ws_sim_stat_count(s->machine);
    int status = WS_OK;
    for (size_t i = 0; i < columns && !status; i++)
        status =
            ws_frame_set_column(frame, i, ws_sim_stat_at(s->machine, i).name, ws_sim_stat_at(s->machine, i).unit, "");
    size_t at = columns;
    if (!status && s->options.steady > 0)
        status = ws_frame_set_column(frame, at++, "simulated", "ratio", "");
    if (!status && s->listed)
        status = ws_frame_set_column(frame, at++, "weight", "launches", "");
    if (!has_bounds(s))
        return status;
    for (size_t i = 0; i < columns && !status; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s_bound", ws_sim_stat_at(s->machine, i).name);
        if (ws_sim_stat_at(s->machine, i).adds_up)
            status = ws_frame_set_column(frame, at++, name, ws_sim_stat_at(s->machine, i).unit, "");
    }
    return status;
}

static size_t count_columns(const ws_simulation *s)
{
    const size_t columns = ws_sim_stat_count(s->machine);
    size_t sums = 0;
    for (size_t i = 0; i < columns; i++)
        sums += ws_sim_stat_at(s->machine, i).adds_up;
    return columns + (s->options.steady > 0) + (s->listed != NULL) + (has_bounds(s) ? sums : 0);
}

/* Values of what was simulated, column by column behind one another, in the order of the list. */
static int extrapolate(const ws_simulation *s, double *bound)
{
    const size_t columns = ws_sim_stat_count(s->machine), n = s->listed_count;
    double *const simulated = calloc(n, sizeof *simulated);
    int status = simulated ? WS_OK : ws_fail(WS_EMEM, "no memory for results");
    for (size_t c = 0; c < columns && !status; c++) {
        double total;
        for (size_t i = 0; i < s->count; i++)
            simulated[ws_listed_find(s->listed, n, s->rows[i].launch)] = s->rows[i].value[c];
        if (ws_sim_stat_at(s->machine, c).adds_up)
            status = ws_extrapolate(s->listed, n, simulated, 1, WS_SIMULATION_CONFIDENCE, &total, bound++);
    }
    free(simulated);
    return status;
}

/* Nothing is estimated from a part of what was to be simulated. */
static int add_estimate(const ws_simulation *s, ws_frame *frame)
{
    const bool whole = s->count == s->listed_count && all_done(s);
    double *const value = calloc(frame->columns, sizeof *value);
    int status = value ? WS_OK : ws_fail(WS_EMEM, "no memory for results");
    for (size_t i = 0; i < frame->columns && value; i++)
        value[i] = NAN;
    if (!status && whole) {
        ws_sim_stat_values(&s->weighted, s->machine, value);
        set_greatest_timestamp(s, value);
        size_t at = ws_sim_stat_count(s->machine);
        if (s->options.steady > 0)
            value[at++] = share_simulated(s);
        status = extrapolate(s, value + at + 1);
        add_bounds(s, value + at + 1);
    }
    if (!status)
        status =
            fill_row(frame, s->count, s->listed[0].workload, "total", 0, whole ? "estimated" : "incomplete", value);
    free(value);
    return status ? status
                  : ws_frame_note(frame, WS_SIMULATION_ESTIMATED, s->listed[0].workload, s->listed_count, s->list);
}

static int add_launch(const ws_simulation *s, ws_frame *frame, size_t at, size_t launch)
{
    const ws_simulation_row *const r = &s->rows[at];
    const size_t columns = ws_sim_stat_count(s->machine);
    double *const value = calloc(frame->columns, sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "no memory for results");
    for (size_t i = 0; i < frame->columns; i++)
        value[i] = i < columns ? r->value[i] : NAN;
    size_t next = columns;
    if (s->options.steady > 0)
        value[next++] = is_whole(r) ? r->simulated : NAN;
    if (s->listed)
        value[next++] = s->listed[ws_listed_find(s->listed, s->listed_count, launch)].weight;
    for (size_t c = 0; c < columns && s->options.steady > 0; c++)
        if (ws_sim_stat_at(s->machine, c).adds_up)
            value[next++] = is_whole(r) ? r->bound[c] : NAN;
    const int status = fill_row(frame, at, r->workload, r->kernel, launch, r->ended, value);
    free(value);
    return status;
}

static int note_shape(const ws_simulation *s, ws_frame *frame)
{
    char names[256] = "";
    for (int i = 0; i < WS_SHAPE_ROWS; i++)
        if (s->options.shape >> i & 1)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "",
                     ws_shape_name((ws_shape_row)i));
    return ws_frame_note(frame, "shape: %s", names);
}

static int add_notes(const ws_simulation *s, ws_frame *frame)
{
    int status = ws_frame_note(frame, WS_MACHINE_NOTE, s->machine->name, ws_machine_protocol(s->machine));
    if (!status && s->sass)
        status = ws_frame_note(frame, "instructions: SASS, from traces of GPUs");
    if (!status && s->cold)
        status = ws_frame_note(
            frame, "l2.warm: a trace does not say where the host copied to, so nothing of it is in L2; trace it again");
    if (!status && !s->options.live)
        status = ws_note_waiting(frame, ws_simulation_workload(s), s->waiting, s->launches);
    if (!status && s->options.shape)
        status = note_shape(s, frame);
    if (!status && any_projected(s))
        status = ws_frame_note(frame,
                               "steady: launches that ended so are projected from a part of them (--steady %g%%); "
                               "bounds are half of 95 %% intervals",
                               100 * s->options.steady);
    if (!status && s->options.check)
        status = ws_frame_note(frame, "checked loads: %" PRIu64, s->checked_before + ws_sim_checked(s->sim));
    if (!status)
        status = ws_label_note(&s->labelled, s->machine, s->machine->sm_atomics->counts, frame);
    if (!status && s->options.live)
        status = ws_frame_note(frame, "live: the order of the simulated machine decides what loads find");
    return status;
}

int ws_simulation_frame(const ws_simulation *s, ws_frame **out)
{
    static const char *const labels[] = {"workload", "kernel", "launch", "ended", WS_FRAME_MANGLED};
    const size_t total = s->listed ? s->count > 0 : s->count > 1;
    ws_frame *const frame = ws_frame_create(s->count + total, count_columns(s), sizeof labels / sizeof *labels, labels);
    int status = frame ? name_columns(s, frame) : ws_fail(WS_EMEM, "no memory for a frame");
    size_t launch = 1;
    for (size_t i = 0; i < s->count && !status; i++) {
        const ws_simulation_row *const r = &s->rows[i];
        launch = r->launch ? r->launch : i && strcmp(r->workload, s->rows[i - 1].workload) == 0 ? launch + 1 : 1;
        status = add_launch(s, frame, i, launch);
    }
    if (!status && total)
        status = s->listed ? add_estimate(s, frame) : add_total(s, frame);
    if (!status)
        status = add_notes(s, frame);
    return ws_frame_give(status, frame, out);
}
