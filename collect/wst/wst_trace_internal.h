/* wst_trace_internal.h - a trace file that is open, as wst_read.c, wst_shelf.c and wst_cursor.c know it. */
#ifndef WS_WST_TRACE_INTERNAL_H
#define WS_WST_TRACE_INTERNAL_H

#include "collect/wst/wst_file_internal.h"

typedef struct ws_wst_entry {
    ws_wst_record head; /* checksum 0 when from the index */
    uint64_t offset;
    ws_wst_chunk chunk;
} ws_wst_entry;

typedef struct ws_wst_kernel {
    const char *name;
    ws_instr *instr;
    size_t instrs;
    const ws_code *code;     /* NULL: not known */
    const ws_origin *origin; /* NULL: not known */
    bool has_facts; /* those of version 1 get theirs from the first launch, which knows whose instructions they are */
} ws_wst_kernel;

typedef struct ws_wst_source {
    const char *file;
    uint64_t fingerprint;
} ws_wst_source;

typedef struct ws_wst_launch {
    ws_trace_launch about;
    size_t first, end; /* its chunks are among the entries [first, end) */
} ws_wst_launch;

struct ws_trace {
    char *path;
    int file;
    uint32_t version; /* of its records */
    uint64_t bytes;
    ws_wst_entry *entry;
    size_t entries, entry_room;
    ws_wst_kernel *kernel;
    size_t kernels, kernel_room;
    ws_wst_launch *launch;
    size_t launches, launch_room;
    ws_arena *arena;
    char *notes;
    bool has_values;
    uint64_t h2d_bytes, d2h_bytes;
    const ws_wst_source *source; /* [sources] */
    size_t sources;
    uint64_t tables; /* bytes that its tables of instructions unpack to */
    char *damage;
};

/* wst_read.c. WS_EMEM with a message. */
int ws_wst_no_memory(const ws_trace *t);
/* The stored bytes of a record, checked; head is read again. `stored` is made large enough. */
int ws_wst_read_stored(const ws_trace *t, const ws_wst_entry *e, ws_bytes *stored);
/* Unpacks what stands behind `plain` bytes of a record. */
int ws_wst_unpack(const ws_trace *t, const ws_wst_entry *e, const ws_bytes *stored, size_t plain, ws_bytes *raw);

/* A chunk that somebody reads, or that may be read again. */
typedef struct ws_wst_unpacked {
    size_t entry;
    unsigned users;
    uint64_t used; /* when, by the shelf's clock */
    ws_bytes raw;
    uint32_t *begin; /* [blocks that begin in it] offsets of their first segments; NULL: nobody has asked */
} ws_wst_unpacked;

/* wst_shelf.c. Gets hold of chunk `number` of the trace's entries. *fresh: it had to be unpacked, and may not stay.
 * With WS_EINPUT and WS_EMEM it is the caller who says where. */
int ws_wst_shelf_take(ws_trace_shelf *s, size_t number, ws_wst_unpacked **out, bool *fresh);
void ws_wst_shelf_give_back(ws_trace_shelf *s, ws_wst_unpacked *u);
/* Offset of the first segment of the block, where it is known to begin in the chunk or before it; else 0. */
size_t ws_wst_shelf_find(ws_trace_shelf *s, ws_wst_unpacked *u, uint64_t block);

#endif
