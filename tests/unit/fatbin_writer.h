/* fatbin_writer.h - makes fat binaries for tests: the layout written down once more, from the writer's side. */
#ifndef WS_TEST_FATBIN_WRITER_H
#define WS_TEST_FATBIN_WRITER_H

#include "base/bytes.h"

#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

typedef struct fat_image {
    unsigned kind, architecture;
    const void *data;
    size_t length;
    char packing;        /* 's' stored, 'l' LZ4, 'z' zstd */
    bool short_header;   /* 64 bytes, as old compilers wrote for PTX, too */
    const char *options; /* NULL: none */
    unsigned extra_flags;
    unsigned isa; /* major version of PTX; 0: 9 */
} fat_image;

static inline void fat_u16(ws_bytes *b, unsigned value)
{
    const uint8_t at[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    ws_bytes_add(b, at, 2);
}

static inline void fat_u32(ws_bytes *b, uint32_t value)
{
    fat_u16(b, value & 0xffff);
    fat_u16(b, value >> 16);
}

static inline void fat_u64(ws_bytes *b, uint64_t value)
{
    fat_u32(b, (uint32_t)value);
    fat_u32(b, (uint32_t)(value >> 32));
}

/* Overwrites what stands at an offset. */
static inline void fat_poke(ws_bytes *b, size_t offset, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        b->data[offset + i] = (uint8_t)(value >> 8 * i);
}

static inline void fat_pad(ws_bytes *b, size_t to)
{
    while (b->length % to)
        ws_bytes_add(b, "", 1);
}

static inline void fat_packed(const fat_image *image, ws_bytes *out)
{
    const int bound = LZ4_compressBound((int)image->length) + (int)ZSTD_compressBound(image->length);
    ws_bytes_reserve(out, (size_t)bound);
    if (image->packing == 'l')
        out->length = (size_t)LZ4_compress_default(image->data, (char *)out->data, (int)image->length, bound);
    else if (image->packing == 'z')
        out->length = ZSTD_compress(out->data, (size_t)bound, image->data, image->length, 3);
    else
        ws_bytes_add(out, image->data, image->length);
}

static inline void fat_add_image(ws_bytes *b, const fat_image *image)
{
    ws_bytes payload = {0};
    fat_packed(image, &payload);
    const bool packed = image->packing == 'l' || image->packing == 'z';
    const size_t stored = payload.length;
    fat_pad(&payload, 8);
    const size_t text = image->options ? (strlen(image->options) + 7) / 8 * 8 : 0;
    const bool record = image->kind == 1 && !image->short_header;
    fat_u16(b, image->kind);
    fat_u16(b, 0x0101);
    fat_u32(b, record ? (uint32_t)(80 + text) : 64);
    fat_u64(b, payload.length);
    fat_u32(b, packed ? (uint32_t)stored : 0);
    fat_u32(b, record ? 64 : 0);
    fat_u16(b, 0);
    fat_u16(b, image->isa ? image->isa : 9);
    fat_u32(b, image->architecture);
    fat_u64(b, 0);
    fat_u64(b, 0x11 | image->extra_flags | (image->packing == 'l' ? 0x2000 : image->packing == 'z' ? 0x8000 : 0));
    fat_u64(b, 0);
    fat_u64(b, packed ? image->length : 0);
    if (record) {
        fat_u32(b, 72 + 8);
        fat_u32(b, (uint32_t)(image->options ? strlen(image->options) : 0));
        fat_u64(b, 0);
        if (image->options)
            ws_bytes_add(b, image->options, strlen(image->options));
        fat_pad(b, 8);
    }
    ws_bytes_add(b, payload.data, payload.length);
    ws_bytes_fini(&payload);
}

/* A container of n images; free with ws_bytes_fini. */
static inline ws_bytes fat_container(const fat_image *image, size_t n)
{
    ws_bytes b = {0};
    fat_u32(&b, 0xba55ed50);
    fat_u16(&b, 1);
    fat_u16(&b, 16);
    fat_u64(&b, 0);
    for (size_t i = 0; i < n; i++)
        fat_add_image(&b, &image[i]);
    fat_poke(&b, 8, b.length - 16, 8);
    return b;
}

/* What nvcc puts into .nvFatBinSegment. */
typedef struct fat_wrapper {
    uint32_t magic, version;
    const void *container;
    const void *const *linked;
} fat_wrapper;

static inline fat_wrapper fat_wrap(const ws_bytes *container, const void *const *linked)
{
    return (fat_wrapper){0x466243b1, linked ? 2 : 1, container->data, linked};
}

#endif
