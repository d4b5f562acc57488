/* occupancy_table.c - see occupancy_table.h. */
#include "model/mechanism/occupancy/occupancy_table.h"

#include "base/grow.h"
#include "base/status.h"
#include "collect/trace/event.h"
#include "model/machine/machine.h"
#include "model/mechanism/occupancy/occupancy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

const ws_occupancy_column ws_occupancy_columns[] = {
#define COLUMN(name, unit, expression, meaning) {#name, unit, meaning},
#include "model/mechanism/occupancy/occupancy_columns.def"
#undef COLUMN
    {NULL, NULL, NULL},
};
static const ws_frame_column columns[] = {
#define COLUMN(name, unit, expression, meaning) {#name, unit},
#include "model/mechanism/occupancy/occupancy_columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns, WORKLOAD = 0, KERNEL = 1, LIMIT = 2 };

/* Launches of a kernel with the same shape. */
typedef struct line {
    char *key; /* workload, kernel and shape as a text */
    char *workload, *kernel;
    ws_occupancy_shape shape;
    ws_occupancy occupancy;
    uint64_t launches;
    double waves, whole_waves; /* sums over launches */
    UT_hash_handle hh;
} line;

typedef struct table {
    const ws_machine *machine;
    line *lines; /* in order of first launches */
    size_t left_out;
} table;

/* ------------------------------------------------------------------------------------------------ rows */

static void free_line(line *l)
{
    free(l->key);
    free(l->workload);
    free(l->kernel);
    free(l);
}

static line *make_line(const ws_store_row *row, const ws_occupancy_shape *shape, const char *key)
{
    line *const l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->key = strdup(key);
    l->workload = strdup(row->workload);
    l->kernel = strdup(row->title);
    l->shape = *shape;
    if (l->key && l->workload && l->kernel)
        return l;
    free_line(l);
    return NULL;
}

static int line_of(table *t, const ws_store_row *row, const ws_occupancy_shape *shape, line **out)
{
    char *key = NULL;
    if (asprintf(&key, "%s\n%s\n%u %u %llu", row->workload, row->title, shape->threads, shape->registers,
                 (unsigned long long)shape->shared) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    HASH_FIND_STR(t->lines, key, *out);
    int status = WS_OK;
    if (!*out) {
        line *const l = *out = make_line(row, shape, key);
        if (l) {
            ws_occupancy_of(t->machine, shape, &l->occupancy);
            HASH_ADD_KEYPTR(hh, t->lines, l->key, strlen(l->key), l);
            if (!l->hh.tbl) {
                free_line(l);
                *out = NULL;
            }
        }
        if (!*out)
            status = ws_fail(WS_EMEM, "out of memory");
    }
    free(key);
    return status;
}

static int see_launch(void *user, const ws_store_row *row)
{
    table *const t = user;
    line *l = NULL;
    if (row->registers < 0 || row->shared_bytes < 0) {
        t->left_out++;
        return WS_OK;
    }
    const ws_occupancy_shape shape = {.threads = (uint32_t)(row->block[0] * row->block[1] * row->block[2]),
                                      .registers = (uint32_t)row->registers,
                                      .shared = (uint64_t)row->shared_bytes};
    const int status = line_of(t, row, &shape, &l);
    if (status)
        return status;
    l->launches++;
    if (!l->occupancy.resident)
        return WS_OK;
    const double ctas = (double)row->grid[0] * (double)row->grid[1] * (double)row->grid[2];
    const double waves = ctas / ((double)l->occupancy.resident * ws_machine_sms(t->machine));
    l->waves += waves;
    l->whole_waves += ceil(waves);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ frame */

static double of(double value)
{
    return value > 0 ? value : NAN;
}

static double ctas(const ws_occupancy *o, ws_resident_limit limit)
{
    return o->ctas[limit] == UINT64_MAX ? NAN : (double)o->ctas[limit];
}

static int add_row(const line *r, ws_frame *frame)
{
    const ws_occupancy *const o = &r->occupancy;
    const double value[COLUMNS] = {
#define COLUMN(name, unit, expression, meaning) expression,
#include "model/mechanism/occupancy/occupancy_columns.def"
#undef COLUMN
    };
    return ws_frame_add_row(frame, (const char *[]){r->workload, r->kernel, ws_resident_limit_table[o->limit].name},
                            value);
}

static int make_frame(const table *t, ws_frame **out)
{
    static const ws_frame_layout layout = {{"workload", "kernel", "limit"}, columns, COLUMNS, "occupancy"};
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = ws_frame_note(*out, "machine: %s", ws_machine_name(t->machine));
    if (!status && t->left_out)
        status =
            ws_frame_note(*out, "missing: %zu launches whose registers or shared memory are not known", t->left_out);
    for (const line *l = t->lines; l && !status; l = l->hh.next)
        status = add_row(l, *out);
    return status;
}

int ws_occupancy_table(ws_store *store, const ws_machine *machine, ws_frame **out)
{
    table t = {.machine = machine};
    line *l, *next;
    *out = NULL;
    int status = ws_store_launches(store, see_launch, &t);
    if (!status && !t.lines)
        status = ws_fail(WS_ENOTFOUND, "no launch whose registers and shared memory are known");
    if (!status)
        status = make_frame(&t, out);
    if (status) {
        ws_frame_destroy(*out);
        *out = NULL;
    }
    HASH_ITER(hh, t.lines, l, next)
    {
        HASH_DEL(t.lines, l);
        free_line(l);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ in a line */

static double value_of(const ws_frame *frame, size_t row, const char *name)
{
    return frame->value[row * frame->columns + (size_t)ws_frame_find_column(frame, name)];
}

static const char *resource_of(const char *limit)
{
    for (unsigned i = 0; i < WS_RESIDENT_LIMITS; i++)
        if (!strcmp(ws_resident_limit_table[i].name, limit))
            return ws_resident_limit_table[i].resource;
    return limit;
}

static void write_row(const ws_frame *frame, size_t row, const char *machine, FILE *out)
{
    const double ratio = value_of(frame, row, "occupancy"), best = value_of(frame, row, "best_occupancy"),
                 registers = value_of(frame, row, "next_registers"), shared = value_of(frame, row, "next_shared"),
                 waves = value_of(frame, row, "waves"), tail = value_of(frame, row, "tail");
    if (!value_of(frame, row, "ctas")) {
        fprintf(out, "   occupancy on a %s: no SM has room for a CTA of %.0f threads, for want of %s\n", machine,
                value_of(frame, row, "threads"), resource_of(frame->label[row * frame->labels + LIMIT]));
        return;
    }
    fprintf(out, "   occupancy on a %s: %.0f%%, %.0f CTAs of %.0f threads an SM", machine, 100 * ratio,
            value_of(frame, row, "ctas"), value_of(frame, row, "threads"));
    if (ratio < 1)
        fprintf(out, ", limited by %s", resource_of(frame->label[row * frame->labels + LIMIT]));
    if (isfinite(registers))
        fprintf(out, "; one more with %.0f registers instead of %.0f", registers, value_of(frame, row, "registers"));
    if (isfinite(shared))
        fprintf(out, "; one more with %.0f bytes of shared memory instead of %.0f", shared,
                value_of(frame, row, "shared"));
    if (best > ratio)
        fprintf(out, "; %.0f%% with CTAs of %.0f threads", 100 * best, value_of(frame, row, "best_threads"));
    if (waves < 1)
        fprintf(out, "; a launch fills %.2g%% of the machine\n", 100 * waves);
    else
        fprintf(out, "; %.3g waves, %.0f%% of their places empty\n", waves, 100 * tail);
}

void ws_occupancy_remark(const ws_frame *frame, const char *machine, const char *workload, const char *kernel,
                         FILE *out)
{
    size_t chosen = frame->rows;
    for (size_t i = 0; i < frame->rows; i++)
        if (!strcmp(frame->label[i * frame->labels + WORKLOAD], workload) &&
            !strcmp(frame->label[i * frame->labels + KERNEL], kernel) &&
            (chosen == frame->rows || value_of(frame, i, "launches") > value_of(frame, chosen, "launches")))
            chosen = i;
    if (chosen < frame->rows)
        write_row(frame, chosen, machine, out);
}
