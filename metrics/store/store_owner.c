/* store_owner.c - does the process that began an unfinished run still work on it?
 *
 * A process is its number and its start time within one boot of one machine; a number alone is soon used again. Where
 * /proc tells nothing, an unfinished run counts as left behind. */
#include "metrics/store/store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_line(const char *path, char *text, size_t size)
{
    FILE *const in = fopen(path, "r");
    if (!in || !fgets(text, (int)size, in))
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (in)
        fclose(in);
}

/* Field 22 of /proc/PID/stat; fields are counted behind the program's name, which may hold blanks and brackets. */
static unsigned long long start_time(long pid)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_line(path, line, sizeof line);
    const char *at = strrchr(line, ')');
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

/* Boot, and name space of process numbers (containers on one machine have their own). */
static void machine(char *text, size_t size)
{
    char boot[40], space[40];
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    const ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[n > 0 ? n : 0] = '\0';
    snprintf(text, size, "%s/%s", boot, space);
}

static void describe(long pid, char text[WS_OWNER_BYTES])
{
    char where[96];
    machine(where, sizeof where);
    snprintf(text, WS_OWNER_BYTES, "%ld %llu %s", pid, start_time(pid), where);
}

void ws_store_owner(char text[WS_OWNER_BYTES])
{
    describe((long)getpid(), text);
}

bool ws_store_owner_lives_elsewhere(const char *text)
{
    char now[WS_OWNER_BYTES];
    const long pid = strtol(text, NULL, 10);
    if (pid <= 0 || pid == (long)getpid() || start_time(pid) == 0)
        return false;
    describe(pid, now);
    return strcmp(now, text) == 0;
}
