/* divergent_loads.h - table that learns the divergent loads of a program and their misses.
 *
 * The divergent load classifier of Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn
 * 2015, section 5.3. A load enters the table when one execution by a warp touches more than two blocks; from then on
 * all its executions count. The document does not define aging. Here, all counts of the table are halved when the count
 * of a load is at its maximum, so counts of loads that stopped fall to 0. A new load replaces one of these, otherwise
 * the load seen least recently. */
#ifndef WS_DIVERGENT_LOADS_H
#define WS_DIVERGENT_LOADS_H

#include "model/machine/scheduler_kind.h"

#include <stdint.h>

enum {
    WS_DIVERGENT_PLACES = WS_SCHEDULER_MOST_LOADS, /* most entries of a table */
    WS_DIVERGENT_COUNT = 31                        /* maximum of a load before counts are halved: 5 bits */
};

typedef struct ws_divergent_load {
    uint64_t seen; /* last execution, by the table's clock; 0: unused entry */
    uint32_t pc;
    uint32_t touches; /* blocks of the counted loads */
    uint32_t misses;  /* those that were requested */
    uint16_t last;    /* blocks of the last load */
    uint8_t count;    /* number of loads */
} ws_divergent_load;

/* Plain memory; empty when zeroed. */
typedef struct ws_divergent_loads {
    uint64_t clock;
    ws_divergent_load place[WS_DIVERGENT_PLACES];
} ws_divergent_loads;

/* Returns the load at that pc, or NULL if it is not in the table. */
const ws_divergent_load *ws_divergent_find(const ws_divergent_loads *table, uint32_t pc);

/* Records a served load of a warp. `places`: entries of the table. */
void ws_divergent_learn(ws_divergent_loads *table, unsigned places, uint32_t pc, uint32_t touches, uint32_t misses);

/* Returns the share of its touches that missed, in units of 1 / `whole`; `whole` without counts. */
uint32_t ws_divergent_missed(const ws_divergent_load *load, uint32_t whole);

#endif
