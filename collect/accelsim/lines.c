/* lines.c - how does a text of any size, packed or not, become lines without being held? */
#include "collect/accelsim/lines.h"

#include "base/grow.h"
#include "base/input.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BYTES = 1 << 18, PACKED_BYTES = 1 << 16, XZ_MEMORY = 1 << 29, PATH_SHOWN = 400 };

static const uint8_t xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};

struct ws_lines {
    char *path;
    int file; /* -1: the text is in memory */
    const uint8_t *memory;
    size_t memory_left;
    bool packed, ended; /* ended: nothing more comes into the buffer */
    lzma_stream xz;
    uint8_t *input;       /* [PACKED_BYTES] */
    uint64_t taken, size; /* bytes of the file */
    uint64_t number, given;
    char *buffer;
    size_t capacity;
    char *next, *end; /* what is in the buffer */
};

static int no_memory(const char *path)
{
    return ws_fail(WS_EMEM, "no memory to read %s", path);
}

/* Up to `most` bytes of the file; *n 0 at its end. */
static int take(ws_lines *l, void *to, size_t most, size_t *n)
{
    if (l->file < 0) {
        *n = most < l->memory_left ? most : l->memory_left;
        memcpy(to, l->memory, *n);
        l->memory += *n;
        l->memory_left -= *n;
    } else {
        ssize_t got;
        do
            got = read(l->file, to, most);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return ws_fail(WS_EIO, "cannot read %s: %s", l->path, strerror(errno));
        *n = (size_t)got;
    }
    l->taken += *n;
    return WS_OK;
}

static int fail_xz(const ws_lines *l, lzma_ret why)
{
    const char *const what = why == LZMA_MEM_ERROR        ? "no memory to unpack it"
                             : why == LZMA_MEMLIMIT_ERROR ? "unpacking takes more than 512 MiB; pack it again"
                             : why == LZMA_BUF_ERROR      ? "the packed file breaks off"
                             : why == LZMA_OPTIONS_ERROR  ? "packed in a way that is not supported"
                                                          : "the packed file is damaged";
    return ws_fail(why == LZMA_MEM_ERROR ? WS_EMEM : WS_EINPUT, "%s:%" PRIu64 ": %s", l->path, l->number + 1, what);
}

static int unpack(ws_lines *l, void *to, size_t most, size_t *n)
{
    l->xz.next_out = to;
    l->xz.avail_out = most;
    lzma_ret status = LZMA_OK;
    bool drained = false;
    while (l->xz.avail_out == most && status == LZMA_OK) {
        if (!l->xz.avail_in) {
            size_t got;
            const int failed = take(l, l->input, PACKED_BYTES, &got);
            if (failed)
                return failed;
            l->xz.next_in = l->input;
            l->xz.avail_in = got;
            drained = !got;
        }
        status = lzma_code(&l->xz, drained ? LZMA_FINISH : LZMA_RUN);
    }
    *n = most - l->xz.avail_out;
    if (status == LZMA_STREAM_END && !*n)
        return WS_OK;
    return status == LZMA_OK || status == LZMA_STREAM_END ? WS_OK : fail_xz(l, status);
}

static int begin_xz(ws_lines *l)
{
    l->packed = true;
    l->input = malloc(PACKED_BYTES);
    if (!l->input)
        return no_memory(l->path);
    const lzma_ret status = lzma_stream_decoder(&l->xz, XZ_MEMORY, LZMA_CONCATENATED);
    if (status != LZMA_OK)
        return fail_xz(l, status);
    const size_t have = (size_t)(l->end - l->buffer); /* what was looked at stands at the front of the input */
    memcpy(l->input, l->buffer, have);
    l->xz.next_in = l->input;
    l->xz.avail_in = have;
    l->end = l->buffer;
    return WS_OK;
}

/* The buffer has room for a read and a line feed behind it. */
static int make_room(ws_lines *l)
{
    const size_t left = (size_t)(l->end - l->next);
    memmove(l->buffer, l->next, left);
    if (left > WS_LINE_MOST)
        return ws_fail(WS_EINPUT, "%s:%" PRIu64 ": a line of more than %d bytes is no line of a trace", l->path,
                       l->number + 1, WS_LINE_MOST);
    if (WS_GROW(l->buffer, l->capacity, left, READ_BYTES + 1))
        return no_memory(l->path);
    l->next = l->buffer;
    l->end = l->buffer + left;
    return WS_OK;
}

static int refill(ws_lines *l)
{
    size_t n = 0;
    int status = make_room(l);
    if (!status)
        status = l->packed ? unpack(l, l->end, READ_BYTES, &n) : take(l, l->end, READ_BYTES, &n);
    l->end += n;
    l->ended = !n;
    return status;
}

static int start(ws_lines *l)
{
    l->capacity = 2 * READ_BYTES;
    l->buffer = malloc(l->capacity);
    if (!l->buffer)
        return no_memory(l->path);
    l->next = l->end = l->buffer;
    size_t n = 0;
    int status = WS_OK;
    while (!status && l->end - l->buffer < (ptrdiff_t)sizeof xz_magic) {
        status = take(l, l->end, sizeof xz_magic - (size_t)(l->end - l->buffer), &n);
        if (!n)
            break;
        l->end += n;
    }
    if (!status && (size_t)(l->end - l->buffer) == sizeof xz_magic && !memcmp(l->buffer, xz_magic, sizeof xz_magic))
        status = begin_xz(l);
    return status;
}

static int create(const char *path, ws_lines **out)
{
    *out = NULL;
    ws_lines *const l = calloc(1, sizeof *l);
    if (!l || !(l->path = strdup(path))) {
        free(l);
        return no_memory(path);
    }
    l->file = -1;
    l->xz = (lzma_stream)LZMA_STREAM_INIT;
    *out = l;
    return WS_OK;
}

static int finish(int status, ws_lines **out)
{
    if (!status)
        status = start(*out);
    if (status) {
        ws_lines_close(*out);
        *out = NULL;
    }
    return status;
}

int ws_lines_open(const char *path, ws_lines **out)
{
    int status = create(path, out);
    if (status)
        return status;
    struct stat about;
    static const ws_input lines = {.what = "a trace or list", .source = WS_INPUT_PIPES};
    status = ws_input_open(path, &lines, &(*out)->file);
    if (!status && !fstat((*out)->file, &about) && S_ISREG(about.st_mode))
        (*out)->size = (uint64_t)about.st_size;
    return finish(status, out);
}

int ws_lines_of(const char *name, const void *text, size_t length, ws_lines **out)
{
    const int status = create(name, out);
    if (status)
        return status;
    (*out)->memory = text;
    (*out)->memory_left = (*out)->size = length;
    return finish(WS_OK, out);
}

void ws_lines_close(ws_lines *l)
{
    if (!l)
        return;
    lzma_end(&l->xz);
    if (l->file >= 0)
        close(l->file);
    free(l->input);
    free(l->buffer);
    free(l->path);
    free(l);
}

int ws_lines_next(ws_lines *l, const char **line, const char **end, bool *found)
{
    char *stop;
    size_t looked = 0;
    while (!(stop = memchr(l->next + looked, '\n', (size_t)(l->end - l->next) - looked)) && !l->ended) {
        looked = (size_t)(l->end - l->next);
        const int status = refill(l);
        if (status)
            return status;
    }
    *found = stop || l->next < l->end;
    if (!*found)
        return WS_OK;
    if (!stop) { /* the last line has no end of its own; the buffer has room for one */
        stop = l->end;
        *stop = '\n';
    }
    *line = l->next;
    l->next = stop < l->end ? stop + 1 : stop;
    l->given += (uint64_t)(l->next - *line);
    if (stop > *line && stop[-1] == '\r')
        *--stop = '\n';
    *end = stop;
    l->number++;
    return WS_OK;
}

uint64_t ws_lines_number(const ws_lines *l)
{
    return l->number;
}

double ws_lines_done(const ws_lines *l)
{
    return l->size ? (double)l->taken / (double)l->size : 0;
}

const char *ws_lines_path(const ws_lines *l)
{
    return l->path;
}

uint64_t ws_lines_bytes(const ws_lines *l)
{
    return l->given;
}
