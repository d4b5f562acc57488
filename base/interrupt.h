/* interrupt.h - handling of Ctrl-C and other signals that end the process. */
#ifndef WS_INTERRUPT_H
#define WS_INTERRUPT_H

#include <stdbool.h>

/* ws_interrupts_begin(), called first in main(), makes SIGINT (Ctrl-C) and SIGTERM end the program at once, with
 * temporary files removed. SIGXFSZ only sets ws_file_limit_met(), and the write that was too long fails.
 *
 * After ws_interrupts_catch(), the first SIGINT or SIGTERM only sets ws_interrupted(). Long commands check it between
 * steps and return ws_fail(WS_EINTERRUPTED, ...). A program that is still running one second later is ended, as by a
 * second signal. ws_interrupts_end(), called last in main(), ends the program by the signal received, if any.
 * ws_interrupts_restore() is for a child that executes another program: signals that were ignored at the start are
 * ignored again. */
void ws_interrupts_begin(void);
void ws_interrupts_catch(void);
bool ws_interrupted(void);
void ws_interrupts_end(void);
bool ws_file_limit_met(void);
void ws_interrupts_restore(void);

/* Grace period of child processes, in seconds, between the request to end and their forced end. */
#define WS_LAST_WORDS_S 0.5

#endif
