/* memory_channel_fixed.c - memory without banks and rows: a bus carries one burst after the other, and what is read is
 * there a fixed time after it began to move. An upper bound for any part with this bus, and what closed forms assume.
 *
 * A burst of b bytes on a bus of w bytes a cycle takes ceil(b / w) cycles; one that is taken in cycle t begins at
 * max(t, end of the one before) and, when it is read, is there `latency` cycles after its last byte. */
#include "base/status.h"
#include "base/fifo.h"
#include "model/sim/memory/memory_channel_internal.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct channel {
    uint64_t value[WS_CHANNEL_fixed_END];
    uint64_t burst_cycles;
    uint64_t now, bus_free;
    ws_fifo bus;   /* bursts that wait for the bus or are on it: when it is done with them, tag << 1 | write */
    ws_fifo reads; /* that the bus is done with: when they are there, tag */
    ws_fifo came;  /* when the reads of both came */
    ws_dram_totals totals;
} channel;

static void destroy(void *memory)
{
    channel *const c = memory;
    if (!c)
        return;
    ws_fifo_fini(&c->bus);
    ws_fifo_fini(&c->reads);
    ws_fifo_fini(&c->came);
    free(c);
}

static int create(const ws_machine *m, const ws_dram_part *part, void **out)
{
    channel *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    ws_option_choose(m->memory_channel->options, m->memory.list, m->memory.count, c->value);
    c->burst_cycles = ws_fixed_burst_cycles(part, c->value);
    *out = c;
    return WS_OK;
}

static bool has_room(const void *memory, uint64_t address, bool write)
{
    (void)address;
    (void)write;
    const channel *const c = memory;
    return c->bus.count < c->value[WS_CHANNEL_fixed_bursts];
}

static bool push(void *memory, uint64_t address, bool write, uint64_t tag)
{
    channel *const c = memory;
    const uint64_t begin = c->bus_free > c->now ? c->bus_free : c->now, end = begin + c->burst_cycles;
    if (!has_room(c, address, write) || ws_fifo_add(&c->bus, end, tag << 1 | write) ||
        (!write && ws_fifo_add(&c->came, c->now, 0))) {
        c->totals.refused++;
        return false;
    }
    c->bus_free = end;
    c->totals.data_cycles += c->burst_cycles;
    *(write ? &c->totals.writes_in : &c->totals.reads_in) += 1;
    *(write ? &c->totals.writes : &c->totals.reads) += 1;
    return true;
}

static void step(void *memory, uint64_t until)
{
    channel *const c = memory;
    const uint64_t busy = c->bus_free < until ? c->bus_free : until;
    c->totals.pending_cycles += busy > c->now ? busy - c->now : 0;
    c->now = until;
    while (c->bus.count && ws_fifo_front(&c->bus).when <= until) {
        const ws_fifo_item item = ws_fifo_front(&c->bus);
        if (!(item.what & 1) &&
            ws_fifo_add(&c->reads, item.when + c->value[WS_CHANNEL_fixed_latency_cycles], item.what >> 1))
            return; /* no memory: it stays on the bus */
        ws_fifo_drop(&c->bus);
    }
}

static bool pop(void *memory, uint64_t *tag)
{
    channel *const c = memory;
    if (!c->reads.count || ws_fifo_front(&c->reads).when > c->now)
        return false;
    const ws_fifo_item item = ws_fifo_front(&c->reads);
    const uint64_t latency = item.when - ws_fifo_front(&c->came).when;
    *tag = item.what;
    ws_fifo_drop(&c->reads);
    ws_fifo_drop(&c->came);
    c->totals.reads_out++;
    c->totals.latency_sum += latency;
    c->totals.latency_max = latency > c->totals.latency_max ? latency : c->totals.latency_max;
    return true;
}

/* A cycle n of the clock is over at the time n + 1: what ends at `when` is seen after step(when). */
static uint64_t next_time(const void *memory)
{
    const channel *const c = memory;
    uint64_t next = c->bus.count ? ws_fifo_front(&c->bus).when : WS_NEVER;
    if (c->reads.count && ws_fifo_front(&c->reads).when < next)
        next = ws_fifo_front(&c->reads).when;
    return next == WS_NEVER ? next : next > c->now ? next - 1 : c->now;
}

static uint64_t inside(const void *memory)
{
    const channel *const c = memory;
    return c->bus.count + c->reads.count;
}

static ws_dram_totals sum(const void *memory)
{
    return ((const channel *)memory)->totals;
}

static void save(const void *memory, ws_bytes *bytes)
{
    const channel *const c = memory;
    ws_bytes_add_varint(bytes, c->now);
    ws_bytes_add_varint(bytes, c->bus_free);
    ws_bytes_add(bytes, &c->totals, sizeof c->totals);
    ws_fifo_save(&c->bus, bytes);
    ws_fifo_save(&c->reads, bytes);
    ws_fifo_save(&c->came, bytes);
}

static int load(void *memory, ws_reader *reader)
{
    channel *const c = memory;
    c->now = ws_read_varint(reader);
    c->bus_free = ws_read_varint(reader);
    const uint8_t *const totals = ws_read_bytes(reader, sizeof c->totals);
    if (!totals)
        return ws_fail(WS_EINPUT, "the checkpoint ends within a memory channel");
    memcpy(&c->totals, totals, sizeof c->totals);
    int status = ws_fifo_load(&c->bus, reader);
    if (!status)
        status = ws_fifo_load(&c->reads, reader);
    return status ? status : ws_fifo_load(&c->came, reader);
}

WS_MEMORY_CHANNEL(fixed);
