/* chip_reuse.c - see chip_reuse.h. */
#include "model/mechanism/atomics/chip_reuse.h"

#include "base/lru.h"
#include "base/status.h"
#include "base/table.h"

#include <stdlib.h>

static int take(ws_chip_reuse *reuse, ws_lru *stack, ws_table *codes, const ws_chip_message *m)
{
    uint64_t distance;
    uint32_t *const code = ws_table_put(codes, m->line);
    int status = code ? ws_lru_use(stack, m->line, &distance) : WS_EMEM;
    if (!status)
        status = ws_distances_add(distance != WS_LRU_FAR && *code != m->code ? &reuse->mismatches : &reuse->hits,
                                  distance, 1);
    if (!status)
        *code = m->code;
    return status;
}

int ws_chip_reuse_add(ws_chip_reuse *reuse, const ws_chip_message *messages, size_t count, uint32_t parts)
{
    ws_lru stack;
    ws_table codes = WS_TABLE(uint32_t);
    int status = WS_OK;
    ws_lru_init(&stack, WS_LRU_MOST);
    for (uint32_t part = 0; part < parts && !status; part++) {
        ws_lru_clear(&stack);
        ws_table_clear(&codes);
        for (size_t i = 0; i < count && !status; i++)
            if (messages[i].part == part)
                status = take(reuse, &stack, &codes, &messages[i]);
        if (!status && stack.lines)
            status = ws_distances_add(&reuse->ends, stack.lines - 1, 1);
    }
    reuse->requests += (double)count;
    ws_lru_fini(&stack);
    ws_table_fini(&codes);
    return status;
}

void ws_chip_reuse_fini(ws_chip_reuse *r)
{
    free(r->hits.at);
    free(r->mismatches.at);
    free(r->ends.at);
    *r = (ws_chip_reuse){0};
}

ws_update_buffer ws_chip_reuse_of(const ws_chip_reuse *r, double lines)
{
    return ws_update_buffer_from(r->requests - r->passed, &r->hits, &r->mismatches, &r->ends, lines);
}
