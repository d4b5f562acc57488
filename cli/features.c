/* features.c - which columns of a frame are characteristics? */
#include "cli/features.h"

#include "cli/cli.h"
#include "cluster/caution.h"
#include "metrics/describe.h"
#include "metrics/performance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ws_cli_sets[] = {"study", "modern", "all", "machines", "synchronization", NULL};
const char *const ws_features_missing[] = {"refuse", "columns", "rows", NULL};

const char *ws_features_set(const struct argp_state *state, const char *set, bool fractions)
{
    if (!set)
        return fractions ? "study" : WS_SET_PERFORMANCE;
    if (fractions && (!strcmp(set, WS_SET_PERFORMANCE) || !strcmp(set, "modern")))
        argp_error(state, "--fractions apply to histograms, and the set %s has none: try --set study", set);
    return set;
}

/* Much of the set synchronization is not defined for programs without atomics, waits or a second launch: measured is a
 * row with any number. */
static int rows_measured(const ws_frame *frame, const char *db, const char *set)
{
    size_t missing = 0;
    for (size_t i = 0; i < frame->rows; i++) {
        size_t j = 0;
        while (j < frame->columns && !isfinite(frame->value[i * frame->columns + j]))
            j++;
        missing += j == frame->columns;
    }
    return missing ? ws_fail(WS_EINPUT, "%s: %zu of the %zu rows were measured without the set %s: run with --set %s",
                             db, missing, frame->rows, set, set)
                   : WS_OK;
}

int ws_features_measured(const ws_frame *frame, const char *db, const char *set)
{
    size_t missing = 0;
    if (!strcmp(set, "synchronization"))
        return rows_measured(frame, db, set);
    for (size_t j = 0; j < frame->columns; j++) {
        size_t i = 0;
        while (i < frame->rows && isfinite(frame->value[i * frame->columns + j]))
            i++;
        missing += i < frame->rows;
    }
    if (2 * missing > frame->columns)
        return ws_fail(WS_EINPUT,
                       "%s: %zu of the %zu columns of the set %s were not measured in every run: run with --set all, "
                       "or see --set study",
                       db, missing, frame->columns, set);
    return WS_OK;
}

const char *ws_features_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* Marks the columns that a list names, in mark[]. */
static int mark_columns(const ws_frame *frame, const char *name, const char *list, const char *option, bool *mark)
{
    char *copy = strdup(list), *rest = copy;
    int rc = copy ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of columns");
    for (char *word; rc == WS_OK && (word = strsep(&rest, ","));) {
        const long j = ws_frame_find_column(frame, word);
        if (j < 0) {
            char behind[64];
            snprintf(behind, sizeof behind, " (%s)", option);
            rc = ws_frame_refuse_column(frame, name, word, behind);
        } else {
            mark[j] = true;
        }
    }
    free(copy);
    return rc;
}

static int select_columns(const ws_frame *frame, const char *name, const ws_features *features, ws_frame **out)
{
    size_t *column = malloc((frame->columns + 1) * sizeof *column), n = 0;
    bool *asked = calloc(frame->columns + 1, 1), *dropped = calloc(frame->columns + 1, 1);
    int rc = column && asked && dropped ? WS_OK : ws_fail(WS_EMEM, "no memory for a list of columns");
    if (rc == WS_OK && features->columns)
        rc = mark_columns(frame, name, features->columns,
                          features->columns_option ? features->columns_option : "--columns", asked);
    if (rc == WS_OK && features->drop)
        rc = mark_columns(frame, name, features->drop, "--drop", dropped);
    for (size_t j = 0; rc == WS_OK && j < frame->columns; j++) {
        const bool kept = features->keep && strcmp(frame->column[j].name, features->keep) == 0;
        if (kept || (!dropped[j] && (asked[j] || !features->columns)))
            column[n++] = j;
    }
    if (rc == WS_OK)
        rc = ws_frame_pick_columns(frame, column, n, out);
    free(column);
    free(asked);
    free(dropped);
    return rc;
}

int ws_features_pick(const char *path, const ws_features *features, const ws_frame *frame, ws_frame **out)
{
    return select_columns(frame, ws_features_name(path), features, out);
}

/* Columns of a frame that came without definitions are known by name. */
static int load(const char *path, ws_frame **out)
{
    int rc = ws_frame_load(path, out);
    if (rc == WS_OK) {
        rc = ws_describe_columns(*out);
        if (rc != WS_OK)
            ws_frame_destroy(*out);
    }
    return rc;
}

int ws_features_load(const char *path, const ws_features *features, ws_frame **out)
{
    ws_frame *frame = NULL;
    int rc = load(path, &frame);
    if (rc != WS_OK || (!features->columns && !features->drop)) {
        *out = frame;
        return rc;
    }
    rc = ws_features_pick(path, features, frame, out);
    ws_frame_destroy(frame);
    return rc;
}

int ws_features_hint(const ws_features *features, int rc)
{
    if (rc != WS_EINPUT || features->missing != WS_MISSING_REFUSE || !strstr(ws_message(), "expected a finite number"))
        return rc;
    char *message = strdup(ws_message());
    if (message)
        ws_fail(rc, "%s (or see --missing)", message);
    free(message);
    return rc;
}

int ws_features_clean(const char *path, const ws_features *features, ws_frame **frame)
{
    ws_frame *clean = NULL;
    const int rc = ws_frame_clean(*frame, ws_features_name(path), features->missing, &clean);
    if (rc != WS_OK)
        return ws_features_hint(features, rc);
    ws_frame_destroy(*frame);
    *frame = clean;
    return WS_OK;
}

int ws_features_print(ws_frame *frame, int argc, char **argv)
{
    const int rc = ws_options_sign_frame(frame, argc, argv);
    if (rc != WS_OK)
        return rc;
    (void)ws_frame_write(frame, stdout); /* checked by the program, once, when it ends */
    return WS_OK;
}

int ws_features_save(ws_frame *frame, const char *path, int argc, char **argv)
{
    if (!path)
        return WS_OK;
    const int rc = ws_options_sign_frame(frame, argc, argv);
    return rc == WS_OK ? ws_frame_save(frame, path) : rc;
}

void ws_features_caution(const ws_frame *frame, const char *program)
{
    const char *caution;
    for (size_t at = 0; (caution = ws_caution_next(frame, &at));)
        fprintf(stderr, "%s: caution: %s\n", program, caution);
}
