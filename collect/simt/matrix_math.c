/* matrix_math.c - D = A B + C.
 *
 * Products of f16, bf16, tf32 and f8 are exact in double precision (at most 22 bits of significand, exponents far inside
 * its range). They are added in double, in rising k, starting from C, and rounded once at the end. f64 rounds each step
 * as a fused multiply-add does, in the same order. Integers are exact and wrap, or are clamped once, at the end. */
#include "collect/simt/lanes_fma_internal.h"
#include "collect/simt/matrix_internal.h"

double matrix_real(matrix_type type, uint64_t bits)
{
    switch (type) {
    case MATRIX_F16:
        return (double)f32_of_f16((uint32_t)bits);
    case MATRIX_BF16:
        return (double)f32_of_bf16((uint32_t)bits);
    case MATRIX_TF32: /* the low 13 bits do not count */
        return (double)ws_f32_from_bits((uint32_t)bits & ~0x1fffu);
    case MATRIX_F32:
        return (double)ws_f32_from_bits((uint32_t)bits);
    case MATRIX_E4M3: {
        const uint32_t size = (uint32_t)bits & 0x7f;
        const double value = size == 0x7f ? (double)NAN
                             : size < 8   ? size * 0x1p-9
                                          : (double)ws_f32_from_bits((size << 20) + (120u << 23));
        return bits & 0x80 ? -value : value;
    }
    case MATRIX_E5M2:
        return (double)f32_of_f16((uint32_t)bits << 8);
    default:
        return ws_f64_from_bits(bits);
    }
}

uint64_t matrix_real_bits(matrix_type type, double value)
{
    switch (type) {
    case MATRIX_F16:
        return f16_of_f32(f32_to_odd(value));
    case MATRIX_F32:
        return ws_f32_bits(canon((float)value));
    default:
        return ws_f64_bits(canon64(value));
    }
}

int32_t matrix_whole(matrix_type type, uint64_t bits)
{
    switch (type) {
    case MATRIX_S8:
        return (int8_t)bits;
    case MATRIX_U8:
        return (uint8_t)bits;
    case MATRIX_S4:
        return (int32_t)((bits & 15) ^ 8) - 8;
    case MATRIX_U4:
        return (int32_t)(bits & 15);
    default:
        return (int32_t)(uint32_t)bits;
    }
}

static void multiply_double(const matrix_product *p, const double *a, const double *b, double *d)
{
    const unsigned n = p->form.n, k = p->form.k;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned s = 0; s < k; s++)
            for (unsigned j = 0; j < n; j++)
                d[i * n + j] = fma_f64(a[i * k + s], b[s * n + j], d[i * n + j]);
}

static void multiply_small(const matrix_product *p, const double *a, const double *b, double *d)
{
    const unsigned n = p->form.n, k = p->form.k;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned s = 0; s < k; s++) {
            const double x = a[i * k + s];
            for (unsigned j = 0; j < n; j++)
                d[i * n + j] += x * b[s * n + j];
        }
}

void matrix_multiply_real(const matrix_product *p, const double *a, const double *b, const double *c, double *d)
{
    const unsigned m = p->form.m, n = p->form.n, k = p->form.k, batch = p->part[ROLE_D].batch;
    memcpy(d, c, (size_t)batch * m * n * sizeof *d);
    for (unsigned q = 0; q < batch; q++) {
        if (p->form.type[ROLE_A] == MATRIX_F64)
            multiply_double(p, a + q * m * k, b + q * k * n, d + q * m * n);
        else
            multiply_small(p, a + q * m * k, b + q * k * n, d + q * m * n);
    }
}

static int32_t settle(int64_t sum, bool satfinite)
{
    if (satfinite)
        return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
    return (int32_t)(uint32_t)sum;
}

void matrix_multiply_whole(const matrix_product *p, const int32_t *a, const int32_t *b, const int32_t *c, int32_t *d)
{
    const unsigned n = p->form.n, k = p->part[ROLE_A].columns;
    const bool bits = p->form.type[ROLE_A] == MATRIX_B1;
    for (unsigned i = 0; i < p->form.m; i++)
        for (unsigned j = 0; j < n; j++) {
            int64_t sum = c[i * n + j];
            for (unsigned s = 0; s < k; s++) {
                const int32_t x = a[i * k + s], y = b[s * n + j];
                if (bits)
                    sum += ws_popcount(p->form.conjunction ? (uint32_t)(x & y) : (uint32_t)(x ^ y));
                else
                    sum += (int64_t)x * y;
            }
            d[i * n + j] = settle(sum, p->form.satfinite);
        }
}
