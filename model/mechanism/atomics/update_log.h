/* update_log.h - log of the global memory lines that CTAs access, with atomics that are updates
 * (collect/trace/update.h).
 *
 * A sink keeps every access of global memory after coalescing, the number of lanes on each word for atomics, and
 * ordering points wider than a block: fences, and accesses that acquire or release (the point precedes them). */
#ifndef WS_UPDATE_LOG_H
#define WS_UPDATE_LOG_H

#include "collect/trace/sink.h"

enum { WS_UPDATE_LINE = 128, WS_UPDATE_WORDS = 32 };

typedef enum ws_update_kind {
    WS_UPDATE_LOAD,
    WS_UPDATE_STORE,
    WS_UPDATE_OTHER, /* an atomic that is not an update */
    WS_UPDATE_ADDS,  /* an update */
    WS_UPDATE_POINT, /* all earlier accesses of the SM must be visible to others */
    WS_UPDATE_KINDS
} ws_update_kind;

typedef struct ws_update_record {
    uint64_t line;        /* address / line_bytes */
    uint64_t lanes;       /* of atomics: index in log->lanes of the lanes on each of its words, in the order of words */
    uint32_t words, code; /* code: of atomics, ws_update_code */
    uint32_t at;          /* instructions of its warp before it */
    uint16_t warp;
    uint8_t kind;
} ws_update_record;

typedef struct ws_update_log {
    ws_update_record *record;
    size_t records, room, limit;
    uint8_t *lanes;
    size_t lanes_used, lanes_room;
    size_t *first;           /* [ctas] index of its first record, which ends the previous CTA */
    uint64_t *work, *length; /* [ctas] instructions of its warps: sum, maximum */
    size_t ctas, first_room, work_room, length_room;
    uint32_t line_bytes;
    bool *update;   /* [instrs] */
    uint32_t *warp; /* [warps] instructions so far */
} ws_update_log;

typedef struct ws_update_log_options {
    size_t limit;        /* of records of a launch */
    uint32_t line_bytes; /* at most WS_UPDATE_LINE; 0: that */
    /* Returns whether the kernel's updates count as such. NULL: always. */
    bool (*is_commutative)(const void *context, const char *kernel);
    const void *context;
} ws_update_log_options;

/* Returns a sink whose states are ws_update_log; the options must outlive it. A launch with more records than the limit
 * ends with WS_EUNSUPPORTED. */
ws_sink ws_update_log_sink(const ws_update_log_options *options);

static inline size_t ws_update_log_end(const ws_update_log *log, size_t cta)
{
    return cta + 1 < log->ctas ? log->first[cta + 1] : log->records;
}

/* Returns the 4-byte words of an atomic's element, at least 1. */
static inline unsigned ws_update_element(const ws_update_record *r)
{
    const unsigned bytes = r->code & 0xff;
    return bytes > 4 ? bytes / 4 : 1;
}

#endif
