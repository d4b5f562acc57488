/* shuffles.c - number of shuffles of rows that give a correlation at least as high (Mantel 1967).
 *
 * A shuffle takes one product for each pair of rows, of distances that lie anywhere in memory. Distances of 16 bits are
 * a quarter of that memory, and b is a full square, so that a row of it stays in the nearest cache while its places are
 * gathered. Their sum is exact in whole numbers, and its difference from the real sum has a bound. Where the bound
 * leaves the answer open, which is rare, the shuffle is computed from the distances. The count is therefore that of the
 * definition. */
#include "base/crew.h"
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <stdlib.h>

enum { BATCH = 8, /* shuffles for which a row of a is read once */ LINE_BYTES = 64 };

typedef struct coarse {
    int16_t *a, *b; /* [pairs] condensed; [rows * rows] */
    bool wide;      /* the processor has AVX2 */
    double product; /* of two units */
    double error;   /* most that a sum of products differs from that of the distances */
} coarse;

typedef struct count {
    const double *a, *b;
    size_t rows;
    double least; /* a correlation that counts */
    coarse coarse;
    size_t shuffles;
    pthread_mutex_t lock; /* guards the members below */
    gsl_rng *rng;
    size_t *order; /* [rows] of the generator */
    size_t drawn, higher;
} count;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to shuffle rows");
}

/* Correlation of row i of a with row order[i] of b. */
static double correlate(const double *a, const double *b, size_t rows, const uint32_t *order)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = i + 1; j < rows; j++) {
            const size_t p = order[i] < order[j] ? order[i] : order[j], q = order[i] < order[j] ? order[j] : order[i];
            sum += a[ws_pair(rows, i, j)] * b[ws_pair(rows, p, q)];
        }
    return sum;
}

/* ---------------------------------------------------------------- coarse distances */

/* The unit in which the largest distance takes all bits, and the sum of magnitudes. */
static double unit_of(const double *distance, size_t pairs, double *sum)
{
    double most = 0;
    *sum = 0;
    for (size_t i = 0; i < pairs; i++) {
        most = fmax(most, fabs(distance[i]));
        *sum += fabs(distance[i]);
    }
    return most / INT16_MAX;
}

static int16_t round_to(double unit, double distance)
{
    return (int16_t)lrint(distance / unit);
}

static int coarse_init(coarse *c, const double *a, const double *b, size_t rows)
{
    const size_t pairs = rows * (rows - 1) / 2;
    double sum_a, sum_b;
    const double unit_a = unit_of(a, pairs, &sum_a), unit_b = unit_of(b, pairs, &sum_b);
    c->a = malloc((pairs + 1) * sizeof *c->a);
    c->b = malloc((rows * rows + 1) * sizeof *c->b);
    if (!c->a || !c->b)
        return no_memory();
    for (size_t i = 0; i < pairs; i++)
        c->a[i] = round_to(unit_a, a[i]);
    for (size_t i = 0; i < rows; i++) {
        c->b[i * rows + i] = 0;
        for (size_t j = i + 1; j < rows; j++)
            c->b[i * rows + j] = c->b[j * rows + i] = round_to(unit_b, b[ws_pair(rows, i, j)]);
    }
    /* sum ab = sum (a' + e)(b' + f), with |e| and |f| at most half a unit. The reserve covers the rounding of sums of
     * pairs terms in double precision, whose magnitudes sum to 1 at most. */
    const double reserve = 2 * (double)pairs * 0x1p-52 + 1e-9;
#ifdef __x86_64__
    c->wide = __builtin_cpu_supports("avx2");
#endif
    c->product = unit_a * unit_b;
    c->error = 0.5 * unit_a * sum_b + 0.5 * unit_b * (sum_a + 0.5 * unit_a * (double)pairs) + reserve;
    return WS_OK;
}

static int64_t sum_products(const int16_t *a, const int16_t *b, const uint32_t *to, size_t n)
{
    int64_t sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += (int32_t)a[j] * b[to[j]];
    return sum;
}

#ifdef __x86_64__
/* Eight at a time; two products of 16 bits fit into 32, since no value is -2^15. */
__attribute__((target("avx2"))) static int64_t sum_products_wide(const int16_t *a, const int16_t *b, const uint32_t *to,
                                                                 size_t n)
{
    __m256i sum = _mm256_setzero_si256();
    size_t j = 0;
    for (; j + 8 <= n; j += 8) {
        const __m128i gathered = _mm_setr_epi16(b[to[j]], b[to[j + 1]], b[to[j + 2]], b[to[j + 3]], b[to[j + 4]],
                                                b[to[j + 5]], b[to[j + 6]], b[to[j + 7]]);
        const __m128i products = _mm_madd_epi16(_mm_loadu_si128((const __m128i *)(a + j)), gathered);
        sum = _mm256_add_epi64(sum, _mm256_cvtepi32_epi64(products));
    }
    int64_t part[4];
    _mm256_storeu_si256((__m256i *)part, sum);
    return part[0] + part[1] + part[2] + part[3] + sum_products(a + j, b, to + j, n - j);
}
#endif

/* The sum of row i of a with the shuffled row of b, in units of the product. */
static int64_t correlate_row(const coarse *c, size_t rows, size_t i, const uint32_t *order)
{
    const int16_t *const a = c->a + ws_pair(rows, i, i + 1), *const b = c->b + (size_t)order[i] * rows;
    const uint32_t *const to = order + i + 1;
    const size_t n = rows - i - 1;
#ifdef __x86_64__
    if (c->wide)
        return sum_products_wide(a, b, to, n);
#endif
    return sum_products(a, b, to, n);
}

/* ---------------------------------------------------------------- shuffles */

/* The row of b that comes after that of shuffle s and row i: it may lie anywhere. */
static void fetch_next(const count *c, const uint32_t *batch, size_t shuffles, size_t s, size_t i)
{
    const size_t next = s + 1 < shuffles ? s + 1 : 0, row = next ? i : i + 1;
    const char *const at = (const char *)(c->coarse.b + (size_t)batch[next * c->rows + row] * c->rows);
    for (size_t byte = 0; byte < c->rows * sizeof *c->coarse.b; byte += LINE_BYTES)
        __builtin_prefetch(at + byte);
}

static size_t count_batch(const count *c, const uint32_t *batch, size_t shuffles)
{
    int64_t sum[BATCH] = {0};
    size_t higher = 0;
    for (size_t i = 0; i + 1 < c->rows; i++)
        for (size_t s = 0; s < shuffles; s++) {
            fetch_next(c, batch, shuffles, s, i);
            sum[s] += correlate_row(&c->coarse, c->rows, i, batch + s * c->rows);
        }
    for (size_t s = 0; s < shuffles; s++) {
        const double about = (double)sum[s] * c->coarse.product, above = about - c->least;
        higher +=
            fabs(above) > c->coarse.error ? above > 0 : correlate(c->a, c->b, c->rows, batch + s * c->rows) >= c->least;
    }
    return higher;
}

/* The next shuffles of the generator: which thread gets them changes no count. Returns their number. */
static size_t draw_batch(count *c, uint32_t *batch)
{
    size_t n = 0;
    pthread_mutex_lock(&c->lock);
    for (; n < BATCH && c->drawn < c->shuffles; n++, c->drawn++) {
        gsl_ran_shuffle(c->rng, c->order, c->rows, sizeof *c->order);
        for (size_t i = 0; i < c->rows; i++)
            batch[n * c->rows + i] = (uint32_t)c->order[i];
    }
    pthread_mutex_unlock(&c->lock);
    return n;
}

static int count_many(ws_crew *crew)
{
    count *const c = crew->context;
    uint32_t *batch = malloc(BATCH * c->rows * sizeof *batch);
    const int rc = batch ? WS_OK : no_memory();
    for (size_t task; rc == WS_OK && ws_crew_next(crew, &task);) {
        const size_t n = draw_batch(c, batch), higher = count_batch(c, batch, n);
        pthread_mutex_lock(&c->lock);
        c->higher += higher;
        pthread_mutex_unlock(&c->lock);
    }
    free(batch);
    return rc;
}

int ws_count_shuffles(const double *a, const double *b, size_t rows, size_t shuffles, uint64_t seed, double least,
                      size_t *higher)
{
    count c = {.a = a, .b = b, .rows = rows, .least = least, .shuffles = shuffles, .lock = PTHREAD_MUTEX_INITIALIZER};
    c.rng = gsl_rng_alloc(gsl_rng_mt19937);
    c.order = malloc(rows * sizeof *c.order);
    int rc = c.rng && c.order ? coarse_init(&c.coarse, a, b, rows) : no_memory();
    if (rc == WS_OK)
        gsl_rng_set(c.rng, (unsigned long)seed);
    for (size_t i = 0; rc == WS_OK && i < rows; i++)
        c.order[i] = i;
    if (rc == WS_OK)
        rc = ws_crew_run(&(ws_crew){.work = count_many, .context = &c, .tasks = (shuffles + BATCH - 1) / BATCH});
    *higher = c.higher;
    if (c.rng)
        gsl_rng_free(c.rng);
    free(c.order);
    free(c.coarse.a);
    free(c.coarse.b);
    return rc;
}
