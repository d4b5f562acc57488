/* gridprograms.cu - five programs whose steps are apart by barriers of the whole grid, in one launch each: sums, prefix sums, PageRank, searches by level and by length.
 *
 * Words that others write between barriers are read past the L1 where a block may have read them before. */
#include "../harness/sharing.cuh"
#include "../harness/sync_shape.cuh"

enum { MOST_THREADS = 1024, FLAGS = 3 };

DEVICE int first_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
DEVICE int all_threads() { return gridDim.x * blockDim.x; }

/* Does any block say that there is more? flag: one for this step, one that is read, one that is cleared for the step behind the next. */
DEVICE bool any_more(const ws_barrier *barrier, sync_use *own, int *flag, int step)
{
    sync_wait(barrier, own);
    const bool more = peek(&flag[step % FLAGS]);
    if (first_thread() == 0)
        poke(&flag[(step + 2) % FLAGS], 0);
    return more;
}

#define NAME(kernel) kernel
#define OWN false
#include "gridprograms.cuh"
#undef NAME
#undef OWN

/* The same with G-SRB alone, whose blocks wait for words of their SMs. */
#define NAME(kernel) kernel##_own
#define OWN true
#include "gridprograms.cuh"
