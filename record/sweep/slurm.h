/* slurm.h - how long the executor `slurm` waits. */
#ifndef WS_SLURM_H
#define WS_SLURM_H

/* Factor of the pauses between two looks into the queue, and of the time from the end of a task until its points count
 * as lost. 1; tests without a file system that lags set 0. */
extern double ws_slurm_patience;

#endif
