/* spots.cu - where is a picture sharp? Ten kernels: grey, blurred, its gradient, the edges above a limit, and a normalised picture.
 *
 *     nvcc -lineinfo -cudart shared -o spots spots.cu             with three faults
 *     nvcc -lineinfo -cudart shared -DMENDED -o mended spots.cu   without
 *     spots [WIDTH [HEIGHT]]                                      multiples of 16, from 16 to 4096 [256 256]
 *
 * The program of docs/kernels.md. All is computed again on the CPU and compared. All numbers are integers, so they agree to the last. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 256, BINS = 256, RADIUS = 3, MIDDLE = 128 };

#define CHECK(call)                                                                            \
    do {                                                                                       \
        const cudaError_t error = (call);                                                      \
        if (error != cudaSuccess) {                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));     \
            exit(2);                                                                           \
        }                                                                                      \
    } while (0)

__global__ void to_grey(const unsigned *rgb, int *grey)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned pixel = rgb[i];
    grey[i] = (77 * (pixel & 255) + 150 * (pixel >> 8 & 255) + 29 * (pixel >> 16 & 255)) >> 8;
}

__global__ void blur_rows(const int *in, int *out, int width)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = i % width, row = i - x;
    int sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += in[row + min(max(x + d, 0), width - 1)];
    out[i] = sum / (2 * RADIUS + 1);
}

__global__ void blur_columns(const int *in, int *out, int width, int height)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef MENDED
    const int x = i % width, y = i / width;
#else
    const int x = i / height, y = i % height;
#endif
    int sum = 0;
    for (int d = -RADIUS; d <= RADIUS; d++)
        sum += in[min(max(y + d, 0), height - 1) * width + x];
    out[y * width + x] = sum / (2 * RADIUS + 1);
}

__global__ void gradient(const int *in, int *out, int width, int height)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = i % width, y = i / width;
    const int across = in[y * width + min(x + 1, width - 1)] - in[y * width + max(x - 1, 0)];
    const int down = in[min(y + 1, height - 1) * width + x] - in[max(y - 1, 0) * width + x];
    out[i] = min(abs(across) + abs(down), BINS - 1);
}

__global__ void histogram(const int *in, int *bins)
{
    __shared__ int mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&mine[in[blockIdx.x * blockDim.x + threadIdx.x]], 1);
    __syncthreads();
    if (mine[threadIdx.x])
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

/* sums[b] = bins[0] + ... + bins[b], by one block: each warp adds up its own, then what the warps before it have. */
__global__ void scan(const int *bins, int *sums)
{
    __shared__ int totals[BINS / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = bins[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        const int before = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d)
            sum += before;
    }
    if (lane == 31)
        totals[warp] = sum;
#ifdef MENDED
    __syncthreads();
#endif
    for (int w = 0; w < warp; w++)
        sum += totals[w];
    sums[threadIdx.x] = sum;
}

/* An edge is a pixel whose gradient is above that of nine pixels in ten. */
__global__ void mark(const int *gradients, const int *sums, int *edge, int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    edge[i] = sums[gradients[i]] > pixels / 10 * 9;
}

/* Lists the edges, those of a warp together. */
__global__ void compact(const int *edge, int *list, int *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned votes = __ballot_sync(0xffffffff, edge[i]);
    int first = 0;
    if (lane == 0 && votes)
        first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffff, first, 0);
    if (edge[i])
        list[first + __popc(votes & ((1u << lane) - 1))] = i;
}

__global__ void sum_light(const int *in, int *sums)
{
    __shared__ int part[THREADS];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
#ifdef MENDED
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (t < step)
            part[t] += part[t + step];
    }
#else
    for (int step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        const int at = 2 * step * t;
        if (at < THREADS)
            part[at] += part[at + step];
    }
#endif
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

__global__ void normalise(int *picture, int mean)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    picture[i] = picture[i] * MIDDLE / mean;
}

/* ---- the same on the CPU ---- */

static int clamp(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static int *numbers(size_t count)
{
    int *const memory = (int *)calloc(count, sizeof *memory);
    if (!memory)
        exit(2);
    return memory;
}

struct result {
    int *picture, *list, edges;
};

static void blur(const int *in, int *out, int width, int height, int dx, int dy)
{
    for (int i = 0; i < width * height; i++) {
        int sum = 0;
        for (int d = -RADIUS; d <= RADIUS; d++)
            sum += in[clamp(i / width + d * dy, height) * width + clamp(i % width + d * dx, width)];
        out[i] = sum / (2 * RADIUS + 1);
    }
}

static struct result on_cpu(const unsigned *rgb, int width, int height)
{
    const int pixels = width * height;
    int *grey = numbers(pixels), *rows = numbers(pixels);
    int sums[BINS] = {0};
    struct result r = {numbers(pixels), numbers(pixels), 0};
    long light = 0;
    for (int i = 0; i < pixels; i++)
        grey[i] = (77 * (rgb[i] & 255) + 150 * (rgb[i] >> 8 & 255) + 29 * (rgb[i] >> 16 & 255)) >> 8;
    blur(grey, rows, width, height, 1, 0);
    blur(rows, r.picture, width, height, 0, 1);
    for (int i = 0; i < pixels; i++) {
        const int x = i % width, y = i / width, *in = r.picture;
        const int across = in[y * width + clamp(x + 1, width)] - in[y * width + clamp(x - 1, width)];
        const int down = in[clamp(y + 1, height) * width + x] - in[clamp(y - 1, height) * width + x];
        grey[i] = clamp(abs(across) + abs(down), BINS);
        sums[grey[i]]++;
        light += r.picture[i];
    }
    for (int b = 1; b < BINS; b++)
        sums[b] += sums[b - 1];
    for (int i = 0; i < pixels; i++) {
        if (sums[grey[i]] > pixels / 10 * 9)
            r.list[r.edges++] = i;
        r.picture[i] = r.picture[i] * MIDDLE / (int)(light / pixels);
    }
    free(grey);
    free(rows);
    return r;
}

/* ---- on the device ---- */

static int *on_device(size_t count)
{
    int *memory;
    CHECK(cudaMalloc((void **)&memory, sizeof(int) * count));
    CHECK(cudaMemset(memory, 0, sizeof(int) * count));
    return memory;
}

static struct result on_gpu(const unsigned *rgb, int width, int height)
{
    const int pixels = width * height;
    const dim3 blocks = {(unsigned)pixels / THREADS, 1, 1}, one = {1, 1, 1}, threads = {THREADS, 1, 1};
    int *colours = on_device(pixels), *a = on_device(pixels), *b = on_device(pixels), *slopes = on_device(pixels);
    int *bins = on_device(BINS), *sums = on_device(BINS), *count = on_device(1), *light = on_device(blocks.x);
    CHECK(cudaMemcpy(colours, rgb, sizeof(int) * pixels, cudaMemcpyHostToDevice));
    to_grey<<<blocks, threads>>>((const unsigned *)colours, a);
    blur_rows<<<blocks, threads>>>(a, b, width);
    blur_columns<<<blocks, threads>>>(b, a, width, height);
    gradient<<<blocks, threads>>>(a, slopes, width, height);
    histogram<<<blocks, threads>>>(slopes, bins);
    scan<<<one, threads>>>(bins, sums);
    mark<<<blocks, threads>>>(slopes, sums, b, pixels);
    compact<<<blocks, threads>>>(b, slopes, count);
    sum_light<<<blocks, threads>>>(a, light);
    struct result r = {numbers(pixels), numbers(pixels), 0};
    int *lights = numbers(blocks.x);
    long all = 0;
    CHECK(cudaMemcpy(lights, light, sizeof(int) * blocks.x, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < blocks.x; i++)
        all += lights[i];
    normalise<<<blocks, threads>>>(a, (int)(all / pixels));
    CHECK(cudaMemcpy(r.picture, a, sizeof(int) * pixels, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(r.list, slopes, sizeof(int) * pixels, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&r.edges, count, sizeof(int), cudaMemcpyDeviceToHost));
    int *used[] = {colours, a, b, slopes, bins, sums, count, light};
    for (unsigned i = 0; i < sizeof used / sizeof *used; i++)
        CHECK(cudaFree(used[i]));
    free(lights);
    return r;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Warps list their edges in any order. */
static int same(struct result a, struct result b, int pixels)
{
    qsort(b.list, b.edges, sizeof(int), by_number);
    return a.edges == b.edges && !memcmp(a.list, b.list, sizeof(int) * a.edges) && !memcmp(a.picture, b.picture, sizeof(int) * pixels);
}

static int side(const char *text)
{
    char *end;
    const long n = strtol(text, &end, 10);
    if (*end || n < 16 || n > 4096 || n % 16) {
        fprintf(stderr, "spots: '%s': expected a multiple of 16, from 16 to 4096\n", text);
        exit(2);
    }
    return (int)n;
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? side(argv[1]) : 256, height = argc > 2 ? side(argv[2]) : width;
    unsigned *rgb = (unsigned *)numbers(width * height), random = 1;
    for (int i = 0; i < width * height; i++) {
        const int x = i % width, y = i / width, inside = (x / 24 + y / 40) % 2;
        random = random * 1664525 + 1013904223;
        rgb[i] = (inside ? 0x60a0c0u : 0x203040u) + (random >> 27);
    }
    const struct result wanted = on_cpu(rgb, width, height), got = on_gpu(rgb, width, height);
    const int right = same(wanted, got, width * height);
    printf("%d edges in %d x %d pixels: %s\n", got.edges, width, height, right ? "PASSED" : "FAILED");
    free(rgb);
    free(wanted.picture);
    free(wanted.list);
    free(got.picture);
    free(got.list);
    return !right;
}
