/* occupancy.c - see occupancy.h. */
#include "model/mechanism/occupancy/occupancy.h"

#include "collect/trace/event.h"
#include "model/machine/machine.h"

#include <stdlib.h>

enum { MOST_CTA_THREADS = 1024 /* CUDA C++ Programming Guide, compute capabilities: threads per block */ };

static ws_cta_need need_of(const ws_occupancy_shape *shape)
{
    return (ws_cta_need){
        .warps = (shape->threads + WS_WARP - 1) / WS_WARP, .registers = shape->registers, .shared = shape->shared};
}

/* Returns whether an SM holds more CTAs than `resident` with these. */
static bool is_more(const ws_sm_capacity *room, const ws_cta_need *need, uint64_t resident)
{
    return ws_residency_of(room, need) > resident;
}

/* The greatest value of *number below its present one at which an SM holds one more CTA; 0: none. Fewer never hold
 * less, so a bisection finds it. */
static uint64_t next_below(const ws_sm_capacity *room, ws_cta_need *need, uint64_t *number, uint64_t resident)
{
    const uint64_t now = *number;
    uint64_t low = 0, high = now;
    while (low + 1 < high) {
        *number = low + (high - low) / 2;
        if (is_more(room, need, resident))
            low = *number;
        else
            high = *number;
    }
    *number = now;
    return low;
}

static void find_best(const ws_sm_capacity *room, const ws_occupancy_shape *shape, ws_occupancy *out)
{
    uint64_t most = 0;
    for (uint32_t threads = WS_WARP; threads <= MOST_CTA_THREADS; threads += WS_WARP) {
        const ws_cta_need need = need_of(&(ws_occupancy_shape){threads, shape->registers, shape->shared});
        const uint64_t warps = ws_residency_of(room, &need) * need.warps;
        const bool nearer =
            labs((long)threads - (long)shape->threads) < labs((long)out->best_threads - (long)shape->threads);
        if (warps > most || (warps == most && warps && nearer)) {
            most = warps;
            out->best_threads = threads;
        }
    }
    out->best_ratio = (double)most / (room->threads / (double)WS_WARP);
}

void ws_occupancy_of(const ws_machine *machine, const ws_occupancy_shape *shape, ws_occupancy *out)
{
    const ws_sm_capacity room = ws_machine_capacity(machine);
    ws_cta_need need = need_of(shape);
    *out = (ws_occupancy){0};
    out->limit = ws_residency_limits(&room, &need, out->ctas);
    out->resident = out->ctas[out->limit];
    out->warps = out->resident * need.warps;
    out->ratio = (double)out->warps / (room.threads / (double)WS_WARP);
    out->next_registers = (uint32_t)next_below(&room, &need, &need.registers, out->resident);
    out->next_shared = next_below(&room, &need, &need.shared, out->resident);
    find_best(&room, shape, out);
}
