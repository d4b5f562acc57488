/* memory_table.c - results of choices to rows and columns. */
#include "model/mechanism/memory/memory_table.h"

#include "base/status.h"
#include "model/mechanism/work_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ws_memory_table {
    const ws_memory_choice *choice;
    size_t choices;
    ws_memory_per per;
    ws_work_rows rows; /* of ws_memory_result[choices] */
};

int ws_memory_table_create(const ws_memory_choice *choice, size_t choices, ws_memory_per per, ws_memory_table **out)
{
    ws_memory_table *const t = *out = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "no memory for rows of memories");
    *t = (ws_memory_table){
        .choice = choice, .choices = choices, .per = per, .rows.bytes = choices * sizeof(ws_memory_result)};
    return WS_OK;
}

void ws_memory_table_destroy(ws_memory_table *t)
{
    if (t)
        ws_work_rows_fini(&t->rows);
    free(t);
}

int ws_memory_table_add(ws_memory_table *t, const char *workload, const char *kernel, size_t launch,
                        const ws_memory_launch *in_sram)
{
    ws_memory_result *const result = ws_work_rows_find(&t->rows, t->per == WS_MEMORY_PER_SUITE ? "suite" : workload,
                                                       t->per <= WS_MEMORY_PER_KERNEL ? kernel : "",
                                                       t->per == WS_MEMORY_PER_LAUNCH ? launch : 0, true);
    int status = result ? WS_OK : WS_EMEM;
    for (size_t i = 0; i < t->choices && !status; i++)
        status = ws_memory_add(t->choice[i].memory, kernel, in_sram, &result[i]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ columns */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double joules(const ws_memory_result *r)
{
    double sum = 0;
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++)
        sum += ws_memory_joules(&r->part[part]);
    return sum;
}

static double area(const ws_memory *m)
{
    double sum = 0;
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++)
        sum += ws_memory_area(m, (ws_memory_part)part);
    return sum * 1e6;
}

#define COLUMN(name, unit, value) {#name, unit},
#define PART(name, unit, value)
static const char *const of_all[][2] = {
#include "model/mechanism/memory/memory_columns.def"
};
#undef COLUMN
#undef PART
#define COLUMN(name, unit, value)
#define PART(name, unit, value) {#name, unit},
static const char *const of_part[][2] = {
#include "model/mechanism/memory/memory_columns.def"
};
#undef COLUMN
#undef PART
enum {
    ALL = sizeof of_all / sizeof *of_all,
    EACH = sizeof of_part / sizeof *of_part,
    COLUMNS = ALL + EACH * WS_MEMORY_PARTS,
};

static void fill_all(const ws_memory_result *now, const ws_memory_result *sram, const ws_memory *m, const ws_memory *m0,
                     double *to)
{
#define COLUMN(name, unit, value) *to++ = value;
#define PART(name, unit, value)
#include "model/mechanism/memory/memory_columns.def"
#undef COLUMN
#undef PART
}

static void fill_part(const ws_memory_result *now, const ws_memory_result *sram, const ws_memory *m,
                      ws_memory_part part, double *to)
{
    const ws_memory_sum *const p = &now->part[part], *const p0 = &sram->part[part];
#define COLUMN(name, unit, value)
#define PART(name, unit, value) *to++ = value;
#include "model/mechanism/memory/memory_columns.def"
#undef COLUMN
#undef PART
}

static void fill_row(const ws_memory_table *t, const ws_memory_result *result, size_t choice, double *to)
{
    const ws_memory_result *const now = &result[choice], *const sram = &result[0];
    fill_all(now, sram, t->choice[choice].memory, t->choice[0].memory, to);
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++)
        fill_part(now, sram, t->choice[choice].memory, (ws_memory_part)part, to + ALL + (size_t)part * EACH);
}

/* No other choice has less of both, or less of one and as much of the other. */
static bool is_in_front(const ws_memory_table *t, const ws_memory_result *result, size_t choice)
{
    const double j = joules(&result[choice]), c = result[choice].cycles;
    for (size_t i = 1; i < t->choices; i++) {
        const double j2 = joules(&result[i]), c2 = result[i].cycles;
        if (j2 <= j && c2 <= c && (j2 < j || c2 < c))
            return false;
    }
    return true;
}

static int name_columns(ws_frame *frame, bool front)
{
    int status = WS_OK;
    for (size_t i = 0; i < ALL && !status; i++)
        status = ws_frame_set_column(frame, i, of_all[i][0], of_all[i][1], "memory");
    for (size_t i = 0; i < (size_t)EACH * WS_MEMORY_PARTS && !status; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", ws_memory_part_names[i / EACH], of_part[i % EACH][0]);
        status = ws_frame_set_column(frame, ALL + i, name, of_part[i % EACH][1], ws_memory_part_names[i / EACH]);
    }
    return status || !front ? status : ws_frame_set_column(frame, COLUMNS, "front", "", "memory");
}

enum { WHAT = 3 }; /* workload, kernel, launch */

/* Parts of which there are several organisations; rows are called by these alone. */
static size_t parts_that_differ(const ws_memory_table *t, unsigned part[WS_MEMORY_PARTS])
{
    size_t n = 0;
    for (unsigned i = 0; i < WS_MEMORY_PARTS; i++)
        for (size_t c = 2; c < t->choices; c++)
            if (strcmp(t->choice[c].organisation[i], t->choice[1].organisation[i]) != 0) {
                part[n++] = i;
                break;
            }
    return n;
}

static int add_row(const ws_memory_table *t, const ws_work_row *r, size_t choice, const unsigned *part, ws_frame *frame)
{
    char launch[WS_LAUNCH_LABEL];
    const char *label[WHAT + WS_MEMORY_PARTS] = {r->workload, r->kernel, ws_launch_label(r->launch, launch)};
    double value[COLUMNS + 1];
    for (size_t i = WHAT; i < frame->labels; i++)
        label[i] = t->choice[choice].organisation[part[i - WHAT]];
    fill_row(t, r->kept, choice, value);
    value[COLUMNS] = is_in_front(t, r->kept, choice);
    return ws_frame_add_row(frame, label, value);
}

/* What all rows have in common. */
static int note_parts(const ws_memory_table *t, const unsigned *part, size_t differ, ws_frame *frame)
{
    int status = WS_OK;
    size_t at = 0;
    for (unsigned i = 0; i < WS_MEMORY_PARTS && !status; i++) {
        if (at < differ && part[at] == i)
            at++;
        else
            status = ws_frame_note(frame, "%s: %s", ws_memory_part_names[i], t->choice[1].organisation[i]);
    }
    return status;
}

int ws_memory_table_frame(const ws_memory_table *t, ws_frame **out)
{
    const char *labels[WHAT + WS_MEMORY_PARTS] = {"workload", "kernel", "launch"};
    unsigned part[WS_MEMORY_PARTS];
    const size_t each = t->choices - 1, differ = parts_that_differ(t, part);
    for (size_t i = 0; i < differ; i++)
        labels[WHAT + i] = ws_memory_part_names[part[i]];
    *out = ws_frame_create(0, COLUMNS + (each > 1), WHAT + differ, labels);
    int status = *out ? name_columns(*out, each > 1) : ws_fail(WS_EMEM, "no memory for rows of memories");
    if (!status)
        status = note_parts(t, part, differ, *out);
    for (size_t i = 0; i < t->rows.count * each && !status; i++)
        status = add_row(t, &t->rows.row[i / each], 1 + i % each, part, *out);
    return status;
}
