/* launch_work.c - events to counts: of instructions only how often each was executed, until the total is wanted. */
#include "model/launch_work.h"

#include "base/status.h"
#include "model/coalesce_model.h"

#include <stdlib.h>

int ws_work_count_init(ws_work_count *count, const ws_launch *launch)
{
    *count = (ws_work_count){.runs = calloc(launch->instrs + 1, sizeof *count->runs),
                             .lanes = calloc(launch->instrs + 1, sizeof *count->lanes)};
    return count->runs && count->lanes ? WS_OK : ws_fail(WS_EMEM, "no memory for the instructions of a launch");
}

void ws_work_count_free(ws_work_count *count)
{
    free(count->runs);
    free(count->lanes);
}

static void count_memory(ws_work_count *c, const ws_launch *launch, const ws_event *e, const uint64_t *address)
{
    const unsigned bytes = ws_event_bytes(launch, e);
    ws_touch touch[WS_TOUCHES];
    if (e->space == WS_SPACE_SHARED) {
        c->seen.shared_accesses++;
        c->seen.shared_passes += ws_bank_cycles(address, e->exec, launch->instr[e->pc].bytes, WS_WORK_BANKS);
        const uint64_t words = ws_lane_words(ws_popcount(e->exec), launch->instr[e->pc].bytes);
        const bool reads = launch->instr[e->pc].access != WS_ACCESS_STORE,
                   writes = launch->instr[e->pc].access != WS_ACCESS_LOAD;
        c->seen.shared_words += words;
        c->seen.shared_loads += reads;
        c->seen.shared_stores += writes;
        c->seen.shared_read_words += reads ? words : 0;
        c->seen.shared_written_words += writes ? words : 0;
    } else if (e->space == WS_SPACE_CONST) {
        c->seen.constant_lines += ws_coalesce(address, e->exec, bytes, WS_WORK_CONSTANT_LINE, touch);
    } else if (e->space == WS_SPACE_TEXTURE) {
        for (unsigned group = 0; group <= e->further; group++)
            c->seen.texture_lines +=
                ws_coalesce(address + (size_t)group * WS_WARP, e->exec, bytes, WS_WORK_TEXTURE_LINE, touch);
    }
}

void ws_work_count_events(ws_work_count *c, const ws_launch *launch, const ws_batch *batch)
{
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const e = &batch->event[i];
        const uint64_t lanes = ws_popcount(e->exec);
        if (e->count) {
            c->runs[e->pc]++;
            c->runs[e->pc + e->count]--;
            c->lanes[e->pc] += lanes;
            c->lanes[e->pc + e->count] -= lanes;
        }
        c->seen.taken += e->kind == WS_EVENT_BRANCH && e->taken;
        if (e->kind == WS_EVENT_MEMORY)
            count_memory(c, launch, e, WS_ADDRESSES(batch, e));
    }
}

/* Both are numbers alone. */
static void add(ws_launch_work *into, const ws_launch_work *from)
{
    uint64_t *const to = (uint64_t *)into;
    const uint64_t *const more = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *to; i++)
        to[i] += more[i];
}

void ws_work_count_merge(ws_work_count *into, const ws_work_count *from, const ws_launch *launch)
{
    for (size_t i = 0; i <= launch->instrs; i++) {
        into->runs[i] += from->runs[i];
        into->lanes[i] += from->lanes[i];
    }
    add(&into->seen, &from->seen);
}

static unsigned distinct(const uint16_t *reg, unsigned count)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        bool seen = false;
        for (unsigned j = 0; j < i; j++)
            seen |= reg[j] == reg[i];
        n += !seen;
    }
    return n;
}

int ws_work_count_total(const ws_work_count *count, const ws_launch *launch, ws_launch_work *out)
{
    uint64_t runs = 0, lanes = 0;
    ws_chain_wait *const wait = malloc((launch->instrs + 1) * sizeof *wait);
    const int status =
        wait ? ws_instruction_waits(launch, wait) : ws_fail(WS_EMEM, "no memory for the waits of a launch");
    if (status) {
        free(wait);
        return status;
    }
    *out = count->seen;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        runs += count->runs[i];
        lanes += count->lanes[i];
        if (!runs)
            continue;
        const ws_operation_count operation = ws_operation_of(in);
        const uint64_t reads = distinct(in->src, in->srcs), writes = distinct(in->dst, in->dsts);
        out->operations[operation.operation] += operation.each * lanes + operation.warp * runs;
        out->instructions[in->unit] += runs;
        out->lanes[in->unit] += lanes;
        out->register_reads += reads * runs;
        out->register_writes += writes * runs;
        out->read_lanes += reads * lanes;
        out->write_lanes += writes * lanes;
        if (wait[i].on == WS_CHAIN_READY)
            continue;
        out->waits[wait[i].on] += runs;
        out->passed[wait[i].on] += runs * wait[i].passed;
    }
    free(wait);
    return WS_OK;
}
