/* annotated_frame.c - lines, or instructions, of kernels as rows of a frame. */
#include "cli/annotate/annotated.h"
#include "cli/annotate/measure.h"

#include "base/grow.h"
#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_MOST = 7, INSTRUCTION = 6, COLUMNS = WS_COUNTS + WS_MEASURES };

typedef struct row {
    char *label[LABELS_MOST];
    double value[COLUMNS];
} row;

struct ws_annotated_frame {
    bool instructions;
    row *row;
    size_t rows, room;
};

int ws_annotated_frame_create(bool instructions, ws_annotated_frame **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ws_fail(WS_EMEM, "out of memory");
    (*out)->instructions = instructions;
    return WS_OK;
}

void ws_annotated_frame_destroy(ws_annotated_frame *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->rows; i++)
        for (size_t l = 0; l < LABELS_MOST; l++)
            free(f->row[i].label[l]);
    free(f->row);
    free(f);
}

/* FILE:LINE of the call that was inlined, or "". */
static char *call_words(const ws_listing *l, const ws_place *at)
{
    char *words;
    if (!at || !at->inlined_at)
        return strdup("");
    const ws_place *const call = &l->place[at->inlined_at];
    return asprintf(&words, "%s:%" PRIu32, call->file ? call->file : "?", call->line) < 0 ? NULL : words;
}

/* `at`: NULL where the line is not known. */
static int add_row(ws_annotated_frame *f, const ws_annotated *what, const ws_line_sums *sums, const ws_line_sums *all,
                   const ws_place *at, const char *instruction)
{
    char line[16];
    if (WS_GROW(f->row, f->room, f->rows, 1))
        return ws_fail(WS_EMEM, "out of memory");
    row *const r = &f->row[f->rows++];
    snprintf(line, sizeof line, "%" PRIu32, at ? at->line : 0);
    *r = (row){.label = {strdup(what->workload), strdup(what->title), strdup(at ? at->file : ""),
                         strdup(at ? line : ""), strdup(at && at->function ? at->function : ""),
                         call_words(what->listing, at), strdup(instruction)}};
    for (unsigned c = 0; c < WS_COUNTS; c++)
        r->value[c] = (double)sums->count[c];
    ws_measures(sums, all, r->value + WS_COUNTS);
    for (size_t l = 0; l < LABELS_MOST; l++)
        if (!r->label[l])
            return ws_fail(WS_EMEM, "out of memory");
    return WS_OK;
}

static const ws_place *place_of(const ws_listing *l, uint32_t place)
{
    return place ? &l->place[place] : NULL;
}

static int add_instructions(ws_annotated_frame *f, const ws_annotated *what, const ws_line_sums *all)
{
    const ws_listing *const l = what->listing;
    int status = WS_OK;
    for (size_t i = 0; i < l->rows && !status; i++) {
        ws_line_sums sums = {0};
        ws_line_sums_add(&sums, &l->row[i]);
        status = add_row(f, what, &sums, all, place_of(l, l->row[i].place), l->row[i].text);
    }
    return status;
}

static int add_lines(ws_annotated_frame *f, const ws_annotated *what, const ws_line_table *t)
{
    int status = WS_OK;
    for (size_t i = 0; i < t->lines && !status; i++)
        status = add_row(f, what, &t->line[i].sums, &t->all, place_of(what->listing, t->line[i].place), "");
    if (!status && t->unknown.count[WS_COUNT_issues])
        status = add_row(f, what, &t->unknown, &t->all, NULL, "");
    return status;
}

int ws_annotated_add(ws_annotated_frame *f, const ws_annotated *what)
{
    ws_line_table table;
    int status = ws_line_table_make(what->listing, &table);
    if (!status)
        status = f->instructions ? add_instructions(f, what, &table.all) : add_lines(f, what, &table);
    ws_line_table_fini(&table);
    return status;
}

static int name_columns(ws_frame *frame)
{
    int status = WS_OK;
    for (unsigned c = 0; c < WS_COUNTS && !status; c++)
        status = ws_frame_set_column(frame, c, ws_count_table[c].name, ws_count_table[c].unit, "counts");
    for (unsigned m = 0; m < WS_MEASURES && !status; m++)
        status =
            ws_frame_set_column(frame, WS_COUNTS + m, ws_measure_table[m].name, ws_measure_table[m].unit, "measures");
    return status;
}

int ws_annotated_frame_finish(const ws_annotated_frame *f, ws_frame **out)
{
    static const char *const labels[LABELS_MOST] = {"workload", "kernel",     "file",       "line",
                                                    "function", "inlined_at", "instruction"};
    const size_t n = f->instructions ? LABELS_MOST : INSTRUCTION;
    ws_frame *const frame = *out = ws_frame_create(f->rows, COLUMNS, n, labels);
    int status = frame ? name_columns(frame) : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < f->rows && !status; i++) {
        for (size_t l = 0; l < n && !status; l++)
            status = ws_frame_set_label(frame, i, l, f->row[i].label[l]);
        memcpy(frame->value + i * COLUMNS, f->row[i].value, sizeof f->row[i].value);
    }
    return status;
}
