/* bytes.c - a row of bytes that grows: doubling, and failing once for all. */
#include "base/bytes.h"

#include "base/grow.h"

#include <stdlib.h>

enum { FIRST_BYTES = 256 };

void ws_bytes_fini(ws_bytes *bytes)
{
    free(bytes->data);
    *bytes = (ws_bytes){0};
}

bool ws_bytes_reserve(ws_bytes *bytes, size_t more)
{
    if (bytes->failed)
        return false;
    if (more <= bytes->capacity - bytes->length)
        return true;
    const size_t wanted = more < FIRST_BYTES && !bytes->data ? FIRST_BYTES : more;
    bytes->failed = WS_GROW(bytes->data, bytes->capacity, bytes->length, wanted) != WS_OK;
    return !bytes->failed;
}

void ws_bytes_add(ws_bytes *bytes, const void *data, size_t length)
{
    if (!length || !ws_bytes_reserve(bytes, length))
        return;
    memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
}

void ws_bytes_add_varint(ws_bytes *bytes, uint64_t value)
{
    if (!ws_bytes_reserve(bytes, WS_VARINT_BYTES))
        return;
    uint8_t *to = bytes->data + bytes->length;
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    bytes->length = (size_t)(to - bytes->data);
}

void ws_bytes_add_text(ws_bytes *bytes, const char *text)
{
    const size_t length = strlen(text);
    ws_bytes_add_varint(bytes, length);
    ws_bytes_add(bytes, text, length);
}
