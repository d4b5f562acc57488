/* interrupt.c - did the user press Ctrl-C, and does the program end by it, whatever it is doing?
 *
 * Steps of a command ask ws_interrupted(), and end in order. What does not ask soon enough, a call that waits for a
 * pipe, a library that computes, an exit that waits for threads, is ended from outside by an alarm. Files that are
 * being written beside their place are taken away either way; the results file is whole at any moment. */
#include "base/interrupt.h"

#include "base/output.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

enum { GRACE_US = 1500 * 1000 }; /* for the orderly way */

/* What signal handlers touch. */
static volatile sig_atomic_t caught;   /* the signal, once it came */
static volatile sig_atomic_t catching; /* whether the command wants to end by itself */
static volatile sig_atomic_t limited;  /* whether a write went beyond a limit on the size of files */
static volatile sig_atomic_t timed;    /* whether the alarm is ours */
static volatile pid_t owner; /* a child that has not become its program yet has our handlers, and not our files */

static void unblock(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

/* As the signal would have ended us without a handler: a shell sees 128 + number, and stops its script, too. */
static _Noreturn void die(int number)
{
    if (owner == getpid())
        ws_output_abandon();
    signal(number, SIG_DFL);
    unblock(number);
    raise(number);
    _exit(128 + number);
}

static void note_signal(int number)
{
    const int error = errno;
    const struct itimerval grace = {.it_value = {GRACE_US / 1000000, GRACE_US % 1000000}};
    if (!catching || caught || owner != getpid())
        die(number);
    caught = number;
    if (timed)
        setitimer(ITIMER_REAL, &grace, NULL);
    errno = error;
}

static void give_up(int number)
{
    (void)number;
    die(caught ? caught : SIGTERM);
}

/* A write beyond a limit on the size of files fails then, which somebody tells. Not ignored: a program that we start
 * would inherit that. */
static void note_limit(int number)
{
    (void)number;
    limited = 1;
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static bool is_default(int number)
{
    struct sigaction now;
    return !sigaction(number, NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}

static const struct {
    int number;
    void (*handler)(int);
} handled[] = {{SIGINT, note_signal}, {SIGTERM, note_signal}, {SIGXFSZ, note_limit}};
enum { HANDLED = sizeof handled / sizeof *handled };
static struct sigaction before[HANDLED];

void ws_interrupts_begin(void)
{
    owner = getpid();
    for (int i = 0; i < HANDLED; i++) {
        sigaction(handled[i].number, NULL, &before[i]);
        handle(handled[i].number, handled[i].handler);
    }
}

void ws_interrupts_restore(void)
{
    for (int i = 0; i < HANDLED; i++)
        sigaction(handled[i].number, &before[i], NULL);
}

void ws_interrupts_catch(void)
{
    owner = getpid();
    catching = 1;
    if (is_default(SIGALRM)) { /* we may be in a program of somebody else's, with an alarm of its own */
        timed = 1;
        handle(SIGALRM, give_up);
        unblock(SIGALRM);
    }
    handle(SIGINT, note_signal);
    handle(SIGTERM, note_signal);
}

bool ws_interrupted(void)
{
    return caught != 0;
}

bool ws_file_limit_met(void)
{
    return limited != 0;
}

void ws_interrupts_end(void)
{
    if (caught)
        die(caught);
}
