/* fatbin_read.c - wrapper, containers, entries: what images are there, and where? */
#include "collect/fatbin/fatbin_internal.h"

#include "base/bounds.h"
#include "base/grow.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_PARTS = 1 << 16, MOST_IMAGES = 1 << 20 };

/* Bits of an image's flags that matter here; the rest tell of debug information, host systems and the like. */
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_OLD_PACKING = 0x1000 };

typedef struct reading {
    ws_fatbin *fatbin;
    ws_fatbin_image *images;
    uint32_t capacity;
} reading;

bool ws_fatbin_begins(const void *image)
{
    const char *const at = image;
    /* An image shorter than that is text, which ends with a NUL; neither number holds one. */
    return !strncmp(at, "\xb1\x43\x62\x46", 4) || !strncmp(at, "\x50\xed\x55\xba", 4);
}

const char *ws_fatbin_kind_name(unsigned kind)
{
    return kind == WS_FATBIN_PTX     ? "PTX"
           : kind == WS_FATBIN_CUBIN ? "cubin"
           : kind == WS_FATBIN_LTO   ? "LTO code"
                                     : "unknown kind";
}

const char *ws_fatbin_packing_name(unsigned packing)
{
    return packing == WS_FATBIN_LZ4 ? "LZ4" : packing == WS_FATBIN_ZSTD ? "zstd" : "stored";
}

/* ------------------------------------------------------------------------------------------------ images */

static ws_fatbin_image *new_image(reading *r)
{
    ws_fatbin *const f = r->fatbin;
    if (f->images >= MOST_IMAGES || WS_GROW(r->images, r->capacity, f->images, 1))
        return NULL;
    ws_fatbin_image *const image = &r->images[f->images++];
    *image = (ws_fatbin_image){.identifier = "", .options = ""};
    return image;
}

/* A text in a header of `bytes` bytes; what does not lie in it is left out, since nothing depends on these texts. */
static const char *header_text(reading *r, const uint8_t *header, uint32_t bytes, uint32_t offset, uint32_t length)
{
    if (!length || !ws_range_between(offset, length, WS_FATBIN_ENTRY_BYTES, bytes))
        return "";
    const char *text = (const char *)header + offset;
    while (length && *text == ' ') {
        text++;
        length--;
    }
    while (length && (text[length - 1] == ' ' || !text[length - 1]))
        length--;
    const char *const copy = ws_arena_strndup(r->fatbin->arena, text, length);
    return copy ? copy : "";
}

/* The compiler's options stand behind a small record of their offset and length. */
static const char *header_options(reading *r, const uint8_t *header, uint32_t bytes, uint32_t record)
{
    if (!ws_range_between(record, 8, WS_FATBIN_ENTRY_BYTES, bytes))
        return "";
    return header_text(r, header, bytes, ws_fatbin_u32(header + record), ws_fatbin_u32(header + record + 4));
}

/* How the payload is packed and how long it is, out of what the header says of sizes; `room` bytes are there. */
static int image_sizes(const reading *r, ws_fatbin_image *image, const uint8_t *header, uint64_t room)
{
    const uint32_t packed = ws_fatbin_u32(header + 16);
    const char *const name = r->fatbin->name;
    image->stored_bytes = room;
    image->bytes = room;
    if (!(image->flags & (FLAG_LZ4 | FLAG_ZSTD | FLAG_OLD_PACKING)))
        return WS_OK;
    if (!(image->flags & (FLAG_LZ4 | FLAG_ZSTD)))
        return image->kind == WS_FATBIN_PTX
                   ? ws_fail(WS_EUNSUPPORTED,
                             "%s: offset %" PRIu64 ": image is packed in an old way (flags 0x%" PRIx64
                             "); build it again with a newer nvcc, or with -no-compress",
                             name, image->offset, image->flags)
                   : WS_OK;
    image->packing = image->flags & FLAG_ZSTD ? WS_FATBIN_ZSTD : WS_FATBIN_LZ4;
    image->bytes = ws_fatbin_u64(header + 56);
    if (packed > room)
        return ws_fail(WS_EINPUT,
                       "%s: offset %" PRIu64 ": expected at most %" PRIu64
                       " packed bytes, which is the payload, found %u",
                       name, image->offset, room, packed);
    if (packed)
        image->stored_bytes = packed;
    return WS_OK;
}

/* The image at header, `left` bytes before the end of its container; *bytes is how many it takes. */
static int read_image(reading *r, const uint8_t *header, uint64_t offset, uint64_t left, uint64_t *bytes)
{
    const char *const name = r->fatbin->name;
    if (left < WS_FATBIN_ENTRY_BYTES)
        return ws_fail(WS_EINPUT,
                       "%s: offset %" PRIu64 ": expected the header of an image (%d bytes), found %" PRIu64
                       " bytes to the end of the container",
                       name, offset, WS_FATBIN_ENTRY_BYTES, left);
    const uint32_t header_bytes = ws_fatbin_u32(header + 4);
    const uint64_t payload_bytes = ws_fatbin_u64(header + 8);
    if (header_bytes < WS_FATBIN_ENTRY_BYTES || header_bytes > left)
        return ws_fail(WS_EINPUT,
                       "%s: offset %" PRIu64 ": expected an image header of %d to %" PRIu64 " bytes, found %u", name,
                       offset, WS_FATBIN_ENTRY_BYTES, left, header_bytes);
    if (payload_bytes > left - header_bytes)
        return ws_fail(WS_EINPUT,
                       "%s: offset %" PRIu64 ": expected an image of at most %" PRIu64
                       " bytes, which is the rest of the container, found %" PRIu64,
                       name, offset, left - header_bytes, payload_bytes);
    ws_fatbin_image *const image = new_image(r);
    if (!image)
        return ws_fail(WS_EMEM, "%s: out of memory for its images", name);
    image->kind = ws_fatbin_u16(header);
    image->version_minor = ws_fatbin_u16(header + 24);
    image->version_major = ws_fatbin_u16(header + 26);
    image->architecture = ws_fatbin_u32(header + 28);
    image->flags = ws_fatbin_u64(header + 40);
    image->part = r->fatbin->parts;
    image->offset = offset;
    image->payload = header + header_bytes;
    image->identifier = header_text(r, header, header_bytes, ws_fatbin_u32(header + 32), ws_fatbin_u32(header + 36));
    image->options = header_options(r, header, header_bytes, ws_fatbin_u32(header + 20));
    *bytes = header_bytes + payload_bytes;
    return image_sizes(r, image, header, payload_bytes);
}

/* ------------------------------------------------------------------------------------------------ containers */

/* A container in `bytes` bytes of memory; 0: of unknown size. Its images are a new part. */
static int read_container(reading *r, const uint8_t *at, uint64_t bytes)
{
    const char *const name = r->fatbin->name;
    if (bytes ? bytes < WS_FATBIN_HEADER_BYTES : !ws_memory_readable(at, WS_FATBIN_HEADER_BYTES))
        return ws_fail(WS_EINPUT, "%s: offset 0: expected a container header of %d bytes, found less", name,
                       WS_FATBIN_HEADER_BYTES);
    const uint32_t magic = ws_fatbin_u32(at);
    const unsigned version = ws_fatbin_u16(at + 4), header = ws_fatbin_u16(at + 6);
    const uint64_t size = ws_fatbin_u64(at + 8);
    if (magic != WS_FATBIN_MAGIC)
        return ws_fail(WS_EINPUT, "%s: offset 0: expected the number 0x%08x of a container, found 0x%08x", name,
                       WS_FATBIN_MAGIC, magic);
    if (version != 1)
        return ws_fail(WS_EVERSION, "%s: offset 4: expected container version 1, found %u", name, version);
    if (header < WS_FATBIN_HEADER_BYTES)
        return ws_fail(WS_EINPUT, "%s: offset 6: expected a container header of at least %d bytes, found %u", name,
                       WS_FATBIN_HEADER_BYTES, header);
    if (bytes ? !ws_range_within(header, size, bytes)
              : !ws_range_within(header, size, UINT64_MAX) || !ws_memory_readable(at, header + size))
        return ws_fail(WS_EINPUT,
                       "%s: offset 8: the container says it has %" PRIu64 " bytes of images, but ends earlier", name,
                       size);
    bool is_part = false;
    for (uint64_t done = 0, step = 0; done < size; done += step) {
        const int status = read_image(r, at + header + done, header + done, size - done, &step);
        if (status)
            return status;
        is_part = r->images[r->fatbin->images - 1].flags & WS_FATBIN_FLAG_PART;
        r->fatbin->linked |= is_part;
        r->fatbin->parts += is_part;
    }
    r->fatbin->parts += !is_part; /* images of ours have counted themselves */
    return WS_OK;
}

static const void *pointer_at(const uint8_t *at)
{
    return (const void *)(uintptr_t)ws_fatbin_u64(at);
}

/* The containers that were linked into this one: a list of pointers that ends with NULL. */
static int read_linked(reading *r, const uint8_t *list)
{
    for (;; list += 8) {
        if (!ws_memory_readable(list, 8))
            return ws_fail(WS_EINPUT, "%s: the list of linked containers leads out of memory", r->fatbin->name);
        const void *const container = pointer_at(list);
        if (!container)
            return WS_OK;
        if (r->fatbin->parts == MOST_PARTS)
            return ws_fail(WS_ELIMIT, "%s: expected at most %d linked containers", r->fatbin->name, MOST_PARTS);
        const int status = read_container(r, container, 0);
        if (status)
            return ws_fail_context(status, "linked container %u", r->fatbin->parts);
    }
}

static int read_wrapper(reading *r, const uint8_t *at, size_t bytes)
{
    ws_fatbin *const f = r->fatbin;
    if (bytes ? bytes < WS_FATBIN_WRAPPER_BYTES : !ws_memory_readable(at, WS_FATBIN_WRAPPER_BYTES))
        return ws_fail(WS_EINPUT, "%s: offset 0: expected a wrapper of %d bytes, found less", f->name,
                       WS_FATBIN_WRAPPER_BYTES);
    const uint32_t version = ws_fatbin_u32(at + 4);
    const uint8_t *const container = pointer_at(at + 8), *const list = pointer_at(at + 16);
    if (version != 1 && version != 2)
        return ws_fail(WS_EVERSION, "%s: offset 4: expected wrapper version 1 or 2, found %u", f->name, version);
    f->linked = version == 2 && list && ws_memory_readable(list, 8) && pointer_at(list);
    if (f->linked)
        return read_linked(r, list);
    return read_container(r, container, 0);
}

/* ------------------------------------------------------------------------------------------------ open, close */

static int read_any(reading *r, const void *image, size_t bytes)
{
    const bool is_wrapper =
        (bytes ? bytes >= 4 : ws_memory_readable(image, 4)) && ws_fatbin_u32(image) == WS_FATBIN_WRAPPER_MAGIC;
    return is_wrapper ? read_wrapper(r, image, bytes) : read_container(r, image, bytes);
}

/* Containers begin at multiples of 8. */
static int read_parts(reading *r, const void *data, size_t bytes)
{
    const uint8_t *const at = data;
    int status = WS_OK;
    r->fatbin->linked = true;
    for (size_t i = 0; !status && i < bytes;) {
        status = r->fatbin->parts < MOST_PARTS
                     ? read_container(r, at + i, bytes - i)
                     : ws_fail(WS_ELIMIT, "%s: expected at most %d containers", r->fatbin->name, MOST_PARTS);
        if (status)
            return ws_fail_context(status, "container %u", r->fatbin->parts);
        i += (ws_fatbin_u16(at + i + 6) + (size_t)ws_fatbin_u64(at + i + 8) + 7) / 8 * 8;
    }
    return status;
}

static int open_by(int (*read)(reading *, const void *, size_t), const char *name, const void *image, size_t bytes,
                   ws_fatbin **out)
{
    *out = NULL;
    ws_arena *const arena = ws_arena_create();
    ws_fatbin *const f = arena ? ws_arena_alloc(arena, sizeof *f) : NULL;
    char *const own_name = f ? ws_arena_strndup(arena, name, strlen(name)) : NULL;
    if (!own_name) {
        ws_arena_destroy(arena);
        return ws_fail(WS_EMEM, "%s: out of memory", name);
    }
    f->name = own_name;
    f->arena = arena;
    reading r = {.fatbin = f};
    int status = read(&r, image, bytes);
    ws_fatbin_image *const kept = status ? NULL : ws_arena_alloc(arena, (f->images + 1) * sizeof *kept);
    if (kept) {
        if (f->images)
            memcpy(kept, r.images, f->images * sizeof *kept);
        f->image = kept;
        *out = f;
    } else {
        status = status ? status : ws_fail(WS_EMEM, "%s: out of memory", name);
        ws_arena_destroy(arena);
    }
    free(r.images);
    return status;
}

int ws_fatbin_open(const char *name, const void *image, size_t bytes, ws_fatbin **out)
{
    return open_by(read_any, name, image, bytes, out);
}

int ws_fatbin_open_parts(const char *name, const void *data, size_t bytes, ws_fatbin **out)
{
    return open_by(read_parts, name, data, bytes, out);
}

void ws_fatbin_close(ws_fatbin *fatbin)
{
    if (fatbin)
        ws_arena_destroy(fatbin->arena);
}
