/* slurm_command.h - a command of Slurm, run to its end. */
#ifndef WS_SLURM_COMMAND_H
#define WS_SLURM_COMMAND_H

#include <stddef.h>

typedef struct ws_slurm_said {
    char *output; /* what it printed, with a zero byte behind it; to be freed */
    size_t length;
    char error[512]; /* its last line on standard error; "" for none */
    int exit;        /* -1: a signal ended it */
} ws_slurm_said;

/* argv[0] is looked for in PATH. WS_ENOTFOUND when it is not there, WS_EIO when it cannot be started, WS_ELIMIT when it
 * prints more than 64 MB, WS_EINTERRUPTED. How it ended is no failure. The caller frees said->output in any case. */
int ws_slurm_command(const char *const *argv, ws_slurm_said *said);

#endif
