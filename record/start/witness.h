/* witness.h - did a signal come to this process alone, or to all of its process group?
 *
 * What was sent to the group (Ctrl-C, `timeout', kill(-group)) the program that runs beside us has got, too; what
 * was sent to us alone has to be handed on. A signal does not say to whom it was sent, but a process of the same group,
 * which does nothing and keeps all signals waiting, has it or has it not. */
#ifndef WS_WITNESS_H
#define WS_WITNESS_H

#include <stdbool.h>
#include <sys/signalfd.h>

typedef struct ws_witness {
    long pid; /* -1: it could not be started, and has seen nothing */
} ws_witness;

void ws_witness_begin(ws_witness *witness);
void ws_witness_end(ws_witness *witness);

/* Whether all of the group got the signal that we just read. */
bool ws_witness_saw(ws_witness *witness, const struct signalfd_siginfo *signal);

#endif
