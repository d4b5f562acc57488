/* output.c - how does a full disk or a crash leave the old file untouched? */
#include "base/output.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 100 };

static int forget(ws_output *output, int rc)
{
    free(output->path);
    free(output->temporary);
    *output = (ws_output){0};
    return rc;
}

/* A new file beside the path, with the permissions that a plain fopen would give it. */
static int open_temporary(ws_output *output)
{
    for (int i = 0; i < NAME_TRIES; i++) {
        if (asprintf(&output->temporary, "%s.%ld-%d.tmp", output->path, (long)getpid(), i) < 0) {
            output->temporary = NULL;
            return ws_fail(WS_EMEM, "no memory for a file name");
        }
        const int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            output->stream = fdopen(fd, "w");
            if (output->stream)
                return WS_OK;
            close(fd);
            unlink(output->temporary);
            return ws_fail(WS_EMEM, "no memory for a stream");
        }
        if (errno != EEXIST)
            break;
        free(output->temporary);
        output->temporary = NULL;
    }
    return ws_fail(WS_EIO, "cannot write %s: %s", output->path, strerror(errno));
}

int ws_output_open(ws_output *output, const char *path)
{
    *output = (ws_output){0};
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
        return WS_OK;
    }
    struct stat there;
    const int exists = stat(path, &there) == 0;
    output->path = exists ? realpath(path, NULL) : strdup(path); /* a link stays a link */
    if (!output->path)
        return forget(output, ws_fail(WS_EMEM, "cannot write %s: %s", path, strerror(errno)));
    if (exists && S_ISDIR(there.st_mode))
        return forget(output, ws_fail(WS_EIO, "cannot write %s: it is a directory", path));
    if (exists && access(path, W_OK) != 0)
        return forget(output, ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno)));
    if (exists && !S_ISREG(there.st_mode)) {
        output->stream = fopen(path, "we");
        return output->stream ? WS_OK : forget(output, ws_fail(WS_EIO, "cannot write %s: %s", path, strerror(errno)));
    }
    const int rc = open_temporary(output);
    return rc == WS_OK ? rc : forget(output, rc);
}

static int finish(ws_output *output)
{
    int bad = ferror(output->stream) || fflush(output->stream) != 0;
    int reason = bad ? errno : 0;
    if (output->temporary && !bad && fsync(fileno(output->stream)) != 0) {
        bad = 1;
        reason = errno;
    }
    if (fclose(output->stream) != 0 && !bad) {
        bad = 1;
        reason = errno;
    }
    if (output->temporary && !bad && rename(output->temporary, output->path) != 0) {
        bad = 1;
        reason = errno;
    }
    if (output->temporary && bad)
        unlink(output->temporary);
    return bad ? ws_fail(WS_EIO, "cannot write %s: %s", output->path, strerror(reason)) : WS_OK;
}

int ws_output_close(ws_output *output, int rc)
{
    if (!output->path) {
        const int bad = fflush(output->stream) != 0 || ferror(output->stream);
        if (rc == WS_OK && bad)
            rc = ws_fail(WS_EIO, "cannot write to the standard output: %s", strerror(errno));
        return forget(output, rc);
    }
    if (rc == WS_OK)
        return forget(output, finish(output));
    fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    return forget(output, rc);
}
