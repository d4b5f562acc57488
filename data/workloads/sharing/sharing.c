/* sharing.c - SHARE: how does a machine do with data that blocks share in this form? Host side of sharing.cu. */
#include "data/workloads/harness/together.h"

#include <limits.h>
#include <string.h>

enum { WARP = 32, THREADS = 128, FRONTIER = 16 };

static const harness_size input_sizes[] = {
    {"pattern",
     "0: all, 1: rows of neighbours, 2: all rows by all, 3: own rows once, 4: written once, then read, 5: flags, 6: "
     "frontier, "
     "7: queue under a lock, 8: halos",
     {0, 0, 0},
     0,
     8,
     1},
    {"blocks", "blocks of 128 threads", {8, 32, 64}, 1, 1024, 1},
    {"rows", "rows of 128 bytes: of a block (1, 3, 4, 8), of all (2); tasks of a block (7)", {6, 32, 64}, 1, 65536, 1},
    {"reuse", "times that a block reads a row (1, 2, 4, 5) or changes it (7)", {2, 4, 8}, 1, 10000, 1},
    {"sharers", "blocks that read a row (1, 4), write and read it (5), edges of a node (6)", {3, 4, 4}, 1, 1024, 1},
    {"writes", "rows of a block that are written (4, 5), times that a task is done (7)", {4, 8, 16}, 1, 65536, 1},
    {"rounds", "times that rows are handed over (5, 8), launches (6)", {3, 8, 32}, 1, 10000, 1},
    {0},
};

typedef struct shape { /* as in sharing.cu */
    int rows, reuse, sharers, writes, rounds;
} shape;

typedef struct work {
    int lock, head, tail, done;
} work;

typedef struct sharing {
    shape s;
    unsigned blocks;
    size_t threads;
} sharing;

static unsigned mix(unsigned sum, unsigned word)
{
    return 5 * sum + word;
}

static unsigned stir(unsigned a, unsigned b, unsigned c)
{
    unsigned v = a * 2654435761u + b * 2246822519u + c * 3266489917u;
    v ^= v >> 15;
    return v * 668265263u;
}

static unsigned *random_words(harness *h, size_t n)
{
    return (unsigned *)harness_random_ints(h, n, 0, INT_MAX / 2);
}

static void check_words(harness *h, const char *what, CUdeviceptr from, const unsigned *want, size_t n)
{
    int *const got = harness_host(h, n, sizeof *got);
    harness_download(h, got, from, n * sizeof *got);
    harness_check_ints(h, what, got, (const int *)want, n);
}

/* Device words that are zero at first. */
static CUdeviceptr cleared(harness *h, size_t n)
{
    return harness_upload(h, harness_host(h, n, sizeof(int)), n * sizeof(int));
}

/* What a thread makes of n rows. */
static unsigned read_rows(const unsigned *row, int rows, unsigned thread, unsigned sum)
{
    for (int i = (int)(thread / WARP); i < rows; i += THREADS / WARP)
        sum = mix(sum, row[(size_t)i * WARP + thread % WARP]);
    return sum;
}

/* share_neighbours on data that the device has; `data` is the same. */
static void read_neighbours(harness *h, sharing *x, CUdeviceptr d_data, const unsigned *data, const char *what)
{
    CUdeviceptr out = harness_device(h, x->threads * sizeof(unsigned));
    unsigned *const want = harness_host(h, x->threads, sizeof *want);
    HARNESS_LAUNCH(h, harness_kernel(h, "share_neighbours"), HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_data,
                   &out, &x->s);
    for (size_t t = 0; t < x->threads; t++)
        for (int again = 0; again < x->s.reuse; again++)
            for (size_t k = 0; k < (size_t)x->s.sharers; k++)
                want[t] = read_rows(data + (t / THREADS + k) % x->blocks * (size_t)x->s.rows * WARP, x->s.rows,
                                    (unsigned)(t % THREADS), want[t]);
    check_words(h, what, out, want, x->threads);
}

static size_t words_of(const sharing *x)
{
    return x->blocks * (size_t)x->s.rows * WARP;
}

static void share_neighbours(harness *h, sharing *x)
{
    const unsigned *const data = random_words(h, words_of(x));
    read_neighbours(h, x, harness_upload(h, data, words_of(x) * sizeof *data), data, "rows of neighbours");
}

static void share_all(harness *h, sharing *x)
{
    const size_t n = (size_t)x->s.rows * WARP;
    const unsigned *const data = random_words(h, n);
    unsigned *const want = harness_host(h, x->threads, sizeof *want);
    CUdeviceptr d_data = harness_upload(h, data, n * sizeof *data), out = harness_device(h, x->threads * sizeof *want);
    HARNESS_LAUNCH(h, harness_kernel(h, "share_all"), HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_data, &out,
                   &x->s);
    for (size_t t = 0; t < THREADS; t++)
        for (int again = 0; again < x->s.reuse; again++)
            want[t] = read_rows(data, x->s.rows, (unsigned)t, want[t]);
    for (size_t t = THREADS; t < x->threads; t++)
        want[t] = want[t - THREADS];
    check_words(h, "rows of all", out, want, x->threads);
}

static void share_nothing(harness *h, sharing *x)
{
    const unsigned *const data = random_words(h, words_of(x));
    unsigned *const want = harness_host(h, x->threads, sizeof *want);
    CUdeviceptr d_data = harness_upload(h, data, words_of(x) * sizeof *data),
                out = harness_device(h, x->threads * sizeof *want);
    HARNESS_LAUNCH(h, harness_kernel(h, "share_nothing"), HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_data,
                   &out, &x->s);
    for (size_t t = 0; t < x->threads; t++)
        want[t] = read_rows(data + t / THREADS * (size_t)x->s.rows * WARP, x->s.rows, (unsigned)(t % THREADS), 0);
    check_words(h, "own rows", out, want, x->threads);
}

static void share_written(harness *h, sharing *x)
{
    if (x->s.writes > x->s.rows)
        harness_refuse(h, "a block has rows=%d and cannot write writes=%d of them", x->s.rows, x->s.writes);
    unsigned *const data = random_words(h, words_of(x));
    CUdeviceptr d_data = harness_upload(h, data, words_of(x) * sizeof *data);
    HARNESS_LAUNCH(h, harness_kernel(h, "share_write"), HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_data,
                   &x->s);
    for (unsigned b = 0; b < x->blocks; b++)
        for (size_t i = 0; i < (size_t)x->s.writes * WARP; i++) {
            const size_t at = b * (size_t)x->s.rows * WARP + i;
            data[at] = stir((unsigned)at, b, 0);
        }
    read_neighbours(h, x, d_data, data, "rows that were written once");
}

static void share_flags(harness *h, sharing *x)
{
    const shape *const s = &x->s;
    const size_t groups = (x->blocks + (unsigned)s->sharers - 1) / (unsigned)s->sharers;
    CUdeviceptr data = cleared(h, groups * (size_t)s->writes * WARP), ready = cleared(h, groups),
                taken = cleared(h, groups);
    CUdeviceptr out = harness_device(h, x->threads * sizeof(unsigned));
    unsigned *const want = harness_host(h, x->threads, sizeof *want);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "share_flags"), x->blocks, THREADS, &data, &ready, &taken, &out,
                            &x->s);
    for (size_t t = 0; t < x->threads; t++) {
        const unsigned block = (unsigned)(t / THREADS), group = block / (unsigned)s->sharers;
        for (unsigned round = 1; block % (unsigned)s->sharers && round <= (unsigned)s->rounds; round++)
            for (int again = 0; again < s->reuse; again++)
                for (unsigned i = (unsigned)(t % THREADS / WARP); i < (unsigned)s->writes; i += THREADS / WARP)
                    want[t] = mix(want[t], stir(group, round, i * WARP + (unsigned)(t % WARP)));
    }
    check_words(h, "rows behind flags", out, want, x->threads);
}

static void share_frontier(harness *h, sharing *x)
{
    const size_t n = x->threads, degree = (size_t)x->s.sharers, bytes = n * sizeof(int);
    const int *const edge = harness_random_ints(h, n * degree, 0, (int)n - 1);
    int *const number = harness_random_ints(h, n, 0, INT_MAX / 2), *const active = harness_host(h, n, sizeof *active);
    int *const lowered = harness_host(h, n, sizeof *lowered), *const next = harness_host(h, n, sizeof *next);
    for (size_t i = 0; i < n; i++)
        active[i] = !harness_integer(h, FRONTIER);
    CUdeviceptr d_edge = harness_upload(h, edge, n * degree * sizeof *edge),
                d_number = harness_upload(h, number, bytes);
    CUdeviceptr d_lowered = harness_upload(h, number, bytes), d_active = harness_upload(h, active, bytes),
                d_next = cleared(h, n);
    CUfunction frontier = harness_kernel(h, "share_frontier"), settle = harness_kernel(h, "share_settle");
    memcpy(lowered, number, bytes);
    for (int round = 0; round < x->s.rounds; round++) {
        HARNESS_LAUNCH(h, frontier, HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_edge, &d_active, &d_number,
                       &d_lowered, &d_next, &x->s);
        HARNESS_LAUNCH(h, settle, HARNESS_DIM(x->blocks), HARNESS_DIM(THREADS), 0, &d_active, &d_number, &d_lowered,
                       &d_next);
        memset(next, 0, bytes);
        for (size_t i = 0; i < n; i++)
            for (size_t e = 0; active[i] && e < degree; e++) {
                const int other = edge[i * degree + e];
                if (number[other] <= number[i])
                    continue;
                lowered[other] = lowered[other] < number[i] ? lowered[other] : number[i];
                next[other] = 1;
            }
        memcpy(number, lowered, bytes);
        memcpy(active, next, bytes);
    }
    check_words(h, "numbers behind the frontier", d_number, (unsigned *)number, n);
    check_words(h, "frontier", d_active, (unsigned *)active, n);
}

static void share_queue(harness *h, sharing *x)
{
    int tasks = (int)x->blocks * x->s.rows;
    const size_t n = (size_t)tasks, words = n * THREADS, room = n * (size_t)x->s.writes;
    unsigned *const data = random_words(h, words);
    int *const queue = harness_host(h, room, sizeof *queue);
    work w = {.tail = tasks};
    for (int i = 0; i < tasks; i++)
        queue[i] = i;
    CUdeviceptr d_data = harness_upload(h, data, words * sizeof *data),
                d_queue = harness_upload(h, queue, room * sizeof *queue);
    CUdeviceptr d_work = harness_upload(h, &w, sizeof w);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "share_queue"), x->blocks, THREADS, &d_data, &d_queue, &d_work, &tasks,
                            &x->s);
    for (size_t i = 0; i < words; i++)
        for (unsigned visit = 0; visit < (unsigned)x->s.writes; visit++)
            for (int again = 0; again < x->s.reuse; again++)
                data[i] = mix(data[i], visit);
    check_words(h, "rows of tasks", d_data, data, words);
    harness_download(h, &w, d_work, sizeof w);
    if (w.lock || w.head != (int)room || w.tail != (int)room || w.done != (int)room)
        harness_wrong(h, "%zu tasks: %d were taken, %d came, %d are done, lock %d", room, w.head, w.tail, w.done,
                      w.lock);
}

static void share_halo(harness *h, sharing *x)
{
    const size_t all = words_of(x), rows = all / WARP;
    unsigned *now = random_words(h, 2 * all);
    CUdeviceptr data = harness_upload(h, now, 2 * all * sizeof *now), flag = cleared(h, x->blocks);
    HARNESS_LAUNCH_TOGETHER(h, harness_kernel(h, "share_halo"), x->blocks, THREADS, &data, &flag, &x->s);
    unsigned *next = harness_host(h, all, sizeof *next);
    for (int round = 0; round < x->s.rounds; round++) {
        for (size_t i = 0; i < all; i++)
            next[i] = now[i] + 3 * now[(i / WARP + rows - 1) % rows * WARP + i % WARP] +
                      5 * now[(i / WARP + 1) % rows * WARP + i % WARP];
        unsigned *const was = now;
        now = next;
        next = was;
    }
    check_words(h, "rows with halos", data + (size_t)(x->s.rounds % 2) * all * sizeof *now, now, all);
}

static void run(harness *h)
{
    static void (*const patterns[])(harness *, sharing *) = {share_neighbours, share_all,   share_nothing,
                                                             share_written,    share_flags, share_frontier,
                                                             share_queue,      share_halo};
    sharing x = {.s = {.rows = (int)harness_get_size(h, "rows"),
                       .reuse = (int)harness_get_size(h, "reuse"),
                       .sharers = (int)harness_get_size(h, "sharers"),
                       .writes = (int)harness_get_size(h, "writes"),
                       .rounds = (int)harness_get_size(h, "rounds")},
                 .blocks = (unsigned)harness_get_size(h, "blocks")};
    const long pattern = harness_get_size(h, "pattern");
    x.threads = (size_t)x.blocks * THREADS;
    if (x.blocks < (unsigned)x.s.sharers)
        harness_refuse(h, "sharers=%d are more than blocks=%u", x.s.sharers, x.blocks);
    if ((long)x.blocks * x.s.rows * x.s.writes > INT_MAX / THREADS)
        harness_refuse(h, "blocks=%u, rows=%d and writes=%d are more than numbers of tasks and words have room for",
                       x.blocks, x.s.rows, x.s.writes);
    for (long p = 1; p <= (long)(sizeof patterns / sizeof *patterns); p++)
        if (!pattern || p == pattern)
            patterns[p - 1](h, &x);
}

HARNESS_WORKLOAD_OF("SHARE", "data/workloads/sharing/sharing.ptx", run, input_sizes)
