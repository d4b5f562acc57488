/* noc_light.c - times along a waveguide: as model/sim/network/network_light.h has them. */
#include "model/noc/noc_internal.h"

#include <math.h>

double noc_flight(const ws_noc_shape *s, uint32_t from, uint32_t to)
{
    const uint32_t steps = to >= from ? to - from : to + s->nodes - from;
    return ceil(steps * s->loop / s->nodes);
}

void noc_front_light(const noc_front *f, ws_noc_problem *problem, const noc_end *channel)
{
    const ws_noc_shape *const s = problem->shape;
    double used = 0;
    for (uint32_t n = 0; n < s->nodes; n++) {
        problem->utilization += channel[n].flits;
        used += channel[n].flits > 0;
    }
    problem->utilization /= used;
    for (size_t i = 0; i < problem->traffic->flows; i++) {
        const ws_noc_flow *const flow = &problem->traffic->flow[i];
        const noc_pair *const p = &f->pair[f->pair_of[i]];
        const bool light = flow->from != flow->to;
        problem->each[i] = (ws_noc_time){.queue = f->source[p->queue].queue,
                                         .token = p->wait,
                                         .serialization = flow->flits - 1.0,
                                         .flight = light ? noc_flight(s, flow->from, flow->to) : 1,
                                         .convert = light ? 2 * s->convert : 0};
    }
}
