/* ptx_internal.h - shared declarations of the PTX front end: tokens, names and scopes, the parser's state.
 *
 * Errors are sticky: the first one is recorded, and every later token is TOK_END, so that all loops end without
 * checking a status. */
#ifndef WS_PTX_INTERNAL_H
#define WS_PTX_INTERNAL_H

#include "base/bounds.h"
#include "base/status.h"
#include "base/table.h"
#include "collect/ptx/module.h"

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

typedef enum token_kind {
    TOK_END,     /* end of the text, or after an error */
    TOK_WORD,    /* add  %r1  $L__BB0_1 */
    TOK_DOT,     /* .global  .v4  .L2::128B: text without the dot */
    TOK_INTEGER, /* value */
    TOK_FLOAT,   /* value holds the bits, is_float 1 for 0f..., 2 for doubles */
    TOK_STRING,  /* text without the quotes, with escapes as written */
    TOK_PUNCT    /* value: the character, or two of them as PAIR(a, b) */
} token_kind;

#define PAIR(a, b) ((uint64_t)(a) | (uint64_t)(b) << 8)

typedef struct token {
    token_kind kind;
    uint8_t is_float;
    bool is_unsigned; /* INTEGER: written with U, or above the range of s64 */
    const char *text;
    size_t length;
    uint32_t line, column;
    uint64_t value;
} token;

/* Directives: words behind a point that are neither types nor part of an opcode; one row each in directive.def. */
typedef enum directive {
#define DIRECTIVE(name, effect, what, text) DIR_##name,
#include "collect/ptx/directive.def"
#undef DIRECTIVE
    DIRECTIVES
} directive;

/* Meaning of a name in a scope. Meanings of one name form a stack, innermost scope on top. */
typedef enum meaning_kind {
    MEANS_REG,   /* index: register; vec > 1: the first element's */
    MEANS_RANGE, /* .reg %r<count>: registers are created on first use */
    MEANS_VARIABLE,
    MEANS_FUNCTION,
    MEANS_LABEL, /* index: instruction */
    MEANS_LIST   /* index: in function->list */
} meaning_kind;

typedef struct name name;

typedef struct meaning {
    struct meaning *outer; /* the same name in an outer scope */
    struct meaning *next;  /* the next name in the same scope */
    name *owner;
    meaning_kind kind;
    uint32_t depth;
    uint32_t index;
    uint64_t count;    /* RANGE */
    uint8_t type, vec; /* REG, RANGE */
    ws_variable *variable;
    ws_function *function;
} meaning;

struct name {
    UT_hash_handle hh;
    const char *text;
    size_t length;
    meaning *top;
    uint32_t copies, copies_in; /* copies: number of variables of this name in function number copies_in */
};

/* A label, or a list after a label, used before its declaration. */
typedef struct label_use {
    name *label;
    uint32_t line, column;
    uint32_t next;   /* the next one in the same scope, or NO_INDEX */
    uint32_t result; /* instruction or list, or NO_INDEX */
    bool is_list;
} label_use;

#define NO_INDEX UINT32_MAX

typedef struct scope {
    meaning *first;
    uint32_t uses; /* label_use of this scope, or NO_INDEX */
} scope;

/* A growing array; items live until the end of parsing. */
typedef struct vector {
    void *items;
    uint32_t count, capacity;
} vector;

/* Classes as named in opcode.def. */
#define PTX_CLASS_ARITH    WS_CLASSES /* the types decide */
#define PTX_CLASS_SPECIAL  WS_CLASS_SPECIAL
#define PTX_CLASS_MEMORY   WS_CLASS_MEMORY
#define PTX_CLASS_BRANCH   WS_CLASS_BRANCH
#define PTX_CLASS_BARRIER  WS_CLASS_BARRIER
#define PTX_CLASS_EXCHANGE WS_CLASS_EXCHANGE
#define PTX_CLASS_OTHER    WS_CLASS_OTHER

typedef struct form form; /* opcode with modifiers, decoded once; see ptx_forms.c */

/* A use of a module-scope name before its declaration. */
typedef struct late_symbol {
    ws_insn *insn;
    ws_operand *operand;
} late_symbol;

/* The same in .calltargets; slot is set when the function is found. */
typedef struct late_target {
    const char *name;
    const ws_function **slot;
} late_target;

typedef struct alias {
    const char *name, *target;
    token at;
} alias;

typedef struct parser {
    const char *file;
    const char *next, *end, *line_start;
    uint32_t line;
    token tok;
    int status;

    ws_arena *arena;
    ws_module *module;
    name *names;
    form *forms;
    vector scopes;          /* items are scopes; the last is the innermost */
    uint32_t nested_ranges; /* live RANGE meanings deeper than the function's outermost block */
    uint32_t nesting;       /* of expressions */
    uint32_t lists_open;    /* { } and ( ) around the operand */
    uint64_t init_bytes;    /* bytes of initialised data parsed */
    bool maps_doubles;      /* .target map_f64_to_f32 */

    vector functions; /* of ws_function * */
    vector variables; /* of ws_variable * */
    vector late_symbols, late_targets, aliases;
    vector source_files;    /* of const char * */
    vector late_places;     /* places without their file and function */
    vector strings;         /* bytes of .debug_str */
    ws_table string_labels; /* name * -> uint64_t, offset of a label in `strings` */

    /* State of the function body being parsed. */
    ws_function *function;
    uint32_t function_number;
    vector insns, regs, locals, lists, uses; /* ws_insn, ws_reg, ws_variable *, ws_list, label_use */
    vector places;                           /* from .loc; see ptx_origin.c */
    ws_table points;                         /* file, line and column -> uint32_t, the most recent place there */
    uint32_t place;                          /* place of the next instruction; 0: unknown */
    const char *statement;                   /* start of the current statement */
} parser;

/* ptx_lexer.c */
void ptx_advance(parser *p);
int ptx_fail_at(parser *p, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ptx_expected(parser *p, const char *what); /* at the current token */
void ptx_no_memory(parser *p);
static inline bool ptx_is(const parser *p, uint64_t punct)
{
    return p->tok.kind == TOK_PUNCT && p->tok.value == punct;
}
bool ptx_is_text(const token *t, token_kind kind, const char *text);
bool ptx_accept(parser *p, uint64_t punct); /* skips it if present */
void ptx_require(parser *p, char punct);    /* skips it, or fails */
bool ptx_at(const parser *p, directive d);
bool ptx_accept_dot(parser *p, directive d); /* skips .directive if present */
void ptx_skip_balanced(parser *p);           /* from an opening bracket to behind its partner */

/* ptx_names.c */
void *ptx_alloc(parser *p, size_t size);
char *ptx_copy(parser *p, const char *text, size_t length);
void *ptx_push(parser *p, vector *v, size_t item_bytes);       /* returns a zeroed new item, or NULL after an error */
void *ptx_keep(parser *p, const vector *v, size_t item_bytes); /* returns a copy of the items on the arena */
name *ptx_intern(parser *p, const char *text, size_t length);
void ptx_enter(parser *p);
void ptx_leave(parser *p); /* resolves the labels used in the scope, and removes its names */
/* Declares a meaning in scope number depth (1: module, 2: parameters, 3: body); fails if the scope has one. */
meaning *ptx_declare(parser *p, const token *at, name *n, meaning_kind kind);
meaning *ptx_lookup(parser *p, const token *t); /* creates registers of a range; NULL: unknown name */
uint32_t ptx_new_registers(parser *p, const name *n, uint8_t type, uint8_t vec); /* returns the first of vec elements */
uint32_t ptx_use_label(parser *p, const token *t, bool is_list);                 /* returns the index in p->uses */
void ptx_names_free(parser *p);
enum { MODULE_DEPTH = 1, PARAM_DEPTH = 2, BODY_DEPTH = 3, MAX_SCOPES = 1000 };

/* ptx_expression.c */
typedef struct constant {
    uint8_t is_float; /* 0 integer, 1 the bits of an f32, 2 of an f64 */
    bool is_unsigned;
    uint64_t bits;
} constant;
constant ptx_expression(parser *p);
uint64_t
ptx_integer(parser *p,
            const char *what); /* an integer constant expression; on failure reports that `what` was expected */
uint32_t ptx_number32(parser *p, const char *what); /* one integer literal of up to 32 bits */
double ptx_constant_double(const constant *c);

/* ptx_forms.c */
const ws_insn *ptx_form(parser *p, const char *text, size_t length);
void ptx_form_of_text(const char *text,
                      ws_insn *out); /* without a parser: nothing is stored, and the caller gets no reason */
void ptx_forms_free(parser *p);
int ptx_check_operands(parser *p, ws_insn *insn); /* marks an instruction that lacks operands of its form */
bool ptx_takes_operands(const ws_insn *insn);
/* The type of a variable or register: sub-byte types are valid only in instructions. */
uint8_t ptx_type_declared(const char *text, size_t length);

/* ptx_operand.c */
void ptx_operands(parser *p, ws_insn *insn);
void ptx_mark(parser *p, ws_insn *insn, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ptx_variable.c */
typedef struct linkage {
    bool is_extern, is_visible, is_weak, is_common;
} linkage;
/* Declares the variables of one statement that starts at its space directive: .global ... ; */
void ptx_variables(parser *p, const linkage *link);
/* Parses ( .param .b32 a, .reg .b64 %b, ... ) up to the closing bracket, and lays out the block. */
ws_variable *ptx_parameters(parser *p, uint32_t *count, uint32_t *bytes);
void ptx_attribute(parser *p);                            /* at the position behind .attribute: (...) */
bool ptx_space_declared(const parser *p, uint8_t *space); /* .global and so on */

/* ptx_body.c */
void ptx_body(parser *p, ws_function *f); /* at the '{' */
void ptx_registers(parser *p);            /* a .reg statement; at module scope each function gets its own copy */
void ptx_pragma_or_debug(parser *p);      /* .loc .file .section .pragma */
bool ptx_at_debug(const parser *p);

/* ptx_origin.c */
void ptx_source_file(parser *p);   /* at the position behind .file */
void ptx_location(parser *p);      /* at the position behind .loc */
void ptx_debug_strings(parser *p); /* at the '{' of .section .debug_str */
void ptx_places_begin(parser *p);  /* before and after a body */
void ptx_places_end(parser *p, ws_function *f);
void ptx_settle_places(parser *p); /* at the end of the module */
/* Returns the text from..end with each run of blanks and comments replaced by one blank. */
const char *ptx_statement(parser *p, const char *from, const char *end);

#endif
