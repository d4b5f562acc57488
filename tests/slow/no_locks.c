/* no_locks.c - preloaded into a program: flock(2) is not there, and what writes to disk takes its time.
 *
 * What keeps the data of several writers right has to be the database's own locks. NO_LOCKS=fails says ENOLCK, as file
 * systems without locks do; otherwise flock says that all is well and locks nothing. Naps make the moments between two
 * steps as long as those of a slow disk. Below the folder NO_LOCKS_BELOW there are no locks of fcntl(2) either, as on
 * NFS without its lock daemon. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NAP_MOST_US = 3000 };

static void nap(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep((useconds_t)(now.tv_nsec / 1000 % NAP_MOST_US));
}

int flock(int fd, int operation)
{
    (void)fd;
    (void)operation;
    const char *const how = getenv("NO_LOCKS");
    nap();
    if (!how || strcmp(how, "fails") != 0)
        return 0;
    errno = ENOLCK;
    return -1;
}

static int is_below(int fd)
{
    const char *const folder = getenv("NO_LOCKS_BELOW");
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = folder ? readlink(link, path, sizeof path - 1) : -1;
    path[n > 0 ? n : 0] = '\0';
    return folder && !strncmp(path, folder, strlen(folder));
}

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *const argument = va_arg(arguments, void *);
    va_end(arguments);
    if ((command == F_SETLK || command == F_SETLKW) && is_below(fd)) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

int fsync(int fd)
{
    (void)fd;
    nap();
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}
