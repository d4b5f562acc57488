/* make_occupancy.c - CTAs of an SM by NVIDIA's calculator, cuda_occupancy.h of the CUDA toolkit 13.0, for random shapes
 * on cards of five capabilities. Their properties are those of the CUDA C++ Programming Guide, compute capabilities.
 *
 *   gcc -I/usr/local/cuda/include tests/oracle/make_occupancy.c -o make_occupancy && ./make_occupancy
 * >tests/oracle/occupancy.oracle.csv */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_occupancy.h>

enum { SHAPES = 60, KB = 1024 };

typedef struct card {
    const char *machine; /* of data/configs */
    int major, minor, sms, threads, shared, block_shared, reserved;
} card;

static const card cards[] = {
    {"titanx", 5, 2, 24, 2048, 96 * KB, 48 * KB, 0},   {"qv100", 7, 0, 80, 2048, 96 * KB, 96 * KB, 0},
    {"rtx2060", 7, 5, 30, 1024, 64 * KB, 64 * KB, 0},  {"rtx3090", 8, 6, 82, 1536, 100 * KB, 99 * KB, KB},
    {"h100", 9, 0, 132, 2048, 228 * KB, 227 * KB, KB},
};

static unsigned seed = 20;
static unsigned draw(unsigned below)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
}

int main(void)
{
    puts("machine,threads,registers,shared,ctas");
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        for (int n = 0; n < SHAPES; n++) {
            const card *const c = &cards[i];
            const int threads = 1 + (int)draw(1024), registers = 16 + (int)draw(112);
            const size_t shared = draw(3) ? draw((unsigned)c->block_shared / 4) * (size_t)(1 + draw(4)) : 0;
            cudaOccDeviceProp p = {0};
            cudaOccFuncAttributes f = {0};
            cudaOccDeviceState s = {0};
            cudaOccResult r;
            p.computeMajor = c->major, p.computeMinor = c->minor, p.numSms = c->sms;
            p.maxThreadsPerBlock = 1024, p.maxThreadsPerMultiprocessor = c->threads;
            p.regsPerBlock = p.regsPerMultiprocessor = 65536, p.warpSize = 32;
            p.sharedMemPerBlock = 48 * KB, p.sharedMemPerMultiprocessor = (size_t)c->shared;
            p.sharedMemPerBlockOptin = (size_t)c->block_shared, p.reservedSharedMemPerBlock = (size_t)c->reserved;
            f.maxThreadsPerBlock = 1024, f.numRegs = registers;
            f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
            f.maxDynamicSharedSizeBytes = (size_t)c->block_shared;
            s.carveoutConfig = 100; /* as much shared memory as there is */
            if (!cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, threads, shared))
                printf("%s,%d,%d,%zu,%d\n", c->machine, threads, registers, shared, r.activeBlocksPerMultiprocessor);
        }
    return 0;
}
