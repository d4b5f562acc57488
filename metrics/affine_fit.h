/* affine_fit.h - exact test of whether observed numbers are an affine function of other numbers.
 *
 * Observations (x, y) lie on an affine function exactly when the span of all vectors (1, x, y) does not contain (0,
 * ..., 0, 1). The span is kept as a basis in reduced row echelon form. The result therefore depends neither on the
 * order of observations nor on how they were split. Arithmetic is modulo the prime 2^61 - 1 (M. Mersenne). A function
 * over the rationals is also one modulo the prime. The converse fails only if a residue is a multiple of the prime,
 * which is impossible for numbers below 2^48 with small slopes. */
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
    WS_AFFINE_X, /* number of columns before y */
    WS_AFFINE_WIDTH = WS_AFFINE_X + 1
};

/* Plain memory; initialize to zero. */
typedef struct ws_affine_fit {
    uint64_t row[WS_AFFINE_X][WS_AFFINE_WIDTH]; /* by the column of the leading 1; valid if in `rank` */
    uint32_t rank;                              /* one bit per valid row */
    bool failed;                                /* y is not an affine function of x */
    bool simple;                /* slopes are whole numbers, and determine y except for constant columns: */
    int64_t slope[WS_AFFINE_X]; /* y = sum of slope[i] * x[i], x[0] = 1 */
} ws_affine_fit;

/* Adds an observation: x[0] is 1, y = x[WS_AFFINE_X]; all are below 2^61. */
void ws_affine_add(ws_affine_fit *fit, const uint64_t x[WS_AFFINE_WIDTH]);
void ws_affine_merge(ws_affine_fit *into, const ws_affine_fit *from);

/* Returns whether a function without x[column] also fits. */
bool ws_affine_without(const ws_affine_fit *fit, unsigned column);

/* Returns whether a simple fit spans x, so that y follows from it. Columns in the mask `skip` count as spanned. */
static inline bool ws_affine_spans(const ws_affine_fit *fit, const uint64_t *x, uint32_t skip)
{
    bool same = fit->simple;
    for (unsigned i = 1; i < WS_AFFINE_X; i++)
        same &= (fit->rank | skip) >> i & 1 || fit->row[0][i] == x[i];
    return same;
}

#endif
