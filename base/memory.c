/* memory.c - what says how much memory there is? Files of Linux, limits of the process, and the user. */
#include "base/memory.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The number in the first line of a file that begins with the word; NaN when there is none ("max"). */
static double read_number(const char *path, const char *word)
{
    double value = NAN;
    char line[256];
    FILE *const in = fopen(path, "re");
    while (in && isnan(value) && fgets(line, sizeof line, in))
        if (!strncmp(line, word, strlen(word)) && sscanf(line + strlen(word), "%lf", &value) != 1)
            value = NAN;
    if (in)
        fclose(in);
    return value;
}

static double machine_left(void)
{
    return read_number("/proc/meminfo", "MemAvailable:") * 1024;
}

/* As containers see their own group; what files take of it can be given back. */
static double group_left(void)
{
    static const char folder[] = "/sys/fs/cgroup/";
    char path[64];
    snprintf(path, sizeof path, "%smemory.max", folder);
    const double most = read_number(path, "");
    snprintf(path, sizeof path, "%smemory.current", folder);
    const double used = read_number(path, "");
    snprintf(path, sizeof path, "%smemory.stat", folder);
    const double files = read_number(path, "inactive_file ");
    return most - used + (isnan(files) ? 0 : files);
}

double ws_memory_address_space_left(double *taken)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
        return INFINITY;
    *taken = read_number("/proc/self/status", "VmSize:") * 1024;
    return isnan(*taken) ? INFINITY : (double)limit.rlim_cur - *taken;
}

static double user_limit(void)
{
    static const char units[] = "KMGT";
    const char *const text = getenv("WARPSCAPE_MAX_MEMORY");
    char *end;
    if (!text || !*text)
        return NAN;
    double bytes = strtod(text, &end);
    const char *const unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit && !end[1])
        bytes = ldexp(bytes, 10 * (int)(unit - units + 1));
    else if (*end)
        return NAN;
    return bytes >= 0 ? bytes : NAN;
}

double ws_memory_left(void)
{
    double taken;
    const double left[] = {machine_left(), group_left(), ws_memory_address_space_left(&taken), user_limit()};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        least = left[i] < least ? left[i] : least; /* what is not known is NaN */
    return fmax(least, 0);
}

int ws_memory_ask(double bytes, const char *what, const char *advice)
{
    const double left = ws_memory_left();
    if (bytes <= left)
        return WS_OK;
    return ws_fail(
        WS_ELIMIT,
        "%s need %.3g GiB of memory, and %.3g GiB are left (of the machine, its limits or WARPSCAPE_MAX_MEMORY); %s",
        what, bytes / 0x1p30, left / 0x1p30, advice);
}
