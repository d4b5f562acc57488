/* option_rows.h - options of a command: rows that name a member of its request.
 *
 *     static const ws_option_row option_rows[] = {
 *         WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
 *         WS_OPTION_REAL("volts", 0, "VOLTS", request, volts, 0.1, 5, 1, "Supply of the chip"),
 *         {0},
 *     };
 *     static const ws_options options = {.rows = option_rows, .doc = "...", .refuse = "what is '%s'?"};
 *     ws_options_parse(&options, argc, argv, &asked);
 *
 * A row has the long name, a letter or 0, what the argument is called, and its help. Members keep what they are when an
 * option is not given. */
#ifndef WS_OPTION_ROWS_H
#define WS_OPTION_ROWS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_option_kind {
    WS_OPTION_IS_NONE, /* behind the last row */
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

/* Arguments that are no options, as they stand on the command line. */
typedef struct ws_rest {
    char **argument;
    int count;
} ws_rest;

/* Takes an argument into a member; misuse ends the program by argp_error. */
typedef void ws_option_take(const struct argp_state *state, void *member, char *arg);

typedef struct ws_option_row {
    const char *name; /* NULL: arguments that are no options, which take() takes */
    int letter;
    const char *argument;
    const char *meaning;
    ws_option_kind kind;
    size_t offset, bytes;     /* of the member */
    uint64_t least, most;     /* of numbers */
    double low, high, parts;  /* of reals, in the unit of the option, which is kept as so many parts of one */
    const char *const *words; /* those that are taken */
    const char *said;         /* what messages call the option instead of its name; NULL */
    const char *needs;        /* of texts: what is said of an empty one; NULL: it may be */
    bool optional;            /* of texts: the option may stand without its argument, which is then NULL */
    ws_option_take *take;
    void (*need)(const struct argp_state *state, const void *member); /* refuses, at the end, what was not given */
} ws_option_row;

#define WS_OPTION_AT(type, member) .offset = offsetof(type, member), .bytes = sizeof(((type *)0)->member)
/* The same of a member that is `as`; another type does not build. */
#define WS_OPTION_OF(type, member, as) \
    .offset = offsetof(type, member) + _Generic(&((type *)0)->member, as * : 0), .bytes = sizeof(as)
/* The same of a member of 4 or 8 bytes; another width does not build. */
#define WS_OPTION_WIDE(type, member) \
    .offset = offsetof(type, member), \
    .bytes = sizeof(((type *)0)->member) + \
             0 * sizeof(char[sizeof(((type *)0)->member) == 4 || sizeof(((type *)0)->member) == 8 ? 1 : -1])

/* bool: given. */
#define WS_OPTION_FLAG(name_, letter_, type, member, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .meaning = (meaning_), .kind = WS_OPTION_IS_FLAG, \
        WS_OPTION_OF(type, member, bool) \
    }
/* const char *: the argument; OUTPUT: as of ws_argp_output. */
#define WS_OPTION_STRING(kind_, name_, letter_, argument_, type, member, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), .kind = (kind_), \
        WS_OPTION_OF(type, member, const char *) \
    }
#define WS_OPTION_TEXT(...) WS_OPTION_STRING(WS_OPTION_IS_TEXT, __VA_ARGS__)
/* A text that must not be empty: "--db needs the name of a file". */
#define WS_OPTION_FILLED(name_, letter_, argument_, type, member, needs_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TEXT, WS_OPTION_OF(type, member, const char *), .needs = (needs_) \
    }
/* A text that need not be there: NULL then, as without the option. */
#define WS_OPTION_OPTIONAL(name_, argument_, type, member, meaning_) \
    { \
        .name = (name_), .argument = (argument_), .meaning = (meaning_), .kind = WS_OPTION_IS_TEXT, \
        WS_OPTION_OF(type, member, const char *), .optional = true \
    }
#define WS_OPTION_OUTPUT(...) WS_OPTION_STRING(WS_OPTION_IS_OUTPUT, __VA_ARGS__)
/* An unsigned number of 4 or 8 bytes. */
#define WS_OPTION_NUMBER(name_, letter_, argument_, type, member, least_, most_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_NUMBER, WS_OPTION_WIDE(type, member), .least = (least_), .most = (most_) \
    }
/* -j, by which messages call it. */
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
/* An unsigned number of 4 or 8 bytes or an enum: the index of the argument in a list that NULL ends. */
#define WS_OPTION_WORD(name_, letter_, argument_, type, member, words_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_WORD, WS_OPTION_WIDE(type, member), .words = (words_) \
    }
/* const char *: one of a list that NULL ends. */
#define WS_OPTION_ONE_OF(name_, letter_, argument_, type, member, words_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_ONE_OF, WS_OPTION_OF(type, member, const char *), .words = (words_) \
    }
/* double: a part of one, given in percent, with or without a percent sign. */
#define WS_OPTION_PERCENT(name_, argument_, type, member, low_, high_, meaning_) \
    { \
        .name = (name_), .argument = (argument_), .meaning = (meaning_), .kind = WS_OPTION_IS_PERCENT, \
        WS_OPTION_OF(type, member, double), .low = (low_), .high = (high_), .parts = 100 \
    }
/* An unsigned number of 4 or 8 bytes or an enum, 0 without an option: the value; options of one member exclude each
 * other. */
#define WS_OPTION_VALUE(name_, letter_, type, member, value_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .meaning = (meaning_), .kind = WS_OPTION_IS_VALUE, \
        WS_OPTION_WIDE(type, member), .least = (value_) \
    }
/* Any member, by a function. */
#define WS_OPTION_TAKE(name_, letter_, argument_, type, member, take_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TAKEN, WS_OPTION_AT(type, member), .take = (take_) \
    }
/* No member: what the function does is of the process. */
#define WS_OPTION_ACT(name_, letter_, argument_, take_, meaning_) \
    { \
        .name = (name_), .letter = (letter_), .argument = (argument_), .meaning = (meaning_), \
        .kind = WS_OPTION_IS_TAKEN, .take = (take_) \
    }
/* Another name and letter of the row before. */
#define WS_OPTION_ALIAS(name_, letter_) \
    { \
        .name = (name_), .letter = (letter_), .kind = WS_OPTION_IS_ALIAS \
    }
/* bool: the option of the row before was given; NOTED, const char *: so it was, and this is its long name. Several
 * rows may name one member: the last option that was given counts. */
#define WS_OPTION_GIVEN(type, member) \
    { \
        .kind = WS_OPTION_IS_GIVEN, WS_OPTION_OF(type, member, bool) \
    }
#define WS_OPTION_NOTED(type, member) \
    { \
        .kind = WS_OPTION_IS_NOTED, WS_OPTION_OF(type, member, const char *) \
    }
/* Rows behind it stand in this group of the help; or below this heading of it. */
#define WS_OPTION_GROUP(number) WS_OPTION_HEADING(number, NULL)
#define WS_OPTION_HEADING(number, heading) \
    { \
        .meaning = (heading), .bytes = (number), .kind = WS_OPTION_IS_GROUP \
    }
/* Arguments that are no options; need_ may be NULL. */
#define WS_ARGUMENTS(type, member, take_, need_) \
    { \
        .kind = WS_OPTION_IS_TAKEN, WS_OPTION_AT(type, member), .take = (take_), .need = (need_) \
    }

/* const char *: the one argument that is no option. What is said of a second one, with a %s for it, and when there is
 * none. */
#define WS_ONE_ARGUMENT(type, member, second, none) \
    { \
        .argument = (second), .meaning = (none), .kind = WS_OPTION_IS_ARGUMENT, \
        WS_OPTION_OF(type, member, const char *) \
    }
/* The same: the one frame of a command, a file or "-". */
#define WS_FRAME_ARGUMENT(type, member) \
    WS_ONE_ARGUMENT(type, member, "one frame at a time; what is '%s'?", "which frame? (- reads it from standard input)")
/* ws_rest: all arguments that are no options. */
#define WS_REST_OF_ARGUMENTS(type, member) \
    { \
        .kind = WS_OPTION_IS_REST, WS_OPTION_OF(type, member, ws_rest) \
    }

/* --sizes: a member ws_sizes. */
ws_option_take ws_take_sizes;

enum { WS_OPTIONS_CHILDREN = 2 };
typedef struct ws_options {
    const ws_option_row *rows; /* {0} behind the last */
    const char *args_doc, *doc;
    const char *refuse;  /* what is said of an argument that no row takes, with a %s for it; NULL: argp's own words */
    const char *printed; /* what goes to standard output, which no output may have; NULL: one may */
    void (*settle)(const struct argp_state *state, void *request); /* before `check`: what others decide; or NULL */
    void (*check)(const struct argp_state *state, const void *request); /* what goes with what; NULL: all */
    bool in_order; /* options end at the first argument that is none, as of ws_argp_parse_in_order */
    const struct argp_child *children;
    size_t child[WS_OPTIONS_CHILDREN]; /* offsets of their inputs */
} ws_options;

/* The input of one of its children in a request; NULL: they have no such child. */
void *ws_options_child(const ws_options *options, const struct argp *child, void *request);

/* Parses the options of a command into its request, as ws_argp_parse. */
void ws_options_parse(const ws_options *options, int argc, char **argv, void *request);

#endif
