/* terms.c - a walk's counts as cycles of what they keep busy. */
#include "model/divergence/terms.h"

#include <math.h>

ws_walk_bound ws_walk_bound_of(const ws_walk_machine *m, const ws_walk_result *r)
{
    ws_walk_bound b = {
        .term =
            {
#define TERM(name, summary, cycles) [WS_TERM_##name] = (cycles),
#include "model/divergence/terms.def"
#undef TERM
            },
    };
    for (unsigned i = 1; i < WS_WALK_TERMS; i++)
        b.binding = b.term[i] > b.term[b.binding] ? i : b.binding;
    b.exposed = fmax(0, r->cycles - b.term[b.binding]);
    b.binding = b.exposed > b.term[b.binding] ? WS_WALK_TERMS : b.binding;
    return b;
}

const char *ws_walk_term_name(unsigned term)
{
    static const char *const names[] = {
#define TERM(name, summary, cycles) #name,
#include "model/divergence/terms.def"
#undef TERM
        "latency",
    };
    return names[term];
}
