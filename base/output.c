/* output.c - how does a full disk or a crash leave the old file untouched? */
#include "base/output.h"
#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 100, KNOWN = 16, OTHERS = S_IRWXG | S_IRWXO };

bool ws_output_is_private(void)
{
    const char *const asked = getenv("WARPSCAPE_PRIVATE");
    return asked && *asked && strcmp(asked, "0") != 0;
}

static mode_t file_mode(void)
{
    return ws_output_is_private() ? 0600 : 0666;
}

static int fail_private(const char *path)
{
    return ws_fail(
        WS_EIO,
        "%s: others may read or write it, and that cannot be changed (%s): move it away, or write without --private",
        path, strerror(errno));
}

/* Files that are being written, for a signal handler, which may neither follow pointers that somebody frees nor wait:
 * the names are copied, and a place is free, being filled, or filled. Who finds no place does without. */
static struct {
    _Atomic int state;
    char path[PATH_MAX];
} known[KNOWN];
enum { FREE, FILLING, FILLED };

static void remember(const char *path)
{
    for (int i = 0; i < KNOWN && strlen(path) < PATH_MAX; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&known[i].state, &expected, FILLING))
            continue;
        strcpy(known[i].path, path);
        atomic_store(&known[i].state, FILLED);
        return;
    }
}

static void unremember(const char *path)
{
    for (int i = 0; i < KNOWN; i++)
        if (atomic_load(&known[i].state) == FILLED && !strcmp(known[i].path, path))
            atomic_store(&known[i].state, FREE);
}

void ws_output_abandon(void)
{
    for (int i = 0; i < KNOWN; i++)
        if (atomic_load(&known[i].state) == FILLED)
            unlink(known[i].path);
}

static int forget(ws_output *output, int rc)
{
    if (output->temporary)
        unremember(output->temporary);
    free(output->path);
    free(output->temporary);
    *output = (ws_output){0};
    return rc;
}

/* Whether a name is PATH's base, ".PID-N.tmp": *pid. */
static bool is_temporary_of(const char *base, const char *name, long *pid)
{
    const size_t length = strlen(base);
    int end = 0;
    return !strncmp(name, base, length) && sscanf(name + length, ".%ld-%*[0-9].tmp%n", pid, &end) == 1 && end &&
           !name[length + (size_t)end] && *pid > 0;
}

/* One whose process is gone, here and by its lock also where processes have other numbers
 * (containers, other machines). */
static void remove_left(int folder, const char *name, long pid)
{
    struct stat about;
    const bool gone = pid != getpid() && kill((pid_t)pid, 0) && errno == ESRCH;
    const int fd = gone ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    if (!fstat(fd, &about) && S_ISREG(about.st_mode) && !flock(fd, LOCK_EX | LOCK_NB))
        unlinkat(folder, name, 0);
    close(fd);
}

/* Removes what killed processes left of this file. A folder without anything of that kind is remembered: thousands of
 * files may be written to it. */
static void clean_up(const char *path)
{
    static _Atomic uint64_t clean;
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    char *const name = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    DIR *const folder = name ? opendir(name) : NULL;
    struct stat about;
    uint64_t number = folder && !fstat(dirfd(folder), &about) ? about.st_ino + 1 : 0;
    for (const char *c = name; c && *c; c++) /* another folder may get the number of one that is gone */
        number = number * 31 + (unsigned char)*c;
    free(name);
    if (!folder)
        return;
    bool any = false;
    for (const struct dirent *e; number != atomic_load(&clean) && (e = readdir(folder));) {
        const size_t length = strlen(e->d_name);
        long pid;
        any = any || (length > 4 && !strcmp(e->d_name + length - 4, ".tmp"));
        if (is_temporary_of(base, e->d_name, &pid))
            remove_left(dirfd(folder), e->d_name, pid);
    }
    if (!any)
        atomic_store(&clean, number);
    closedir(folder);
}

/* A new file beside the path, with the permissions that a plain fopen would give it; `mode` is at most what the file
 * there has. */
static int open_temporary(ws_output *output, mode_t mode)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        if (asprintf(&output->temporary, "%s.%ld-%d.tmp", output->path, (long)getpid(), i) < 0) {
            output->temporary = NULL;
            return ws_fail(WS_EMEM, "no memory for a file name");
        }
        const int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            flock(fd, LOCK_EX | LOCK_NB); /* where there are no locks the number of the process alone tells */
            remember(output->temporary);
            output->stream = fdopen(fd, "w");
            if (output->stream)
                return WS_OK;
            close(fd);
            unlink(output->temporary);
            return ws_fail(WS_EMEM, "no memory for a stream");
        }
        if (errno != EEXIST)
            break;
        free(output->temporary);
        output->temporary = NULL;
    }
    return ws_fail(WS_EIO, "cannot write %s: %s", output->path, strerror(errno));
}

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

int ws_output_check(const char *path)
{
    struct stat there;
    if (is_stdout(path))
        return WS_OK;
    const bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        return ws_fail(WS_EIO, "cannot write %s: it is a directory", path);
    if (exists && access(path, W_OK) != 0)
        return ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno));
    if (exists && !S_ISREG(there.st_mode))
        return WS_OK;
    char *const real = exists ? realpath(path, NULL) : strdup(path), *const slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        slash[slash == real] = '\0'; /* the folder, in which a new file is made */
    const int bad = real ? access(slash ? real : ".", W_OK | X_OK) : -1;
    free(real);
    return bad ? ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno)) : WS_OK;
}

int ws_output_open(ws_output *output, const char *path)
{
    *output = (ws_output){0};
    if (is_stdout(path)) {
        output->stream = stdout;
        return WS_OK;
    }
    struct stat there;
    const int exists = stat(path, &there) == 0;
    output->path = exists && S_ISREG(there.st_mode) ? realpath(path, NULL) : strdup(path); /* a link stays a link */
    if (!output->path)
        return forget(output, ws_fail(WS_EMEM, "cannot write %s: %s", path, strerror(errno)));
    if (exists && S_ISDIR(there.st_mode))
        return forget(output, ws_fail(WS_EIO, "cannot write %s: it is a directory", path));
    if (exists && access(path, W_OK) != 0)
        return forget(output, ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno)));
    if (exists && !S_ISREG(there.st_mode)) {
        output->stream = fopen(path, "we");
        return output->stream ? WS_OK : forget(output, ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno)));
    }
    clean_up(output->path);
    const int rc = open_temporary(output, exists ? file_mode() & there.st_mode : file_mode());
    return rc == WS_OK ? rc : forget(output, rc);
}

static int finish(ws_output *output)
{
    int bad = ferror(output->stream) || fflush(output->stream) != 0;
    int reason = bad ? errno : 0;
    if (output->temporary && !bad && fsync(fileno(output->stream)) != 0) {
        bad = 1;
        reason = errno;
    }
    if (fclose(output->stream) != 0 && !bad) {
        bad = 1;
        reason = errno;
    }
    if (output->temporary && !bad && rename(output->temporary, output->path) != 0) {
        bad = 1;
        reason = errno;
    }
    if (output->temporary && bad)
        unlink(output->temporary);
    return bad ? ws_fail(WS_EIO, "cannot write %s: %s", output->path, strerror(reason)) : WS_OK;
}

int ws_output_place(ws_output *output)
{
    if (ferror(output->stream) || fflush(output->stream) ||
        (output->temporary && rename(output->temporary, output->path)))
        return ws_fail(WS_EIO, "cannot write %s: %s", output->path ? output->path : "to the standard output",
                       strerror(errno));
    if (output->temporary)
        unremember(output->temporary);
    free(output->temporary);
    output->temporary = NULL;
    return WS_OK;
}

int ws_output_close(ws_output *output, int rc)
{
    if (!output->path) {
        const int bad = fflush(output->stream) != 0 || ferror(output->stream);
        if (rc == WS_OK && bad)
            rc = ws_fail(WS_EIO, "cannot write to the standard output: %s", strerror(errno));
        return forget(output, rc);
    }
    if (rc == WS_OK)
        return forget(output, finish(output));
    fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    return forget(output, rc);
}

/* By name and not by descriptor: the locks of SQLite end when its process closes any descriptor of the file. */
int ws_output_prepare(const char *path)
{
    struct stat there;
    if (!ws_output_is_private() || !mknod(path, S_IFREG | 0600, 0))
        return WS_OK;
    if (errno != EEXIST)
        return ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno));
    if (stat(path, &there))
        return fail_private(path);
    const bool open_to_others = S_ISREG(there.st_mode) && (there.st_mode & OTHERS);
    return open_to_others && chmod(path, there.st_mode & (mode_t)~OTHERS) ? fail_private(path) : WS_OK;
}

int ws_output_make_folder(const char *path)
{
    return !mkdir(path, ws_output_is_private() ? 0700 : 0777) || errno == EEXIST ? 0 : -1;
}
