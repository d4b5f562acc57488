/* storegpu.c - STO: how does hashing of long and of overlapping pieces look to a GPU? Host side of storegpu.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    DIRECT_THREADS = 192,
    SLIDING_THREADS = 128,
    WINDOW = 52, /* of a sliding hash; with its padding one block of 64 bytes */
    STEP = 4,
    BLOCK = 64,
    LENGTH_BYTES = 8,
    MOST_DIGEST = 20
};

typedef unsigned char byte;

/* A hash function of the CPU: bytes in, bytes out. */
typedef struct hash {
    const char *name;
    size_t digest_bytes;
    int big_endian;
    uint32_t start[5];
    void (*compress)(uint32_t state[5], const uint32_t word[16]);
} hash;

/* ------------------------------------------------------------------------------------------------ hashes on the CPU */

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t mix_md5(unsigned round, uint32_t x, uint32_t y, uint32_t z)
{
    switch (round) {
    case 0:
        return (x & y) | (~x & z);
    case 1:
        return (x & z) | (y & ~z);
    case 2:
        return x ^ y ^ z;
    default:
        return y ^ (x | ~z);
    }
}

/* RFC 1321, section 3.4, with the constants by their definition: 2^32 |sin(i + 1)|. */
static void compress_md5(uint32_t state[5], const uint32_t word[16])
{
    static const unsigned turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const unsigned first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        const unsigned round = i / 16;
        const uint32_t constant = (uint32_t)floor(ldexp(fabs(sin(i + 1)), 32));
        const uint32_t sum = a + mix_md5(round, b, c, d) + word[(first[round] + step[round] * i) % 16] + constant;
        a = d;
        d = c;
        c = b;
        b += rotate(sum, turn[round][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static uint32_t mix_sha1(int round, uint32_t x, uint32_t y, uint32_t z)
{
    switch (round) {
    case 0:
        return (x & y) ^ (~x & z);
    case 2:
        return (x & y) ^ (x & z) ^ (y & z);
    default:
        return x ^ y ^ z;
    }
}

/* FIPS 180-4, section 6.1.2, with the whole schedule of 80 words. */
static void compress_sha1(uint32_t state[5], const uint32_t word[16])
{
    static const uint32_t constant[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80], v[5];
    memcpy(w, word, 16 * sizeof *w);
    for (int t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 80; t++) {
        const int round = t / 20;
        const uint32_t next = rotate(v[0], 5) + mix_sha1(round, v[1], v[2], v[3]) + v[4] + constant[round] + w[t];
        memmove(v + 1, v, 4 * sizeof *v);
        v[0] = next;
        v[2] = rotate(v[2], 30);
    }
    for (int i = 0; i < 5; i++)
        state[i] += v[i];
}

static const hash md5 = {"MD5", 16, 0, {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, compress_md5};
static const hash sha1 = {"SHA-1", 20, 1, {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, compress_sha1};

/* Which bits byte i of a number of n bytes stands for. */
static unsigned shift_of(const hash *f, size_t i, size_t n)
{
    return 8 * (unsigned)(f->big_endian ? n - 1 - i : i);
}

/* One block of 64 bytes. */
static void take_block(const hash *f, uint32_t state[5], const byte *block)
{
    uint32_t word[16] = {0};
    for (size_t i = 0; i < BLOCK; i++)
        word[i / 4] |= (uint32_t)block[i] << shift_of(f, i % 4, 4);
    f->compress(state, word);
}

static void hash_on_cpu(const hash *f, const byte *message, size_t bytes, byte *digest)
{
    byte end[2 * BLOCK] = {0};
    uint32_t state[5];
    size_t at = 0;

    memcpy(state, f->start, sizeof state);
    for (; at + BLOCK <= bytes; at += BLOCK)
        take_block(f, state, message + at);
    const size_t rest = bytes - at;
    const size_t end_bytes = rest + 1 + LENGTH_BYTES <= BLOCK ? BLOCK : 2 * BLOCK;
    memcpy(end, message + at, rest);
    end[rest] = 0x80;
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        end[end_bytes - LENGTH_BYTES + i] = (byte)((uint64_t)bytes * 8 >> shift_of(f, i, LENGTH_BYTES));
    for (size_t i = 0; i < end_bytes; i += BLOCK)
        take_block(f, state, end + i);
    for (size_t i = 0; i < f->digest_bytes; i++)
        digest[i] = (byte)(state[i / 4] >> shift_of(f, i % 4, 4));
}

/* The examples of the two standards: RFC 1321, appendix A.5, and FIPS 180-2, appendix A. */
static void test_cpu_hashes(harness *h)
{
    static const struct {
        const hash *f;
        const char *message, *digest;
    } example[] = {
        {&md5, "", "d41d8cd98f00b204e9800998ecf8427e"},
        {&md5, "a", "0cc175b9c0f1b6a831c399e269772661"},
        {&md5, "abc", "900150983cd24fb0d6963f7d28e17f72"},
        {&md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {&md5, "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {&md5, "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
        {&sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {&sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    };
    for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
        byte digest[MOST_DIGEST];
        char text[2 * MOST_DIGEST + 1];
        hash_on_cpu(example[i].f, (const byte *)example[i].message, strlen(example[i].message), digest);
        for (size_t j = 0; j < example[i].f->digest_bytes; j++)
            snprintf(text + 2 * j, 3, "%02x", digest[j]);
        if (strcmp(text, example[i].digest) != 0)
            harness_wrong(h, "the CPU's %s of \"%s\" is %s", example[i].f->name, example[i].message, text);
    }
}

/* ------------------------------------------------------------------------------------------------ the device */

/* Data in pieces that begin `step` bytes apart; the last piece is what is left of the `total` bytes. */
typedef struct pieces {
    const byte *data;
    CUdeviceptr d_data;
    unsigned total, length, step, n;
} pieces;

/* At scale study bytes count up from 0, as in the original. */
static pieces make_pieces(harness *h, unsigned n, unsigned length, unsigned step, unsigned missing)
{
    const bool counted = harness_get_scale(h) == HARNESS_STUDY;
    pieces p = {.total = (n - 1) * step + length - missing, .length = length, .step = step, .n = n};
    const size_t words = (p.total + 3) / 4; /* the device reads words */
    byte *const data = harness_host(h, words, 4);
    for (size_t i = 0; i < p.total; i++)
        data[i] = (byte)(counted ? i : (size_t)harness_integer(h, 256));
    p.data = data;
    p.d_data = harness_upload(h, data, words * 4);
    return p;
}

/* The device's digest is the words of its state. */
static void check_digests(harness *h, const char *kernel, const hash *f, const pieces *p, const uint32_t *got)
{
    const size_t words = f->digest_bytes / 4;
    for (unsigned piece = 0; piece < p->n; piece++) {
        const unsigned start = piece * p->step, left = p->total - start;
        byte want[MOST_DIGEST];
        hash_on_cpu(f, p->data + start, left < p->length ? left : p->length, want);
        for (size_t i = 0; i < f->digest_bytes; i++) {
            if ((byte)(got[piece * words + i / 4] >> shift_of(f, i % 4, 4)) != want[i])
                harness_wrong(h, "%s: byte %zu of the %s of piece %u differs from the CPU's", kernel, i, f->name,
                              piece);
        }
    }
}

static void hash_on_device(harness *h, const char *name, const hash *f, pieces *p, unsigned threads)
{
    const CUfunction kernel = harness_kernel(h, name);
    const size_t bytes = p->n * f->digest_bytes;
    uint32_t *const got = harness_host(h, p->n, f->digest_bytes);
    CUdeviceptr d_got = harness_device(h, bytes);
    const harness_dim grid = HARNESS_DIM((p->n + threads - 1) / threads), block = HARNESS_DIM(threads);

    if (p->step == p->length)
        HARNESS_LAUNCH(h, kernel, grid, block, 0, &p->d_data, &p->total, &p->length, &p->n, &d_got);
    else
        HARNESS_LAUNCH(h, kernel, grid, block, 0, &p->d_data, &p->total, &p->length, &p->step, &p->n, &d_got);
    harness_download(h, got, d_got, bytes);
    check_digests(h, name, f, p, got);
}

/* Pieces are 12 bytes short of whole blocks, so that the padding fills the last one; the very last piece is shorter, by
 * a number of bytes that is no multiple of 4. */
static void hash_directly(harness *h)
{
    const unsigned n = (unsigned)harness_pick(h, 200, 64 * DIRECT_THREADS, 0);
    const unsigned length = (unsigned)harness_pick(h, 2, 4, 0) * BLOCK - 12;
    pieces chunks = make_pieces(h, n, length, length, 37);
    hash_on_device(h, "sto_md5_direct", &md5, &chunks, DIRECT_THREADS);
    hash_on_device(h, "sto_sha1_direct", &sha1, &chunks, DIRECT_THREADS);
}

/* The original is built for one of the four kernels, sliding SHA-1 as the suite of the study has it; so is scale study.
 */
static void run(harness *h)
{
    const bool one = harness_get_scale(h) == HARNESS_STUDY;
    const unsigned sliding = (unsigned)harness_pick(h, 140, 96 * SLIDING_THREADS, 384 * SLIDING_THREADS);
    const unsigned window = (unsigned)harness_pick(h, WINDOW + 8, WINDOW, WINDOW); /* tiny: padding of a second block */

    test_cpu_hashes(h);
    if (!one)
        hash_directly(h);
    pieces windows = make_pieces(h, sliding, window, STEP, 3);
    if (!one)
        hash_on_device(h, "sto_md5_sliding", &md5, &windows, SLIDING_THREADS);
    hash_on_device(h, "sto_sha1_sliding", &sha1, &windows, SLIDING_THREADS);
}

HARNESS_WORKLOAD("STO", "data/workloads/storegpu/storegpu.ptx", run)
