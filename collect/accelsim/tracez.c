/* tracez.c - the packed traces of Accel-Sim 2.0: what is in their frame?
 *
 * Little-endian: header text, 0; u32 bytes of a zstd dictionary, u32 instructions of a piece; the dictionary; per warp
 * u32 instructions, u32 pieces, and per piece u32 bytes and a zstd frame with instruction lines. At the end an index:
 * u32 blocks; per block u32 x, y, z, cluster x, y, z, block in cluster x, y, z, rank, warps; per warp u32 instructions,
 * u32 pieces, u64 offset, u32 instructions of each piece. The last 8 bytes: offset of the index. */
#include "collect/accelsim/trace_reader.h"

#include "base/input.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

enum { HEADER_MOST = 1 << 20, DICTIONARY_MOST = 1 << 24, PIECE_MOST = 1 << 28, BLOCK_WORDS = 11 };

#define NOBODY UINT32_MAX

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are read as the memory lies");

typedef struct tracez {
    const char *path;
    FILE *index, *data; /* the same file: here the index is read on, there the warps */
    uint64_t size, index_at;
    char *header;
    ZSTD_DCtx *zstd;
    ZSTD_DDict *dictionary;
    char *packed, *text;
    size_t packed_room, text_room;
    uint64_t packed_length;
    uint64_t warp_bytes; /* of the warps read: no two of them lie in one place, so all are not more than the file */
    ws_trace_target *target;
    ws_line_form form;
} tracez;

static int damaged(const tracez *z, FILE *file, const char *what)
{
    return ws_fail(WS_EINPUT, "%s: damaged at byte %" PRIu64 ": %s", z->path, (uint64_t)ftello(file), what);
}

static int no_memory(const tracez *z)
{
    return ws_fail(WS_EMEM, "no memory to read %s", z->path);
}

static int take(const tracez *z, FILE *file, void *to, size_t length)
{
    if (fread(to, 1, length, file) == length)
        return WS_OK;
    return ferror(file) ? ws_fail(WS_EIO, "cannot read %s: %s", z->path, strerror(errno))
                        : damaged(z, file, "the file ends here");
}

static int go_to(const tracez *z, FILE *file, uint64_t offset, const char *what)
{
    if (offset >= z->size || fseeko(file, (off_t)offset, SEEK_SET))
        return damaged(z, file, what);
    return WS_OK;
}

static int make_room(const tracez *z, char **buffer, size_t *room, size_t needed)
{
    if (needed <= *room)
        return WS_OK;
    char *const more = realloc(*buffer, needed);
    if (!more)
        return no_memory(z);
    *buffer = more;
    *room = needed;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ the head */

static int read_text(tracez *z, size_t *length)
{
    z->header = malloc(HEADER_MOST);
    if (!z->header)
        return no_memory(z);
    for (*length = 0; *length < HEADER_MOST; ++*length) {
        const int c = fgetc(z->data);
        if (c == EOF)
            return damaged(z, z->data, "the header does not end");
        z->header[*length] = (char)c;
        if (!c)
            return WS_OK;
    }
    return damaged(z, z->data, "the header is larger than a mebibyte");
}

static int read_header(tracez *z, ws_kernel_header *header)
{
    size_t length = 0;
    ws_lines *lines = NULL;
    bool begun;
    int status = read_text(z, &length);
    if (!status)
        status = ws_lines_of(z->path, z->header, length, &lines);
    if (!status)
        status = ws_kernel_header_read(lines, header, &begun);
    ws_lines_close(lines);
    return status;
}

static int read_dictionary(tracez *z)
{
    uint32_t head[2];
    int status = take(z, z->data, head, sizeof head);
    if (status || !head[0])
        return status;
    if (head[0] > DICTIONARY_MOST)
        return damaged(z, z->data, "the dictionary is larger than 16 MiB");
    status = make_room(z, &z->packed, &z->packed_room, head[0]);
    if (!status)
        status = take(z, z->data, z->packed, head[0]);
    if (!status && !(z->dictionary = ZSTD_createDDict(z->packed, head[0])))
        status = damaged(z, z->data, "what stands before is no dictionary of zstd");
    return status;
}

/* ------------------------------------------------------------------------------------------------ warps */

/* Unpacks z->packed into z->text; *length bytes and a line feed. */
static int unpack(tracez *z, size_t *length)
{
    const unsigned long long said = ZSTD_getFrameContentSize(z->packed, z->packed_length);
    if (said == ZSTD_CONTENTSIZE_ERROR || said == ZSTD_CONTENTSIZE_UNKNOWN || said > PIECE_MOST)
        return damaged(z, z->data, "what stands before is no piece of a trace");
    const int status = make_room(z, &z->text, &z->text_room, (size_t)said + 1);
    if (status)
        return status;
    *length = z->dictionary ? ZSTD_decompress_usingDDict(z->zstd, z->text, z->text_room, z->packed, z->packed_length,
                                                         z->dictionary)
                            : ZSTD_decompressDCtx(z->zstd, z->text, z->text_room, z->packed, z->packed_length);
    if (ZSTD_isError(*length))
        return damaged(z, z->data, ZSTD_getErrorName(*length));
    return WS_OK;
}

static int read_lines(tracez *z, const ws_trace_warp *warp, size_t length, uint32_t *before, uint64_t *read)
{
    char where[512];
    snprintf(where, sizeof where, "%s: block %" PRIu64 ", warp %" PRIu32, z->path, warp->block, warp->number);
    const char *const stop = z->text + length;
    for (char *line = z->text, *end; line < stop; line = end + 1) {
        end = memchr(line, '\n', (size_t)(stop - line));
        if (!end) {
            end = z->text + length;
            *end = '\n';
        }
        if (end == line)
            continue;
        if (end - line > WS_LINE_MOST)
            return ws_fail(WS_EINPUT, "%s: a line of more than %d bytes is no line of a trace", where, WS_LINE_MOST);
        ++*read;
        const int status = ws_trace_line_read(z->target, &z->form, line, end, warp, before, where, *read);
        if (status)
            return status;
    }
    return WS_OK;
}

static int read_piece(tracez *z, const ws_trace_warp *warp, uint32_t *before, uint64_t *read)
{
    uint32_t packed;
    size_t length = 0;
    int status = take(z, z->data, &packed, sizeof packed);
    if (!status && packed > z->size)
        status = damaged(z, z->data, "a piece is larger than the file");
    if (!status)
        status = make_room(z, &z->packed, &z->packed_room, packed);
    if (!status)
        status = take(z, z->data, z->packed, packed);
    z->packed_length = packed;
    z->warp_bytes += sizeof packed + packed;
    if (!status && z->warp_bytes > z->size)
        status = damaged(z, z->data, "several warps of the index lie here");
    if (!status)
        status = unpack(z, &length);
    return status ? status : read_lines(z, warp, length, before, read);
}

/* The index's entry of a warp, then the warp. */
static int read_warp(tracez *z, const ws_trace_warp *warp, uint64_t key)
{
    uint32_t count[2], head[2], before = NOBODY;
    uint64_t offset, read = 0;
    int status = take(z, z->index, count, sizeof count);
    if (!status)
        status = take(z, z->index, &offset, sizeof offset);
    if (!status && (uint64_t)count[1] * sizeof *count > z->size)
        status = damaged(z, z->index, "a warp has more pieces than the file can hold");
    if (!status && fseeko(z->index, (off_t)count[1] * (off_t)sizeof *count, SEEK_CUR))
        status = damaged(z, z->index, "the index breaks off");
    if (status || !count[1])
        return status;
    status = go_to(z, z->data, offset, "a warp lies outside of the file");
    if (!status)
        status = take(z, z->data, head, sizeof head);
    if (!status && (head[0] != count[0] || head[1] != count[1]))
        status = damaged(z, z->data, "the warp here is not the one of the index");
    for (uint32_t i = 0; i < count[1] && !status; i++)
        status = read_piece(z, warp, &before, &read);
    if (!status && read != count[0])
        status = damaged(z, z->data, "the warp before has not as many instructions as the index says");
    return status ? status : ws_spool_leave(z->target->spool, key);
}

static int read_block(tracez *z, const ws_kernel_header *h)
{
    uint32_t word[BLOCK_WORDS];
    const uint32_t warps = (uint32_t)((h->block[0] * h->block[1] * h->block[2] + WS_WARP - 1) / WS_WARP);
    int status = take(z, z->index, word, sizeof word);
    if (status)
        return status;
    ws_trace_warp warp = {.block = ((uint64_t)word[2] * h->grid[1] + word[1]) * h->grid[0] + word[0]};
    if (word[0] >= h->grid[0] || word[1] >= h->grid[1] || word[2] >= h->grid[2] || word[BLOCK_WORDS - 1] > warps)
        return damaged(z, z->index, "a block that the grid does not have, or one with too many warps");
    for (; warp.number < word[BLOCK_WORDS - 1] && !status; warp.number++) {
        const uint64_t key = warp.block * warps + warp.number;
        if (ws_spool_has(z->target->spool, key))
            return damaged(z, z->index, "a block that the trace has had before");
        status = read_warp(z, &warp, key);
    }
    return status;
}

static int read_blocks(tracez *z, const ws_kernel_header *h)
{
    uint32_t blocks = 0;
    int status = go_to(z, z->data, z->size - sizeof z->index_at, "the file is too short");
    if (!status)
        status = take(z, z->data, &z->index_at, sizeof z->index_at);
    if (!status)
        status = go_to(z, z->index, z->index_at, "the index lies outside of the file");
    if (!status)
        status = take(z, z->index, &blocks, sizeof blocks);
    for (uint32_t i = 0; i < blocks && !status; i++) {
        status = read_block(z, h);
        if (!status && z->target->progress && z->target->progress(z->target->context, (double)i / blocks))
            status = ws_fail(WS_EINTERRUPTED, "%s: interrupted", z->path);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ life */

static int open_file(tracez *z)
{
    static const ws_input trace = {.what = "a trace", .source = WS_INPUT_FILES};
    int status = ws_input_open_stream(z->path, &trace, &z->data);
    if (!status)
        status = ws_input_open_stream(z->path, &trace, &z->index);
    if (status)
        return status;
    z->zstd = ZSTD_createDCtx();
    if (!z->zstd)
        return no_memory(z);
    if (fseeko(z->data, 0, SEEK_END))
        return ws_fail(WS_EIO, "cannot read %s: %s", z->path, strerror(errno));
    z->size = (uint64_t)ftello(z->data);
    rewind(z->data);
    return z->size > sizeof z->index_at ? WS_OK : damaged(z, z->data, "the file is too short");
}

int ws_tracez_read(const char *path, ws_kernel_header *header,
                   int (*choose)(void *context, const ws_kernel_header *header, ws_trace_target **target),
                   void *context)
{
    tracez z = {.path = path};
    *header = (ws_kernel_header){0};
    int status = open_file(&z);
    if (!status)
        status = read_header(&z, header);
    if (!status)
        status = choose(context, header, &z.target);
    z.form = header->form;
    z.form.position = z.form.version < 3;
    if (!status && z.target)
        status = read_dictionary(&z);
    if (!status && z.target)
        status = read_blocks(&z, header);
    if (z.data)
        fclose(z.data);
    if (z.index)
        fclose(z.index);
    free(z.header);
    free(z.packed);
    free(z.text);
    ZSTD_freeDCtx(z.zstd);
    ZSTD_freeDDict(z.dictionary);
    return status;
}
