/* outcomes.c - what simulations of workloads came to, and how that changes from machine to machine. */
#include "cli/outcomes.h"

#include "base/status.h"
#include "cli/features.h"
#include "cluster/members.h"
#include "cluster/subset.h"

#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char ws_outcomes_levels[] =
    "ipc,issue_slots,stall_memory,stall_dependency,stall_load_store,load_latency,l1_miss_rate,"
    "l2_miss_rate,dram_utilisation,dram_efficiency,dram_latency";

enum { WORKLOAD, KERNEL, LAUNCH, ENDED, LABELS };

static const char *const labels[LABELS] = {"workload", "kernel", "launch", "ended"};

bool ws_outcomes_simulated(const ws_frame *frame)
{
    bool so = frame->labels >= LABELS;
    for (size_t l = 0; so && l < LABELS; l++)
        so = strcmp(frame->label_names[l], labels[l]) == 0;
    return so;
}

static const char *cell(const ws_frame *frame, size_t row, size_t label)
{
    return frame->label[row * frame->labels + label];
}

static bool same_workload(const ws_frame *frame, size_t a, size_t b)
{
    return strcmp(cell(frame, a, WORKLOAD), cell(frame, b, WORKLOAD)) == 0;
}

/* Is it the row that stands for its workload: the total, or all there is? */
static bool stands_for_workload(const ws_frame *frame, size_t row)
{
    if (!*cell(frame, row, LAUNCH))
        return true;
    return !(row && same_workload(frame, row, row - 1)) &&
           !(row + 1 < frame->rows && same_workload(frame, row, row + 1));
}

static int check_ended(const ws_frame *frame, const char *name, size_t row)
{
    return strcmp(cell(frame, row, ENDED), "done") == 0
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "%s: %s was not simulated to its end (%s); leave it out, or simulate it without a limit", name,
                         cell(frame, row, WORKLOAD), cell(frame, row, ENDED));
}

int ws_outcomes_workloads(const ws_frame *frame, const char *name, ws_frame **out)
{
    size_t *const row = calloc(frame->rows + 1, sizeof *row), n = 0;
    int rc = row ? WS_OK : ws_fail(WS_EMEM, "%s: no memory for its workloads", name);
    for (size_t i = 0; rc == WS_OK && i < frame->rows; i++)
        if (stands_for_workload(frame, i)) {
            row[n++] = i;
            rc = check_ended(frame, name, i);
        }
    static const char *const label[] = {"workload"};
    ws_frame *const f = rc == WS_OK ? ws_frame_create(n, frame->columns, 1, label) : NULL;
    if (rc == WS_OK && !f)
        rc = ws_fail(WS_EMEM, "%s: no memory for its workloads", name);
    for (size_t i = 0; rc == WS_OK && i < frame->notes; i++)
        rc = ws_frame_note(f, "%s", frame->note[i]);
    for (size_t j = 0; rc == WS_OK && j < frame->columns; j++)
        rc = ws_frame_set_column(f, j, frame->column[j].name, frame->column[j].unit, frame->column[j].group);
    for (size_t i = 0; rc == WS_OK && i < n; i++) {
        rc = ws_frame_set_label(f, i, 0, cell(frame, row[i], WORKLOAD));
        for (size_t j = 0; j < frame->columns; j++) {
            const double value = frame->value[row[i] * frame->columns + j];
            f->value[i * f->columns + j] = isnan(value) ? 0 : value;
        }
    }
    free(row);
    return ws_frame_give(rc, f, out);
}

int ws_outcomes_importance(const ws_frame *rows, const char *from, const char *option, double **out)
{
    const char *const colon = strrchr(from, ':');
    if (!colon || colon == from)
        return ws_fail(WS_EINPUT, "%s needs FILE:COLUMN, not '%s'", option, from);
    char *const path = strndup(from, (size_t)(colon - from));
    double *const value = calloc(rows->rows + 1, sizeof *value), total = 0;
    ws_frame *frame = NULL;
    int rc = path && value ? ws_frame_load(path, &frame) : ws_fail(WS_EMEM, "no memory for the importance of rows");
    if (rc == WS_OK)
        rc = ws_subset_cost(rows, frame, path, colon + 1, "importance", value);
    for (size_t i = 0; rc == WS_OK && i < rows->rows; i++) {
        if (!(value[i] >= 0) || isinf(value[i]))
            rc = ws_fail(WS_EINPUT, "%s: expected an importance of 0 or more in column '%s', found %g", path, colon + 1,
                         value[i]);
        total += value[i];
    }
    if (rc == WS_OK && !(total > 0))
        rc = ws_fail(WS_EINPUT, "%s: expected an importance above 0 in column '%s', found none", path, colon + 1);
    ws_frame_destroy(frame);
    free(path);
    if (rc == WS_OK)
        *out = value;
    else
        free(value);
    return rc;
}

int ws_outcomes_load(const char *path, bool *simulated, ws_frame **out)
{
    ws_frame *frame = NULL;
    int rc = ws_frame_load(path, &frame);
    if (rc != WS_OK)
        return rc;
    const bool so = ws_outcomes_simulated(frame);
    if (simulated)
        *simulated = so;
    if (!so) {
        *out = frame;
        return WS_OK;
    }
    rc = ws_outcomes_workloads(frame, ws_features_name(path), out);
    ws_frame_destroy(frame);
    return rc;
}

int ws_outcomes_column(const ws_frame *frame, const char *name, const char *column, double **out)
{
    const long j = ws_frame_find_column(frame, column);
    if (j < 0)
        return ws_frame_refuse_column(frame, name, column, " to see a change in");
    double *const value = calloc(frame->rows + 1, sizeof *value);
    if (!value)
        return ws_fail(WS_EMEM, "%s: no memory for a column", name);
    for (size_t i = 0; i < frame->rows; i++)
        value[i] = frame->value[i * frame->columns + (size_t)j];
    *out = value;
    return WS_OK;
}

char *ws_outcomes_machine(const char *path)
{
    char *const copy = strdup(path), *const base = copy ? strdup(basename(copy)) : NULL;
    free(copy);
    char *const dot = base ? strrchr(base, '.') : NULL;
    if (dot && dot > base)
        *dot = '\0';
    return base;
}

/* after[i] of the row with the name of row i. */
static int match(const ws_frame *frame, const char *name, const ws_frame *changed, const char *changed_name,
                 const double *value, double *after)
{
    ws_row_index here = {0}, there = {0};
    int rc = ws_row_index_init(&here, frame, frame->labels);
    if (rc == WS_OK)
        rc = ws_row_index_init(&there, changed, changed->labels);
    for (size_t i = 0, row = 0; rc == WS_OK && i < frame->rows; i++) {
        rc = ws_row_index_only(&there, changed_name, here.name[i], name, &row);
        after[i] = value[row];
    }
    ws_row_index_fini(&here);
    ws_row_index_fini(&there);
    return rc;
}

static int widen(const ws_frame *frame, const char *column, const double *value, ws_frame **out)
{
    const size_t wide = frame->columns + 1;
    ws_frame *const f = ws_frame_create(frame->rows, wide, frame->labels, (const char *const *)frame->label_names);
    int rc = f ? WS_OK : WS_EMEM;
    for (size_t i = 0; rc == WS_OK && i < frame->notes; i++)
        rc = ws_frame_note(f, "%s", frame->note[i]);
    for (size_t i = 0; rc == WS_OK && i < frame->rows * frame->labels; i++)
        rc = ws_frame_set_label(f, i / frame->labels, i % frame->labels, frame->label[i]);
    for (size_t j = 0; rc == WS_OK && j < frame->columns; j++)
        rc = ws_frame_set_column(f, j, frame->column[j].name, frame->column[j].unit, frame->column[j].group);
    if (rc == WS_OK)
        rc = ws_frame_set_column(f, frame->columns, column, "ratio", WS_GROUP_CHANGE);
    for (size_t i = 0; rc == WS_OK && i < frame->rows; i++) {
        memcpy(f->value + i * wide, frame->value + i * frame->columns, frame->columns * sizeof *f->value);
        f->value[i * wide + frame->columns] = value[i];
    }
    return ws_frame_give(rc, f, out) == WS_OK ? WS_OK
                                              : ws_fail(WS_EMEM, "no memory for changes of %zu rows", frame->rows);
}

int ws_outcomes_add_change(ws_frame **frame, const double *before, const char *name, const ws_frame *changed,
                           const char *changed_name, const char *column)
{
    double *value = NULL, *const after = calloc((*frame)->rows + 1, sizeof *after);
    char *const title = ws_outcomes_machine(changed_name);
    ws_frame *wide = NULL;
    int rc = after && title ? ws_outcomes_column(changed, changed_name, column, &value)
                            : ws_fail(WS_EMEM, "%s: no memory for a change", name);
    if (rc == WS_OK)
        rc = match(*frame, name, changed, changed_name, value, after);
    for (size_t i = 0; rc == WS_OK && i < (*frame)->rows; i++) {
        if (!(before[i] > 0 && after[i] > 0))
            rc = ws_fail(WS_EINPUT, "%s: expected %s above 0 on both machines, found %g and %g in row %zu",
                         changed_name, column, before[i], after[i], i + 1);
        after[i] = before[i] / after[i];
    }
    if (rc == WS_OK)
        rc = widen(*frame, title, after, &wide);
    free(value);
    free(after);
    free(title);
    if (rc != WS_OK)
        return rc;
    ws_frame_destroy(*frame);
    *frame = wide;
    return WS_OK;
}
