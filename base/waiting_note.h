/* waiting_note.h - what frames say of recorded launches that wait in loops for others (collect/trace/waits.h). */
#ifndef WS_WAITING_NOTE_H
#define WS_WAITING_NOTE_H

#include "base/frame.h"

#include <stdint.h>

/* `waiting` of the workload's `launches` do; 0: no note. */
int ws_note_waiting(ws_frame *frame, const char *workload, uint64_t waiting, uint64_t launches);

#endif
