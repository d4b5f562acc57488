/* library_recorder_internal.h - a run that is measured, for the files that add launches to it. */
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
    uint64_t launches, before; /* so far; before the trace that is replayed */
    uint64_t d2h_bytes;        /* copied back since the last launch */
};

/* What a launch took. */
typedef struct library_ran {
    double seconds;
    uint64_t warp_instructions, thread_instructions;
} library_ran;

/* Adds a launch that the recorder's listeners have heard. */
int library_record(warpscape_recorder *recorder, const ws_launch *launch, const library_ran *ran);

#endif
