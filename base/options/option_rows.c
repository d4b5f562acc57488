/* option_rows.c - see option_rows.h. */
#include "base/options/option_rows.h"

#include "base/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 0x100 }; /* of the first row, where it has no letter */

typedef struct parsed {
    const ws_options *options;
    char *request;
} parsed;

static bool is_end(const ws_option_row *row)
{
    return row->kind == WS_OPTION_IS_NONE;
}

/* A letter, or a number behind all letters; of an alias without a letter none: it has that of the row before. */
static int key_of(const ws_options *o, const ws_option_row *row)
{
    const bool none = row->kind == WS_OPTION_IS_ALIAS && !row->letter;
    return row->letter || none ? row->letter : KEY + (int)(row - o->rows);
}

static void keep_number(char *member, size_t bytes, uint64_t value)
{
    if (bytes == sizeof(uint64_t)) {
        memcpy(member, &value, bytes);
    } else {
        const uint32_t narrow = (uint32_t)value;
        memcpy(member, &narrow, sizeof narrow);
    }
}

static double read_percent(const struct argp_state *state, const char *what, const char *text, double low, double high)
{
    char number[64];
    snprintf(number, sizeof number, "%s", text);
    const size_t n = strlen(number);
    if (n && number[n - 1] == '%')
        number[n - 1] = '\0';
    return ws_argp_double(state, what, number, low, high);
}

static uint64_t number_of(const char *member, size_t bytes)
{
    uint64_t wide = 0;
    uint32_t narrow;
    memcpy(bytes == sizeof wide ? (void *)&wide : (void *)&narrow, member, bytes);
    return bytes == sizeof wide ? wide : narrow;
}

/* Another row of this member may have been taken. */
static void keep_value(const ws_options *o, const ws_option_row *row, char *member, const struct argp_state *state)
{
    const uint64_t before = number_of(member, row->bytes);
    for (const ws_option_row *other = o->rows; before && before != row->least && !is_end(other); other++)
        if (other->kind == WS_OPTION_IS_VALUE && other->offset == row->offset && other->least == before)
            argp_error(state, "--%s and --%s exclude each other", other->name, row->name);
    keep_number(member, row->bytes, row->least);
}

static void take(const parsed *p, const ws_option_row *row, char *arg, const struct argp_state *state)
{
    char *const member = p->request + row->offset;
    char what[64];
    snprintf(what, sizeof what, "%s%s", row->said ? "" : "--", row->said ? row->said : row->name);
    switch (row->kind) {
    case WS_OPTION_IS_FLAG:
        memcpy(member, &(bool){true}, sizeof(bool));
        return;
    case WS_OPTION_IS_TEXT:
        if (row->needs && !*arg)
            argp_error(state, "%s needs %s", what, row->needs);
        memcpy(member, &arg, sizeof arg);
        return;
    case WS_OPTION_IS_OUTPUT:
        arg = p->options->printed ? ws_argp_output_beside(state, what, arg, p->options->printed)
                                  : ws_argp_output(state, arg);
        memcpy(member, &arg, sizeof arg);
        return;
    case WS_OPTION_IS_NUMBER:
        keep_number(member, row->bytes, ws_argp_u64(state, what, arg, row->least, row->most));
        return;
    case WS_OPTION_IS_REAL:
        memcpy(member, &(double){ws_argp_double(state, what, arg, row->low, row->high) / row->parts}, sizeof(double));
        return;
    case WS_OPTION_IS_PERCENT:
        memcpy(member, &(double){read_percent(state, what, arg, row->low, row->high) / row->parts}, sizeof(double));
        return;
    case WS_OPTION_IS_ONE_OF:
        memcpy(member, &row->words[ws_argp_choice(state, what, arg, row->words)], sizeof *row->words);
        return;
    case WS_OPTION_IS_VALUE:
        keep_value(p->options, row, member, state);
        return;
    case WS_OPTION_IS_WORD:
        keep_number(member, row->bytes, ws_argp_choice(state, what, arg, row->words));
        return;
    case WS_OPTION_IS_TAKEN:
        row->take(state, member, arg);
        return;
    default: /* no option */
        return;
    }
}

static bool is_about_the_one_before(const ws_option_row *row)
{
    return row->kind == WS_OPTION_IS_ALIAS || row->kind == WS_OPTION_IS_GIVEN || row->kind == WS_OPTION_IS_NOTED;
}

/* For the rows behind that are about this one. */
static void note(const parsed *p, const ws_option_row *row)
{
    for (const ws_option_row *about = row + 1; is_about_the_one_before(about); about++)
        if (about->kind == WS_OPTION_IS_GIVEN)
            memcpy(p->request + about->offset, &(bool){true}, sizeof(bool));
        else if (about->kind == WS_OPTION_IS_NOTED)
            memcpy(p->request + about->offset, &row->name, sizeof row->name);
}

static void take_one_argument(const ws_option_row *row, const char **member, const char *arg,
                              const struct argp_state *state)
{
    if (*member)
        argp_error(state, row->argument, arg);
    *member = arg;
}

static error_t parse_argument(const parsed *p, char *arg, const struct argp_state *state)
{
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++) {
        void *const member = p->request + row->offset;
        if (row->kind == WS_OPTION_IS_ARGUMENT)
            take_one_argument(row, member, arg, state);
        else if (!row->name && row->take)
            row->take(state, member, arg);
        else
            continue;
        return 0;
    }
    if (!p->options->refuse)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, p->options->refuse, arg);
    return 0;
}

static error_t parse_rest(const parsed *p, const struct argp_state *state)
{
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (row->kind == WS_OPTION_IS_REST) {
            const ws_rest rest = {state->argv + state->next, state->argc - state->next};
            memcpy(p->request + row->offset, &rest, sizeof rest);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

/* The argument that a command needs, then what goes with what. */
static void finish(const parsed *p, const struct argp_state *state)
{
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (row->kind == WS_OPTION_IS_ARGUMENT && !*(const char **)(void *)(p->request + row->offset))
            argp_error(state, "%s", row->meaning);
    if (p->options->settle)
        p->options->settle(state, p->request);
    if (p->options->check)
        p->options->check(state, p->request);
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (row->need)
            row->need(state, p->request + row->offset);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const parsed *const p = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        for (size_t i = 0; i < WS_OPTIONS_CHILDREN && p->options->children && p->options->children[i].argp; i++)
            state->child_inputs[i] = p->request + p->options->child[i];
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(p, arg, state);
    case ARGP_KEY_ARGS:
        return parse_rest(p, state);
    case ARGP_KEY_END:
        finish(p, state);
        return 0;
    default:
        break;
    }
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (row->name && key_of(p->options, row) == key) {
            while (is_about_the_one_before(row))
                row--;
            take(p, row, arg, state);
            note(p, row);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

void ws_take_sizes(const struct argp_state *state, void *member, char *arg)
{
    ws_argp_sizes(state, "--sizes", arg, member);
}

void *ws_options_child(const ws_options *options, const struct argp *child, void *request)
{
    for (size_t i = 0; i < WS_OPTIONS_CHILDREN && options->children && options->children[i].argp; i++)
        if (options->children[i].argp == child)
            return (char *)request + options->child[i];
    return NULL;
}

void ws_options_parse(const ws_options *options, int argc, char **argv, void *request)
{
    size_t rows = 0, used = 0;
    while (!is_end(&options->rows[rows]))
        rows++;
    struct argp_option *const table = calloc(rows + 1, sizeof *table);
    if (!table) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(ENOMEM));
        exit(EXIT_FAILURE);
    }
    int group = 0;
    const char *argument = NULL; /* of the last option: an alias has the same */
    for (size_t i = 0; i < rows; i++) {
        const ws_option_row *const row = &options->rows[i];
        group = row->kind == WS_OPTION_IS_GROUP ? (int)row->bytes : group;
        if (row->name && row->kind != WS_OPTION_IS_ALIAS)
            argument = row->argument;
        if (row->name || (row->kind == WS_OPTION_IS_GROUP && row->meaning))
            table[used++] = (struct argp_option){.name = row->name,
                                                 .key = row->name ? key_of(options, row) : 0,
                                                 .arg = row->name ? argument : NULL,
                                                 .flags = row->kind == WS_OPTION_IS_ALIAS ? OPTION_ALIAS
                                                          : row->optional                 ? OPTION_ARG_OPTIONAL
                                                                                          : 0,
                                                 .doc = row->meaning,
                                                 .group = group};
    }
    const struct argp argp = {.options = used ? table : NULL, /* glibc loses a byte for each table without a row */
                              .parser = parse,
                              .args_doc = options->args_doc,
                              .doc = options->doc,
                              .children = options->children};
    (options->in_order ? ws_argp_parse_in_order : ws_argp_parse)(&argp, argc, argv, &(parsed){options, request});
    free(table);
}
