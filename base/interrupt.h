/* interrupt.h - Ctrl-C, and what else asks a process to end. */
#ifndef WS_INTERRUPT_H
#define WS_INTERRUPT_H

#include <stdbool.h>

/* From ws_interrupts_begin() on, which main() calls first, SIGINT (Ctrl-C) and SIGTERM end the program at once and
 * without temporary files left; SIGXFSZ does no more than make ws_file_limit_met() true, so that the write that was too
 * long fails. From ws_interrupts_catch() on, the first of them makes ws_interrupted() true: long commands ask between
 * steps, and return ws_fail(WS_EINTERRUPTED, ...). A program that has not ended a second later is ended, as by a second
 * signal. ws_interrupts_end(), which main() calls last, ends the program by the signal that came, if one did.
 * ws_interrupts_restore() is for a child that becomes another program: signals that were ignored before all this are
 * again. */
void ws_interrupts_begin(void);
void ws_interrupts_catch(void);
bool ws_interrupted(void);
void ws_interrupts_end(void);
bool ws_file_limit_met(void);
void ws_interrupts_restore(void);

/* Seconds that processes which this one started have for their last words, after they were asked to end. */
#define WS_LAST_WORDS_S 0.5

#endif
