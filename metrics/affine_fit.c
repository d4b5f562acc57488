/* affine_fit.c - Gaussian elimination, one vector at a time (Golub, Van Loan, "Matrix Computations", 3.2), modulo a
 * prime. */
#include "metrics/affine_fit.h"

#include <string.h>

static const uint64_t PRIME = ((uint64_t)1 << 61) - 1;
static const uint64_t WHOLE = (uint64_t)1 << 48; /* slopes and residues from here on are fractions, or none of ours */

static uint64_t times(uint64_t a, uint64_t b)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    const uint64_t sum = (uint64_t)(product & PRIME) + (uint64_t)(product >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + PRIME - b;
}

/* Fermat: a^(p - 2). */
static uint64_t inverse(uint64_t a)
{
    uint64_t result = 1;
    for (uint64_t n = PRIME - 2; n; n >>= 1, a = times(a, a))
        result = n & 1 ? times(result, a) : result;
    return result;
}

/* v - factor * row */
static void subtract(uint64_t *v, const uint64_t *row, uint64_t factor)
{
    for (unsigned i = 0; factor && i < WS_AFFINE_WIDTH; i++)
        v[i] = minus(v[i], times(factor, row[i]));
}

static bool whole(uint64_t residue, int64_t *value)
{
    *value = residue < WHOLE ? (int64_t)residue : -(int64_t)(PRIME - residue);
    return residue < WHOLE || PRIME - residue < WHOLE;
}

static void find_slopes(ws_affine_fit *fit)
{
    fit->simple = fit->rank & 1;
    for (unsigned i = 0; i < WS_AFFINE_X; i++) {
        fit->slope[i] = 0;
        if (!(fit->rank >> i & 1))
            continue;
        fit->simple &= whole(fit->row[i][WS_AFFINE_X], &fit->slope[i]);
        for (unsigned k = 1; k < WS_AFFINE_X && i; k++)
            fit->simple &= k == i || !fit->row[i][k];
    }
}

/* The vector, reduced, joins the basis. */
static void insert(ws_affine_fit *fit, const uint64_t *vector)
{
    uint64_t v[WS_AFFINE_WIDTH];
    unsigned at = 0;
    memcpy(v, vector, sizeof v);
    for (unsigned i = 0; i < WS_AFFINE_X; i++)
        if (fit->rank >> i & 1)
            subtract(v, fit->row[i], v[i]);
    while (at < WS_AFFINE_X && !v[at])
        at++;
    if (at == WS_AFFINE_X) {
        fit->failed |= v[WS_AFFINE_X] != 0;
        return;
    }
    const uint64_t lead = inverse(v[at]);
    for (unsigned i = 0; i < WS_AFFINE_WIDTH; i++)
        v[i] = times(v[i], lead);
    for (unsigned i = 0; i < WS_AFFINE_X; i++)
        if (fit->rank >> i & 1)
            subtract(fit->row[i], v, fit->row[i][at]);
    memcpy(fit->row[at], v, sizeof v);
    fit->rank |= 1u << at;
}

void ws_affine_add(ws_affine_fit *fit, const uint64_t x[WS_AFFINE_WIDTH])
{
    const uint32_t before = fit->rank;
    if (fit->failed)
        return;
    insert(fit, x);
    if (fit->rank != before)
        find_slopes(fit);
}

void ws_affine_merge(ws_affine_fit *into, const ws_affine_fit *from)
{
    into->failed |= from->failed;
    for (unsigned i = 0; i < WS_AFFINE_X && !into->failed; i++)
        if (from->rank >> i & 1)
            insert(into, from->row[i]);
    find_slopes(into);
}

bool ws_affine_without(const ws_affine_fit *fit, unsigned column)
{
    ws_affine_fit other = {.failed = fit->failed};
    for (unsigned i = 0; i < WS_AFFINE_X; i++) {
        if (!(fit->rank >> i & 1))
            continue;
        uint64_t v[WS_AFFINE_WIDTH];
        memcpy(v, fit->row[i], sizeof v);
        v[column] = 0;
        insert(&other, v);
    }
    return !other.failed;
}
