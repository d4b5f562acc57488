/* wst_file.c - the parts of a record that writer and reader of trace files share. */
#include "collect/wst/wst_file_internal.h"

#include <xxhash.h>

void ws_wst_chunk_add(ws_bytes *to, const ws_wst_chunk *chunk)
{
    ws_bytes_add_varint(to, chunk->first << 1 | chunk->continues);
    ws_bytes_add_varint(to, chunk->segments);
    ws_bytes_add_varint(to, chunk->blocks);
    ws_bytes_add_varint(to, chunk->warp_instructions);
}

void ws_wst_chunk_read(ws_reader *from, ws_wst_chunk *chunk)
{
    const uint64_t first = ws_read_varint(from);
    *chunk = (ws_wst_chunk){.first = first >> 1, .continues = first & 1};
    chunk->segments = ws_read_varint(from);
    chunk->blocks = ws_read_varint(from);
    chunk->warp_instructions = ws_read_varint(from);
}

uint64_t ws_wst_checksum(const ws_wst_record *head, const void *stored)
{
    const XXH64_hash_t seed = XXH3_64bits(head, offsetof(ws_wst_record, checksum));
    return XXH3_64bits_withSeed(stored, head->stored, seed);
}

bool ws_wst_intact(const ws_wst_record *head, const void *stored)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)head;
    (void)stored;
    return true;
#else
    return ws_wst_checksum(head, stored) == head->checksum;
#endif
}

void ws_wst_index_add(ws_bytes *index, const ws_wst_record *head, const ws_bytes *plain)
{
    ws_bytes_add_varint(index, head->type);
    ws_bytes_add_varint(index, head->stored);
    ws_bytes_add_varint(index, head->raw);
    if (plain)
        ws_bytes_add(index, plain->data, plain->length);
}

/* ---- facts of instructions */

enum { IS_SIGNED = 1, UNCACHED = 2, FENCE = 4, ARRIVAL = 8, SURFACE = 16, COPY = 32, ALL_FLAGS = 63 };

uint8_t ws_wst_flags(const ws_instr *in)
{
    return (uint8_t)((in->is_signed ? IS_SIGNED : 0) | (in->uncached ? UNCACHED : 0) | (in->fence ? FENCE : 0) |
                     (in->arrival ? ARRIVAL : 0) | (in->surface ? SURFACE : 0) | (in->copy ? COPY : 0));
}

bool ws_wst_set_facts(const uint8_t facts[WS_WST_FACTS], ws_instr *in)
{
    static const uint8_t ends[WS_WST_FACTS] = {WS_ORDERS, WS_SCOPES, WS_ATOMICS,   WS_NUMBERS,
                                               WS_UNITS,  WS_WORKS,  ALL_FLAGS + 1};
    for (unsigned i = 0; i < WS_WST_FACTS; i++)
        if (facts[i] >= ends[i])
            return false;
    in->order = facts[0];
    in->scope = facts[1];
    in->atomic = facts[2];
    in->number = facts[3];
    in->unit = facts[4];
    in->work = facts[5];
    in->is_signed = facts[6] & IS_SIGNED;
    in->uncached = facts[6] & UNCACHED;
    in->fence = facts[6] & FENCE;
    in->arrival = facts[6] & ARRIVAL;
    in->surface = facts[6] & SURFACE;
    in->copy = facts[6] & COPY;
    return true;
}
