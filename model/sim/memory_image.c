/* memory_image.c - words of memory, and blocks that were read since the host copied them. */
#include "model/sim/memory_image.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ words */

void ws_memory_image_fini(ws_memory_image *image)
{
    ws_table_fini(&image->blocks);
}

int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *m)
{
    if (!image->words)
        return WS_OK;
    uint32_t *const words = ws_table_put(&image->blocks, m->block);
    if (!words)
        return WS_EMEM;
    for (uint32_t i = 0; i < image->words; i++)
        if (!m->mask || m->mask >> i & 1)
            words[i] = m->data[i];
    return WS_OK;
}

void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *m)
{
    if (!image->words)
        return;
    const uint32_t *const words = ws_table_find(&image->blocks, m->block);
    if (words)
        memcpy(m->data, words, image->words * sizeof *words);
    else
        memset(m->data, 0, image->words * sizeof *m->data);
}

/* ------------------------------------------------------------------------------------------------ copies of the host */

void ws_copied_fini(ws_copied *c)
{
    ws_table_fini(&c->read);
}

int ws_copied_take(ws_copied *c, uint64_t block, uint32_t bytes, bool *copied)
{
    size_t slot;
    *copied = false;
    if (!c->bytes || ws_table_has(&c->read, block))
        return WS_OK;
    const int status = ws_table_add(&c->read, block, &slot);
    if (status)
        return status;
    c->bytes -= bytes < c->bytes ? bytes : c->bytes;
    *copied = true;
    return WS_OK;
}

void ws_copied_save(const ws_copied *c, ws_bytes *bytes)
{
    uint64_t block;
    ws_bytes_add_varint(bytes, c->bytes);
    ws_bytes_add_varint(bytes, c->read.used);
    for (size_t i = 0; ws_table_next(&c->read, &i, &block); i++)
        ws_bytes_add_varint(bytes, block);
}

int ws_copied_load(ws_copied *c, ws_reader *reader)
{
    ws_table_clear(&c->read);
    c->bytes = ws_read_varint(reader);
    for (uint64_t left = ws_read_varint(reader); left && !reader->failed; left--) {
        size_t slot;
        const int status = ws_table_add(&c->read, ws_read_varint(reader), &slot);
        if (status)
            return status;
    }
    return WS_OK;
}
