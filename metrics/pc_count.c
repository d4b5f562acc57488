/* pc_count.c - how often was each instruction executed? */
#include "metrics/pc_count.h"

#include "base/status.h"

#include <stdlib.h>

int ws_pc_count_init(ws_pc_count *count, size_t pcs)
{
    count->pcs = pcs;
    count->step = calloc(pcs + 1, sizeof *count->step);
    return count->step ? WS_OK : ws_fail(WS_EMEM, "no memory for the counts of %zu instructions", pcs);
}

void ws_pc_count_fini(ws_pc_count *count)
{
    free(count->step);
    count->step = NULL;
}

void ws_pc_count_merge(ws_pc_count *into, const ws_pc_count *from)
{
    for (size_t i = 0; i <= into->pcs; i++)
        into->step[i] += from->step[i];
}

const int64_t *ws_pc_count_fold(ws_pc_count *count)
{
    for (size_t i = 1; i <= count->pcs; i++)
        count->step[i] += count->step[i - 1];
    return count->step;
}
