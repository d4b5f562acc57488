/* command.h - table of the program's commands, from commands.def.
 *
 * A command is one file cli/cmd_<name>.c with one function ws_cmd_<name>. It has one row in commands.def, one page
 * man/warpscape-<name>.1 and one folder tests/golden/<name>. argv[0] is "warpscape <name>", which argp prints.
 *
 * The function returns WS_OK, or a failure of the library (negative). For a failure the program prints
 * "warpscape <name>: <ws_message()>" and exits with 1. Misuse is found by ws_argp_parse and argp_error (exit 2), or is
 * WS_MISUSED after ws_fail() recorded the error. The program flushes and checks stdout at exit. */
#ifndef WS_COMMAND_H
#define WS_COMMAND_H

#include "base/misused.h"

#include <stddef.h>

typedef struct ws_command {
    const char *name;
    const char *summary; /* one line, no full stop */
    int (*run)(int argc, char **argv);
} ws_command;

/* Precedes the body of such a function. Only command.c includes the list of commands, so that a new command recompiles
 * no other file. */
#define WS_COMMAND(name) \
    int ws_cmd_##name(int argc, char **argv); \
    int ws_cmd_##name(int argc, char **argv)

/* Returns the *n commands in the order of the table. */
const ws_command *ws_commands(size_t *n);

/* Returns the command of that name, or NULL. */
const ws_command *ws_command_find(const char *name);

/* Returns the command with the most similar name, or NULL if none is similar. */
const ws_command *ws_command_guess(const char *name);

#endif
