/* pc_count.h - execution counts of instructions, at two additions per run of any length.
 *
 * A run adds n at its first pc and subtracts it after its last one; prefix sums give the counts. */
#ifndef WS_PC_COUNT_H
#define WS_PC_COUNT_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_pc_count {
    int64_t *step; /* [pcs + 1] */
    size_t pcs;
} ws_pc_count;

/* Initializes the counts. Returns WS_OK or WS_EMEM. Free with ws_pc_count_fini, which accepts a zeroed one. */
int ws_pc_count_init(ws_pc_count *count, size_t pcs);
void ws_pc_count_fini(ws_pc_count *count);

static inline void ws_pc_count_add(ws_pc_count *count, uint32_t pc, unsigned run, uint64_t n)
{
    count->step[pc] += (int64_t)n;
    count->step[pc + run] -= (int64_t)n;
}

void ws_pc_count_merge(ws_pc_count *into, const ws_pc_count *from);

/* Converts steps to counts in place, and returns them: [pcs] values. Do not add to them afterwards. */
const int64_t *ws_pc_count_fold(ws_pc_count *count);

#endif
