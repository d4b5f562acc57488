/* storegpu.cu - hashes for a store that finds blocks by content: a thread hashes one piece of the data.
 *
 * Pieces lie end to end (direct) or begin a few bytes apart and overlap (sliding). A message goes through shared memory
 * 64 bytes at a time: word k of lane l is stage[warp][k][l], so that a warp always meets 32 different banks. MD5 is that
 * of RFC 1321, SHA-1 that of FIPS 180; SHA-1 keeps its schedule in the same 16 words. */
#include "../harness/device.h"

enum { LANES = 32, WORDS = 16, BLOCK_BYTES = 64, DIRECT_THREADS = 192, SLIDING_THREADS = 128 };

typedef uint stage_words[LANES]; /* one word of each lane */

DEVICE uint rotate(uint x, int n)
{
    return x << n | x >> (32 - n);
}

/* ------------------------------------------------------------------------------------------------ MD5 */

struct md5 {
    enum { DIGEST = 4 };
    uint state[DIGEST];

    __device__ __forceinline__ void start()
    {
        state[0] = 0x67452301;
        state[1] = 0xefcdab89;
        state[2] = 0x98badcfe;
        state[3] = 0x10325476;
    }

    /* Words are little-endian, as the device is. */
    DEVICE void order_bytes(stage_words *) {}

    DEVICE void set_length(stage_words *word, uint bytes)
    {
        word[14][0] = bytes << 3;
        word[15][0] = bytes >> 29;
    }

    DEVICE uint mix(int round, uint x, uint y, uint z)
    {
        switch (round) {
        case 0:
            return z ^ (x & (y ^ z));
        case 1:
            return y ^ (z & (x ^ y));
        case 2:
            return x ^ y ^ z;
        default:
            return y ^ (x | ~z);
        }
    }

    __device__ __forceinline__ void compress(stage_words *word)
    {
        constexpr uint sine[] = {
            0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
            0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
            0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
            0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
            0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
            0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
            0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
            0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
        };
        constexpr int turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
        constexpr int first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7}; /* the words that a round takes */
        uint a = state[0], b = state[1], c = state[2], d = state[3];

#pragma unroll
        for (int i = 0; i < 64; i++) {
            const int round = i / 16;
            const int k = (first[round] + step[round] * i) % WORDS;
            const uint next = b + rotate(a + mix(round, b, c, d) + word[k][0] + sine[i], turn[round][i % 4]);
            a = d;
            d = c;
            c = b;
            b = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
};

/* ------------------------------------------------------------------------------------------------ SHA-1 */

struct sha1 {
    enum { DIGEST = 5 };
    uint state[DIGEST];

    __device__ __forceinline__ void start()
    {
        state[0] = 0x67452301;
        state[1] = 0xefcdab89;
        state[2] = 0x98badcfe;
        state[3] = 0x10325476;
        state[4] = 0xc3d2e1f0;
    }

    /* Words are big-endian: put together again from their bytes in shared memory. */
    DEVICE void order_bytes(stage_words *word)
    {
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            const volatile uchar *byte = (const volatile uchar *)word[k];
            const uint high = (uint)byte[0] << 24 | (uint)byte[1] << 16;
            word[k][0] = high | (uint)byte[2] << 8 | byte[3];
        }
    }

    DEVICE void set_length(stage_words *word, uint bytes)
    {
        word[14][0] = bytes >> 29;
        word[15][0] = bytes << 3;
    }

    DEVICE uint mix(int round, uint x, uint y, uint z)
    {
        switch (round) {
        case 0:
            return z ^ (x & (y ^ z));
        case 2:
            return (x & y) | (z & (x | y));
        default:
            return x ^ y ^ z;
        }
    }

    DEVICE uint schedule(stage_words *word, int i)
    {
        if (i >= WORDS) {
            const uint sum = word[(i - 3) % WORDS][0] ^ word[(i - 8) % WORDS][0] ^ word[(i - 14) % WORDS][0];
            word[i % WORDS][0] = rotate(sum ^ word[i % WORDS][0], 1);
        }
        return word[i % WORDS][0];
    }

    __device__ __forceinline__ void compress(stage_words *word)
    {
        constexpr uint constant[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

#pragma unroll
        for (int i = 0; i < 80; i++) {
            const int round = i / 20;
            const uint next = rotate(a, 5) + mix(round, b, c, d) + e + constant[round] + schedule(word, i);
            e = d;
            d = c;
            c = rotate(b, 30);
            b = a;
            a = next;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
};

/* ------------------------------------------------------------------------------------------------ messages */

/* A word of the padded message near its end: data, the byte 0x80 behind them, zeros. */
DEVICE uint end_word(const uint *from, uint bytes, uint w)
{
    const uint at = w * sizeof(uint);
    const uint mark = 0x80;

    if (at > bytes)
        return 0;
    if (at == bytes)
        return mark;
    if (at + sizeof(uint) <= bytes)
        return from[w];
    const uint shift = 8 * (bytes - at);
    return (from[w] & ((1u << shift) - 1)) | mark << shift;
}

DEVICE void stage_block(stage_words *word, const uint *from, uint bytes, uint block)
{
    const uint first = block * WORDS;

    if ((block + 1) * BLOCK_BYTES <= bytes) {
        for (int k = 0; k < WORDS; k++)
            word[k][0] = from[first + k];
    } else {
        for (int k = 0; k < WORDS; k++)
            word[k][0] = end_word(from, bytes, first + k);
    }
}

/* `word` is the lane's column of the stage. The padding takes 9 bytes at least. */
template <typename hash> DEVICE void hash_message(stage_words *word, const uint *from, uint bytes, uint *digest)
{
    const uint blocks = (bytes + 8) / BLOCK_BYTES + 1;
    hash running;

    running.start();
    for (uint block = 0; block < blocks; block++) {
        stage_block(word, from, bytes, block);
        hash::order_bytes(word);
        if (block + 1 == blocks)
            hash::set_length(word, bytes);
        running.compress(word);
    }
    for (int i = 0; i < hash::DIGEST; i++)
        digest[i] = running.state[i];
}

/* Piece i is the `length` bytes from i * step on, the last one what is left of `total`. Step is a multiple of 4. */
template <typename hash, int THREADS>
DEVICE void hash_piece(const uint *data, uint total, uint length, uint step, uint pieces, uint *digest)
{
    __shared__ uint stage[THREADS / LANES][WORDS][LANES];
    const uint piece = blockIdx.x * THREADS + threadIdx.x;

    if (piece >= pieces)
        return;
    const uint start = piece * step;
    stage_words *word = (stage_words *)&stage[threadIdx.x / LANES][0][threadIdx.x % LANES];
    hash_message<hash>(word, data + start / sizeof(uint), min((int)length, (int)(total - start)),
                       digest + piece * hash::DIGEST);
}

KERNEL sto_md5_direct(const uint *data, uint total, uint length, uint pieces, uint *digest)
{
    hash_piece<md5, DIRECT_THREADS>(data, total, length, length, pieces, digest);
}

KERNEL sto_md5_sliding(const uint *data, uint total, uint length, uint step, uint pieces, uint *digest)
{
    hash_piece<md5, SLIDING_THREADS>(data, total, length, step, pieces, digest);
}

KERNEL sto_sha1_direct(const uint *data, uint total, uint length, uint pieces, uint *digest)
{
    hash_piece<sha1, DIRECT_THREADS>(data, total, length, length, pieces, digest);
}

KERNEL sto_sha1_sliding(const uint *data, uint total, uint length, uint step, uint pieces, uint *digest)
{
    hash_piece<sha1, SLIDING_THREADS>(data, total, length, step, pieces, digest);
}
