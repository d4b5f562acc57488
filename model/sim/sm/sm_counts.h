/* sm_counts.h - what an SM counts: the rows of sm_counts.def, and some of it by the age of warps. */
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

/* By rank: how many warps of its scheduler are older, when an instruction issues. */
typedef struct ws_rank_counts {
    uint64_t issues[WS_SM_WARPS]; /* instructions that such warps issued */
    uint64_t loads[WS_SM_WARPS];  /* their divergent loads */
    uint64_t mshrs[WS_SM_WARPS];  /* accesses of these that sent a request */
} ws_rank_counts;

#endif
