/* sim_decode.c - which unit does each instruction of a launch need, for how long, and which registers? */
#include "model/sim/sm/decode.h"

#include "base/status.h"
#include "collect/trace/update.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

static uint8_t copy_once(const uint16_t *from, unsigned count, uint16_t *to)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        bool seen = false;
        for (unsigned j = 0; j < n; j++)
            seen |= to[j] == from[i];
        if (!seen)
            to[n++] = from[i];
    }
    return (uint8_t)n;
}

static void raise_to(uint32_t *registers, const uint16_t *reg, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (*registers <= reg[i])
            *registers = reg[i] + 1u;
}

/* Which of the launch's instructions are updates? Only rules that tell them apart need to know. */
static int find_updates(const ws_launch *launch, const ws_machine *m, ws_decoded *out)
{
    if (!(m->sm_atomics->counts || m->package_atomic_buffer) || !ws_machine_is_commutative(m, launch->kernel))
        return WS_OK;
    bool *const update = calloc(launch->instrs + 1, sizeof *update);
    const int status =
        update ? ws_update_mark(launch, update) : ws_fail(WS_EMEM, "no memory for kernel %s", launch->kernel);
    const bool any = ws_atomic_takes_any(m);
    for (size_t i = 0; i < launch->instrs && !status; i++)
        out[i].update = update[i] || (any && launch->instr[i].access >= WS_ACCESS_ATOMIC);
    free(update);
    return status;
}

int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers)
{
    *registers = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        if (in->cls >= WS_CLASSES || in->unit >= WS_UNITS || in->work >= WS_WORKS || in->number >= WS_NUMBERS ||
            in->dsts > WS_INSTR_DST || in->srcs > WS_INSTR_SRC)
            return ws_fail(WS_EINPUT,
                           "%s: instruction %zu is damaged: class %u, unit %u, work %u, number %u, %u results, %u "
                           "operands; at most "
                           "%d results and %d operands are expected",
                           launch->kernel, i, in->cls, in->unit, in->work, in->number, in->dsts, in->srcs, WS_INSTR_DST,
                           WS_INSTR_SRC);
        ws_decoded *const d = &out[i];
        memset(d, 0, sizeof *d);
        const ws_instr_times times = ws_machine_times(machine, in);
        d->unit = times.unit;
        d->latency = times.latency;
        d->initiation = times.initiation;
        d->operation = ws_operation_of(in);
        d->fence = in->fence;
        d->poll = machine->coherence_polls && ws_instr_is_poll(in);
        d->dsts = copy_once(in->dst, in->dsts, d->dst);
        d->srcs = copy_once(in->src, in->srcs, d->src);
        raise_to(registers, d->dst, d->dsts);
        raise_to(registers, d->src, d->srcs);
    }
    return find_updates(launch, machine, out);
}
