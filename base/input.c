/* input.c - see input.h. A file is opened without waiting and looked at before a byte of it is read. */
#include "base/input.h"

#include "base/grow.h"
#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 16, SMALL_BYTES = 16 << 20, PIPE_FILE_SYSTEM = 0x50495045, NULL_MAJOR = 1, NULL_MINOR = 3 };

static int refuse(const char *path, const char *is, const ws_input *input)
{
    static const char *const sources[] = {[WS_INPUT_FILES] = "a file",
                                          [WS_INPUT_PIPES] = "a file, /dev/stdin or a pipe of the shell, <(...)",
                                          [WS_INPUT_FIFOS] = "a file or a pipe"};
    return ws_fail(WS_EIO, "cannot read %s: it is %s; %s is read from %s", path, is, input->what,
                   sources[input->source]);
}

/* A pipe without a name has the writer that the shell gave it. */
static bool is_named_pipe(int fd)
{
    struct statfs system;
    return fstatfs(fd, &system) || system.f_type != PIPE_FILE_SYSTEM;
}

static bool is_null_device(const struct stat *about)
{
    return major(about->st_rdev) == NULL_MAJOR && minor(about->st_rdev) == NULL_MINOR;
}

static int too_long(const char *name, const ws_input *input)
{
    return ws_fail(WS_ELIMIT, "%s: longer than %zu MiB; is it %s?", name, input->most_bytes >> 20, input->what);
}

static int check(const char *path, int fd, const ws_input *input)
{
    struct stat about;
    if (fstat(fd, &about))
        return ws_fail(WS_EIO, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return ws_fail(WS_EIO, "cannot read %s: it is a folder", path);
    if (S_ISCHR(about.st_mode) && is_null_device(&about))
        return WS_OK;
    if (S_ISCHR(about.st_mode) && isatty(fd))
        return input->source == WS_INPUT_FILES ? refuse(path, "a terminal", input) : WS_OK;
    if (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))
        return refuse(path, "a device", input);
    if (!S_ISREG(about.st_mode) && input->source == WS_INPUT_FILES)
        return refuse(path, S_ISFIFO(about.st_mode) ? "a pipe" : "not a file", input);
    if (S_ISFIFO(about.st_mode) && input->source != WS_INPUT_FIFOS && is_named_pipe(fd))
        return refuse(path, "a named pipe", input);
    if (S_ISREG(about.st_mode) && input->most_bytes && (size_t)about.st_size > input->most_bytes)
        return too_long(path, input);
    return WS_OK;
}

/* Only where a named pipe is allowed may opening it wait. */
static bool may_wait(const char *path, const ws_input *input)
{
    struct stat about;
    return input->source == WS_INPUT_FIFOS && !stat(path, &about) && S_ISFIFO(about.st_mode);
}

int ws_input_open(const char *path, const ws_input *input, int *fd)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (may_wait(path, input) ? 0 : O_NONBLOCK));
    if (*fd < 0) {
        const bool is_absent = errno == ENOENT || errno == ENOTDIR;
        return ws_fail(is_absent && input->is_found ? WS_ENOTFOUND : WS_EIO, "cannot read %s: %s", path,
                       strerror(errno));
    }
    int status = check(path, *fd, input);
    if (!status && fcntl(*fd, F_SETFL, 0))
        status = ws_fail(WS_EIO, "cannot read %s: %s", path, strerror(errno));
    if (status) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

int ws_input_open_stream(const char *path, const ws_input *input, FILE **stream)
{
    int fd;
    *stream = NULL;
    const int status = ws_input_open(path, input, &fd);
    if (status)
        return status;
    *stream = fdopen(fd, "rb");
    if (*stream)
        return WS_OK;
    close(fd);
    return ws_fail(WS_EMEM, "%s: out of memory", path);
}

static int read_on(FILE *in, const char *name, const ws_input *input, char **text, size_t *length)
{
    size_t room = 0, most = input->most_bytes;
    bool is_small = true;
    for (size_t n = 1; n; *length += n) {
        if (is_small && *length > SMALL_BYTES) { /* the text, what it grows into, and what is made of it */
            const double left = ws_memory_left() / 3;
            is_small = false;
            most = left < (double)(most - *length) ? *length + (size_t)left : most;
        }
        if (*length > input->most_bytes)
            return too_long(name, input);
        if (*length > most)
            return ws_fail(WS_ELIMIT,
                           "%s: longer than the %zu MiB that there is memory for (of the machine, its limits or "
                           "WARPSCAPE_MAX_MEMORY)",
                           name, most >> 20);
        if (WS_GROW(*text, room, *length, READ_BYTES + 1))
            return ws_fail(WS_EMEM, "%s: out of memory", name);
        n = fread(*text + *length, 1, room - *length - 1, in);
    }
    if (ferror(in))
        return ws_fail(WS_EIO, "cannot read %s: %s", name, strerror(errno));
    (*text)[*length] = '\0';
    return WS_OK;
}

int ws_input_read_stream(FILE *stream, const char *name, const ws_input *input, char **text, size_t *length)
{
    const ws_input any = {.what = input->what, .most_bytes = input->most_bytes, .source = WS_INPUT_FIFOS};
    const int fd = fileno(stream);
    *text = NULL;
    *length = 0;
    int status = fd < 0 ? WS_OK : check(name, fd, &any); /* memory as a stream has no descriptor */
    if (!status)
        status = read_on(stream, name, input, text, length);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

int ws_input_read(const char *path, const ws_input *input, char **text, size_t *length)
{
    FILE *in;
    *text = NULL;
    *length = 0;
    int status = ws_input_open_stream(path, input, &in);
    if (status)
        return status;
    status = ws_input_read_stream(in, path, input, text, length);
    fclose(in);
    return status;
}
