/* cmd_estimate.c - `warpscape estimate`: means of all rows on a new machine from a few measured ones. */
#include "cli/cli.h"
#include "cli/features.h"
#include "cli/outcomes.h"
#include "cluster/drawing.h"
#include "cluster/estimation.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    const char *input, *change_of, *work, *columns, *drop, *estimator, *importance;
    struct frames {
        const char **path;
        ws_measured *on;
        size_t count;
    } base, now; /* there is room for all arguments of the command */
    size_t size;
    ws_estimation estimation;
} request;

static void take_path(const struct argp_state *state, void *member, char *text)
{
    struct frames *const to = member;
    (void)state;
    to->path[to->count++] = text;
}

static const char *const estimator_words[] = {
#define ESTIMATOR(name, slope, parameters, least, meaning) #name,
#include "cluster/estimator.def"
#undef ESTIMATOR
    NULL};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (!r->base.count)
        argp_error(state, "--base FILE has the outcomes of all rows on a machine that you have");
    if (!r->now.count)
        argp_error(state, "--new FILE has the outcomes of the members on the machine in question");
    size_t streams = !strcmp(r->input, "-");
    for (size_t i = 0; i < r->base.count; i++)
        streams += !strcmp(r->base.path[i], "-");
    for (size_t i = 0; i < r->now.count; i++)
        streams += !strcmp(r->now.path[i], "-");
    if (streams > 1)
        argp_error(state, "standard input holds one frame; '-' was given %zu times", streams);
}

static const ws_option_row option_rows[] = {
    WS_ONE_ARGUMENT(request, input, "one frame of members at a time, not also '%s'",
                    "MEMBERS is missing: a file of `warpscape subset', or - for standard input"),
    WS_OPTION_GROUP(1),
    WS_OPTION_TAKE("base", 0, "FILE", request, base, take_path,
                   "Outcomes of all rows on the base machine; further ones, machines where all rows are known as well, "
                   "tell how wide intervals must be"),
    WS_OPTION_TAKE("new", 0, "FILE", request, now, take_path,
                   "Outcomes of the members on a new machine; may be repeated"),
    WS_OPTION_NUMBER("size", 0, "N", request, size, 1, SIZE_MAX,
                     "Use the subset of N members [the only one of MEMBERS]"),
    WS_OPTION_GROUP(2),
    WS_OPTION_TEXT("change-of", 0, "COLUMN", request, change_of,
                   "Estimate changes of this column from machine to machine, before over after; none: no changes "
                   "[cycles, where frames have it]"),
    WS_OPTION_TEXT(
        "work", 0, "COLUMN", request, work,
        "Refuse members whose value of this column differs between machines, because their inputs differ; none: "
        "no check [thread_instructions, where frames have it]"),
    WS_OPTION_TEXT("importance", 0, "FILE:COLUMN", request, importance,
                   "How much each row counts in means of all, as it did for the subset, rows matched by their names "
                   "[every row the same]"),
    WS_OPTION_GROUP(3),
    WS_OPTION_ONE_OF(
        "estimator", 0, "plain|difference|ratio|regression", request, estimator, estimator_words,
        "Estimate every outcome in this way, where it applies [for each the one that estimates members best "
        "from the others]"),
    WS_OPTION_PERCENT("confidence", "PERCENT", request, estimation.confidence, 50, 99.9,
                      "Confidence of intervals [95]"),
    WS_OPTION_REAL(
        "widen", 0, "F", request, estimation.widening, 1, 1000, 1,
        "Factor on the width of intervals by Student's t [learned from further bases, or a default by size]"),
    WS_OPTION_NUMBER("draws", 0, "N", request, estimation.draws, 1, 100000,
                     "Subsets that are drawn to learn the width [400]"),
    WS_OPTION_NUMBER("seed", 0, "N", request, estimation.seed, 0, UINT32_MAX, "Of these draws [1]"),
    WS_OPTION_GROUP(8),
    WS_OPTION_TEXT("columns", 0, "A,B,...", request, columns,
                   "Estimate only these columns [the columns of every frame; of frames of the simulator IPC, stalls, "
                   "latencies, misses and use of memory]"),
    WS_OPTION_TEXT("drop", 0, "A,B,...", request, drop, "Leave these columns out [none]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .args_doc = "MEMBERS|- --base FILE --new FILE",
    .doc =
        "Means of all rows on a new machine, with intervals, from a few members measured there.\v"
        "MEMBERS is what `warpscape subset' prints. FILEs are frames of `warpscape sim', or any CSV with a row per "
        "workload, its name in the first column: numbers of another simulator or of a GPU. Printed is a row for each "
        "outcome of each new machine, and for each change between machines: estimate, limits of the interval, the "
        "estimator, and the errors of all estimators when members are left out. docs/estimates.md says how "
        "often intervals hold.\n\n"
        "Example:\n"
        "  warpscape suite run --scale tiny BFS HS MM MT NW BP\n"
        "  warpscape sim -c gtsc --suite --scale tiny BFS HS MM MT NW BP > base.csv\n"
        "  warpscape metrics --set performance | warpscape pca --ranks - |\n"
        "    warpscape subset - --sizes 4 > members.csv\n"
        "  warpscape sim -c rtx2060 --suite --scale tiny BFS HS MM MT NW BP > new.csv\n"
        "  warpscape estimate members.csv --base base.csv --new new.csv",
};

/* ------------------------------------------------------------------------------------------------ frames */

static int load(struct frames *f, bool *simulated)
{
    int rc = WS_OK;
    for (size_t i = 0; rc == WS_OK && i < f->count; i++) {
        ws_frame *frame = NULL;
        bool so = false;
        rc = ws_outcomes_load(f->path[i], &so, &frame);
        *simulated &= so;
        f->on[i] = (ws_measured){frame, ws_features_name(f->path[i]), NULL};
        if (rc == WS_OK && !(f->on[i].machine = ws_outcomes_machine(f->on[i].path)))
            rc = ws_fail(WS_EMEM, "no memory for the name of a machine");
    }
    return rc;
}

static void unload(struct frames *f)
{
    for (size_t i = 0; f->on && i < f->count; i++) {
        ws_frame_destroy((ws_frame *)(uintptr_t)f->on[i].frame);
        free((char *)(uintptr_t)f->on[i].machine);
    }
}

/* The value of an option in the command that made a frame, `usual` without it. Copied to text[size]. NULL if no command
 * of the simulator made the frame. */
static const char *made_with(const ws_frame *frame, const char *option, const char *usual, char *text, size_t size)
{
    static const char begin[] = "command: warpscape sim ";
    for (size_t i = 0; i < frame->notes; i++) {
        const char *at = frame->note[i];
        if (strncmp(at, begin, sizeof begin - 1))
            continue;
        snprintf(text, size, "%s", usual);
        while ((at = strstr(at, option))) {
            at += strlen(option);
            if (*at == ' ' || *at == '=')
                snprintf(text, size, "%.*s", (int)strcspn(at + 1, " "), at + 1);
        }
        return text;
    }
    return NULL;
}

/* Seeds and most sizes leave no trace in a count of instructions, but in the command of a simulation. */
static int check_inputs(const ws_measured *base, const ws_measured *other)
{
    static const struct {
        const char *option, *usual;
    } inputs[] = {{"--scale", "tiny"}, {"--seed", "1"}, {"--size", "those of the scale"}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char a[200], b[200];
        if (made_with(base->frame, inputs[i].option, inputs[i].usual, a, sizeof a) &&
            made_with(other->frame, inputs[i].option, inputs[i].usual, b, sizeof b) && strcmp(a, b))
            return ws_fail(WS_EINPUT,
                           "%s: was simulated with %s %s, the base %s with %s; a base needs the same inputs, sizes and "
                           "seeds",
                           other->path, inputs[i].option, b, base->path, a);
    }
    return WS_OK;
}

/* The row of the members' frame with that size. */
static int find_subset(request *r, const ws_frame *members)
{
    const char *const path = ws_features_name(r->input);
    const long size = ws_frame_find_label(members, "size");
    size_t found = 0;
    if (size < 0)
        return ws_fail(WS_EINPUT, "%s: expected a frame written by the command subset, it has no text column 'size'",
                       path);
    for (size_t i = 0; i < members->rows; i++) {
        const char *const text = members->label[i * members->labels + (size_t)size];
        if (!r->size || strtoull(text, NULL, 10) == r->size) {
            r->estimation.row = i;
            found++;
        }
    }
    if (found == 1)
        return WS_OK;
    return r->size ? ws_fail(WS_EINPUT, "%s: expected one subset of %zu members, found %zu", path, r->size, found)
                   : ws_fail(WS_EINPUT, "%s: expected one subset, found %zu; --size N says which was measured", path,
                             found);
}

static bool all_have(const request *r, const char *column)
{
    bool have = true;
    for (size_t i = 0; i < r->base.count; i++)
        have &= ws_frame_find_column(r->base.on[i].frame, column) >= 0;
    for (size_t i = 0; i < r->now.count; i++)
        have &= ws_frame_find_column(r->now.on[i].frame, column) >= 0;
    return have;
}

/* A column by an option: none for the word none; the usual one if there is. */
static const char *optional_column(const request *r, const char *asked, const char *usual)
{
    if (!asked)
        return all_have(r, usual) ? usual : NULL;
    return strcmp(asked, "none") ? asked : NULL;
}

/* Outcomes: columns of the base, as the options select them, that every frame has. `names` has room for all. */
static int find_outcomes(request *r, bool simulated, const char **names, ws_frame **selected, char *absent,
                         size_t absent_size)
{
    const ws_measured *const base = &r->base.on[0];
    const bool usual = !r->columns;
    const ws_features features = {.columns = usual && simulated ? ws_outcomes_levels : r->columns, .drop = r->drop};
    size_t used = 0;
    const int rc = ws_features_pick(base->path, &features, base->frame, selected);
    for (size_t j = 0; rc == WS_OK && j < (*selected)->columns; j++) {
        const char *const name = (*selected)->column[j].name;
        if (usual && r->estimation.work && !strcmp(name, r->estimation.work))
            continue;
        if (!usual || all_have(r, name))
            names[r->estimation.outcomes++] = name;
        else if (used < absent_size)
            used += (size_t)snprintf(absent + used, absent_size - used, "%s%s", used ? ", " : "", name);
    }
    return rc;
}

/* Weights of chosen members rest on the importance that they were selected with. */
static int check_importance(const request *r, const ws_frame *members)
{
    const long method = ws_frame_find_label(members, "method");
    const bool drawn =
        method >= 0 && !strcmp(members->label[r->estimation.row * members->labels + (size_t)method], WS_DRAW_METHOD);
    bool selected = false;
    for (size_t i = 0; i < members->notes; i++)
        selected |= !strncmp(members->note[i], WS_OUTCOMES_IMPORTANCE, sizeof WS_OUTCOMES_IMPORTANCE - 1);
    if (selected && !r->importance)
        return ws_fail(WS_EINPUT, "%s: its members were selected with --importance, which estimate needs also",
                       ws_features_name(r->input));
    if (!selected && r->importance && !drawn)
        return ws_fail(WS_EINPUT,
                       "%s: its members were not selected with --importance, so their weights do not have it",
                       ws_features_name(r->input));
    return WS_OK;
}

static int estimate(request *r, ws_frame *members, bool simulated, ws_frame **out)
{
    ws_frame *selected = NULL;
    double *importance = NULL;
    char absent[300] = "";
    const char **const names = calloc(r->base.on[0].frame->columns + 1, sizeof *names);
    ws_estimation *const e = &r->estimation;
    e->members = (ws_measured){members, ws_features_name(r->input), ""};
    e->base = r->base.on;
    e->bases = r->base.count;
    e->now = r->now.on;
    e->machines = r->now.count;
    e->outcome = names;
    e->change_of = optional_column(r, r->change_of, "cycles");
    e->work = optional_column(r, r->work, "thread_instructions");
    for (int i = 0; r->estimator && i < WS_ESTIMATORS; i++)
        if (!strcmp(r->estimator, estimator_words[i])) {
            e->estimator = (ws_estimator)i;
            e->estimated_by = true;
        }
    int rc = names ? find_outcomes(r, simulated, names, &selected, absent, sizeof absent)
                   : ws_fail(WS_EMEM, "no memory for a list of columns");
    if (rc == WS_OK)
        rc = check_importance(r, members);
    if (rc == WS_OK && r->importance)
        rc = ws_outcomes_importance(r->base.on[0].frame, r->importance, "--importance", &importance);
    e->importance = importance;
    if (rc == WS_OK)
        rc = ws_estimation_run(e, out);
    if (rc == WS_OK && r->importance)
        rc = ws_frame_note(*out, WS_OUTCOMES_IMPORTANCE "%s", r->importance);
    if (rc == WS_OK && *absent)
        rc = ws_frame_note(*out, "left out, as not every frame has them: %s", absent);
    ws_frame_destroy(selected);
    free(importance);
    free(names);
    return rc;
}

WS_COMMAND(estimate)
{
    const char **const paths = calloc(2 * (size_t)argc, sizeof *paths);
    ws_measured *const on = calloc(2 * (size_t)argc, sizeof *on);
    if (!paths || !on) {
        free(paths);
        free(on);
        return ws_fail(WS_EMEM, "no memory for a list of files");
    }
    request r = {.base = {paths, on, 0},
                 .now = {paths + argc, on + argc, 0},
                 .estimation = {.confidence = 0.95, .draws = 400, .seed = 1}};
    ws_options_parse(&options, argc, argv, &r);
    ws_frame *members = NULL, *out = NULL;
    bool simulated = true;
    int rc = ws_frame_load(r.input, &members);
    if (rc == WS_OK)
        rc = find_subset(&r, members);
    if (rc == WS_OK)
        rc = load(&r.base, &simulated);
    if (rc == WS_OK)
        rc = load(&r.now, &simulated);
    for (size_t i = 1; rc == WS_OK && i < r.base.count; i++)
        rc = check_inputs(&r.base.on[0], &r.base.on[i]);
    for (size_t i = 0; rc == WS_OK && i < r.now.count; i++)
        rc = check_inputs(&r.base.on[0], &r.now.on[i]);
    if (rc == WS_OK)
        rc = estimate(&r, members, simulated, &out);
    if (rc == WS_OK) {
        ws_features_caution(out, argv[0]);
        rc = ws_features_print(out, argc, argv);
    }
    ws_frame_destroy(out);
    ws_frame_destroy(members);
    unload(&r.base);
    unload(&r.now);
    free(paths);
    free(on);
    return rc;
}
