/* huffman.c - HUF: what do atomics cost that set bits in words which neighbours share? Host side of huffman.cu. */
#include "data/workloads/harness/matrix.h"

#include <stdbool.h>

enum { SYMBOLS = 256, THREADS = 256, PIECE = 4, OF_BLOCK = THREADS * PIECE, LONGEST = 20, WORD = 32 };
enum kind { WORDS, UNIFORM, ONE, STEEP, KINDS };

static const harness_size input_sizes[] = {
    {"bytes", "bytes of the text", {5000, 200000, 2000000}, 1, 100000000, 1},
    {"kind",
     "0: as frequent as letters, 1: uniform, 2: one byte, 3: each half as frequent as the last",
     {WORDS, WORDS, WORDS},
     WORDS,
     KINDS - 1,
     1},
    {"blocks", "blocks that count", {4, 32, 64}, 1, 4096, 1},
    {0},
};

typedef struct codes {
    int length[SYMBOLS];
    unsigned code[SYMBOLS]; /* its first bit is the lowest */
} codes;

/* Byte number k of all by frequency is 1 / (k + 1) as frequent as the first, or all are, or one, or each half as
 * frequent as the last. */
static unsigned char draw(harness *h, enum kind kind, const unsigned char *order, double all)
{
    if (kind == UNIFORM)
        return (unsigned char)harness_integer(h, SYMBOLS);
    if (kind == ONE)
        return order[0];
    int k = 0;
    if (kind == STEEP) {
        while (k < SYMBOLS - 1 && harness_integer(h, 2))
            k++;
    } else {
        for (double left = harness_uniform(h, 0, all); k < SYMBOLS - 1 && left >= 1.0 / (k + 1); k++)
            left -= 1.0 / (k + 1);
    }
    return order[k];
}

static unsigned char *make_text(harness *h, size_t n)
{
    unsigned char *const text = harness_host(h, n, 1), order[SYMBOLS];
    double all = 0;
    for (unsigned i = 0; i < SYMBOLS; i++) { /* which bytes are frequent is drawn */
        const unsigned k = harness_integer(h, i + 1);
        order[i] = order[k];
        order[k] = (unsigned char)i;
        all += 1.0 / (i + 1);
    }
    for (size_t i = 0; i < n; i++)
        text[i] = draw(h, (enum kind)harness_get_size(h, "kind"), order, all);
    return text;
}

/* Lengths of codes by joining the two lightest trees until one is left. Returns the longest. */
static int grow_trees(const long *weight, int *length)
{
    long of_tree[2 * SYMBOLS];
    int parent[2 * SYMBOLS] = {0}, n = SYMBOLS, longest = 0;
    bool joined[2 * SYMBOLS] = {false};
    for (int s = 0; s < SYMBOLS; s++) {
        of_tree[s] = weight[s];
        joined[s] = weight[s] == 0;
    }
    for (;; n++) {
        int one = -1, other = -1; /* the lightest, and the next */
        for (int t = 0; t < n; t++) {
            if (joined[t])
                continue;
            if (one < 0 || of_tree[t] < of_tree[one]) {
                other = one;
                one = t;
            } else if (other < 0 || of_tree[t] < of_tree[other]) {
                other = t;
            }
        }
        if (other < 0)
            break;
        of_tree[n] = of_tree[one] + of_tree[other];
        joined[n] = false;
        joined[one] = joined[other] = true;
        parent[one] = parent[other] = n;
    }
    for (int s = 0; s < SYMBOLS; s++) {
        length[s] = 0;
        if (weight[s] == 0)
            continue;
        for (int t = s; t != n - 1 && parent[t]; t = parent[t])
            length[s]++;
        length[s] += length[s] == 0; /* the only byte */
        longest = length[s] > longest ? length[s] : longest;
    }
    return longest;
}

static unsigned reversed(unsigned code, int bits)
{
    unsigned result = 0;
    for (int i = 0; i < bits; i++)
        result |= (code >> i & 1) << (bits - 1 - i);
    return result;
}

/* Weights are halved until no code is longer than the device has room for. Codes of a length follow one another. */
static codes make_codes(const int *count)
{
    codes c = {.length = {0}};
    long weight[SYMBOLS];
    for (int s = 0; s < SYMBOLS; s++)
        weight[s] = count[s];
    while (grow_trees(weight, c.length) > LONGEST)
        for (int s = 0; s < SYMBOLS; s++)
            weight[s] = weight[s] ? 1 + weight[s] / 2 : 0;
    unsigned next = 0;
    for (int length = 1; length <= LONGEST; length++, next <<= 1)
        for (int s = 0; s < SYMBOLS; s++)
            if (c.length[s] == length)
                c.code[s] = reversed(next++, length);
    return c;
}

/* No code begins with another, and none could be shorter: with two bytes or more their shares of all codes add up to
 * one (L. Kraft, 1949). In the mean they are less than a bit longer than the entropy, when weights are the counts. */
static void check_codes(harness *h, const codes *c, const int *count, size_t n)
{
    double share = 0, entropy = 0, mean = 0;
    int used = 0, longest = 0;
    for (int s = 0; s < SYMBOLS; s++) {
        if (!count[s])
            continue;
        const double frequency = count[s] / (double)n;
        used++;
        longest = c->length[s] > longest ? c->length[s] : longest;
        share += ldexp(1, -c->length[s]);
        entropy -= frequency * log2(frequency);
        mean += frequency * c->length[s];
    }
    if (used > 1 && share != 1)
        harness_wrong(h, "codes take %.9g of what there is", share);
    if (longest < LONGEST && (mean < entropy - 1e-9 || mean > entropy + 1))
        harness_wrong(h, "codes have %.9g bits in the mean with an entropy of %.9g", mean, entropy);
}

/* Reads the text back, bit by bit. */
static void decode(harness *h, const codes *c, const unsigned *packed, long bits, const unsigned char *text, size_t n)
{
    enum { NODES = 2 * SYMBOLS };
    int child[NODES][2] = {{0}}, symbol[NODES], nodes = 1;
    for (int s = 0; s < SYMBOLS; s++) {
        int node = 0;
        for (int i = 0; i < c->length[s]; i++) {
            int *const next = &child[node][c->code[s] >> i & 1];
            if (!*next)
                *next = nodes++;
            node = *next;
        }
        symbol[node] = s;
    }
    long at = 0;
    for (size_t i = 0; i < n; i++) {
        int node = 0;
        do {
            if (at == bits)
                harness_wrong(h, "bits end before byte %zu of %zu", i, n);
            node = child[node][packed[at / WORD] >> at % WORD & 1];
            at++;
        } while (node && (child[node][0] || child[node][1]));
        if (!node || symbol[node] != text[i])
            harness_wrong(h, "byte %zu is %d where the text has %d", i, node ? symbol[node] : -1, text[i]);
    }
    if (at != bits)
        harness_wrong(h, "%ld bits are left behind the text", bits - at);
}

static void run(harness *h)
{
    const size_t n = (size_t)harness_get_size(h, "bytes"), words = n * LONGEST / WORD + 2;
    const long pieces = harness_blocks((long)n, OF_BLOCK);
    const unsigned char *const text = make_text(h, n);
    int got[SYMBOLS] = {0}, want[SYMBOLS] = {0}, count = (int)n, d_pieces = (int)pieces, bits = 0;
    unsigned *const packed = harness_host(h, words, sizeof *packed);
    CUdeviceptr d_text = harness_upload(h, text, n), bin = harness_upload(h, got, sizeof got);

    HARNESS_LAUNCH(h, harness_kernel(h, "huf_count"), HARNESS_DIM(harness_get_size(h, "blocks")), HARNESS_DIM(THREADS),
                   0, &d_text, &bin, &count);
    harness_download(h, got, bin, sizeof got);
    for (size_t i = 0; i < n; i++)
        want[text[i]]++;
    harness_check_ints(h, "count of byte", got, want, SYMBOLS);
    const codes c = make_codes(got);
    check_codes(h, &c, got, n);

    CUdeviceptr length = harness_upload(h, c.length, sizeof c.length), code = harness_upload(h, c.code, sizeof c.code);
    CUdeviceptr place = harness_device(h, (size_t)pieces * sizeof(int)), total = harness_device(h, sizeof bits);
    CUdeviceptr d_packed = harness_upload(h, packed, words * sizeof *packed);
    HARNESS_LAUNCH(h, harness_kernel(h, "huf_measure"), HARNESS_DIM(pieces), HARNESS_DIM(THREADS), 0, &d_text, &length,
                   &place, &count);
    HARNESS_LAUNCH(h, harness_kernel(h, "huf_place"), HARNESS_DIM(1), HARNESS_DIM(THREADS), 0, &place, &total,
                   &d_pieces);
    HARNESS_LAUNCH(h, harness_kernel(h, "huf_pack"), HARNESS_DIM(pieces), HARNESS_DIM(THREADS), 0, &d_text, &length,
                   &code, &place, &d_packed, &count);
    harness_download(h, &bits, total, sizeof bits);
    harness_download(h, packed, d_packed, words * sizeof *packed);
    decode(h, &c, packed, bits, text, n);
}

HARNESS_WORKLOAD_OF("HUF", "data/workloads/huffman/huffman.ptx", run, input_sizes)
