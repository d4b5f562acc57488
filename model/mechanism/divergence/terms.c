/* terms.c - a walk's counts as cycles of what they keep busy. */
#include "model/mechanism/divergence/terms.h"

#include "model/time_bounds.h"

#include <math.h>

ws_walk_bound ws_walk_bound_of(const ws_walk_machine *m, const ws_walk_result *r)
{
    ws_walk_bound b = {
        .term =
            {
#define TERM(name, summary, cycles) [WS_TERM_##name] = (cycles),
#include "model/mechanism/divergence/terms.def"
#undef TERM
            },
    };
    for (unsigned i = 1; i < WS_WALK_TERMS; i++)
        b.binding = b.term[i] > b.term[b.binding] ? i : b.binding;
    b.exposed = fmax(0, r->cycles - b.term[b.binding]);
    b.binding = b.exposed > b.term[b.binding] ? WS_WALK_TERMS : b.binding;
    return b;
}

/* Work of the busiest link and memory is their time. */
int ws_walk_check(const ws_walk_machine *m, const char *kernel, const ws_walk_result *r)
{
    const double lines = r->accesses + r->stores;
    const ws_time_work work = {.demand = {[WS_RESOURCE_issue] = {r->instructions, m->issue, m->schedulers},
                                          [WS_RESOURCE_l1] = {lines, m->ports, 1},
                                          [WS_RESOURCE_answers] = {r->link_cycles, 1, 1},
                                          [WS_RESOURCE_memory] = {r->memory_cycles, 1, 1}},
                               .instructions = r->instructions,
                               .instruction_cycles = ws_time_slowest(0),
                               .accesses = lines,
                               .access_cycles = m->l1_cycles + m->l2_cycles + m->memory_cycles + m->request_cycles +
                                                m->line_cycles + m->store_cycles};
    return ws_time_check("divergence", kernel, r->cycles, &work);
}

const char *ws_walk_term_name(unsigned term)
{
    static const char *const names[] = {
#define TERM(name, summary, cycles) #name,
#include "model/mechanism/divergence/terms.def"
#undef TERM
        "latency",
    };
    return names[term];
}
