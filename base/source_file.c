/* source_file.c - see source_file.h. The fingerprint is XXH3 of the bytes. */
#include "base/source_file.h"

#include "base/input.h"
#include "base/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

static int split(ws_source_file *f, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += f->text[i] == '\n';
    f->line = calloc(lines + 2, sizeof *f->line);
    if (!f->line)
        return ws_fail(WS_EMEM, "no memory for a source file");
    char *rest = f->text;
    while (*rest) {
        char *const end = rest + strcspn(rest, "\n");
        f->line[f->lines++] = rest;
        rest = *end ? end + 1 : end;
        *end = '\0';
        if (end > f->line[f->lines - 1] && end[-1] == '\r')
            end[-1] = '\0';
    }
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ folders */

static const char variable[] = "WARPSCAPE_SOURCES";

int ws_source_folder_add(const char *folder)
{
    const char *const named = getenv(variable);
    struct stat about;
    char *list, *const path = realpath(folder, NULL);
    const int reason = errno;
    if (!path || stat(path, &about) || !S_ISDIR(about.st_mode) || strchr(path, ':')) {
        const int status = path && strchr(path, ':')
                               ? ws_fail(WS_EINPUT, "%s: a folder of sources has no colon in its name", folder)
                               : ws_fail(WS_EIO, "cannot read sources below %s: %s", folder,
                                         path ? "it is not a folder" : strerror(reason));
        free(path);
        return status;
    }
    const bool first = !named || !*named;
    const int length = asprintf(&list, "%s%s%s", first ? "" : named, first ? "" : ":", path);
    const bool set = length >= 0 && !setenv(variable, list, 1);
    if (length >= 0)
        free(list);
    free(path);
    return set ? WS_OK : ws_fail(WS_EMEM, "out of memory");
}

void ws_source_folder_of(const char *file)
{
    char *const path = realpath(file, NULL), *const slash = path ? strrchr(path, '/') : NULL;
    if (slash && slash > path) {
        *slash = '\0';
        ws_source_folder_add(path);
    }
    free(path);
}

/* The next folder of a list with colons, to be freed; NULL at its end, or without memory. */
static char *next_folder(const char **list)
{
    while (*list && **list == ':')
        ++*list;
    if (!*list || !**list)
        return NULL;
    const size_t length = strcspn(*list, ":");
    char *const folder = strndup(*list, length);
    *list += length;
    return folder;
}

/* Both without links in them. */
static bool is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return !strcmp(folder, "/") || (!strncmp(path, folder, length) && path[length] == '/');
}

static bool is_allowed(const char *path)
{
    const char *list = getenv(variable);
    char *const here = realpath(".", NULL), *folder;
    bool allowed = here && strcmp(here, "/") != 0 && is_below(path, here);
    free(here);
    while (!allowed && (folder = next_folder(&list))) {
        char *const real = realpath(folder, NULL);
        allowed = real && is_below(path, real);
        free(real);
        free(folder);
    }
    return allowed;
}

/* ------------------------------------------------------------------------------------------------ reading */

static int read_lines(const char *path, ws_source_file *out)
{
    static const ws_input source = {
        .what = "a source file", .most_bytes = 64 << 20, .source = WS_INPUT_FILES, .is_found = true};
    size_t length;
    int status = ws_input_read(path, &source, &out->text, &length);
    if (!status) {
        out->fingerprint = XXH3_64bits(out->text, length);
        status = split(out, length);
    }
    if (status)
        ws_source_file_fini(out);
    return status;
}

/* `known`: as in ws_source_file_find. */
static int load(const char *path, const uint64_t *known, ws_source_file *out)
{
    *out = (ws_source_file){0};
    char *const real = realpath(path, NULL);
    if (!real)
        return ws_fail(errno == ENOENT || errno == ENOTDIR ? WS_ENOTFOUND : WS_EIO, "cannot read %s: %s", path,
                       strerror(errno));
    const bool allowed = is_allowed(real);
    int status = allowed || known ? read_lines(real, out) : WS_OK;
    free(real);
    if (allowed || (known && !status && out->fingerprint == *known))
        return status;
    ws_source_file_fini(out);
    return ws_fail(WS_EUNSUPPORTED, "%s: outside the folders that sources are read from: --sources DIR adds one", path);
}

int ws_source_file_load(const char *path, ws_source_file *out)
{
    return load(path, NULL, out);
}

/* Below a folder, the longest end of the path that is there. */
static int load_below(const char *folder, const char *path, ws_source_file *out)
{
    int status = WS_ENOTFOUND;
    for (const char *rest = path; rest && status; rest = strchr(rest, '/')) {
        char *name;
        rest += *rest == '/';
        if (asprintf(&name, "%s/%s", folder, rest) < 0)
            return ws_fail(WS_EMEM, "out of memory");
        status = load(name, NULL, out);
        free(name);
    }
    return status;
}

int ws_source_file_find(const char *path, const uint64_t *known, ws_source_file *out)
{
    const char *list = getenv(variable);
    int status = load(path, known, out), other = status;
    for (char *folder; other && other != WS_EMEM && (folder = next_folder(&list)); free(folder))
        other = load_below(folder, path, out);
    return other == WS_OK || other == WS_EMEM ? other : status; /* of the file in its place, rather than of others */
}

void ws_source_file_fini(ws_source_file *f)
{
    free(f->line);
    free(f->text);
    *f = (ws_source_file){0};
}
