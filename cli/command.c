/* command.c - which commands are there? */
#include "cli/command.h"

#include "base/guess.h"

#include <stdbool.h>

#define COMMAND(name, summary) int ws_cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

static const ws_command commands[] = {
#define COMMAND(name, summary) {#name, summary, ws_cmd_##name},
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL, NULL},
};

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

const ws_command *ws_command_guess(const char *name)
{
    ws_guess guess = ws_guess_of(name);
    for (const ws_command *c = commands; c->name; c++)
        ws_guess_see(&guess, c->name);
    return guess.best ? ws_command_find(guess.best) : NULL;
}
