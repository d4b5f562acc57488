/* simulation.c - runs launches through a simulated machine, shows progress, keeps checkpoints, collects rows. */
#include "cli/simulate/simulation.h"

#include "base/demangle.h"
#include "base/grow.h"
#include "base/output.h"
#include "base/status.h"
#include "cli/simulate/shaped_source.h"
#include "cli/simulate/steady.h"
#include "collect/shape/shape.h"
#include "model/activity.h"
#include "model/sample/extrapolate.h"
#include "model/sim/register_file.h"
#include "model/sim/sim_activity.h"
#include "cli/common/interrupt.h"
#include "cli/common/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    SLICE_CYCLES = 20000, /* between looks at the clock and at Ctrl-C */
    STEADY_CYCLES = 400   /* between looks at waves */
};
static const double confidence = 0.95;
static const char projected[] = "steady"; /* how a launch ended that was stopped */
/* The number grows whenever a part of the machine keeps its state in another way. */
static const char checkpoint_magic[] = "warpscape checkpoint 3 of " WS_VERSION "\n";

typedef struct row {
    char *workload, *kernel;
    char ended[16];
    size_t launch; /* its number; 0: the next one of the workload */
    double *value;
    double *bound;    /* halves of intervals, of the same columns; NULL: nobody asked */
    double simulated; /* share of its warp instructions */
} row;

struct ws_simulation {
    const ws_machine *machine;
    ws_simulation_options options;
    ws_sim *sim;
    row *rows;
    size_t count, room;
    ws_sim_sums before, first; /* at the start of the launch; of all */
    ws_progress bar;
    size_t launch; /* of the trace */
    size_t number; /* of the launch that runs, from 1 on; 0: it is not from a trace */
    uint64_t trace;  /* what tells it from others */
    uint64_t next_checkpoint;
    ws_activity_report *activity; /* NULL: nobody asked */
    ws_activity did;              /* up to the last stretch that was kept */
    uint64_t kept;                /* cycles of the launch in these */
    const ws_listed_launch *listed; /* [listed_count] that are to be simulated, in order of their numbers; NULL: all */
    size_t listed_count;
    const char *list; /* the file that lists them */
    uint64_t list_sum; /* what tells the list from others */
    ws_sim_sums weighted; /* rows as often as their weights say, with a list or where launches are stopped */
    ws_steady steady; /* of the launch */
    ws_sim_sums part; /* what it did, if it was stopped */
    /* Of machines that were given up: */
    uint64_t cycles_before, checked_before;
    bool sass;  /* a launch was recorded on a GPU */
    bool cold;  /* a trace says how much the host copied, and not where, for a machine that would have it in L2 */
    bool spent; /* the last launch did not end, so the machine cannot take another */
};

static void say(void *context, const char *line)
{
    ws_simulation *const s = context;
    ws_progress_end(&s->bar);
    fprintf(stderr, "%s\n", line);
}

static int make_machine(ws_simulation *s, ws_sim **out)
{
    const ws_sim_options how = {.workers = s->options.workers, .check = s->options.check, .say = say, .context = s};
    return ws_sim_create(s->machine, &how, out);
}

/* A new machine, with cold caches. What the old one did stays in the total: `first` becomes as much less (modulo 2^64)
 * as there was. */
static int renew_machine(ws_simulation *s)
{
    ws_sim *fresh;
    ws_sim_sums now, did;
    const int status = make_machine(s, &fresh);
    if (status)
        return status;
    ws_sim_sum(s->sim, &now);
    ws_sim_sums_subtract(&now, &s->first, &did);
    s->cycles_before += ws_sim_now(s->sim);
    s->checked_before += ws_sim_checked(s->sim);
    ws_sim_destroy(s->sim);
    s->sim = fresh;
    ws_sim_sum(fresh, &now);
    ws_sim_sums_subtract(&now, &did, &s->first);
    s->spent = false;
    return WS_OK;
}

/* What is in registers is known by the names that PTX gives them. */
static int check_shape(const ws_machine *machine, const ws_simulation_options *options)
{
    const ws_register_file_ops *const file = ws_register_file_find(machine->registers_file);
    return options->shape && file && file->wants_values
               ? ws_fail(WS_EUNSUPPORTED, "registers.file = %s looks at values, which are those of PTX registers: not with --shape",
                         machine->registers_file)
               : WS_OK;
}

int ws_simulation_create(const ws_machine *machine, const ws_simulation_options *options, ws_simulation **out)
{
    ws_simulation *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for a simulation");
    s->machine = machine;
    s->options = *options;
    int status = check_shape(machine, options);
    if (!status)
        status = make_machine(s, &s->sim);
    if (!status && options->activity)
        status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &s->activity);
    if (status) {
        ws_simulation_destroy(s);
        return status;
    }
    ws_sim_sum(s->sim, &s->first);
    *out = s;
    return WS_OK;
}

void ws_simulation_destroy(ws_simulation *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->count; i++) {
        free(s->rows[i].workload);
        free(s->rows[i].kernel);
        free(s->rows[i].value);
        free(s->rows[i].bound);
    }
    free(s->rows);
    ws_activity_report_destroy(s->activity);
    ws_sim_destroy(s->sim);
    free(s);
}

int ws_simulation_shape(const ws_simulation *s, ws_source **source)
{
    const int status = s->options.shape ? ws_source_shape(source, s->options.shape) : WS_OK;
    if (!status)
        return WS_OK;
    (*source)->ops->destroy(*source);
    *source = NULL;
    return status;
}

ws_sim *ws_simulation_sim(ws_simulation *s)
{
    return s->sim;
}

const ws_machine *ws_simulation_machine(const ws_simulation *s)
{
    return s->machine;
}

const char *ws_simulation_workload(const ws_simulation *s)
{
    return s->count ? s->rows[0].workload : "";
}

uint64_t ws_simulation_now(const ws_simulation *s)
{
    return s->cycles_before + ws_sim_now(s->sim);
}

/* ------------------------------------------------------------------------------------------------ rows */

static int add_row(ws_simulation *s, const char *workload, const char *kernel, const char *ended, row **out)
{
    if (WS_GROW(s->rows, s->room, s->count, 1))
        return ws_fail(WS_EMEM, "no memory for results");
    row *const r = &s->rows[s->count];
    *r = (row){.workload = strdup(workload),
               .kernel = strdup(kernel),
               .value = calloc(ws_sim_stat_count(s->machine), sizeof *r->value),
               .bound = s->options.steady > 0 ? calloc(ws_sim_stat_count(s->machine), sizeof *r->bound) : NULL,
               .simulated = 1};
    snprintf(r->ended, sizeof r->ended, "%s", ended);
    if (!r->workload || !r->kernel || !r->value || (s->options.steady > 0 && !r->bound))
        return ws_fail(WS_EMEM, "no memory for results");
    s->count++;
    *out = r;
    return WS_OK;
}

/* A launch goes into the totals. */
static void weigh(ws_simulation *s, const ws_sim_sums *did, uint64_t number)
{
    if (s->listed)
        ws_sim_sums_add(&s->weighted, did, s->listed[ws_listed_find(s->listed, s->listed_count, number)].weight);
    else if (s->options.steady > 0)
        ws_sim_sums_add(&s->weighted, did, 1);
}

/* What is left of a launch that was stopped is not in its row yet: project() adds it. */
static int add_result(ws_simulation *s, const char *workload, const char *kernel, const char *ended)
{
    ws_sim_sums now, did;
    row *r;
    const int status = add_row(s, workload, kernel, ended, &r);
    if (status)
        return status;
    r->launch = s->number;
    ws_sim_sum(s->sim, &now);
    ws_sim_sums_subtract(&now, &s->before, &did);
    if (s->steady.stopped)
        s->part = did;
    else
        weigh(s, &did, s->number);
    ws_sim_stat_values(&did, s->machine, r->value);
    return WS_OK;
}

/* Launch `index` of the trace, shaped if that is wanted. */
static int open_source(const ws_simulation *s, ws_trace *trace, size_t index, uint32_t slots, ws_source **out)
{
    const int status = ws_source_of_trace(trace, index, slots, out);
    return status ? status : ws_simulation_shape(s, out);
}

/* After the end of a launch that was stopped: its row becomes that of the whole launch, its other CTAs leave in L2 what they would have left. */
static int project(ws_simulation *s, ws_trace *trace, size_t index)
{
    row *const r = &s->rows[s->count - 1];
    const double simulated = (double)s->part.sm.warp_instructions;
    uint64_t instructions = 0;
    ws_source *source;
    int status = open_source(s, trace, index, 1, &source);
    if (status)
        return status;
    const uint64_t left = source->ctas - ws_sim_given(s->sim);
    status = ws_sim_warm_rest(s->sim, source, &instructions);
    source->ops->destroy(source);
    if (!status)
        status = ws_steady_bound(&s->steady, s->machine, left, instructions, r->bound);
    if (status)
        return status;
    ws_steady_project(&s->steady, instructions, &s->part);
    weigh(s, &s->part, r->launch);
    ws_sim_stat_values(&s->part, s->machine, r->value);
    r->simulated = simulated / (simulated + (double)instructions);
    snprintf(r->ended, sizeof r->ended, "%s", projected);
    return WS_OK;
}

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

static bool is_whole(const row *r)
{
    return !strcmp(r->ended, "done") || !strcmp(r->ended, projected);
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
        const row *const r = &s->rows[i];
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

/* ------------------------------------------------------------------------------------------------ lists of launches */

static uint64_t sum_list(const ws_listed_launch *l, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double numbers[] = {(double)l[i].number, l[i].weight, l[i].stratum, l[i].launches, l[i].spread};
        sum = XXH64(numbers, sizeof numbers, sum);
    }
    return sum;
}

int ws_simulation_choose(ws_simulation *s, const ws_launch_list *list, const char *workload)
{
    const int status = ws_launch_list_of(list, workload, &s->listed, &s->listed_count);
    if (status) {
        s->listed = NULL;
        return status;
    }
    s->list = ws_launch_list_file(list);
    s->list_sum = sum_list(s->listed, s->listed_count);
    return WS_OK;
}

bool ws_simulation_wants(const ws_simulation *s, uint64_t number)
{
    return !s->listed || ws_listed_find(s->listed, s->listed_count, number) < s->listed_count;
}

/* A list of another program, or of another run of it, is noticed here. */
static int check_kernel(const ws_simulation *s, const ws_launch *launch, uint64_t number)
{
    const ws_listed_launch *const l = &s->listed[ws_listed_find(s->listed, s->listed_count, number)];
    return !*l->kernel || !strcmp(l->kernel, launch->kernel)
               ? WS_OK
               : ws_fail(WS_EINPUT, "%s:%zu: launch %" PRIu64 " of %s is one of kernel %s here, not of %s; the list is of another run",
                         s->list, l->line, number, l->workload, launch->kernel, l->kernel);
}

static int refuse_listed(const ws_simulation *s, const ws_listed_launch *l)
{
    return ws_fail(WS_EINPUT, "%s:%zu: there is no launch %" PRIu64 " of %s; the list is of another run", s->list, l->line, l->number,
                   l->workload);
}

int ws_simulation_check_list(const ws_simulation *s)
{
    for (size_t i = 0; i < s->listed_count; i++) {
        size_t r = 0;
        while (r < s->count && s->rows[r].launch != s->listed[i].number)
            r++;
        if (r == s->count)
            return refuse_listed(s, &s->listed[i]);
    }
    return WS_OK;
}

/* Before any time is spent: numbers and kernels of all that are listed. */
static int check_trace(const ws_simulation *s, const ws_trace *trace)
{
    for (size_t i = 0; i < s->listed_count; i++) {
        size_t k = 0;
        while (k < ws_trace_launches(trace) && ws_trace_get(trace, k)->launch.sequence + 1 != s->listed[i].number)
            k++;
        const int status = k < ws_trace_launches(trace) ? check_kernel(s, &ws_trace_get(trace, k)->launch, s->listed[i].number)
                                                        : refuse_listed(s, &s->listed[i]);
        if (status)
            return status;
    }
    return WS_OK;
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
        status = ws_frame_set_column(frame, i, ws_sim_stat_at(s->machine, i).name, ws_sim_stat_at(s->machine, i).unit, "");
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
            status = ws_extrapolate(s->listed, n, simulated, 1, confidence, &total, bound++);
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
        status = fill_row(frame, s->count, s->listed[0].workload, "total", 0, whole ? "estimated" : "incomplete", value);
    free(value);
    return status ? status
                  : ws_frame_note(frame, "%s: the total is estimated from %zu of its launches, those of %s; bounds are half of 95 %% intervals",
                                  s->listed[0].workload, s->listed_count, s->list);
}

static int add_launch(const ws_simulation *s, ws_frame *frame, size_t at, size_t launch)
{
    const row *const r = &s->rows[at];
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
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "", ws_shape_name((ws_shape_row)i));
    return ws_frame_note(frame, "shape: %s", names);
}

static int add_notes(const ws_simulation *s, ws_frame *frame)
{
    int status = ws_frame_note(frame, "machine: %s, protocol %s", s->machine->name, s->machine->coherence_protocol);
    if (!status && s->sass)
        status = ws_frame_note(frame, "instructions: SASS, from traces of GPUs");
    if (!status && s->cold)
        status = ws_frame_note(frame, "l2.warm: a trace does not say where the host copied to, so nothing of it is in L2; trace it again");
    if (!status && s->options.shape)
        status = note_shape(s, frame);
    if (!status && any_projected(s))
        status = ws_frame_note(frame, "steady: launches that ended so are projected from a part of them (--steady %g%%); bounds are half of 95 %% intervals",
                               100 * s->options.steady);
    if (!status && s->options.check)
        status = ws_frame_note(frame, "checked loads: %" PRIu64, s->checked_before + ws_sim_checked(s->sim));
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
        const row *const r = &s->rows[i];
        launch = r->launch ? r->launch : i && strcmp(r->workload, s->rows[i - 1].workload) == 0 ? launch + 1 : 1;
        status = add_launch(s, frame, i, launch);
    }
    if (!status && total)
        status = s->listed ? add_estimate(s, frame) : add_total(s, frame);
    if (!status)
        status = add_notes(s, frame);
    if (status) {
        ws_frame_destroy(frame);
        return status;
    }
    *out = frame;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

/* All numbers and names that make the machine, its memory included, and what it is given to do. */
static int identify_machine(const ws_simulation *s, uint64_t *out)
{
    const ws_machine *const m = s->machine;
    uint64_t sum = s->options.shape;
    ws_dram_part part;
    const int status = ws_machine_part(m, &part);
    if (status)
        return status;
    sum = XXH64(&part.clock_mhz, sizeof part.clock_mhz, sum);
#define FIELD(section, name, kind, least, most, fallback, meaning) sum = XXH64(&part.name, sizeof part.name, sum);
#include "model/sim/dram_part.def"
#undef FIELD
    sum = XXH64(part.mapping, strlen(part.mapping), sum);
#define NUMBER(section, name, unit, fallback, least, most, meaning) \
    sum = XXH64(&m->section##_##name, sizeof m->section##_##name, sum);
#define WORD(section, name, fallback, meaning) sum = XXH64(m->section##_##name, strlen(m->section##_##name), sum);
#include "model/sim/machine.def"
#undef NUMBER
#undef WORD
    const ws_machine_options *list;
    const char *section;
    for (size_t i = 0; (list = ws_machine_given(m, i, &section)); i++)
        for (size_t k = 0; k < list->count; k++) {
            sum = XXH64(section, strlen(section), sum);
            sum = XXH64(list->list[k].name, strlen(list->list[k].name), sum);
            sum = XXH64(&list->list[k].value, sizeof list->list[k].value, sum);
        }
    *out = sum;
    return WS_OK;
}

/* Launches with their instructions and sizes: warps of another trace would go on somewhere else. */
static uint64_t identify_trace(const ws_trace *trace)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ws_trace_launches(trace); i++) {
        const ws_trace_launch *const t = ws_trace_get(trace, i);
        const uint64_t numbers[] = {t->blocks, t->stored_bytes, t->launch.threads_per_block, t->launch.instrs};
        sum = XXH64(numbers, sizeof numbers, sum);
        sum = XXH64(t->launch.kernel, strlen(t->launch.kernel), sum);
        for (size_t k = 0; k < t->launch.instrs; k++)
            sum = XXH64(t->launch.instr[k].opcode, strlen(t->launch.instr[k].opcode), sum);
    }
    return sum;
}

static void add_rows(const ws_simulation *s, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, s->count);
    for (size_t i = 0; i < s->count; i++) {
        ws_bytes_add_text(bytes, s->rows[i].workload);
        ws_bytes_add_text(bytes, s->rows[i].kernel);
        ws_bytes_add_varint(bytes, s->rows[i].launch);
        ws_bytes_add(bytes, s->rows[i].value, ws_sim_stat_count(s->machine) * sizeof(double));
    }
}

static int write_file(const char *path, const ws_bytes *bytes)
{
    ws_output out;
    const int status = ws_output_open(&out, path);
    if (status)
        return status;
    fwrite(bytes->data, 1, bytes->length, out.stream);
    return ws_output_close(&out, WS_OK);
}

static int keep_checkpoint(ws_simulation *s)
{
    ws_bytes bytes = {0};
    uint64_t machine;
    const int known = identify_machine(s, &machine);
    if (known)
        return known;
    ws_bytes_add(&bytes, checkpoint_magic, sizeof checkpoint_magic - 1);
    ws_bytes_add_varint(&bytes, machine);
    ws_bytes_add_varint(&bytes, s->trace);
    ws_bytes_add_varint(&bytes, s->list_sum);
    ws_bytes_add_varint(&bytes, s->launch);
    ws_bytes_add(&bytes, &s->before, sizeof s->before);
    ws_bytes_add(&bytes, &s->weighted, sizeof s->weighted);
    add_rows(s, &bytes);
    int status = ws_sim_save(s->sim, &bytes);
    const uint64_t sum = bytes.failed ? 0 : XXH64(bytes.data, bytes.length, 0);
    ws_bytes_add(&bytes, &sum, sizeof sum);
    if (!status && bytes.failed)
        status = ws_fail(WS_EMEM, "no memory for a checkpoint");
    if (!status)
        status = write_file(s->options.checkpoint, &bytes);
    ws_bytes_fini(&bytes);
    return status;
}

static int read_rows(ws_simulation *s, ws_reader *reader)
{
    int status = WS_OK;
    for (uint64_t left = ws_read_varint(reader); left && !status && !reader->failed; left--) {
        size_t workload_length, kernel_length;
        const char *const workload = ws_read_text(reader, &workload_length);
        const char *const kernel = ws_read_text(reader, &kernel_length);
        const uint64_t launch = ws_read_varint(reader);
        const uint8_t *const value = ws_read_bytes(reader, ws_sim_stat_count(s->machine) * sizeof(double));
        if (!workload || !kernel || !value)
            break;
        char *const w = strndup(workload, workload_length), *const k = strndup(kernel, kernel_length);
        row *r;
        status = w && k ? add_row(s, w, k, "done", &r) : ws_fail(WS_EMEM, "no memory for results");
        if (!status) {
            memcpy(r->value, value, ws_sim_stat_count(s->machine) * sizeof(double));
            r->launch = launch;
        }
        free(w);
        free(k);
    }
    return status;
}

static int read_file(const char *path, ws_bytes *bytes)
{
    FILE *const in = fopen(path, "rb");
    if (!in)
        return ws_fail(WS_EIO, "%s: cannot be read; a run with --checkpoint makes it", path);
    uint8_t part[65536];
    for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
        ws_bytes_add(bytes, part, n);
    const bool bad = ferror(in) || bytes->failed;
    fclose(in);
    return bad ? ws_fail(WS_EIO, "%s: cannot be read", path) : WS_OK;
}

/* Up to the state of the machine, which begins at reader->next. */
static int open_checkpoint(ws_simulation *s, const ws_bytes *bytes, ws_reader *reader)
{
    const char *const path = s->options.checkpoint;
    const size_t magic = sizeof checkpoint_magic - 1;
    uint64_t sum, machine;
    const int status = identify_machine(s, &machine);
    if (status)
        return status;
    if (bytes->length < magic + sizeof sum || memcmp(bytes->data, checkpoint_magic, magic) != 0)
        return ws_fail(WS_EINPUT, "%s: not a checkpoint of this warpscape, " WS_VERSION "; start again without --resume", path);
    memcpy(&sum, bytes->data + bytes->length - sizeof sum, sizeof sum);
    if (sum != XXH64(bytes->data, bytes->length - sizeof sum, 0))
        return ws_fail(WS_EINPUT, "%s: the checkpoint is damaged; start again without --resume", path);
    *reader = (ws_reader){.next = bytes->data + magic, .end = bytes->data + bytes->length - sizeof sum};
    if (ws_read_varint(reader) != machine)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is of another machine; give the options that it was made with", path);
    if (ws_read_varint(reader) != s->trace)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is of another trace", path);
    if (ws_read_varint(reader) != s->list_sum)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is of other launches; give the list (--launches) that it was made with", path);
    s->launch = ws_read_varint(reader);
    const uint8_t *const before = ws_read_bytes(reader, sizeof s->before), *const weighted = ws_read_bytes(reader, sizeof s->weighted);
    if (!before || !weighted)
        return ws_fail(WS_EINPUT, "%s: the checkpoint is too short", path);
    memcpy(&s->before, before, sizeof s->before);
    memcpy(&s->weighted, weighted, sizeof s->weighted);
    return read_rows(s, reader);
}

/* ------------------------------------------------------------------------------------------------ running */

static void plan_checkpoint(ws_simulation *s)
{
    const uint64_t now = ws_sim_now(s->sim), every = s->options.checkpoint_every;
    s->next_checkpoint = every < UINT64_MAX - now ? now + every : UINT64_MAX;
}

static int look_up(ws_simulation *s, const ws_source *source, uint64_t began)
{
    ws_progress_show(&s->bar, source->launch->kernel,
                     source->ctas ? (double)ws_sim_ctas_done(s->sim) / (double)source->ctas : 1);
    const uint64_t now = ws_sim_now(s->sim);
    if (ws_interrupted())
        return WS_EINTERRUPTED; /* run_to_end says where */
    if (s->options.max_cycles && now - began >= s->options.max_cycles)
        return ws_fail(WS_ELIMIT, "kernel %s: more than %" PRIu64 " cycles (--max-cycles)", source->launch->kernel,
                       s->options.max_cycles);
    if (!s->options.checkpoint || now < s->next_checkpoint)
        return WS_OK;
    plan_checkpoint(s);
    return keep_checkpoint(s);
}

static const char *end_of(const ws_simulation *s, int status, const ws_source *source)
{
    return status == WS_OK              ? source->ctas < source->launch->blocks ? "cut"
                                          : s->steady.stopped                   ? "stopped"
                                                                                : "done"
           : status == WS_EINTERRUPTED ? "interrupted"
           : status == WS_ELIMIT       ? "limit"
                                       : "failed";
}

/* To the next look at the clock, but not beyond the limit, which is a whole number of windows: a run may end before a
 * part of one. */
static uint64_t next_stop(const ws_simulation *s, uint64_t began)
{
    const bool waves = s->options.steady > 0 && !s->steady.stopped;
    const uint64_t slice = ws_sim_now(s->sim) + (waves ? STEADY_CYCLES : SLICE_CYCLES), most = s->options.max_cycles;
    const uint64_t window = s->machine->port_cycles;
    const uint64_t first = most && most < slice - began ? (began + most + window - 1) / window * window : slice;
    const uint64_t interval = s->activity ? s->options.interval : 0;
    if (!interval || interval > first - began)
        return first;
    const uint64_t end = (began + (s->kept / interval + 1) * interval + window - 1) / window * window;
    return end < first ? end : first;
}

/* What the parts did since the last stretch. */
static int keep_stretch(ws_simulation *s, const char *workload, const ws_source *source, uint64_t began)
{
    ws_activity now, did;
    const uint64_t cycles = ws_sim_now(s->sim) - began, begin = s->kept;
    ws_sim_activity(s->sim, &now);
    ws_activity_subtract(&now, &s->did, &did);
    s->did = now;
    s->kept = cycles;
    return ws_activity_report_add(s->activity, workload, source->launch->kernel, s->number ? s->number : s->count + 1, begin,
                                  cycles - begin, &did);
}

int ws_simulation_activity(const ws_simulation *s, ws_frame **out)
{
    const int status = ws_activity_report_frame(s->activity, out);
    return status ? status : ws_frame_note(*out, "machine: %s, protocol %s", s->machine->name, s->machine->coherence_protocol);
}

static void keep_at_interrupt(ws_simulation *s)
{
    if (keep_checkpoint(s))
        fprintf(stderr, "warpscape sim: %s\n", ws_message());
    else
        fprintf(stderr, "warpscape sim: the state is in %s; --resume goes on from there\n", s->options.checkpoint);
}

static bool ends_interval(const ws_simulation *s, uint64_t began)
{
    const uint64_t interval = s->activity ? s->options.interval : 0;
    return interval && (ws_sim_now(s->sim) - began) / interval > s->kept / interval;
}

static int run_to_end(ws_simulation *s, const char *workload, ws_source *source)
{
    ws_sim_sums sums;
    ws_sim_sum(s->sim, &sums);
    const uint64_t began = ws_sim_now(s->sim) - (sums.cycles - s->before.cycles); /* also when it was resumed */
    char message[1024];
    bool done = false;
    int status = WS_OK;
    plan_checkpoint(s);
    s->sass |= ws_isa_is_sass(source->launch->isa);
    s->cold |= s->machine->l2_warm && source->launch->h2d_bytes && !source->launch->copies;
    ws_progress_begin(&s->bar);
    if (s->options.live)
        s->bar.out = NULL;
    if (s->activity)
        ws_sim_activity(s->sim, &s->did);
    s->kept = 0;
    ws_steady_begin(&s->steady, s->options.steady, &s->before);
    while (!status && !done) {
        status = ws_sim_run(s->sim, next_stop(s, began), &done);
        if (!status && !done && ends_interval(s, began))
            status = keep_stretch(s, workload, source, began);
        if (!status && !done && s->options.steady > 0)
            ws_steady_look(&s->steady, s->sim, source->ctas);
        if (!status && !done)
            status = look_up(s, source, began);
    }
    ws_progress_end(&s->bar);
    if (status == WS_EINTERRUPTED) /* found here, or by the engine in a live step */
        ws_fail(status, "interrupted in cycle %" PRIu64 " of kernel %s", ws_sim_now(s->sim) - began, source->launch->kernel);
    snprintf(message, sizeof message, "%s", ws_message());
    if (status == WS_EINTERRUPTED && s->options.checkpoint)
        keep_at_interrupt(s);
    const int kept = s->activity ? keep_stretch(s, workload, source, began) : WS_OK;
    const int added = kept ? kept : add_result(s, workload, source->launch->kernel, end_of(s, status, source));
    const int ended = ws_sim_end(s->sim);
    s->spent = status != WS_OK;
    if (status)
        return ws_fail(status, "%s", message);
    return added ? added : ended;
}

int ws_simulation_launch(ws_simulation *s, const char *workload, ws_source *source)
{
    int status = s->spent ? renew_machine(s) : WS_OK;
    if (!status && s->listed && s->options.live) {
        s->number = source->launch->sequence + 1;
        status = check_kernel(s, source->launch, s->number);
    }
    if (!status)
        status = ws_sim_begin(s->sim, source);
    if (status)
        return status;
    ws_sim_sum(s->sim, &s->before);
    return run_to_end(s, workload, source);
}

int ws_simulation_trace_launch(ws_simulation *s, const char *workload, ws_trace *trace, size_t index)
{
    ws_source *source;
    int status = open_source(s, trace, index, ws_sim_slots(s->machine), &source);
    if (status)
        return status;
    s->launch = index;
    s->number = s->listed ? ws_trace_get(trace, index)->launch.sequence + 1 : index + 1;
    s->trace = identify_trace(trace);
    status = ws_simulation_launch(s, workload, source);
    s->number = 0;
    const bool cut = source->ctas < source->launch->blocks;
    source->ops->destroy(source);
    if (!status && !cut && s->steady.stopped)
        status = project(s, trace, index);
    if (!status && cut && ws_trace_damage(trace))
        return ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    return !status && cut ? ws_fail(WS_EINPUT, "%s: launch %zu was cut short when the trace was written",
                                    ws_trace_path(trace), index + 1) : status;
}

/* What nobody simulates leaves in L2 what it would have left there, or something like it. */
static int pass_over(ws_simulation *s, ws_trace *trace, size_t index)
{
    ws_source *source;
    int status = s->spent ? renew_machine(s) : WS_OK;
    if (!status)
        status = ws_source_of_trace(trace, index, 1, &source);
    if (status)
        return status;
    status = ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted before launch %zu", index + 1) : ws_sim_warm(s->sim, source);
    source->ops->destroy(source);
    return status;
}

int ws_simulation_trace(ws_simulation *s, const char *workload, ws_trace *trace, size_t first)
{
    int status = check_trace(s, trace);
    for (size_t i = first; i < ws_trace_launches(trace) && !status; i++)
        status = ws_simulation_wants(s, ws_trace_get(trace, i)->launch.sequence + 1) ? ws_simulation_trace_launch(s, workload, trace, i)
                                                                                     : pass_over(s, trace, i);
    if (!status && ws_trace_damage(trace))
        status = ws_fail(WS_EINPUT, "%s", ws_trace_damage(trace));
    return status;
}

int ws_simulation_resume(ws_simulation *s, const char *workload, ws_trace *trace)
{
    ws_bytes bytes = {0};
    ws_reader reader;
    ws_source *source = NULL;
    s->trace = identify_trace(trace);
    int status = read_file(s->options.checkpoint, &bytes);
    if (!status)
        status = open_checkpoint(s, &bytes, &reader);
    if (!status && s->launch >= ws_trace_launches(trace))
        status = ws_fail(WS_EINPUT, "%s: the checkpoint is of a trace with more launches", s->options.checkpoint);
    if (!status)
        status = open_source(s, trace, s->launch, ws_sim_slots(s->machine), &source);
    if (!status)
        status = ws_sim_begin(s->sim, source);
    if (!status)
        status = ws_sim_load(s->sim, &reader);
    ws_bytes_fini(&bytes);
    s->number = status || !s->listed ? s->launch + 1 : ws_trace_get(trace, s->launch)->launch.sequence + 1;
    if (!status)
        status = run_to_end(s, workload, source);
    s->number = 0;
    if (source)
        source->ops->destroy(source);
    return status ? status : ws_simulation_trace(s, workload, trace, s->launch + 1);
}
