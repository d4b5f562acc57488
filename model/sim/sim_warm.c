/* sim_warm.c - what a launch that nobody simulates leaves in L2.
 *
 * CTAs run one after the other, the warps of each in turns, an instruction at a time. L1s are no part of it: all
 * accesses go to L2. */
#include "model/sim/sim_warm_internal.h"

#include "base/status.h"
#include "model/coalesce_model.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { SLOT = 0, WORD_BYTES = 4 };

typedef struct walk {
    ws_memory_side *side; /* NULL: instructions are counted, nothing is touched */
    ws_source *source;
    const ws_machine *machine;
    uint32_t sm; /* that the CTA would be on */
    uint64_t instructions;
    ws_touch touch[WS_TOUCHES];
} walk;

static uint8_t message_of(ws_access access)
{
    return access == WS_ACCESS_STORE    ? WS_MESSAGE_WRITE
           : access >= WS_ACCESS_ATOMIC ? WS_MESSAGE_ATOMIC
                                        : WS_MESSAGE_READ;
}

static int touch_memory(walk *w, const ws_step *step)
{
    const ws_instr *const instr = &w->source->launch->instr[step->pc];
    const unsigned bytes = step->texel ? step->texel : instr->bytes;
    unsigned n = 0;
    for (unsigned group = 0; group <= step->further; group++)
        n += ws_coalesce(step->address + (size_t)group * WS_WARP, step->exec, bytes, w->machine->l2_line, w->touch + n);
    int status = WS_OK;
    for (unsigned i = 0; i < n && !status; i++) {
        ws_coherence_message m;
        memset(&m, 0, sizeof m);
        m.type = message_of(instr->access);
        m.sm = (uint16_t)w->sm;
        m.block = w->touch[i].block;
        m.mask = w->touch[i].words;
        status = ws_memory_side_touch(w->side, &m);
    }
    return status;
}

static bool goes_to_l2(const ws_step *step)
{
    return step->kind == WS_EVENT_MEMORY && step->exec &&
           (step->space == WS_SPACE_GLOBAL || step->space == WS_SPACE_TEXTURE || step->space == WS_SPACE_CONST);
}

/* The warps in turns; `live`: those that have not ended. */
static int walk_cta(walk *w, uint64_t cta, bool *live)
{
    const uint32_t warps = w->source->launch->warps_per_block;
    int status = w->source->ops->begin(w->source, SLOT, cta);
    memset(live, true, warps);
    for (uint32_t left = warps; left && !status;)
        for (uint32_t i = 0; i < warps && !status; i++) {
            ws_step step;
            if (!live[i])
                continue;
            status = w->source->ops->next(w->source, SLOT, i, &step, &live[i]);
            if (status)
                break;
            left -= !live[i];
            w->instructions += live[i] ? step.count : 0;
            if (live[i] && w->side && goes_to_l2(&step))
                status = touch_memory(w, &step);
        }
    w->source->ops->end(w->source, SLOT);
    return status;
}

int sim_warm(ws_memory_side *side, const ws_machine *machine, ws_source *source, const ws_cta_set *only,
             uint64_t *instructions)
{
    walk *const w = malloc(sizeof *w);
    bool *const live = malloc(source->launch->warps_per_block);
    int status = w && live ? WS_OK : ws_fail(WS_EMEM, "no memory to follow a launch");
    if (!status)
        *w = (walk){.side = side, .source = source, .machine = machine};
    for (uint64_t cta = 0; cta < source->ctas && !status; cta++) {
        if (only && !ws_cta_set_has(only, cta))
            continue;
        w->sm = (uint32_t)(cta % ws_machine_sms(machine));
        status = walk_cta(w, cta, live);
    }
    *instructions = status ? 0 : w->instructions;
    free(live);
    free(w);
    return status;
}
