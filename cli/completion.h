/* completion.h - what the tab key offers: `warpscape --complete WORD...`, asked by the small scripts of `warpscape
 * --completion SHELL`.
 *
 * WORDs are those behind the program's name; the last one is being typed and may be empty. Candidates are printed a
 * line each, a tab and what it is behind it; those of "--option=" begin with it. A last line ":files" or ":folders"
 * says that names of those fit, too. */
#ifndef WS_COMPLETION_H
#define WS_COMPLETION_H

#include <argp.h>
#include <stdbool.h>

/* Whether the command is run to complete words, not to do anything; ws_cli_parse then calls ws_complete_command. */
bool ws_is_completing(void);

/* The program's part: completes the command's name, or lets the command complete its words. argv[0] is the first WORD.
 * Returns an exit status. */
int ws_complete(int argc, char **argv);

/* A command's part, from its table of options; argv[0] is "warpscape COMMAND". in_order: behind the first argument
 * stands another program. */
void ws_complete_command(const struct argp *argp, int argc, char **argv, bool in_order);

/* Prints the script for a shell: bash, zsh or fish. False for another. */
bool ws_completion_script(const char *shell);

#endif
