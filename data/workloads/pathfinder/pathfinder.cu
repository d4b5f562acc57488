/* pathfinder.cu - PF: the cheapest way down a grid of weights, a step straight or aslant a row; `steps` rows a launch.
 *
 * A block loads THREADS sums of the row above, and with each row what it can compute without its neighbours shrinks
 * by one column on either side (the pyramid): neighbouring blocks overlap by 2 * steps columns, the ghost zones, and
 * finish THREADS - 2 * steps columns each. */
#include "../harness/device.h"

enum { THREADS = 256 };

/* wall: the rows of weights below the one that `from` has the sums of. */
KERNEL __launch_bounds__(THREADS)
    pf_rows(const int *__restrict__ wall, const int *__restrict__ from, int *__restrict__ to, int columns, int steps)
{
    __shared__ int now[THREADS], next[THREADS];
    const int t = threadIdx.x;
    const int inner = THREADS - 2 * steps;
    const int x = (int)blockIdx.x * inner - steps + t;
    const bool on_grid = x >= 0 && x < columns;
    const int left = x > 0 ? t - 1 : t, right = x < columns - 1 ? t + 1 : t;

    if (on_grid)
        now[t] = from[x];
    __syncthreads();

    bool computed = false;
    for (int s = 1; s <= steps; s++) {
        computed = on_grid && t >= s && t < THREADS - s;
        if (computed)
            next[t] = min(now[t], min(now[left], now[right])) + wall[(s - 1) * columns + x];
        __syncthreads();
        if (s == steps)
            break;
        if (computed)
            now[t] = next[t];
        __syncthreads();
    }
    if (computed)
        to[x] = next[t];
}
