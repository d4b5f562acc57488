/* library_recorder_internal.h - state of a measured run, for the files that add launches to it. */
#ifndef WS_LIBRARY_RECORDER_INTERNAL_H
#define WS_LIBRARY_RECORDER_INTERNAL_H

#include "library/library_internal.h"
#include "record/listeners.h"
#include "metrics/store/store.h"

#include <time.h>

struct warpscape_recorder {
    ws_listeners listeners;
    ws_store *store;
    int64_t run;
    struct timespec begin;
    uint64_t launches, before; /* launches: number recorded; before: number recorded before the current replay */
    uint64_t d2h_bytes;        /* copied to the host since the last launch */
};

/* Cost of a launch. */
typedef struct library_ran {
    double seconds;
    uint64_t warp_instructions, thread_instructions;
} library_ran;

/* Records a launch that the recorder's listeners have already received. */
int library_record(warpscape_recorder *recorder, const ws_launch *launch, const library_ran *ran);

#endif
