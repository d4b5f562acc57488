/* completion.h - shell completion: `warpscape --complete WORD...`, called by the scripts of `warpscape --completion
 * SHELL`.
 *
 * The WORDs follow the program's name; the last one is incomplete and may be empty. Prints one candidate per line,
 * followed by a tab and its meaning. Candidates of "--option=" begin with it. A last line ":files" or ":folders" also
 * allows such names. */
#ifndef WS_COMPLETION_H
#define WS_COMPLETION_H

#include <stdbool.h>

/* Completes the command's name, or lets the command complete its words. argv[0] is the first WORD.
 * Returns an exit status. */
int ws_complete(int argc, char **argv);

/* Prints the script for a shell: bash, zsh or fish. Returns false for another shell. */
bool ws_completion_script(const char *shell);

#endif
