/* child.c - how does a program run beside this one so that its crash is its own? */
#include "record/start/child.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 100, LINE = 1024, CANNOT_START = 127 };

/* One end of a pipe that is read line by line. */
typedef struct reader {
    int fd;
    size_t used;
    char line[LINE];
} reader;

typedef struct listener {
    const ws_child *child;
    ws_child_result *result;
    reader output, progress;
    unsigned lines_since_cause;
    bool hints; /* "Try `X --help'" has begun, which is about the way it was called; the message is before that */
} listener;

/* ------------------------------------------------------------------------------------------------ the child's side */

/* Variables of `warpscape env`, which built-in workloads ignore. */
static const char *const neutral[] = {
    "WARPSCAPE_DB=",    "WARPSCAPE_KERNELS=", "WARPSCAPE_LAUNCHES=", "WARPSCAPE_CHECK=",
    "WARPSCAPE_TURNS=", "WARPSCAPE_BOUNDS=",  "WARPSCAPE_ALIGNMENT="};

/* Becomes the program. stdin is empty; both output streams are one pipe. Only calls that are safe after fork. */
static _Noreturn void become(const ws_child *child, pid_t parent, int output, int progress)
{
    char variable[64];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CANNOT_START);
    signal(SIGINT, SIG_IGN); /* Ctrl-C reaches the whole group; the parent decides when the child ends */
    signal(SIGTERM, SIG_DFL);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0 ||
        fcntl(progress, F_SETFD, 0) < 0)
        _exit(CANNOT_START);
    for (size_t i = 0; i < sizeof neutral / sizeof *neutral; i++)
        putenv((char *)(uintptr_t)neutral[i]);
    for (const char *const *e = child->environment; *e; e++)
        putenv((char *)(uintptr_t)*e);
    snprintf(variable, sizeof variable, "WARPSCAPE_PROGRESS=%d", progress);
    putenv(variable);
    execv(child->argv[0], (char *const *)(uintptr_t)child->argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", child->argv[0], strerror(errno));
    _exit(CANNOT_START);
}

/* ------------------------------------------------------------------------------------------------ our side */

static void take_output(listener *l, const char *line)
{
    static const char ours[] = "warpscape: ", hint[] = "Try `";
    l->hints |= !strncmp(line, hint, sizeof hint - 1);
    if (!*line || l->hints)
        return;
    snprintf(l->result->message, sizeof l->result->message, "%s", line);
    if (!strncmp(line, ours, sizeof ours - 1)) {
        snprintf(l->result->cause, sizeof l->result->cause, "%s", line + sizeof ours - 1);
        l->lines_since_cause = 0;
    } else if (++l->lines_since_cause > 1) {
        l->result->cause[0] = '\0'; /* the program went on after it */
    }
}

static void take_progress(listener *l, const char *line)
{
    ws_child_progress p = {0};
    int at = 0;
    const int numbers =
        sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %n", &p.warp_instructions, &p.blocks_done, &p.blocks, &at);
    if (numbers == 3 && l->child->progress) {
        snprintf(p.kernel, sizeof p.kernel, "%s", line + at);
        l->child->progress(l->child->context, &p);
    }
}

/* Takes what is there; whole lines go to `take`, a line that is too long is cut. Closes the pipe at its end. */
static void read_lines(listener *l, reader *r, void (*take)(listener *, const char *))
{
    const ssize_t n = read(r->fd, r->line + r->used, LINE - 1 - r->used);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        r->line[r->used] = '\0';
        if (r->used)
            take(l, r->line);
        close(r->fd);
        r->fd = -1;
        return;
    }
    r->used += (size_t)n;
    for (char *end; (end = memchr(r->line, '\n', r->used)) || r->used == LINE - 1;) {
        const size_t length = end ? (size_t)(end - r->line) : r->used;
        const size_t whole = length + (end != NULL);
        r->line[length] = '\0';
        take(l, r->line);
        memmove(r->line, r->line + whole, r->used - whole);
        r->used -= whole;
    }
}

static void close_end(reader *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

/* Until both pipes are closed, which is when the program and its own children have ended; or until a program that was
 * told to end has had its time. */
static void listen_to(listener *l, pid_t pid)
{
    struct timespec told;
    while (l->output.fd >= 0 || l->progress.fd >= 0) {
        struct pollfd wait[2] = {{.fd = l->output.fd, .events = POLLIN}, {.fd = l->progress.fd, .events = POLLIN}};
        poll(wait, 2, POLL_MS);
        if (wait[0].revents)
            read_lines(l, &l->output, take_output);
        if (wait[1].revents)
            read_lines(l, &l->progress, take_progress);
        if (ws_interrupted() && !l->result->interrupted) {
            l->result->interrupted = true;
            told = ws_clock_now();
            kill(pid, SIGTERM);
        }
        if (l->result->interrupted && ws_clock_seconds_since(&told) > WS_LAST_WORDS_S) {
            kill(pid, SIGKILL);
            break;
        }
    }
    close_end(&l->output);
    close_end(&l->progress);
}

static void reap(pid_t pid, ws_child_result *result)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int ws_child_run(const ws_child *child, ws_child_result *result)
{
    int output[2], progress[2];
    struct timespec begin;
    *result = (ws_child_result){.exit_status = -1};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (pipe2(output, O_CLOEXEC))
        return ws_fail(WS_EIO, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(progress, O_CLOEXEC)) {
        close(output[0]);
        close(output[1]);
        return ws_fail(WS_EIO, "cannot make a pipe: %s", strerror(errno));
    }
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(child, parent, output[1], progress[1]);
    const int fork_error = errno;
    close(output[1]);
    close(progress[1]);
    if (pid < 0) {
        close(output[0]);
        close(progress[0]);
        return ws_fail(WS_EIO, "cannot start a process: %s", strerror(fork_error));
    }
    listener l = {.child = child, .result = result, .output = {.fd = output[0]}, .progress = {.fd = progress[0]}};
    listen_to(&l, pid);
    reap(pid, result);
    result->seconds = ws_clock_seconds_since(&begin);
    return WS_OK;
}
