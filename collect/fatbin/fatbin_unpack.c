/* fatbin_unpack.c - the bytes of an image: stored, an LZ4 block, or a zstd frame. */
#include "collect/fatbin/fatbin_internal.h"

#include <inttypes.h>
#include <lz4.h>
#include <stdlib.h>
#include <zstd.h>

/* The largest text that is unpacked. That of nvcc's own device libraries has less than a megabyte; a header that tells
 * more than this lies. A block of LZ4 cannot grow by more than LZ4_GROWTH (the format: 255 a byte of length).
 *
 * What becomes of a text in memory is 200 times as large, so a text that repeats itself and is packed by a thousand
 * would fill any memory. Those of compilers become 4 to 30 times as small: above FREE_BYTES, what has grown more than
 * MOST_GROWTH times is refused. */
enum { MOST_BYTES = 1 << 29, LZ4_GROWTH = 255, FREE_BYTES = 1 << 22, MOST_GROWTH = 100 };

static int packed_wrong(const ws_fatbin *f, const ws_fatbin_image *i, const char *why)
{
    return ws_fail(WS_EINPUT, "%s: offset %" PRIu64 ": expected %s data of %" PRIu64 " bytes unpacked, found %s",
                   f->name, i->offset, ws_fatbin_packing_name(i->packing), i->bytes, why);
}

static int unpack_lz4(const ws_fatbin *f, const ws_fatbin_image *i, char *into)
{
    if (i->stored_bytes > LZ4_MAX_INPUT_SIZE)
        return packed_wrong(f, i, "too many packed bytes");
    const int got = LZ4_decompress_safe((const char *)i->payload, into, (int)i->stored_bytes, (int)i->bytes);
    if (got < 0)
        return packed_wrong(f, i, "damaged data");
    return (uint64_t)got == i->bytes ? WS_OK : packed_wrong(f, i, "fewer bytes");
}

static int unpack_zstd(const ws_fatbin *f, const ws_fatbin_image *i, char *into)
{
    const size_t got = ZSTD_decompress(into, i->bytes, i->payload, i->stored_bytes);
    if (ZSTD_isError(got))
        return packed_wrong(f, i, "damaged data");
    return got == i->bytes ? WS_OK : packed_wrong(f, i, "fewer bytes");
}

/* Sizes that cannot be true are refused before memory is asked for. */
static int check_sizes(const ws_fatbin *f, const ws_fatbin_image *i)
{
    if (i->bytes > MOST_BYTES)
        return ws_fail(WS_ELIMIT,
                       "%s: offset %" PRIu64 ": expected an image of at most %d bytes unpacked, found %" PRIu64,
                       f->name, i->offset, MOST_BYTES, i->bytes);
    if (i->packing == WS_FATBIN_LZ4 && i->bytes / LZ4_GROWTH > i->stored_bytes)
        return packed_wrong(f, i, "too few packed bytes for that");
    if (i->packing != WS_FATBIN_STORED && i->bytes > FREE_BYTES && i->bytes / MOST_GROWTH > i->stored_bytes)
        return ws_fail(WS_ELIMIT,
                       "%s: offset %" PRIu64 ": %" PRIu64 " bytes unpack to %" PRIu64
                       ", more than %d times as many; build it "
                       "with -no-compress if that is right",
                       f->name, i->offset, i->stored_bytes, i->bytes, MOST_GROWTH);
    if (i->packing == WS_FATBIN_ZSTD) {
        const unsigned long long told = ZSTD_getFrameContentSize(i->payload, i->stored_bytes);
        if (told == ZSTD_CONTENTSIZE_ERROR)
            return packed_wrong(f, i, "no zstd frame");
        if (told != ZSTD_CONTENTSIZE_UNKNOWN && told != i->bytes)
            return packed_wrong(f, i, "a frame of another size");
    }
    return WS_OK;
}

int ws_fatbin_unpack(const ws_fatbin *f, const ws_fatbin_image *i, char **bytes, size_t *length)
{
    *bytes = NULL;
    *length = 0;
    int status = check_sizes(f, i);
    if (status)
        return status;
    char *const into = malloc(i->bytes + 1);
    if (!into)
        return ws_fail(WS_EMEM, "%s: offset %" PRIu64 ": out of memory for %" PRIu64 " bytes", f->name, i->offset,
                       i->bytes);
    if (i->packing == WS_FATBIN_LZ4)
        status = unpack_lz4(f, i, into);
    else if (i->packing == WS_FATBIN_ZSTD)
        status = unpack_zstd(f, i, into);
    else if (i->bytes)
        memcpy(into, i->payload, i->bytes);
    if (status) {
        free(into);
        return status;
    }
    into[i->bytes] = '\0';
    *bytes = into;
    *length = i->bytes;
    return WS_OK;
}
