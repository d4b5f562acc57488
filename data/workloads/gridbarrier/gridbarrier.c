/* gridbarrier.c - GBAR: what does a barrier of the whole grid cost? Host side of gridbarrier.cu. */
#include "data/workloads/harness/sync_shape.h"

#include <limits.h>

static const harness_size input_sizes[] = {
    SYNC_BARRIER_SIZES(SYNC_ALL, SYNC_ALL, SYNC_LITERAL,
                       "0: all but the last, 6: the tree as it is printed, which never ends, "),
    SYNC_GRID_SIZES(2, 4, 16, 2, 8, 16),
    {"episodes", "critical sections with a barrier behind", {3, 5, 10}, 1, 10000, 1},
    {"critical", "loads, and as many stores, of a thread in one", {4, 20, 100}, 0, 4096, 1},
    {"moves", "1: a thread's words are another block's in the next episode, 0: they stay its own", {1, 1, 1}, 0, 1, 1},
    {0},
};

typedef struct work {
    sync_grid g;
    int episodes, critical, moves;
} work;

static void expect(const work *w, unsigned *data)
{
    for (int e = 0; e < w->episodes; e++)
        for (unsigned b = 0; b < w->g.blocks; b++) {
            unsigned *const at =
                data + (size_t)((b + (unsigned)(w->moves * e)) % w->g.blocks) * (size_t)w->critical * w->g.threads;
            for (size_t i = 0; i < (size_t)w->critical * w->g.threads; i++)
                at[i] = 5 * at[i] + b + (unsigned)e;
        }
}

static void run_form(harness *h, work *w, sync_shape s, int form)
{
    const size_t n = (size_t)w->g.blocks * (size_t)w->critical * w->g.threads;
    unsigned *const data = (unsigned *)harness_random_ints(h, n + 1, 0, INT_MAX / 2);
    int *const got = harness_host(h, n, sizeof *got);
    s.form = form;
    CUdeviceptr words = sync_words(h, &s), d_data = harness_upload(h, data, (n + 1) * sizeof *data),
                use = sync_uses(h, &w->g);
    SYNC_LAUNCH(h, sync_kernel(h, &s, "gridbarrier"), &w->g, &words, &d_data, &use, &s, &w->episodes, &w->critical,
                &w->moves);
    expect(w, data);
    if (n)
        harness_download(h, got, d_data, n * sizeof *got);
    harness_check_ints(h, sync_form_name(form), got, (const int *)data, n);
    sync_report(h, sync_form_name(form), &w->g, use);
}

static void run(harness *h)
{
    const sync_shape s = sync_get_shape(h);
    work w = {.g = sync_get_grid(h),
              .episodes = (int)harness_get_size(h, "episodes"),
              .critical = (int)harness_get_size(h, "critical"),
              .moves = (int)harness_get_size(h, "moves")};
    for (int form = SYNC_TREE; form <= SYNC_LITERAL; form++)
        if (form == s.form || (s.form == SYNC_ALL && form != SYNC_LITERAL))
            run_form(h, &w, s, form);
}

HARNESS_WORKLOAD_OF("GBAR", "data/workloads/gridbarrier/gridbarrier.ptx", run, input_sizes)
