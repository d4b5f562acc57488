/* pc_count.h - how often was each instruction executed? Runs of any length cost two additions.
 *
 * A run adds n at its first pc and takes it away behind its last one; the running sum gives the counts. */
#ifndef WS_PC_COUNT_H
#define WS_PC_COUNT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_pc_count {
    int64_t *step; /* [pcs + 1] */
    size_t pcs;
} ws_pc_count;

/* WS_EMEM. Free with ws_pc_count_fini, which accepts a zeroed one. */
int ws_pc_count_init(ws_pc_count *count, size_t pcs);
void ws_pc_count_fini(ws_pc_count *count);

static inline void ws_pc_count_add(ws_pc_count *count, uint32_t pc, unsigned run, uint64_t n)
{
    count->step[pc] += (int64_t)n;
    count->step[pc + run] -= (int64_t)n;
}

void ws_pc_count_merge(ws_pc_count *into, const ws_pc_count *from);

/* Turns steps into counts, in place and returned: [pcs] values. Nothing may be added afterwards. */
const int64_t *ws_pc_count_fold(ws_pc_count *count);

#endif
