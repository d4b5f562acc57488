/* completion.h - what the tab key offers: `warpscape --complete WORD...`, asked by the small scripts of `warpscape
 * --completion SHELL`.
 *
 * WORDs are those behind the program's name; the last one is being typed and may be empty. Candidates are printed a
 * line each, a tab and what it is behind it; those of "--option=" begin with it. A last line ":files" or ":folders"
 * says that names of those fit, too. */
#ifndef WS_COMPLETION_H
#define WS_COMPLETION_H

#include <stdbool.h>

/* The program's part: completes the command's name, or lets the command complete its words. argv[0] is the first WORD.
 * Returns an exit status. */
int ws_complete(int argc, char **argv);

/* Prints the script for a shell: bash, zsh or fish. False for another. */
bool ws_completion_script(const char *shell);

#endif
