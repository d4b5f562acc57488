/* sharing.cu - data that blocks share in a chosen form, and next to nothing else.
 *
 * A row is 32 words, a line of 128 bytes, and a warp reads or writes one at a time. What a thread reads goes into a number of its own in
 * which order counts, so no read can be left out. */
#include "../harness/sharing.cuh"

enum { WARP = 32, THREADS = 128 };

struct shape {
    int rows, reuse, sharers, writes, rounds;
};

DEVICE int peek_word(const uint *p) { return peek((const int *)p); }
DEVICE void poke_word(uint *p, uint v) { poke((int *)p, (int)v); }
DEVICE uint mix(uint sum, uint word) { return 5 * sum + word; }

/* A number that hangs on what it is made of. */
DEVICE uint stir(uint a, uint b, uint c)
{
    uint v = a * 2654435761u + b * 2246822519u + c * 3266489917u;
    v ^= v >> 15;
    return v * 668265263u;
}

DEVICE uint read_rows(const uint *row, int rows, uint sum)
{
    const int lane = threadIdx.x % WARP;
#pragma unroll 1
    for (int i = threadIdx.x / WARP; i < rows; i += THREADS / WARP)
        sum = mix(sum, row[i * WARP + lane]);
    return sum;
}

/* Each block reads its own rows and those of the `sharers` - 1 blocks behind it. */
KERNEL share_neighbours(const uint *data, uint *out, shape s)
{
    uint sum = 0;
#pragma unroll 1
    for (int again = 0; again < s.reuse; again++)
#pragma unroll 1
        for (int k = 0; k < s.sharers; k++)
            sum = read_rows(data + (blockIdx.x + k) % gridDim.x * s.rows * WARP, s.rows, sum);
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Each block reads all the rows there are. */
KERNEL share_all(const uint *data, uint *out, shape s)
{
    uint sum = 0;
#pragma unroll 1
    for (int again = 0; again < s.reuse; again++)
        sum = read_rows(data, s.rows, sum);
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Each block reads rows of its own, once. */
KERNEL share_nothing(const uint *data, uint *out, shape s)
{
    out[blockIdx.x * THREADS + threadIdx.x] = read_rows(data + blockIdx.x * s.rows * WARP, s.rows, 0);
}

/* Each block writes `writes` of its rows, once; share_neighbours reads them in the next launch. */
KERNEL share_write(uint *data, shape s)
{
    for (int i = threadIdx.x / WARP; i < s.writes; i += THREADS / WARP) {
        const int at = (blockIdx.x * s.rows + i) * WARP + threadIdx.x % WARP;
        data[at] = stir(at, blockIdx.x, 0);
    }
}

/* Groups of `sharers` blocks, the first of which writes `writes` rows a round and raises a flag; the others wait for it, read the rows, and
 * say that they have. */
KERNEL share_flags(uint *data, int *ready, int *taken, uint *out, shape s)
{
    const int group = blockIdx.x / s.sharers, role = blockIdx.x % s.sharers, lane = threadIdx.x % WARP;
    const int readers = min(s.sharers, gridDim.x - group * s.sharers) - 1;
    uint *const row = data + group * s.writes * WARP;
    uint sum = 0;

    for (int round = 1; round <= s.rounds; round++) {
        if (threadIdx.x == 0) {
            while (role ? peek(&ready[group]) < round : peek(&taken[group]) < (round - 1) * readers)
                rest();
            __threadfence();
        }
        __syncthreads();
        if (!role) {
            for (int i = threadIdx.x / WARP; i < s.writes; i += THREADS / WARP)
                poke_word(&row[i * WARP + lane], stir(group, round, i * WARP + lane));
        } else {
            for (int again = 0; again < s.reuse; again++)
                for (int i = threadIdx.x / WARP; i < s.writes; i += THREADS / WARP)
                    sum = mix(sum, peek_word(&row[i * WARP + lane]));
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            if (role)
                atomicAdd(&taken[group], 1);
            else
                poke(&ready[group], round);
        }
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* A node a thread, with `sharers` edges to any nodes. Nodes of the frontier lower the numbers of their neighbours to their own; those are
 * the next frontier. What is read is of the last round, so the order of threads does not matter. */
KERNEL share_frontier(const int *edge, const int *active, const int *number, int *lowered, int *next, shape s)
{
    const int node = blockIdx.x * THREADS + threadIdx.x;

    if (!active[node])
        return;
    const int own = number[node];
#pragma unroll 1
    for (int e = 0; e < s.sharers; e++) {
        const int other = edge[node * s.sharers + e];
        if (number[other] > own) {
            atomicMin(&lowered[other], own);
            next[other] = 1;
        }
    }
}

KERNEL share_settle(int *active, int *number, const int *lowered, int *next)
{
    const int node = blockIdx.x * THREADS + threadIdx.x;

    number[node] = lowered[node];
    active[node] = next[node];
    next[node] = 0;
}

struct work {
    int lock, head, tail, done;
};

DEVICE void take_lock(work *w)
{
    while (atomicCAS(&w->lock, 0, 1))
        rest();
    __threadfence();
}

DEVICE void drop_lock(work *w)
{
    __threadfence();
    atomicExch(&w->lock, 0);
}

/* All blocks take tasks from one queue under one lock. Task i is the work on 4 rows, which are changed; a task that was not done `writes`
 * times goes back to the end. queue: room for all. task numbers count visits in units of `tasks`. */
KERNEL share_queue(uint *data, int *queue, work *w, int tasks, shape s)
{
    __shared__ volatile int now; /* volatile: clang takes what a barrier lets others write for unchanged */

    for (;;) {
        if (threadIdx.x == 0) {
            now = -1;
            while (now < 0 && peek(&w->done) < tasks * s.writes) {
                take_lock(w);
                const int head = peek(&w->head);
                if (head < peek(&w->tail)) {
                    now = peek(&queue[head]);
                    poke(&w->head, head + 1);
                }
                drop_lock(w);
                if (now < 0)
                    rest();
            }
        }
        __syncthreads();
        const int task = now;
        if (task < 0)
            break;
        uint *const word = &data[task % tasks * THREADS + threadIdx.x];
        uint sum = peek_word(word);
        for (int again = 0; again < s.reuse; again++)
            sum = mix(sum, task / tasks);
        poke_word(word, sum);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            if (task / tasks + 1 < s.writes) {
                take_lock(w);
                const int tail = peek(&w->tail);
                poke(&queue[tail], task + tasks);
                poke(&w->tail, tail + 1);
                drop_lock(w);
            }
            atomicAdd(&w->done, 1);
        }
    }
}

/* Blocks in a ring, each with `rows` rows of a stencil over the rows above and below. A round waits for the two neighbours' last one. Odd
 * and even rounds are apart: nobody is two rounds ahead of a neighbour. */
KERNEL share_halo(uint *data, int *flag, shape s)
{
    const int blocks = gridDim.x, own = blockIdx.x, above = (own + blocks - 1) % blocks, below = (own + 1) % blocks;
    const int lane = threadIdx.x % WARP, all = blocks * s.rows * WARP;

    for (int round = 1; round <= s.rounds; round++) {
        const uint *const from = data + (round - 1) % 2 * all;
        uint *const to = data + round % 2 * all;
        if (threadIdx.x == 0) {
            while (peek(&flag[above]) < round - 1 || peek(&flag[below]) < round - 1)
                rest();
            __threadfence();
        }
        __syncthreads();
        for (int i = threadIdx.x / WARP; i < s.rows; i += THREADS / WARP) {
            const int at = (own * s.rows + i) * WARP + lane;
            const uint up = i > 0 ? from[at - WARP] : peek_word(&from[((above + 1) * s.rows - 1) * WARP + lane]);
            const uint down = i + 1 < s.rows ? from[at + WARP] : peek_word(&from[below * s.rows * WARP + lane]);
            poke_word(&to[at], from[at] + 3 * up + 5 * down);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            poke(&flag[own], round);
    }
}
