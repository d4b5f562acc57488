/* leukocyte.cu - white blood cells found in a picture and the force that draws their outlines. After Leukocyte of Rodinia (M. Boyer, D.
 * Tarjan, S. Acton, K. Skadron, Accelerating Leukocyte Tracking Using CUDA, 2009); code of our own.
 *
 * leu_score: how much like a cell's edge is each of several circles around a pixel? The mean of the gradient along the outward normal,
 * squared, over its variance: the inverse squared of the coefficient of variation (G. Dong, N. Ray, S. Acton, 2005). The best circle
 * counts. leu_dilate: the highest score within a disc. leu_flow: a field that leads to edges, by diffusion that goes with the cell's
 * motion (N. Ray, S. Acton, Motion Gradient Vector Flow, 2004); a block a cell, its window in shared memory for all steps. */
#include "../harness/device.h"

enum { CIRCLES = 7, ANGLES = 48, WINDOW = 32, THREADS = 256, CELLS = WINDOW * WINDOW / THREADS };

__constant__ float normal_x[ANGLES], normal_y[ANGLES];
__constant__ int offset_x[CIRCLES * ANGLES], offset_y[CIRCLES * ANGLES];

/* Pixels within `margin` of an edge get 0. */
KERNEL leu_score(const float *gradient_x, const float *gradient_y, float *score, int width, int height, int margin)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float best = 0;

    if (x >= width || y >= height)
        return;
    if (x >= margin && y >= margin && x < width - margin && y < height - margin) {
        for (int c = 0; c < CIRCLES; c++) {
            float mean = 0, squares = 0;
            for (int a = 0; a < ANGLES; a++) { /* mean and sum of squares around it, updated (B. Welford, 1962) */
                const int at = (y + offset_y[c * ANGLES + a]) * width + x + offset_x[c * ANGLES + a];
                const float outward = gradient_x[at] * normal_x[a] + gradient_y[at] * normal_y[a];
                const float off = outward - mean;
                mean += off / (a + 1);
                squares += off * (outward - mean);
            }
            best = fmaxf(best, mean * mean / (squares / (ANGLES - 1)));
        }
    }
    score[y * width + x] = best;
}

KERNEL leu_dilate(const float *score, float *dilated, int width, int height, int radius)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float highest = 0;

    if (x >= width || y >= height)
        return;
    for (int i = -radius; i <= radius; i++)
        for (int j = -radius; j <= radius; j++)
            if (i * i + j * j <= radius * radius && y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
                highest = fmaxf(highest, score[(y + i) * width + x + j]);
    dilated[y * width + x] = highest;
}

/* A soft step from 0 to 1. */
DEVICE float step_up(float z)
{
    return 0.5f + 0.5f * z / sqrtf(z * z + 0.25f);
}

DEVICE float field_at(const float *u, int row, int column)
{
    return u[min(max(row, 0), WINDOW - 1) * WINDOW + min(max(column, 0), WINDOW - 1)];
}

/* One step at a place: neighbours count as far as they lie behind, seen along the motion; edges hold the field where they are. */
DEVICE float flow(const float *u, float edge, int row, int column, float motion_x, float motion_y, float diffusion)
{
    const float own = field_at(u, row, column);
    float change = 0;

#pragma unroll
    for (int i = -1; i <= 1; i++) {
#pragma unroll
        for (int j = -1; j <= 1; j++) {
            const float up = field_at(u, row + i, column + j) - own;
            change += step_up(up * (j * motion_x + i * motion_y)) * up;
        }
    }
    return own + diffusion * change - (1 - 8 * diffusion) * edge * (own - edge);
}

/* corner: x and y of each cell's window in the picture; motion: of each cell. field: WINDOW * WINDOW values a cell. */
KERNEL leu_flow(const float *edge, const int *corner, const float *motion, float *field, int width, int steps, float diffusion)
{
    __shared__ float u[WINDOW * WINDOW];
    const int cell = blockIdx.x, t = threadIdx.x;
    const float motion_x = motion[2 * cell], motion_y = motion[2 * cell + 1];
    float own_edge[CELLS], next[CELLS];

    for (int k = 0; k < CELLS; k++) {
        const int i = t + k * THREADS;
        u[i] = own_edge[k] = edge[(corner[2 * cell + 1] + i / WINDOW) * width + corner[2 * cell] + i % WINDOW];
    }
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < CELLS; k++) {
            const int i = t + k * THREADS;
            next[k] = flow(u, own_edge[k], i / WINDOW, i % WINDOW, motion_x, motion_y, diffusion);
        }
        __syncthreads();
        for (int k = 0; k < CELLS; k++)
            u[t + k * THREADS] = next[k];
        __syncthreads();
    }
    for (int k = 0; k < CELLS; k++)
        field[cell * WINDOW * WINDOW + t + k * THREADS] = u[t + k * THREADS];
}
