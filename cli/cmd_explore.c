/* cmd_explore.c - `warpscape explore`: every combination of options of a machine, and which of them nothing beats. */
#include "cli/cli.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/quantities.h"
#include "model/machine/machine_choice.h"

#include "base/crew.h"
#include "model/machine/machine_declared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_VARIED = 8, MOST_VALUES = 64, MOST_POINTS = 65536, MOST_WORKERS = 256 };

/* An option, and the values it is given one after the other. */
typedef struct varied {
    char *name;
    char *value[MOST_VALUES];
    size_t values;
} varied;

typedef struct request {
    const char *output;
    struct subjects { /* a machine and traces */
        const char *base;
        ws_works_asked works;
    } of;
    struct variations {
        varied one[MOST_VARIED];
        size_t count;
    } varied;
    ws_machine_asked all; /* settings of all machines */
    unsigned workers;
    bool front;
} request;

typedef struct exploration {
    const request *request;
    char *inputs;                       /* what rows hang on besides their labels: a note of the file */
    size_t points, count, time, energy; /* count: quantities of a point, and which of them are its time and energy */
    double *value;                      /* [points][count] */
    bool *done;                         /* [points] */
    pthread_mutex_t lock;               /* of all below, and of what is saved */
    size_t finished;
    ws_progress bar;
    int argc;
    char **argv;
} exploration;

static void take_varied(const struct argp_state *state, void *member, char *arg)
{
    struct variations *const to = member;
    const char *const equals = strchr(arg, '=');
    if (!equals || equals == arg || !equals[1])
        argp_error(state, "--vary %s: expected OPTION=VALUE,VALUE,...", arg);
    if (to->count == MOST_VARIED)
        argp_error(state, "--vary: more than %d options", MOST_VARIED);
    varied *const v = &to->one[to->count++];
    v->name = strndup(arg, (size_t)(equals - arg));
    for (const char *at = equals + 1; *at;) {
        const size_t length = strcspn(at, ",");
        if (!length || v->values == MOST_VALUES)
            argp_error(state, "--vary %s: expected values between commas, at most %d", arg, MOST_VALUES);
        v->value[v->values++] = strndup(at, length);
        at += length + (at[length] == ',');
    }
}

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    size_t points = 1;
    for (size_t i = 0; i < r->varied.count && points <= MOST_POINTS; i++)
        points *= r->varied.one[i].values;
    if (!r->of.base)
        argp_error(state, "which machine? A name of data/configs, or a file");
    if (!r->varied.count)
        argp_error(state, "which options vary? --vary OPTION=A,B,...");
    if (points > MOST_POINTS)
        argp_error(state, "more than %d combinations", MOST_POINTS);
    ws_check_works(state, &r->of.works);
}

static void take_argument(const struct argp_state *state, void *member, char *arg)
{
    struct subjects *const of = member;
    if (ws_trace_files_means(arg))
        ws_take_traces(state, &of->works.traces, arg);
    else if (of->base)
        argp_error(state, "one machine, then traces; what is '%s'?", arg);
    else
        of->base = arg;
}

static const ws_option_row option_rows[] = {
    WS_OPTION_TAKE("vary", 'v', "OPTION=A,B,...", request, varied, take_varied,
                   "An option of the machine and its values, such as l1.ways=2,4,8; may be repeated: all combinations"),
    WS_WORKS_OPTIONS(request, of.works),
    WS_OPTION_SET(request, all, "Set an option of all machines; may be repeated"),
    WS_OPTION_OUTPUT("output", 'o', "FILE", request, output,
                     "Append the rows to this file; existing rows are not computed again [standard output at the end]"),
    WS_OPTION_FLAG("front", 0, request, front,
                   "Print the Pareto front of time and energy, the fastest first [all points]"),
    WS_OPTION_NUMBER("workers", 'j', "N", request, workers, 1, MOST_WORKERS,
                     "Points to run at a time; the number does not affect results [one per processor]"),
    WS_ARGUMENTS(request, of, take_argument, NULL),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "BASE [FILE.wst|DIR...]",
    .doc =
        "Tries every combination of options of a machine on all workloads: cycles, seconds, energy, power, energy "
        "times delay and traffic, sums over them, and the Pareto front of time and energy.\vWithout --simulate times "
        "are estimated from profiles, in microseconds per launch (docs/power.md); machines of several chips must be "
        "simulated. Energies, and the front, are missing for a machine without a chip ([power] chip). With --output "
        "results are stored, and an interrupted run continues.\n\nExample:\n  warpscape suite run --profile\n  "
        "warpscape explore gtsc --vary l1.ways=2,4,8 \\\n      --vary chip.core_clock=700MHz,1GHz,1.4GHz --front",
};

/* ------------------------------------------------------------------------------------------------ points */

/* The last option varies fastest. */
static const char *value_at(const request *r, size_t at, size_t option)
{
    for (size_t i = r->varied.count - 1; i > option; i--)
        at /= r->varied.one[i].values;
    return r->varied.one[option].value[at % r->varied.one[option].values];
}

/* Settings of a point, a line each, which the caller frees; NULL: no memory. */
static char *settings_at(const request *r, size_t at)
{
    char *text = NULL;
    size_t size;
    FILE *const lines = open_memstream(&text, &size);
    for (size_t i = 0; lines && i < r->varied.count; i++)
        fprintf(lines, "%s=%s\n", r->varied.one[i].name, value_at(r, at, i));
    if (lines && fclose(lines)) {
        free(text);
        text = NULL;
    }
    return text;
}

/* The caller frees *out with ws_machine_destroy. */
static int choose_machine(const request *r, size_t at, ws_machine **out)
{
    char *const settings = settings_at(r, at);
    ws_machine_choice choice = r->all.choice;
    choice.config = r->of.base;
    choice.more = settings;
    const int status = settings ? ws_machine_choose(&choice, out) : ws_fail(WS_EMEM, "out of memory");
    free(settings);
    return status;
}

static double *values_at(const exploration *e, size_t at)
{
    return e->value + at * e->count;
}

/* Its quantities over all workloads: those of the last row. */
static int run_point(const exploration *e, size_t at, double *value)
{
    const request *const r = e->request;
    ws_machine *machine = NULL;
    ws_frame *said = NULL, *const notes = ws_frame_create(0, 0, 1, NULL);
    int status = notes ? choose_machine(r, at, &machine) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_quantities_measure(machine, &r->of.works, notes, &said);
    if (!status)
        memcpy(value, said->value + (said->rows - 1) * e->count, e->count * sizeof *value);
    ws_frame_destroy(said);
    ws_machine_destroy(machine);
    ws_frame_destroy(notes);
    return status;
}

/* ------------------------------------------------------------------------------------------------ rows */

static bool has_energy(const exploration *e, size_t at)
{
    return e->done[at] && !isnan(values_at(e, at)[e->energy]);
}

/* Whether no other point that is done is at least as good in time and energy, and better in one. A point without
 * energies is not compared. */
static bool on_front(const exploration *e, size_t at)
{
    const double *const p = values_at(e, at);
    bool beaten = !has_energy(e, at);
    for (size_t i = 0; i < e->points && !beaten; i++) {
        const double *const q = values_at(e, i);
        if (!has_energy(e, i) || i == at)
            continue;
        beaten = q[e->time] <= p[e->time] && q[e->energy] <= p[e->energy] &&
                 (q[e->time] < p[e->time] || q[e->energy] < p[e->energy]);
    }
    return !beaten;
}

static int set_row(const exploration *e, ws_frame *frame, size_t row, size_t at)
{
    double *const to = frame->value + row * frame->columns;
    int status = WS_OK;
    for (size_t i = 0; i < e->request->varied.count && !status; i++)
        status = ws_frame_set_label(frame, row, i, value_at(e->request, at, i));
    memcpy(to, values_at(e, at), e->count * sizeof *to);
    to[e->count] = has_energy(e, at) ? on_front(e, at) : NAN;
    return status;
}

/* Do points that differ in this option alone, as far as they are done, differ in anything? */
static bool has_effect(const exploration *e, size_t option)
{
    size_t stride = 1;
    for (size_t i = option + 1; i < e->request->varied.count; i++)
        stride *= e->request->varied.one[i].values;
    for (size_t at = 0; at < e->points; at++) {
        const size_t first = at - at / stride % e->request->varied.one[option].values * stride;
        if (e->done[at] && e->done[first] && !ws_quantities_equal(values_at(e, at), values_at(e, first)))
            return true;
    }
    return false;
}

/* An option that nothing hangs on is said to be one: estimates do not see all of a machine. */
static int note_without_effect(const exploration *e, ws_frame *frame)
{
    const request *const r = e->request;
    int status = WS_OK;
    for (size_t i = 0; i < r->varied.count && e->finished == e->points && !status; i++)
        if (r->varied.one[i].values > 1 && !has_effect(e, i))
            status = ws_frame_note(
                frame, "%s: none of its values makes a difference %s", r->varied.one[i].name,
                r->of.works.simulate ? "to these traces"
                                     : "to estimates, which do not cover all of a machine; use --simulate with traces");
    return status;
}

/* Whether quantities of a point will be missing; a note says why, where notes is not NULL. */
static int find_missing(const request *r, size_t at, ws_frame *notes, bool *missing)
{
    ws_machine *machine = NULL;
    int status = choose_machine(r, at, &machine);
    if (!status)
        status = ws_quantities_missing(machine, notes, missing);
    ws_machine_destroy(machine);
    return status;
}

static int no_front(void)
{
    return ws_fail(WS_EUNSUPPORTED, "no point has energies, which a front needs; leave --front out, or name a chip "
                                    "with known energies (--set power.chip=NAME)");
}

/* A front needs a point with energies: asked before the work. */
static int require_energies(const exploration *e)
{
    bool missing = true;
    int status = WS_OK;
    for (size_t at = 0; at < e->points && !status && missing; at++)
        status = find_missing(e->request, at, NULL, &missing);
    return status || !missing ? status : no_front();
}

/* Why the first point without energies has none. */
static int note_without_energy(const exploration *e, ws_frame *frame)
{
    bool missing;
    size_t at = 0;
    while (at < e->points && (!e->done[at] || has_energy(e, at)))
        at++;
    return at < e->points ? find_missing(e->request, at, frame, &missing) : WS_OK;
}

static const exploration *sorted; /* of the only thread that sorts */

static int by_time(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double s = values_at(sorted, x)[sorted->time], t = values_at(sorted, y)[sorted->time];
    return s != t ? (s > t) - (s < t) : (x > y) - (x < y);
}

/* The points that are done, in their order; or those of the front, by time. */
static int make_frame(const exploration *e, bool front, ws_frame **out)
{
    const char *label[MOST_VARIED];
    size_t *const which = malloc((e->points ? e->points : 1) * sizeof *which);
    size_t rows = 0;
    if (!which)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < e->points; i++)
        if (e->done[i] && (!front || on_front(e, i)))
            which[rows++] = i;
    sorted = e;
    if (front)
        qsort(which, rows, sizeof *which, by_time);
    for (size_t i = 0; i < e->request->varied.count; i++)
        label[i] = e->request->varied.one[i].name;
    ws_frame *const frame = ws_frame_create(rows, e->count + 1, e->request->varied.count, label);
    int status = frame ? ws_options_sign_frame(frame, e->argc, e->argv) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_frame_note(frame, "%s", e->inputs);
    if (!status)
        status = note_without_effect(e, frame);
    if (!status)
        status = note_without_energy(e, frame);
    for (size_t i = 0; i < e->count && !status; i++) {
        const ws_quantity *const q = ws_quantity_at(i);
        status = ws_frame_set_column(frame, i, q->name, q->unit, q->name);
    }
    if (!status)
        status = ws_frame_set_column(frame, e->count, "front", "", "explore");
    for (size_t i = 0; i < rows && !status; i++)
        status = set_row(e, frame, i, which[i]);
    free(which);
    return ws_frame_give(status, frame, out);
}

/* Whether rows that are written to the output can be read back, and replaced by more of them. */
static bool keeps(const char *output)
{
    struct stat about;
    return strcmp(output, "-") != 0 && strcmp(output, "/dev/stdout") != 0 &&
           (stat(output, &about) || S_ISREG(about.st_mode));
}

static int save(const exploration *e)
{
    ws_frame *frame;
    if (!e->request->output || (e->finished < e->points && !keeps(e->request->output)))
        return WS_OK;
    int status = make_frame(e, false, &frame);
    if (status)
        return status;
    status = ws_frame_save(frame, e->request->output);
    ws_frame_destroy(frame);
    return status;
}

/* ------------------------------------------------------------------------------------------------ what is there */

static bool has_note(const ws_frame *frame, const char *note)
{
    bool found = false;
    for (size_t i = 0; i < frame->notes; i++)
        found |= !strcmp(frame->note[i], note);
    return found;
}

static bool is_row_of(const exploration *e, const ws_frame *frame, size_t row, size_t at)
{
    bool same = true;
    for (size_t i = 0; i < e->request->varied.count; i++)
        same &= !strcmp(frame->label[row * frame->labels + i], value_at(e->request, at, i));
    return same;
}

static double value_of(const ws_frame *frame, size_t row, const char *column)
{
    return frame->value[row * frame->columns + (size_t)ws_frame_find_column(frame, column)];
}

static int take_over(exploration *e, const ws_frame *frame)
{
    const request *const r = e->request;
    bool same = frame->labels == r->varied.count && has_note(frame, e->inputs);
    for (size_t i = 0; i < r->varied.count && same; i++)
        same = !strcmp(frame->label_names[i], r->varied.one[i].name);
    for (size_t i = 0; i < e->count && same; i++)
        same = ws_frame_find_column(frame, ws_quantity_at(i)->name) >= 0;
    if (!same)
        return ws_fail(WS_EINPUT, "%s: its rows have other options or inputs; remove it, or name another file",
                       r->output);
    for (size_t row = 0; row < frame->rows; row++)
        for (size_t at = 0; at < e->points; at++) {
            if (e->done[at] || !is_row_of(e, frame, row, at))
                continue;
            for (size_t i = 0; i < e->count; i++)
                values_at(e, at)[i] = value_of(frame, row, ws_quantity_at(i)->name);
            e->done[at] = true;
            e->finished++;
        }
    return WS_OK;
}

static int read_output(exploration *e)
{
    struct stat about;
    ws_frame *frame;
    if (!e->request->output || !keeps(e->request->output) || stat(e->request->output, &about) || !about.st_size)
        return WS_OK;
    int status = ws_frame_load(e->request->output, &frame);
    if (status)
        return status;
    status = take_over(e, frame);
    ws_frame_destroy(frame);
    return status;
}

/* ------------------------------------------------------------------------------------------------ workers */

static int end_point(exploration *e, size_t at)
{
    pthread_mutex_lock(&e->lock);
    e->done[at] = true;
    e->finished++;
    const int status = save(e);
    ws_progress_show(&e->bar, "exploring", (double)e->finished / (double)e->points);
    pthread_mutex_unlock(&e->lock);
    return status;
}

static int work(ws_crew *crew)
{
    exploration *const e = crew->context;
    int status = WS_OK;
    for (size_t at; !status && ws_crew_next(crew, &at);) {
        if (e->done[at]) /* taken over */
            continue;
        if (ws_interrupted())
            return ws_fail(WS_EINTERRUPTED, "interrupted%s", e->request->output ? "; the same command continues" : "");
        status = run_point(e, at, values_at(e, at)); /* nothing reads it before it is done */
        if (!status)
            status = end_point(e, at);
    }
    return status;
}

static int run_all(exploration *e)
{
    ws_crew crew = {.work = work, .context = e, .tasks = e->points, .workers = e->request->workers};
    ws_progress_begin(&e->bar);
    const int status = ws_crew_run(&crew);
    ws_progress_end(&e->bar);
    return status;
}

/* ------------------------------------------------------------------------------------------------ */

/* "explored: gtsc, chip.sms=8, profiles of warpscape.db" */
static int name_inputs(exploration *e)
{
    const request *const r = e->request;
    size_t length;
    FILE *const text = open_memstream(&e->inputs, &length);
    if (!text)
        return ws_fail(WS_EMEM, "out of memory");
    fprintf(text, "explored: %s", r->of.base);
    for (size_t i = 0; i < r->all.choice.settings; i++)
        fprintf(text, ", %s", r->all.setting[i]);
    if (!r->of.works.traces.files.count)
        fprintf(text, ", profiles of %s", ws_works_db(&r->of.works));
    for (size_t i = 0; i < r->of.works.traces.files.count; i++)
        fprintf(text, "%s%s",
                i                      ? " "
                : r->of.works.simulate ? ", simulated: "
                                       : ", replayed: ",
                r->of.works.traces.files.path[i]);
    return fclose(text) ? ws_fail(WS_EMEM, "out of memory") : WS_OK;
}

static int print(const exploration *e)
{
    ws_frame *frame;
    int status = make_frame(e, e->request->front, &frame);
    if (status)
        return status;
    status = frame->rows ? ws_frame_write(frame, stdout)
                         : no_front(); /* energies of rows that are taken over may be missing */
    ws_frame_destroy(frame);
    return status;
}

static void free_request(request *r)
{
    for (size_t i = 0; i < r->varied.count; i++) {
        for (size_t k = 0; k < r->varied.one[i].values; k++)
            free(r->varied.one[i].value[k]);
        free(r->varied.one[i].name);
    }
    ws_trace_files_free(&r->of.works.traces.files);
}

WS_COMMAND(explore)
{
    request asked = {0};
    ws_options_parse(&options, argc, argv, &asked);
    ws_interrupts_catch();
    exploration e = {.request = &asked, .points = 1, .lock = PTHREAD_MUTEX_INITIALIZER, .argc = argc, .argv = argv};
    for (size_t i = 0; i < asked.varied.count; i++)
        e.points *= asked.varied.one[i].values;
    e.count = ws_quantities_count();
    e.time = ws_quantity_of(WS_QUANTITY_IS_TIME);
    e.energy = ws_quantity_of(WS_QUANTITY_IS_ENERGY);
    e.value = calloc(e.points * e.count, sizeof *e.value);
    e.done = calloc(e.points, sizeof *e.done);
    int status = asked.of.works.traces.failed ? asked.of.works.traces.failed
                 : e.value && e.done          ? name_inputs(&e)
                                              : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = read_output(&e);
    if (!status && asked.front)
        status = require_energies(&e);
    if (!status)
        status = run_all(&e);
    if (!status && (!asked.output || asked.front))
        status = print(&e);
    free(e.value);
    free(e.done);
    free(e.inputs);
    free_request(&asked);
    return status;
}
