/* annotated_text.c - a kernel's source with numbers before each line.
 *
 * Files follow one another, that with most instructions first; of each the lines that instructions come from, with a
 * few around them. */
#include "cli/annotate/annotated.h"
#include "cli/annotate/measure.h"
#include "base/source_file.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 2, CELL = 8, NUMBER = 64 };

typedef struct printer {
    const ws_annotated *what;
    const ws_line_table *table;
    FILE *out;
} printer;

/* ------------------------------------------------------------------------------------------------ cells */

static void print_cell(FILE *out, const char *form, double value)
{
    char cell[NUMBER];
    const bool percent = strchr(form, '%') && strstr(form, "%%");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(cell, sizeof cell, form, percent ? 100 * value : value);
#pragma GCC diagnostic pop
    if (isnan(value))
        snprintf(cell, sizeof cell, ".");
    fprintf(out, "%*s", CELL, cell);
}

static void print_sums(const printer *p, const ws_line_sums *sums)
{
    double value[WS_MEASURES];
    ws_measures(sums, &p->table->all, value);
    for (unsigned m = 0; m < WS_MEASURES; m++)
        if (*ws_measure_table[m].heading)
            print_cell(p->out, ws_measure_table[m].form, value[m]);
}

static void print_blanks(const printer *p)
{
    for (unsigned m = 0; m < WS_MEASURES; m++)
        if (*ws_measure_table[m].heading)
            fprintf(p->out, "%*s", CELL, "");
}

static void print_headings(const printer *p)
{
    for (unsigned m = 0; m < WS_MEASURES; m++)
        if (*ws_measure_table[m].heading)
            fprintf(p->out, "%*s", CELL, ws_measure_table[m].heading);
    fputs("\n", p->out);
}

static void print_instruction(const printer *p, const ws_listed *row)
{
    ws_line_sums sums = {0};
    ws_line_sums_add(&sums, row);
    print_sums(p, &sums);
    fprintf(p->out, "  %5s  %s\n", "", row->text);
}

static void print_instructions(const printer *p, const ws_source_line *line)
{
    for (size_t i = 0; i < p->what->listing->rows; i++)
        if (ws_line_table_of(p->table, &p->what->listing->row[i]) == line)
            print_instruction(p, &p->what->listing->row[i]);
}

/* ------------------------------------------------------------------------------------------------ files */

typedef struct shown_source {
    ws_source_file text;
    int loaded; /* why there is none */
    uint64_t fingerprint;
    bool known; /* the fingerprint, of when the program ran */
} shown_source;

static int find_source(const ws_annotated *what, const char *path, shown_source *s)
{
    const int status = ws_store_source(what->store, what->run, path, &s->fingerprint, &s->known);
    if (status)
        return status;
    s->loaded = ws_source_file_find(path, s->known ? &s->fingerprint : NULL, &s->text);
    return s->loaded == WS_EMEM ? s->loaded : WS_OK;
}

static void say_of_file(const printer *p, const ws_source_lines *file, const shown_source *s)
{
    const uint32_t last = p->table->line[file->end - 1].line;
    if (s->loaded == WS_EUNSUPPORTED)
        fputs("  the file is outside the source folders: line numbers only (--sources DIR adds one)\n", p->out);
    else if (s->loaded == WS_ENOTFOUND)
        fputs("  the file is missing: line numbers only (--sources names further folders)\n", p->out);
    else if (s->loaded)
        fprintf(p->out, "  %s: line numbers only\n", ws_message());
    else if (!s->known)
        fputs("  the file was not read when the program ran, and may differ\n", p->out);
    else if (s->fingerprint != s->text.fingerprint)
        fputs("  the file has changed since the program ran: lines may be wrong\n", p->out);
    if (s->text.text && last > s->text.lines)
        fprintf(p->out, "  its last line is %zu, and instructions come from line %" PRIu32 "\n", s->text.lines, last);
}

static void print_line(const printer *p, const ws_source_file *text, uint32_t number, const ws_source_line *counted)
{
    if (counted)
        print_sums(p, &counted->sums);
    else
        print_blanks(p);
    fprintf(p->out, "  %5" PRIu32 "  %s\n", number, number <= text->lines ? text->line[number - 1] : "");
    if (counted && p->what->instructions)
        print_instructions(p, counted);
}

static void print_lines(const printer *p, const ws_source_lines *file, const ws_source_file *text)
{
    const ws_source_line *const line = p->table->line;
    const uint32_t around = text->text ? AROUND : 0;
    uint32_t next = 1;
    for (size_t i = file->first; i < file->end; i++) {
        const uint32_t from = line[i].line > around ? line[i].line - around : 1;
        if (from > next && i > file->first)
            fputs("  ...\n", p->out);
        for (next = from > next ? from : next; next < line[i].line; next++)
            print_line(p, text, next, NULL);
        print_line(p, text, next++, &line[i]);
        const uint32_t last = i + 1 < file->end ? line[i + 1].line - 1 : (uint32_t)text->lines;
        for (; text->text && next <= line[i].line + around && next <= last; next++)
            print_line(p, text, next, NULL);
    }
}

static int print_file(const printer *p, const ws_source_lines *file)
{
    shown_source source = {.text = {0}};
    if (!strcmp(file->file, WS_PLACE_UNNAMED)) {
        fputs("a file that the traces do not name: line numbers only (--source of `warpscape import' names it)\n",
              p->out);
        print_headings(p);
        print_lines(p, file, &source.text);
        return WS_OK;
    }
    const int status = find_source(p->what, file->file, &source);
    if (!status) {
        fprintf(p->out, "%s\n", file->file);
        say_of_file(p, file, &source);
        print_headings(p);
        print_lines(p, file, &source.text);
    }
    ws_source_file_fini(&source.text);
    return status;
}

/* ------------------------------------------------------------------------------------------------ kernels */

/* What no line is known of: all of a program without information on lines. */
static void print_unknown(const printer *p)
{
    const ws_listing *const l = p->what->listing;
    const bool all = !p->table->lines;
    if (all)
        fprintf(p->out, "no line information: build with %s; these are the instructions\n", ws_lines_wanted(l->isa));
    else if (!p->table->unknown.count[WS_COUNT_issues])
        return;
    else
        fputs("(no line)\n", p->out);
    print_headings(p);
    for (size_t i = 0; i < l->rows && (all || p->what->instructions); i++)
        if (!l->row[i].place)
            print_instruction(p, &l->row[i]);
    if (!all && !p->what->instructions) {
        print_sums(p, &p->table->unknown);
        fprintf(p->out, "  %5s  instructions without a line\n", "");
    }
}

int ws_annotated_print(const ws_annotated *what, FILE *out)
{
    ws_line_table table;
    int status = ws_line_table_make(what->listing, &table);
    const printer p = {.what = what, .table = &table, .out = out};
    if (!status)
        fprintf(out, "%s, %s: %" PRIu64 " launch%s, %" PRIu64 " warp instructions\n", what->title, what->workload,
                what->listing->launches, what->listing->launches == 1 ? "" : "es", table.all.count[WS_COUNT_issues]);
    for (size_t f = 0; f < table.files && !status; f++)
        status = print_file(&p, &table.file[f]);
    if (!status)
        print_unknown(&p);
    ws_line_table_fini(&table);
    return status;
}
