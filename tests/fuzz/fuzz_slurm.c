/* fuzz_slurm.c - can any bytes break the readers of what squeue, sacct and sbatch print? */
#include "base/status.h"
#include "record/sweep/slurm_queue.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int look(void *context, const ws_slurm_row *row)
{
    (void)context;
    if ((row->task >= WS_SLURM_TASKS_MOST && row->task != WS_SLURM_ALL) || row->batch > WS_SLURM_BATCHES_MOST ||
        row->state >= WS_SLURM_STATES || strlen(row->node) >= WS_SLURM_WORD || strlen(row->reason) >= WS_SLURM_WORD)
        abort();
    return WS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const text = (const char *)data;
    uint64_t job;
    ws_slurm_read_queue(text, size, look, NULL);
    ws_slurm_read_accounts(text, size, look, NULL);
    ws_slurm_read_job(text, size, &job);
    return 0;
}
