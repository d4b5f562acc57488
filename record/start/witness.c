/* witness.c - who else got that signal? */
#include "record/start/witness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRIES = 3, PAUSE_US = 5000 }; /* the group's members get it one after the other */

/* Holds no file of ours: who waits for the end of a pipe waits for nobody but us. */
static _Noreturn void stand_by(pid_t parent)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "witness");
    close_range(0, ~0U, 0);
    while (getppid() == parent)
        pause();
    _exit(0);
}

void ws_witness_begin(ws_witness *witness)
{
    const pid_t parent = getpid();
    witness->pid = fork();
    if (witness->pid == 0)
        stand_by(parent);
}

void ws_witness_end(ws_witness *witness)
{
    if (witness->pid <= 0)
        return;
    kill((pid_t)witness->pid, SIGKILL);
    waitpid((pid_t)witness->pid, NULL, 0);
    witness->pid = -1;
}

static bool is_waiting(long pid, unsigned number)
{
    char path[64], line[256];
    uint64_t signals = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *const in = pid > 0 ? fopen(path, "re") : NULL;
    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "ShdPnd: %" SCNx64, &signals) == 1)
            break;
    if (in)
        fclose(in);
    return signals >> (number - 1) & 1;
}

bool ws_witness_saw(ws_witness *witness, const struct signalfd_siginfo *signal)
{
    bool saw = signal->ssi_code == SI_KERNEL; /* the terminal's: it has only groups */
    for (int i = 0; i < TRIES && !saw; i++) {
        if (i)
            usleep(PAUSE_US);
        saw = is_waiting(witness->pid, signal->ssi_signo);
    }
    if (saw) { /* a fresh one, without it */
        ws_witness_end(witness);
        ws_witness_begin(witness);
    }
    return saw;
}
