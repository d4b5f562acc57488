/* symbols.cu - variables of the device that the host names: constant, global, managed; before main, and after a reset. */
#include "tests/cuda/cuda_test.h"

VARIABLE(__constant__, int, table, [8])
VARIABLE(__device__, float, total, )
VARIABLE(__device__, int, started, [2])
MANAGED_VARIABLE(int, shared_count)

KERNEL(use, (int *out, int n), {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = table[i % 8] + started[0];
        atomicAdd(&total, 0.5f);
        atomicAdd(&shared_count, 1);
    }
})

/* Static initialisers of other files may run before this image is registered. */
static cudaError_t early_error = cudaErrorUnknown;
static void *early_memory;
#ifdef __CUDACC__
static int early(void);
static const int early_done = early();
#else
static int __attribute__((constructor(101))) early(void);
#endif
static int early(void)
{
    early_error = cudaMalloc(&early_memory, 64);
    return 1;
}

static void run_once(int times)
{
    const int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, nine = 9, first[2] = {100, 0};
    int out[64], back[2], *d;
    float sum = 0;
    void *address = NULL;
    size_t bytes = 0;
    CHECK(cudaMalloc((void **)&d, sizeof out));
    CHECK(cudaMemcpyToSymbol(SYMBOL(table), values, sizeof values, 0, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(SYMBOL(table), &nine, sizeof nine, 3 * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(SYMBOL(started), first, sizeof first, 0, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyToSymbol(SYMBOL(table), values, sizeof values, sizeof(int), cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(SYMBOL(table), values, sizeof values, 0, cudaMemcpyDeviceToHost));
    cudaGetLastError();
    CHECK(cudaGetSymbolSize(&bytes, SYMBOL(table)));
    EXPECT(bytes == sizeof values);
    CHECK(cudaGetSymbolAddress(&address, SYMBOL(started)));
    CHECK(cudaMemcpy(back, address, sizeof back, cudaMemcpyDefault));
    EXPECT(back[0] == 100 && back[1] == 0);

    MANAGED(shared_count) = 1000;
    LAUNCH(use, D3(2, 1, 1), D3(32, 1, 1), 0, 0)(d, 64);
    CHECK(cudaDeviceSynchronize());
    EXPECT(MANAGED(shared_count) == 1064);
    CHECK(cudaMemcpyFromSymbol(&sum, SYMBOL(total), sizeof sum, 0, cudaMemcpyDeviceToHost));
    EXPECT(sum == 32.0f * (float)times);
    CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == 100 + (i % 8 == 3 ? 9 : i % 8 + 1));
}

int main(void)
{
    CHECK(early_error);
    EXPECT(early_memory);
    run_once(1);
    run_once(2);
    size_t bytes = 0;
    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, (const void *)&early_memory));
    CHECK(cudaDeviceReset()); /* variables begin anew */
    CHECK(cudaFree(0));
    run_once(1);
    puts("PASS");
    return 0;
}
