/* dwt2d.cu - wavelets of a colour picture, as JPEG 2000 has them (ISO/IEC 15444-1): the reversible 5/3 in integers, the 9/7 in floats (A. Cohen, I. Daubechies,
 * J.-C. Feauveau, Biorthogonal Bases of Compactly Supported Wavelets, 1992), by lifting (W. Sweldens, The Lifting Scheme, 1996).
 *
 * dwt_colours_*: a thread a pixel, three bytes become a sample of each of three planes. Then a level at a time, on the low pass of the level
 * before: dwt_rows_* and dwt_columns_*, from one set of planes to the other and back. A block brings a segment and the samples beside it that its
 * steps reach to shared memory, lifts there between barriers, and leaves low passes in the first half of the line and high passes in the second.
 * Lines go on behind their ends as in a mirror. Planes are `pitch` samples a row, `plane` apart. */
#include "../harness/device.h"

enum { REACH = 4, SEGMENT = 256, ROW_THREADS = SEGMENT / 2, TILE = 32, TILE_ROWS = 8 };

/* Steps and scale of the 9/7. */
static const float ALPHA = -1.586134342059924f, BETA = -0.052980118572961f, GAMMA = 0.882911075530934f, DELTA = 0.443506852043971f;
static const float K = 1.230174104914001f;

KERNEL dwt_colours_53(const uchar *picture, int *planes, int pixels)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;

    if (at >= pixels)
        return;
    const int red = picture[3 * at] - 128, green = picture[3 * at + 1] - 128, blue = picture[3 * at + 2] - 128;
    planes[at] = (red + 2 * green + blue) >> 2;
    planes[pixels + at] = blue - green;
    planes[2 * pixels + at] = red - green;
}

KERNEL dwt_colours_97(const uchar *picture, float *planes, int pixels)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;

    if (at >= pixels)
        return;
    const float red = picture[3 * at] - 128, green = picture[3 * at + 1] - 128, blue = picture[3 * at + 2] - 128;
    const float light = 0.299f * red + 0.587f * green + 0.114f * blue;
    planes[at] = light;
    planes[pixels + at] = (0.5f / (1 - 0.114f)) * (blue - light);
    planes[2 * pixels + at] = (0.5f / (1 - 0.299f)) * (red - light);
}

/* Where sample i of a line of n is, seen in the mirrors at both ends. */
DEVICE int mirrored(int i, int n)
{
    const int period = max(2 * (n - 1), 1), at = (i % period + period) % period;
    return at < n ? at : period - at;
}

/* One step: every other sample from `first` to below `end` changes by its two neighbours. Samples are `apart`; this is thread `lane` of `lanes`. */
struct line_part {
    int apart, lane, lanes;
};

DEVICE void lift(float *line, line_part p, int first, int end, float factor)
{
    __syncthreads();
    for (int i = first + 2 * p.lane; i < end; i += 2 * p.lanes)
        line[i * p.apart] += factor * (line[(i - 1) * p.apart] + line[(i + 1) * p.apart]);
}

DEVICE void lift(int *line, line_part p, int first, int end, int sign, int rounding, int shift)
{
    __syncthreads();
    for (int i = first + 2 * p.lane; i < end; i += 2 * p.lanes)
        line[i * p.apart] += sign * ((line[(i - 1) * p.apart] + line[(i + 1) * p.apart] + rounding) >> shift);
}

/* Sample number `i` of a segment stands REACH behind the line's begin. Afterwards even ones are low passes, odd ones high passes. */
DEVICE void transform(int *line, line_part p, int segment)
{
    lift(line, p, REACH - 1, segment + REACH, -1, 0, 1);
    lift(line, p, REACH, segment + REACH, 1, 2, 2);
    __syncthreads();
}

DEVICE void transform(float *line, line_part p, int segment)
{
    lift(line, p, REACH - 3, segment + REACH + 4, ALPHA);
    lift(line, p, REACH - 2, segment + REACH + 3, BETA);
    lift(line, p, REACH - 1, segment + REACH + 2, GAMMA);
    lift(line, p, REACH, segment + REACH, DELTA);
    __syncthreads();
}

DEVICE int scaled(int sample, int) { return sample; }
DEVICE float scaled(float sample, int odd) { return odd ? sample * K : sample / K; }

/* Place of sample i of n among low and high passes. */
DEVICE int parted(int i, int n)
{
    return i % 2 ? (n + 1) / 2 + i / 2 : i / 2;
}

/* Grid: segments, rows, planes. */
template <typename T> DEVICE void transform_row(const T *from, T *to, int wide, int pitch, int plane, T *line)
{
    const int begin = blockIdx.x * SEGMENT, row = blockIdx.z * plane + blockIdx.y * pitch;

    for (int i = threadIdx.x; i <= SEGMENT + 2 * REACH; i += ROW_THREADS)
        line[i] = from[row + mirrored(begin + i - REACH, wide)];
    transform(line, {1, (int)threadIdx.x, ROW_THREADS}, SEGMENT);
    for (int odd = 0; odd < 2; odd++) {
        const int i = 2 * threadIdx.x + odd;
        if (begin + i < wide)
            to[row + parted(begin + i, wide)] = scaled(line[REACH + i], odd);
    }
}

/* Grid: tiles across, tiles down, planes. */
template <typename T> DEVICE void transform_columns(const T *from, T *to, int wide, int high, int pitch, int plane, T (*tile)[TILE])
{
    const int x = blockIdx.x * TILE + threadIdx.x, begin = blockIdx.y * TILE, corner = blockIdx.z * plane;

    if (x < wide)
        for (int i = threadIdx.y; i <= TILE + 2 * REACH; i += TILE_ROWS)
            tile[i][threadIdx.x] = from[corner + mirrored(begin + i - REACH, high) * pitch + x];
    transform(&tile[0][threadIdx.x], {TILE, (int)threadIdx.y, TILE_ROWS}, TILE);
    for (int i = threadIdx.y; i < TILE; i += TILE_ROWS)
        if (x < wide && begin + i < high)
            to[corner + parted(begin + i, high) * pitch + x] = scaled(tile[REACH + i][threadIdx.x], i % 2);
}

KERNEL __launch_bounds__(ROW_THREADS) dwt_rows_53(const int *from, int *to, int wide, int pitch, int plane)
{
    __shared__ int line[SEGMENT + 2 * REACH + 1];
    transform_row(from, to, wide, pitch, plane, line);
}

KERNEL __launch_bounds__(ROW_THREADS) dwt_rows_97(const float *from, float *to, int wide, int pitch, int plane)
{
    __shared__ float line[SEGMENT + 2 * REACH + 1];
    transform_row(from, to, wide, pitch, plane, line);
}

KERNEL __launch_bounds__(TILE *TILE_ROWS) dwt_columns_53(const int *from, int *to, int wide, int high, int pitch, int plane)
{
    __shared__ int tile[TILE + 2 * REACH + 1][TILE];
    transform_columns(from, to, wide, high, pitch, plane, tile);
}

KERNEL __launch_bounds__(TILE *TILE_ROWS) dwt_columns_97(const float *from, float *to, int wide, int high, int pitch, int plane)
{
    __shared__ float tile[TILE + 2 * REACH + 1][TILE];
    transform_columns(from, to, wide, high, pitch, plane, tile);
}
