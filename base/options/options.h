/* options.h - command-line conventions of all commands: options, numbers in options, frames on standard output. */
#ifndef WS_OPTIONS_H
#define WS_OPTIONS_H

#include "base/frame.h"
#include "base/options/sizes.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Hook for word completion, called in place of parsing with the option table of a command. With in_order, options end
 * at the first non-option argument. NULL: normal run. */
typedef void ws_options_completer(const struct argp *argp, int argc, char **argv, bool in_order);
extern ws_options_completer *ws_options_complete;

/* Parses options with argp_parse and the conventions of this program; every command calls it first. Wrong options end
 * the program with exit status 2, --help with 0. For completion and tests, the hidden option --list-options prints one
 * option per line ("--linkage=", "-o"), and --list-arguments their arguments ("--per launch|kernel"). Option parsers
 * call argp_error(state, ...) for misuse. */
void ws_argp_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Parses options of commands that start another program: options end at the first non-option argument. */
void ws_argp_parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/* --private, for commands that write files: base/output.h. ws_argp_writes is the list of children of a command without
 * other children. */
extern const struct argp ws_argp_private;
extern const struct argp_child ws_argp_writes[];

/* --private and --sources (base/source_file.h). ws_argp_sources adds a source folder; a missing folder is misuse. */
extern const struct argp_child ws_argp_writes_and_sources[];
void ws_argp_sources(const struct argp_state *state, const char *folder);

/* Returns the path of a file that the command writes at its end. A path that cannot be written ends the program with
 * exit status 1 before the work begins. */
char *ws_argp_output(const struct argp_state *state, char *path);
/* As ws_argp_output, for commands that also print: "-" is misuse, "--tree needs a file; the merges go to standard
 * output". */
char *ws_argp_output_beside(const struct argp_state *state, const char *option, char *path, const char *printed);

/* Parse numbers in options; `what` is the option in messages: "--sizes needs a whole number from 1 to 9, not 'x'".
 * Misuse ends the program by argp_error. */
uint64_t ws_argp_u64(const struct argp_state *state, const char *what, const char *text, uint64_t least, uint64_t most);
double ws_argp_double(const struct argp_state *state, const char *what, const char *text, double least, double most);

/* Parses a list of sizes, "4,6,8,12". */
void ws_argp_sizes(const struct argp_state *state, const char *what, const char *text, ws_sizes *out);

/* Returns the index of text in the NULL-terminated list of words. For any other text, argp_error lists the words. */
size_t ws_argp_choice(const struct argp_state *state, const char *what, const char *text, const char *const *words);

/* Adds the provenance of every frame that a command writes: "tool: warpscape 0.1.0" and "command: ...". Existing notes
 * with these keys are replaced. Returns WS_OK or WS_EMEM. */
int ws_options_sign_frame(ws_frame *frame, int argc, char **argv);

/* Adds provenance and notes (NULL: none) to the frame and prints it on standard output. */
int ws_options_print_frame(ws_frame *frame, const ws_frame *notes, int argc, char **argv);

#endif
