/* no_locks.c - preloaded into a program: flock(2) is not there, and what writes to disk takes its time.
 *
 * What keeps the data of several writers right has to be the database's own locks. NO_LOCKS=fails says ENOLCK, as file
 * systems without locks do; otherwise flock says that all is well and locks nothing. Naps make the moments between two
 * steps as long as those of a slow disk. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
