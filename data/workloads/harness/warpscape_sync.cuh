/* warpscape_sync.cuh - how do blocks wait for one another, and how do they share what only so many may hold? Barriers of the whole grid and
 * semaphores with readers and writers, for any CUDA kernel: this header needs nothing but the documented language.
 *
 *     __global__ void kernel(int *words, ...)               // ws_barrier_words(sms) zeroed ints in global memory
 *     {
 *         const ws_barrier barrier = {words, sms, WS_BARRIER_SENSE, {1023, 0}, 0, 8};
 *         for (...) {
 *             ...
 *             ws_barrier_wait(&barrier);                    // all threads of all blocks
 *         }
 *     }
 *
 *     const ws_semaphore s = {words, size, WS_SEMAPHORE_PRIORITY, {1023, 0}, 1, 0};   // WS_SEMAPHORE_WORDS ints, [WS_SEMAPHORE_SIZE] = size
 *     ws_semaphore_enter(&s, writer);                       // all threads of a block
 *     ...
 *     ws_semaphore_leave(&s, writer);
 *
 * Grids and blocks of one dimension. All blocks of a barrier have to be resident at once, as in a cooperative launch: else those that are wait for
 * ever. Thread 0 takes part for its block, the others wait at a barrier of the block.
 *
 * An "SM" is a group of blocks with equal blockIdx.x % sms: what a GPU that deals blocks out one by one puts on one SM. Where it does not, that
 * costs time. With WS_SYNC_PUBLISHED, two of the barriers use atomics and fences of scope `cta` between blocks of a group, as published: enough where
 * these share one L1, wrong where they do not (PageRank on an H200 is), and wrong by the memory model of PTX, in which a scope `cta` is one block.
 *
 * Calls return, in thread 0, how often a word was asked by an atomic in vain (0 elsewhere): polls of a barrier; for a semaphore, locks that others
 * had, leavers that were let pass, and rooms that were full.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", University of Wisconsin-Madison, 2023, chapter 4, describes all of them; the first barrier is that of
 * M. Sinclair, J. Alsop, S. Adve, "HeteroSync: A Benchmark Suite for Fine-Grained Synchronization on Tightly Coupled GPUs", IISWC 2017. The code is ours. */
#ifndef WARPSCAPE_SYNC_CUH
#define WARPSCAPE_SYNC_CUH

#ifdef __CUDACC__
#define WS_SYNC static __device__ __forceinline__
#else
#include "device.h"
#define WS_SYNC DEVICE
#endif

/* ------------------------------------------------------------------------------------------------ words */

#ifdef WS_SYNC_PUBLISHED
#define WS_SYNC_LOCAL "cta"
WS_SYNC void ws_local_fence() { __threadfence_block(); }
#else
#define WS_SYNC_LOCAL "gpu"
WS_SYNC void ws_local_fence() { __threadfence(); }
#endif

/* Each word in a line of its own: who asks for one takes no other away. */
enum { WS_SYNC_LINE = 32 };

WS_SYNC int ws_peek(const int *p) { return *(const volatile int *)p; }
WS_SYNC void ws_poke(int *p, int v) { *(volatile int *)p = v; }

/* A load that asks L2 and leaves nothing in the L1. */
WS_SYNC int ws_peek_l2(const int *p)
{
    int v;
    asm volatile("ld.cg.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

/* One more, up to INT_MAX and then 0 again; the old value. */
WS_SYNC int ws_increment(int *p, bool local)
{
    int old;
    if (local)
        asm volatile("atom." WS_SYNC_LOCAL ".inc.u32 %0, [%1], 0x7fffffff;" : "=r"(old) : "l"(p) : "memory");
    else
        asm volatile("atom.gpu.inc.u32 %0, [%1], 0x7fffffff;" : "=r"(old) : "l"(p) : "memory");
    return old;
}

WS_SYNC int ws_swap_if(int *p, int expected, int v, bool local)
{
    int old;
    if (local)
        asm volatile("atom." WS_SYNC_LOCAL ".cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(expected), "r"(v) : "memory");
    else
        asm volatile("atom.gpu.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(expected), "r"(v) : "memory");
    return old;
}

/* ------------------------------------------------------------------------------------------------ waiting */

/* How somebody waits who asked in vain: 1, 3, 7, ... turns of an empty loop or, with `sleep`, nanoseconds; `most` is one less than a power of two,
 * 0: does not wait. */
struct ws_backoff {
    int most, sleep;
};

WS_SYNC int ws_backoff_next(ws_backoff b, int now) { return (2 * now + 1) & b.most; }

/* Waits, and makes the next time longer; once it is the most it stays. *now is 1 at first. */
WS_SYNC void ws_back_off(ws_backoff b, int *now)
{
    if (!b.most)
        return;
    if (b.sleep)
        asm volatile("nanosleep.u32 %0;" ::"r"(*now) : "memory");
    else
#pragma unroll 1
        for (int i = 0; i < *now; i++)
            asm volatile("" ::: "memory");
    *now = ws_backoff_next(b, *now);
}

/* ------------------------------------------------------------------------------------------------ barriers */

enum ws_barrier_form {
    WS_BARRIER_TREE = 1,    /* two levels of counters, each passed twice, as in HeteroSync */
    WS_BARRIER_SENSE,       /* G-SRB: two levels that reverse a sense */
    WS_BARRIER_CPU,         /* G-CPUSRB: one level that reverses a sense, all blocks */
    WS_BARRIER_COOPERATIVE, /* one counter whose overflow turns its highest bit, as CUDA's grid groups; nobody backs off */
    WS_BARRIER_HYBRID,      /* COOPERATIVE for fewer than `hybrid` blocks an SM, else SENSE */
    WS_BARRIER_LITERAL      /* TREE with the exit test as it is printed, with which only who resets the counter leaves: never use it */
};

struct ws_barrier {
    int *word;          /* [ws_barrier_words(sms)] zero before the first use, whatever the form; nobody else's */
    int sms;            /* groups of blocks */
    int form;           /* ws_barrier_form */
    ws_backoff backoff;
    int single;         /* SENSE: one level for up to so many blocks an SM */
    int hybrid;         /* HYBRID: the threshold */
    int own;            /* SENSE: 1: blocks wait for a word of their SM, which its first one turns; 0: all for one word, as published */
};

enum { WS_BARRIER_GLOBAL_1, WS_BARRIER_GLOBAL_2, WS_BARRIER_GLOBAL_SENSE, WS_BARRIER_GLOBALS }; /* lines; behind them those of SMs: */
enum { WS_BARRIER_LOCAL_1, WS_BARRIER_LOCAL_2, WS_BARRIER_LOCAL_SENSE, WS_BARRIER_LOCALS };

#define ws_barrier_words(sms) (WS_SYNC_LINE * (WS_BARRIER_GLOBALS + WS_BARRIER_LOCALS * (sms)))

WS_SYNC int ws_barrier_sm(const ws_barrier *b) { return (int)blockIdx.x % b->sms; }
/* Blocks of the caller's SM, SMs with blocks. */
WS_SYNC int ws_barrier_blocks(const ws_barrier *b) { return ((int)gridDim.x - ws_barrier_sm(b) + b->sms - 1) / b->sms; }
WS_SYNC int ws_barrier_groups(const ws_barrier *b) { return (int)gridDim.x < b->sms ? (int)gridDim.x : b->sms; }
/* Blocks of the fullest SM. */
WS_SYNC int ws_barrier_most(const ws_barrier *b) { return ((int)gridDim.x + b->sms - 1) / b->sms; }

WS_SYNC int *ws_barrier_global(const ws_barrier *b, int which) { return b->word + which * WS_SYNC_LINE; }
WS_SYNC int *ws_barrier_local(const ws_barrier *b, int which)
{
    return b->word + (WS_BARRIER_GLOBALS + WS_BARRIER_LOCALS * ws_barrier_sm(b) + which) * WS_SYNC_LINE;
}

/* One counter. Who finds it full empties it; all leave when they find it empty. */
WS_SYNC unsigned ws_pass_counter(const ws_barrier *b, int *count, int expected, bool local)
{
    const int leaves = b->form == WS_BARRIER_LITERAL ? expected : 0;
    unsigned polls = 0;
    int wait = 1;
    if (local)
        ws_local_fence();
    else
        __threadfence();
    ws_increment(count, local);
    for (;;) {
        const int old = ws_swap_if(count, expected, 0, local);
        if (old == leaves)
            break;
        polls += old != expected;
        if (!local)
            ws_back_off(b->backoff, &wait);
    }
    if (local)
        ws_local_fence();
    else
        __threadfence();
    return polls;
}

/* The second counter of each pair lets nobody into the next episode's first one before all have left this one. */
WS_SYNC unsigned ws_barrier_tree(const ws_barrier *b)
{
    const int blocks = ws_barrier_blocks(b), groups = ws_barrier_groups(b);
    const bool alone = ws_barrier_most(b) == 1;
    int *const local_1 = ws_barrier_local(b, WS_BARRIER_LOCAL_1), *const local_2 = ws_barrier_local(b, WS_BARRIER_LOCAL_2);
    unsigned polls = 0;
    for (int round = 0; round < 2; round++) {
        if (!alone) {
            polls += ws_pass_counter(b, local_1, blocks, true);
            polls += ws_pass_counter(b, local_2, blocks, true);
        }
        if (!round && (int)blockIdx.x < b->sms) {
            polls += ws_pass_counter(b, ws_barrier_global(b, WS_BARRIER_GLOBAL_1), groups, false);
            polls += ws_pass_counter(b, ws_barrier_global(b, WS_BARRIER_GLOBAL_2), groups, false);
        }
    }
    return polls;
}

/* Joins, and waits until the sense is `s`; the last one to come turns it. */
WS_SYNC unsigned ws_reverse_sense(const ws_barrier *b, int *count, int expected, int *sense, int s, bool local)
{
    unsigned polls = 0;
    int wait = 1;
    ws_increment(count, local);
    while (ws_peek(sense) != s) {
        if (ws_swap_if(count, expected, 0, local) == expected) {
            if (local)
                ws_local_fence();
            else
                __threadfence();
            ws_poke(sense, s);
        } else {
            polls++;
            if (!local)
                ws_back_off(b->backoff, &wait);
        }
    }
    return polls;
}

WS_SYNC unsigned ws_barrier_cpu(const ws_barrier *b)
{
    int *const sense = ws_barrier_global(b, WS_BARRIER_GLOBAL_SENSE);
    const int s = !ws_peek(sense);
    __threadfence();
    return ws_reverse_sense(b, ws_barrier_global(b, WS_BARRIER_GLOBAL_1), (int)gridDim.x, sense, s, false);
}

/* A block that was held up finds both senses turned and goes on; without it nobody ends the next episode. */
WS_SYNC unsigned ws_barrier_sense(const ws_barrier *b)
{
    if (ws_barrier_most(b) <= b->single)
        return ws_barrier_cpu(b);
    int *const sense = ws_barrier_local(b, WS_BARRIER_LOCAL_SENSE), *const global = ws_barrier_global(b, WS_BARRIER_GLOBAL_SENSE);
    int *const last = b->own ? ws_barrier_local(b, WS_BARRIER_LOCAL_2) : global;
    const int s = !ws_peek(sense);
    ws_local_fence();
    unsigned polls = ws_reverse_sense(b, ws_barrier_local(b, WS_BARRIER_LOCAL_1), ws_barrier_blocks(b), sense, s, true);
    if ((int)blockIdx.x < b->sms) {
        __threadfence();
        polls += ws_reverse_sense(b, ws_barrier_global(b, WS_BARRIER_GLOBAL_1), ws_barrier_groups(b), global, s, false);
        if (b->own)
            ws_poke(last, s);
    } else
        while (ws_peek_l2(last) != s)
            ;
    return polls;
}

/* Block 0 adds what makes the sum of an episode 2^31. */
WS_SYNC unsigned ws_barrier_cooperative(const ws_barrier *b)
{
    int *const count = ws_barrier_global(b, WS_BARRIER_GLOBAL_2);
    const unsigned half = 0x80000000u, own = blockIdx.x ? 1 : half - (gridDim.x - 1);
    __threadfence();
    const unsigned old = (unsigned)atomicAdd(count, (int)own);
    while (!((old ^ (unsigned)ws_peek(count)) & half))
        ;
    __threadfence();
    return 0;
}

/* What the threads of all blocks wrote before is seen by all after. */
WS_SYNC unsigned ws_barrier_wait(const ws_barrier *b)
{
    unsigned polls = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool few = ws_barrier_most(b) < b->hybrid;
        if (b->form == WS_BARRIER_SENSE || (b->form == WS_BARRIER_HYBRID && !few))
            polls = ws_barrier_sense(b);
        else if (b->form == WS_BARRIER_CPU)
            polls = ws_barrier_cpu(b);
        else if (b->form == WS_BARRIER_COOPERATIVE || b->form == WS_BARRIER_HYBRID)
            polls = ws_barrier_cooperative(b);
        else
            polls = ws_barrier_tree(b);
    }
    __syncthreads();
    return polls;
}

/* ------------------------------------------------------------------------------------------------ semaphores */

enum ws_semaphore_form {
    WS_SEMAPHORE_SPIN,            /* SpinSem: one lock; who finds the room full tries again at once, and is in the way of who wants to leave */
    WS_SEMAPHORE_SPIN_BACKOFF,    /* SpinSemEBO: who wants to enter backs off */
    WS_SEMAPHORE_PRIORITY,        /* PriorSem: who wants to leave says so, and others wait before they ask for the lock */
    WS_SEMAPHORE_PRIORITY_BACKOFF /* PriorSemEBO: they back off when they did not get it, too */
};

enum { WS_SEMAPHORE_LOCK, WS_SEMAPHORE_FREE = WS_SYNC_LINE, WS_SEMAPHORE_LEAVERS = 2 * WS_SYNC_LINE, WS_SEMAPHORE_WRITER = 3 * WS_SYNC_LINE,
       WS_SEMAPHORE_WORDS = 4 * WS_SYNC_LINE };

struct ws_semaphore {
    int *word;          /* [WS_SEMAPHORE_WORDS] zero before the first use, but word[WS_SEMAPHORE_FREE], which is `size` */
    int size;           /* readers at once; a writer is alone */
    int form;           /* ws_semaphore_form */
    ws_backoff backoff;
    int counts;         /* PRIORITY: those who leave are counted; 0: they raise one flag, which the first that has left takes down */
    int writer_waits;   /* a writer that found readers says so, and none enters before it has */
};

WS_SYNC bool ws_semaphore_yields(const ws_semaphore *s) { return s->form >= WS_SEMAPHORE_PRIORITY; }
WS_SYNC bool ws_semaphore_backs_off(const ws_semaphore *s) { return s->form == WS_SEMAPHORE_SPIN_BACKOFF || s->form == WS_SEMAPHORE_PRIORITY_BACKOFF; }

WS_SYNC void ws_semaphore_unlock(const ws_semaphore *s)
{
    __threadfence();
    atomicExch(s->word + WS_SEMAPHORE_LOCK, 0);
}

/* With the lock: takes what is wanted if it is there. */
WS_SYNC bool ws_semaphore_take(const ws_semaphore *s, bool writer)
{
    int *const free_units = s->word + WS_SEMAPHORE_FREE, *const waits = s->word + WS_SEMAPHORE_WRITER;
    const int room = ws_peek(free_units);
    const bool held = s->writer_waits && !writer && ws_peek(waits);
    const bool taken = writer ? room == s->size : room > 0 && !held;
    if (taken)
        ws_poke(free_units, writer ? 0 : room - 1);
    if (writer && s->writer_waits)
        ws_poke(waits, !taken);
    return taken;
}

WS_SYNC unsigned ws_semaphore_get(const ws_semaphore *s, bool writer)
{
    unsigned failures = 0;
    int wait = 1, pause = 1;
    for (;;) {
        if (ws_semaphore_yields(s))
            for (pause = 1; ws_swap_if(s->word + WS_SEMAPHORE_LEAVERS, 0, 0, false); failures++)
                ws_back_off(s->backoff, &pause);
        if (!ws_swap_if(s->word + WS_SEMAPHORE_LOCK, 0, 1, false)) {
            __threadfence();
            const bool taken = ws_semaphore_take(s, writer);
            ws_semaphore_unlock(s);
            if (taken)
                return failures;
        }
        failures++;
        if (ws_semaphore_backs_off(s))
            ws_back_off(s->backoff, &wait);
    }
}

WS_SYNC unsigned ws_semaphore_put(const ws_semaphore *s, bool writer)
{
    int *const leavers = s->word + WS_SEMAPHORE_LEAVERS, *const free_units = s->word + WS_SEMAPHORE_FREE;
    const bool says = ws_semaphore_yields(s), counts = s->counts != 0;
    unsigned failures = 0;
    if (says && counts)
        atomicAdd(leavers, 1);
    for (; ws_swap_if(s->word + WS_SEMAPHORE_LOCK, 0, 1, false); failures++)
        if (says && !counts && !failures)
            atomicOr(leavers, 1);
    __threadfence();
    ws_poke(free_units, ws_peek(free_units) + (writer ? s->size : 1));
    ws_semaphore_unlock(s);
    if (says && counts)
        atomicAdd(leavers, -1);
    else if (says)
        atomicAnd(leavers, 0);
    return failures;
}

/* All threads of a block call them. A writer waits until it is alone. */
WS_SYNC unsigned ws_semaphore_enter(const ws_semaphore *s, bool writer)
{
    const unsigned failures = threadIdx.x == 0 ? ws_semaphore_get(s, writer) : 0;
    __syncthreads();
    return failures;
}

WS_SYNC unsigned ws_semaphore_leave(const ws_semaphore *s, bool writer)
{
    __syncthreads();
    return threadIdx.x == 0 ? ws_semaphore_put(s, writer) : 0;
}

#endif
