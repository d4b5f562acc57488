/* command.c - which commands are there? */
#include "cli/command.h"

#include <stdbool.h>
#include <string.h>

static const ws_command commands[] = {
#define COMMAND(name, summary) {#name, summary, ws_cmd_##name},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL},
};

enum { LONGEST_NAME = 31 };

const ws_command *ws_commands(size_t *n)
{
    *n = sizeof commands / sizeof commands[0] - 1;
    return commands;
}

/* As the table has it, or with hyphens between its words: what-if. */
static bool is_called(const char *command, const char *name)
{
    for (; *command && *name; command++, name++) {
        name += *name == '-' && name[1];
        if (*command != *name)
            return false;
    }
    return *command == *name;
}

const ws_command *ws_command_find(const char *name)
{
    for (const ws_command *c = commands; c->name; c++) {
        if (*name != '-' && is_called(c->name, name))
            return c;
    }
    return NULL;
}

/* Levenshtein's distance, one row of the table at a time. Both words have at most LONGEST_NAME letters. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    size_t row[LONGEST_NAME + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t change = diagonal + (a[i - 1] != b[j - 1]);
            const size_t skip = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < skip ? change : skip;
        }
    }
    return row[n];
}

const ws_command *ws_command_guess(const char *name)
{
    if (strlen(name) > LONGEST_NAME)
        return NULL;
    const ws_command *best = NULL;
    size_t least = 3; /* more than two typing errors are another word */
    for (const ws_command *c = commands; c->name; c++) {
        const size_t d = distance(name, c->name);
        if (d < least && d < strlen(c->name)) {
            least = d;
            best = c;
        }
    }
    return best;
}
