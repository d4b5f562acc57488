/* matrix_level.c - D = A B + C, between registers; one object per instruction-set level (-DWS_LEVEL=...).
 *
 * Products of f16, bf16, tf32 and f8 are exact in double precision (at most 22 bits of significand, exponents far
 * inside its range). They are added in double, in rising k, starting from C, and rounded once at the end. f64 rounds
 * each step as a fused multiply-add does, in the same order. Integers are exact and wrap, or are clamped once, at the
 * end: products of bytes and nibbles add up to less than 2^24, so that floats hold them. Elements of rows, not of sums,
 * stand side by side in vectors, which leaves the order of additions alone. */
#include "collect/simt/lanes_fma_internal.h"
#include "collect/simt/matrix_internal.h"

#define GLUE2(a, b) a##b
#define GLUE(a, b)  GLUE2(a, b)

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef double reals __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef float singles __attribute__((vector_size(VECTOR_BYTES < 32 ? 16 : 32), aligned(4), may_alias));

enum { REALS = sizeof(reals) / sizeof(double), SINGLES = sizeof(singles) / sizeof(float), COLUMNS_MOST = 32 };

/* ---- registers to rows, and back ---- */

/* Elements in the order of the matrix, as the registers hold them; nibbles have a byte each. */
typedef union raw {
    _Alignas(64) uint8_t bytes[MATRIX_MOST];
    uint16_t halves[MATRIX_MOST];
    uint32_t words[MATRIX_MOST];
    uint64_t longs[MATRIX_MOST];
} raw;

static unsigned elements_of(const matrix_fragment *p)
{
    return (unsigned)p->distinct * p->per_reg * WS_WARP;
}

#define PICK(member) \
    do { \
        for (unsigned i = 0; i < n; i++) \
            out->member[i] = held.member[from[i]]; \
    } while (0)

static void read_raw(const matrix_fragment *p, void *const *reg, raw *out)
{
    raw held;
    const unsigned n = elements_of(p), word = p->wide ? 8 : 4, row = WS_WARP * word;
    const uint16_t *const from = p->from;
    for (unsigned r = 0; r < p->distinct; r++)
        memcpy(held.bytes + r * row, reg[r], row);
    if (p->wide) {
        PICK(longs);
    } else if (p->per_reg == 1) {
        PICK(words);
    } else if (p->per_reg == 2) {
        PICK(halves);
    } else if (p->per_reg == 4) {
        PICK(bytes);
    } else {
        for (unsigned i = n / 2; i-- > 0;) {
            held.bytes[2 * i + 1] = held.bytes[i] >> 4;
            held.bytes[2 * i] = held.bytes[i] & 15;
        }
        PICK(bytes);
    }
}

static void write_raw(const matrix_fragment *p, void *const *reg, const raw *in)
{
    const uint16_t *at = p->at;
    for (unsigned r = 0; r < p->distinct; r++, at += p->per_reg * WS_WARP)
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            if (p->wide)
                ((uint64_t *)reg[r])[lane] = in->longs[at[lane]];
            else
                ((uint32_t *)reg[r])[lane] =
                    p->per_reg == 1 ? in->words[at[lane]]
                                    : in->halves[at[lane]] | (uint32_t)in->halves[at[WS_WARP + lane]] << 16;
}

LANES_INLINE double real_of_e4m3(uint32_t bits)
{
    const uint32_t size = bits & 0x7f;
    const double normal = (double)ws_f32_from_bits((size << 20) + (120u << 23));
    const double value = size == 0x7f ? (double)NAN : size < 8 ? (double)(int32_t)size * 0x1p-9 : normal;
    return bits & 0x80 ? -value : value;
}

#define EACH(expression) \
    for (unsigned i = 0; i < n; i++) \
        out[i] = (expression); \
    break

static void read_reals(const matrix_fragment *p, void *const *reg, double *out)
{
    raw in;
    const unsigned n = elements_of(p);
    read_raw(p, reg, &in);
    switch ((matrix_type)p->type) {
    case MATRIX_F16:
        EACH((double)f32_of_f16(in.halves[i]));
    case MATRIX_BF16:
        EACH((double)f32_of_bf16(in.halves[i]));
    case MATRIX_TF32: /* the low 13 bits do not count */
        EACH((double)ws_f32_from_bits(in.words[i] & ~0x1fffu));
    case MATRIX_F32:
        EACH((double)ws_f32_from_bits(in.words[i]));
    case MATRIX_E4M3:
        EACH(real_of_e4m3(in.bytes[i]));
    case MATRIX_E5M2:
        EACH((double)f32_of_f16((uint32_t)in.bytes[i] << 8));
    default:
        memcpy(out, in.longs, n * sizeof *out);
    }
}

static void write_reals(const matrix_fragment *p, void *const *reg, const double *from)
{
    raw out;
    const unsigned n = elements_of(p);
    for (unsigned i = 0; i < n && p->wide; i++)
        out.longs[i] = ws_f64_bits(canon64(from[i]));
    for (unsigned i = 0; i < n && p->per_reg == 2; i++)
        out.halves[i] = (uint16_t)f16_of_f32(f32_to_odd(from[i]));
    for (unsigned i = 0; i < n && p->per_reg == 1 && !p->wide; i++)
        out.words[i] = ws_f32_bits(canon((float)from[i]));
    write_raw(p, reg, &out);
}

/* Factors of 4 and 8 bits, which floats hold exactly. */
static void read_singles(const matrix_fragment *p, void *const *reg, float *out)
{
    raw in;
    const unsigned n = elements_of(p);
    read_raw(p, reg, &in);
    switch ((matrix_type)p->type) {
    case MATRIX_S8:
        EACH((float)(int8_t)in.bytes[i]);
    case MATRIX_S4:
        EACH((float)((in.bytes[i] ^ 8) - 8));
    default:
        EACH((float)in.bytes[i]);
    }
}

/* ---- products ---- */

/* Some rows of d += a b at once: additions of one row wait for each other, those of several do not. */
#define ROWS(NAME, TYPE, VECTOR, WIDTH, N, TOGETHER) \
    static void NAME(unsigned m, unsigned k, const TYPE *a, const TYPE *b, TYPE *d) \
    { \
        for (unsigned i = 0; i < m; i += (TOGETHER)) { \
            VECTOR sum[TOGETHER][(N) / (WIDTH)]; \
            for (unsigned r = 0; r < (TOGETHER); r++) \
                for (unsigned v = 0; v < (N) / (WIDTH); v++) \
                    sum[r][v] = *(const VECTOR *)(d + (i + r) * (N) + v * (WIDTH)); \
            for (unsigned s = 0; s < k; s++) \
                for (unsigned v = 0; v < (N) / (WIDTH); v++) { \
                    const VECTOR y = *(const VECTOR *)(b + s * (N) + v * (WIDTH)); \
                    for (unsigned r = 0; r < (TOGETHER); r++) \
                        sum[r][v] += a[(i + r) * k + s] * y; \
                } \
            for (unsigned r = 0; r < (TOGETHER); r++) \
                for (unsigned v = 0; v < (N) / (WIDTH); v++) \
                    *(VECTOR *)(d + (i + r) * (N) + v * (WIDTH)) = sum[r][v]; \
        } \
    }
ROWS(reals_8, double, reals, REALS, 8, VECTOR_BYTES == 16 ? 2 : 4)
ROWS(reals_16, double, reals, REALS, 16, VECTOR_BYTES == 64 ? 4 : VECTOR_BYTES == 32 ? 2 : 1)
ROWS(reals_32, double, reals, REALS, 32, VECTOR_BYTES == 64 ? 4 : 1)
ROWS(singles_8, float, singles, SINGLES, 8, 4)
ROWS(singles_16, float, singles, SINGLES, 16, VECTOR_BYTES == 16 ? 2 : 4)
ROWS(singles_32, float, singles, SINGLES, 32, VECTOR_BYTES == 16 ? 1 : 2)

static void multiply_double(unsigned m, unsigned n, unsigned k, const double *a, const double *b, double *d)
{
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j += 8)
            for (unsigned s = 0; s < k; s++)
                for (unsigned v = 0; v < 8; v++) {
                    double *const sum = d + i * n + j + v;
                    *sum = fma_f64(a[i * k + s], b[s * n + j + v], *sum);
                }
}

static void multiply_reals(const matrix_product *p, const double *a, const double *b, double *d)
{
    const unsigned m = p->form.m, n = p->form.n, k = p->form.k;
    if (p->form.type[ROLE_A] == MATRIX_F64)
        multiply_double(m, n, k, a, b, d);
    else if (n == 8)
        reals_8(m, k, a, b, d);
    else if (n == 16)
        reals_16(m, k, a, b, d);
    else
        reals_32(m, k, a, b, d);
}

/* Rows of d += a b, where element s of row i of a meets row from[i][s] of b. */
#define CHOSEN_ROWS(NAME, TYPE, VECTOR, WIDTH) \
    static void NAME(unsigned m, unsigned k, const TYPE *a, const TYPE *b, const uint8_t *from, TYPE *d) \
    { \
        for (unsigned i = 0; i < m; i++) { \
            VECTOR sum[8 / (WIDTH)]; \
            for (unsigned v = 0; v < 8 / (WIDTH); v++) \
                sum[v] = *(const VECTOR *)(d + i * 8 + v * (WIDTH)); \
            for (unsigned s = i * k; s < (i + 1) * k; s++) \
                for (unsigned v = 0; v < 8 / (WIDTH); v++) \
                    sum[v] += a[s] * *(const VECTOR *)(b + from[s] * 8 + v * (WIDTH)); \
            for (unsigned v = 0; v < 8 / (WIDTH); v++) \
                *(VECTOR *)(d + i * 8 + v * (WIDTH)) = sum[v]; \
        } \
    }
CHOSEN_ROWS(chosen_reals, double, reals, REALS)
CHOSEN_ROWS(chosen_singles, float, singles, SINGLES)

/* Which row of B each element of A meets: two indices of 2 bits for a chunk; of tf32, where one of two is kept, the
 * upper bit of the first. What is not kept takes no part, so that 0 meets no infinity. */
static void read_metadata(const matrix_product *p, const uint32_t *metadata, uint8_t *from)
{
    const matrix_metadata *const d = &p->metadata;
    for (unsigned i = 0; i < (unsigned)p->form.m * d->chunks; i++) {
        const unsigned bits = metadata[d->at[i] / 8] >> 4 * (d->at[i] % 8), first = i % d->chunks * d->chunk;
        if (d->chunk == 2) {
            *from++ = (uint8_t)(first + (bits >> 1 & 1));
            continue;
        }
        for (unsigned e = 0; e < d->chunk / 2u; e++)
            *from++ = (uint8_t)(first + (bits >> 2 * (e / d->together) & 3) * d->together + e % d->together);
    }
}

static void multiply_bits(const matrix_product *p, const uint32_t *a, const uint32_t *b, int64_t *d)
{
    const unsigned n = p->form.n, k = p->part[ROLE_A].columns;
    const uint32_t either = p->form.conjunction ? 0 : UINT32_MAX;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned j = 0; j < n; j++)
            for (unsigned s = 0; s < k; s++) {
                const uint32_t x = a[i * k + s], y = b[s * n + j];
                d[i * n + j] += ws_popcount((x & y & ~either) | ((x ^ y) & either));
            }
}

static void run_reals(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS], const uint8_t *from)
{
    _Alignas(64) double a[MATRIX_MOST], b[MATRIX_MOST], d[MATRIX_MOST];
    const unsigned m = p->form.m, n = p->form.n, k = p->form.k;
    read_reals(&p->part[ROLE_A], reg[ROLE_A], a);
    read_reals(&p->part[ROLE_B], reg[ROLE_B], b);
    read_reals(&p->part[ROLE_C], reg[ROLE_C], d);
    if (from)
        chosen_reals(m, k / 2, a, b, from, d);
    for (unsigned q = 0; q < p->part[ROLE_D].batch && !from; q++)
        multiply_reals(p, a + q * m * k, b + q * k * n, d + q * m * n);
    write_reals(&p->part[ROLE_D], reg[ROLE_D], d);
}

static int32_t settled(int64_t sum, bool satfinite)
{
    if (satfinite)
        return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    return (int32_t)(uint32_t)sum;
}

static void run_bits(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS])
{
    raw a, b, c;
    int64_t sum[MATRIX_MOST];
    const unsigned elements = (unsigned)p->form.m * p->form.n;
    read_raw(&p->part[ROLE_A], reg[ROLE_A], &a);
    read_raw(&p->part[ROLE_B], reg[ROLE_B], &b);
    read_raw(&p->part[ROLE_C], reg[ROLE_C], &c);
    for (unsigned i = 0; i < elements; i++)
        sum[i] = (int32_t)c.words[i];
    multiply_bits(p, a.words, b.words, sum);
    for (unsigned i = 0; i < elements; i++)
        c.words[i] = (uint32_t)settled(sum[i], p->form.satfinite);
    write_raw(&p->part[ROLE_D], reg[ROLE_D], &c);
}

static void run_wholes(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS], const uint8_t *from)
{
    _Alignas(64) float a[MATRIX_MOST], b[MATRIX_MOST], product[MATRIX_MOST];
    raw d;
    const unsigned m = p->form.m, n = p->form.n, k = p->form.k;
    read_singles(&p->part[ROLE_A], reg[ROLE_A], a);
    read_singles(&p->part[ROLE_B], reg[ROLE_B], b);
    read_raw(&p->part[ROLE_C], reg[ROLE_C], &d);
    memset(product, 0, m * n * sizeof *product);
    if (from)
        chosen_singles(m, k / 2, a, b, from, product);
    else
        (n == 8 ? singles_8 : n == 16 ? singles_16 : singles_32)(m, k, a, b, product);
    for (unsigned i = 0; i < m * n && !p->form.satfinite; i++)
        d.words[i] += (uint32_t)(int32_t)product[i];
    for (unsigned i = 0; i < m * n && p->form.satfinite; i++)
        d.words[i] = (uint32_t)settled((int64_t)(int32_t)d.words[i] + (int32_t)product[i], true);
    write_raw(&p->part[ROLE_D], reg[ROLE_D], &d);
}

static void multiply(const matrix_product *p, void *const reg[ROLES][MATRIX_REGS], const uint32_t *metadata)
{
    uint8_t chosen[MATRIX_MOST], *const from = p->form.op == MATRIX_SPARSE ? chosen : NULL;
    if (from)
        read_metadata(p, metadata, from);
    if (p->form.type[ROLE_A] == MATRIX_B1)
        run_bits(p, reg);
    else if (matrix_is_whole((matrix_type)p->form.type[ROLE_A]))
        run_wholes(p, reg, from);
    else
        run_reals(p, reg, from);
#if defined(__AVX__)
    __builtin_ia32_vzeroupper(); /* gcc 12 forgets it in run_reals, and code of the plain level then runs slowly */
#endif
}

/* ---- addresses ---- */

static void addresses(const matrix_transfer *t, const void *base, const uint32_t *stride, unsigned pieces,
                      uint64_t (*address)[WS_WARP])
{
    const unsigned bits = matrix_bits((matrix_type)t->part.type);
    uint64_t start[WS_WARP], length[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        start[lane] = (uint64_t)t->access.offset +
                      (t->access.base_wide ? ((const uint64_t *)base)[lane] : ((const uint32_t *)base)[lane]);
    for (unsigned lane = 0; lane < WS_WARP; lane++) /* strides count single elements */
        length[lane] = !stride ? t->length : t->part.type == MATRIX_B1 ? stride[lane] / 32 : stride[lane];
    for (unsigned k = 0; k < pieces; k++)
        for (unsigned lane = 0; lane < WS_WARP; lane++) {
            const unsigned at = k * WS_WARP + lane;
            address[k][lane] = start[lane] + (t->major[at] * length[lane] + t->minor[at]) * bits / 8;
        }
}

const matrix_level GLUE(ws_matrix_level_, WS_LEVEL) = {.multiply = multiply, .addresses = addresses};
