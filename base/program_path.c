/* program_path.c - the file that a shell would start. */
#include "base/program_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *ws_program_path(const char *name)
{
    const char *const path = getenv("PATH");
    char *found = NULL;
    if (strchr(name, '/'))
        return access(name, F_OK) ? NULL : strdup(name);
    for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; at;
         at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        const int length = (int)strcspn(at, ":");
        char *candidate = NULL;
        struct stat about;
        if (asprintf(&candidate, "%.*s/%s", length ? length : 1, length ? at : ".", name) < 0)
            return found;
        if (stat(candidate, &about) || !S_ISREG(about.st_mode) || (found && access(candidate, X_OK))) {
            free(candidate);
            continue;
        }
        free(found);
        found = candidate;
        if (!access(found, X_OK))
            return found;
    }
    return found;
}
