/* memory_image.c - two tables of lines by open addressing. */
#include "model/sim/memory_image.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static uint64_t hash(uint64_t x)
{
    x *= UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

/* The place of a line in a table whose length is a power of two. */
static size_t find(const uint64_t *lines, size_t room, uint64_t line)
{
    size_t at = hash(line) & (room - 1);
    while (lines[at] && lines[at] != line + 1)
        at = (at + 1) & (room - 1);
    return at;
}

/* ------------------------------------------------------------------------------------------------ words */

void ws_memory_image_fini(ws_memory_image *image)
{
    free(image->line);
    free(image->data);
}

static int widen(ws_memory_image *image)
{
    if (image->used * 2 < image->room)
        return WS_OK;
    const size_t room = image->room ? image->room * 2 : FIRST_ROOM;
    uint64_t *const line = calloc(room, sizeof *line);
    uint32_t *const data = calloc(room * image->words, sizeof *data);
    if (!line || !data) {
        free(line);
        free(data);
        return ws_fail(WS_EMEM, "no memory for the contents of memory");
    }
    for (size_t i = 0; i < image->room; i++) {
        if (!image->line[i])
            continue;
        const size_t at = find(line, room, image->line[i] - 1);
        line[at] = image->line[i];
        memcpy(data + at * image->words, image->data + i * image->words, image->words * sizeof *data);
    }
    ws_memory_image_fini(image);
    image->line = line;
    image->data = data;
    image->room = room;
    return WS_OK;
}

int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *m)
{
    if (!image->words)
        return WS_OK;
    const int status = widen(image);
    if (status)
        return status;
    const size_t at = find(image->line, image->room, m->block);
    image->used += !image->line[at];
    image->line[at] = m->block + 1;
    for (uint32_t i = 0; i < image->words; i++)
        if (!m->mask || m->mask >> i & 1)
            image->data[at * image->words + i] = m->data[i];
    return WS_OK;
}

void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *m)
{
    if (!image->words)
        return;
    memset(m->data, 0, image->words * sizeof *m->data);
    if (!image->room)
        return;
    const size_t at = find(image->line, image->room, m->block);
    if (image->line[at])
        memcpy(m->data, image->data + at * image->words, image->words * sizeof *m->data);
}

/* ------------------------------------------------------------------------------------------------ copies of the host */

void ws_copied_fini(ws_copied *c)
{
    free(c->line);
}

static int widen_copied(ws_copied *c)
{
    if (c->used * 2 < c->room)
        return WS_OK;
    const size_t room = c->room ? c->room * 2 : 4 * FIRST_ROOM;
    uint64_t *const line = calloc(room, sizeof *line);
    if (!line)
        return ws_fail(WS_EMEM, "no memory for what is in L2");
    for (size_t i = 0; i < c->room; i++)
        if (c->line[i])
            line[find(line, room, c->line[i] - 1)] = c->line[i];
    free(c->line);
    c->line = line;
    c->room = room;
    return WS_OK;
}

int ws_copied_take(ws_copied *c, uint64_t line, uint32_t bytes, bool *copied)
{
    *copied = false;
    const int status = c->bytes ? widen_copied(c) : WS_OK;
    if (status || !c->bytes)
        return status;
    const size_t at = find(c->line, c->room, line);
    if (c->line[at])
        return WS_OK;
    c->line[at] = line + 1;
    c->used++;
    c->bytes -= bytes < c->bytes ? bytes : c->bytes;
    *copied = true;
    return WS_OK;
}

void ws_copied_save(const ws_copied *c, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, c->bytes);
    ws_bytes_add_varint(bytes, c->room);
    ws_bytes_add_varint(bytes, c->used);
    ws_bytes_add(bytes, c->line, c->room * sizeof *c->line);
}

int ws_copied_load(ws_copied *c, ws_reader *reader)
{
    const uint64_t left = ws_read_varint(reader), room = ws_read_varint(reader), used = ws_read_varint(reader);
    const uint8_t *const from = room & (room - 1) ? NULL : ws_read_bytes(reader, room * sizeof *c->line);
    uint64_t *const line = from ? malloc(room * sizeof *line + 1) : NULL;
    if (!line)
        return ws_fail(from ? WS_EMEM : WS_EINPUT, "the checkpoint ends within what the host copied");
    memcpy(line, from, room * sizeof *line);
    free(c->line);
    *c = (ws_copied){.bytes = left, .line = line, .room = room, .used = used};
    return WS_OK;
}
