/* wst_file_internal.h - records of a trace file, shared by writer and reader. */
#ifndef WS_WST_FILE_INTERNAL_H
#define WS_WST_FILE_INTERNAL_H

#include "base/arena.h"
#include "collect/wst/wst.h"
#include "collect/wst/wst_internal.h"

#include <stdio.h>

#define WS_WST_MAGIC         "warpscape trace\n"
#define WS_WST_TRAILER_MAGIC "wst end\n"

/* Version 1 lacked facts of instructions (order, scope, atomic, number, unit, work, flags), which are derived from the
 * opcode text. Version 2 lacked operands (collect/trace/code.h). Version 3 lacked source lines
 * (collect/trace/origin.h). */
enum { WS_WST_MAGIC_BYTES = 16, WS_WST_OLDEST = 1, WS_WST_WITH_LINES = 4, WS_WST_VERSION = 4 };

typedef enum ws_wst_type {
    WS_WST_NOTES = 1, /* has values, texts */
    WS_WST_KERNEL, /* name, table of instructions with their facts, operands and lines; numbered from 0 in file order */
    WS_WST_LAUNCH, /* number of its kernel, shape, requirements */
    WS_WST_CHUNK,  /* unpacked: a ws_wst_chunk; packed: segments */
    WS_WST_END,    /* of the launch: success, warp instructions */
    WS_WST_TAIL,   /* bytes copied after the last launch */
    WS_WST_INDEX,  /* contents of the file: see ws_wst_index_add */
    WS_WST_SOURCES, /* names and fingerprints of existing source files */
    WS_WST_TYPES
} ws_wst_type;

typedef struct ws_wst_record {
    uint32_t type, version;
    uint64_t stored, raw; /* bytes behind this header; bytes unpacked (for a chunk without its plain part) */
    uint64_t checksum;    /* XXH3 of the fields above and the stored bytes */
} ws_wst_record;

_Static_assert(sizeof(ws_wst_record) == 32, "the head of a record has no gaps");

/* The last bytes of a complete file. */
typedef struct ws_wst_trailer {
    uint64_t index; /* offset of the index record */
    char magic[8];  /* not terminated */
} ws_wst_trailer;

_Static_assert(sizeof(ws_wst_trailer) == 16, "the trailer has no gaps");

typedef struct ws_wst_chunk {
    uint64_t first;            /* block of the first segment */
    bool continues;            /* the first segment is not the first of its block */
    uint64_t segments, blocks; /* number of segments; number of blocks that end in the chunk */
    uint64_t warp_instructions;
} ws_wst_chunk;

void ws_wst_chunk_add(ws_bytes *to, const ws_wst_chunk *chunk);
void ws_wst_chunk_read(ws_reader *from, ws_wst_chunk *chunk);

uint64_t ws_wst_checksum(const ws_wst_record *head, const void *stored);

/* Returns whether the checksum is right; always true in fuzzing builds, which could not pass it. */
bool ws_wst_intact(const ws_wst_record *head, const void *stored);

/* Returns the first blocks of a launch's chunks, ascending, *n of them; the caller frees them. NULL when memory is
 * short. */
uint64_t *ws_wst_starts(const ws_trace *trace, size_t launch, size_t *n);

/* Facts of an instruction: order, scope, atomic, number, unit, work, flags, one byte each. */
enum { WS_WST_FACTS = 7 };
uint8_t ws_wst_flags(const ws_instr *in);
/* Returns false for a byte unknown to this version. */
bool ws_wst_set_facts(const uint8_t facts[WS_WST_FACTS], ws_instr *in);

/* wst_code.c: operands of a kernel's instructions, or NULL. Reading returns false when they are damaged or memory is
 * short. */
void ws_wst_code_add(ws_bytes *to, const ws_code *code);
bool ws_wst_code_read(ws_reader *from, ws_arena *arena, size_t instrs, const ws_code **out);

/* wst_origin.c: source locations of a kernel's instructions, or NULL if unknown. Reading as above. */
void ws_wst_origin_add(ws_bytes *to, const ws_origin *origin, size_t instrs);
bool ws_wst_origin_read(ws_reader *from, ws_arena *arena, size_t instrs, const ws_origin **out);

/* Adds a record to the index: type, stored, raw, and the plain part of a chunk. */
void ws_wst_index_add(ws_bytes *index, const ws_wst_record *head, const ws_bytes *plain);

#endif
