/* interrupt.c - did the user press Ctrl-C? */
#include "cli/cli.h"

#include <signal.h>

/* The one thing that a signal handler may touch. */
static volatile sig_atomic_t interrupted;

static void note_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void ws_interrupts_catch(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool ws_interrupted(void)
{
    return interrupted != 0;
}
