/* sm_counts.h - counters of an SM: the rows of sm_counts.def, and some counts by the age of warps. */
#ifndef WS_SM_COUNTS_H
#define WS_SM_COUNTS_H

#include "model/machine/scheduler_kind.h"

#include <stdint.h>

/* COUNT( name, unit, meaning ) in sm_counts.def. */
typedef struct ws_sm_counts {
#define COUNT(name, unit, meaning) uint64_t name;
#include "model/sim/sm/sm_counts.def"
#undef COUNT
} ws_sm_counts;

/* Counts by rank: the number of older warps of its scheduler when an instruction issues. */
typedef struct ws_rank_counts {
    uint64_t issues[WS_SM_WARPS]; /* instructions issued */
    uint64_t loads[WS_SM_WARPS];  /* divergent loads */
    uint64_t mshrs[WS_SM_WARPS];  /* accesses of divergent loads that sent a request */
} ws_rank_counts;

#endif
