/* options.h - what every command asks and answers alike: options, numbers in options, frames on standard output. */
#ifndef WS_OPTIONS_H
#define WS_OPTIONS_H

#include "base/frame.h"
#include "base/options/sizes.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the program is run to complete words, this does it in the place of parsing: with the table of a command, whose
 * options end at the first argument that is none if in_order. NULL: it is run to do something. */
typedef void ws_options_completer(const struct argp *argp, int argc, char **argv, bool in_order);
extern ws_options_completer *ws_options_complete;

/* argp_parse with the habits of this program. Wrong options end the program with exit status 2, --help with 0; the
 * hidden option --list-options prints the options one a line ("--linkage=", "-o") for completion and tests,
 * --list-arguments what they take ("--per launch|kernel"). Every command calls it first. Option parsers call
 * argp_error(state, ...) for misuse. */
void ws_argp_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The same for commands that start another program: options end at the first argument that is none. */
void ws_argp_parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/* --private, for commands that write files: base/output.h. The second is the list of children of a command without
 * others. */
extern const struct argp ws_argp_private;
extern const struct argp_child ws_argp_writes[];

/* The same with --sources (base/source_file.h), whose folders the second adds: misuse when there is none. */
extern const struct argp_child ws_argp_writes_and_sources[];
void ws_argp_sources(const struct argp_state *state, const char *folder);

/* The path of a file that the command writes at its end; one that cannot be written ends the program with exit status 1
 * before the work begins. */
char *ws_argp_output(const struct argp_state *state, char *path);
/* The same beside what is printed: "-" is misuse, "--tree needs a file; the merges go to standard output". */
char *ws_argp_output_beside(const struct argp_state *state, const char *option, char *path, const char *printed);

/* Numbers in options; `what` names the option in the message: "--sizes needs a whole number from 1 to 9, not 'x'".
 * Misuse ends the program by argp_error. */
uint64_t ws_argp_u64(const struct argp_state *state, const char *what, const char *text, uint64_t least, uint64_t most);
double ws_argp_double(const struct argp_state *state, const char *what, const char *text, double least, double most);

/* Reads a list of sizes, "4,6,8,12". */
void ws_argp_sizes(const struct argp_state *state, const char *what, const char *text, ws_sizes *out);

/* Index of text in the NULL-terminated list of words; argp_error names them all when it is none of them. */
size_t ws_argp_choice(const struct argp_state *state, const char *what, const char *text, const char *const *words);

/* Provenance that every frame written by a command carries: "tool: warpscape 0.1.0" and "command: ..." (replaced when
 * a note of that key is there). WS_EMEM. */
int ws_options_sign_frame(ws_frame *frame, int argc, char **argv);

/* Signs the frame, adds notes (NULL: none) and prints it on standard output. */
int ws_options_print_frame(ws_frame *frame, const ws_frame *notes, int argc, char **argv);

#endif
