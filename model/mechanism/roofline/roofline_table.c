/* roofline_table.c - see roofline_table.h. */
#include "model/mechanism/roofline/roofline_table.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/mechanism/roofline/counts.h"
#include "model/machine/machine.h"

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
    line *line;
    size_t lines, room, left_out;
} table;

const ws_roofline_column ws_roofline_columns[] = {
#define COLUMN(name, unit, expression, meaning) {#name, unit, meaning},
#include "model/mechanism/roofline/roofline_columns.def"
#undef COLUMN
    {NULL, NULL, NULL},
};
enum { COLUMNS = sizeof ws_roofline_columns / sizeof *ws_roofline_columns - 1 };

/* ------------------------------------------------------------------------------------------------ adding up */

static bool is_same(const table *t, size_t a, size_t b, size_t label)
{
    const size_t width = t->launches->labels;
    return !strcmp(t->launches->label[a * width + label], t->launches->label[b * width + label]);
}

/* Launches of a workload follow one another. */
static line *find_line(const table *t, size_t row)
{
    for (size_t i = t->lines; t->per != WS_PER_LAUNCH && i && is_same(t, t->line[i - 1].of, row, 0); i--)
        if (t->per == WS_PER_WORKLOAD || is_same(t, t->line[i - 1].of, row, 1))
            return &t->line[i - 1];
    return NULL;
}

static line *line_of(table *t, size_t row)
{
    line *const known = find_line(t, row);
    if (known)
        return known;
    if (WS_GROW(t->line, t->room, t->lines, 1))
        return NULL;
    t->line[t->lines] = (line){.of = row};
    return &t->line[t->lines++];
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
        return ws_fail(WS_EMEM, "out of memory");
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

static int set_row(const table *t, size_t row, ws_frame *frame)
{
    const line *const r = &t->line[row];
    const ws_roofline_counts *const c = &r->counts;
    const ws_roofline *const w = t->roofline;
    const double value[COLUMNS] = {
#define COLUMN(name, unit, expression, meaning) expression,
#include "model/mechanism/roofline/roofline_columns.def"
#undef COLUMN
    };
    int status = WS_OK;
    memcpy(frame->value + row * COLUMNS, value, sizeof value);
    for (size_t j = 0; j < COLUMNS; j++)
        if (!isfinite(value[j])) /* nothing was moved, or nothing done */
            frame->value[row * COLUMNS + j] = NAN;
    for (size_t l = 0; l + 1 < frame->labels && !status; l++)
        status = ws_frame_set_label(frame, row, l, t->launches->label[r->of * t->launches->labels + l]);
    return status ? status : ws_frame_set_label(frame, row, frame->labels - 1, ws_ceiling_table[r->bound].name);
}

static double giga_of(const ws_roofline *roofline, unsigned ceiling)
{
    return roofline->rate[ceiling] * roofline->hertz / giga;
}

static int note(const table *t, ws_frame *frame)
{
    int status = ws_frame_note(frame, "machine: %s", t->roofline->machine->name);
    for (unsigned i = 0; i < WS_CEILINGS && !status; i++)
        status = ws_frame_note(frame, "roof: %s %s %.6g %s", ws_ceiling_table[i].name, ws_ceiling_table[i].unit,
                               giga_of(t->roofline, i), ws_ceiling_table[i].word);
    if (!status && t->left_out)
        status = ws_frame_note(frame, "missing: %zu launches of which not everything was counted (run with --set all)",
                               t->left_out);
    return status;
}

static int make_frame(const table *t, ws_frame **out)
{
    static const char *const labels[][4] = {
        {"workload", "kernel", "launch", "bound"}, {"workload", "kernel", "bound"}, {"workload", "bound"}};
    static const size_t width[] = {4, 3, 2}; /* in the order of ws_per */
    ws_frame *const frame = ws_frame_create(t->lines, COLUMNS, width[t->per], labels[t->per]);
    int status = frame ? note(t, frame) : ws_fail(WS_EMEM, "out of memory");
    for (size_t j = 0; j < COLUMNS && !status; j++)
        status = ws_frame_set_column(frame, j, ws_roofline_columns[j].name, ws_roofline_columns[j].unit, "roofline");
    for (size_t i = 0; i < t->lines && !status; i++)
        status = set_row(t, i, frame);
    if (status)
        ws_frame_destroy(frame);
    else
        *out = frame;
    return status;
}

int ws_roofline_table(ws_store *store, const ws_roofline *roofline, ws_per per, ws_frame **out)
{
    ws_frame *launches = NULL;
    table t = {.roofline = roofline, .per = per};
    int status = ws_store_frame(store, WS_PER_LAUNCH, "all", false, &launches);
    *out = NULL;
    t.launches = launches;
    for (size_t i = 0; !status && i < launches->rows; i++)
        status = add_launch(&t, i);
    if (!status && !t.lines)
        status = ws_fail(WS_ENOTFOUND,
                         "no launch of which everything was counted that a roofline needs: run with --set all");
    for (size_t i = 0; i < t.lines; i++)
        finish(&t, &t.line[i]);
    if (!status)
        status = make_frame(&t, out);
    ws_frame_destroy(launches);
    free(t.line);
    return status;
}

int ws_roofline_roofs(const ws_roofline *roofline, ws_frame **out)
{
    static const ws_frame_column columns[] = {{"rate", "1e9/s"}, {"cycle", "1/cycle"}};
    static const ws_frame_layout layout = {{"roof", "unit"}, columns, sizeof columns / sizeof *columns, "roofline"};
    int status = ws_frame_begin(&layout, out);
    if (!status)
        status = ws_frame_note(*out, "machine: %s", roofline->machine->name);
    for (unsigned i = 0; i < WS_CEILINGS && !status; i++)
        status = ws_frame_add_row(*out, (const char *[]){ws_ceiling_table[i].word, ws_ceiling_table[i].unit},
                                  (double[]){giga_of(roofline, i), roofline->rate[i]});
    return status;
}
