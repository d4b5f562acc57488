/* option_rows.h - tables of a command's options: each row names a member of the command's request.
 *
 *     static const ws_option_row option_rows[] = {
 *         WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
 *         WS_OPTION_REAL("volts", 0, "VOLTS", request, volts, 0.1, 5, 1, "Supply of the chip"),
 *         {0},
 *     };
 *     static const ws_options options = {.rows = option_rows, .doc = "...", .refuse = "unknown argument '%s'"};
 *     ws_options_parse(&options, argc, argv, &asked);
 *
 * A row has the long name, a letter or 0, the name of the argument, and the help. Options that are not given leave
 * their members unchanged. */
#ifndef WS_OPTION_ROWS_H
#define WS_OPTION_ROWS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_option_kind {
    WS_OPTION_IS_NONE, /* terminates the table */
    WS_OPTION_IS_FLAG,
    WS_OPTION_IS_TEXT,
    WS_OPTION_IS_OUTPUT,
    WS_OPTION_IS_NUMBER,
    WS_OPTION_IS_REAL,
    WS_OPTION_IS_PERCENT,
    WS_OPTION_IS_WORD,
    WS_OPTION_IS_ONE_OF,
    WS_OPTION_IS_VALUE,
    WS_OPTION_IS_TAKEN,
    WS_OPTION_IS_ALIAS,
    WS_OPTION_IS_GIVEN,
    WS_OPTION_IS_NOTED,
    WS_OPTION_IS_GROUP,
    WS_OPTION_IS_ARGUMENT,
    WS_OPTION_IS_REST,
} ws_option_kind;

/* Non-option arguments, in the order of the command line. */
typedef struct ws_rest {
    char **argument;
    int count;
} ws_rest;

/* Stores an argument in a member; misuse ends the program by argp_error. */
typedef void ws_option_take(const struct argp_state *state, void *member, char *arg);

typedef struct ws_option_row {
    const char *name; /* NULL: non-option arguments, stored by take() */
    int letter;
    const char *argument;
    const char *meaning;
    ws_option_kind kind;
    size_t offset, bytes;     /* of the member */
    uint64_t least, most;     /* bounds of numbers */
    double low, high, parts;  /* bounds of reals, in the option's unit; the member is the number divided by `parts` */
    const char *const *words; /* accepted words */
    const char *said;         /* name in messages in place of the option; NULL */
    const char *needs;        /* texts: message for an empty one; NULL: an empty text is valid */
    bool optional;            /* texts: the argument may be omitted and is then NULL */
    ws_option_take *take;
    void (*need)(const struct argp_state *state, const void *member); /* at the end, rejects a missing argument */
} ws_option_row;

#define WS_OPTION_AT(type, member) .offset = offsetof(type, member), .bytes = sizeof(((type *)0)->member)
/* As WS_OPTION_AT for a member of type `as`; any other type is a compile error. */
#define WS_OPTION_OF(type, member, as) \
    .offset = offsetof(type, member) + _Generic(&((type *)0)->member, as * : 0), .bytes = sizeof(as)
/* As WS_OPTION_AT for a member of 4 or 8 bytes; any other width is a compile error. */
#define WS_OPTION_WIDE(type, member) \
    .offset = offsetof(type, member), \
    .bytes = sizeof(((type *)0)->member) + \
             0 * sizeof(char[sizeof(((type *)0)->member) == 4 || sizeof(((type *)0)->member) == 8 ? 1 : -1])

/* bool: the option was given. */
#define WS_OPTION_FLAG(name_, letter_, type, member, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .meaning = (meaning_), .kind = WS_OPTION_IS_FLAG, \
        WS_OPTION_OF(type, member, bool) \
    }
/* const char *: the argument; OUTPUT is checked by ws_argp_output. */
#define WS_OPTION_STRING(kind_, name_, letter_, argument_, type, member, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), .kind = (kind_), \
        WS_OPTION_OF(type, member, const char *) \
    }
#define WS_OPTION_TEXT(...) WS_OPTION_STRING(WS_OPTION_IS_TEXT, __VA_ARGS__)
/* Non-empty text; the message for an empty one is like "--db needs the name of a file". */
#define WS_OPTION_FILLED(name_, letter_, argument_, type, member, needs_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TEXT, WS_OPTION_OF(type, member, const char *), .needs = (needs_) \
    }
/* Text with an optional argument: NULL without it, and without the option. */
#define WS_OPTION_OPTIONAL(name_, argument_, type, member, meaning_) \
    { \
        .name = (name_), .argument = (argument_), .meaning = (meaning_), .kind = WS_OPTION_IS_TEXT, \
        WS_OPTION_OF(type, member, const char *), .optional = true \
    }
#define WS_OPTION_OUTPUT(...) WS_OPTION_STRING(WS_OPTION_IS_OUTPUT, __VA_ARGS__)
/* Unsigned number of 4 or 8 bytes. */
#define WS_OPTION_NUMBER(name_, letter_, argument_, type, member, least_, most_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_NUMBER, WS_OPTION_WIDE(type, member), .least = (least_), .most = (most_) \
    }
/* -j, also the name in messages. */
#define WS_OPTION_WORKERS(type, member, most_, meaning_) \
    { \
        .name = "workers", .letter = 'j', .argument = "N", .meaning = (meaning_), .kind = WS_OPTION_IS_NUMBER, \
        WS_OPTION_WIDE(type, member), .least = 1, .most = (most_), .said = "-j" \
    }
/* double: the number divided by parts_, 100 for percent. */
#define WS_OPTION_REAL(name_, letter_, argument_, type, member, low_, high_, parts_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_REAL, WS_OPTION_OF(type, member, double), .low = (low_), .high = (high_), \
        .parts = (parts_) \
    }
/* Unsigned number of 4 or 8 bytes, or an enum: the index of the argument in a NULL-terminated list. */
#define WS_OPTION_WORD(name_, letter_, argument_, type, member, words_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_WORD, WS_OPTION_WIDE(type, member), .words = (words_) \
    }
/* const char *: one word of a NULL-terminated list. */
#define WS_OPTION_ONE_OF(name_, letter_, argument_, type, member, words_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_ONE_OF, WS_OPTION_OF(type, member, const char *), .words = (words_) \
    }
/* double: a fraction, given in percent, with or without a percent sign. */
#define WS_OPTION_PERCENT(name_, argument_, type, member, low_, high_, meaning_) \
    { \
        .name = (name_), .argument = (argument_), .meaning = (meaning_), .kind = WS_OPTION_IS_PERCENT, \
        WS_OPTION_OF(type, member, double), .low = (low_), .high = (high_), .parts = 100 \
    }
/* Unsigned number of 4 or 8 bytes, or an enum: value_ if the option is given, else 0. Options of one member exclude
 * each other. */
#define WS_OPTION_VALUE(name_, letter_, type, member, value_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .meaning = (meaning_), .kind = WS_OPTION_IS_VALUE, \
        WS_OPTION_WIDE(type, member), .least = (value_) \
    }
/* Any member, stored by a function. */
#define WS_OPTION_TAKE(name_, letter_, argument_, type, member, take_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TAKEN, WS_OPTION_AT(type, member), .take = (take_) \
    }
/* No member; the function changes state of the process. */
#define WS_OPTION_ACT(name_, letter_, argument_, take_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TAKEN, .take = (take_) \
    }
/* Another name and letter of the previous row. */
#define WS_OPTION_ALIAS(name_, letter_) \
    { \
        .name = (name_), .letter = (letter_), .kind = WS_OPTION_IS_ALIAS \
    }
/* GIVEN, bool: the option of the previous row was given. NOTED, const char *: its long name if it was given. Several
 * rows may share a member; the last option given determines it. */
#define WS_OPTION_GIVEN(type, member) \
    { \
        .kind = WS_OPTION_IS_GIVEN, WS_OPTION_OF(type, member, bool) \
    }
#define WS_OPTION_NOTED(type, member) \
    { \
        .kind = WS_OPTION_IS_NOTED, WS_OPTION_OF(type, member, const char *) \
    }
/* Put the following rows in this group of the help, or below this heading. */
#define WS_OPTION_GROUP(number) WS_OPTION_HEADING(number, NULL)
#define WS_OPTION_HEADING(number, heading) \
    { \
        .meaning = (heading), .bytes = (number), .kind = WS_OPTION_IS_GROUP \
    }
/* Non-option arguments; need_ may be NULL. */
#define WS_ARGUMENTS(type, member, take_, need_) \
    { \
        .kind = WS_OPTION_IS_TAKEN, WS_OPTION_AT(type, member), .take = (take_), .need = (need_) \
    }

/* const char *: the only non-option argument. `second` is the message for a second one, with a %s for it; `none` is the
 * message for a missing one. */
#define WS_ONE_ARGUMENT(type, member, second, none) \
    { \
        .argument = (second), .meaning = (none), .kind = WS_OPTION_IS_ARGUMENT, \
        WS_OPTION_OF(type, member, const char *) \
    }
/* const char *: the only frame of a command, a file or "-". */
#define WS_FRAME_ARGUMENT(type, member) \
    WS_ONE_ARGUMENT(type, member, "one frame at a time; what is '%s'?", "which frame? (- reads it from standard input)")
/* ws_rest: all non-option arguments. */
#define WS_REST_OF_ARGUMENTS(type, member) \
    { \
        .kind = WS_OPTION_IS_REST, WS_OPTION_OF(type, member, ws_rest) \
    }

/* --sizes: a member ws_sizes. */
ws_option_take ws_take_sizes;

enum { WS_OPTIONS_CHILDREN = 2 };
typedef struct ws_options {
    const ws_option_row *rows; /* terminated by {0} */
    const char *args_doc, *doc;
    const char *refuse;  /* message for an argument that no row accepts, with a %s for it; NULL: argp's message */
    const char *printed; /* contents of standard output, which then cannot be an output file; NULL: it can */
    void (*settle)(const struct argp_state *state, void *request);      /* before `check`: derives members; or NULL */
    void (*check)(const struct argp_state *state, const void *request); /* rejects bad combinations; or NULL */
    bool in_order; /* options end at the first non-option argument, as in ws_argp_parse_in_order */
    const struct argp_child *children;
    size_t child[WS_OPTIONS_CHILDREN]; /* offsets of their inputs */
} ws_options;

/* Returns the input of a child parser in a request, or NULL if the options have no such child. */
void *ws_options_child(const ws_options *options, const struct argp *child, void *request);

/* Parses the options of a command into its request, as ws_argp_parse. */
void ws_options_parse(const ws_options *options, int argc, char **argv, void *request);

#endif
