/* store_counters.c - counters of a family of a launch as bytes: packed, with a checksum.
 *
 * Most counters are 0 or small whole numbers, so a vector is packed as tokens, each a number of variable length
 * (base/bytes.h) whose two lowest bits are its kind: a row of zeros, a whole number, or a raw double that follows.
 * Values keep all their bits. A vector that does not become shorter stays an array of little-endian doubles, as in
 * files of formats up to 6; the length tells the two apart. The checksum is of the doubles, so it does not depend on
 * how they are stored. */
#include "metrics/store/store_internal.h"

#include "base/bits.h"
#include "base/status.h"
#include "metrics/study_metrics.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { ZEROS, WHOLE, RAW, KIND_BITS = 2, KIND_MASK = (1 << KIND_BITS) - 1 };
enum { MOST_COUNTERS = 1 << 16 }; /* of a family: of a file that anybody may have written */

static const double whole_end = 0x1p53; /* whole numbers below it are exact doubles, and leave room for the kind */

void ws_store_signature(const ws_metric *metric, char text[WS_SIGNATURE_BYTES])
{
    XXH64_hash_t hash = 0;
    for (const ws_counter *c = metric->counters; c->name; c++) {
        char line[128];
        const int n = snprintf(line, sizeof line, "%s %d %u", c->name, (int)c->combine, c->count ? c->count : 1);
        hash = XXH64(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1, hash);
        for (unsigned i = 0; c->bins && i + 1 < c->count; i++) {
            const uint64_t edge = htole64(ws_f64_bits(ws_bins_edges((ws_bins)(c->bins - 1))[i]));
            hash = XXH64(&edge, sizeof edge, hash);
        }
    }
    snprintf(text, WS_SIGNATURE_BYTES, "%016llx", (unsigned long long)hash);
}

int64_t ws_store_checksum(const void *blob, size_t bytes)
{
    return (int64_t)XXH64(blob, bytes, 0);
}

/* ------------------------------------------------------------------------------------------------ packing */

/* Whether the double is a whole number that a token can hold; not -0. */
static bool is_whole(double x, uint64_t *number)
{
    if (!(x >= 0 && x < whole_end))
        return false;
    *number = (uint64_t)x;
    return ws_f64_bits((double)*number) == ws_f64_bits(x);
}

static void add_token(ws_bytes *out, unsigned kind, uint64_t number)
{
    ws_bytes_add_varint(out, number << KIND_BITS | kind);
}

static void pack(const double *counter, size_t n, ws_bytes *out)
{
    for (size_t i = 0; i < n;) {
        const size_t begin = i;
        uint64_t number = 0;
        while (i < n && ws_f64_bits(counter[i]) == 0)
            i++;
        if (i > begin) {
            add_token(out, ZEROS, i - begin);
        } else if (is_whole(counter[i], &number)) {
            add_token(out, WHOLE, number);
            i++;
        } else {
            const uint64_t bits = htole64(ws_f64_bits(counter[i++]));
            add_token(out, RAW, 0);
            ws_bytes_add(out, &bits, sizeof bits);
        }
    }
}

/* Writes n little-endian doubles; false: the bytes are not those of n values. */
static bool unpack(ws_reader in, size_t n, double *out)
{
    size_t i = 0;
    while (i < n && !in.failed) {
        const uint64_t token = ws_read_varint(&in), number = token >> KIND_BITS;
        const uint8_t *raw;
        switch (token & KIND_MASK) {
        case ZEROS:
            if (!number || number > n - i)
                return false;
            memset(out + i, 0, number * sizeof *out);
            i += number;
            break;
        case WHOLE:
            out[i++] = ws_f64_from_bits(htole64(ws_f64_bits((double)number)));
            break;
        case RAW:
            raw = ws_read_bytes(&in, sizeof *out);
            if (number || !raw)
                return false;
            memcpy(&out[i++], raw, sizeof *out);
            break;
        default:
            return false;
        }
    }
    return !in.failed && in.next == in.end;
}

void ws_store_encode(const double *counter, size_t n, ws_bytes *blob, int64_t *checksum)
{
    const size_t begin = blob->length, bytes = n * sizeof *counter;
    if (!ws_bytes_reserve(blob, bytes + 1)) /* also where the vector is empty */
        return;
    uint8_t *const raw = blob->data + begin;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = htole64(ws_f64_bits(counter[i]));
        memcpy(raw + i * sizeof bits, &bits, sizeof bits);
    }
    *checksum = ws_store_checksum(raw, bytes);
    pack(counter, n, blob);
    if (blob->failed || blob->length - begin < bytes)
        return;
    blob->length = begin;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = htole64(ws_f64_bits(counter[i]));
        ws_bytes_add(blob, &bits, sizeof bits);
    }
}

int ws_store_decode(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, size_t n, double *counter)
{
    const uint8_t *const data = blob;
    const size_t whole = n * sizeof *counter;
    const ws_reader packed = {.next = data, .end = data ? data + bytes : NULL};
    if (bytes == whole && bytes)
        memcpy(counter, blob, bytes);
    else if (bytes > whole || !unpack(packed, n, counter))
        return ws_store_fail(store, SQLITE_CORRUPT);
    if (ws_store_checksum(counter, whole) != checksum)
        return ws_store_fail(store, SQLITE_CORRUPT);
    if (__BYTE_ORDER == __BIG_ENDIAN)
        for (size_t i = 0; i < n; i++)
            counter[i] = ws_f64_from_bits(le64toh(ws_f64_bits(counter[i])));
    return WS_OK;
}

int ws_store_check_counters(const ws_store *store, const void *blob, size_t bytes, int64_t checksum, int64_t counters)
{
    if (counters < 0 || counters > MOST_COUNTERS)
        return ws_store_fail(store, SQLITE_CORRUPT);
    double *const counter = malloc(((size_t)counters + 1) * sizeof *counter);
    if (!counter)
        return ws_fail(WS_EMEM, "%s: no memory", store->path);
    const int status = ws_store_decode(store, blob, bytes, checksum, (size_t)counters, counter);
    free(counter);
    return status;
}
