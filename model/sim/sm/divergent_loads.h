/* divergent_loads.h - which loads of a program touch many blocks, and how many of these miss? A small table that learns
 * it.
 *
 * The divergent load classifier of Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn
 * 2015, section 5.3. A load comes into it when one warp's execution of it touches more than two blocks; from then on
 * all its executions count. Where the document is silent: when a load has been counted as often as its field reaches,
 * all counts of the table are halved, so that those of loads which do not come any more fall to 0; the place of one of
 * these is taken first, else the place of the load that was seen longest ago. */
#ifndef WS_DIVERGENT_LOADS_H
#define WS_DIVERGENT_LOADS_H

#include "model/machine/scheduler_kind.h"

#include <stdint.h>

enum {
    WS_DIVERGENT_PLACES = WS_SCHEDULER_MOST_LOADS, /* places of a table at most */
    WS_DIVERGENT_COUNT = 31                        /* of one load, before counts are halved: 5 bits */
};

typedef struct ws_divergent_load {
    uint64_t seen; /* when it came last, by the table's clock; 0: the place is free */
    uint32_t pc;
    uint32_t touches; /* blocks, of the loads counted */
    uint32_t misses;  /* of them: requests that were sent */
    uint16_t last;    /* blocks of the last load */
    uint8_t count;    /* loads */
} ws_divergent_load;

/* Plain memory; all 0 is an empty one. */
typedef struct ws_divergent_loads {
    uint64_t clock;
    ws_divergent_load place[WS_DIVERGENT_PLACES];
} ws_divergent_loads;

/* The load at that pc, or NULL: it has not been seen to be divergent, or its place was taken. */
const ws_divergent_load *ws_divergent_find(const ws_divergent_loads *table, uint32_t pc);

/* A warp's load was served. `places`: how many of them the table has. */
void ws_divergent_learn(ws_divergent_loads *table, unsigned places, uint32_t pc, uint32_t touches, uint32_t misses);

/* The part of its touches that missed, in units of 1 / `whole`; all of them while nothing is counted. */
uint32_t ws_divergent_missed(const ws_divergent_load *load, uint32_t whole);

#endif
