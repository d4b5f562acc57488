/* fatbin_write.c - PTX modules that are to be linked, as one block of memory that ws_fatbin_open takes. */
#include "collect/fatbin/fatbin_internal.h"

static void put(ws_bytes *b, uint64_t value, unsigned bytes)
{
    uint8_t at[8];
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    ws_bytes_add(b, at, bytes);
}

static void pad(ws_bytes *b)
{
    while (b->length % 8 && !b->failed)
        put(b, 0, 1);
}

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static void put_part(ws_bytes *b, const ws_fatbin_part *part)
{
    const size_t name = strlen(part->name);
    put(b, WS_FATBIN_PTX, 2);
    put(b, 0x0101, 2);
    put(b, WS_FATBIN_ENTRY_BYTES + padded(name), 4);
    put(b, padded(part->length), 8);
    put(b, 0, 8); /* not packed, no options */
    put(b, 0, 8); /* the text tells its version and architecture */
    put(b, WS_FATBIN_ENTRY_BYTES, 4);
    put(b, name, 4);
    put(b, WS_FATBIN_FLAG_PART, 8);
    put(b, 0, 8);
    put(b, 0, 8);
    ws_bytes_add(b, part->name, name);
    pad(b);
    ws_bytes_add(b, part->text, part->length);
    pad(b);
}

int ws_fatbin_write(const ws_fatbin_part *part, uint32_t parts, ws_bytes *out)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < parts; i++)
        bytes += WS_FATBIN_ENTRY_BYTES + padded(strlen(part[i].name)) + padded(part[i].length);
    put(out, WS_FATBIN_MAGIC, 4);
    put(out, 1, 2);
    put(out, WS_FATBIN_HEADER_BYTES, 2);
    put(out, bytes, 8);
    for (uint32_t i = 0; i < parts; i++)
        put_part(out, &part[i]);
    return out->failed ? ws_fail(WS_EMEM, "no memory for linked modules") : WS_OK;
}
