/* queens.c - NQU: what does backtracking leave of a warp when every lane has a tree of its own? Host side of queens.cu.
 */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { THREADS = 96, DEPTH = 10, MOST_ROWS = 16 };

/* A search: the host places queens in the first `expanded` of n rows, the device does the others. Placements wait in
 * a batch until there are `room` of them, one a thread of a launch. */
typedef struct search {
    harness *h;
    int n, expanded, room;
    int waiting;
    unsigned *columns, *left, *right;
    int *want, *got; /* ways of each block of the batch */
    CUfunction kernel;
    CUdeviceptr d_columns, d_left, d_right, d_got;
    long solutions;
} search;

/* The board of the CPU's own search: which lines have a queen. Nothing here is a mask. */
typedef struct board {
    int n;
    char column[MOST_ROWS], rising[2 * MOST_ROWS], falling[2 * MOST_ROWS];
} board;

static int is_open(const board *b, int row, int column)
{
    return !b->column[column] && !b->rising[row + column] && !b->falling[row - column + b->n];
}

static void set_queen(board *b, int row, int column, char there)
{
    b->column[column] = b->rising[row + column] = b->falling[row - column + b->n] = there;
}

static int count_on_cpu(board *b, int row)
{
    int ways = 0;
    if (row == b->n)
        return 1;
    for (int column = 0; column < b->n; column++) {
        if (is_open(b, row, column)) {
            set_queen(b, row, column, 1);
            ways += count_on_cpu(b, row + 1);
            set_queen(b, row, column, 0);
        }
    }
    return ways;
}

/* The launch has a thread for every place of the batch, also for those that are empty. */
static void flush(search *s)
{
    const size_t bytes = (size_t)s->room * sizeof *s->columns, blocks = (size_t)(s->room / THREADS);
    int rows = s->n - s->expanded;

    harness_write(s->h, s->d_columns, s->columns, bytes);
    harness_write(s->h, s->d_left, s->left, bytes);
    harness_write(s->h, s->d_right, s->right, bytes);
    HARNESS_LAUNCH(s->h, s->kernel, HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &s->d_columns, &s->d_left,
                   &s->d_right, &s->d_got, &s->waiting, &s->n, &rows);
    harness_download(s->h, s->got, s->d_got, blocks * sizeof *s->got);
    harness_check_ints(s->h, "ways of block", s->got, s->want, blocks);
    for (size_t i = 0; i < blocks; i++)
        s->solutions += s->got[i];
    memset(s->want, 0, blocks * sizeof *s->want);
    s->waiting = 0;
}

/* Places queens from `row` on in all ways, on the board and in masks side by side. */
static void expand(search *s, board *b, int row, unsigned columns, unsigned left, unsigned right)
{
    if (row == s->expanded) {
        s->columns[s->waiting] = columns;
        s->left[s->waiting] = left;
        s->right[s->waiting] = right;
        s->want[s->waiting / THREADS] += count_on_cpu(b, row);
        if (++s->waiting == s->room)
            flush(s);
        return;
    }
    for (int column = 0; column < s->n; column++) {
        const unsigned queen = 1u << column;
        if (!((columns | left | right) & queen)) {
            set_queen(b, row, column, 1);
            expand(s, b, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
            set_queen(b, row, column, 0);
        }
    }
}

/* Solutions with the first queen in one of the columns from `first` up to, and without, `end`. */
static long count_first_columns(search *s, int first, int end)
{
    s->solutions = 0;
    for (int column = first; column < end; column++) {
        board b = {.n = s->n};
        const unsigned queen = 1u << column;
        set_queen(&b, 0, column, 1);
        expand(s, &b, 1, queen, queen << 1, queen >> 1);
    }
    flush(s);
    return s->solutions;
}

static search make_search(harness *h)
{
    const int n = (int)harness_pick(h, 9, 13, 8);
    search s = {
        .h = h, .n = n, .room = (int)harness_pick(h, 192, 480, 24576), .kernel = harness_kernel(h, "nqu_count")};
    /* Rows that the stacks in shared memory do not hold, two at least; at scale tiny enough of them to need several
     * launches. */
    s.expanded = (int)harness_pick(h, 4, n - DEPTH, 2);
    const size_t room = (size_t)s.room, bytes = room * sizeof *s.columns, blocks = room / THREADS;
    s.columns = harness_host(h, room, sizeof *s.columns);
    s.left = harness_host(h, room, sizeof *s.left);
    s.right = harness_host(h, room, sizeof *s.right);
    s.want = harness_host(h, blocks, sizeof *s.want);
    s.got = harness_host(h, blocks, sizeof *s.got);
    s.d_columns = harness_device(h, bytes);
    s.d_left = harness_device(h, bytes);
    s.d_right = harness_device(h, bytes);
    s.d_got = harness_device(h, blocks * sizeof *s.got);
    return s;
}

/* A mirrored solution is one too, so the left half of the first row does, and its middle where there is one. */
static void run(harness *h)
{
    static const int known[MOST_ROWS] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184};
    search s = make_search(h);

    long solutions = 2 * count_first_columns(&s, 0, s.n / 2);
    if (s.n % 2)
        solutions += count_first_columns(&s, s.n / 2, s.n / 2 + 1);
    if (solutions != known[s.n])
        harness_wrong(h, "%d queens have %ld solutions where %d are known", s.n, solutions, known[s.n]);
}

HARNESS_WORKLOAD("NQU", "data/workloads/queens/queens.ptx", run)
