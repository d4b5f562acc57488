/* fuzz_claims.c - can any bytes break the reader of files of claims, expressions, or what evaluates them?
 *
 * The text is a file of claims. Its sets, names and definitions are taken as they stand; each other value is evaluated
 * as an expression and written as a text over two small frames. Nothing that it names is opened. */
#include "base/cube/expression.h"
#include "base/status.h"
#include "cli/claims/claims_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ws_frame *read_frame(const char *text)
{
    ws_frame *frame = NULL;
    FILE *const in = fmemopen((char *)text, strlen(text), "r");
    if (!in || ws_frame_read(in, "fuzz", &frame))
        abort();
    fclose(in);
    return frame;
}

static void expect_message(int status)
{
    if (status && !*ws_message())
        abort();
}

static void evaluate(ws_scope *scope, const ws_claims_entry *entry)
{
    ws_arena *const arena = ws_arena_create();
    const ws_expression *expression;
    const ws_template *template;
    const ws_filled_template *filled;
    const ws_cube *cube;
    const char *text = NULL;
    ws_cell cell;
    int status = ws_expression_parse(arena, entry->value, strlen(entry->value), &entry->place, &expression);
    if (!status)
        status = ws_expression_evaluate(scope, expression, arena, &cube);
    if (!status && cube->cells && !cube->cell)
        abort();
    if (!status)
        status = ws_expression_cell(scope, expression, arena, WS_CUBE_NUMBERS, &cell);
    expect_message(status);
    status = ws_template_parse(arena, entry->value, &entry->place, &template);
    if (!status)
        status = ws_template_evaluate(scope, template, arena, &filled);
    if (!status)
        status = ws_template_write(filled, arena, &(ws_coordinate){"workload", "BH"}, 1, &text);
    if (!status && !text)
        abort();
    expect_message(status);
    ws_arena_destroy(arena);
}

static void take(ws_scope *scope, const ws_claims_section *section, const ws_claims_entry *entry)
{
    if (!strcmp(section->kind, "sets"))
        expect_message(ws_scope_add_set(scope, entry->key, entry->value, &entry->place));
    else if (!strcmp(section->kind, "names"))
        expect_message(ws_scope_add_name(scope, section->name, entry->key, entry->value, &entry->at_key));
    else if (!strcmp(section->kind, "let"))
        expect_message(ws_scope_define(scope, entry->key, &entry->at_key, entry->value, &entry->place));
    else
        evaluate(scope, entry);
}

static void split(ws_claims_file *file, const ws_claims_entry *entry)
{
    enum { MOST = 8 };
    ws_claims_entry part[MOST];
    size_t n;
    expect_message(ws_claims_split(file, entry, MOST, part, &n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char first[] = "# labels: 3\n# labels of workload: class\nworkload,class,run,cycles,bytes\n"
                                "BH,a,rc,100,10\nBH,a,I4,110,20\nNW,d,rc,50,NA\nNW,d,I4,75,6\nCC,a,rc,1,0\n";
    static const char other[] = "# labels: 2\nT,workload,time\n1,BH,3\n2,BH,4\n4,NW,5\n";
    ws_frame *const frame[] = {read_frame(first), read_frame(other)};
    ws_scope *const scope = ws_scope_create();
    if (!scope || ws_scope_add_frame(scope, "", "first", frame[0]) || ws_scope_add_frame(scope, "t", "other", frame[1]))
        abort();
    ws_claims_file file;
    expect_message(ws_claims_file_parse("fuzz", (const char *)data, size, &file));
    for (size_t i = 0; i < file.sections; i++)
        for (size_t k = 0; k < file.section[i].entries; k++) {
            take(scope, &file.section[i], &file.section[i].entry[k]);
            split(&file, &file.section[i].entry[k]);
        }
    ws_claims_file_fini(&file);
    ws_scope_destroy(scope);
    ws_frame_destroy(frame[0]);
    ws_frame_destroy(frame[1]);
    return 0;
}
