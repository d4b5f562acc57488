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

static void take(const ws_option_row *row, char *member, char *arg, const struct argp_state *state)
{
    char what[64];
    snprintf(what, sizeof what, "--%s", row->name ? row->name : "");
    switch (row->kind) {
    case WS_OPTION_IS_FLAG:
        memcpy(member, &(bool){true}, sizeof(bool));
        return;
    case WS_OPTION_IS_TEXT:
        memcpy(member, &arg, sizeof arg);
        return;
    case WS_OPTION_IS_OUTPUT:
        memcpy(member, &(char *){ws_cli_output(state, arg)}, sizeof arg);
        return;
    case WS_OPTION_IS_NUMBER:
        keep_number(member, row->bytes, ws_cli_u64(state, what, arg, row->least, row->most));
        return;
    case WS_OPTION_IS_REAL:
        memcpy(member, &(double){ws_cli_double(state, what, arg, row->low, row->high) / row->parts}, sizeof(double));
        return;
    case WS_OPTION_IS_WORD:
        keep_number(member, row->bytes, ws_cli_choice(state, what, arg, row->words));
        return;
    case WS_OPTION_IS_TAKEN:
        row->take(state, member, arg);
        return;
    case WS_OPTION_IS_ALIAS:
    case WS_OPTION_IS_GROUP:
    case WS_OPTION_IS_NONE:
        return;
    }
}

static error_t parse_argument(const parsed *p, char *arg, const struct argp_state *state)
{
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (!row->name && row->take) {
            row->take(state, p->request + row->offset, arg);
            return 0;
        }
    if (!p->options->refuse)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, p->options->refuse, arg);
    return 0;
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
    case ARGP_KEY_END:
        if (p->options->check)
            p->options->check(state, p->request);
        for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
            if (row->need)
                row->need(state, p->request + row->offset);
        return 0;
    default:
        break;
    }
    for (const ws_option_row *row = p->options->rows; !is_end(row); row++)
        if (row->name && key_of(p->options, row) == key) {
            row -= row->kind == WS_OPTION_IS_ALIAS;
            take(row, p->request + row->offset, arg, state);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

void ws_take_frame(const struct argp_state *state, void *member, char *arg)
{
    ws_cli_take_frame(state, member, arg);
}

void ws_need_frame(const struct argp_state *state, const void *member)
{
    ws_cli_need_frame(state, *(const char *const *)member);
}

void ws_take_sizes(const struct argp_state *state, void *member, char *arg)
{
    ws_cli_sizes(state, "--sizes", arg, member);
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
    for (size_t i = 0; i < rows; i++) {
        const ws_option_row *const row = &options->rows[i];
        group = row->kind == WS_OPTION_IS_GROUP ? (int)row->bytes : group;
        if (row->name)
            table[used++] = (struct argp_option){.name = row->name,
                                                 .key = key_of(options, row),
                                                 .arg = row->argument,
                                                 .flags = row->kind == WS_OPTION_IS_ALIAS ? OPTION_ALIAS : 0,
                                                 .doc = row->meaning,
                                                 .group = group};
    }
    const struct argp argp = {.options = table,
                              .parser = parse,
                              .args_doc = options->args_doc,
                              .doc = options->doc,
                              .children = options->children};
    ws_cli_parse(&argp, argc, argv, &(parsed){options, request});
    free(table);
}
