/* expression_internal.h - expressions as trees. */
#ifndef WS_EXPRESSION_INTERNAL_H
#define WS_EXPRESSION_INTERNAL_H

#include "base/cube/cube_functions.h"
#include "base/cube/cube_internal.h"
#include "base/cube/expression.h"

typedef enum ws_node_kind {
    WS_NODE_NUMBER,
    WS_NODE_TEXT,   /* 'text' */
    WS_NODE_NAME,   /* a column, an axis, a definition, an argument */
    WS_NODE_CALL,   /* a function of the table, or a definition with arguments */
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

/* A word of a selection: a label, or the name of what has texts. */
typedef struct ws_word {
    const char *text;
    bool is_label;       /* in quotes */
    const ws_node *node; /* in brackets; NULL */
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
    size_t at; /* in the text */
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

/* Records "FILE:LINE:COLUMN: " and the text, or puts it before the message recorded last if format is NULL. */
int ws_expression_fail(const ws_expression *expression, size_t at, int status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Is it a word of the language, and so no name? */
bool ws_expression_is_keyword(const char *name);

/* The cube of a definition with one argument. */
int ws_scope_apply(ws_scope *scope, const char *name, const ws_cube *argument, const ws_expression *of, size_t at,
                   ws_arena *arena, const ws_cube **out);
bool ws_scope_defines(const ws_scope *scope, const char *name);

#endif
