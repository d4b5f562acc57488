/* label_note.h - does a label of kernels whose atomics commute (sm.commutative) say something that is not so? A label
 * that is all has nothing to say. */
#ifndef WS_LABEL_NOTE_H
#define WS_LABEL_NOTE_H

#include "base/frame.h"
#include "collect/trace/event.h"
#include "model/machine/machine_declared.h"

#include <stdint.h>

/* All 0: no launch yet. */
typedef struct ws_label_seen {
    uint64_t launches, named; /* the latter: of kernels that the label names */
    char kernel[128];         /* the first of these with atomics that it cannot make commute, */
    size_t passing;           /* ... instructions of it */
} ws_label_seen;

/* WS_EMEM. */
int ws_label_see(ws_label_seen *seen, const ws_machine *machine, const ws_launch *launch);

/* Notes on a frame: the label names no kernel; a kernel that it names has atomics that do not commute, are ordered or
 * are read; nothing in the machine asks for labels
 * (`used` false). WS_EMEM. */
int ws_label_note(const ws_label_seen *seen, const ws_machine *machine, bool used, ws_frame *frame);

#endif
