/* point_run.h - one point of a sweep as a process of this machine. */
#ifndef WS_POINT_RUN_H
#define WS_POINT_RUN_H

#include "record/sweep/sweep.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

typedef struct ws_point_run {
    pid_t pid;
    size_t point;
    char *folder;    /* where it writes until it is whole */
    char *db_folder; /* of its results file, where `folder` has no locks; else NULL */
    struct timespec begin;
    time_t when;
} ws_point_run;

/* Starts this program with the words of the point, in the plan's folder and in a process group of its own, which dies
 * with this process. WS_EIO. */
int ws_point_start(const ws_sweep *sweep, size_t point, ws_point_run *out);

/* After it has ended, with wait_status and usage of wait4: writes its status and puts its folder in place. WS_EIO, and
 * the point stays missing, when there is no room for it (also where that is why the command failed). Frees what start
 * took. */
int ws_point_finish(const ws_sweep *sweep, ws_point_run *run, int wait_status, const struct rusage *usage);

/* Ends its processes, softly at first, and removes what it wrote. For several at once. */
void ws_point_end_all(ws_point_run *run, size_t runs);

/* Removes the checkpoint of a point that is done, unless a process other than that of the folder `own` (NULL: none)
 * runs the point, which writes its checkpoints there, too. */
#define WS_POINT_CHECKPOINT ".checkpoint" /* behind the key: the name of the folder */
void ws_point_drop_checkpoint(const ws_sweep *sweep, size_t point, const char *own);

/* A word as a shell reads it: in quotes where it needs some. */
void ws_point_print_word(FILE *out, const char *word);

/* Removes a folder with all that is in it. */
void ws_point_remove_folder(const char *path);

#endif
