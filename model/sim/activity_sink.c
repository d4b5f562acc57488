/* activity_sink.c - units, registers, shared memory and coalesced accesses, counted from events. */
#include "model/sim/activity_sink.h"

#include "base/bits.h"
#include "base/status.h"
#include "model/coalesce_model.h"
#include "model/machine/machine.h"
#include "model/machine/register_kind.h"
#include "model/sim/sim_activity.h"

#include <stdlib.h>

typedef struct counter {
    ws_activity_count *count;
    ws_decoded *decoded;
    uint32_t banks;
    ws_activity did;
} counter;

static void attach(void *state, void *context)
{
    ((counter *)state)->count = context;
}

static int init(void *state, const ws_launch *launch)
{
    counter *const c = state;
    uint32_t registers;
    c->decoded = calloc(launch->instrs ? launch->instrs : 1, sizeof *c->decoded);
    if (!c->decoded)
        return ws_fail(WS_EMEM, "no memory for the instructions of a launch");
    c->banks = ws_register_banks(c->count->machine);
    return ws_decode_launch(launch, c->count->machine, c->decoded, &registers);
}

static void count_instructions(counter *c, const ws_event *e)
{
    const unsigned lanes = ws_popcount(e->exec);
    for (uint32_t i = 0; i < e->count; i++)
        ws_activity_instruction(&c->did, &c->decoded[e->pc + i], lanes, e->warp, c->banks);
}

static void count_access(counter *c, const ws_launch *launch, const ws_event *e, const uint64_t *address)
{
    const ws_machine *const m = c->count->machine;
    const ws_instr *const instr = &launch->instr[e->pc];
    if (e->space == WS_SPACE_SHARED) {
        c->did.shared_accesses[0]++;
        c->did.shared_passes[0] += ws_bank_cycles(address, e->exec, instr->bytes, m->shared_banks);
        c->did.shared_words[0] += ws_lane_words(ws_popcount(e->exec), instr->bytes);
    }
    if (instr->access >= WS_ACCESS_ATOMIC || !e->exec)
        return;
    const unsigned bytes = ws_event_bytes(launch, e);
    ws_touch touch[WS_TOUCHES];
    if (e->space == WS_SPACE_LOCAL)
        c->did.memory_transactions[0] += ws_coalesce_local(address, e->exec, bytes, m->l1_line, WS_WARP, 0, touch);
    for (unsigned group = 0; e->space == WS_SPACE_GLOBAL && group <= e->further; group++)
        c->did.memory_transactions[0] +=
            ws_coalesce(address + (size_t)group * WS_WARP, e->exec, bytes, m->l1_line, touch);
}

static int events(void *state, const ws_launch *launch, const ws_batch *batch)
{
    counter *const c = state;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const e = &batch->event[i];
        count_instructions(c, e);
        if (e->kind == WS_EVENT_MEMORY)
            count_access(c, launch, e, WS_ADDRESSES(batch, e));
    }
    return WS_OK;
}

static int block_end(void *state, const ws_launch *launch, uint64_t block)
{
    (void)launch, (void)block;
    ((counter *)state)->did.sm_ctas[0]++;
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    counter *const to = into, *const c = from;
    ws_activity_add(&to->did, &c->did);
    c->did = (ws_activity){0};
    return WS_OK;
}

/* What was merged into another state is zero by now. */
static void fini(void *state)
{
    counter *const c = state;
    ws_activity_add(&c->count->did, &c->did);
    free(c->decoded);
}

ws_sink ws_activity_sink(ws_activity_count *count)
{
    return (ws_sink){.name = "activity",
                     .wants = WS_WANT_INSTRUCTIONS,
                     .state_size = sizeof(counter),
                     .context = count,
                     .attach = attach,
                     .init = init,
                     .events = events,
                     .block_end = block_end,
                     .merge = merge,
                     .fini = fini};
}
