/* checks.cu - what `warpscape run --check` is to find: each fault, and the same without it.
 *
 *     checks              all of them mended
 *     checks NAME...      these with their fault */
#include "tests/cuda/cuda_test.h"

DEVICE_CODE(__device__ unsigned arrived; __device__ unsigned door;)

/* ---- race ---- */

KERNEL(race_shared, (int *out, int bad), {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (!bad)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 32];
})
KERNEL(race_blocks, (int *out, int bad), {
    if (bad)
        out[0] += 1;
    else
        atomicAdd(out, 1);
})
KERNEL(race_lanes, (int *out, int bad), { out[bad ? threadIdx.x / 2 : threadIdx.x] = threadIdx.x; })
/* The last block adds up what all have left: it may not without a fence between leaving and counting. */
KERNEL(race_fence, (int *out, int bad), {
    __shared__ bool last;
    out[64 + blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    if (!bad)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&arrived, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += ((volatile int *)out)[64 + i * 64 + threadIdx.x];
        out[threadIdx.x] = sum;
        if (threadIdx.x == 0)
            arrived = 0;
    }
})
KERNEL(race_scope, (int *out, int bad), {
    if (bad)
        atomicAdd_block(out, 1);
    else
        atomicAdd(out, 1);
})
/* A lock: what it guards is ordered when it is released after a fence. */
KERNEL(race_lock, (int *out, int bad), {
    if (threadIdx.x == 0) {
        while (atomicCAS(&door, 0, 1)) {
        }
        __threadfence();
        out[0] = out[0] * 3 + blockIdx.x;
        if (!bad)
            __threadfence();
        atomicExch(&door, 0);
    }
})

/* ---- init ---- */

KERNEL(init_shared, (int *out, int bad), {
    __shared__ int s[64];
    if (!bad || threadIdx.x < 33)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + 1;
})
KERNEL(init_local, (int *out, int bad), {
    int a[16];
    for (int i = bad ? 1 : 0; i < 16; i++)
        a[i] = i;
    out[threadIdx.x] = a[(out[64] + threadIdx.x) & 15] * 2;
})
KERNEL(init_global, (int *out, const int *in, int bad), { out[threadIdx.x] = in[threadIdx.x] * (bad + 1); })
/* To copy what nobody has written is no fault where it is a part of what somebody has: structs have gaps. */
KERNEL(init_copy, (int *out, const int *in), { out[threadIdx.x] = in[threadIdx.x]; })
KERNEL(init_heap, (int *out, int bad), {
    int *p = (int *)malloc(64);
    if (!bad)
        for (int i = 0; i < 16; i++)
            p[i] = i;
    out[threadIdx.x] = p[threadIdx.x & 15] + 1;
    free(p);
})

/* ---- sync ---- */

KERNEL(sync_diverged, (int *out, int bad), {
    if (!bad || threadIdx.x % 32 < 16) {
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        out[threadIdx.x] = 5;
    }
    out[64 + threadIdx.x] = 1;
})
KERNEL(sync_missing, (int *out, int bad), {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else if (bad)
        asm volatile("bar.sync 2, 64;" ::: "memory");
    else
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = 1;
})
KERNEL(sync_count, (int *out, int bad), {
    if (threadIdx.x < 32 && bad)
        asm volatile("bar.sync 1, 96;" ::: "memory");
    else if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    out[threadIdx.x] = 1;
})
KERNEL(sync_absent, (int *out, int bad), {
    if (threadIdx.x % 32 < 16)
        __syncwarp(bad ? 0xffffffff : 0xffff);
    out[threadIdx.x] = 1;
})
KERNEL(sync_mask, (int *out, int bad), { out[threadIdx.x] = __shfl_sync(bad ? 0xffff : 0xffffffff, threadIdx.x, 0); })
KERNEL(sync_source, (int *out, int bad), {
    int v = threadIdx.x;
    if (threadIdx.x % 32 < 16)
        v = __shfl_down_sync(0xffff, v, 8, bad ? 32 : 16);
    out[threadIdx.x] = v;
})
/* Leaves early, as is allowed; both sides of a branch come to a barrier of the warp of their own. */
KERNEL(sync_fine, (int *out, int bad), {
    if (threadIdx.x >= 40)
        return;
    __syncthreads();
    int v = __shfl_xor_sync(0xffffffff, threadIdx.x, 1);
    if (threadIdx.x % 2) {
        __syncwarp();
        out[threadIdx.x] = v;
    } else {
        __syncwarp();
        out[threadIdx.x] = -v - bad;
    }
})

static int argument_count;
static char **argument;

static int is_bad(const char *name)
{
    for (int i = 1; i < argument_count; i++)
        if (!strcmp(argument[i], name))
            return 1;
    return 0;
}

#define RUN(kernel, blocks) \
    do { \
        CHECK(cudaMemset(out, 0, 4096)); \
        LAUNCH(kernel, D3(blocks, 1, 1), D3(64, 1, 1), 0, 0)(out, is_bad(#kernel)); \
    } while (0)

int main(int argc, char **argv)
{
    int *out, *in, *left;
    cudaStream_t stream;
    cudaEvent_t event;
    argument_count = argc;
    argument = argv;
    CHECK(cudaMalloc((void **)&out, 4096));
    CHECK(cudaMalloc((void **)&in, 256));
    CHECK(cudaMalloc((void **)&left, 1000));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    RUN(race_shared, 1);
    RUN(race_blocks, 4);
    RUN(race_lanes, 1);
    RUN(race_fence, 4);
    RUN(race_scope, 4);
    RUN(race_lock, 4);
    RUN(init_shared, 1);
    RUN(init_local, 1);
    RUN(init_heap, 1);
    if (!is_bad("init_copy"))
        CHECK(cudaMemset2D(in, 16, 1, 8, 16));
    LAUNCH(init_copy, D3(1, 1, 1), D3(64, 1, 1), 0, 0)(out, in);
    if (!is_bad("init_global"))
        CHECK(cudaMemset(in, 1, 256));
    LAUNCH(init_global, D3(1, 1, 1), D3(64, 1, 1), 0, 0)(out, in, is_bad("init_global"));
    RUN(sync_diverged, 1);
    RUN(sync_absent, 1);
    RUN(sync_mask, 1);
    RUN(sync_source, 1);
    RUN(sync_fine, 1);
    if (!is_bad("leak")) {
        CHECK(cudaFree(left));
        CHECK(cudaStreamDestroy(stream));
        CHECK(cudaEventDestroy(event));
    }
    CHECK(cudaFree(in));
    if (is_bad("sync_count")) { /* the launch ends with a fault */
        RUN(sync_count, 1);
        GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    } else if (is_bad("sync_missing")) {
        RUN(sync_missing, 1);
        GIVES(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    } else {
        RUN(sync_count, 1);
        RUN(sync_missing, 1);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(out));
    }
    puts("PASS");
    return 0;
}
