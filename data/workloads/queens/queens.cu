/* queens.cu - the queens problem: a thread completes one partial placement in all ways and counts them.
 *
 * A placement is three masks of the row to fill next: columns that are taken, and squares that queens above attack along
 * the diagonals to the left and to the right. A thread keeps one entry a row in a stack in shared memory: the masks and
 * the squares that are closed, because they are attacked or were tried. The block adds the counts of its threads. */
#include "../harness/device.h"

enum { THREADS = 96, DEPTH = 10 };

struct stacks {
    uint columns[THREADS][DEPTH], left[THREADS][DEPTH], right[THREADS][DEPTH];
    uint closed[THREADS][DEPTH];
};

DEVICE void push(stacks &s, int row, uint columns, uint left, uint right)
{
    const int t = threadIdx.x;

    s.columns[t][row] = columns;
    s.left[t][row] = left;
    s.right[t][row] = right;
    s.closed[t][row] = columns | left | right;
}

/* The ways to fill rows 0 .. rows - 1 of the thread's stack, whose row 0 is set. */
DEVICE uint count_ways(stacks &s, uint board, int rows)
{
    const int t = threadIdx.x;
    uint ways = 0;
    int row = 0;

    while (row >= 0) {
        const uint closed = s.closed[t][row];
        const uint queen = (closed + 1) & ~closed; /* the lowest open square */
        if ((closed & board) == board || (queen & board) == 0) {
            row--;
            continue;
        }
        s.closed[t][row] = closed | queen;
        if (row + 1 == rows) {
            ways++;
            row--;
        } else {
            push(s, row + 1, s.columns[t][row] | queen, (s.left[t][row] | queen) << 1, (s.right[t][row] | queen) >> 1);
            row++;
        }
    }
    return ways;
}

/* Placement number p of `placements` is columns[p], left[p], right[p]; `rows` of n rows are left to fill. */
KERNEL nqu_count(const uint *columns, const uint *left, const uint *right, uint *ways, int placements, int n, int rows)
{
    __shared__ stacks s;
    __shared__ uint sum[THREADS];
    const int t = threadIdx.x;
    const int p = blockIdx.x * THREADS + t;

    sum[t] = 0;
    if (p < placements) {
        push(s, 0, columns[p], left[p], right[p]);
        sum[t] = count_ways(s, (1u << n) - 1, rows);
    }
    __syncthreads();

    if (t < THREADS - 64)
        sum[t] += sum[t + 64];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
    if (t == 0)
        ways[blockIdx.x] = sum[0];
}
