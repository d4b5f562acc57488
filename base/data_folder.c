/* data_folder.c - where are the files that the program reads at run time? */
#include "base/data_folder.h"

#include "base/status.h"

#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_data(const char *folder)
{
    char path[PATH_MAX + 32];
    const char *const parts[] = {"configs", "tech"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, parts[i]);
        if (access(path, X_OK))
            return false;
    }
    return true;
}

int ws_data_folder_of(const char *here, const char *given, char *folder, size_t size)
{
    /* build/release/warpscape and build/release/tests/X; then bin/warpscape and libexec/warpscape/workloads/X. */
    static const char *const beside[] = {"../../data", "../../../data", "../share/warpscape",
                                         "../../../share/warpscape"};
    if (given && *given) {
        snprintf(folder, size, "%s", given);
        return has_data(folder) ? WS_OK
                                : ws_fail(WS_ENOTFOUND, "WARPSCAPE_DATA = %s: has no folders configs and tech", given);
    }
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        snprintf(folder, size, "%s/%s", here, beside[i]);
        if (has_data(folder))
            return WS_OK;
    }
    snprintf(folder, size, "%s/warpscape", WS_DATADIR);
    if (has_data(folder))
        return WS_OK;
    return ws_fail(WS_ENOTFOUND,
                   "the folders configs and tech are neither beside %s nor in %s; set WARPSCAPE_DATA to "
                   "the folder data of the sources",
                   here, folder);
}

int ws_data_folder(char *folder, size_t size)
{
    char self[PATH_MAX], plain[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const int status = ws_data_folder_of(dirname(self), getenv("WARPSCAPE_DATA"), folder, size);
    if (!status && realpath(folder, plain)) /* messages name files without a way up and down again */
        snprintf(folder, size, "%s", plain);
    return status;
}
