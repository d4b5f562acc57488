/* distance.c - how far apart are all pairs of rows?
 *
 * Differences are squared and summed pair by pair in the order of the columns; not through inner products, which lose
 * the digits of rows that lie close together. So equal rows are at 0 exactly, and a pair's distance depends on nothing
 * but its two rows. Speed comes from doing several pairs at a time. */
#include "base/memory.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

double ws_distance_square(const double *a, const double *b, size_t columns)
{
    double sum = 0;
    for (size_t c = 0; c < columns; c++) {
        const double difference = a[c] - b[c];
        sum += difference * difference;
    }
    return sum;
}

double *ws_distance_pack(const double *point, size_t rows, size_t columns)
{
    const size_t panels = (rows + WS_PANEL - 1) / WS_PANEL;
    double *packed = calloc(panels * columns + 1, WS_PANEL * sizeof *packed);
    for (size_t i = 0; packed && i < rows; i++)
        for (size_t c = 0; c < columns; c++)
            packed[(i / WS_PANEL * columns + c) * WS_PANEL + i % WS_PANEL] = point[i * columns + c];
    return packed;
}

/* Two rows against a panel, `lanes` of its rows at a time: each sum is made in the order of the columns, whatever the
 * width, so the bits are the same. */
#define PANEL_FUNCTION(name, lanes, attribute) \
    attribute static void name(const double *a, const double *b, const double *panel, size_t columns, \
                               double square[2][WS_PANEL]) \
    { \
        typedef double vector __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)))); \
        enum { VECTORS = WS_PANEL / lanes }; \
        vector sum[2][VECTORS] = {0}; \
        for (size_t c = 0; c < columns; c++) \
            for (size_t v = 0; v < VECTORS; v++) { \
                const vector other = *(const vector *)(panel + c * WS_PANEL + v * lanes); \
                const vector to_a = a[c] - other, to_b = b[c] - other; \
                sum[0][v] += to_a * to_a; \
                sum[1][v] += to_b * to_b; \
            } \
        for (size_t v = 0; v < VECTORS; v++) { \
            *(vector *)(square[0] + v * lanes) = sum[0][v]; \
            *(vector *)(square[1] + v * lanes) = sum[1][v]; \
        } \
    }

PANEL_FUNCTION(panel_narrow, 2, )

#ifdef __x86_64__
PANEL_FUNCTION(panel_wide, 4, __attribute__((target("avx2"))))

void ws_distance_panel(const double *a, const double *b, const double *panel, size_t columns,
                       double square[2][WS_PANEL])
{
    (__builtin_cpu_supports("avx2") ? panel_wide : panel_narrow)(a, b, panel, columns, square);
}
#else
void ws_distance_panel(const double *a, const double *b, const double *panel, size_t columns,
                       double square[2][WS_PANEL])
{
    panel_narrow(a, b, panel, columns, square);
}
#endif

void ws_distance_rows(const double *point, const double *packed, size_t rows, size_t columns, size_t i, size_t first,
                      double *const distance[2])
{
    const double *const a = point + i * columns, *const b = i + 1 < rows ? a + columns : a;
    for (; first < rows; first += WS_PANEL) {
        double square[2][WS_PANEL];
        ws_distance_panel(a, b, packed + first * columns, columns, square);
        for (size_t j = first; j < first + WS_PANEL && j < rows; j++) {
            distance[0][j] = sqrt(square[0][j - first]);
            distance[1][j] = sqrt(square[1][j - first]);
        }
    }
}

int ws_distance_ask(size_t rows, size_t matrices)
{
    char what[80];
    snprintf(what, sizeof what, "distances of all pairs of %zu rows", rows);
    return ws_memory_ask((double)rows * ((double)rows - 1) / 2 * sizeof(double) * (double)matrices, what,
                         "take fewer rows, such as one a kernel or workload");
}

/* Refuses what the machine could only answer by killing the program. */
static int check_memory(size_t rows, size_t *pairs)
{
    size_t twice;
    const int rc = ws_distance_ask(rows, 1);
    if (rc != WS_OK)
        return rc;
    if (__builtin_mul_overflow(rows, rows - 1, &twice))
        return ws_fail(WS_ELIMIT, "%zu rows have too many pairs", rows);
    *pairs = twice / 2;
    return WS_OK;
}

/* Distances of the rows before and within one panel to the panel's rows. */
static void fill_panel(const double *point, const double *panel, size_t rows, size_t columns, size_t first,
                       bool squares, double *matrix)
{
    const size_t end = first + WS_PANEL < rows ? first + WS_PANEL : rows;
    for (size_t i = 0; i + 1 < end; i += 2) {
        double square[2][WS_PANEL];
        ws_distance_panel(point + i * columns, point + (i + 1) * columns, panel, columns, square);
        for (size_t r = 0; r < 2; r++)
            for (size_t j = i + r < first ? first : i + r + 1; j < end; j++) {
                const double d = square[r][j - first];
                matrix[ws_pair(rows, i + r, j)] = squares ? d : sqrt(d);
            }
    }
}

/* Large pages where the system grants them: the searches jump across the matrix, a page or more at a time. */
static double *allocate(size_t pairs)
{
    const size_t page_bytes = (size_t)2 << 20;
    const size_t bytes = (pairs * sizeof(double) + page_bytes) / page_bytes * page_bytes;
    if (bytes < 4 * page_bytes)
        return malloc((pairs + 1) * sizeof(double));
    double *matrix = aligned_alloc(page_bytes, bytes);
    if (matrix)
        (void)madvise(matrix, bytes, MADV_HUGEPAGE);
    return matrix;
}

int ws_distance_check(const double *point, size_t rows, size_t columns)
{
    /* Below, squares lose digits; above, sums of them may overflow. */
    static const double least_square = 0x1p-900, most_square = 0x1p900;
    double square = 0; /* of the longest distance within the columns' ranges */
    bool varies = false;
    for (size_t c = 0; c < columns; c++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < rows; i++) {
            least = fmin(least, point[i * columns + c]);
            most = fmax(most, point[i * columns + c]);
        }
        square += (most - least) * (most - least);
        varies |= most > least;
    }
    if (square > most_square)
        return ws_fail(WS_ENUMERIC, "distances overflow; standardise the columns first");
    if (varies && square < least_square)
        return ws_fail(WS_ENUMERIC, "distances underflow; standardise the columns first");
    return WS_OK;
}

int ws_distance_matrix(const double *point, size_t rows, size_t columns, bool squares, double **out)
{
    size_t pairs = 0;
    int rc = ws_distance_check(point, rows, columns);
    if (rc == WS_OK)
        rc = check_memory(rows, &pairs);
    if (rc != WS_OK)
        return rc;
    double *packed = ws_distance_pack(point, rows, columns), *matrix = allocate(pairs);
    if (!packed || !matrix) {
        free(packed);
        free(matrix);
        return ws_fail(WS_EMEM, "no memory for the distances of %zu rows (%.3g GiB)", rows, (double)pairs * 8 / 0x1p30);
    }
    for (size_t first = 0; first < rows; first += WS_PANEL)
        fill_panel(point, packed + first * columns, rows, columns, first, squares, matrix);
    free(packed);
    *out = matrix;
    return WS_OK;
}
