/* drawn.c - RND: kernels whose shape a seed draws. Host side of drawn.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <string.h>

enum { TILE = 1024, LANES = 32 }; /* as in drawn.cu */
enum { THREADS_MOST = 512, EACH_MOST = 8, WAITERS_MOST = 8 };

static const harness_size input_sizes[] = {
    {"kernels", "launches", {24, 100, 200}, 1, 100000, 1},
    {"blocks", "at most", {24, 200, 800}, WAITERS_MOST, 65535, 1},
    {"waits", "1: also blocks that wait for others", {1, 1, 1}, 0, 1, 1},
    {0},
};

/* Arrays that all launches use, and what the device has of them. */
typedef struct pool {
    size_t words;
    float *from, *got, *want;
    int *index, *got_whole, *want_whole;
    CUdeviceptr d_from, d_to, d_index;
} pool;

/* A launch. */
typedef struct draw {
    int blocks, threads, n, work, stride;
} draw;

/* Whole numbers from least to most, small ones as likely as large ones: their logarithms are uniform. */
static int log_uniform(harness *h, int least, int most)
{
    return (int)floor(exp(harness_uniform(h, log(least), log(most + 1.0))));
}

static float work_on(float v, int work)
{
    for (int i = 0; i < work; i++)
        v = fmaf(v, 0.5F, 1);
    return v;
}

static void check(harness *h, const char *name, pool *p, size_t n)
{
    harness_download(h, p->got, p->d_to, n * sizeof *p->got);
    harness_check_floats(h, name, p->got, p->want, n, 0, 0);
}

static void check_whole(harness *h, const char *name, pool *p, size_t n)
{
    harness_download(h, p->got_whole, p->d_to, n * sizeof *p->got_whole);
    harness_check_ints(h, name, p->got_whole, p->want_whole, n);
}

/* Kernels that copy: word i comes from word at(i). */
typedef size_t place_of(const pool *p, const draw *d, size_t i);

static size_t itself(const pool *p, const draw *d, size_t i)
{
    (void)p, (void)d;
    return i;
}

static size_t strided(const pool *p, const draw *d, size_t i)
{
    (void)p;
    return i * (size_t)d->stride % (size_t)d->n;
}

static size_t gathered(const pool *p, const draw *d, size_t i)
{
    (void)d;
    return (size_t)p->index[i];
}

static void check_copy(harness *h, const char *name, pool *p, const draw *d, size_t n, place_of *at)
{
    for (size_t i = 0; i < n; i++)
        p->want[i] = work_on(p->from[at(p, d, i)], d->work);
    check(h, name, p, n);
}

static void stream(harness *h, pool *p, draw *d)
{
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_stream"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &d->n, &d->work);
    check_copy(h, "stream", p, d, (size_t)d->n, itself);
}

static void stream4(harness *h, pool *p, draw *d)
{
    int fours = (d->n + 3) / 4;
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_stream4"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &fours, &d->work);
    check_copy(h, "stream of fours", p, d, 4 * (size_t)fours, itself);
}

static void stride(harness *h, pool *p, draw *d)
{
    d->stride = log_uniform(h, 1, LANES);
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_strided"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &d->n, &d->stride, &d->work);
    check_copy(h, "strided", p, d, (size_t)d->n, strided);
}

/* Indices below `most`, on the device also. */
static void draw_indices(harness *h, pool *p, size_t n, unsigned most)
{
    for (size_t i = 0; i < n; i++)
        p->index[i] = (int)harness_integer(h, most);
    harness_write(h, p->d_index, p->index, n * sizeof *p->index);
}

static void gather(harness *h, pool *p, draw *d)
{
    draw_indices(h, p, (size_t)d->n, (unsigned)log_uniform(h, LANES, (int)p->words));
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_gather"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_index, &p->d_to, &d->n, &d->work);
    check_copy(h, "gathered", p, d, (size_t)d->n, gathered);
}

static void chase(harness *h, pool *p, draw *d)
{
    int steps = log_uniform(h, 1, 16);
    draw_indices(h, p, (size_t)d->n, (unsigned)d->n);
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_chase"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_index,
                   &p->d_to, &d->n, &steps);
    for (int i = 0; i < d->n; i++) {
        p->want_whole[i] = i;
        for (int s = 0; s < steps; s++)
            p->want_whole[i] = p->index[p->want_whole[i]];
    }
    check_whole(h, "end of chase", p, (size_t)d->n);
}

static void count(harness *h, pool *p, draw *d)
{
    const unsigned bins = (unsigned)log_uniform(h, 1, TILE);
    draw_indices(h, p, (size_t)d->n, bins);
    memset(p->want_whole, 0, bins * sizeof *p->want_whole);
    harness_write(h, p->d_to, p->want_whole, bins * sizeof *p->want_whole);
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_count"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_index,
                   &p->d_to, &d->n);
    for (int i = 0; i < d->n; i++)
        p->want_whole[p->index[i]]++;
    check_whole(h, "count", p, bins);
}

/* Every block does the same. Odd strides, and even ones where the tile has room, give each thread a word of its own. */
static void share(harness *h, pool *p, draw *d)
{
    const size_t n = (size_t)d->blocks * (size_t)d->threads;
    float tile[TILE], sum[THREADS_MOST] = {0};
    int rounds = log_uniform(h, 1, 32);
    const int even = 1 << log_uniform(h, 1, 5), odd = 2 * log_uniform(h, 1, LANES) - 1;
    d->stride = even * d->threads <= TILE ? even : odd;
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_shared"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &rounds, &d->stride);
    memcpy(tile, p->from, sizeof tile);
    for (int r = 0; r < rounds; r++) {
        for (int t = 0; t < d->threads; t++)
            sum[t] += tile[(t * d->stride + r) % TILE];
        for (int t = 0; t < d->threads; t++)
            tile[(t * d->stride + r) % TILE] = sum[t];
    }
    for (size_t i = 0; i < n; i++)
        p->want[i] = sum[i % (size_t)d->threads];
    check(h, "sum in shared memory", p, n);
}

static void compute(harness *h, pool *p, const draw *d, const char *kernel, int chains)
{
    const size_t n = (size_t)d->blocks * (size_t)d->threads;
    int rounds = log_uniform(h, 1, 256), roots = log_uniform(h, 1, 16) - 1;
    HARNESS_LAUNCH(h, harness_kernel(h, kernel), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &rounds, &roots);
    for (size_t i = 0; i < n; i++) {
        p->want[i] = 0;
        for (int c = 0; c < chains; c++)
            p->want[i] += work_on(p->from[(i + (size_t)c) % TILE], rounds);
        for (int r = 0; r < roots; r++)
            p->want[i] = sqrtf(p->want[i]);
    }
    check(h, kernel, p, n);
}

static void chain(harness *h, pool *p, draw *d)
{
    compute(h, p, d, "rnd_chain", 1);
}

static void chains(harness *h, pool *p, draw *d)
{
    compute(h, p, d, "rnd_chains", 4);
}

static void branch(harness *h, pool *p, draw *d)
{
    d->stride = log_uniform(h, 1, LANES);
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_branch"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_from,
                   &p->d_to, &d->n, &d->stride);
    for (int i = 0; i < d->n; i++)
        p->want[i] = work_on(p->from[i], i % LANES * d->stride % LANES);
    check(h, "branch", p, (size_t)d->n);
}

/* So few blocks that all are resident. */
static void wait(harness *h, pool *p, draw *d)
{
    static const int none[WAITERS_MOST];
    d->blocks = 1 + (int)harness_integer(h, WAITERS_MOST);
    harness_write(h, p->d_index, none, sizeof none);
    HARNESS_LAUNCH(h, harness_kernel(h, "rnd_wait"), HARNESS_DIM(d->blocks), HARNESS_DIM(d->threads), 0, &p->d_index,
                   &p->d_to, &d->work);
    const size_t n = (size_t)d->blocks * (size_t)d->threads;
    for (size_t i = 0; i < n; i++)
        p->want_whole[i] = (int)work_on(1, d->work) + (int)(i / (size_t)d->threads);
    check_whole(h, "block", p, n);
}

static void run(harness *h)
{
    typedef void launch(harness * h, pool * p, draw * d);
    static launch *const patterns[] = {stream, stream4, stride, gather, chase, count,
                                       share,  chain,   chains, branch, wait};
    const unsigned all = sizeof patterns / sizeof *patterns, used = harness_get_size(h, "waits") ? all : all - 1;
    const int most = (int)harness_get_size(h, "blocks");
    pool p = {.words = (size_t)most * THREADS_MOST * EACH_MOST + LANES};
    p.from = harness_random_floats(h, p.words, 0, 1);
    p.got = harness_host(h, p.words, sizeof *p.got);
    p.want = harness_host(h, p.words, sizeof *p.want);
    p.got_whole = harness_host(h, p.words, sizeof *p.got_whole);
    p.want_whole = harness_host(h, p.words, sizeof *p.want_whole);
    p.index = harness_host(h, p.words, sizeof *p.index);
    p.d_from = harness_upload(h, p.from, p.words * sizeof *p.from);
    p.d_to = harness_device(h, p.words * sizeof *p.got);
    p.d_index = harness_device(h, p.words * sizeof *p.index);
    for (long k = 0; k < harness_get_size(h, "kernels"); k++) {
        draw d = {.blocks = log_uniform(h, 1, most),
                  .threads = LANES * log_uniform(h, 1, THREADS_MOST / LANES),
                  .work = log_uniform(h, 1, 64) - 1};
        const int threads = d.blocks * d.threads, each = log_uniform(h, 1, EACH_MOST);
        d.n = threads * each - (int)harness_integer(h, (unsigned)d.threads);
        patterns[harness_integer(h, used)](h, &p, &d);
    }
}

HARNESS_WORKLOAD_OF("RND", "data/workloads/drawn/drawn.ptx", run, input_sizes)
