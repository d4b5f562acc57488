/* roofline_table.c - see roofline_table.h. */
#include "model/mechanism/roofline/roofline_table.h"

#include "base/status.h"
#include "model/mechanism/roofline/counts.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/work_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = WS_ROOFLINE_SECTOR, BANK_BYTES = 128 /* of a pass over 32 banks of 4 */ };

static const double giga = 1e9;

/* Launches that stand in one row. */
typedef struct line {
    size_t of; /* its first row of the frame of launches */
    ws_roofline_counts counts;
    double cycles, least; /* sums over launches */
    double cycle[WS_CEILINGS], next, operations;
    ws_ceiling bound, compute;
} line;

typedef struct table {
    const ws_roofline *roofline;
    const ws_frame *launches;
    ws_per per;
    ws_work_rows rows; /* of line */
    size_t left_out;
} table;

const ws_roofline_column ws_roofline_columns[] = {
#define COLUMN(name, unit, expression, meaning) {#name, unit, meaning},
#include "model/mechanism/roofline/roofline_columns.def"
#undef COLUMN
    {NULL, NULL, NULL},
};
static const ws_frame_column columns[] = {
#define COLUMN(name, unit, expression, meaning) {#name, unit},
#include "model/mechanism/roofline/roofline_columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* ------------------------------------------------------------------------------------------------ adding up */

static line *line_of(table *t, size_t row)
{
    char *const *const label = t->launches->label + row * t->launches->labels;
    const bool new = t->per == WS_PER_LAUNCH;
    const size_t before = t->rows.count;
    line *const l = new ? ws_work_rows_add(&t->rows, label[0], "", 0)
                        : ws_work_rows_find(&t->rows, label[0], t->per == WS_PER_KERNEL ? label[1] : "", 0, false);
    if (l && t->rows.count > before)
        l->of = row;
    return l;
}

static int add_launch(table *t, size_t row)
{
    enum { KERNEL = 1 }; /* of the labels of launches */
    ws_roofline_counts counts;
    double cycle[WS_CEILINGS] = {0};
    if (!ws_roofline_count(t->launches, row, &counts)) {
        t->left_out++;
        return WS_OK;
    }
    line *const l = line_of(t, row);
    if (!l)
        return WS_EMEM;
    ws_roofline_add(&l->counts, &counts);
    const ws_ceiling bound = ws_roofline_times(t->roofline, &counts, cycle);
    l->cycles += cycle[bound];
    l->least += ws_roofline_least(t->roofline, &counts);
    return ws_roofline_check(t->roofline, t->launches->label[row * t->launches->labels + KERNEL], &counts,
                             cycle[bound]);
}

/* The roof of what computes: the highest time among those that are no level of memory. */
static void finish(const table *t, line *l)
{
    l->bound = ws_roofline_times(t->roofline, &l->counts, l->cycle);
    l->operations = ws_roofline_operations(&l->counts);
    l->compute = WS_CEILING_issue;
    l->next = 0;
    for (unsigned i = 0; i < WS_CEILINGS; i++) {
        if (ws_ceiling_table[i].per != WS_PER_BYTE && l->cycle[i] > l->cycle[l->compute])
            l->compute = (ws_ceiling)i;
        if (i != l->bound)
            l->next = fmax(l->next, l->cycle[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ frames */

static int add_row(const table *t, const line *r, ws_frame *frame)
{
    const ws_roofline_counts *const c = &r->counts;
    const ws_roofline *const w = t->roofline;
    double value[COLUMNS] = {
#define COLUMN(name, unit, expression, meaning) expression,
#include "model/mechanism/roofline/roofline_columns.def"
#undef COLUMN
    };
    const char *label[WS_FRAME_LABELS_MOST];
    for (size_t j = 0; j < COLUMNS; j++)
        if (!isfinite(value[j])) /* nothing was moved, or nothing done */
            value[j] = NAN;
    for (size_t l = 0; l + 1 < frame->labels; l++)
        label[l] = t->launches->label[r->of * t->launches->labels + l];
    label[frame->labels - 1] = ws_ceiling_table[r->bound].name;
    return ws_frame_add_row(frame, label, value);
}

static double giga_of(const ws_roofline *roofline, unsigned ceiling)
{
    return roofline->rate[ceiling] * roofline->hertz / giga;
}

static int note(const table *t, ws_frame *frame)
{
    int status = ws_frame_note(frame, "machine: %s", ws_machine_name(t->roofline->machine));
    for (unsigned i = 0; i < WS_CEILINGS && !status; i++)
        status = ws_frame_note(frame, "roof: %s %s %.6g %s", ws_ceiling_table[i].name, ws_ceiling_table[i].unit,
                               giga_of(t->roofline, i), ws_ceiling_table[i].word);
    if (!status && t->left_out)
        status =
            ws_frame_note(frame, "missing: %zu launches without complete counts (run with --set all)", t->left_out);
    return status;
}

static int make_frame(const table *t, ws_frame **out)
{
    static const ws_frame_layout layouts[] = {
        [WS_PER_LAUNCH] = {{"workload", "kernel", "launch", "bound"}, columns, COLUMNS, "roofline"},
        [WS_PER_KERNEL] = {{"workload", "kernel", "bound"}, columns, COLUMNS, "roofline"},
        [WS_PER_WORKLOAD] = {{"workload", "bound"}, columns, COLUMNS, "roofline"}};
    int status = ws_frame_begin(&layouts[t->per], out);
    if (!status)
        status = note(t, *out);
    for (size_t i = 0; i < t->rows.count && !status; i++)
        status = add_row(t, t->rows.row[i].kept, *out);
    return status;
}

int ws_roofline_table(ws_store *store, const ws_roofline *roofline, ws_per per, ws_frame **out)
{
    ws_frame *launches = NULL;
    table t = {.roofline = roofline, .per = per, .rows.bytes = sizeof(line)};
    int status = ws_store_frame(store, WS_PER_LAUNCH, "all", false, &launches);
    *out = NULL;
    t.launches = launches;
    for (size_t i = 0; !status && i < launches->rows; i++)
        status = add_launch(&t, i);
    if (!status && !t.rows.count)
        status = ws_fail(WS_ENOTFOUND, "no launch has the counts that a roofline needs: run with --set all");
    for (size_t i = 0; i < t.rows.count; i++)
        finish(&t, t.rows.row[i].kept);
    if (!status)
        status = make_frame(&t, out);
    ws_frame_destroy(launches);
    ws_work_rows_fini(&t.rows);
    return status;
}

int ws_roofline_roofs(const ws_roofline *roofline, ws_frame **out)
{
    static const ws_frame_column rates[] = {{"rate", "1e9/s"}, {"cycle", "1/cycle"}};
    static const ws_frame_layout layout = {{"roof", "unit"}, rates, sizeof rates / sizeof *rates, "roofline"};
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = ws_frame_note(*out, "machine: %s", ws_machine_name(roofline->machine));
    for (unsigned i = 0; i < WS_CEILINGS && !status; i++)
        status = ws_frame_add_row(*out, (const char *[]){ws_ceiling_table[i].word, ws_ceiling_table[i].unit},
                                  (double[]){giga_of(roofline, i), roofline->rate[i]});
    return status;
}
