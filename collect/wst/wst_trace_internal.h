/* wst_trace_internal.h - open trace file, shared by wst_read.c, wst_shelf.c and wst_cursor.c. */
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
    const ws_code *code;     /* NULL: unknown */
    const ws_origin *origin; /* NULL: unknown */
    bool has_facts; /* kernels of version 1 get their facts from the first launch, which knows the instruction set */
} ws_wst_kernel;

typedef struct ws_wst_source {
    const char *file;
    uint64_t fingerprint;
} ws_wst_source;

typedef struct ws_wst_launch {
    ws_trace_launch about;
    size_t first, end; /* range [first, end) of its chunks among the entries */
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
    uint64_t tables; /* unpacked bytes of its instruction tables */
    char *damage;
};

/* wst_read.c. WS_EMEM with a message. */
int ws_wst_no_memory(const ws_trace *t);
/* Reads and checks the stored bytes of a record, and reads head again. Enlarges `stored` as needed. */
int ws_wst_read_stored(const ws_trace *t, const ws_wst_entry *e, ws_bytes *stored);
/* Unpacks the bytes behind the `plain` ones of a record. */
int ws_wst_unpack(const ws_trace *t, const ws_wst_entry *e, const ws_bytes *stored, size_t plain, ws_bytes *raw);

/* A chunk in use, or cached for reuse. */
typedef struct ws_wst_unpacked {
    size_t entry;
    unsigned users;
    uint64_t used; /* time of last use, by the shelf's clock */
    ws_bytes raw;
    uint32_t *begin; /* [blocks that begin in it] offsets of their first segments; NULL: not requested yet */
} ws_wst_unpacked;

/* wst_shelf.c. Acquires chunk `number` of the trace's entries. *fresh: it was unpacked now, and may not remain cached.
 * The caller adds the place to WS_EINPUT and WS_EMEM. */
int ws_wst_shelf_take(ws_trace_shelf *s, size_t number, ws_wst_unpacked **out, bool *fresh);
void ws_wst_shelf_give_back(ws_trace_shelf *s, ws_wst_unpacked *u);
/* Returns the offset of the block's first segment if known to begin in the chunk or earlier; else 0. */
size_t ws_wst_shelf_find(ws_trace_shelf *s, ws_wst_unpacked *u, uint64_t block);

#endif
