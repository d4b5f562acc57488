/* similarity.cu - SS: which documents are alike? MapReduce on the device in the manner of Mars (B. He, W. Fang, Q. Luo,
 * N. Govindaraju, T. Wang, Mars: A MapReduce Framework on Graphics Processors, 2008); code of our own.
 *
 * A record is a key and a value, both of any length, in two byte arrays; an index holds where they are. A job runs
 *   ss_count_output                what will each map task write? Prefix sums of it (ss_scan, ss_scan_add) say where to
 *   ss_map_norms, ss_map_scores    the map itself: a task an input record
 *   ss_sort_block                  index sorted by key: all of it in one block of shared memory,
 *   ss_fill, ss_sort_step          or by a bitonic network with a launch a step,
 *   ss_sort_units, ss_sort_rest    or with the steps inside a block done in shared memory
 *   ss_get_spans .. ss_set_spans   keys and values moved to the order of the index
 *   ss_mark_groups .. ss_ranges    ranges of records with equal keys */
#include "../harness/device.h"

enum {
    TASKS = 256,     /* threads of a map block */
    SORTERS = 256,   /* threads, and records, of a sorting block */
    SCANNERS = 256,  /* most threads of a scanning block; each has two elements */
    OUTPUT_INTS = 5, /* shared memory in which a map task makes a record */
    BY_DOCUMENT = 0, /* order of keys: integers, ascending */
    BY_SCORE = 1,    /* floats, descending */
    NO_KEY = -1,     /* of the records that fill up a sort; they come first */
    KEYS = 0         /* which spans: keys or values */
};

typedef int record __attribute__((ext_vector_type(4))); /* key at x, y bytes; value at z, w bytes */
typedef int span __attribute__((ext_vector_type(2)));   /* x: begin, y: bytes; or begin and end */
typedef float quad __attribute__((ext_vector_type(4)));

/* Input of both jobs. Documents are rows of the matrix, `pitch` floats apart, a multiple of 4. */
struct input_key {
    const float *matrix, *norms;
};

struct input_value {
    int doc1, doc2, features, pitch;
};

/* What the map tasks know of the output: where each one begins, and how far it has got. */
struct output {
    const int *key_base, *value_base, *count_base;
    span *written; /* bytes of keys, of values */
    int *emitted;
    uchar *keys, *values;
    record *index;
};

KERNEL ss_count_output(const record *__restrict__ in, int *__restrict__ key_bytes, int *__restrict__ value_bytes,
                       int *__restrict__ counts, int tasks, int key_size, int value_size)
{
    const int task = blockIdx.x * blockDim.x + threadIdx.x;
    if (task < tasks && in[task].y > 0) {
        key_bytes[task] += key_size;
        value_bytes[task] += value_size;
        counts[task]++;
    }
}

/* One word of padding every 32 keeps tree nodes of one level in different banks. */
DEVICE int padded(int i)
{
    return i + (i >> 5);
}

/* out = exclusive prefix sums of the block's 2 * blockDim.x elements; sums[block] = their sum, unless sums is null. */
KERNEL __launch_bounds__(SCANNERS) ss_scan(int *out, const int *in, int *sums, int n)
{
    __shared__ int tree[2 * SCANNERS + 2 * SCANNERS / 32];
    const int t = threadIdx.x, width = blockDim.x;
    const int low = blockIdx.x * 2 * width + t, high = low + width;
    int stride = 1;

    tree[padded(t)] = low < n ? in[low] : 0;
    tree[padded(t + width)] = high < n ? in[high] : 0;
    for (int active = width; active > 0; active /= 2) {
        __syncthreads();
        if (t < active)
            tree[padded(stride * (2 * t + 2) - 1)] += tree[padded(stride * (2 * t + 1) - 1)];
        stride *= 2;
    }
    if (t == 0) {
        if (sums)
            sums[blockIdx.x] = tree[padded(2 * width - 1)];
        tree[padded(2 * width - 1)] = 0;
    }
    for (int active = 1; active <= width; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < active) {
            const int left = padded(stride * (2 * t + 1) - 1), right = padded(stride * (2 * t + 2) - 1);
            const int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    if (low < n)
        out[low] = tree[padded(t)];
    if (high < n)
        out[high] = tree[padded(t + width)];
}

/* Adds to each block's elements what stands before the block. */
KERNEL __launch_bounds__(SCANNERS) ss_scan_add(int *out, const int *before, int n)
{
    __shared__ int base;
    const int low = blockIdx.x * 2 * SCANNERS + threadIdx.x;
    if (threadIdx.x == 0)
        base = before[blockIdx.x];
    __syncthreads();
    if (low < n)
        out[low] += base;
    if (low + SCANNERS < n)
        out[low + SCANNERS] += base;
}

/* Copies a record byte by byte to the end of what the task has written. */
DEVICE void emit(const output &o, int task, const int *made, int key_size, int value_size)
{
    span written = o.written[task];
    record r;
    r.x = o.key_base[task] + written.x;
    r.y = key_size;
    r.z = o.value_base[task] + written.y;
    r.w = value_size;
    const uchar *from = (const uchar *)made;
    for (int i = 0; i < key_size; i++)
        o.keys[r.x + i] = from[i];
    from += key_size;
    for (int i = 0; i < value_size; i++)
        o.values[r.z + i] = from[i];
    written.x += key_size;
    written.y += value_size;
    o.written[task] = written;
    o.index[o.count_base[task] + o.emitted[task]] = r;
    o.emitted[task]++;
}

/* The square root of a document's scalar product with itself. */
DEVICE float norm(const float *document, int features)
{
    const quad *const four = (const quad *)document;
    float sum = 0.0f;
    for (int i = 0; i < features / 4; i++) {
        const quad v = four[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int i = features & ~3; i < features; i++)
        sum += document[i] * document[i];
    return sqrtf(sum);
}

DEVICE float product(const float *a, const float *b, int features)
{
    const quad *const four_a = (const quad *)a, *const four_b = (const quad *)b;
    float sum = 0.0f;
    for (int i = 0; i < features / 4; i++) {
        const quad v = four_a[i], w = four_b[i];
        sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
    }
    for (int i = features & ~3; i < features; i++)
        sum += a[i] * b[i];
    return sum;
}

/* First job. Key: document, value: norm. */
KERNEL __launch_bounds__(TASKS)
    ss_map_norms(const uchar *in_keys, const uchar *in_values, const record *in, const output o, int tasks)
{
    __shared__ int made[TASKS][OUTPUT_INTS];
    const int task = blockIdx.x * TASKS + threadIdx.x;
    int *const mine = made[threadIdx.x];
    if (task < tasks) {
        const record r = in[task];
        const input_key *const key = (const input_key *)(in_keys + r.x);
        const input_value *const value = (const input_value *)(in_values + r.z);
        mine[0] = value->doc1;
        ((float *)mine)[1] = norm(key->matrix + (long)value->doc1 * value->pitch, value->features);
    }
    __syncthreads();
    if (task < tasks)
        emit(o, task, mine, sizeof(int), sizeof(float));
}

/* Second job. Key: cosine of two documents, value: their numbers. */
KERNEL __launch_bounds__(TASKS)
    ss_map_scores(const uchar *in_keys, const uchar *in_values, const record *in, const output o, int tasks)
{
    __shared__ int made[TASKS][OUTPUT_INTS];
    const int task = blockIdx.x * TASKS + threadIdx.x;
    int *const mine = made[threadIdx.x];
    if (task < tasks) {
        const record r = in[task];
        const input_key *const key = (const input_key *)(in_keys + r.x);
        const input_value *const value = (const input_value *)(in_values + r.z);
        const float *const a = key->matrix + (long)value->doc1 * value->pitch;
        const float *const b = key->matrix + (long)value->doc2 * value->pitch;
        ((float *)mine)[0] = product(a, b, value->features) / (key->norms[value->doc1] * key->norms[value->doc2]);
        mine[1] = value->doc1;
        mine[2] = value->doc2;
    }
    __syncthreads();
    if (task < tasks)
        emit(o, task, mine, sizeof(float), 2 * sizeof(int));
}

/* Positive when b comes before a, negative when a comes before b. */
DEVICE int compare(const uchar *keys, record a, record b, int order)
{
    if (a.x == NO_KEY || b.x == NO_KEY)
        return (a.x != NO_KEY) - (b.x != NO_KEY);
    if (order == BY_DOCUMENT) {
        const int u = *(const int *)(keys + a.x), v = *(const int *)(keys + b.x);
        return (u > v) - (u < v);
    }
    const float u = *(const float *)(keys + a.x), v = *(const float *)(keys + b.x);
    return (u < v) - (u > v);
}

/* Puts the records at i and i ^ j in ascending order, or in descending order; the thread of the lower place works. */
DEVICE void exchange(const uchar *keys, record *r, int i, int j, int descending, int order)
{
    const int other = i ^ j;
    if (other > i) {
        const record a = r[i], b = r[other];
        const int c = compare(keys, a, b, order);
        if (descending ? c < 0 : c > 0) {
            r[i] = b;
            r[other] = a;
        }
    }
}

/* Sorts at most SORTERS records in one block. */
KERNEL __launch_bounds__(SORTERS) ss_sort_block(const uchar *keys, const record *in, record *out, int n, int order)
{
    __shared__ record r[SORTERS];
    const int t = threadIdx.x;
    record none;
    none.x = NO_KEY;
    none.y = none.z = none.w = 0;
    r[t] = t < n ? in[t] : none;
    for (int k = 2; k <= SORTERS; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            exchange(keys, r, t, j, t & k, order);
        }
    __syncthreads();
    if (t >= SORTERS - n)
        out[t - (SORTERS - n)] = r[t];
}

KERNEL ss_fill(record *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    record none;
    none.x = none.y = NO_KEY;
    none.z = none.w = 0;
    if (i < n)
        out[i] = none;
}

/* One step of the network in global memory. */
KERNEL __launch_bounds__(SORTERS) ss_sort_step(const uchar *keys, record *r, int k, int j, int order)
{
    const int i = blockIdx.x * SORTERS + threadIdx.x;
    exchange(keys, r, i, j, i & k, order);
}

/* All steps for k up to SORTERS: blocks come out ascending and descending in turn. */
KERNEL __launch_bounds__(SORTERS) ss_sort_units(const uchar *keys, record *r, int first, int order)
{
    __shared__ record unit[SORTERS];
    const int t = threadIdx.x, at = first + blockIdx.x * SORTERS + t;
    unit[t] = r[at];
    for (int k = 2; k <= SORTERS; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            exchange(keys, unit, t, j, at & k, order);
        }
    __syncthreads();
    r[at] = unit[t];
}

/* The steps of one k that stay inside blocks. */
KERNEL __launch_bounds__(SORTERS) ss_sort_rest(const uchar *keys, record *r, int first, int k, int order)
{
    __shared__ record unit[SORTERS];
    const int t = threadIdx.x, at = first + blockIdx.x * SORTERS + t;
    unit[t] = r[at];
    for (int j = SORTERS / 2; j > 0; j /= 2) {
        __syncthreads();
        exchange(keys, unit, t, j, at & k, order);
    }
    __syncthreads();
    r[at] = unit[t];
}

KERNEL ss_get_spans(const record *index, span *out, int n, int which)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const record r = index[i];
        out[i] = which == KEYS ? r.xy : r.zw;
    }
}

KERNEL ss_sizes(const span *spans, int *sizes, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sizes[i] = spans[i].y;
}

/* Moves the bytes of span i to begin at to[i], and notes that they lie there. */
KERNEL ss_copy_spans(const uchar *source, span *spans, const int *to, uchar *target, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        span s = spans[i];
        const int begin = to[i];
        for (int byte = 0; byte < s.y; byte++)
            target[begin + byte] = source[s.x + byte];
        s.x = begin;
        spans[i] = s;
    }
}

KERNEL ss_set_spans(record *index, const span *spans, int n, int which)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        record r = index[i];
        if (which == KEYS)
            r.xy = spans[i];
        else
            r.zw = spans[i];
        index[i] = r;
    }
}

/* 1 for each record whose key differs from that of the record before it. */
KERNEL ss_mark_groups(const uchar *keys, const record *index, int *marks, int n, int order)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        marks[i] = i == 0 || compare(keys, index[i], index[i - 1], order) != 0;
}

/* Where groups begin; number[i] marks stand before record i. */
KERNEL ss_list_groups(const int *marks, const int *number, int *begins, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && marks[i])
        begins[number[i]] = i;
}

KERNEL ss_ranges(const int *begins, span *ranges, int groups, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < groups) {
        span range;
        range.x = begins[i];
        range.y = i + 1 < groups ? begins[i + 1] : n;
        ranges[i] = range;
    }
}
