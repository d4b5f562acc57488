/* slurm_batch.h - arrays of tasks of a sweep, as files that a person can read.
 *
 *     FOLDER/slurm/log           what was submitted, and what became of tasks that lost points
 *     FOLDER/slurm/0001/job.sh   what an array runs
 *                       submit   how it was submitted
 *                       job      its number and its name; not there when the submission was cut short
 *                       N.points the keys of task N's points
 *                       N.log    what task N said
 *                       N.refused   the node that could not run it: no such program there, another version
 *
 * An array is known by the name of its job, which the folder of the sweep gives, and by its comment, the number of the
 * batch. So a process that was killed between the submission and the file `job` finds it again. */
#ifndef WS_SLURM_BATCH_H
#define WS_SLURM_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an array asks for, the same for each of its tasks. */
typedef struct ws_slurm_needs {
    uint32_t cores;
    uint64_t megabytes; /* of each core; 0: what the cluster gives */
    uint64_t minutes;   /* 0: the limit of the partition */
} ws_slurm_needs;

typedef struct ws_slurm_batch {
    uint32_t number; /* from 1 on */
    uint64_t job;
    ws_slurm_needs needs;
    uint32_t at_a_time;  /* tasks; 0: no limit */
    const char *exclude; /* nodes with commas between; "" for none */
    size_t *point;       /* of all tasks, one after another */
    size_t *end;         /* [tasks] behind each task's last one */
    size_t tasks;
} ws_slurm_batch;

/* What all arrays of a sweep have in common. */
typedef struct ws_slurm_job {
    char folder[4096];               /* FOLDER/slurm */
    char name[80];                   /* of all its jobs */
    const char *plan, *sweep, *self; /* absolute paths; self: of this program */
    const char *program;             /* words for a shell that start it on a node; NULL: self */
} ws_slurm_job;

/* Takes the next number that is free, and makes the batch's folder. WS_EIO. */
int ws_slurm_batch_number(const ws_slurm_job *job, uint32_t *number);

/* Writes its files. keys[points]: of the plan's points. WS_EIO: the folder cannot be written. */
struct ws_plan_point;
int ws_slurm_batch_write(const ws_slurm_job *job, const ws_slurm_batch *batch, const struct ws_plan_point *points);

/* Submits it: batch->job. WS_EBUSY when Slurm refuses it, with its words in refusal[size]; WS_EIO, WS_ENOTFOUND. */
int ws_slurm_batch_submit(const ws_slurm_job *job, ws_slurm_batch *batch, char *refusal, size_t size);

/* Removes the files of one that was refused. */
void ws_slurm_batch_remove(const ws_slurm_job *job, uint32_t number);

/* The keys of a task: those that `take` gets, one after another. WS_ENOTFOUND: there is no such file. */
int ws_slurm_batch_read(const ws_slurm_job *job, uint32_t number, uint32_t task,
                        void (*take)(void *context, const char *key), void *context);

/* Whether a node refused to run the task, and which. */
bool ws_slurm_batch_refused(const ws_slurm_job *job, uint32_t number, uint32_t task, char *node, size_t size);

/* The last line of a task's log; "" for none. */
void ws_slurm_batch_last_line(const ws_slurm_job *job, uint32_t number, uint32_t task, char *line, size_t size);

#endif
