/* btree.c - BTREE: which lines of a tree do blocks share that look for keys in it? Host side of btree.cu. */
#include "data/workloads/harness/harness.h"

#include <limits.h>
#include <string.h>

enum { MOST_LEVELS = 32, LONGEST_RANGE = 1000 };

static const harness_size input_sizes[] = {
    {"records", "records", {2000, 50000, 1000000}, 1, 10000000, 1},
    {"queries", "keys that are looked for, a block each", {40, 1000, 10000}, 1, 1000000, 1},
    {"ranges", "ranges that are looked for, a block each", {30, 600, 6000}, 1, 1000000, 1},
    {"order", "keys of a node and threads of a block", {32, 128, 256}, 32, 512, 32},
    {0},
};

typedef struct tree {
    long records, order, nodes;
    int levels;
    int *record_key, *record_value; /* in rising order of keys */
    int *key, *child;               /* as in btree.cu */
} tree;

/* A level above `n` things, the lowest key of each given: nodes between half and all full. Returns its first node;
 * *nodes is their number. Levels are made from the leaves up and so are numbered backwards: the root comes last. */
static long add_level(harness *h, tree *t, const int *lowest, long base, long n, long *nodes)
{
    const long first = t->nodes;
    for (long i = 0; i < n;) {
        const long node = t->nodes++, half = t->order / 2;
        long take = half + (long)harness_integer(h, (unsigned)half + 1);
        take = take < n - i ? take : n - i;
        for (long k = 0; k < t->order; k++) {
            t->key[node * t->order + k] = k < take ? lowest[i + k] : INT_MAX;
            t->child[node * t->order + k] = k < take ? (int)(base + i + k) : 0;
        }
        i += take;
    }
    *nodes = t->nodes - first;
    return first;
}

/* The lowest keys of the nodes of a level; before the first there is nothing. */
static void take_lowest(const tree *t, long first, long nodes, int *lowest)
{
    for (long i = 0; i < nodes; i++)
        lowest[i] = t->key[(first + i) * t->order];
    lowest[0] = INT_MIN;
}

/* Turns the numbers of nodes around, so that the root is node 0 and levels follow from there. `leaves` nodes come first
 * till then. */
static void turn_around(harness *h, tree *t, long leaves)
{
    const size_t cells = (size_t)(t->nodes * t->order);
    int *const key = harness_host(h, cells, sizeof *key), *const child = harness_host(h, cells, sizeof *child);
    for (long i = 0; i < t->nodes; i++) {
        const long to = t->nodes - 1 - i;
        memcpy(key + to * t->order, t->key + i * t->order, (size_t)t->order * sizeof *key);
        for (long k = 0; k < t->order; k++) {
            const int c = t->child[i * t->order + k];
            child[to * t->order + k] = i < leaves ? c : (int)(t->nodes - 1 - c);
        }
    }
    t->key = key;
    t->child = child;
}

/* Records with keys some apart, and a tree over them. */
static tree make_tree(harness *h)
{
    tree t = {.records = harness_get_size(h, "records"), .order = harness_get_size(h, "order")};
    const size_t n = (size_t)t.records, room = (2 * n / (size_t)(t.order / 2) + MOST_LEVELS) * (size_t)t.order;
    t.record_key = harness_host(h, n, sizeof *t.record_key);
    t.record_value = harness_random_ints(h, n, 0, INT_MAX / 2);
    int last = 0;
    for (size_t i = 0; i < n; i++)
        t.record_key[i] = last += 1 + (int)harness_integer(h, 4);
    t.key = harness_host(h, room, sizeof *t.key);
    t.child = harness_host(h, room, sizeof *t.child);
    int *const lowest = harness_host(h, n, sizeof *lowest);
    memcpy(lowest, t.record_key, n * sizeof *lowest);
    long nodes, first = add_level(h, &t, lowest, 0, t.records, &nodes);
    const long leaves = nodes;
    for (t.levels = 1; nodes > 1; t.levels++) {
        take_lowest(&t, first, nodes, lowest);
        first = add_level(h, &t, lowest, first, nodes, &nodes);
    }
    turn_around(h, &t, leaves);
    return t;
}

/* How many records have keys below: by halves, without the tree. */
static long rank_on_cpu(const tree *t, int bound)
{
    long low = 0, high = t->records;
    while (low < high) {
        const long middle = (low + high) / 2;
        if (t->record_key[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int random_key(harness *h, const tree *t)
{
    return (int)harness_integer(h, (unsigned)t->record_key[t->records - 1] + 2);
}

static void find(harness *h, const tree *t, CUdeviceptr key, CUdeviceptr child)
{
    const size_t n = (size_t)harness_get_size(h, "queries"), bytes = n * sizeof(int);
    int *const wanted = harness_host(h, n, sizeof *wanted), *const want = harness_host(h, n, sizeof *want);
    int *const got = harness_host(h, n, sizeof *got);
    for (size_t i = 0; i < n; i++) {
        wanted[i] = harness_integer(h, 2) ? random_key(h, t) : t->record_key[harness_integer(h, (unsigned)t->records)];
        const long at = rank_on_cpu(t, wanted[i]);
        want[i] = at < t->records && t->record_key[at] == wanted[i] ? t->record_value[at] : -1;
    }
    CUdeviceptr value = harness_upload(h, t->record_value, (size_t)t->records * sizeof *t->record_value);
    CUdeviceptr d_wanted = harness_upload(h, wanted, bytes), answer = harness_device(h, bytes);
    int levels = t->levels;
    HARNESS_LAUNCH(h, harness_kernel(h, "bt_find"), HARNESS_DIM(n), HARNESS_DIM(t->order), 0, &key, &child, &value,
                   &d_wanted, &answer, &levels);
    harness_download(h, got, answer, bytes);
    harness_check_ints(h, "value", got, want, n);
}

static void find_ranges(harness *h, const tree *t, CUdeviceptr key, CUdeviceptr child)
{
    const size_t n = (size_t)harness_get_size(h, "ranges"), bytes = n * sizeof(int);
    int *const low = harness_host(h, n, sizeof *low), *const high = harness_host(h, n, sizeof *high);
    int *const first = harness_host(h, n, sizeof *first), *const length = harness_host(h, n, sizeof *length);
    int *const got = harness_host(h, n, sizeof *got);
    for (size_t i = 0; i < n; i++) {
        low[i] = random_key(h, t);
        high[i] = low[i] + (int)harness_integer(h, LONGEST_RANGE);
        first[i] = (int)rank_on_cpu(t, low[i]);
        length[i] = (int)rank_on_cpu(t, high[i]) - first[i];
    }
    CUdeviceptr d_low = harness_upload(h, low, bytes), d_high = harness_upload(h, high, bytes);
    CUdeviceptr d_first = harness_device(h, bytes), d_length = harness_device(h, bytes);
    int levels = t->levels;
    HARNESS_LAUNCH(h, harness_kernel(h, "bt_range"), HARNESS_DIM(n), HARNESS_DIM(t->order), 0, &key, &child, &d_low,
                   &d_high, &d_first, &d_length, &levels);
    harness_download(h, got, d_first, bytes);
    harness_check_ints(h, "first record", got, first, n);
    harness_download(h, got, d_length, bytes);
    harness_check_ints(h, "records of range", got, length, n);
}

static void run(harness *h)
{
    const tree t = make_tree(h);
    const size_t bytes = (size_t)(t.nodes * t.order) * sizeof *t.key;
    CUdeviceptr key = harness_upload(h, t.key, bytes), child = harness_upload(h, t.child, bytes);

    find(h, &t, key, child);
    find_ranges(h, &t, key, child);
}

HARNESS_WORKLOAD_OF("BTREE", "data/workloads/btree/btree.ptx", run, input_sizes)
