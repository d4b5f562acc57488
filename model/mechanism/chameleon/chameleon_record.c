/* chameleon_record.c - what happened in one run, thinned to rows that a picture can show. */
#include "model/mechanism/chameleon/chameleon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_PER_HOUR = 3600 };

/* Part of the time: sums over its steps, and how it ended. */
typedef struct moment {
    double steps, supply_w, load_w, battery_w, throughput;
    double stored_j, hottest_k;
    unsigned mode;
} moment;

/* Part of the time: sums over its coarse periods, and how it ended. */
typedef struct lesson {
    double periods, reward;
    unsigned mode;
    size_t state;
} lesson;

struct ws_chameleon_record {
    const ws_chameleon *chameleon;
    size_t steps, periods;               /* in all */
    size_t moment_steps, lesson_periods; /* in each */
    size_t moments, lessons;
    moment *moment;
    lesson *lesson;
    double *value; /* [lessons][states * modes] at the end of each */
    size_t cells;  /* states * modes */
    bool learns;
    size_t step; /* so far */
    double least_w, most_w;
};

/* Of `all`, so many belong together that there are at most WS_RECORD_ROWS. */
static size_t share_of(size_t all)
{
    return (all + WS_RECORD_ROWS - 1) / WS_RECORD_ROWS;
}

int ws_chameleon_record_create(const ws_chameleon *c, ws_chameleon_record **out)
{
    const ws_experiment e = ws_chameleon_experiment(c);
    ws_chameleon_record *const r = calloc(1, sizeof *r);
    *out = r;
    if (!r)
        return ws_fail(WS_EMEM, "out of memory");
    const double steps = e.seconds / c->control.loop_fine,
                 in_period = round(c->control.loop_coarse / c->control.loop_fine);
    r->chameleon = c;
    r->steps = steps < WS_SUPPLY_MOST ? (size_t)(steps + 1e-6) : 0; /* what is beyond is refused later */
    r->periods = (size_t)ceil((double)r->steps / in_period);
    r->moment_steps = share_of(r->steps);
    r->lesson_periods = share_of(r->periods);
    r->moments = r->steps ? (r->steps - 1) / r->moment_steps + 1 : 0;
    r->lessons = r->periods ? (r->periods - 1) / r->lesson_periods + 1 : 0;
    r->cells = ws_drive_states(&c->control) * c->control.modes;
    r->moment = calloc(r->moments + 1, sizeof *r->moment);
    r->lesson = calloc(r->lessons + 1, sizeof *r->lesson);
    r->value = calloc(r->lessons * r->cells + 1, sizeof *r->value);
    return r->moment && r->lesson && r->value ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

void ws_chameleon_record_destroy(ws_chameleon_record *r)
{
    if (!r)
        return;
    free(r->moment);
    free(r->lesson);
    free(r->value);
    free(r);
}

int ws_chameleon_record_see(ws_chameleon_record *r, const ws_drive_period *p, const ws_wear *wear)
{
    for (size_t i = 0; i < p->steps; i++) {
        const ws_plant_flow *const f = &p->flow[i];
        moment *const m = &r->moment[r->step++ / r->moment_steps];
        m->steps++;
        m->supply_w += p->supply_w[i];
        m->load_w += f->load_w;
        m->battery_w += f->delivered_w - f->charged_w;
        m->throughput += f->throughput;
        m->stored_j = p->stored_j[i];
        m->hottest_k = wear ? wear->die_k[i] : NAN;
        m->mode = p->mode;
    }
    const size_t at = p->index / r->lesson_periods;
    lesson *const l = &r->lesson[at];
    l->periods++;
    l->reward += p->reward;
    l->mode = p->mode;
    l->state = p->state;
    r->least_w = p->least_w;
    r->most_w = p->most_w;
    r->learns = p->values != NULL;
    if (p->values)
        memcpy(r->value + at * r->cells, p->values, r->cells * sizeof *r->value);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ frames */

static int note_run(const ws_chameleon_record *r, ws_frame *frame)
{
    const ws_chameleon *const c = r->chameleon;
    char modes[WS_CONTROL_MODES * (WS_CONTROL_NAME + 1)] = "";
    for (size_t i = 0; i < c->control.modes; i++)
        snprintf(modes + strlen(modes), sizeof modes - strlen(modes), " %s", c->control.mode[i].name);
    const int status =
        ws_frame_note(frame, "run: supply=%s workload=%s policy=%s days=%g seed=%llu", c->source[0].name,
                      c->load[0].name, c->policy[0]->name, c->request->days, (unsigned long long)c->request->seed);
    return status ? status : ws_frame_note(frame, "modes:%s", modes);
}

typedef struct column {
    const char *name, *unit, *group;
} column;

static int open_frame(const ws_chameleon_record *r, size_t rows, const column *first, size_t columns, size_t more,
                      ws_frame **out)
{
    static const char *const labels[] = {"run"};
    *out = ws_frame_create(rows, columns + more, 1, labels);
    int status = *out ? note_run(r, *out) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < columns && !status; i++)
        status = ws_frame_set_column(*out, i, first[i].name, first[i].unit, first[i].group);
    for (size_t i = 0; i < rows && !status; i++)
        status = ws_frame_set_label(*out, i, 0, r->chameleon->policy[0]->name);
    return status;
}

int ws_chameleon_timeline(const ws_chameleon_record *r, ws_frame **out)
{
    static const column columns[] = {{"time", "h", ""},
                                     {"supply", "W", "power"},
                                     {"load", "W", "power"},
                                     {"battery", "W", "power"},
                                     {"throughput", "", "throughput"},
                                     {"charge", "", "charge"},
                                     {"temperature", "K", "temperature"},
                                     {"mode", "", "mode"}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const ws_control *const c = &r->chameleon->control;
    const double capacity_j = c->battery_capacity * SECONDS_PER_HOUR;
    const int status = open_frame(r, r->moments, columns, COLUMNS, 0, out);
    double end = 0;
    for (size_t i = 0; i < r->moments && !status; i++) {
        const moment *const m = &r->moment[i];
        end += m->steps;
        const double row[COLUMNS] = {end * c->loop_fine / SECONDS_PER_HOUR,
                                     m->supply_w / m->steps,
                                     m->load_w / m->steps,
                                     m->battery_w / m->steps,
                                     m->throughput / m->steps,
                                     capacity_j > 0 ? m->stored_j / capacity_j : NAN,
                                     m->hottest_k,
                                     m->mode};
        memcpy((*out)->value + i * COLUMNS, row, sizeof row);
    }
    return status;
}

/* "state 2, -60 to -20 W, charge 1 of 2": a panel of the picture. */
static void state_name(const ws_chameleon_record *r, size_t state, char *text, size_t size)
{
    const ws_control *const c = &r->chameleon->control;
    const size_t interval = state / c->state_charge;
    const double width = (r->most_w - r->least_w) / c->state_mismatch, low = r->least_w + width * (double)interval;
    const int n = snprintf(text, size, "supply - demand from %.0f to %.0f W", low, low + width);
    if (c->state_charge > 1)
        snprintf(text + n, size - (size_t)n, ", charge %zu of %u", state % c->state_charge + 1, c->state_charge);
}

static int name_values(const ws_chameleon_record *r, size_t first, ws_frame *frame)
{
    const ws_control *const c = &r->chameleon->control;
    int status = WS_OK;
    for (size_t i = 0; i < r->cells && !status; i++) {
        char name[WS_CONTROL_NAME + 32], group[96];
        snprintf(name, sizeof name, "Q%zu_%s", i / c->modes + 1, c->mode[i % c->modes].name);
        state_name(r, i / c->modes, group, sizeof group);
        status = ws_frame_set_column(frame, first + i, name, "", group);
    }
    return status;
}

int ws_chameleon_learning(const ws_chameleon_record *r, ws_frame **out)
{
    static const column columns[] = {{"time", "h", ""},
                                     {"reward", "", "reward"},
                                     {"reward_so_far", "", "reward"},
                                     {"state", "", "state"},
                                     {"mode", "", "mode"}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const size_t cells = r->learns ? r->cells : 0;
    int status = open_frame(r, r->lessons, columns, COLUMNS, cells, out);
    if (!status && cells)
        status = name_values(r, COLUMNS, *out);
    double end = 0, reward = 0;
    for (size_t i = 0; i < r->lessons && !status; i++) {
        const lesson *const l = &r->lesson[i];
        end += l->periods;
        reward += l->reward;
        const double row[COLUMNS] = {end * r->chameleon->control.loop_coarse / SECONDS_PER_HOUR, l->reward / l->periods,
                                     reward / end, (double)l->state + 1, l->mode};
        double *const to = (*out)->value + i * (COLUMNS + cells);
        memcpy(to, row, sizeof row);
        memcpy(to + COLUMNS, r->value + i * r->cells, cells * sizeof *to);
    }
    return status;
}
