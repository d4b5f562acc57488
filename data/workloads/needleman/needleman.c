/* needleman.c - NW: what does a wavefront leave of a GPU's parallelism? Host side of needleman.cu. */
#include "data/workloads/harness/harness.h"

enum { TILE = 16, LETTERS = 20 };

/* Scores of letter pairs as in tables for amino acids: symmetric, 4 to 11 for equal letters, -4 to 3 for others. */
static void make_pair_scores(harness *h, int pair[LETTERS][LETTERS])
{
    for (int i = 0; i < LETTERS; i++) {
        pair[i][i] = 4 + (int)harness_integer(h, 8);
        for (int j = 0; j < i; j++)
            pair[i][j] = pair[j][i] = -4 + (int)harness_integer(h, 8);
    }
}

/* similar[i][j]: score of letter i of the one sequence against letter j of the other, both counted from 1. */
static int *make_similar(harness *h, long n)
{
    int pair[LETTERS][LETTERS];
    const size_t columns = (size_t)n + 1;
    int *const similar = harness_host(h, columns * columns, sizeof *similar);
    make_pair_scores(h, pair);
    const int *const one = harness_random_ints(h, columns, 0, LETTERS - 1);
    const int *const other = harness_random_ints(h, columns, 0, LETTERS - 1);
    for (size_t i = 1; i < columns; i++)
        for (size_t j = 1; j < columns; j++)
            similar[i * columns + j] = pair[one[i]][other[j]];
    return similar;
}

static void set_borders(int *score, long n, int penalty)
{
    for (long i = 0; i <= n; i++)
        score[i] = score[i * (n + 1)] = (int)(-i * penalty);
}

static void align_on_cpu(int *score, const int *similar, long n, int penalty)
{
    const long columns = n + 1;
    for (long i = 1; i <= n; i++) {
        for (long j = 1; j <= n; j++) {
            const int diagonal = score[(i - 1) * columns + j - 1] + similar[i * columns + j];
            const int left = score[i * columns + j - 1] - penalty, up = score[(i - 1) * columns + j] - penalty;
            const int gap = left > up ? left : up;
            score[i * columns + j] = diagonal > gap ? diagonal : gap;
        }
    }
}

static void align_on_device(harness *h, int *score, const int *similar, long n, int penalty)
{
    const size_t bytes = (size_t)((n + 1) * (n + 1)) * sizeof *score;
    CUdeviceptr d_score = harness_upload(h, score, bytes), d_similar = harness_upload(h, similar, bytes);
    const CUfunction grow = harness_kernel(h, "nw_upper_left"), shrink = harness_kernel(h, "nw_lower_right");
    int tiles = (int)(n / TILE), d_n = (int)n;

    for (int diagonal = 1; diagonal <= tiles; diagonal++)
        HARNESS_LAUNCH(h, grow, HARNESS_DIM(diagonal), HARNESS_DIM(TILE), 0, &d_score, &d_similar, &d_n, &penalty,
                       &diagonal);
    for (int diagonal = tiles - 1; diagonal >= 1; diagonal--)
        HARNESS_LAUNCH(h, shrink, HARNESS_DIM(diagonal), HARNESS_DIM(TILE), 0, &d_score, &d_similar, &d_n, &penalty,
                       &diagonal, &tiles);
    harness_download(h, score, d_score, bytes);
}

static const harness_size input_sizes[] = {
    {"letters", "letters of each sequence", {64, 1024, 32}, TILE, 4096, TILE},
    {"gap", "penalty of a gap", {10, 10, 10}, 0, 100, 1},
    {0},
};

static void run(harness *h)
{
    const long n = harness_get_size(h, "letters");
    const int penalty = (int)harness_get_size(h, "gap");
    const size_t entries = (size_t)((n + 1) * (n + 1));
    const int *const similar = make_similar(h, n);
    int *const got = harness_host(h, entries, sizeof *got), *const want = harness_host(h, entries, sizeof *want);

    set_borders(got, n, penalty);
    set_borders(want, n, penalty);
    align_on_device(h, got, similar, n, penalty);
    align_on_cpu(want, similar, n, penalty);
    harness_check_ints(h, "score", got, want, entries);
}

HARNESS_WORKLOAD_OF("NW", "data/workloads/needleman/needleman.ptx", run, input_sizes)
