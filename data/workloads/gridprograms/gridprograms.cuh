/* gridprograms.cuh - the kernels of gridprograms.cu: NAME( kernel ) is what one is called, OWN which G-SRB it has. */
/* Sums of blocks, then sums of these, until one is left, in `a` or `b`. */
KERNEL NAME(grid_reduce)(int *word, uint *a, uint *b, sync_use *use, sync_shape s, int n)
{
    __shared__ volatile uint tile[MOST_THREADS];
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    const int threads = blockDim.x, self = threadIdx.x;
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (; n > 1; n = (n + threads - 1) / threads) {
        for (int at = blockIdx.x; at * threads < n; at += gridDim.x) {
            tile[self] = at * threads + self < n ? (uint)peek((const int *)&a[at * threads + self]) : 0;
            for (int left = threads; left > 1; left = (left + 1) / 2) {
                __syncthreads();
                if (self < left / 2)
                    tile[self] += tile[self + (left + 1) / 2];
            }
            if (self == 0)
                b[at] = tile[0];
            __syncthreads();
        }
        sync_wait(&barrier, &own);
        uint *const was = a;
        a = b;
        b = was;
    }
    sync_keep(use, own, began);
}

/* Each adds what stands 1, 2, 4 ... before it. */
KERNEL NAME(grid_scan)(int *word, uint *a, uint *b, sync_use *use, sync_shape s, int n)
{
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int far = 1; far < n; far *= 2) {
        for (int i = first_thread(); i < n; i += all_threads())
            b[i] = (uint)peek((const int *)&a[i]) + (i >= far ? (uint)peek((const int *)&a[i - far]) : 0);
        sync_wait(&barrier, &own);
        uint *const was = a;
        a = b;
        b = was;
    }
    sync_keep(use, own, began);
}

/* Edges go both ways: a page takes from all that it links to. */
KERNEL NAME(grid_rank)(int *word, const int *first, const int *target, float *a, float *b, sync_use *use, sync_shape s, int n, int rounds)
{
    const float damping = 0.85f;
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int round = 0; round < rounds; round++) {
        for (int i = first_thread(); i < n; i += all_threads()) {
            float sum = 0;
            for (int e = first[i]; e < first[i + 1]; e++)
                sum += peek(&a[target[e]]) / (first[target[e] + 1] - first[target[e]]);
            b[i] = (1 - damping) / n + damping * sum;
        }
        sync_wait(&barrier, &own);
        float *const was = a;
        a = b;
        b = was;
    }
    sync_keep(use, own, began);
}

/* distance: -1 for all but the source. */
KERNEL NAME(grid_search)(int *word, const int *first, const int *target, int *distance, int *flag, sync_use *use, sync_shape s, int n)
{
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int step = 0;; step++) {
        for (int i = first_thread(); i < n; i += all_threads()) {
            if (peek(&distance[i]) != step)
                continue;
            for (int e = first[i]; e < first[i + 1]; e++)
                if (peek(&distance[target[e]]) < 0) {
                    poke(&distance[target[e]], step + 1);
                    poke(&flag[step % FLAGS], 1);
                }
        }
        if (!any_more(&barrier, &own, flag, step))
            break;
    }
    sync_keep(use, own, began);
}

/* distance: INT_MAX for all but the source. Ends at the same distances in any order. */
KERNEL NAME(grid_paths)(int *word, const int *first, const int *target, const int *length, int *distance, int *flag, sync_use *use, sync_shape s, int n)
{
    const ws_barrier barrier = sync_barrier(word, s, OWN);
    sync_use own = {};
    const ulong64 began = sync_clock();

    for (int step = 0;; step++) {
        for (int i = first_thread(); i < n; i += all_threads()) {
            const int here = peek(&distance[i]);
            for (int e = first[i]; here != 0x7fffffff && e < first[i + 1]; e++)
                if (here + length[e] < peek(&distance[target[e]])) {
                    reduceMin(&distance[target[e]], here + length[e]);
                    poke(&flag[step % FLAGS], 1);
                }
        }
        if (!any_more(&barrier, &own, flag, step))
            break;
    }
    sync_keep(use, own, began);
}
