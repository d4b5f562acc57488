/* expression_internal.h - syntax trees of expressions, scopes and evaluation. */
#ifndef WS_EXPRESSION_INTERNAL_H
#define WS_EXPRESSION_INTERNAL_H

#include "base/cube/cube_functions.h"
#include "base/cube/cube_internal.h"
#include "base/cube/expression.h"
#include "base/texts.h"

typedef enum ws_node_kind {
    WS_NODE_NUMBER,
    WS_NODE_TEXT,   /* 'text' */
    WS_NODE_NAME,   /* column, axis, definition or argument */
    WS_NODE_CALL,   /* function of the table, or definition with arguments */
    WS_NODE_IF,     /* if(condition, a, b) */
    WS_NODE_SELECT, /* child[0][item] */
    WS_NODE_UNARY,
    WS_NODE_BINARY,
} ws_node_kind;

typedef enum ws_operator {
#define OPERATOR(name, text) WS_OP_##name,
#include "base/cube/expression_operators.def"
#undef OPERATOR
    WS_OPERATORS
} ws_operator;

typedef struct ws_node ws_node;

/* Word of a selection: a label, or the name of an object with texts. */
typedef struct ws_word {
    const char *text;
    bool is_label;       /* in quotes */
    const ws_node *node; /* in brackets; else NULL */
    size_t at;
} ws_word;

typedef enum ws_item_kind { WS_ITEM_LABEL, WS_ITEM_IN, WS_ITEM_NOT_IN, WS_ITEM_CONDITION } ws_item_kind;

typedef struct ws_item {
    ws_item_kind kind;
    const char *axis;
    ws_word *word; /* [words] */
    size_t words;
    const ws_node *condition;
    size_t at;
} ws_item;

struct ws_node {
    ws_node_kind kind;
    size_t at; /* offset in the text */
    double number;
    const char *text;
    ws_operator op;
    const ws_node *child[WS_CUBE_ARGUMENTS_MOST];
    size_t children;
    const char **over;
    size_t overs;
    ws_item *item;
    size_t items;
};

struct ws_expression {
    const char *text;
    ws_place place;
    const ws_node *root;
};

/* Records "FILE:LINE:COLUMN: " and the text. If format is NULL, puts the place before the message recorded last. */
int ws_expression_fail(const ws_expression *expression, size_t at, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

int ws_expression_fail_memory(void);

/* Returns whether the word is a keyword of the language, and therefore not a name. */
bool ws_expression_is_keyword(const char *name);

/* ------------------------------------------------------------------------------------------------ meaning of names */

typedef struct ws_definition {
    const char *name;
    const char *argument[WS_CUBE_ARGUMENTS_MOST];
    size_t arguments;
    const ws_expression *expression; /* NULL: a set */
    const ws_cube *value;            /* value without arguments; NULL: not evaluated yet */
    bool is_running;
} ws_definition;

typedef struct ws_named_source {
    const char *name; /* "" for the frame whose columns need no prefix */
    ws_cube_source *source;
} ws_named_source;

/* Names of labels of an axis. */
typedef struct ws_axis_names {
    const char *axis;
    ws_texts label;
    const char **shown; /* [label.count] */
    size_t room;
} ws_axis_names;

struct ws_scope {
    ws_arena *arena;
    ws_definition **definition; /* [defined.count] */
    ws_texts defined;
    size_t room;
    ws_named_source *source; /* [sources] */
    size_t sources, source_room;
    ws_axis_names *names; /* [named] */
    size_t named, names_room;
};

ws_definition *ws_scope_find(const ws_scope *scope, const char *name);                   /* NULL: not defined */
ws_cube_source *ws_scope_source(const ws_scope *scope, const char *name, size_t length); /* NULL: not defined */

/* ------------------------------------------------------------------------------------------------ evaluation */

/* State of an evaluation. */
typedef struct ws_run {
    ws_scope *scope;
    ws_cube_work work;
    const ws_expression *expression;
    const ws_definition *of; /* definition whose arguments these are; NULL */
    const ws_cube *const *argument;
    unsigned depth;
} ws_run;

int ws_run_node(ws_run *run, const ws_node *node, const ws_cube **out);
/* Evaluates an argument, or a definition without arguments; sets *out to NULL for any other name. `node` is for
 * messages. */
int ws_run_value(ws_run *run, const char *name, const ws_node *node, const ws_cube **out);
/* Evaluates child[0][item...]. */
int ws_run_selection(ws_run *run, const ws_node *node, const ws_cube **out);

/* Applies a definition with one argument to a cube. */
int ws_scope_apply(ws_scope *scope, const char *name, const ws_cube *argument, const ws_expression *of, size_t at,
                   ws_arena *arena, const ws_cube **out);

#endif
