/* claims_table.c - tables of pages, in Markdown: that of the claims, and those of [table NAME]. */
#include "cli/claims/claims_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 64 };

static const char *const table_kinds[] = {"again", "table"};

const char *ws_claims_table_at(const ws_claims *claims, size_t index)
{
    if (ws_claims_next_section(claims, "claim", NULL) && !index--)
        return "claims";
    for (size_t k = 0; k < sizeof table_kinds / sizeof *table_kinds; k++) {
        const ws_claims_section *section = NULL;
        while ((section = ws_claims_next_section(claims, table_kinds[k], section)))
            if (!index--)
                return section->name;
    }
    return NULL;
}

/* A text as a cell: a bar would end it. */
static void put_cell(FILE *out, const char *text)
{
    fputc(' ', out);
    for (; *text; text++) {
        if (*text == '|')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputs(" |", out);
}

static void put_head(FILE *out, const char *const *head, size_t n)
{
    fputc('|', out);
    for (size_t i = 0; i < n; i++)
        if (*head[i])
            put_cell(out, head[i]);
        else
            fputs(" |", out);
    fputs("\n|", out);
    for (size_t i = 0; i < n; i++)
        fputs(" --- |", out);
    fputc('\n', out);
}

/* With the reasons, or without. */
static void put_claims(const ws_claims *claims, const ws_claim *claim, size_t n, bool has_reasons, FILE *out)
{
    static const char *const head[] = {"", "claim", "theirs", "ours", "verdict", "why not"};
    const size_t first = claims->is_numbered ? 0 : 1, end = sizeof head / sizeof *head - !has_reasons;
    put_head(out, head + first, end - first);
    for (size_t i = 0; i < n; i++) {
        const ws_claim *const c = &claim[i];
        const char *const cell[] = {c->id, c->claim, c->theirs, c->ours, ws_claim_verdict_text(c), c->why};
        fputc('|', out);
        for (size_t k = first; k < end; k++)
            put_cell(out, cell[k]);
        fputc('\n', out);
    }
}

void ws_claims_write_verdicts(const ws_claims *claims, FILE *out)
{
    put_claims(claims, claims->claim, claims->claims, false, out);
}

static int check_omitted(const ws_claims *claims, const ws_claims_entry *omit)
{
    const char *at = omit ? omit->value : "";
    for (size_t n; (n = ws_claims_word(&at)) > 0; at += n) {
        const ws_claims_section *section = NULL;
        while ((section = ws_claims_next_section(claims, "claim", section)))
            if (strlen(section->name) == n && !strncmp(section->name, at, n))
                break;
        if (!section)
            return ws_claims_fail(&omit->place, "there is no [claim %.*s]", (int)n, at);
    }
    return WS_OK;
}

/* [again NAME]: the claims over another part of the frame, but for those that are not judged, or omitted. */
static int put_again(ws_claims *claims, const ws_claims_section *section, FILE *out)
{
    ws_claims_entry *only = NULL, *omit = NULL;
    int status = ws_claims_need(section, "only", &only);
    if (!status)
        status = ws_claims_find(section, "omit", &omit);
    if (!status)
        status = ws_claims_check_used(section, "only, omit");
    if (!status)
        status = check_omitted(claims, omit);
    if (!status)
        status = ws_claims_open_scope(claims, only);
    ws_claim *list = NULL;
    size_t n = 0, room = 0;
    const ws_claims_section *claim = NULL;
    while (!status && (claim = ws_claims_next_section(claims, "claim", claim))) {
        if (omit && ws_claims_has_word(omit->value, claim->name))
            continue;
        status = WS_GROW(list, room, n, 1);
        if (!status)
            status = ws_claims_judge_one(claims, claim, &list[n]);
        n += !status && !*list[n].unjudged;
    }
    if (!status)
        put_claims(claims, list, n, false, out);
    free(list);
    const int back = ws_claims_open_scope(claims, NULL);
    return status ? status : back;
}

/* ------------------------------------------------------------------------------------------------ of sections */

typedef struct table {
    ws_claims_entry *rows, *where, *head;
    const char *name[COLUMNS_MOST]; /* [columns] */
    const ws_filled_template *value[COLUMNS_MOST];
    size_t columns;
} table;

static int fill(ws_claims *claims, const ws_claims_entry *entry, ws_arena *arena, const ws_filled_template **out)
{
    const ws_template *template;
    const int status = ws_template_parse(arena, entry->value, &entry->place, &template);
    return status ? status : ws_template_evaluate(claims->scope, template, arena, out);
}

/* column = HEAD | TEXT */
static int add_column(ws_claims *claims, ws_claims_entry *entry, ws_arena *arena, table *t)
{
    ws_claims_entry part[2];
    size_t n;
    entry->is_used = true;
    int status = ws_claims_split(&claims->file, entry, 2, part, &n);
    if (!status && (n < 2 || t->columns == COLUMNS_MOST))
        status = n < 2 ? ws_claims_fail(&entry->place, "expected HEAD | TEXT")
                       : ws_claims_fail(&entry->place, "more than %d columns", COLUMNS_MOST);
    if (!status)
        status = fill(claims, &part[1], arena, &t->value[t->columns]);
    if (!status)
        t->name[t->columns++] = part[0].value;
    return status;
}

static int put_rows(ws_claims *claims, const table *t, ws_arena *arena, FILE *out)
{
    ws_claims_rows rows;
    int status = ws_claims_find_rows(claims, t->rows, t->where, arena, &rows);
    for (size_t r = 0; r < (status ? 0 : rows.rows) && !status; r++) {
        fputc('|', out);
        for (size_t k = 0; k < t->columns && !status; k++) {
            const char *text;
            status = ws_template_write(t->value[k], arena, rows.at + r * rows.axes, rows.axes, &text);
            if (!status)
                put_cell(out, text);
        }
        fputc('\n', out);
    }
    return status;
}

/* row = TEXT | TEXT ... */
static int put_row(ws_claims *claims, ws_claims_entry *entry, size_t columns, FILE *out)
{
    ws_claims_entry part[COLUMNS_MOST];
    size_t n;
    entry->is_used = true;
    int status = ws_claims_split(&claims->file, entry, COLUMNS_MOST, part, &n);
    if (!status && n != columns)
        status = ws_claims_fail(&entry->place, "expected %zu parts between bars, as the head has, not %zu", columns, n);
    fputc('|', out);
    for (size_t i = 0; i < (status ? 0 : n) && !status; i++) {
        const char *text;
        status = ws_claims_text(claims, &part[i], &text);
        if (!status)
            put_cell(out, text);
    }
    fputc('\n', out);
    return status;
}

static int read_head(ws_claims *claims, const ws_claims_section *section, table *t)
{
    ws_claims_entry part[COLUMNS_MOST];
    if (t->columns && t->head)
        return ws_claims_fail(&t->head->at_key, "columns already have heads; remove head =");
    if (t->columns)
        return WS_OK;
    if (!t->head)
        return ws_claims_fail(&section->place, "[table %s] has neither column = HEAD | TEXT nor head =", section->name);
    const int status = ws_claims_split(&claims->file, t->head, COLUMNS_MOST, part, &t->columns);
    for (size_t i = 0; i < t->columns; i++)
        t->name[i] = part[i].value;
    return status;
}

static int put_section(ws_claims *claims, ws_claims_section *section, bool is_part, ws_arena *arena, FILE *out)
{
    table t = {.columns = 0};
    int status = ws_claims_find(section, "rows", &t.rows);
    if (!status)
        status = ws_claims_find(section, "where", &t.where);
    if (!status)
        status = ws_claims_find(section, "head", &t.head);
    for (size_t i = 0; i < section->entries && !status; i++)
        if (!strcmp(section->entry[i].key, "column"))
            status = add_column(claims, &section->entry[i], arena, &t);
    if (!status && !t.rows != !t.columns)
        status =
            ws_claims_fail(&section->place, "[table %s] needs both rows = and column =, or neither", section->name);
    if (!status && t.where && !t.rows)
        status =
            ws_claims_fail(&t.where->at_key, "where = selects among rows =, which [table %s] lacks", section->name);
    if (!status)
        status = read_head(claims, section, &t);
    if (status)
        return status;
    put_head(out, t.name, t.columns);
    if (t.rows)
        status = put_rows(claims, &t, arena, out);
    for (size_t i = 0; i < section->entries && !status; i++) {
        if (strcmp(section->entry[i].key, "row") != 0)
            continue;
        if (is_part && t.rows)
            section->entry[i].is_used = true;
        else
            status = put_row(claims, &section->entry[i], t.columns, out);
    }
    return status ? status : ws_claims_check_used(section, "rows, where, column, head, row");
}

int ws_claims_write_table(ws_claims *claims, const char *name, bool is_part, FILE *out)
{
    if (!strcmp(name, "claims")) {
        put_claims(claims, claims->claim, claims->claims, true, out);
        return WS_OK;
    }
    ws_claims_section *section = ws_claims_find_section(claims, "again", name);
    if (section)
        return put_again(claims, section, out);
    section = ws_claims_find_section(claims, "table", name);
    if (!section)
        return ws_fail(WS_ENOTFOUND, "%s: there is no [table %s]", claims->file.path, name);
    ws_arena *const arena = ws_arena_create();
    const int status =
        arena ? put_section(claims, section, is_part, arena, out) : ws_fail(WS_EMEM, "no memory for a table");
    ws_arena_destroy(arena);
    return status;
}
