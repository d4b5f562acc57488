/* store_files.c - are the open results file's descriptors still ours?
 *
 * A program may close every descriptor that it knows nothing of, and be given the numbers again for files of its own.
 * SQLite would write into those. Nothing can be mended then: SQLite shares what it knows of a file among all its
 * connections. */
#include "metrics/store/store_internal.h"

#include "base/status.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* What can be neither closed nor freed: SQLite would close descriptors by their numbers. The process's end does. A
 * list, so that who looks for memory that was forgotten finds it. */
static ws_store *_Atomic left;

void ws_store_leave(ws_store *store)
{
    store->next_left = atomic_load(&left);
    while (!atomic_compare_exchange_weak(&left, &store->next_left, store))
        continue;
}

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The file itself, its log and the index of that. */
static void find_parts(const ws_store *store, struct stat part[WS_STORE_PARTS])
{
    static const char *const ends[WS_STORE_PARTS] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < WS_STORE_PARTS; i++) {
        char *path;
        part[i] = (struct stat){0};
        if (asprintf(&path, "%s%s", store->path, ends[i]) < 0)
            continue;
        if (stat(path, &part[i]))
            part[i] = (struct stat){0};
        free(path);
    }
}

void ws_store_watch_files(ws_store *store)
{
    struct stat part[WS_STORE_PARTS];
    DIR *const folder = opendir("/proc/self/fd");
    find_parts(store, part);
    store->files = 0;
    for (const struct dirent *e; folder && (e = readdir(folder)) && store->files < WS_STORE_FILES;) {
        struct stat about;
        const int fd = atoi(e->d_name);
        if (*e->d_name == '.' || fstat(fd, &about))
            continue;
        for (size_t i = 0; i < WS_STORE_PARTS; i++) {
            if (part[i].st_ino && same(&about, &part[i])) {
                store->file[store->files++] = (ws_store_file){fd, about};
                break;
            }
        }
    }
    if (folder)
        closedir(folder);
}

int ws_store_check_files(ws_store *store)
{
    for (unsigned i = 0; i < store->files && !store->lost; i++) {
        struct stat about;
        store->lost = fstat(store->file[i].fd, &about) || !same(&about, &store->file[i].about);
    }
    return store->lost ? ws_fail(WS_EIO, "%s: the program closed the descriptors of this file, which were not its own",
                                 store->path)
                       : WS_OK;
}
