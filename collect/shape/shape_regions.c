/* shape_regions.c - which stretches of a kernel does a warp pass from one end to the other?
 *
 * A region ends with what branches, waits, or must keep its place among the accesses of others; before what is jumped
 * to; and when it is long, for who runs it holds its accesses. Where nothing is moved, each access ends one. */
#include "collect/shape/shape_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

enum { MOST_INSTRUCTIONS = 512, MOST_ACCESSES = 64 };

/* Accesses that others may wait for, or look at in their order. */
static bool is_ordered(const ws_instr *in)
{
    return in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE || in->order > WS_ORDER_WEAK ||
           in->uncached || in->fence;
}

static bool ends_region(const shaper *s, uint32_t pc)
{
    const ws_instr *const in = &s->launch->instr[pc];
    if (s->node[pc].removed && s->node[pc].cls == WS_CLASS_BRANCH)
        return false;
    return in->cls == WS_CLASS_BRANCH || in->cls == WS_CLASS_BARRIER || in->cls == WS_CLASS_OTHER || is_ordered(in) ||
           (in->cls == WS_CLASS_MEMORY && !s->node[pc].removed && !s->over[pc] && !shape_wants(s, WS_SHAPE_schedule) &&
            !shape_wants(s, WS_SHAPE_vector));
}

static void mark_targets(const shaper *s, bool *begins)
{
    const ws_code *const c = s->code;
    for (size_t f = 0; f < c->functions; f++)
        begins[c->function[f].first_pc] = true;
    for (uint32_t pc = 0; pc < s->nodes; pc++)
        for (uint32_t i = 0; i < c->instr[pc].targets; i++) {
            const uint32_t target = c->target[c->instr[pc].target + i];
            if (target <= s->nodes && !s->node[pc].removed)
                begins[target] = true;
        }
    for (uint32_t pc = 0; pc < s->nodes; pc++) {
        if (ends_region(s, pc))
            begins[pc + 1] = true;
        const uint32_t meet = s->launch->instr[pc].reconverge;
        if (meet < s->nodes && !s->node[pc].removed)
            begins[meet] = true;
    }
}

int shape_find_regions(shaper *s)
{
    bool *const begins = calloc((size_t)s->nodes + 2, sizeof *begins);
    int status = begins ? WS_OK : ws_fail(WS_EMEM, "no memory for the shape of a kernel");
    uint32_t accesses = 0;
    if (!status)
        mark_targets(s, begins);
    for (uint32_t pc = 0; pc < s->nodes && !status; pc++) {
        ws_shape_region *const last = s->regions ? &s->region[s->regions - 1] : NULL;
        const bool is_access = s->node[pc].cls == WS_CLASS_MEMORY;
        const bool is_new =
            !last || begins[pc] || pc - last->first_pc == MOST_INSTRUCTIONS || accesses + is_access > MOST_ACCESSES;
        if (is_new && WS_GROW(s->region, s->region_room, s->regions, 1))
            status = ws_fail(WS_EMEM, "no memory for the shape of a kernel");
        if (status)
            break;
        if (is_new)
            s->region[s->regions++] = (ws_shape_region){.first_pc = pc};
        s->region[s->regions - 1].end_pc = pc + 1;
        accesses = (is_new ? 0 : accesses) + is_access;
    }
    free(begins);
    return status;
}
