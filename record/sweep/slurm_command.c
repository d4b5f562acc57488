/* slurm_command.c - a command of Slurm, run to its end. */
#include "record/sweep/slurm_command.h"

#include "base/grow.h"
#include "base/interrupt.h"
#include "base/status.h"
#include "record/sweep/last_line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MOST = 64 << 20, ERROR_MOST = 1 << 16, CHUNK = 1 << 16, WAIT_MS = 100 };

/* One of its streams. */
typedef struct stream {
    int fd; /* -1: it is closed */
    char *text;
    size_t length, room, most;
} stream;

static int start(const char *const *argv, stream streams[2], pid_t *pid)
{
    int pipes[2][2] = {{-1, -1}, {-1, -1}};
    if (pipe2(pipes[0], O_CLOEXEC))
        return ws_fail(WS_EIO, "%s: %s", argv[0], strerror(errno));
    if (pipe2(pipes[1], O_CLOEXEC)) {
        close(pipes[0][0]);
        close(pipes[0][1]);
        return ws_fail(WS_EIO, "%s: %s", argv[0], strerror(errno));
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, pipes[0][1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, pipes[1][1], STDERR_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setpgroup(&how, 0); /* a Ctrl-C is ours: sbatch says what it has submitted */
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawnp(pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    for (size_t i = 0; i < 2; i++) {
        close(pipes[i][1]);
        streams[i].fd = pipes[i][0];
    }
    if (failed == ENOENT)
        return ws_fail(WS_ENOTFOUND,
                       "there is no %s in PATH: --on slurm runs where Slurm's commands are, such as a login node",
                       argv[0]);
    return failed ? ws_fail(WS_EIO, "%s: %s", argv[0], strerror(failed)) : WS_OK;
}

/* Reads what is there; beyond what a stream may have is a failure for output and left out of errors. */
static int listen(const char *name, stream *s)
{
    int status = WS_GROW(s->text, s->room, s->length, CHUNK + 1);
    const ssize_t n = status ? 0 : read(s->fd, s->text + s->length, CHUNK);
    if (n > 0)
        s->length += (size_t)n;
    if (s->length > s->most) {
        s->length = s->most;
        status = status || s->most < OUTPUT_MOST ? status : ws_fail(WS_ELIMIT, "%s: it prints more than 64 MB", name);
    }
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
        close(s->fd);
        s->fd = -1;
    }
    if (s->text)
        s->text[s->length] = '\0';
    return status;
}

int ws_slurm_command(const char *const *argv, ws_slurm_said *said)
{
    stream streams[2] = {{.fd = -1, .most = OUTPUT_MOST}, {.fd = -1, .most = ERROR_MOST}};
    pid_t pid = -1;
    *said = (ws_slurm_said){.exit = -1};
    int status = start(argv, streams, &pid);
    const bool started = !status;
    while (!status && (streams[0].fd >= 0 || streams[1].fd >= 0)) {
        struct pollfd wait[2] = {{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}};
        poll(wait, 2, WAIT_MS);
        for (size_t i = 0; i < 2 && !status; i++)
            if (wait[i].fd >= 0 && wait[i].revents)
                status = listen(argv[0], &streams[i]);
        if (!status && ws_interrupted())
            status = ws_fail(WS_EINTERRUPTED, "interrupted");
    }
    for (size_t i = 0; i < 2; i++)
        if (streams[i].fd >= 0)
            close(streams[i].fd);
    if (started) {
        int how;
        if (status)
            kill(pid, SIGTERM);
        while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
            ;
        said->exit = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    }
    if (streams[1].text)
        ws_last_line(streams[1].text, said->error, sizeof said->error);
    free(streams[1].text);
    said->output = streams[0].text;
    said->length = streams[0].length;
    return status;
}
