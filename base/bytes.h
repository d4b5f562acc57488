/* bytes.h - growing byte buffer for writing and bounded reader, with variable-length numbers.
 *
 * A number takes 7 bits per byte, lowest bits first, so small numbers take few bytes. Signed numbers are zigzag-folded,
 * so that -1, 1, -2, 2 ... are also small. */
#ifndef WS_BYTES_H
#define WS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WS_VARINT_BYTES = 10 }; /* most bytes that a 64-bit number takes */

/* A zeroed buffer is empty. Free with ws_bytes_fini. */
typedef struct ws_bytes {
    uint8_t *data;
    size_t length, capacity;
    bool failed; /* memory was short; bytes added since are lost */
} ws_bytes;

void ws_bytes_fini(ws_bytes *bytes);

/* Reserves room for `more` bytes after the end. Returns false and sets `failed` when memory is short. */
bool ws_bytes_reserve(ws_bytes *bytes, size_t more);

void ws_bytes_add(ws_bytes *bytes, const void *data, size_t length);
void ws_bytes_add_varint(ws_bytes *bytes, uint64_t value);
void ws_bytes_add_text(ws_bytes *bytes, const char *text); /* length, then characters */

static inline uint64_t ws_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t ws_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ -(value & 1));
}

/* Unread part of a buffer. */
typedef struct ws_reader {
    const uint8_t *next, *end;
    bool failed; /* the data ended early or held an invalid number; all later reads return 0 */
} ws_reader;

/* Returns a reader of the whole buffer. */
static inline ws_reader ws_reader_of(const ws_bytes *bytes)
{
    return (ws_reader){.next = bytes->data, .end = bytes->data ? bytes->data + bytes->length : NULL};
}

static inline uint64_t ws_read_varint(ws_reader *reader)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (reader->next == reader->end)
            break;
        const uint8_t byte = *reader->next++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    reader->failed = true;
    reader->next = reader->end;
    return 0;
}

/* Reads a number of at most `most`. Returns 0 and sets `failed` for a greater one. */
static inline uint64_t ws_read_up_to(ws_reader *reader, uint64_t most)
{
    const uint64_t value = ws_read_varint(reader);
    if (value <= most)
        return value;
    reader->failed = true;
    reader->next = reader->end;
    return 0;
}

/* Returns the next `length` bytes, in place, or NULL with `failed` set when fewer are left. */
static inline const uint8_t *ws_read_bytes(ws_reader *reader, uint64_t length)
{
    if (length > (uint64_t)(reader->end - reader->next)) {
        reader->failed = true;
        reader->next = reader->end;
        return NULL;
    }
    const uint8_t *const at = reader->next;
    reader->next += length;
    return at;
}

static inline uint32_t ws_read_u32(ws_reader *reader)
{
    uint32_t value = 0;
    const uint8_t *const at = ws_read_bytes(reader, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

/* Reads a text written by ws_bytes_add_text. Returns its characters, in place, and sets *length to their number. */
static inline const char *ws_read_text(ws_reader *reader, size_t *length)
{
    *length = ws_read_varint(reader);
    return (const char *)ws_read_bytes(reader, *length);
}

#endif
