/* scheduler_gty.c - greedy, then youngest: the warp that issued last issues as long as it can, then the youngest one.
 * Huerta, Abaie Shoushtary, Cruz, Gonzalez, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025,
 * section 5.1.2, find this order in NVIDIA GPUs. Left out: the control bits by which their compiler makes a warp give
 * its turn away (Yield) or wait for a number of cycles (Stall counter); dependences are those of the scoreboard. */
#include "model/sim/sm/scheduler_internal.h"

_Static_assert((int)WS_SCHEDULER_gty_patience == (int)WS_SCHEDULER_gto_patience, "ws_out_of_patience reads either");

static int choose(const ws_warp_scheduler *s, uint64_t candidates)
{
    const ws_greedy *const g = s->state;
    const int waited = ws_out_of_patience(s, candidates);
    if (waited >= 0)
        return waited;
    return g->last && candidates >> (g->last - 1) & 1 ? g->last - 1 : ws_youngest_warp(g->order, candidates);
}

const ws_warp_scheduler_ops ws_warp_scheduler_gty = {
    .state_size = sizeof(ws_patient),
    .started = ws_patient_started,
    .ended = ws_greedy_ended,
    .unblocked = ws_patient_unblocked,
    .choose = choose,
    .issued = ws_patient_issued,
};
