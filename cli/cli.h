/* cli.h - what every command of the program needs: options, numbers in options, interruption, progress. */
#ifndef WS_CLI_H
#define WS_CLI_H

#include "base/frame.h"
#include "base/status.h"
#include "cli/command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* argp_parse with the habits of this program. Wrong options end the program with exit status 2, --help with 0; the
 * hidden option --list-options prints the options one a line ("--linkage=", "-o") for completion and tests, --list-arguments
 * what they take ("--per launch|kernel").
 * Every command calls it first. Option parsers call argp_error(state, ...) for misuse. */
void ws_cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The same for commands that start another program: options end at the first argument that is none. */
void ws_cli_parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/* --private, for commands that write files: base/output.h. The second is the list of children of a command without others. */
extern const struct argp ws_cli_private_argp;
extern const struct argp_child ws_cli_writes[];

/* Numbers in options; `what` names the option in the message: "--sizes needs a whole number from 1 to 9, not 'x'".
 * Misuse ends the program by argp_error. */
uint64_t ws_cli_u64(const struct argp_state *state, const char *what, const char *text, uint64_t least, uint64_t most);
double ws_cli_double(const struct argp_state *state, const char *what, const char *text, double least, double most);

/* Index of text in the NULL-terminated list of words; argp_error names them all when it is none of them. */
size_t ws_cli_choice(const struct argp_state *state, const char *what, const char *text, const char *const *words);

/* Sets of metrics that can be asked for, for ws_cli_choice. */
extern const char *const ws_cli_sets[];

/* Provenance that every frame written by a command carries: "tool: warpscape 0.1.0" and "command: ..." (replaced when
 * a note of that key is there). WS_EMEM. */
int ws_cli_sign(ws_frame *frame, int argc, char **argv);

/* From ws_interrupts_begin() on, which main() calls first, SIGINT (Ctrl-C) and SIGTERM end the program at once and without
 * temporary files left; SIGXFSZ does no more than make ws_file_limit_met() true, so that the write that was too long fails.
 * From ws_interrupts_catch() on, the first of them makes ws_interrupted() true: long commands ask between steps, and return
 * ws_fail(WS_EINTERRUPTED, ...). A program that has not ended a second later is ended, as by a second signal.
 * ws_interrupts_end(), which main() calls last, ends the program by the signal that came, if one did.
 * ws_interrupts_restore() is for a child that becomes another program: signals that were ignored before all this are again. */
void ws_interrupts_begin(void);
void ws_interrupts_catch(void);
bool ws_interrupted(void);
void ws_interrupts_end(void);
bool ws_file_limit_met(void);
void ws_interrupts_restore(void);

/* A line on stderr with what runs, percent and time left; nothing when stderr is no terminal. */
typedef struct ws_progress {
    FILE *out; /* NULL: silent */
    struct timespec begin, shown;
    bool drawn;
} ws_progress;

void ws_progress_begin(ws_progress *progress);
/* done in 0..1 of the whole; draws at most ten times a second, so it may be called often. */
void ws_progress_show(ws_progress *progress, const char *what, double done);
/* The same line with a text of the caller's, where nobody knows the whole. */
void ws_progress_say(ws_progress *progress, const char *text);
/* Wipes the line; also before printing something else to stderr. */
void ws_progress_end(ws_progress *progress);

/* Turns off what the libraries would print, abort or run in threads on their own. */
void ws_libraries_quiet(void);
/* Prints name, version, compiler, flags and libraries. */
void ws_libraries_print(FILE *out);

#endif
