/* command.h - the commands of the program, made from commands.def.
 *
 * A command is one file cli/cmd_<name>.c with one function ws_cmd_<name>, one row in commands.def, one page
 * man/warpscape-<name>.1 and one folder tests/golden/<name>. argv[0] is "warpscape <name>" so that argp says it.
 *
 * The function returns WS_OK, or a failure of the library (negative): the program then shows
 * "warpscape <name>: <ws_message()>" and exits with 1. Misuse is found by ws_argp_parse and argp_error (exit 2), or is
 * WS_MISUSED after ws_fail() recorded what is wrong. stdout is flushed and checked by the program, at exit. */
#ifndef WS_COMMAND_H
#define WS_COMMAND_H

#include "base/misused.h"

#include <stddef.h>

typedef struct ws_command {
    const char *name;
    const char *summary; /* one line, no full stop */
    int (*run)(int argc, char **argv);
} ws_command;

/* What stands in front of the body of such a function. The list of all is command.c's alone, so that a new one compiles
 * nothing else anew. */
#define WS_COMMAND(name) \
    int ws_cmd_##name(int argc, char **argv); \
    int ws_cmd_##name(int argc, char **argv)

/* The commands in the order of the table, *n of them. */
const ws_command *ws_commands(size_t *n);

/* The command of that name, or NULL. */
const ws_command *ws_command_find(const char *name);

/* The command whose name is spelt most like `name`, or NULL when none comes near. */
const ws_command *ws_command_guess(const char *name);

#endif
