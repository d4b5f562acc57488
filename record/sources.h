/* sources.h - which source files do the kernels of a run come from, and what stands in them while the program runs? */
#ifndef WS_SOURCES_H
#define WS_SOURCES_H

#include "collect/trace/origin.h"
#include "collect/wst/wst.h"
#include "metrics/store/store.h"

typedef struct ws_source_seen {
    char *file;
    uint64_t fingerprint;
    bool known; /* the fingerprint: the file could be read */
} ws_source_seen;

typedef struct ws_sources {
    ws_source_seen *seen; /* [files] in order of first sight */
    size_t files, room, noted;
    const ws_trace
        *trace; /* whose launches are seen, and which knows what stood in the files; NULL: what stands in them now */
} ws_sources;

/* Takes the files of a kernel. WS_EMEM. */
int ws_sources_see(ws_sources *sources, const ws_origin *origin);

/* Notes all in a trace that is written. */
int ws_sources_keep(const ws_sources *sources, ws_trace_writer *trace);

/* Notes those that are new in the results file; one that cannot be read is not noted. */
int ws_sources_note(ws_sources *sources, ws_store *store, int64_t run);

/* Accepts a zeroed one. */
void ws_sources_fini(ws_sources *sources);

#endif
