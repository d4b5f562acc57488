/* memory.c - a program that asks for the device's memory, takes most of it, touches both ends, and then asks for too
 * much. */
#include <cuda.h>
#include <stdio.h>

int main(void)
{
    CUcontext context;
    CUdeviceptr p = 0, more = 0;
    size_t available = 0, total = 0;
    unsigned ends[2] = {0};
    const CUresult ready = cuInit(0) ? CUDA_ERROR_NOT_INITIALIZED : cuCtxCreate_v2(&context, 0, 0);
    if (ready || cuMemGetInfo_v2(&available, &total)) {
        puts("no device");
        return 1;
    }
    printf("total %zu GiB\n", total >> 30);
    const size_t most = total / 4 * 3;
    printf("three quarters: %d\n", (int)cuMemAlloc_v2(&p, most));
    if (cuMemsetD32_v2(p, 7, 1) || cuMemsetD32_v2(p + most - 4, 8, 1) || cuMemcpyDtoH_v2(&ends[0], p, 4) ||
        cuMemcpyDtoH_v2(&ends[1], p + most - 4, 4))
        return 1;
    printf("ends %u %u\n", ends[0], ends[1]);
    printf("another half: %d\n", (int)cuMemAlloc_v2(&more, total / 2));
    return cuMemFree_v2(p) || cuCtxDestroy_v2(context);
}
