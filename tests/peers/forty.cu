// Kernels that hold `sim --config rtx2060` against GPGPU-Sim: forty.launch has their sizes, tests/runners/run_peers.sh runs them.
// Compiled by nvcc 13.0: nvcc -O2 -arch compute_75 -ptx forty.cu -o forty.ptx
// What decides addresses and paths is calculated from indices, so all simulators execute the same.
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

static __device__ __forceinline__ unsigned mix(unsigned x) { return (x * 2654435761u) ^ (x * 40503u >> 7); }

// GPGPU-Sim has no second result of shfl, which intrinsics ask for.
#define SHUFFLE(v, d) ({ \
    float r_; \
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=f"(r_) : "f"(v), "r"(d)); \
    r_; \
})

// Streams

KERNEL copy4(const float4 *a, float4 *b) { b[ID] = a[ID]; }
KERNEL saxpy(const float *x, float *y, float a, int n) {
    for (int i = ID; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
KERNEL write_only(float *b) { b[ID] = ID; }
KERNEL volatile_loads(volatile float *a, float *b) {
    float s = 0;
    for (int i = 0; i < 8; i++) s += a[(ID + i * 32) & 65535];
    b[ID] = s;
}

// Patterns of addresses

KERNEL stride8(const float *a, float *b) { b[ID] = a[(ID * 8) & 262143]; }
KERNEL stride32(const float *a, float *b) { b[ID] = a[(ID * 32 + (ID >> 13)) & 262143]; }
KERNEL gather_random(const float *a, float *b) { b[ID] = a[mix(ID) & 131071]; }
KERNEL gather_near(const float *a, float *b) { b[ID] = a[ID ^ 37]; }
KERNEL scatter_random(const float *a, float *b) { b[mix(ID) & 131071] = a[ID]; }
KERNEL chase(const unsigned *a, unsigned *b) {
    unsigned at = ID;
    for (int i = 0; i < 64; i++) at = mix(a[at] + at) & 16383;
    b[ID] = at;
}

// Stencils

KERNEL stencil1(const float *a, float *b) {
    float s = 0;
    for (int i = 0; i < 7; i++) s += a[(ID + i) & 131071];
    b[ID] = s;
}
KERNEL stencil2(const float *a, float *b) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, at = y * 512 + x;
    if (x > 0 && x < 511 && y > 0 && y < 255) b[at] = 0.2f * (a[at] + a[at - 1] + a[at + 1] + a[at - 512] + a[at + 512]);
}
KERNEL stencil2_shared(const float *a, float *b) {
    __shared__ float t[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int i = threadIdx.y + 1, j = threadIdx.x + 1;
    t[i][j] = a[y * 512 + x];
    if (i == 1) t[0][j] = a[((y + 255) & 255) * 512 + x];
    if (i == 8) t[9][j] = a[((y + 1) & 255) * 512 + x];
    if (j == 1) t[i][0] = a[y * 512 + ((x + 511) & 511)];
    if (j == 32) t[i][33] = a[y * 512 + ((x + 1) & 511)];
    __syncthreads();
    b[y * 512 + x] = 0.2f * (t[i][j] + t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1]);
}
KERNEL stencil3(const float *a, float *b) {
    int x = threadIdx.x, y = blockIdx.x * 4 + threadIdx.y, at = y * 64 + x;
    for (int z = 1; z < 15; z++) {
        int p = z * 4096 + at;
        b[p] = a[p] + a[p - 4096] + a[p + 4096] + a[p - (y > 0 ? 64 : 0)] + a[p + (y < 63 ? 64 : 0)] + a[p - (x > 0)] + a[p + (x < 63)];
    }
}

// Reductions, scans

KERNEL reduce_shuffle(const float *a, float *b) {
    float s = a[ID] + a[ID + 65536];
    for (int d = 16; d > 0; d /= 2) s += SHUFFLE(s, d);
    if (threadIdx.x % 32 == 0) b[ID / 32] = s;
}
KERNEL reduce_shared(const float *a, float *b) {
    __shared__ float t[256];
    t[threadIdx.x] = a[ID];
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) t[threadIdx.x] += t[threadIdx.x + d];
    }
    if (threadIdx.x == 0) b[blockIdx.x] = t[0];
}
KERNEL reduce_atomic(const unsigned *a, unsigned *sum) {
    unsigned s = a[ID];
    for (int d = 16; d > 0; d /= 2) s += __float_as_uint(SHUFFLE(__uint_as_float(s), d));
    if (threadIdx.x % 32 == 0) atomicAdd(sum, s);
}
KERNEL scan_shared(const float *a, float *b) {
    __shared__ float t[2][256];
    int in = 0;
    t[0][threadIdx.x] = a[ID];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2, in ^= 1) {
        float v = t[in][threadIdx.x];
        if (threadIdx.x >= d) v += t[in][threadIdx.x - d];
        t[in ^ 1][threadIdx.x] = v;
        __syncthreads();
    }
    b[ID] = t[in][threadIdx.x];
}
KERNEL scan_warp(const float *a, float *b) {
    float v = a[ID];
    for (int d = 1; d < 32; d *= 2) {
        float u;
        asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, -1;" : "=f"(u) : "f"(v), "r"(d));
        if (threadIdx.x % 32 >= d) v += u;
    }
    b[ID] = v;
}

// Transposition, histograms

KERNEL transpose_naive(const float *a, float *b) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    b[x * 256 + y] = a[y * 512 + x];
}
static __device__ __forceinline__ void transpose(const float *a, float *b, float *t, int pitch) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) t[(threadIdx.y + i) * pitch + threadIdx.x] = a[(y + i) * 512 + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) b[(y + i) * 256 + x] = t[threadIdx.x * pitch + threadIdx.y + i];
}
KERNEL transpose_conflicts(const float *a, float *b) {
    __shared__ float t[32 * 32];
    transpose(a, b, t, 32);
}
KERNEL transpose_padded(const float *a, float *b) {
    __shared__ float t[32 * 33];
    transpose(a, b, t, 33);
}
KERNEL histogram_shared(const unsigned *a, unsigned *h) {
    __shared__ unsigned t[256];
    t[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 8; i++) atomicAdd(&t[mix(a[blockIdx.x * 2048 + i * 256 + threadIdx.x]) & 255], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], t[threadIdx.x]);
}
KERNEL histogram_global(const unsigned *a, unsigned *h) { atomicAdd(&h[mix(a[ID]) & 1023], 1); }

// Sparse and dense products

KERNEL spmv_scalar(const unsigned *begin, const unsigned *column, const float *value, const float *x, float *y) {
    unsigned from = begin[ID], to = from + 4 + (mix(ID) & 7);
    float s = 0;
    for (unsigned i = from; i < to; i++) s += value[i] * x[mix(column[i]) & 8191];
    y[ID] = s;
}
KERNEL spmv_vector(const unsigned *begin, const unsigned *column, const float *value, const float *x, float *y) {
    unsigned row = ID / 32, from = begin[row * 4], lane = threadIdx.x % 32;
    float s = 0;
    for (unsigned i = from + lane; i < from + 48; i += 32) s += value[i] * x[mix(column[i]) & 8191];
    for (int d = 16; d > 0; d /= 2) s += SHUFFLE(s, d);
    if (lane == 0) y[row] = s;
}
KERNEL product_naive(const float *a, const float *b, float *c, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float s = 0;
    for (int i = 0; i < n; i++) s += a[y * n + i] * b[i * n + x];
    c[y * n + x] = s;
}
KERNEL product_tiled(const float *a, const float *b, float *c, int n) {
    __shared__ float s[16][16], t[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += s[threadIdx.y][i] * t[i][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
KERNEL product_registers(const float *a, const float *b, float *c, int n) {
    __shared__ float s[8][64], t[8][64];
    int i0 = threadIdx.y * 4, j0 = threadIdx.x * 4, id = threadIdx.y * 16 + threadIdx.x;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 8) {
        for (int e = id; e < 512; e += 256) {
            s[e / 64][e % 64] = a[(blockIdx.y * 64 + e % 64) * n + k + e / 64];
            t[e / 64][e % 64] = b[(k + e / 64) * n + blockIdx.x * 64 + e % 64];
        }
        __syncthreads();
        for (int p = 0; p < 8; p++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sum[i][j] += s[p][i0 + i] * t[p][j0 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + i0 + i) * n + blockIdx.x * 64 + j0 + j] = sum[i][j];
}

// Arithmetic

KERNEL double_chain(double *b, double x) {
    double s = ID;
    for (int i = 0; i < 64; i++) s = s * x + 0.5;
    b[ID] = s;
}
KERNEL double_wide(double *b, double x) {
    double s = ID, t = s + 1, u = s + 2, v = s + 3;
    for (int i = 0; i < 16; i++) s = s * x + 0.5, t = t * x + 0.5, u = u * x + 0.5, v = v * x + 0.5;
    b[ID] = s + t + u + v;
}
KERNEL special(float *b) {
    float s = ID * 1e-4f;
    for (int i = 0; i < 16; i++) s = __sinf(s) + __expf(-s) + rsqrtf(s * s + 1);
    b[ID] = s;
}
KERNEL divisions(unsigned *b, unsigned d) {
    unsigned s = ID;
    for (int i = 0; i < 16; i++) s = s / (d + i) + (s % (d + 1)) * 77u;
    b[ID] = s;
}
KERNEL multiply_chain(unsigned *b, unsigned m) {
    unsigned s = ID;
    for (int i = 0; i < 128; i++) s = s * m + i;
    b[ID] = s;
}
KERNEL fma_wide(float *b, float x) {
    float s[8];
    for (int j = 0; j < 8; j++) s[j] = ID + j;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 8; j++) s[j] = s[j] * x + 0.5f;
    for (int j = 1; j < 8; j++) s[0] += s[j];
    b[ID] = s[0];
}
KERNEL halves(const __half2 *a, __half2 *b) {
    __half2 s = a[ID], x = s;
    for (int i = 0; i < 64; i++) s = __hfma2(s, x, x);
    b[ID] = s;
}
KERNEL nbody(const float4 *p, float4 *f, int n) {
    __shared__ float4 t[128];
    float4 me = p[ID];
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < n; k += 128) {
        t[threadIdx.x] = p[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; i++) {
            float dx = t[i].x - me.x, dy = t[i].y - me.y, dz = t[i].z - me.z, r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), w = t[i].w * r * r * r;
            x += dx * w, y += dy * w, z += dz * w;
        }
        __syncthreads();
    }
    f[ID] = make_float4(x, y, z, 0);
}

// Control

KERNEL mandelbrot(int *b) {
    float cx = (ID % 256) / 128.0f - 1.5f, cy = (ID / 256) / 128.0f - 1.0f, x = 0, y = 0;
    int i = 0;
    while (i < 32 && x * x + y * y < 4) {
        float u = x * x - y * y + cx;
        y = 2 * x * y + cy, x = u, i++;
    }
    b[ID] = i;
}
KERNEL divergent(float *b, float x) {
    float s = ID;
    switch (threadIdx.x & 7) {
    case 0: for (int i = 0; i < 20; i++) s = s * x + 1; break;
    case 1: for (int i = 0; i < 15; i++) s = s * s + x; break;
    case 2: for (int i = 0; i < 25; i++) s = s - x * s; break;
    case 3: for (int i = 0; i < 10; i++) s = sqrtf(s + x); break;
    default: if (threadIdx.x & 16) s += x; else s *= x;
    }
    b[ID] = s;
}
KERNEL barriers(float *b) {
    __shared__ float t[256];
    t[threadIdx.x] = threadIdx.x;
    for (int i = 0; i < 32; i++) {
        __syncthreads();
        float v = t[threadIdx.x ^ 32];
        __syncthreads();
        t[threadIdx.x] = v + 1;
    }
    b[ID] = t[threadIdx.x];
}
KERNEL votes(const unsigned *a, unsigned *b) {
    unsigned v = a[ID], s = 0;
    for (int i = 0; i < 16; i++) s += __popc(__ballot_sync(~0u, mix(v + i) & 64)) + (__any_sync(~0u, (v + i) % 61 == 0) ? 1 : 0);
    b[ID] = s;
}
KERNEL bitonic(unsigned *a) {
    __shared__ unsigned t[256];
    t[threadIdx.x] = mix(a[ID]);
    for (unsigned k = 2; k <= 256; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            unsigned other = threadIdx.x ^ j;
            if (other > threadIdx.x) {
                unsigned u = t[threadIdx.x], v = t[other];
                if ((u > v) == ((threadIdx.x & k) == 0)) t[threadIdx.x] = v, t[other] = u;
            }
        }
    __syncthreads();
    a[ID] = t[threadIdx.x];
}

// Occupancy, spaces, atomics

KERNEL low_occupancy(const float *a, float *b) {
    __shared__ float t[8000];
    t[threadIdx.x] = a[ID];
    __syncthreads();
    float s = 0;
    for (int i = 0; i < 32; i++) s += t[(threadIdx.x * 3 + i) & 63] * a[(ID + i * 64) & 65535];
    b[ID] = s;
}
KERNEL one_block(const float *a, float *b) {
    float s = 0;
    for (int i = threadIdx.x; i < 65536; i += blockDim.x) s += a[i];
    b[threadIdx.x] = s;
}
__constant__ float table[256] = {1, 2, 3};
KERNEL constants(float *b) {
    float s = ID;
    for (int i = 0; i < 64; i++) s = s * table[i] + table[i + 64];
    b[ID] = s;
}
KERNEL locals(const unsigned *a, unsigned *b) {
    unsigned t[32], s = 0;
    for (int i = 0; i < 32; i++) t[i] = ID + i;
    for (int i = 0; i < 32; i++) s += t[mix(s + a[i]) & 31];
    b[ID] = s;
}
KERNEL conflicts(float *b) {
    __shared__ float t[4096];
    for (int i = 0; i < 32; i++) t[i * 128 + threadIdx.x] = i;
    __syncthreads();
    float s = 0;
    for (int i = 0; i < 32; i++) s += t[(threadIdx.x * 16 + i) & 4095];
    b[ID] = s;
}
KERNEL atomics_hot(unsigned *h, unsigned *b) {
    unsigned s = 0;
    for (int i = 0; i < 4; i++) s += atomicCAS(&h[i], s, ID);
    b[ID] = s;
}
KERNEL atomics_cold(unsigned *h) { atomicAdd(&h[ID], 1); }
