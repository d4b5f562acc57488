/* unoptimized.cu - programs as a compiler writes them when it does not optimize: every variable in local memory behind
 * generic addresses, every call a call.
 *
 *     clang-14 -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
 *         -Xclang -target-feature -Xclang +ptx64 -fms-extensions -O0 -S -I../../data/workloads/harness \
 *         -o unoptimized.ptx unoptimized.cu */
#include "device.h"

extern "C" __device__ void *malloc(unsigned long);
extern "C" __device__ void free(void *);

typedef int (*step)(int above, int left, int corner);
static __device__ __noinline__ int longest(int above, int left, int corner) { return above > left ? above : left; }
static __device__ __noinline__ int weighted(int above, int left, int corner) { return above + left + 3 * corner; }
static __device__ __noinline__ int mixed(int above, int left, int corner) { return (above ^ left) + (corner << 1); }
__device__ step steps[3] = {longest, weighted, mixed};

/* A table filled cell by cell, by another function in every third thread. */
KERNEL fill_tables(int *last, int n)
{
    int table[8][8];
    step next = steps[threadIdx.x % 3];
    for (int i = 0; i < n; i++)
        table[i][0] = table[0][i] = i * (int)threadIdx.x;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            table[i][j] = next(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1]) + (i * j & 1);
    last[threadIdx.x] = table[n - 1][n - 1];
}

/* Calls itself twice; lanes part at every depth. */
static __device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
KERNEL numbers(int *out) { out[threadIdx.x] = fibonacci((int)threadIdx.x % 14); }

/* Sorts an array of its own by recursion. */
static __device__ __noinline__ void sort(uchar *a, int low, int high)
{
    if (low >= high)
        return;
    int cut = low;
    for (int i = low; i <= high; i++)
        if (a[i] < a[high] || i == high) {
            const uchar keep = a[i];
            a[i] = a[cut];
            a[cut++] = keep;
        }
    sort(a, low, cut - 2);
    sort(a, cut, high);
}
KERNEL sorted(uint *hash, uint seed)
{
    uchar a[37];
    uint h = seed + threadIdx.x, order = 0;
    for (int i = 0; i < 37; i++) {
        h = h * 1664525u + 1013904223u;
        a[i] = h >> 24;
    }
    sort(a, 0, 36);
    for (int i = 0; i < 37; i++)
        order = order * 31 + a[i];
    hash[threadIdx.x] = order;
}

/* Cases that fall through, in a loop that lanes leave at different times. */
KERNEL interpreter(int *out, uint program)
{
    int r = 1;
    for (uint code = program * (threadIdx.x + 1); code; code >>= 3)
        switch (code & 7) {
        case 0: r += (int)code; break;
        case 1: r ^= (int)code * 3; break;
        case 2: r -= 9; /* falls through */
        case 3: r = r * 5 + 1; break;
        case 4: r = (int)((uint)r << 3 | (uint)r >> 29); break;
        case 5: r = ~r; break;
        case 6: r += r >> 2; break;
        default: r += (int)threadIdx.x;
        }
    out[threadIdx.x] = r;
}

/* Lists of different lengths on the heap. */
struct node {
    int value;
    node *next;
};
KERNEL lists(int *out)
{
    node *head = 0;
    int sum = 0;
    for (int i = 0; i <= (int)threadIdx.x % 9; i++) {
        node *const n = (node *)malloc(sizeof *n);
        n->value = i * (int)threadIdx.x;
        n->next = head;
        head = n;
    }
    while (head) {
        node *const n = head;
        sum = sum * 7 + n->value;
        head = n->next;
        free(n);
    }
    out[threadIdx.x] = sum;
}

/* Counters behind one lock for three of them, taken lane by lane. */
KERNEL count_squares(int *lock, int *count, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), square = i * i % 11;
    if (i >= n)
        return;
    for (bool done = false; !done;)
        if (atomicCAS(&lock[square % 3], 0, 1) == 0) {
            volatile int *const counter = &count[square];
            *counter = *counter + 1;
            __threadfence();
            atomicExch(&lock[square % 3], 0);
            done = true;
        }
}
