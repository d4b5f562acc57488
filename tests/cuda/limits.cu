/* limits.cu - what a block may have follows the capability that the device reports: this program is compiled for compute_90, where
 * a kernel may opt in to 227 KiB of shared memory. */
#include "tests/cuda/cuda_test.h"

KERNEL(corners, (unsigned *out, unsigned words), {
    extern __shared__ unsigned room[];
    room[threadIdx.x ? words - 1 : 0] = threadIdx.x + 7;
    __syncthreads();
    out[threadIdx.x] = room[threadIdx.x ? 0 : words - 1];
})

enum { OPT_IN = 227 * 1024, OF_SM = 228 * 1024, UNASKED = 48 * 1024 };

static int attribute(int which)
{
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)which, 0));
    return value;
}

static void opts_in(unsigned *out)
{
    const unsigned words = OPT_IN / sizeof(unsigned);
    unsigned got[2] = {0, 0};
    int blocks = 0;
    LAUNCH(corners, D3(1, 1, 1), D3(2, 1, 1), UNASKED + 4, 0)(out, words);
    GIVES(cudaErrorInvalidValue, cudaGetLastError());
    for (int i = 0; i < 2; i++) { /* of the second nothing is said */
        GIVES(cudaErrorInvalidValue, cudaFuncSetAttribute((const void *)corners, cudaFuncAttributeMaxDynamicSharedMemorySize, OPT_IN + 1));
        GIVES(cudaErrorInvalidValue, cudaGetLastError());
    }
    CHECK(cudaFuncSetAttribute((const void *)corners, cudaFuncAttributeMaxDynamicSharedMemorySize, OPT_IN));
    LAUNCH(corners, D3(1, 1, 1), D3(2, 1, 1), OPT_IN, 0)(out, words);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 8 && got[1] == 7);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)corners, 64, OPT_IN));
    EXPECT(blocks == 1);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)corners, 64, 113 * 1024));
    EXPECT(blocks == 2); /* with the KiB that is kept for each */
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)corners, 64, 114 * 1024));
    EXPECT(blocks == 1);
}

/* Clusters of two blocks and of one run; what is no multiple of them, and too large ones, are refused, and the next launch runs. */
static void launches_in_clusters(unsigned *out)
{
    unsigned words = 2, got[2] = {0, 0};
    void *arguments[] = {&out, &words};
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t how;
    memset(&attribute, 0, sizeof attribute);
    memset(&how, 0, sizeof how);
    how.gridDim = D3(2, 1, 1);
    how.blockDim = D3(2, 1, 1);
    how.dynamicSmemBytes = sizeof got;
    how.attrs = &attribute;
    how.numAttrs = 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    CHECK(cudaLaunchKernelExC(&how, (const void *)corners, arguments));
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 8 && got[1] == 7);
    CHECK(cudaMemset(out, 0, sizeof got));
    attribute.val.clusterDim.x = 4;
    GIVES(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&how, (const void *)corners, arguments));
    GIVES(cudaErrorInvalidClusterSize, cudaGetLastError());
    attribute.val.clusterDim.x = 16;
    how.gridDim = D3(16, 1, 1);
    GIVES(cudaErrorInvalidClusterSize, cudaLaunchKernelExC(&how, (const void *)corners, arguments));
    GIVES(cudaErrorInvalidClusterSize, cudaGetLastError());
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0 && got[1] == 0);
    how.gridDim = D3(2, 1, 1);
    attribute.val.clusterDim.x = 1;
    CHECK(cudaLaunchKernelExC(&how, (const void *)corners, arguments));
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 8 && got[1] == 7);
}

int main(void)
{
    unsigned *out;
    CHECK(cudaMalloc((void **)&out, 2 * sizeof *out));
    EXPECT(attribute(75) == 9 && attribute(76) == 0);             /* the capability */
    EXPECT(attribute(97) == OPT_IN && attribute(81) == OF_SM);    /* ...MaxSharedMemoryPerBlockOptin, ...PerMultiprocessor */
    EXPECT(attribute(8) == UNASKED && attribute(111) == 1024);    /* ...PerBlock, ReservedSharedMemoryPerBlock */
    EXPECT(attribute(39) == 2048 && attribute(106) == 32);        /* threads and blocks of a multiprocessor */
    opts_in(out);
    launches_in_clusters(out);
    CHECK(cudaFree(out));
    puts("PASS");
    return 0;
}
