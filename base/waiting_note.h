/* waiting_note.h - note of frames on recorded launches that wait in loops for other warps (collect/trace/waits.h). */
#ifndef WS_WAITING_NOTE_H
#define WS_WAITING_NOTE_H

#include "base/frame.h"

#include <stdint.h>

/* Adds a note that `waiting` of the workload's `launches` wait in loops; none if `waiting` is 0. */
int ws_note_waiting(ws_frame *frame, const char *workload, uint64_t waiting, uint64_t launches);

#endif
