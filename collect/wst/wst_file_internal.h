/* wst_file_internal.h - the records of a trace file, as writer and reader both know them. */
#ifndef WS_WST_FILE_INTERNAL_H
#define WS_WST_FILE_INTERNAL_H

#include "base/arena.h"
#include "collect/wst/wst.h"
#include "collect/wst/wst_internal.h"

#include <stdio.h>

#define WS_WST_MAGIC         "warpscape trace\n"
#define WS_WST_TRAILER_MAGIC "wst end\n"

/* Version 1 had no facts of instructions (order, scope, atomic, number, unit, work, flags): they come from the opcodes'
 * text. Version 2 had no operands (collect/trace/code.h). Version 3 had no lines of the source
 * (collect/trace/origin.h). */
enum { WS_WST_MAGIC_BYTES = 16, WS_WST_OLDEST = 1, WS_WST_WITH_LINES = 4, WS_WST_VERSION = 4 };

typedef enum ws_wst_type {
    WS_WST_NOTES = 1, /* has values, texts */
    WS_WST_KERNEL,    /* name, table of instructions with their facts, their operands, their lines; numbered from 0 in
                         their order */
    WS_WST_LAUNCH,    /* number of its kernel, shape, needs */
    WS_WST_CHUNK,     /* unpacked: a ws_wst_chunk; packed: segments */
    WS_WST_END,       /* of the launch: went well, warp instructions */
    WS_WST_TAIL,      /* bytes copied behind the last launch */
    WS_WST_INDEX,     /* what is in the file: see ws_wst_index_add */
    WS_WST_SOURCES,   /* names and fingerprints of source files that were there */
    WS_WST_TYPES
} ws_wst_type;

typedef struct ws_wst_record {
    uint32_t type, version;
    uint64_t stored, raw; /* bytes behind this head; bytes when unpacked (of a chunk: without its plain part) */
    uint64_t checksum;    /* XXH3 of the fields above and the stored bytes */
} ws_wst_record;

_Static_assert(sizeof(ws_wst_record) == 32, "the head of a record has no gaps");

/* The last bytes of a whole file. */
typedef struct ws_wst_trailer {
    uint64_t index; /* offset of the index record */
    char magic[8];  /* without an end */
} ws_wst_trailer;

_Static_assert(sizeof(ws_wst_trailer) == 16, "the trailer has no gaps");

typedef struct ws_wst_chunk {
    uint64_t first;            /* block of the first segment */
    bool continues;            /* which is not the first of that block */
    uint64_t segments, blocks; /* in it; that end in it */
    uint64_t warp_instructions;
} ws_wst_chunk;

void ws_wst_chunk_add(ws_bytes *to, const ws_wst_chunk *chunk);
void ws_wst_chunk_read(ws_reader *from, ws_wst_chunk *chunk);

uint64_t ws_wst_checksum(const ws_wst_record *head, const void *stored);

/* Whether the checksum is right; always in fuzzing builds, which would not come past it. */
bool ws_wst_intact(const ws_wst_record *head, const void *stored);

/* Blocks of a launch that a chunk begins with, rising; *n of them, to be freed. NULL when memory is short. */
uint64_t *ws_wst_starts(const ws_trace *trace, size_t launch, size_t *n);

/* Facts of an instruction: order, scope, atomic, number, unit, work, flags, a byte each. */
enum { WS_WST_FACTS = 7 };
uint8_t ws_wst_flags(const ws_instr *in);
/* False when a byte says what this version does not know. */
bool ws_wst_set_facts(const uint8_t facts[WS_WST_FACTS], ws_instr *in);

/* wst_code.c: operands of a kernel's instructions; NULL for none. Reading: false when they are damaged, or memory is
 * short. */
void ws_wst_code_add(ws_bytes *to, const ws_code *code);
bool ws_wst_code_read(ws_reader *from, ws_arena *arena, size_t instrs, const ws_code **out);

/* wst_origin.c: where a kernel's instructions come from; NULL for not known. Reading: as above. */
void ws_wst_origin_add(ws_bytes *to, const ws_origin *origin, size_t instrs);
bool ws_wst_origin_read(ws_reader *from, ws_arena *arena, size_t instrs, const ws_origin **out);

/* Adds a record to the index: type, stored, raw, and the plain part of a chunk. */
void ws_wst_index_add(ws_bytes *index, const ws_wst_record *head, const ws_bytes *plain);

#endif
