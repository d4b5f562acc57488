/* update.c - see update.h. */
#include "collect/trace/update.h"

#include "base/status.h"

#include <stdlib.h>

enum { REGISTERS = UINT16_MAX + 1, BITS = 64 };

/* Does the operation commute with itself, whatever becomes of its result? */
static bool commutes_with_itself(const ws_instr *in)
{
    static const bool commutes[WS_ATOMICS] = {
        [WS_ATOMIC_ADD] = true, [WS_ATOMIC_MIN] = true, [WS_ATOMIC_MAX] = true,
        [WS_ATOMIC_AND] = true, [WS_ATOMIC_OR] = true,  [WS_ATOMIC_XOR] = true,
    };
    return in->access >= WS_ACCESS_ATOMIC && in->atomic < WS_ATOMICS && commutes[in->atomic];
}

bool ws_update_is_ordered(uint8_t order, uint8_t scope)
{
    return (order == WS_ORDER_RELEASE || order == WS_ORDER_ACQUIRE || order == WS_ORDER_ACQ_REL ||
            order == WS_ORDER_SC) &&
           scope != WS_SCOPE_CTA;
}

bool ws_update_is_launch_ordered(const ws_launch *launch)
{
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        if (ws_update_is_ordered(in->order, in->scope) || (in->fence && in->scope != WS_SCOPE_CTA))
            return true;
    }
    return false;
}

static bool is_read(const uint64_t *read, const ws_instr *in)
{
    for (unsigned i = 0; i < in->dsts; i++)
        if (read[in->dst[i] / BITS] >> in->dst[i] % BITS & 1)
            return true;
    return false;
}

int ws_update_mark(const ws_launch *launch, bool *update)
{
    uint64_t *const read = calloc(REGISTERS / BITS, sizeof *read);
    if (!read)
        return ws_fail(WS_EMEM, "no memory for the registers of kernel %s", launch->kernel);
    for (size_t i = 0; i < launch->instrs; i++)
        for (unsigned k = 0; k < launch->instr[i].srcs && k < WS_INSTR_SRC; k++)
            read[launch->instr[i].src[k] / BITS] |= UINT64_C(1) << launch->instr[i].src[k] % BITS;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        update[i] = commutes_with_itself(in) && !ws_update_is_ordered(in->order, in->scope) &&
                    (in->access == WS_ACCESS_REDUCE || !is_read(read, in));
    }
    free(read);
    return WS_OK;
}
