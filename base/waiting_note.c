/* waiting_note.c - a note on recorded launches that wait for others. */
#include "base/waiting_note.h"

#include "base/status.h"

#include <inttypes.h>

int ws_note_waiting(ws_frame *frame, const char *workload, uint64_t waiting, uint64_t launches)
{
    if (!waiting)
        return WS_OK;
    return ws_frame_note(frame,
                         "waiting: %s: %" PRIu64 " of %" PRIu64
                         " launches wait in loops for what others write, as many turns as in the run "
                         "that was recorded; simulate live for those of this machine",
                         workload, waiting, launches);
}
