/* heartwall.cu - points of a moving wall followed from frame to frame by templates. After Heart Wall of Rodinia (L. Szafaryn, K. Skadron,
 * J. Saucerman, Experiences Accelerating MATLAB Systems Biology Applications, 2009); code of our own.
 *
 * hw_track: a block a point, a launch a frame. The block's template is compared with the frame at each place of a window around where
 * the point was: by the correlation of what is above and below the mean of both. A thread has every blockDim.x-th place. The best place is
 * found by a tree, the first one among equals; then the template moves a little towards what is there now. Windows of neighbouring points
 * overlap, so blocks share lines of the frame. */
#include "../harness/device.h"

enum { THREADS = 256 };

/* A pixel of the frame; beyond its edges it goes on as at the edge. */
DEVICE float pixel(const float *frame, int size, int row, int column)
{
    return frame[min(max(row, 0), size - 1) * size + min(max(column, 0), size - 1)];
}

/* Correlation of the template with the pixels around (row, column), -1 to 1; side * side of each. */
DEVICE float correlation(const float *frame, int size, const float *of_point, int side, int row, int column)
{
    const int n = side * side, half = side / 2;
    float sum = 0, squares = 0, products = 0, own = 0, own_squares = 0;

    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            const float p = pixel(frame, size, row + i - half, column + j - half), t = of_point[i * side + j];
            sum += p;
            squares += p * p;
            products += p * t;
            own += t;
            own_squares += t * t;
        }
    }
    const float spread = squares - sum * sum / n, own_spread = own_squares - own * own / n;
    return (products - sum * own / n) / sqrtf(spread * own_spread + 1e-12f);
}

/* place: row and column of each point. best: correlation at the place that it goes to. */
KERNEL hw_track(const float *frame, float *templates, int *place, float *best, int size, int side, int search, float share)
{
    __shared__ float high[THREADS];
    __shared__ int where[THREADS];
    const int point = blockIdx.x, t = threadIdx.x, wide = 2 * search + 1, n = side * side;
    float *const of_point = templates + point * n;
    const int row = place[2 * point], column = place[2 * point + 1];

    high[t] = -2;
    where[t] = 0;
    for (int i = t; i < wide * wide; i += THREADS) {
        const float c = correlation(frame, size, of_point, side, row + i / wide - search, column + i % wide - search);
        if (c > high[t]) {
            high[t] = c;
            where[t] = i;
        }
    }
    __syncthreads();
    for (int apart = THREADS / 2; apart > 0; apart /= 2) {
        if (t < apart && (high[t + apart] > high[t] || (high[t + apart] == high[t] && where[t + apart] < where[t]))) {
            high[t] = high[t + apart];
            where[t] = where[t + apart];
        }
        __syncthreads();
    }
    const int half = side / 2;
    const int to_row = min(max(row + where[0] / wide - search, half), size - 1 - half);
    const int to_column = min(max(column + where[0] % wide - search, half), size - 1 - half);
    for (int i = t; i < n; i += THREADS)
        of_point[i] += share * (pixel(frame, size, to_row + i / side - half, to_column + i % side - half) - of_point[i]);
    if (t == 0) {
        place[2 * point] = to_row;
        place[2 * point + 1] = to_column;
        best[point] = high[0];
    }
}
