/* sad.cu - SAD: how much does each block of a picture differ from an earlier picture, moved by every vector of a search
 * window? The first step of motion estimation in H.264. After Parboil's sad; code of our own.
 *
 * A macroblock has 16 x 16 pixels and is looked at in 41 parts: as one, as halves, quarters and eighths of either shape,
 * and as 16 squares of 4 x 4. sad_squares finds the sums of absolute differences of the squares, each by a block of
 * threads, the earlier picture through a texture; sad_eighths and sad_wholes add them up for the larger parts. Sums of
 * one part stand together, one a position, two in a word. */
#include "../harness/device.h"
#include "sad.h"

typedef unsigned short ushort;

/* Squares are numbered quarter by quarter, so that the four of a quarter stand together. */
DEVICE uint square_in_macroblock(uint x, uint y)
{
    return ((y & 2) + (x >> 1 & 1)) * 4 + (y & 1) * 2 + (x & 1);
}

DEVICE uint *sums_of(uint *sums, uint first_part, uint macroblocks, uint macroblock, uint parts, uint part)
{
    return sums + ((first_part * macroblocks + macroblock * parts + part) * SAD_ROOM) / 2;
}

DEVICE uint difference(const ushort *square, texture earlier, int left, int top)
{
    uint sum = 0;
    for (int y = 0; y < SAD_SQUARE; y++)
        for (int x = 0; x < SAD_SQUARE; x++) {
            const int was = tex2d_s32(earlier, (float)(left + x), (float)(top + y));
            const int apart = (int)square[y * SAD_SQUARE + x] - was;
            sum += (uint)max(apart, -apart);
        }
    return sum;
}

KERNEL sad_squares(uint *sums, const ushort *__restrict__ picture, texture earlier, uint width, uint macroblocks)
{
    __shared__ ushort square[SAD_SQUARE * SAD_SQUARE];
    __shared__ uint found[SAD_THREADS * SAD_EACH / 2];
    const int left = (int)blockIdx.x * SAD_SQUARE, top = (int)blockIdx.y * SAD_SQUARE;
    const uint me = threadIdx.x;
    if (me < SAD_SQUARE * SAD_SQUARE)
        square[me] = picture[(uint)(top + (int)(me / SAD_SQUARE)) * width + (uint)left + me % SAD_SQUARE];
    __syncthreads();
    int position = (int)(me * SAD_EACH);
    for (uint word = 0; word < SAD_EACH / 2; word++) {
        uint both = 0;
        for (uint half = 0; half < 2; half++, position++)
            if (position < SAD_POSITIONS)
                both |= difference(square, earlier, left + position % SAD_WINDOW - SAD_RANGE,
                                   top + position / SAD_WINDOW - SAD_RANGE)
                        << 16 * half;
        found[me * (SAD_EACH / 2) + word] = both;
    }
    __syncthreads();
    const uint across = width / SAD_MACROBLOCK;
    const uint macroblock = blockIdx.y / 4 * across + blockIdx.x / 4;
    uint *const out = sums_of(sums, SAD_4x4, macroblocks, macroblock, 16, square_in_macroblock(blockIdx.x, blockIdx.y));
    for (uint word = me; word < SAD_ROOM / 2; word += SAD_THREADS)
        out[word] = found[word];
}

/* A block a macroblock, a row of threads a quarter: of its squares a b over c d the sums of halves and of all. Sums of
 * bytes over 256 pixels fit 16 bits, so two positions are added at once. */
KERNEL sad_eighths(uint *sums, uint macroblocks)
{
    const uint macroblock = blockIdx.y * gridDim.x + blockIdx.x, quarter = threadIdx.y;
    const uint *const squares = sums_of(sums, SAD_4x4, macroblocks, macroblock, 16, 4 * quarter);
    uint *const wide = sums_of(sums, SAD_8x4, macroblocks, macroblock, 8, 2 * quarter);
    uint *const tall = sums_of(sums, SAD_4x8, macroblocks, macroblock, 8, 2 * quarter);
    uint *const all = sums_of(sums, SAD_8x8, macroblocks, macroblock, 4, quarter);
    for (uint word = threadIdx.x; word < SAD_ROOM / 2; word += SAD_LANES) {
        const uint a = squares[word], b = squares[word + SAD_ROOM / 2];
        const uint c = squares[word + SAD_ROOM], d = squares[word + 3 * (SAD_ROOM / 2)];
        wide[word] = a + b;
        wide[word + SAD_ROOM / 2] = c + d;
        tall[word] = a + c;
        tall[word + SAD_ROOM / 2] = b + d;
        all[word] = a + b + c + d;
    }
}

/* The same once more, from quarters to halves and the whole. */
KERNEL sad_wholes(uint *sums, uint macroblocks)
{
    const uint macroblock = blockIdx.y * gridDim.x + blockIdx.x;
    const uint *const quarters = sums_of(sums, SAD_8x8, macroblocks, macroblock, 4, 0);
    uint *const wide = sums_of(sums, SAD_16x8, macroblocks, macroblock, 2, 0);
    uint *const tall = sums_of(sums, SAD_8x16, macroblocks, macroblock, 2, 0);
    uint *const all = sums_of(sums, SAD_16x16, macroblocks, macroblock, 1, 0);
    for (uint word = threadIdx.x; word < SAD_ROOM / 2; word += SAD_LANES) {
        const uint a = quarters[word], b = quarters[word + SAD_ROOM / 2];
        const uint c = quarters[word + SAD_ROOM], d = quarters[word + 3 * (SAD_ROOM / 2)];
        wide[word] = a + b;
        wide[word + SAD_ROOM / 2] = c + d;
        tall[word] = a + c;
        tall[word + SAD_ROOM / 2] = b + d;
        all[word] = a + b + c + d;
    }
}
