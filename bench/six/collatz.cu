/* collatz.cu - steps of n -> n / 2 or 3 n + 1 until 1, one start a thread: lanes part in the branch and in the loop. */
#include "../../data/workloads/harness/device.h"

KERNEL collatz(int *steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long x = i + 1;
    int count = 0;
    while (x != 1) {
        if (x & 1) {
            x = 3 * x + 1;
            asm volatile(""); /* keeps the branch: the optimiser would make a select of it */
        } else {
            x /= 2;
        }
        count++;
    }
    steps[i] = count;
}
