/* trace_files.c - which trace files are meant, and whose are they? */
#include "model/mechanism/trace_files.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/text.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *copy_of(const char *text, size_t length)
{
    char *const copy = strndup(text, length);
    if (!copy)
        ws_fail(WS_EMEM, "out of memory");
    return copy;
}

static int add_file(ws_trace_files *files, const char *path)
{
    if (WS_GROW(files->path, files->room, files->count, 1))
        return WS_EMEM;
    char *const copy = copy_of(path, strlen(path));
    if (!copy)
        return WS_EMEM;
    files->path[files->count++] = copy;
    return WS_OK;
}

static bool has_ending(const char *name)
{
    const size_t n = strlen(name);
    return n > 4 && !strcmp(name + n - 4, ".wst");
}

static int is_trace(const struct dirent *entry)
{
    return has_ending(entry->d_name);
}

bool ws_trace_files_means(const char *path)
{
    struct stat s;
    return has_ending(path) || (!stat(path, &s) && S_ISDIR(s.st_mode));
}

int ws_trace_files_add(ws_trace_files *files, const char *path)
{
    struct dirent **found;
    const int n = scandir(path, &found, is_trace, alphasort);
    if (n < 0)
        return add_file(files, path);
    int status = n ? WS_OK : ws_fail(WS_ENOTFOUND, "%s: no trace file (*.wst) in it", path);
    for (int i = 0; i < n; i++) {
        char file[PATH_MAX];
        snprintf(file, sizeof file, "%s/%s", path, found[i]->d_name);
        if (!status)
            status = add_file(files, file);
        free(found[i]);
    }
    free(found);
    return status;
}

void ws_trace_files_free(ws_trace_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->path[i]);
    free(files->path);
    *files = (ws_trace_files){0};
}

char *ws_trace_note(const ws_trace *trace, const char *name, const char *otherwise)
{
    const size_t n = strlen(name);
    for (const char *line = ws_trace_notes(trace); *line;) {
        const size_t length = strcspn(line, "\n");
        if (length > n && strncmp(line, name, n) == 0 && line[n] == '=')
            return copy_of(line + n + 1, length - n - 1);
        line += length + (line[length] == '\n');
    }
    return copy_of(otherwise, strlen(otherwise));
}

char *ws_trace_workload(const ws_trace *trace)
{
    char *const file = ws_text_stem(ws_trace_path(trace));
    if (!file)
        ws_fail(WS_EMEM, "out of memory");
    char *const name = file ? ws_trace_note(trace, "workload", file) : NULL;
    free(file);
    return name;
}
