/* sim_decode.c - which unit does each instruction of a launch need, for how long, and which registers? */
#include "model/sim/decode.h"

#include "base/bits.h"
#include "base/status.h"

#include <string.h>

/* The columns of times in a machine. */
enum { INTEGER, FLOAT, DOUBLE, TYPES };

static unsigned type_in(const ws_instr *in)
{
    static const uint8_t types[WS_NUMBERS] = {
        [WS_NUMBER_INTEGER] = INTEGER,
        [WS_NUMBER_HALF] = FLOAT,
        [WS_NUMBER_SINGLE] = FLOAT,
        [WS_NUMBER_DOUBLE] = DOUBLE,
    };
    return types[ws_instr_timed_as(in)];
}

static void set_times(const ws_machine *m, unsigned work, unsigned type, ws_decoded *out)
{
#define TIMES(name) \
    { \
        m->latency_##name, m->initiation_##name \
    }
#define BY_TYPE(name) \
    { \
        TIMES(int_##name), TIMES(fp_##name), TIMES(dp_##name) \
    }
    const uint32_t times[WS_WORKS][TYPES][2] = {
        [WS_WORK_ADD] = BY_TYPE(add),
        [WS_WORK_MAX] = BY_TYPE(max),
        [WS_WORK_MUL] = BY_TYPE(mul),
        [WS_WORK_MAD] = BY_TYPE(mad),
        [WS_WORK_MATRIX] = BY_TYPE(mad), /* there is no unit for them: one multiply-add of a warp */
        [WS_WORK_DIV] = BY_TYPE(div),
        [WS_WORK_SPECIAL] = {TIMES(sfu), TIMES(sfu), TIMES(sfu)},
        [WS_WORK_EXCHANGE] = {TIMES(exchange), TIMES(exchange), TIMES(exchange)},
        [WS_WORK_NOTHING] = {{1, 1}, {1, 1}, {1, 1}},
    };
#undef BY_TYPE
#undef TIMES
    const uint32_t lanes = (WS_WARP + m->sm_lanes - 1) / m->sm_lanes, initiation = times[work][type][1];
    out->latency = (uint16_t)times[work][type][0];
    out->initiation = (uint16_t)(out->unit != WS_UNIT_NONE && lanes > initiation ? lanes : initiation);
}

/* What a machine without units of that sort has in their place. */
static uint8_t unit_of(const ws_machine *m, uint8_t unit)
{
    return (unit == WS_UNIT_INT && !m->sm_int_units) || (unit == WS_UNIT_DP && !m->sm_dp_units) ? WS_UNIT_SP : unit;
}

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

int ws_decode_launch(const ws_launch *launch, const ws_machine *machine, ws_decoded *out, uint32_t *registers)
{
    *registers = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        if (in->cls >= WS_CLASSES || in->unit >= WS_UNITS || in->work >= WS_WORKS || in->number >= WS_NUMBERS ||
            in->dsts > WS_INSTR_DST || in->srcs > WS_INSTR_SRC)
            return ws_fail(WS_EINPUT,
                           "%s: instruction %zu is damaged: class %u, unit %u, work %u, number %u, %u results, %u operands; at most "
                           "%d results and %d operands are expected",
                           launch->kernel, i, in->cls, in->unit, in->work, in->number, in->dsts, in->srcs, WS_INSTR_DST,
                           WS_INSTR_SRC);
        ws_decoded *const d = &out[i];
        memset(d, 0, sizeof *d);
        d->unit = unit_of(machine, in->unit);
        set_times(machine, in->work, type_in(in), d);
        d->fence = in->fence;
        d->poll = machine->coherence_polls && ws_instr_is_poll(in);
        d->dsts = copy_once(in->dst, in->dsts, d->dst);
        d->srcs = copy_once(in->src, in->srcs, d->src);
        raise_to(registers, d->dst, d->dsts);
        raise_to(registers, d->src, d->srcs);
    }
    return WS_OK;
}
