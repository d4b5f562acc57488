/* affine_fit.h - is a number an affine function of others, as far as was observed?
 *
 * Observations (x, y) lie on an affine function exactly when the span of all vectors (1, x, y) does not hold (0, ...,
 * 0, 1). The span is kept as a basis in reduced row echelon form, so that the answer depends neither on the order of
 * observations nor on how they were split. Arithmetic is modulo the prime 2^61 - 1 (M. Mersenne): a function over the
 * rationals is one modulo it; one that is none is taken for one only if its residue is a multiple of the prime, which
 * numbers below 2^48 with small slopes are not. */
#ifndef WS_AFFINE_FIT_H
#define WS_AFFINE_FIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WS_AFFINE_ONE,
    WS_AFFINE_BLOCK_X,
    WS_AFFINE_BLOCK_Y,
    WS_AFFINE_BLOCK_Z,
    WS_AFFINE_THREAD_X,
    WS_AFFINE_THREAD_Y,
    WS_AFFINE_THREAD_Z,
    WS_AFFINE_TURN,
    WS_AFFINE_X, /* numbers in front of y */
    WS_AFFINE_WIDTH = WS_AFFINE_X + 1
};

/* Plain memory, zero at first. */
typedef struct ws_affine_fit {
    uint64_t row[WS_AFFINE_X][WS_AFFINE_WIDTH]; /* by the column of its leading 1; meant where `rank` has its bit */
    uint32_t rank;                              /* a bit for each row that is there */
    bool failed;                                /* y is no such function */
    bool simple; /* slopes are whole numbers, and what was always the same is all that they do not tell: */
    int64_t slope[WS_AFFINE_X]; /* y = sum of slope[i] * x[i], x[0] = 1 */
} ws_affine_fit;

/* One more observation: x[0] is 1, y = x[WS_AFFINE_X]; all below 2^61. */
void ws_affine_add(ws_affine_fit *fit, const uint64_t x[WS_AFFINE_WIDTH]);
void ws_affine_merge(ws_affine_fit *into, const ws_affine_fit *from);

/* Whether a function without x[column] does as well. */
bool ws_affine_without(const ws_affine_fit *fit, unsigned column);

/* Of a simple fit: is the vector of x spanned, so that y follows? Those of columns in `skip` are taken to be. */
static inline bool ws_affine_spans(const ws_affine_fit *fit, const uint64_t *x, uint32_t skip)
{
    bool same = fit->simple;
    for (unsigned i = 1; i < WS_AFFINE_X; i++)
        same &= (fit->rank | skip) >> i & 1 || fit->row[0][i] == x[i];
    return same;
}

#endif
