/* kernel_header.c - what does the head of a trace file say about its kernel? */
#include "collect/accelsim/trace_reader.h"

#include "base/status.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

void ws_kernel_header_fini(ws_kernel_header *h)
{
    free(h->name);
    *h = (ws_kernel_header){0};
}

int ws_trace_fail(const char *path, uint64_t line_number, const char *line, const char *end, const char *at,
                  const char *expected)
{
    int length = 0;
    while (length < end - at && at[length] > ' ' && length < 40)
        length++;
    if (!length)
        return ws_fail(WS_EINPUT, "%s:%" PRIu64 ":%td: expected %s, not the end of the line", path, line_number,
                       at - line + 1, expected);
    return ws_fail(WS_EINPUT, "%s:%" PRIu64 ":%td: expected %s, not '%.*s'", path, line_number, at - line + 1, expected,
                   length, at);
}

/* The number at *p, which moves behind it. */
static bool number(const char **p, unsigned base, uint64_t most, uint64_t *value)
{
    char *stop;
    if (**p < '0' || **p > '9')
        return false;
    *value = strtoull(*p, &stop, (int)base);
    *p = stop;
    return *value <= most;
}

typedef bool reader(const char *p, const char *end, ws_kernel_header *h, size_t member);

#define MEMBER(type) ((type *)(void *)((char *)h + member))

static bool at_end(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p == end;
}

static bool read_u32(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    return number(&p, 10, UINT32_MAX, MEMBER(uint64_t)) && at_end(p, end);
}

static bool read_u64(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    return number(&p, 10, UINT64_MAX, MEMBER(uint64_t)) && at_end(p, end);
}

static bool read_address(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    return number(&p, 16, UINT64_MAX, MEMBER(uint64_t)) && at_end(p, end);
}

static bool read_dim(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    for (unsigned i = 0; i < 3; i++)
        if (*p++ != (i ? ',' : '(') || !number(&p, 10, INT32_MAX, &MEMBER(uint64_t)[i]) || !MEMBER(uint64_t)[i])
            return false;
    return *p == ')' && at_end(p + 1, end);
}

/* "1.2" is 1. */
static bool read_version(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    uint64_t version, minor;
    if (!number(&p, 10, UINT16_MAX, &version) || (*p == '.' && (p++, !number(&p, 10, UINT32_MAX, &minor))))
        return false;
    *MEMBER(unsigned) = (unsigned)version;
    return at_end(p, end);
}

static bool read_flag(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    *MEMBER(bool) = *p == '1';
    return (*p == '0' || *p == '1') && at_end(p + 1, end);
}

static bool read_word(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    char *const to = MEMBER(char);
    size_t n = 0;
    for (; p < end && n + 1 < sizeof h->nvbit; p++)
        if (*p > ' ' && *p < 127)
            to[n++] = *p;
    to[n] = 0;
    return true;
}

static bool read_name(const char *p, const char *end, ws_kernel_header *h, size_t member)
{
    char **const name = MEMBER(char *);
    while (end > p && end[-1] == ' ')
        end--;
    free(*name);
    *name = end > p ? strndup(p, (size_t)(end - p)) : NULL;
    return *name;
}

static const struct {
    const char *key;
    reader *read;
    size_t member;
    const char *expected;
} keys[] = {
    {"kernel name", read_name, offsetof(ws_kernel_header, name), "the kernel's name"},
    {"kernel id", read_u32, offsetof(ws_kernel_header, id), "a number"},
    {"grid dim", read_dim, offsetof(ws_kernel_header, grid), "(x,y,z), blocks in each direction"},
    {"block dim", read_dim, offsetof(ws_kernel_header, block), "(x,y,z), threads in each direction"},
    {"shmem", read_u32, offsetof(ws_kernel_header, shared_bytes), "bytes of shared memory"},
    {"nregs", read_u32, offsetof(ws_kernel_header, registers), "how many registers a thread has"},
    {"binary version", read_u32, offsetof(ws_kernel_header, binary), "a number as 75"},
    {"cuda stream id", read_u64, offsetof(ws_kernel_header, stream), "a number"},
    {"shmem base_addr", read_address, offsetof(ws_kernel_header, form.window[0]), "an address (0x...)"},
    {"local mem base_addr", read_address, offsetof(ws_kernel_header, form.window[1]), "an address (0x...)"},
    {"nvbit version", read_word, offsetof(ws_kernel_header, nvbit), "a version"},
    {"accelsim tracer version", read_version, offsetof(ws_kernel_header, form.version), "a number, 1 to 6"},
    {"enable lineinfo", read_flag, offsetof(ws_kernel_header, form.line_numbers), "0 or 1"},
};

/* A line "-key = value". Keys that are not in the table are not for us. */
static int read_line(const ws_lines *lines, const char *line, const char *end, ws_kernel_header *h)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t n = strlen(keys[i].key);
        const char *p = line + 1;
        if ((size_t)(end - p) < n || memcmp(p, keys[i].key, n))
            continue;
        for (p += n; *p == ' ' || *p == '\t'; p++)
            ;
        if (*p != '=')
            continue; /* another key that begins so */
        for (p++; *p == ' ' || *p == '\t'; p++)
            ;
        return keys[i].read(p, end, h, keys[i].member)
                   ? WS_OK
                   : ws_trace_fail(ws_lines_path(lines), ws_lines_number(lines), line, end, p, keys[i].expected);
    }
    return WS_OK;
}

static int check(const ws_lines *lines, const ws_kernel_header *h)
{
    const char *const path = ws_lines_path(lines);
    const uint64_t at = ws_lines_number(lines);
    if (!h->name || !h->grid[0] || !h->block[0])
        return ws_fail(WS_EINPUT, "%s:%" PRIu64 ":1: expected '-%s = ...' in the header before this line", path, at,
                       !h->name      ? "kernel name"
                       : !h->grid[0] ? "grid dim"
                                     : "block dim");
    const unsigned __int128 blocks = (unsigned __int128)h->grid[0] * h->grid[1] * h->grid[2],
                            threads = (unsigned __int128)h->block[0] * h->block[1] * h->block[2];
    if (blocks > WS_KERNEL_BLOCKS_MOST)
        return ws_fail(WS_EINPUT,
                       "%s:%" PRIu64 ":1: expected at most %d blocks, not %" PRIu64 " x %" PRIu64 " x %" PRIu64, path,
                       at, WS_KERNEL_BLOCKS_MOST, h->grid[0], h->grid[1], h->grid[2]);
    if (threads > WS_KERNEL_THREADS_MOST)
        return ws_fail(WS_EINPUT,
                       "%s:%" PRIu64 ":1: expected at most %d threads in a block, not %" PRIu64 " x %" PRIu64
                       " x %" PRIu64,
                       path, at, WS_KERNEL_THREADS_MOST, h->block[0], h->block[1], h->block[2]);
    if (h->form.version > 6)
        return ws_fail(WS_EVERSION, "%s: written by version %u of the tracer; versions up to 6 are known", path,
                       h->form.version);
    return WS_OK;
}

int ws_kernel_header_read(ws_lines *lines, ws_kernel_header *h, bool *begun)
{
    *h = (ws_kernel_header){0};
    *begun = false;
    for (;;) {
        const char *line, *end;
        bool found;
        const int status = ws_lines_next(lines, &line, &end, &found);
        if (status)
            return status;
        if (!found)
            return ws_fail(WS_EINPUT,
                           "%s:%" PRIu64 ":1: expected a header that ends with a line '#traces format = ...', "
                           "not the end of the file",
                           ws_lines_path(lines), ws_lines_number(lines) + 1);
        if (*line == '#') {
            *begun = end - line >= 9 && !memcmp(line, "#BEGIN_TB", 9);
            return check(lines, h);
        }
        if (*line == '-') {
            const int read = read_line(lines, line, end, h);
            if (read)
                return read;
        } else if (!at_end(line, end)) {
            return ws_trace_fail(ws_lines_path(lines), ws_lines_number(lines), line, end, line,
                                 "a header line '-name = value' or '#traces format = ...'");
        }
    }
}
