/* terms.h - terms that bound the time of a walk. */
#ifndef WS_DIVERGENCE_TERMS_H
#define WS_DIVERGENCE_TERMS_H

#include "model/mechanism/divergence/walk.h"

typedef enum ws_walk_term {
#define TERM(name, summary, cycles) WS_TERM_##name,
#include "model/mechanism/divergence/terms.def"
#undef TERM
    WS_WALK_TERMS
} ws_walk_term;

/* T = max(terms) + exposed. `binding`: the largest term, or WS_WALK_TERMS if the exposed latency is larger. */
typedef struct ws_walk_bound {
    double term[WS_WALK_TERMS], exposed;
    unsigned binding;
} ws_walk_bound;

ws_walk_bound ws_walk_bound_of(const ws_walk_machine *machine, const ws_walk_result *result);

/* Checks the cycles of a walk of the kernel, over one or several launches, against the bounds of model/time_bounds.h:
 * WS_EVERIFY beyond them. */
int ws_walk_check(const ws_walk_machine *machine, const char *kernel, const ws_walk_result *result);

/* Returns "issue" ..., and "latency" for WS_WALK_TERMS. */
const char *ws_walk_term_name(unsigned term);

#endif
