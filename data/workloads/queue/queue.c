/* queue.c - DLP: how well do queues with stealing spread work that nobody can foresee? Host side of queue.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 128, MOST_DEPTH = 10, AXES = 3, CLUSTERS = 5, PATH_SHIFT = 4, MARK_SHIFT = 34, ABSENT = -1 };

/* As the device has them. */
typedef struct task {
    int begin, count, depth, path;
} task;

typedef struct deque {
    int head, tail;
    task item[CAPACITY];
} deque;

/* Particles in the unit cube; key is the place of each on the finest grid, the axes' bits interleaved. */
typedef struct cloud {
    int n, leaf_size;
    float *at[AXES];
    int *key;
} cloud;

/* What the tree has to be: the leaf of each particle, where that leaf begins in the order, and how many cells there
 * are. */
typedef struct tree {
    uint64_t *leaf;
    int *begin;
    int cells;
} tree;

/* Half of the particles crowd around a few points, so some branches of the tree are much deeper than others. */
static cloud make_cloud(harness *h)
{
    cloud c = {.n = (int)harness_get_size(h, "particles"), .leaf_size = (int)harness_get_size(h, "leaf")};
    double centre[CLUSTERS][AXES];
    for (int i = 0; i < CLUSTERS * AXES; i++)
        centre[i / AXES][i % AXES] = harness_uniform(h, 0.1, 0.9);
    for (int a = 0; a < AXES; a++)
        c.at[a] = harness_host(h, (size_t)c.n, sizeof *c.at[a]);
    for (int i = 0; i < c.n; i++) {
        const unsigned cluster = harness_integer(h, 2 * CLUSTERS);
        const double reach = pow(harness_uniform(h, 0, 1), 6) * 0.1; /* most are very near */
        for (int a = 0; a < AXES; a++) {
            const double off = harness_uniform(h, -1, 1);
            c.at[a][i] = (float)(cluster < CLUSTERS ? centre[cluster][a] + reach * off : 0.499 * (1 + off));
        }
    }
    c.key = harness_host(h, (size_t)c.n, sizeof *c.key);
    for (int i = 0; i < c.n; i++)
        for (int level = 0; level < MOST_DEPTH; level++)
            for (int a = 0; a < AXES; a++) {
                const int cell = (int)((double)c.at[a][i] * (1 << MOST_DEPTH)); /* on the finest grid */
                c.key[i] |= (cell >> level & 1) << (AXES * level + a);
            }
    return c;
}

typedef struct entry {
    int key, particle;
} entry;

static int by_key(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->particle > y->particle) - (x->particle < y->particle);
}

/* Cuts a sorted range where keys part. */
static void cut(const cloud *c, const entry *e, int begin, int end, int depth, tree *t)
{
    t->cells++;
    const int below = AXES * (MOST_DEPTH - depth);
    if (end - begin <= c->leaf_size || depth == MOST_DEPTH) {
        for (int i = begin; i < end; i++) {
            t->begin[e[i].particle] = begin;
            t->leaf[e[i].particle] =
                (uint64_t)1 << MARK_SHIFT | (uint64_t)(e[i].key >> below) << PATH_SHIFT | (uint64_t)depth;
        }
        return;
    }
    for (int i = begin, first = begin; i < end; i++) {
        const int shift = below - AXES;
        if (i + 1 == end || e[i + 1].key >> shift != e[i].key >> shift) {
            cut(c, e, first, i + 1, depth + 1, t);
            first = i + 1;
        }
    }
}

static tree grow_on_cpu(harness *h, const cloud *c)
{
    const size_t n = (size_t)c->n;
    tree t = {.leaf = harness_host(h, n, sizeof *t.leaf), .begin = harness_host(h, n, sizeof *t.begin)};
    entry *const e = harness_host(h, n, sizeof *e);
    for (int i = 0; i < c->n; i++)
        e[i] = (entry){c->key[i], i};
    qsort(e, n, sizeof *e, by_key);
    cut(c, e, 0, c->n, 0, &t);
    return t;
}

/* Which blocks ran how many tasks is chance; that each cell was one task is not. */
static void check_tasks(harness *h, const int *ran, const int *stolen, unsigned blocks, int cells)
{
    int all = 0, thefts = 0;
    for (unsigned b = 0; b < blocks; b++) {
        all += ran[b];
        thefts += stolen[b];
        if (stolen[b] < 0 || stolen[b] > ran[b])
            harness_wrong(h, "block %u ran %d tasks and stole %d", b, ran[b], stolen[b]);
    }
    if (all != cells)
        harness_wrong(h, "%d tasks ran where the tree has %d cells", all, cells);
    if (blocks > 1 && !thefts)
        harness_wrong(h, "no task was stolen, and all began in one queue");
}

/* Each particle stands once in the order, among those of its leaf. */
static void check_order(harness *h, const cloud *c, const int *order, const tree *t)
{
    int *const place = harness_host(h, (size_t)c->n, sizeof *place), *const used =
                                                                         harness_host(h, (size_t)c->n, sizeof *used);
    memset(place, ABSENT, (size_t)c->n * sizeof *place);
    for (int i = 0; i < c->n; i++) {
        if (order[i] < 0 || order[i] >= c->n || place[order[i]] != ABSENT)
            harness_wrong(h, "order[%d] is %d, which is no particle or stands there twice", i, order[i]);
        place[order[i]] = i;
    }
    for (int i = 0; i < c->n; i++)
        used[t->begin[i]]++;
    for (int i = 0; i < c->n; i++)
        if (place[i] < t->begin[i] || place[i] >= t->begin[i] + used[t->begin[i]])
            harness_wrong(h, "particle %d is at %d, its leaf from %d on", i, place[i], t->begin[i]);
}

static const harness_size input_sizes[] = {
    {"particles", "particles", {700, 60000, 250000}, 1, 10000000, 1},
    {"leaf", "most particles of a cell that is not divided", {16, 20, 20}, 1, 10000, 1},
    {"blocks", "blocks, each with a queue", {6, 56, 112}, 1, 1024, 1},
    {"threads", "threads of a block", {32, 64, 64}, 32, 1024, 32},
    {0},
};

static void run(harness *h)
{
    const cloud c = make_cloud(h);
    const tree want = grow_on_cpu(h, &c);
    const size_t n = (size_t)c.n, bytes = n * sizeof(int);
    const unsigned blocks = (unsigned)harness_get_size(h, "blocks"), threads = (unsigned)harness_get_size(h, "threads");
    int all = c.n, leaf_size = c.leaf_size;
    int *const order = harness_host(h, n, sizeof *order), *const count =
                                                              harness_host(h, 2 * (size_t)blocks, sizeof *count);
    deque *const queue = harness_host(h, blocks, sizeof *queue);
    uint64_t *const leaf = harness_host(h, n, sizeof *leaf);
    CUdeviceptr at[AXES];

    for (int a = 0; a < AXES; a++)
        at[a] = harness_upload(h, c.at[a], n * sizeof(float));
    for (int i = 0; i < c.n; i++)
        order[i] = i;
    queue[0].tail = 1;
    queue[0].item[0] = (task){.count = c.n};
    CUdeviceptr even = harness_upload(h, order, bytes), odd = harness_device(h, bytes);
    CUdeviceptr d_queue = harness_upload(h, queue, blocks * sizeof *queue),
                done = harness_upload(h, count, sizeof *count);
    CUdeviceptr d_order = harness_device(h, bytes), d_leaf = harness_device(h, n * sizeof *leaf);
    CUdeviceptr ran = harness_upload(h, count, blocks * sizeof *count),
                stolen = harness_upload(h, count, blocks * sizeof *count);

    HARNESS_LAUNCH(h, harness_kernel(h, "dlp_partition"), HARNESS_DIM(blocks), HARNESS_DIM(threads), 0, &at[0], &at[1],
                   &at[2], &even, &odd, &d_queue, &done, &d_order, &d_leaf, &ran, &stolen, &all, &leaf_size);
    harness_download(h, order, d_order, bytes);
    harness_download(h, leaf, d_leaf, n * sizeof *leaf);
    harness_download(h, count, ran, blocks * sizeof *count);
    harness_download(h, count + blocks, stolen, blocks * sizeof *count);
    check_tasks(h, count, count + blocks, blocks, want.cells);
    for (size_t i = 0; i < n; i++)
        if (leaf[i] != want.leaf[i])
            harness_wrong(h, "particle %zu is in leaf %llx where the CPU has %llx", i, (unsigned long long)leaf[i],
                          (unsigned long long)want.leaf[i]);
    check_order(h, &c, order, &want);
}

HARNESS_WORKLOAD_OF("DLP", "data/workloads/queue/queue.ptx", run, input_sizes)
