/* progress.c - how far is it, and how long will it take? */
#include "base/progress.h"

#include "base/shown.h"

#include <stdarg.h>
#include <unistd.h>

enum { BAR_CELLS = 24 };

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void format_time(char *text, size_t size, double seconds)
{
    const unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%lu:%02lu", s / 60, s % 60);
}

void ws_progress_begin(ws_progress *progress)
{
    *progress = (ws_progress){.out = isatty(STDERR_FILENO) ? stderr : NULL};
    clock_gettime(CLOCK_MONOTONIC, &progress->begin);
}

/* Whether to draw now, with the time. */
static bool is_due(const ws_progress *progress, struct timespec *now)
{
    if (!progress->out)
        return false;
    clock_gettime(CLOCK_MONOTONIC, now);
    return !progress->drawn || seconds_between(&progress->shown, now) >= 0.1;
}

/* Over what stands in the line: the one place that means what the terminal obeys, so it goes past the stream of
 * messages. */
__attribute__((format(printf, 2, 3))) static void draw(const ws_progress *progress, const char *format, ...)
{
    char text[300], line[80];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ws_shown(line, sizeof line, text);
    fflush(progress->out);
    if (progress->out == stderr)
        dprintf(STDERR_FILENO, "\r\033[K%s", line);
    else
        fprintf(progress->out, "\r\033[K%s", line);
}

void ws_progress_say(ws_progress *progress, const char *text)
{
    struct timespec now;
    if (!is_due(progress, &now))
        return;
    draw(progress, "%s", text);
    progress->shown = now;
    progress->drawn = true;
}

void ws_progress_show(ws_progress *progress, const char *what, double done)
{
    struct timespec now;
    if (!is_due(progress, &now))
        return;
    done = done > 0 ? (done < 1 ? done : 1) : 0;
    const int full = (int)(done * BAR_CELLS);
    char bar[BAR_CELLS + 1], left[32] = "-:--";
    for (int i = 0; i < BAR_CELLS; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_CELLS] = '\0';
    if (done > 0)
        format_time(left, sizeof left, seconds_between(&progress->begin, &now) * (1 - done) / done);
    char name[41];
    ws_shown(name, sizeof name, what);
    draw(progress, "[%s] %3.0f %%  %s left  %s", bar, 100 * done, left, name);
    progress->shown = now;
    progress->drawn = true;
}

void ws_progress_end(ws_progress *progress)
{
    if (!progress->out || !progress->drawn)
        return;
    draw(progress, "%s", "");
    progress->drawn = false;
}
