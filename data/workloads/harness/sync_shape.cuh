/* sync_shape.cuh - how does a workload get the barrier that --size asks for, and tell what it cost? The device side of sync_shape.h. */
#ifndef WS_SYNC_SHAPE_CUH
#define WS_SYNC_SHAPE_CUH

#include "device.h"
#define WS_SYNC_PUBLISHED /* what the study measures: the engine deals blocks out one by one */
#include "warpscape_sync.cuh"

struct sync_shape { /* as in sync_shape.h */
    int form, sms, backoff, sleep, single, hybrid;
};

/* Of a block, as its thread 0 saw it: cycles of the kernel and in barriers (or semaphores), atomics in vain, calls of these. */
struct sync_use {
    ulong64 cycles, waited, polls, waits;
};

DEVICE ulong64 sync_clock()
{
    ulong64 now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

/* `own` is of the kernel, not of the shape: what others do stays the same code. */
DEVICE ws_barrier sync_barrier(int *word, sync_shape s, bool own)
{
    const ws_barrier b = {word, s.sms, own ? WS_BARRIER_SENSE : s.form, {s.backoff, s.sleep}, s.single, s.hybrid, own};
    return b;
}

DEVICE void sync_wait(const ws_barrier *b, sync_use *own)
{
    const ulong64 began = sync_clock();
    own->polls += ws_barrier_wait(b);
    own->waited += sync_clock() - began;
    own->waits++;
}

/* use: [blocks] */
DEVICE void sync_keep(sync_use *use, sync_use own, ulong64 began)
{
    if (threadIdx.x)
        return;
    own.cycles = sync_clock() - began;
    use[blockIdx.x] = own;
}

#endif
