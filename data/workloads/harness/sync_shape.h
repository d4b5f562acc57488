/* sync_shape.h - workloads whose kernels have barriers of the whole grid (warpscape_sync.cuh): the sizes that choose
 * barrier and grid, its words, and what --size report=1 tells of the time in it. The host side of sync_shape.cuh. */
#ifndef WS_SYNC_SHAPE_H
#define WS_SYNC_SHAPE_H

#include "data/workloads/harness/together.h"

#include <stdio.h>

enum sync_form { SYNC_ALL, SYNC_TREE, SYNC_SENSE, SYNC_CPU, SYNC_COOPERATIVE, SYNC_HYBRID, SYNC_LITERAL };

/* Rows of a table of sizes: those of a grid, how somebody waits, those of a barrier. */
#define SYNC_GRID_SIZES(sms_tiny, sms_small, sms_study, blocks_tiny, blocks_small, blocks_study) \
    {"sms", "groups of blocks, those of an SM", {(sms_tiny), (sms_small), (sms_study)}, 1, 1024, 1}, \
        {"blocks", "blocks of an SM", {(blocks_tiny), (blocks_small), (blocks_study)}, 1, 32, 1}, \
        {"threads", "of a block", {64, 64, 64}, 32, 1024, 32}, \
        {"together", "1: refused unless all blocks fit at once; 0: launched all the same", {1, 1, 1}, 0, 1, 1}, \
    { \
        "report", "1: says what part of the time is waiting, by the clock, and what was asked in vain", {0, 0, 0}, 0, \
            1, 1 \
    }
#define SYNC_BACKOFF_SIZES \
    {"backoff", "longest wait of who backs off, one less than a power of two; 0: none", {1023, 1023, 1023}, 0, 65535, \
     1}, \
    { \
        "sleep", "1: that wait is nanosleep, 0: turns of a loop", {0, 0, 0}, 0, 1, 1 \
    }
#define SYNC_BARRIER_SIZES(form, least, most, text) \
    {"barrier", \
     text "1: two-level tree, 2: G-SRB, 3: G-CPUSRB, 4: cooperative groups, 5: hybrid", \
     {(form), (form), (form)}, \
     (least), \
     (most), \
     1}, \
        SYNC_BACKOFF_SIZES, {"single", "G-SRB has one level for up to so many blocks of an SM", {0, 0, 0}, 0, 32, 1}, \
        {"hybrid", "blocks of an SM from which the hybrid is G-SRB", {8, 8, 8}, 1, 33, 1}, \
    { \
        "own", \
            "1: blocks of G-SRB wait for a word of their SM, which its first block turns, 0: all for one word, as " \
            "published", \
            {0, 0, 0}, 0, 1, 1 \
    }

typedef struct sync_shape { /* as in sync_shape.cuh */
    int form, sms, backoff, sleep, single, hybrid;
} sync_shape;

typedef struct sync_use { /* as in sync_shape.cuh */
    uint64_t cycles, waited, polls, waits;
} sync_use;

typedef struct sync_grid {
    unsigned sms, blocks, threads; /* blocks: of the grid */
} sync_grid;

static inline sync_grid sync_get_grid(const harness *h)
{
    const unsigned sms = (unsigned)harness_get_size(h, "sms");
    return (sync_grid){.sms = sms,
                       .blocks = sms * (unsigned)harness_get_size(h, "blocks"),
                       .threads = (unsigned)harness_get_size(h, "threads")};
}

static inline int sync_get_backoff(harness *h)
{
    const long most = harness_get_size(h, "backoff");
    if (most & (most + 1))
        harness_refuse(h, "backoff=%ld is not one less than a power of two", most);
    return (int)most;
}

static inline sync_shape sync_get_shape(harness *h)
{
    return (sync_shape){.form = (int)harness_get_size(h, "barrier"),
                        .sms = (int)harness_get_size(h, "sms"),
                        .backoff = sync_get_backoff(h),
                        .sleep = (int)harness_get_size(h, "sleep"),
                        .single = (int)harness_get_size(h, "single"),
                        .hybrid = (int)harness_get_size(h, "hybrid")};
}

/* The kernel of that name, or NAME_own: which has that form of G-SRB alone. */
static inline CUfunction sync_kernel(harness *h, const sync_shape *s, const char *name)
{
    char own[64];
    if (!harness_get_size(h, "own"))
        return harness_kernel(h, name);
    if (s->form != SYNC_SENSE)
        harness_refuse(h, "own=1 is a form of G-SRB; expected barrier=%d", SYNC_SENSE);
    snprintf(own, sizeof own, "%s_own", name);
    return harness_kernel(h, own);
}

static inline const char *sync_form_name(int form)
{
    static const char *const names[] = {"all", "tree", "G-SRB", "G-CPUSRB", "cooperative", "hybrid", "literal tree"};
    return names[form];
}

/* Device words that are zero. */
static inline CUdeviceptr sync_zeroed(harness *h, size_t words)
{
    return harness_upload(h, harness_host(h, words, sizeof(int)), words * sizeof(int));
}

/* ws_barrier_words() of warpscape_sync.cuh. */
static inline CUdeviceptr sync_words(harness *h, const sync_shape *s)
{
    enum { LINE = 32, GLOBALS = 3, LOCALS = 3 };
    return sync_zeroed(h, LINE * (GLOBALS + LOCALS * (size_t)s->sms));
}

static inline CUdeviceptr sync_uses(harness *h, const sync_grid *g)
{
    return sync_zeroed(h, g->blocks * sizeof(sync_use) / sizeof(int));
}

/* All blocks at once, or as the size `together` says. */
static inline void sync_launch(harness *h, CUfunction kernel, const sync_grid *g, void **params)
{
    if (harness_get_size(h, "together"))
        harness_launch_together(h, kernel, g->blocks, g->threads, params);
    else
        harness_launch(h, kernel, HARNESS_DIM(g->blocks), HARNESS_DIM(g->threads), 0, params);
}
#define SYNC_LAUNCH(h, kernel, grid, ...) sync_launch(h, kernel, grid, (void *[]){__VA_ARGS__})

/* With report=1 a line on stdout. */
static inline void sync_report(harness *h, const char *what, const sync_grid *g, CUdeviceptr d_use)
{
    sync_use *const use = harness_host(h, g->blocks, sizeof *use), sum = {0};
    if (!harness_get_size(h, "report"))
        return;
    harness_download(h, use, d_use, g->blocks * sizeof *use);
    double share = 0;
    for (unsigned i = 0; i < g->blocks; i++) {
        share += use[i].cycles ? (double)use[i].waited / (double)use[i].cycles : 0;
        sum.cycles += use[i].cycles;
        sum.waited += use[i].waited;
        sum.polls += use[i].polls;
        sum.waits += use[i].waits;
    }
    printf("%s: %u blocks on %u SMs, %llu waits of a block, %.1f cycles a wait, %.1f %% of a block's time, %llu "
           "atomics in vain\n",
           what, g->blocks, g->sms, (unsigned long long)(sum.waits / g->blocks),
           sum.waits ? (double)sum.waited / (double)sum.waits : 0, 100 * share / g->blocks,
           (unsigned long long)sum.polls);
}

#endif
