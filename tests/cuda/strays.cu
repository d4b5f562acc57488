/* strays.cu - accesses outside allocations. As it is, each is an illegal address; with `pages` for an argument they are those that a GPU lets
 * pass, and nobody's memory changes by them. What lies outside of mapped pages is a fault in both. */
#include "tests/cuda/cuda_test.h"

KERNEL(write_at, (int *p, long long at, int value), { p[at + blockIdx.x * blockDim.x + threadIdx.x] = value; })
KERNEL(read_at, (const int *p, long long at, int *out), { out[threadIdx.x] = p[at + threadIdx.x]; })
KERNEL(add_at, (int *p, long long at, int *out), { atomicAdd(out, atomicAdd(p + at, 1)); })
KERNEL(read_four, (const int *p, long long at, int *out), {
    const int4 v = *(const int4 *)(p + at + 4 * threadIdx.x);
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
})

enum { WORDS = 1024, ROW = 64, LARGE_WORDS = 3 << 18, BLOCKS = 40, THREADS = 64, STREAMS = 3 };

static int *filled(size_t words, int value)
{
    int *p, *const content = (int *)malloc(words * sizeof *content);
    CHECK(cudaMalloc((void **)&p, words * sizeof *p));
    for (size_t i = 0; i < words; i++)
        content[i] = value;
    CHECK(cudaMemcpy(p, content, words * sizeof *p, cudaMemcpyHostToDevice));
    free(content);
    return p;
}

static void expect(const int *p, size_t words, int value)
{
    int *const content = (int *)malloc(words * sizeof *content);
    CHECK(cudaMemcpy(content, p, words * sizeof *p, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < words; i++)
        EXPECT(content[i] == value);
    free(content);
}

/* Words from the start of `p` to the page behind its own. */
static long long to_page(const int *p)
{
    const uintptr_t page = 2u << 20;
    return (long long)((page - (uintptr_t)p % page) / sizeof *p);
}

static void stray(int pages)
{
    int *const before = filled(WORDS, 1), *const p = filled(WORDS, 2), *const behind = filled(WORDS, 3), *const out = filled(WORDS, 0);
    int *const gone = filled(WORDS, 9), *const large = filled(LARGE_WORDS, 4);
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, WORDS, 77); /* one element past the end */
    if (!pages) {
        GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
        CHECK(cudaDeviceReset());
        return;
    }
    LAUNCH(read_at, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(p, WORDS, out); /* and what is there now */
    LAUNCH(read_at, D3(1, 1, 1), D3(ROW, 1, 1), 0, 0)(p, -ROW, out + 32); /* the row before the first */
    LAUNCH(write_at, D3(1, 1, 1), D3(ROW, 1, 1), 0, 0)(large, -ROW, 78);
    LAUNCH(read_four, D3(1, 1, 1), D3(256, 1, 1), 0, 0)(large, LARGE_WORDS, out + 128); /* 4 KiB past the end */
    LAUNCH(add_at, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(large, LARGE_WORDS, out + 120);
    CHECK(cudaFree(gone));
    LAUNCH(read_at, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(gone, 0, out + 512); /* after it was freed */
    CHECK(cudaDeviceSynchronize());
    int got[WORDS];
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 77 && got[1] == 0 && got[31] == 0);
    EXPECT(got[32] == 0 && got[32 + ROW - 1] == 0);
    EXPECT(got[120] == 31 * 32 / 2 && got[128] == 0 && got[128 + 255] == 0);
    EXPECT(got[512] == 9 && got[543] == 9);
    expect(before, WORDS, 1);
    expect(p, WORDS, 2);
    expect(behind, WORDS, 3);
    expect(large, LARGE_WORDS, 4);
    /* Another allocation may get what was freed, and what strays wrote to. */
    CHECK(cudaFree(p));
    CHECK(cudaMemset(filled(2 * WORDS, 5), 0, 4));
    expect(before, WORDS, 1);
    expect(behind, WORDS, 3);
    CHECK(cudaDeviceReset());
}

/* Blocks of several streams write behind the end: their number is known. */
static void stray_in_streams(void)
{
    cudaStream_t stream[STREAMS];
    int *p[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaStreamCreate(&stream[i]));
        p[i] = filled(BLOCKS * THREADS, i);
    }
    for (int i = 0; i < STREAMS; i++) /* the last 10 of each */
        LAUNCH(write_at, D3(BLOCKS, 1, 1), D3(THREADS, 1, 1), 0, stream[i])(p[i], 10, 100 + i);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < STREAMS; i++) {
        expect(p[i], 10, i);
        expect(p[i] + 10, BLOCKS * THREADS - 10, 100 + i);
    }
    CHECK(cudaDeviceReset());
}

int main(int argc, char **argv)
{
    const int pages = argc > 1 && !strcmp(argv[1], "pages");
    stray(pages);
    if (pages)
        stray_in_streams();
    int *p = filled(WORDS, 0);
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, to_page(p) - 1, 7); /* the last word of the page, */
    GIVES(pages ? cudaSuccess : cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    p = filled(WORDS, 0);
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, to_page(p), 7); /* and the one behind it */
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    p = filled(WORDS, 0);
    LAUNCH(write_at, D3(1, 1, 1), D3(1, 1, 1), 0, 0)(p, 1ll << 40, 7);
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    CHECK(cudaDeviceReset());
    /* Copies are the driver's own, which looks at allocations. */
    p = filled(WORDS, 0);
    int word = 0;
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p + WORDS, &word, sizeof word, cudaMemcpyHostToDevice));
    puts("PASS");
    return 0;
}
