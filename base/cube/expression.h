/* expression.h - expressions over cubes: text with numbers, columns, selections, arithmetic and functions.
 *
 *     cycles                             a column, over all axes
 *     cycles[run=I4, workload in BH CCL] selections; [class in a d] by what describes labels; [cycles > 100] by value
 *     cycles[run = (argmax(speed over run))]   a label for each cell
 *     100 * a / (a + b), 0.97 < x < 1.03, x > 1 and not y, if(c, a, b), x else '-', 'stall-' & steps
 *     geomean(x over workload)           functions of cube_functions.def
 *     theirs.time                        a column of the frame `theirs`
 *     "noc.bytes", 'text'                a column with any name; text
 *
 * docs/claims.md has the language by example. */
#ifndef WS_EXPRESSION_H
#define WS_EXPRESSION_H

#include "base/cube/cube.h"

/* Where a text stands: its first letter, counted from 1. Behind a line feed within it the next line begins. */
typedef struct ws_place {
    const char *file;
    int line, column;
} ws_place;

typedef struct ws_expression ws_expression;

/* Parses text[0..length); both live in the arena. WS_EINPUT with "FILE:LINE:COLUMN: what was expected". */
int ws_expression_parse(ws_arena *arena, const char *text, size_t length, const ws_place *place,
                        const ws_expression **out);

/* ------------------------------------------------------------------------------------------------ what names mean */

typedef struct ws_scope ws_scope;

ws_scope *ws_scope_create(void); /* NULL: no memory. The caller frees it. */
void ws_scope_destroy(ws_scope *scope);

/* A frame, which the caller keeps: names of its columns are those of expressions if `name` is "", else NAME.COLUMN.
 * `file` is for messages. As of ws_cube_source_create; WS_EINPUT for a name that is taken. */
int ws_scope_add_frame(ws_scope *scope, const char *name, const char *file, const ws_frame *frame);

/* A list of words, of which those that name another set stand for its words: an axis with these labels, and the
 * texts. */
int ws_scope_add_set(ws_scope *scope, const char *name, const char *words, const ws_place *place);

/* How a label of an axis is called in lists and tables. WS_EINPUT for one that has a name. */
int ws_scope_add_name(ws_scope *scope, const char *axis, const char *label, const char *shown, const ws_place *place);
const char *ws_scope_shown(const ws_scope *scope, const char *axis, const char *label);

/* The words of a set; NULL: there is none of that name. */
const ws_axis *ws_scope_set(const ws_scope *scope, const char *name);

/* A definition, "speed" or "speed(a, b)"; WS_EINPUT for a name that is taken. Nothing is evaluated yet. */
int ws_scope_define(ws_scope *scope, const char *head, const ws_place *at_head, const char *text,
                    const ws_place *place);

/* Evaluates; the cube lives in the arena, or as long as the scope. WS_EINPUT with FILE:LINE:COLUMN, WS_ELIMIT for too
 * much work, WS_ENUMERIC for a label that no row has. Empty cells are no failure until one is needed:
 * ws_expression_cell. */
int ws_expression_evaluate(ws_scope *scope, const ws_expression *expression, ws_arena *arena, const ws_cube **out);

/* The one value of an expression, or the reason why it has none (WS_ENUMERIC), with the place of the expression. */
int ws_expression_cell(ws_scope *scope, const ws_expression *expression, ws_arena *arena, ws_cube_kind kind,
                       ws_cell *out);

/* ------------------------------------------------------------------------------------------------ texts with values */

/* Text with {EXPRESSION}, {EXPRESSION:FORMAT} or {EXPRESSION:NAME}: a format of printf, or a definition with one
 * argument that makes a text of a value. Values along axes stand behind each other with commas, list(...) has their
 * labels. {{ is a brace. */
typedef struct ws_template ws_template;
int ws_template_parse(ws_arena *arena, const char *text, const ws_place *place, const ws_template **out);

/* Labels that are chosen: a row of a table. */
typedef struct ws_coordinate {
    const char *axis, *label;
} ws_coordinate;

/* What a template says at these labels; the text lives in the arena. The values of a template are evaluated once for
 * all rows: `filled` is what ws_template_evaluate gave. */
typedef struct ws_filled_template ws_filled_template;
int ws_template_evaluate(ws_scope *scope, const ws_template *template, ws_arena *arena, const ws_filled_template **out);
int ws_template_write(const ws_filled_template *filled, ws_arena *arena, const ws_coordinate *at, size_t coordinates,
                      const char **out);

#endif
