/* expression.h - expressions over cubes: numbers, columns, selections, arithmetic and functions in text.
 *
 *     cycles                             a column, over all axes
 *     cycles[run=I4, workload in BH CCL] selections; [class in a d] by description of labels; [cycles > 100] by value
 *     cycles[run = (argmax(speed over run))]   a label for each cell
 *     100 * a / (a + b), 0.97 < x < 1.03, x > 1 and not y, if(c, a, b), x else '-', 'stall-' & steps
 *     geomean(x over workload)           functions of cube_functions.def
 *     other.time                         a column of the frame `other`
 *     "noc.bytes", 'text'                a column with any name; text
 *
 * docs/claims.md documents the language by example. */
#ifndef WS_EXPRESSION_H
#define WS_EXPRESSION_H

#include "base/cube/cube.h"

/* Position of the first letter of a text; line and column count from 1. A line feed within the text starts the next
 * line. */
typedef struct ws_place {
    const char *file;
    int line, column;
} ws_place;

typedef struct ws_expression ws_expression;

/* Parses text[0..length). The text and the expression live in the arena. Returns WS_EINPUT with "FILE:LINE:COLUMN:
 * expected ..." for a syntax error. */
int ws_expression_parse(ws_arena *arena, const char *text, size_t length, const ws_place *place,
                        const ws_expression **out);

/* ------------------------------------------------------------------------------------------------ meaning of names */

typedef struct ws_scope ws_scope;

ws_scope *ws_scope_create(void); /* NULL when memory is short; the caller frees it */
void ws_scope_destroy(ws_scope *scope);

/* Adds a frame; the caller keeps ownership. Expressions refer to its columns by COLUMN if `name` is "", else by
 * NAME.COLUMN. `file` is for messages. Errors are those of ws_cube_source_create, and WS_EINPUT for a name already in
 * use. */
int ws_scope_add_frame(ws_scope *scope, const char *name, const char *file, const ws_frame *frame);

/* Adds a set: a list of words. A word that names another set stands for the words of that set. The set defines an axis
 * with these labels, and the texts. */
int ws_scope_add_set(ws_scope *scope, const char *name, const char *words, const ws_place *place);

/* Sets the name of a label in lists and tables. Returns WS_EINPUT if the label already has a name. */
int ws_scope_add_name(ws_scope *scope, const char *axis, const char *label, const char *shown, const ws_place *place);
const char *ws_scope_shown(const ws_scope *scope, const char *axis, const char *label);

/* Returns the words of a set, or NULL if no set has that name. */
const ws_axis *ws_scope_set(const ws_scope *scope, const char *name);

/* Adds a definition, "speed" or "speed(a, b)", without evaluating it. Returns WS_EINPUT for a name already in use. */
int ws_scope_define(ws_scope *scope, const char *head, const ws_place *at_head, const char *text,
                    const ws_place *place);

/* Evaluates an expression. The cube lives in the arena, or as long as the scope. Returns WS_EINPUT with
 * FILE:LINE:COLUMN, WS_ELIMIT when the work exceeds its budget, or WS_ENUMERIC for a label that no row has. Empty cells
 * are an error only when ws_expression_cell needs them. */
int ws_expression_evaluate(ws_scope *scope, const ws_expression *expression, ws_arena *arena, const ws_cube **out);

/* Evaluates an expression to its one value. Returns WS_ENUMERIC with the place of the expression and the reason if it
 * has none. */
int ws_expression_cell(ws_scope *scope, const ws_expression *expression, ws_arena *arena, ws_cube_kind kind,
                       ws_cell *out);

/* ------------------------------------------------------------------------------------------------ texts with values */

/* Text with {EXPRESSION}, {EXPRESSION:FORMAT} or {EXPRESSION:NAME}. FORMAT is a format of printf; NAME is a definition
 * with one argument that turns a value into text. Values along axes are listed with commas; list(...) adds their
 * labels. {{ is a brace. */
typedef struct ws_template ws_template;
int ws_template_parse(ws_arena *arena, const char *text, const ws_place *place, const ws_template **out);

/* A selected label; several select a row of a table. */
typedef struct ws_coordinate {
    const char *axis, *label;
} ws_coordinate;

/* Values of a template, evaluated once for all rows by ws_template_evaluate. ws_template_write writes the text at the
 * given labels; the text lives in the arena. */
typedef struct ws_filled_template ws_filled_template;
int ws_template_evaluate(ws_scope *scope, const ws_template *template, ws_arena *arena, const ws_filled_template **out);
int ws_template_write(const ws_filled_template *filled, ws_arena *arena, const ws_coordinate *at, size_t coordinates,
                      const char **out);

#endif
