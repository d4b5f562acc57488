/* memory_channel_dram.c - a channel of dram.h: banks with rows, and the part's own map of addresses. */
#include "base/status.h"
#include "model/sim/memory/memory_channel_internal.h"

#include <stdlib.h>

typedef struct channel {
    ws_dram *dram;
    ws_dram_map map;
} channel;

static void destroy(void *memory)
{
    channel *const c = memory;
    if (c)
        ws_dram_destroy(c->dram);
    free(c);
}

static int create(const ws_machine *m, const ws_dram_part *part, void **out)
{
    channel *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    ws_dram_plan plan;
    int status = ws_dram_map_parse(ws_memory_channel_map(part), NULL, part, 1, &c->map);
    if (!status)
        status = ws_memory_controller_plan(m, &plan);
    if (!status)
        status = ws_dram_make(&plan, part, &c->dram);
    if (status) {
        destroy(c);
        return status;
    }
    *out = c;
    return WS_OK;
}

static bool has_room(const void *memory, uint64_t address, bool write)
{
    (void)address;
    return ws_dram_has_room(((const channel *)memory)->dram, write);
}

static bool push(void *memory, uint64_t address, bool write, uint64_t tag)
{
    channel *const c = memory;
    ws_dram_request request = {.tag = tag, .address = address, .write = write};
    ws_dram_map_place(&c->map, address, &request.at);
    return ws_dram_push(c->dram, &request);
}

static void step(void *memory, uint64_t until)
{
    ws_dram_step(((channel *)memory)->dram, until);
}

static bool pop(void *memory, uint64_t *tag)
{
    ws_dram_request request;
    if (!ws_dram_pop(((channel *)memory)->dram, &request))
        return false;
    *tag = request.tag;
    return true;
}

static uint64_t next_time(const void *memory)
{
    return ws_dram_next_time(((const channel *)memory)->dram);
}

static uint64_t inside(const void *memory)
{
    return ws_dram_inside(((const channel *)memory)->dram);
}

static ws_dram_totals sum(const void *memory)
{
    return ws_dram_sum(((const channel *)memory)->dram);
}

static void save(const void *memory, ws_bytes *bytes)
{
    ws_dram_save(((const channel *)memory)->dram, bytes);
}

static int load(void *memory, ws_reader *reader)
{
    return ws_dram_load(((channel *)memory)->dram, reader);
}

WS_MEMORY_CHANNEL(dram);
