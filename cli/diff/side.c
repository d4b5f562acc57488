/* side.c - see side.h. */
#include "cli/diff/side.h"

#include "base/status.h"
#include "metrics/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_results_file(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat about;
    FILE *const in =
        !stat(path, &about) && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL; /* of a pipe nothing is taken here */
    const bool is = in && fread(head, 1, sizeof head, in) == sizeof head && !memcmp(head, magic, sizeof magic);
    if (in)
        fclose(in);
    return is;
}

/* Drops what notes say of other workloads' runs. */
static void keep_run_of(ws_frame *f, const char *workload)
{
    static const char run[] = "run: ";
    const size_t key = sizeof run - 1, length = strlen(workload);
    size_t kept = 0;
    for (size_t i = 0; i < f->notes; i++) {
        const char *const name = f->note[i] + key;
        if (!strncmp(f->note[i], run, key) && (strncasecmp(name, workload, length) || name[length] != ' '))
            free(f->note[i]);
        else
            f->note[kept++] = f->note[i];
    }
    f->notes = kept;
}

/* The rows of one workload. */
static int pick_workload(ws_frame **frame, const char *workload, const char *db)
{
    ws_frame *const all = *frame;
    const long at = ws_frame_find_label(all, "workload");
    size_t *const row = calloc(all->rows + 1, sizeof *row), found = 0;
    if (!row)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < all->rows && at >= 0; i++)
        if (!strcasecmp(all->label[i * all->labels + (size_t)at], workload))
            row[found++] = i;
    ws_frame *some = NULL;
    int status = found ? ws_frame_pick_rows(all, row, found, &some)
                       : ws_fail(WS_ENOTFOUND, "%s: no workload '%s' in it (see `warpscape runs`)", db, workload);
    free(row);
    if (status)
        return status;
    keep_run_of(some, workload);
    ws_frame_destroy(all);
    *frame = some;
    return WS_OK;
}

static int load_store(const char *path, const char *workload, const char *set, ws_frame **out)
{
    ws_store *store;
    ws_frame *frame = NULL;
    int status = ws_store_open(path, false, &store);
    if (status)
        return status;
    status = ws_store_frame(store, WS_PER_KERNEL, set, false, &frame);
    ws_store_close(store);
    if (!status && !frame->rows)
        status = ws_fail(WS_ENOTFOUND, "%s: no workload in it has finished", path);
    if (!status && workload)
        status = pick_workload(&frame, workload, path);
    return ws_frame_give(status, frame, out);
}

/* A program often has the name of its workload: a file is a frame when it is called one, or when no workload is called
 * so. */
static bool is_called_frame(const char *name)
{
    const size_t length = strlen(name);
    return !strcmp(name, "-") || strchr(name, '/') || (length > 4 && !strcasecmp(name + length - 4, ".csv"));
}

int ws_side_load(const char *name, const char *db, const char *set, ws_frame **out)
{
    const char *const colon = strrchr(name, ':');
    *out = NULL;
    if (is_results_file(name))
        return load_store(name, NULL, set, out);
    if (is_called_frame(name) && (!strcmp(name, "-") || !access(name, R_OK)))
        return ws_frame_load(name, out);
    char *const path = colon && colon != name ? strndup(name, (size_t)(colon - name)) : NULL;
    int status;
    if (path && is_results_file(path))
        status = load_store(path, colon + 1, set, out);
    else if (is_results_file(db))
        status = load_store(db, name, set, out);
    else
        status =
            ws_fail(WS_ENOTFOUND,
                    "%s: no results file or frame of this name, and no results file %s that may have such a workload",
                    name, db);
    free(path);
    return status == WS_ENOTFOUND && !access(name, R_OK) ? ws_frame_load(name, out) : status;
}
