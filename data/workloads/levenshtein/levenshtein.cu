/* levenshtein.cu - LV: how many letters must be inserted, deleted or replaced to make one string of another? The table
 * of V. Levenshtein's distance, one launch an anti-diagonal.
 *
 * Entry (i, j) is the distance between the first i letters of `one` (of n) and the first j of `other` (of m). Entries
 * with the same i + j do not need each other, so they are one launch, an entry a thread. The table lies diagonal by
 * diagonal, (i, j) at (i + j) * (n + 1) + i: neighbouring threads meet neighbouring words. */
#include "../harness/device.h"

/* What is known without work: the distance to an empty string is the length. Thread t sets (t, 0) and (0, t). */
KERNEL lv_borders(int *table, int n, int m)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = n + 1;
    if (t <= n)
        table[t * stride + t] = t;
    if (t <= m)
        table[t * stride] = t;
}

/* The inner entries of anti-diagonal `diagonal` = i + j, of which (first, diagonal - first) is thread 0's. */
KERNEL lv_diagonal(int *__restrict__ table, const uchar *__restrict__ one, const uchar *__restrict__ other, int n,
                   int diagonal, int first, int entries)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= entries)
        return;
    const int stride = n + 1;
    const int i = first + t, j = diagonal - i;
    const int *const before = table + (diagonal - 1) * stride, *const before_that = table + (diagonal - 2) * stride;

    const int deleted = before[i - 1] + 1, inserted = before[i] + 1;
    int best = before_that[i - 1];
    if (one[i - 1] != other[j - 1])
        best++;
    table[diagonal * stride + i] = min(best, min(deleted, inserted));
}

/* Many short words: thread t finds the distance of the two words t, of at most MOST_LETTERS letters, each MOST_LETTERS behind the one
 * before; their lengths stand in lengths[2 * t] and the next. A row of the table at a time, in local memory. */
enum { MOST_LETTERS = 24 };

KERNEL lv_words(const uchar *__restrict__ one, const uchar *__restrict__ other, const int *__restrict__ lengths,
                int *__restrict__ distance, int pairs)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row[MOST_LETTERS + 1];
    if (t >= pairs)
        return;
    const int n = lengths[2 * t], m = lengths[2 * t + 1];
    const uchar *const a = one + t * MOST_LETTERS, *const b = other + t * MOST_LETTERS;

    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int above_left = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            const int above = row[j], replaced = above_left + (a[i - 1] != b[j - 1]);
            row[j] = min(replaced, min(above, row[j - 1]) + 1);
            above_left = above;
        }
    }
    distance[t] = row[m];
}
