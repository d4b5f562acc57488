/* sweep_frame.c - one frame of what all points printed, with axes as labels. */
#include "base/grow.h"
#include "base/status.h"
#include "record/sweep/sweep.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

/* A column, or a label of rows, of the frame that is made, by its name. */
typedef struct named {
    UT_hash_handle hh;
    size_t at;
    char *name, *unit, *group;
} named;

typedef struct cell {
    size_t column;
    double value;
} cell;

typedef struct row {
    size_t point;
    size_t cell, cells;   /* in order */
    size_t label, labels; /* of the frame that it is from; pairs in `label` */
} row;

typedef struct row_label {
    size_t at; /* of the labels of rows */
    char *text;
} row_label;

typedef struct collection {
    const ws_sweep *sweep;
    const ws_plan *plan;
    named *columns, *row_labels; /* in order of their first appearance */
    row *row;
    cell *cell;
    row_label *label;
    size_t rows, row_room, cells, cell_room, labels, label_room;
} collection;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the frame of a sweep");
}

/* The entry of that name, which is made when it is not there. */
static named *entry_of(named **list, const char *name)
{
    named *n;
    HASH_FIND_STR(*list, name, n);
    if (n)
        return n;
    n = calloc(1, sizeof *n);
    if (!n || !(n->name = strdup(name))) {
        free(n);
        return NULL;
    }
    n->at = HASH_COUNT(*list);
    HASH_ADD_KEYPTR(hh, *list, n->name, strlen(n->name), n);
    return n;
}

static void free_entries(named *list)
{
    named *n, *next;
    HASH_ITER(hh, list, n, next)
    {
        HASH_DEL(list, n);
        free(n->name);
        free(n->unit);
        free(n->group);
        free(n);
    }
}

static void free_collection(collection *c)
{
    free_entries(c->columns);
    free_entries(c->row_labels);
    for (size_t i = 0; i < c->labels; i++)
        free(c->label[i].text);
    free(c->label);
    free(c->cell);
    free(c->row);
}

/* ------------------------------------------------------------------------------------------------ one point */

static int put_cell(collection *c, const char *prefix, const ws_column *of, const char *unit, double value,
                    const char *path)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", of->name);
    named *const n = entry_of(&c->columns, name);
    if (!n || WS_GROW(c->cell, c->cell_room, c->cells, 1))
        return no_memory();
    if (!n->unit) {
        n->unit = strdup(unit);
        n->group = strdup(of->group);
        if (!n->unit || !n->group)
            return no_memory();
    }
    if (strcmp(n->unit, unit))
        return ws_fail(WS_EINPUT, "%s: the column %s is in '%s', and in '%s' in the frame of another point", path,
                       of->name, unit, n->unit);
    c->cell[c->cells++] = (cell){n->at, value};
    return WS_OK;
}

/* Whether a weight makes an amount of a column, and its unit: joules of watts in seconds, bytes of "bytes/s". A weight
 * without a unit counts how often a row stands for itself, which is said of all columns. */
static bool is_weighted(const char *of, const char *weight, char unit[128])
{
    const size_t length = strlen(of), rate = strlen(weight) + 1;
    snprintf(unit, 128, "%s", of);
    if (!*weight)
        return true;
    if (!strcmp(of, "W") && !strcmp(weight, "s")) {
        snprintf(unit, 128, "J");
        return true;
    }
    if (length <= rate || of[length - rate] != '/' || strcmp(of + length - rate + 1, weight))
        return false;
    snprintf(unit, 128, "%.*s", (int)(length - rate), of);
    return true;
}

/* A cell that is missing makes the sum missing. */
static int put_sums(collection *c, const char *prefix, const ws_frame *f, const ws_plan_take *take, const char *path)
{
    const long weight = take->weight ? ws_frame_find_column(f, take->weight) : -1;
    if (take->weight && weight < 0)
        return ws_frame_refuse_column(f, path, take->weight, ", by which rows should be weighted");
    int status = WS_OK;
    for (size_t i = 0; !status && i < f->columns; i++) {
        char unit[128];
        double sum = 0;
        const bool weighted = is_weighted(f->column[i].unit, weight < 0 ? "" : f->column[weight].unit, unit) &&
                              weight >= 0 && i != (size_t)weight;
        for (size_t r = 0; r < f->rows; r++)
            sum += f->value[r * f->columns + i] * (weighted ? f->value[r * f->columns + (size_t)weight] : 1);
        status = put_cell(c, prefix, &f->column[i], weighted ? unit : f->column[i].unit, sum, path);
    }
    return status;
}

static int put_row(collection *c, const char *prefix, const ws_frame *f, size_t r, const char *path)
{
    int status = WS_OK;
    for (size_t i = 0; !status && i < f->columns; i++)
        status = put_cell(c, prefix, &f->column[i], f->column[i].unit, f->value[r * f->columns + i], path);
    return status;
}

/* The one row of a frame of which not all are taken; a frame without rows gives none of its columns. */
static int put_one(collection *c, const char *prefix, const ws_frame *f, const ws_plan_take *take, const char *path)
{
    if (take->rows == WS_PLAN_ROWS_sum)
        return put_sums(c, prefix, f, take, path);
    if (!f->rows)
        return ws_fail(WS_EINPUT, "%s: the frame has no row", path);
    return put_row(c, prefix, f, take->rows == WS_PLAN_ROWS_first ? 0 : f->rows - 1, path);
}

/* Labels of a row, as it is one of several. */
static int put_labels(collection *c, const ws_frame *f, size_t r, row *to)
{
    to->label = c->labels;
    for (size_t i = 0; i < f->labels; i++) {
        named *const n = entry_of(&c->row_labels, f->label_names[i]);
        if (!n || WS_GROW(c->label, c->label_room, c->labels, 1))
            return no_memory();
        c->label[c->labels] = (row_label){n->at, strdup(f->label[r * f->labels + i])};
        if (!c->label[c->labels].text)
            return no_memory();
        c->labels++;
        to->labels++;
    }
    return WS_OK;
}

static int load(const collection *c, size_t point, const char *file, char path[PATH_MAX], ws_frame **out)
{
    snprintf(path, PATH_MAX, "%s/points/%s/%s.csv", ws_sweep_folder(c->sweep), c->plan->point[point].key, file);
    return ws_frame_load(path, out);
}

/* Adds the columns of further frames to the row that is begun. */
static int put_outputs(collection *c, size_t point)
{
    const ws_plan_block *const block = &c->plan->block[c->plan->point[point].block];
    int status = WS_OK;
    for (size_t o = 0; !status && o < block->outputs; o++) {
        char path[PATH_MAX];
        ws_frame *f;
        const ws_plan_rows rows = block->output[o].take.rows;
        if (!block->output[o].is_frame || rows == WS_PLAN_ROWS_none || rows == WS_PLAN_ROWS_all)
            continue;
        status = load(c, point, block->output[o].name, path, &f);
        if (status)
            return status;
        status = put_one(c, block->output[o].name, f, &block->output[o].take, path);
        ws_frame_destroy(f);
    }
    return status;
}

static int begin_row(collection *c, size_t point, row **out)
{
    if (WS_GROW(c->row, c->row_room, c->rows, 1))
        return no_memory();
    *out = &c->row[c->rows++];
    **out = (row){.point = point, .cell = c->cells};
    return WS_OK;
}

/* Columns of the sweep's own: rows of the frame of a point, and its exit status where there may be several. */
static int put_own(collection *c, size_t point, const ws_frame *f, const char *path)
{
    static char rows[] = "point.rows", exit_status[] = "point.exit", none[] = "";
    const int status = put_cell(c, "", &(ws_column){rows, none, none}, "rows", (double)f->rows, path);
    return status || !c->plan->block[c->plan->point[point].block].other_exit
               ? status
               : put_cell(c, "", &(ws_column){exit_status, none, none}, "", ws_sweep_result(c->sweep, point)->exit,
                          path);
}

/* The same cells once more, for another row. */
static int repeat_cells(collection *c, size_t first, size_t count)
{
    if (WS_GROW(c->cell, c->cell_room, c->cells, count))
        return no_memory();
    memcpy(c->cell + c->cells, c->cell + first, count * sizeof *c->cell);
    c->cells += count;
    return WS_OK;
}

/* Rows of a frame, each with the row of each further one. */
static int collect_frame(collection *c, size_t point, const char *prefix, const ws_frame *f, const ws_plan_take *take,
                         const char *path)
{
    const size_t rows = take->rows == WS_PLAN_ROWS_all ? f->rows : 1;
    size_t further = 0, further_cells = 0;
    int status = WS_OK;
    for (size_t r = 0; !status && r < rows; r++) {
        row *to;
        status = begin_row(c, point, &to);
        if (status)
            return status;
        if (take->rows == WS_PLAN_ROWS_all)
            status = put_labels(c, f, r, to);
        if (!status)
            status = put_own(c, point, f, path);
        if (!status)
            status =
                take->rows == WS_PLAN_ROWS_all ? put_row(c, prefix, f, r, path) : put_one(c, prefix, f, take, path);
        if (!status && r) {
            status = repeat_cells(c, further, further_cells);
        } else if (!status) {
            further = c->cells;
            status = put_outputs(c, point);
            further_cells = c->cells - further;
        }
        to->cells = c->cells - to->cell;
    }
    return status;
}

static int collect_point(collection *c, size_t point)
{
    const ws_plan_block *const block = &c->plan->block[c->plan->point[point].block];
    const char *file = block->take.rows != WS_PLAN_ROWS_none ? "out" : NULL, *prefix = "";
    const ws_plan_take *take = &block->take;
    bool has_frames = false;
    for (size_t o = 0; o < block->outputs; o++) {
        const ws_plan_output *const output = &block->output[o];
        has_frames |= output->is_frame && output->take.rows != WS_PLAN_ROWS_none;
        if (output->is_frame && output->take.rows == WS_PLAN_ROWS_all) {
            file = prefix = output->name;
            take = &output->take;
        }
    }
    row *to;
    int status;
    if (!file) {
        status = has_frames ? begin_row(c, point, &to) : WS_OK;
        if (!status && has_frames) {
            status = put_outputs(c, point);
            to->cells = c->cells - to->cell;
        }
        return status;
    }
    char path[PATH_MAX];
    ws_frame *f;
    status = load(c, point, file, path, &f);
    if (status)
        return status;
    status = collect_frame(c, point, prefix, f, take, path);
    ws_frame_destroy(f);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the frame */

/* Labels of the frame: blocks, axes, further labels, labels of rows. */
typedef struct label_plan {
    bool blocks;
    const char **name;
    size_t count, fixed; /* fixed: without those of rows */
} label_plan;

static int name_labels(const collection *c, label_plan *out, char ***renamed)
{
    const ws_plan *const plan = c->plan;
    const size_t rows = HASH_COUNT(c->row_labels);
    size_t most = 1 + plan->axes + rows;
    for (size_t a = 0; a < plan->axes; a++)
        most += plan->axis[a].labels;
    *out = (label_plan){.blocks = plan->blocks > 1, .name = calloc(most + 1, sizeof *out->name)};
    *renamed = calloc(rows + 1, sizeof **renamed);
    if (!out->name || !*renamed)
        return no_memory();
    if (out->blocks)
        out->name[out->count++] = "points";
    for (size_t a = 0; a < plan->axes; a++)
        out->name[out->count++] = plan->axis[a].name;
    for (size_t a = 0; a < plan->axes; a++)
        for (size_t i = 0; i < plan->axis[a].labels; i++)
            out->name[out->count++] = plan->axis[a].label_name[i];
    out->fixed = out->count;
    size_t r = 0;
    for (const named *n = c->row_labels; n; n = n->hh.next) {
        bool taken = false;
        for (size_t i = 0; i < out->fixed; i++)
            taken |= !strcmp(out->name[i], n->name);
        if (taken && asprintf(&(*renamed)[r], "row.%s", n->name) < 0) {
            (*renamed)[r] = NULL;
            return no_memory();
        }
        out->name[out->count++] = taken ? (*renamed)[r++] : n->name;
    }
    return WS_OK;
}

static int label_row(const collection *c, const label_plan *labels, ws_frame *f, size_t at)
{
    const ws_plan *const plan = c->plan;
    const row *const r = &c->row[at];
    const ws_plan_point *const point = &plan->point[r->point];
    size_t l = 0;
    int status = labels->blocks ? ws_frame_set_label(f, at, l++, plan->block[point->block].name) : WS_OK;
    for (size_t a = 0; !status && a < plan->axes; a++)
        status = ws_frame_set_label(f, at, l++, ws_plan_label(plan, r->point, a));
    for (size_t a = 0; a < plan->axes; a++)
        for (size_t i = 0; !status && i < plan->axis[a].labels; i++)
            status = ws_frame_set_label(
                f, at, l++,
                point->value[a] == WS_PLAN_NO_VALUE ? "NA" : plan->axis[a].value[point->value[a]].further[i]);
    for (size_t i = 0; !status && i < r->labels; i++) {
        const row_label *const own = &c->label[r->label + i];
        status = ws_frame_set_label(f, at, labels->fixed + own->at, own->text);
    }
    return status;
}

static int fill(const collection *c, const label_plan *labels, ws_frame *f)
{
    int status = WS_OK;
    for (const named *n = c->columns; n && !status; n = n->hh.next)
        status = ws_frame_set_column(f, n->at, n->name, n->unit, n->group);
    for (size_t i = 0; !status && i < c->rows; i++) {
        status = label_row(c, labels, f, i);
        for (size_t k = 0; k < c->row[i].cells; k++) {
            const cell *const from = &c->cell[c->row[i].cell + k];
            f->value[i * f->columns + from->column] = from->value;
        }
    }
    return status;
}

static int make_frame(const collection *c, ws_frame **out)
{
    label_plan labels;
    char **renamed;
    ws_frame *f = NULL;
    int status = name_labels(c, &labels, &renamed);
    if (!status) {
        /* a plan without axes and blocks is one point: a frame has a label all the same */
        const size_t count = labels.count ? labels.count : 1;
        f = ws_frame_create(c->rows, HASH_COUNT(c->columns), count, labels.count ? labels.name : NULL);
        status = f ? fill(c, &labels, f) : no_memory();
    }
    if (!status && !labels.count)
        for (size_t i = 0; !status && i < f->rows; i++)
            status = ws_frame_set_label(f, i, 0, c->plan->name);
    for (size_t i = 0; renamed && i < HASH_COUNT(c->row_labels); i++)
        free(renamed[i]);
    free(renamed);
    free(labels.name);
    return ws_frame_give(status, f, out);
}

int ws_sweep_frame(const ws_sweep *sweep, const bool *wanted, ws_frame **out)
{
    collection c = {.sweep = sweep, .plan = ws_sweep_plan(sweep)};
    ws_sweep_tally tally;
    int status = WS_OK;
    *out = NULL;
    for (size_t i = 0; !status && i < c.plan->points; i++)
        if (wanted[i] && ws_sweep_result(sweep, i)->state == WS_POINT_DONE)
            status = collect_point(&c, i);
    if (!status)
        status = make_frame(&c, out);
    if (!status) {
        ws_sweep_count(sweep, wanted, &tally);
        status = ws_frame_note_points(*out, c.plan->name, tally.done, tally.points);
    }
    if (status) {
        ws_frame_destroy(*out);
        *out = NULL;
    }
    free_collection(&c);
    return status;
}
