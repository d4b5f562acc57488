/* huffman.cu - a text of bytes in codes of different lengths (D. Huffman, A Method for the Construction of Minimum-Redundancy Codes, 1952), with atomics in
 * shared and in global memory.
 *
 * huf_count: how often is each byte? Bins of the block's own in shared memory are added to the global ones. The CPU makes the codes. huf_measure: how many
 * bits has a block's piece? huf_place, one block: at which bit does each piece begin? huf_pack: a thread has PIECE bytes; where its bits begin in the
 * piece follows from a scan in shared memory, and it sets them in words of shared memory, by atomics, because neighbours meet in a word. Words that the
 * block has alone are stored, those at its ends are set in global memory by atomics, because blocks meet there, too. Bit 0 of a word is its lowest. */
#include "../harness/device.h"

enum { SYMBOLS = 256, THREADS = 256, PIECE = 4, OF_BLOCK = THREADS * PIECE, LONGEST = 20, WORD = 32, WORDS = OF_BLOCK * LONGEST / WORD + 2 };

KERNEL __launch_bounds__(THREADS) huf_count(const uchar *text, int *bin, int n)
{
    __shared__ int own[SYMBOLS];

    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        reduceAdd(&own[text[i]], 1);
    __syncthreads();
    if (own[threadIdx.x])
        reduceAdd(&bin[threadIdx.x], own[threadIdx.x]);
}

/* Sum over the threads before this one; *all: over all. */
DEVICE int scan(int own, int *part, int *all)
{
    part[threadIdx.x] = own;
    for (int apart = 1; apart < THREADS; apart *= 2) {
        __syncthreads();
        const int before = threadIdx.x >= apart ? part[threadIdx.x - apart] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
    }
    __syncthreads();
    *all = part[THREADS - 1];
    return part[threadIdx.x] - own;
}

/* Bits of the thread's bytes. */
DEVICE int measure(const uchar *text, const int *length, int n)
{
    const int begin = (blockIdx.x * THREADS + threadIdx.x) * PIECE;
    int bits = 0;

    for (int i = begin; i < min(begin + PIECE, n); i++)
        bits += length[text[i]];
    return bits;
}

KERNEL __launch_bounds__(THREADS) huf_measure(const uchar *text, const int *length, int *bits, int n)
{
    __shared__ int of_symbol[SYMBOLS], part[THREADS];
    int all;

    of_symbol[threadIdx.x] = length[threadIdx.x];
    __syncthreads();
    scan(measure(text, of_symbol, n), part, &all);
    if (threadIdx.x == 0)
        bits[blockIdx.x] = all;
}

/* One block: sums of what is before each piece, in place; *total: of all. */
KERNEL __launch_bounds__(THREADS) huf_place(int *bits, int *total, int pieces)
{
    __shared__ int part[THREADS];
    int before = 0;

    for (int begin = 0; begin < pieces; begin += THREADS) {
        const int at = begin + threadIdx.x, own = at < pieces ? bits[at] : 0;
        int all;
        __syncthreads();
        const int place = before + scan(own, part, &all);
        if (at < pieces)
            bits[at] = place;
        before += all;
    }
    if (threadIdx.x == 0)
        *total = before;
}

/* Sets the bits of a code from bit `at` of the words on. */
DEVICE void set(uint *word, int at, uint code, int bits)
{
    const int inside = at % WORD;

    reduceOr(&word[at / WORD], code << inside);
    if (inside + bits > WORD)
        reduceOr(&word[at / WORD + 1], code >> (WORD - inside));
}

/* packed: zeros at first. */
KERNEL __launch_bounds__(THREADS) huf_pack(const uchar *text, const int *length, const uint *code, const int *place, uint *packed, int n)
{
    __shared__ int of_symbol[SYMBOLS], part[THREADS];
    __shared__ uint code_of[SYMBOLS], word[WORDS];
    const int begin = (blockIdx.x * THREADS + threadIdx.x) * PIECE, shift = place[blockIdx.x] % WORD;
    int all;

    of_symbol[threadIdx.x] = length[threadIdx.x];
    code_of[threadIdx.x] = code[threadIdx.x];
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        word[i] = 0;
    __syncthreads();
    int at = shift + scan(measure(text, of_symbol, n), part, &all);
    for (int i = begin; i < min(begin + PIECE, n); i++) {
        set(word, at, code_of[text[i]], of_symbol[text[i]]);
        at += of_symbol[text[i]];
    }
    __syncthreads();
    uint *const to = packed + place[blockIdx.x] / WORD;
    const int last = (shift + all - 1) / WORD;
    for (int i = threadIdx.x; i <= last; i += THREADS) {
        if (i > 0 && i < last)
            to[i] = word[i];
        else
            reduceOr(&to[i], word[i]);
    }
}
