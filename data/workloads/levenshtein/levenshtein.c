/* levenshtein.c - LV: what do hundreds of short launches cost, one an anti-diagonal? And, as the study launched it, one
 * launch with a pair of words a thread? Host side of levenshtein.cu. */
#include "data/workloads/harness/harness.h"

#include <string.h>

enum { THREADS = 64, LETTERS = 26 };

/* Of 100 letters of the one string, so many get lost, an inserted letter in front, or are replaced in the other. */
enum { PERCENT = 100, LOST = 8, INSERTED = 8, REPLACED = 15 };

typedef struct pair {
    long n, m;
    unsigned char *one, *other;
} pair;

static unsigned char letter(harness *h)
{
    return (unsigned char)('a' + harness_integer(h, LETTERS));
}

/* The other string is an edited copy of the one, with random letters behind it up to its length. */
static pair make_pair(harness *h, long n, long m)
{
    pair p = {.n = n, .m = m, .one = harness_host(h, (size_t)n, 1), .other = harness_host(h, (size_t)m, 1)};
    long length = 0;
    for (long i = 0; i < n; i++) {
        p.one[i] = letter(h);
        const unsigned chance = harness_integer(h, PERCENT);
        if (chance < LOST)
            continue;
        if (chance < LOST + INSERTED && length < m)
            p.other[length++] = letter(h);
        const int replaced = chance >= LOST + INSERTED && chance < LOST + INSERTED + REPLACED;
        if (length < m)
            p.other[length++] = replaced ? letter(h) : p.one[i];
    }
    while (length < m)
        p.other[length++] = letter(h);
    return p;
}

static long smaller(long a, long b)
{
    return a < b ? a : b;
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

/* The definition, row by row; entry (i, j) at i * (m + 1) + j. */
static void edit_on_cpu(int *table, const pair *p)
{
    const long columns = p->m + 1;
    for (long i = 0; i <= p->n; i++) {
        for (long j = 0; j < columns; j++) {
            int *const at = table + i * columns + j;
            if (i == 0 || j == 0) {
                *at = (int)(i + j);
                continue;
            }
            const int replaced = at[-columns - 1] + (p->one[i - 1] == p->other[j - 1] ? 0 : 1);
            *at = (int)smaller(replaced, smaller(at[-1], at[-columns]) + 1);
        }
    }
}

static CUdeviceptr edit_on_device(harness *h, const pair *p)
{
    const size_t bytes = (size_t)((p->n + p->m + 1) * (p->n + 1)) * sizeof(int);
    CUdeviceptr one = harness_upload(h, p->one, (size_t)p->n), other = harness_upload(h, p->other, (size_t)p->m);
    CUdeviceptr table = harness_device(h, bytes);
    const CUfunction borders = harness_kernel(h, "lv_borders"), step = harness_kernel(h, "lv_diagonal");
    int n = (int)p->n, m = (int)p->m;

    HARNESS_LAUNCH(h, borders, HARNESS_DIM(larger(n, m) / THREADS + 1), HARNESS_DIM(THREADS), 0, &table, &n, &m);
    for (int diagonal = 2; diagonal <= n + m; diagonal++) {
        int first = (int)larger(1, diagonal - m);
        int entries = (int)smaller(n, diagonal - 1) - first + 1;
        HARNESS_LAUNCH(h, step, HARNESS_DIM((entries + THREADS - 1) / THREADS), HARNESS_DIM(THREADS), 0, &table, &one,
                       &other, &n, &diagonal, &first, &entries);
    }
    return table;
}

/* From diagonal by diagonal to row by row. */
static void straighten(int *rows, const int *diagonals, const pair *p)
{
    for (long i = 0; i <= p->n; i++)
        for (long j = 0; j <= p->m; j++)
            rows[i * (p->m + 1) + j] = diagonals[(i + j) * (p->n + 1) + i];
}

/* The study's: 32 K threads, no shared memory, no barrier, so every thread has a pair of its own. Words as in a spell
 * checker. */
static void run_words(harness *h)
{
    enum { PAIRS = 32768, SHORTEST = 4, LONGEST = 24, WORD_THREADS = 128 }; /* LONGEST: as in levenshtein.cu */
    unsigned char *const one = harness_host(h, PAIRS, LONGEST), *const other = harness_host(h, PAIRS, LONGEST);
    int *const lengths = harness_host(h, PAIRS, 2 * sizeof *lengths);
    int *const got = harness_host(h, PAIRS, sizeof *got), *const want = harness_host(h, PAIRS, sizeof *want);
    int table[(LONGEST + 1) * (LONGEST + 1)];

    for (int t = 0; t < PAIRS; t++) {
        const long n = SHORTEST + harness_integer(h, LONGEST - SHORTEST + 1),
                   m = SHORTEST + harness_integer(h, LONGEST - SHORTEST + 1);
        const pair p = make_pair(h, n, m);
        memcpy(one + (size_t)t * LONGEST, p.one, (size_t)n);
        memcpy(other + (size_t)t * LONGEST, p.other, (size_t)m);
        lengths[2 * t] = (int)n;
        lengths[2 * t + 1] = (int)m;
        edit_on_cpu(table, &p);
        want[t] = table[(n + 1) * (m + 1) - 1];
    }
    CUdeviceptr d_one = harness_upload(h, one, (size_t)PAIRS * LONGEST),
                d_other = harness_upload(h, other, (size_t)PAIRS * LONGEST);
    CUdeviceptr d_lengths = harness_upload(h, lengths, 2 * PAIRS * sizeof *lengths);
    CUdeviceptr distance = harness_device(h, PAIRS * sizeof *got);
    int pairs = PAIRS;
    HARNESS_LAUNCH(h, harness_kernel(h, "lv_words"), HARNESS_DIM(PAIRS / WORD_THREADS), HARNESS_DIM(WORD_THREADS), 0,
                   &d_one, &d_other, &d_lengths, &distance, &pairs);
    harness_download(h, got, distance, PAIRS * sizeof *got);
    harness_check_ints(h, "distance", got, want, PAIRS);
}

static void run(harness *h)
{
    if (harness_get_scale(h) == HARNESS_STUDY) {
        run_words(h);
        return;
    }
    const pair p = make_pair(h, harness_pick(h, 70, 900, 900), harness_pick(h, 90, 720, 720));
    const size_t entries = (size_t)((p.n + 1) * (p.m + 1)), slots = (size_t)((p.n + p.m + 1) * (p.n + 1));
    int *const diagonals = harness_host(h, slots, sizeof *diagonals);
    int *const got = harness_host(h, entries, sizeof *got), *const want = harness_host(h, entries, sizeof *want);

    harness_download(h, diagonals, edit_on_device(h, &p), slots * sizeof *diagonals);
    straighten(got, diagonals, &p);
    edit_on_cpu(want, &p);
    harness_check_ints(h, "distance", got, want, entries);
}

HARNESS_WORKLOAD("LV", "data/workloads/levenshtein/levenshtein.ptx", run)
