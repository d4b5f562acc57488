/* chip_reuse.c - see chip_reuse.h. */
#include "model/mechanism/atomics/chip_reuse.h"

#include "base/table.h"

static int take(ws_chip_reuse *reuse, ws_lru *stack, ws_table *codes, const ws_chip_message *m)
{
    uint32_t *const code = ws_table_put(codes, m->line);
    const int status = code ? ws_buffer_reuse_use(&reuse->buffer, stack, m->line, *code == m->code) : WS_EMEM;
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
        ws_table_clear(&codes);
        for (size_t i = 0; i < count && !status; i++)
            if (messages[i].part == part)
                status = take(reuse, &stack, &codes, &messages[i]);
        if (!status)
            status = ws_buffer_reuse_end(&reuse->buffer, &stack);
    }
    reuse->requests += (double)count;
    ws_lru_fini(&stack);
    ws_table_fini(&codes);
    return status;
}

ws_update_buffer ws_chip_reuse_of(const ws_chip_reuse *r, double lines)
{
    return ws_buffer_reuse_of(&r->buffer, r->requests - r->passed, lines);
}
