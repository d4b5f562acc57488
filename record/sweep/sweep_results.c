/* sweep_results.c - the results files of all points as one. */
#include "base/output.h"
#include "base/shown.h"
#include "base/status.h"
#include "metrics/store/store_merge.h"
#include "record/sweep/sweep.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_results(const ws_sweep *sweep, size_t point)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    return plan->block[plan->point[point].block].has_db && ws_sweep_first(sweep, point) == point &&
           ws_sweep_result(sweep, point)->state == WS_POINT_DONE;
}

static void free_paths(char **path, size_t n)
{
    while (path && n > 0)
        free(path[--n]);
    free(path);
}

int ws_sweep_merge(const ws_sweep *sweep, void (*tell)(void *user, const char *line), void *user)
{
    const ws_plan *const plan = ws_sweep_plan(sweep);
    char to[PATH_MAX];
    size_t n = 0;
    char **const path = calloc(plan->points + 1, sizeof *path);
    int status = path ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; !status && i < plan->points; i++) {
        if (!has_results(sweep, i))
            continue;
        if (asprintf(&path[n], "%s/points/%s/" WS_PLAN_RESULTS, ws_sweep_folder(sweep), plan->point[i].key) < 0)
            status = ws_fail(WS_EMEM, "out of memory");
        else if (!access(path[n], F_OK)) /* a program that launches nothing leaves none */
            n++;
        else
            free(path[n]);
    }
    snprintf(to, sizeof to, "%s/" WS_PLAN_RESULTS, ws_sweep_folder(sweep));
    ws_store_merged merged;
    const ws_store_merge how = {.replace = true, .tell = tell, .user = user};
    if (!status && n)
        status = ws_store_merge_files((const char *const *)path, n, to, &how, &merged);
    if (status == WS_EINPUT && n)
        status = ws_fail_context(status, "%s was not made", to);
    free_paths(path, n);
    return status;
}
