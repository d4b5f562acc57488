/* readonly_stt.c - caches of constants and textures of magnetic memory: fills are writes, all of their bits. What
 * decays is fetched again, which is not counted. */
#include "model/memory/memory_internal.h"

static void add(const ws_memory_setup *s, const ws_memory_use *use, ws_memory_sum *sum)
{
    sum->read_j += use->launch->part[s->part].read_j * s->read;
    sum->write_j += use->launch->part[s->part].write_j * s->write;
    sum->leakage_j += use->leakage_j * s->leakage;
    sum->cell_writes += use->launch->part[s->part].writes;
    sum->bits_written += use->launch->part[s->part].writes * WS_MEMORY_WORD;
}

const ws_memory_ops ws_memory_readonly_stt = {
    .name = "stt", .part = WS_MEMORY_READONLY, .prepare = ws_memory_magnetic, .add = add};
