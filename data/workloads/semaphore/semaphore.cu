/* semaphore.cu - blocks of an SM share data under a semaphore: the first one writes all of it, the others read a part each.
 *
 * A writer adds 1 to each word, so all words are equal whenever nobody writes: a reader that finds two that differ was inside together with
 * the writer. With `audit` blocks count who is inside by atomics, too. */
#include "../harness/sync_shape.cuh"

struct section { /* as in semaphore.c */
    int sms, size, form, backoff, sleep, counts, writer_waits, rounds, critical, audit;
};

/* Of an SM. */
struct record {
    int inside, most, wrong, torn; /* readers inside, and in the upper half writers; most readers; entries that must not be; unequal words */
};

enum { WRITER = 1 << 16 };

DEVICE void come_in(record *r, section s, bool writer)
{
    const int there = atomicAdd(&r->inside, writer ? WRITER : 1);
    if (writer ? there : there >= s.size)
        atomicAdd(&r->wrong, 1);
    if (!writer)
        atomicMax(&r->most, there + 1);
}

DEVICE void write_all(uint *data, int critical)
{
#pragma unroll 1
    for (int i = 0; i < critical; i++)
        data[i * blockDim.x + threadIdx.x]++;
}

/* Part `rank` of `parts`; the first word is that of all. */
DEVICE int read_part(const uint *data, int critical, int rank, int parts)
{
    const uint first = *(const volatile uint *)data;
    const int from = (int)((long long)critical * rank / parts), to = (int)((long long)critical * (rank + 1) / parts);
    int unequal = 0;
#pragma unroll 1
    for (int i = from; i < to; i++)
        unequal += *(const volatile uint *)&data[i * blockDim.x + threadIdx.x] != first;
    return unequal;
}

KERNEL semaphore(int *word, uint *data, record *records, sync_use *use, section s)
{
    const int sm = blockIdx.x % s.sms, rank = blockIdx.x / s.sms, blocks = (gridDim.x - sm + s.sms - 1) / s.sms;
    const ws_semaphore sem = {word + sm * WS_SEMAPHORE_WORDS, s.size, s.form, {s.backoff, s.sleep}, s.counts, s.writer_waits};
    uint *const own_data = data + (ulong64)sm * s.critical * blockDim.x;
    const bool writer = rank == 0;
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int round = 0; round < s.rounds; round++) {
        ulong64 from = sync_clock();
        own.polls += ws_semaphore_enter(&sem, writer);
        own.waited += sync_clock() - from;
        own.waits++;
        if (s.audit && threadIdx.x == 0)
            come_in(&records[sm], s, writer);
        if (writer)
            write_all(own_data, s.critical);
        else {
            const int unequal = read_part(own_data, s.critical, rank - 1, blocks - 1);
            if (unequal)
                atomicAdd(&records[sm].torn, unequal);
        }
        if (s.audit) {
            __syncthreads();
            if (threadIdx.x == 0)
                atomicAdd(&records[sm].inside, writer ? -WRITER : -1);
        }
        from = sync_clock();
        own.polls += ws_semaphore_leave(&sem, writer);
        own.waited += sync_clock() - from;
        own.waits++;
    }
    sync_keep(use, own, began);
}
