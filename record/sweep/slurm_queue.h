/* slurm_queue.h - what squeue and sacct print, read strictly. */
#ifndef WS_SLURM_QUEUE_H
#define WS_SLURM_QUEUE_H

#include <stddef.h>
#include <stdint.h>

typedef enum ws_slurm_kind {
    WS_SLURM_IS_WAITS,
    WS_SLURM_IS_RUNS,
    WS_SLURM_IS_ENDED,
    WS_SLURM_IS_LATE,
    WS_SLURM_IS_FULL,
    WS_SLURM_IS_CANCELLED
} ws_slurm_kind;

typedef enum ws_slurm_state {
#define SLURM_STATE(state, kind) WS_SLURM_##state,
#include "record/sweep/slurm_states.def"
#undef SLURM_STATE
    WS_SLURM_STATES
} ws_slurm_state;

enum { WS_SLURM_WORD = 128, WS_SLURM_TASKS_MOST = 4000000, WS_SLURM_BATCHES_MOST = 99999 };
#define WS_SLURM_ALL UINT32_MAX

/* A task of an array. */
typedef struct ws_slurm_row {
    uint64_t job;  /* of the array */
    uint32_t task; /* WS_SLURM_ALL: all that have no row of their own, of an array that was cancelled while it waited */
    uint32_t batch; /* the array's comment; 0 from sacct, which has none */
    ws_slurm_state state;
    char word[WS_SLURM_WORD];   /* the state as Slurm calls it; cut */
    char node[WS_SLURM_WORD];   /* "" where it has none yet; cut */
    char reason[WS_SLURM_WORD]; /* why it waits; cut; "" from sacct */
    double minutes, megabytes;  /* its limits, the latter of each core; 0: none, or not known, as from sacct */
} ws_slurm_row;

typedef int ws_slurm_take(void *context, const ws_slurm_row *row);

/* Rows that these print, one after another to `take`, whose failure ends the walk and is returned. WS_EINPUT with the
 * line for a row of another form. */
#define WS_SQUEUE_FORMAT "%F|%K|%T|%k|%N|%l|%m|%r"
int ws_slurm_read_queue(const char *text, size_t length, ws_slurm_take *take, void *context);

/* Rows that name several tasks at once, which have not begun, are left out. */
#define WS_SACCT_FORMAT "JobID,State,NodeList"
int ws_slurm_read_accounts(const char *text, size_t length, ws_slurm_take *take, void *context);

/* "JOB" or "JOB;CLUSTER", as sbatch --parsable prints it. WS_EINPUT. */
int ws_slurm_read_job(const char *text, size_t length, uint64_t *job);

ws_slurm_kind ws_slurm_kind_of(ws_slurm_state state);
const char *ws_slurm_state_name(ws_slurm_state state);

#endif
