/* update_log.h - what do the CTAs of a launch do to lines of global memory, and which of it are updates
 * (collect/trace/update.h)?
 *
 * A sink that keeps every access of global memory after coalescing, with the lanes on each word of those that are
 * atomic, and the ordering points beyond a block: fences, and in front of accesses that acquire or release. */
#ifndef WS_UPDATE_LOG_H
#define WS_UPDATE_LOG_H

#include "collect/trace/sink.h"

enum { WS_UPDATE_LINE = 128, WS_UPDATE_WORDS = 32 };

typedef enum ws_update_kind {
    WS_UPDATE_LOAD,
    WS_UPDATE_STORE,
    WS_UPDATE_OTHER, /* an atomic that is no update */
    WS_UPDATE_ADDS,  /* an update */
    WS_UPDATE_POINT, /* all that the SM did before is to be where others find it */
    WS_UPDATE_KINDS
} ws_update_kind;

typedef struct ws_update_record {
    uint64_t line;        /* address / line_bytes */
    uint64_t lanes;       /* of atomics: where in log->lanes those on each of its words stand, in the order of words */
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
    size_t *first;           /* [ctas] its first record; that of the next CTA ends it */
    uint64_t *work, *length; /* [ctas] instructions of its warps: all, of the longest */
    size_t ctas, first_room, work_room, length_room;
    uint32_t line_bytes;
    bool *update;   /* [instrs] */
    uint32_t *warp; /* [warps] instructions so far */
} ws_update_log;

typedef struct ws_update_log_options {
    size_t limit;        /* of records of a launch */
    uint32_t line_bytes; /* at most WS_UPDATE_LINE; 0: that */
    /* Do the kernel's updates count as such? NULL: those of all. */
    bool (*is_commutative)(const void *context, const char *kernel);
    const void *context;
} ws_update_log_options;

/* A sink whose states are ws_update_log; the options must outlive it. It ends a launch with more records than its
 * limit: WS_EUNSUPPORTED. */
ws_sink ws_update_log_sink(const ws_update_log_options *options);

static inline size_t ws_update_log_end(const ws_update_log *log, size_t cta)
{
    return cta + 1 < log->ctas ? log->first[cta + 1] : log->records;
}

/* Words of 4 bytes of an element that an atomic works on, 1 at least. */
static inline unsigned ws_update_element(const ws_update_record *r)
{
    const unsigned bytes = r->code & 0xff;
    return bytes > 4 ? bytes / 4 : 1;
}

#endif
