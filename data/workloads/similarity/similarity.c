/* similarity.c - SS, host side: two MapReduce jobs over a set of documents, norms and then all pairs, and a check of
 * scores, order and groups. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <string.h>

enum {
    TASKS = 256,
    SORTERS = 256,
    SCANNERS = 256,
    STRIDERS = 512, /* threads of the blocks that go over records */
    COPIERS = 128,  /* threads of the blocks that copy keys and values */
    CHUNK = 1024,   /* records that one launch of these goes over; blocks without records start and end */
    STEPWISE = 512, /* most records sorted by steps in global memory alone; beyond, blocks sort in shared memory */
    UNITS = 2,      /* blocks of a launch that sorts in shared memory */
    BY_DOCUMENT = 0,
    BY_SCORE = 1,
    KEYS = 0,
    VALUES = 1,
    COPY_EVERY = 8 /* one document in so many is a copy of the one before, as mirrored pages are */
};

/* Of similarity.cu. */
typedef struct record {
    int key, key_bytes, value, value_bytes;
} record;

typedef struct span {
    int begin, bytes_or_end;
} span;

typedef struct input_key {
    CUdeviceptr matrix, norms;
} input_key;

typedef struct input_value {
    int doc1, doc2, features, pitch;
} input_value;

typedef struct output {
    CUdeviceptr key_base, value_base, count_base, written, emitted, keys, values, index;
} output;

typedef struct documents {
    int count, features, pitch;
    float *matrix;
} documents;

/* Records on the device; range: begin and end of each group of equal keys. */
typedef struct records {
    CUdeviceptr keys, values, index;
    int count, key_bytes, value_bytes, groups;
    span *range;
} records;

typedef struct job {
    const char *map;
    int key_bytes, value_bytes, order;
} job;

static const job NORMS = {.map = "ss_map_norms", .key_bytes = 4, .value_bytes = 4, .order = BY_DOCUMENT};
static const job SCORES = {.map = "ss_map_scores", .key_bytes = 4, .value_bytes = 8, .order = BY_SCORE};

static const harness_size input_sizes[] = {
    {"documents", "documents to compare", {33, 96, 32}, 2, 1024, 1},
    {"features", "numbers of a document", {67, 2051, 557057}, 1, 1000000, 1},
    {0},
};

/* Features are whole numbers from 0 to 99. */
static documents make_documents(harness *h)
{
    documents d = {.count = (int)harness_get_size(h, "documents"), .features = (int)harness_get_size(h, "features")};
    d.pitch = (d.features + 3) / 4 * 4;
    d.matrix = harness_host(h, (size_t)d.count * (size_t)d.pitch, sizeof *d.matrix);
    for (int i = 0; i < d.count; i++) {
        float *const row = d.matrix + (size_t)i * (size_t)d.pitch;
        for (int f = 0; f < d.features; f++)
            row[f] = i % COPY_EVERY == COPY_EVERY - 1 ? row[f - d.pitch] : (float)harness_integer(h, 100);
    }
    return d;
}

static CUdeviceptr zeroed(harness *h, size_t bytes)
{
    const CUdeviceptr p = harness_device(h, bytes);
    HARNESS_TRY(h, cuMemsetD8(p, 0, bytes));
    return p;
}

static harness_dim blocks_for(long n, long threads)
{
    return HARNESS_DIM((n + threads - 1) / threads);
}

/* Grids over records have a fixed size, that of a chunk, as in the original. */
static harness_dim chunks_for(int n, int threads)
{
    return HARNESS_DIM((n + CHUNK - 1) / CHUNK * (CHUNK / threads));
}

/* Exclusive prefix sums. A single block is as small as its elements allow. */
static void scan(harness *h, CUdeviceptr out, CUdeviceptr in, int n)
{
    const int a_block = 2 * SCANNERS, blocks = (n + a_block - 1) / a_block;
    int threads = blocks > 1 ? SCANNERS : 1;
    while (blocks == 1 && 2 * threads < n)
        threads *= 2;
    CUdeviceptr sums = blocks > 1 ? harness_device(h, (size_t)blocks * sizeof(int)) : 0;
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_scan"), HARNESS_DIM(blocks), HARNESS_DIM(threads), 0, &out, &in, &sums, &n);
    if (blocks > 1) {
        scan(h, sums, sums, blocks);
        HARNESS_LAUNCH(h, harness_kernel(h, "ss_scan_add"), HARNESS_DIM(blocks), HARNESS_DIM(SCANNERS), 0, &out, &sums,
                       &n);
    }
}

/* The sum of what was scanned. */
static int total(harness *h, CUdeviceptr scanned, CUdeviceptr in, int n)
{
    const size_t last = (size_t)(n - 1) * sizeof(int);
    int before, own;
    harness_download(h, &before, scanned + last, sizeof before);
    harness_download(h, &own, in + last, sizeof own);
    return before + own;
}

static CUdeviceptr scanned(harness *h, CUdeviceptr in, int n, int *sum)
{
    const CUdeviceptr out = harness_device(h, (size_t)n * sizeof(int));
    scan(h, out, in, n);
    *sum = total(h, out, in, n);
    return out;
}

/* Input records, a task each: key and value at fixed distances. */
typedef struct input {
    CUdeviceptr keys, values, index;
    int count;
} input;

static input make_input(harness *h, input_key key, const input_value *values, int n)
{
    const size_t count = (size_t)n;
    input_key *const keys = harness_host(h, count, sizeof *keys);
    record *const index = harness_host(h, count, sizeof *index);
    for (int i = 0; i < n; i++) {
        keys[i] = key;
        index[i] = (record){.key = i * (int)sizeof *keys,
                            .key_bytes = sizeof *keys,
                            .value = i * (int)sizeof *values,
                            .value_bytes = sizeof *values};
    }
    return (input){.keys = harness_upload(h, keys, count * sizeof *keys),
                   .values = harness_upload(h, values, count * sizeof *values),
                   .index = harness_upload(h, index, count * sizeof *index),
                   .count = n};
}

static records map(harness *h, const job *j, const input *in)
{
    const harness_dim grid = blocks_for(in->count, TASKS), block = HARNESS_DIM(TASKS);
    const int all = (int)grid.x * TASKS;
    const size_t bytes = (size_t)all * sizeof(int);
    CUdeviceptr key_bytes = zeroed(h, bytes), value_bytes = zeroed(h, bytes), counts = zeroed(h, bytes);
    CUdeviceptr keys = in->keys, values = in->values, index = in->index;
    int tasks = in->count, key_size = j->key_bytes, value_size = j->value_bytes;
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_count_output"), grid, block, 0, &index, &key_bytes, &value_bytes, &counts,
                   &tasks, &key_size, &value_size);
    records r = {0};
    output o = {.written = zeroed(h, 2 * bytes), .emitted = zeroed(h, bytes)};
    o.key_base = scanned(h, key_bytes, all, &r.key_bytes);
    o.value_base = scanned(h, value_bytes, all, &r.value_bytes);
    o.count_base = scanned(h, counts, all, &r.count);
    if (r.count != in->count || r.key_bytes != r.count * key_size || r.value_bytes != r.count * value_size)
        harness_wrong(h, "%s: %d records of %d and %d bytes counted, not %d", j->map, r.count, r.key_bytes,
                      r.value_bytes, in->count);
    r.keys = o.keys = zeroed(h, (size_t)r.key_bytes);
    r.values = o.values = zeroed(h, (size_t)r.value_bytes);
    r.index = o.index = zeroed(h, (size_t)r.count * sizeof(record));
    HARNESS_LAUNCH(h, harness_kernel(h, j->map), grid, block, 0, &keys, &values, &index, &o, &tasks);
    return r;
}

/* The bitonic network over n = 2^i records. */
static void sort_steps(harness *h, CUdeviceptr keys, CUdeviceptr index, int n, int order)
{
    const CUfunction step = harness_kernel(h, "ss_sort_step"), units = harness_kernel(h, "ss_sort_units");
    const CUfunction rest = harness_kernel(h, "ss_sort_rest");
    const harness_dim block = HARNESS_DIM(SORTERS), all = HARNESS_DIM(n / SORTERS), some = HARNESS_DIM(UNITS);
    const int inside = n > STEPWISE ? SORTERS : 1; /* steps up to this distance are done in shared memory */

    for (int first = 0; inside > 1 && first < n; first += UNITS * SORTERS)
        HARNESS_LAUNCH(h, units, some, block, 0, &keys, &index, &first, &order);
    for (int k = 2 * inside; k <= n; k *= 2) {
        for (int j = k / 2; j >= inside; j /= 2)
            HARNESS_LAUNCH(h, step, all, block, 0, &keys, &index, &k, &j, &order);
        for (int first = 0; inside > 1 && first < n; first += UNITS * SORTERS)
            HARNESS_LAUNCH(h, rest, some, block, 0, &keys, &index, &first, &k, &order);
    }
}

static CUdeviceptr sort_index(harness *h, const records *r, int order)
{
    CUdeviceptr keys = r->keys, index = r->index;
    CUdeviceptr out = harness_device(h, (size_t)r->count * sizeof(record));
    int n = r->count, full = SORTERS;
    if (n <= SORTERS) {
        HARNESS_LAUNCH(h, harness_kernel(h, "ss_sort_block"), HARNESS_DIM(1), HARNESS_DIM(SORTERS), 0, &keys, &index,
                       &out, &n, &order);
        return out;
    }
    while (full < n)
        full *= 2;
    CUdeviceptr filled = harness_device(h, (size_t)full * sizeof(record));
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_fill"), chunks_for(full, STRIDERS), HARNESS_DIM(STRIDERS), 0, &filled,
                   &full);
    HARNESS_TRY(h, cuMemcpyDtoD(filled, index, (size_t)n * sizeof(record)));
    sort_steps(h, keys, filled, full, order);
    HARNESS_TRY(h, cuMemcpyDtoD(out, filled + (size_t)(full - n) * sizeof(record), (size_t)n * sizeof(record)));
    return out;
}

/* Moves keys or values to the order of the index; returns where they are now. */
static CUdeviceptr move_bytes(harness *h, CUdeviceptr index, CUdeviceptr source, int n, int bytes, int which)
{
    const harness_dim grid = chunks_for(n, STRIDERS), block = HARNESS_DIM(STRIDERS);
    CUdeviceptr spans = harness_device(h, (size_t)n * sizeof(span)), sizes = harness_device(h, (size_t)n * sizeof(int));
    CUdeviceptr target = harness_device(h, (size_t)bytes);
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_get_spans"), grid, block, 0, &index, &spans, &n, &which);
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_sizes"), grid, block, 0, &spans, &sizes, &n);
    CUdeviceptr to = harness_device(h, (size_t)n * sizeof(int));
    scan(h, to, sizes, n);
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_copy_spans"), chunks_for(n, COPIERS), HARNESS_DIM(COPIERS), 0, &source,
                   &spans, &to, &target, &n);
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_set_spans"), grid, block, 0, &index, &spans, &n, &which);
    return target;
}

static void find_groups(harness *h, records *r, int order)
{
    const harness_dim grid = chunks_for(r->count, STRIDERS), block = HARNESS_DIM(STRIDERS);
    CUdeviceptr keys = r->keys, index = r->index;
    CUdeviceptr marks = harness_device(h, (size_t)r->count * sizeof(int));
    int n = r->count;
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_mark_groups"), grid, block, 0, &keys, &index, &marks, &n, &order);
    CUdeviceptr number = scanned(h, marks, n, &r->groups);
    if (r->groups < 1 || r->groups > n)
        harness_wrong(h, "%d groups of %d records", r->groups, n);
    CUdeviceptr begins = harness_device(h, (size_t)r->groups * sizeof(int));
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_list_groups"), grid, block, 0, &marks, &number, &begins, &n);
    const size_t bytes = (size_t)r->groups * sizeof *r->range;
    CUdeviceptr ranges = harness_device(h, bytes);
    HARNESS_LAUNCH(h, harness_kernel(h, "ss_ranges"), chunks_for(r->groups, STRIDERS), block, 0, &begins, &ranges,
                   &r->groups, &n);
    r->range = harness_host(h, (size_t)r->groups, sizeof *r->range);
    harness_download(h, r->range, ranges, bytes);
}

static records map_and_group(harness *h, const job *j, const input *in)
{
    records r = map(h, j, in);
    r.index = sort_index(h, &r, j->order);
    r.values = move_bytes(h, r.index, r.values, r.count, r.value_bytes, VALUES);
    r.keys = move_bytes(h, r.index, r.keys, r.count, r.key_bytes, KEYS);
    find_groups(h, &r, j->order);
    return r;
}

/* Keys and values lie in order, and the index and the groups say so. */
static void check_records(harness *h, const job *j, const records *r, const unsigned char *keys)
{
    record *const index = harness_host(h, (size_t)r->count, sizeof *index);
    harness_download(h, index, r->index, (size_t)r->count * sizeof *index);
    int group = -1;
    for (int i = 0; i < r->count; i++) {
        const record want = {.key = i * j->key_bytes,
                             .key_bytes = j->key_bytes,
                             .value = i * j->value_bytes,
                             .value_bytes = j->value_bytes};
        if (memcmp(&index[i], &want, sizeof want) != 0)
            harness_wrong(h, "%s: record %d lies at %d and %d", j->map, i, index[i].key, index[i].value);
        const unsigned char *const key = keys + want.key;
        const int begins = i == 0 || memcmp(key, key - j->key_bytes, (size_t)j->key_bytes) != 0;
        group += begins;
        if (group >= r->groups || (begins && r->range[group].begin != i) || r->range[group].bytes_or_end <= i)
            harness_wrong(h, "%s: record %d is not in group %d", j->map, i, group);
    }
    if (group != r->groups - 1 || r->range[group].bytes_or_end != r->count)
        harness_wrong(h, "%s: %d groups, not %d", j->map, r->groups, group + 1);
}

static double exact_product(const documents *d, int a, int b)
{
    const float *const u = d->matrix + (size_t)a * (size_t)d->pitch, *const v =
                                                                         d->matrix + (size_t)b * (size_t)d->pitch;
    double sum = 0;
    for (int f = 0; f < d->features; f++)
        sum += (double)u[f] * v[f];
    return sum;
}

/* A sum of n roundings of 6e-8 of what has been summed wanders like the square root of n; four times that is allowed.
 */
static double tolerance(const documents *d)
{
    return 4 * 6e-8 * sqrt(d->features);
}

/* Norms in order of documents. */
static CUdeviceptr norms(harness *h, const documents *d, CUdeviceptr matrix)
{
    const size_t n = (size_t)d->count;
    input_value *const values = harness_host(h, n, sizeof *values);
    for (int i = 0; i < d->count; i++)
        values[d->count - 1 - i] = (input_value){.doc1 = i, .features = d->features, .pitch = d->pitch};
    const input in = make_input(h, (input_key){.matrix = matrix}, values, d->count);
    const records r = map_and_group(h, &NORMS, &in);

    int *const document = harness_host(h, n, sizeof *document), *const numbers = harness_host(h, n, sizeof *numbers);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    harness_download(h, document, r.keys, n * sizeof *document);
    harness_download(h, got, r.values, n * sizeof *got);
    for (int i = 0; i < d->count; i++) {
        numbers[i] = i;
        want[i] = (float)sqrt(exact_product(d, i, i));
    }
    harness_check_ints(h, "document", document, numbers, n);
    harness_check_floats(h, "norm", got, want, n, tolerance(d), 0);
    check_records(h, &NORMS, &r, (const unsigned char *)document);
    return r.values;
}

/* Every pair once, best first, each with its score. */
static void check_scores(harness *h, const documents *d, const records *r)
{
    const size_t n = (size_t)r->count;
    float *const score = harness_host(h, n, sizeof *score), *const want = harness_host(h, n, sizeof *want);
    int(*const pair)[2] = harness_host(h, n, sizeof *pair);
    unsigned char *const seen = harness_host(h, (size_t)d->count * (size_t)d->count, 1);
    harness_download(h, score, r->keys, n * sizeof *score);
    harness_download(h, pair, r->values, n * sizeof *pair);
    for (size_t i = 0; i < n; i++) {
        const int a = pair[i][0], b = pair[i][1];
        if (a < 0 || b <= a || b >= d->count || seen[a * d->count + b]++)
            harness_wrong(h, "record %zu is of documents %d and %d", i, a, b);
        if (i > 0 && !(score[i] <= score[i - 1]))
            harness_wrong(h, "score[%zu] is %.9g after %.9g", i, (double)score[i], (double)score[i - 1]);
        want[i] = (float)(exact_product(d, a, b) / sqrt(exact_product(d, a, a) * exact_product(d, b, b)));
    }
    harness_check_floats(h, "score", score, want, n, 3 * tolerance(d), 0);
    check_records(h, &SCORES, r, (const unsigned char *)score);
}

static void run(harness *h)
{
    const documents d = make_documents(h);
    const int pairs = d.count * (d.count - 1) / 2;
    const CUdeviceptr matrix = harness_upload(h, d.matrix, (size_t)d.count * (size_t)d.pitch * sizeof *d.matrix);
    const CUdeviceptr lengths = norms(h, &d, matrix);

    input_value *const values = harness_host(h, (size_t)pairs, sizeof *values);
    int n = 0;
    for (int a = 0; a < d.count; a++)
        for (int b = a + 1; b < d.count; b++)
            values[n++] = (input_value){.doc1 = a, .doc2 = b, .features = d.features, .pitch = d.pitch};
    const input in = make_input(h, (input_key){.matrix = matrix, .norms = lengths}, values, pairs);
    const records r = map_and_group(h, &SCORES, &in);
    check_scores(h, &d, &r);
}

HARNESS_WORKLOAD_OF("SS", "data/workloads/similarity/similarity.ptx", run, input_sizes)
