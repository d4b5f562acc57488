/* trace_folder.c - which files of a folder are traces, and in which order did their kernels run? */
#include "collect/accelsim/trace_folder.h"

#include "base/grow.h"
#include "base/status.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_in(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

bool ws_trace_is_list(const char *path)
{
    return !strncmp(name_in(path), "kernelslist", 11);
}

/* Kinds of files that may hold the same kernel, the one that is read fastest first. */
static const char *const kinds[] = {".traceg", ".traceg.xz", ".tracez", ".trace", ".trace.xz"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t kind_of(const char *path)
{
    size_t i = 0;
    while (i < KINDS && !ends_with(path, kinds[i]))
        i++;
    return i;
}

/* ------------------------------------------------------------------------------------------------ */

/* A grouped list comes before a raw one; tracers that know contexts add them to the name. */
static int see_list(ws_trace_folder *f, const char *path)
{
    const bool grouped = ends_with(path, ".g"), other = f->list && ends_with(f->list, ".g");
    if (f->list && grouped == other)
        f->more_lists++;
    if (f->list && (grouped < other || (grouped == other && strcmp(path, f->list) > 0)))
        return WS_OK;
    if (grouped != other)
        f->more_lists = 0;
    free(f->list);
    f->list = strdup(path);
    return f->list ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

static int see_kernel(ws_trace_folder *f, const char *path)
{
    if (WS_GROW(f->file, f->room, f->files, 1))
        return WS_EMEM;
    char *const copy = strdup(path);
    if (!copy)
        return ws_fail(WS_EMEM, "out of memory");
    f->file[f->files++] = copy;
    return WS_OK;
}

static int see_name(ws_trace_folder *f, const char *folder, const char *name)
{
    char *path;
    if (!ws_trace_is_list(name) && kind_of(name) == KINDS)
        return WS_OK;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return ws_fail(WS_EMEM, "out of memory");
    const int status = ws_trace_is_list(name) ? see_list(f, path) : see_kernel(f, path);
    free(path);
    return status;
}

static size_t stem_of(const char *path)
{
    return strlen(path) - strlen(kinds[kind_of(path)]);
}

static bool are_one_kernel(const char *a, const char *b)
{
    return stem_of(a) == stem_of(b) && !strncmp(a, b, stem_of(a));
}

/* kernel-9 before kernel-10; of one kernel, the better kind first. */
static int by_number(const void *a, const void *b)
{
    const char *const x = *(char *const *)a, *const y = *(char *const *)b;
    if (are_one_kernel(x, y))
        return kind_of(x) < kind_of(y) ? -1 : kind_of(x) > kind_of(y);
    char *const p = strndup(x, stem_of(x)), *const q = strndup(y, stem_of(y));
    const int order = p && q ? strverscmp(p, q) : strverscmp(x, y);
    free(p);
    free(q);
    return order;
}

static void keep_best(ws_trace_folder *f)
{
    size_t n = 0;
    qsort(f->file, f->files, sizeof *f->file, by_number);
    for (size_t i = 0; i < f->files; i++)
        if (n && are_one_kernel(f->file[n - 1], f->file[i]))
            free(f->file[i]);
        else
            f->file[n++] = f->file[i];
    f->files = n;
}

int ws_trace_folder_read(const char *folder, ws_trace_folder *out)
{
    *out = (ws_trace_folder){0};
    DIR *const dir = opendir(folder);
    int status = dir ? WS_OK : ws_fail(WS_EIO, "cannot read %s", folder);
    for (const struct dirent *e; !status && (e = readdir(dir));)
        status = see_name(out, folder, e->d_name);
    if (dir)
        closedir(dir);
    if (!status && !out->list && !out->files)
        status = ws_fail(WS_ENOTFOUND,
                         "%s: neither a list of kernels (kernelslist.g or kernelslist) nor traces of kernels "
                         "(kernel-1.traceg) in it",
                         folder);
    if (!status && !out->list)
        keep_best(out);
    return status;
}

void ws_trace_folder_fini(ws_trace_folder *f)
{
    for (size_t i = 0; i < f->files; i++)
        free(f->file[i]);
    free(f->file);
    free(f->list);
    *f = (ws_trace_folder){0};
}
