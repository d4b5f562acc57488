/* varimax.c - rotation of loadings to simple structure: few large loadings of each component, the others near 0. */
#include "base/status.h"
#include "pca/pca_internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS_MOST = 1000 }; /* over all planes; a few suffice */

/* Turns columns x and y of a row-major matrix: (x, y) -> (x cos + y sin, y cos - x sin). */
static void turn_plane(double *matrix, size_t rows, size_t k, size_t x, size_t y, double cosine, double sine)
{
    for (double *row = matrix; row < matrix + rows * k; row += k) {
        const double a = row[x], b = row[y];
        row[x] = a * cosine + b * sine;
        row[y] = b * cosine - a * sine;
    }
}

/* Turns one plane to the maximum of the criterion there: Kaiser 1958, equation 5, with u = x^2 - y^2 and v = 2 x y.
 * Returns false where the criterion is at its maximum within rounding, or flat. */
static bool improve_plane(double *normal, size_t rows, double *rotation, size_t k, size_t x, size_t y)
{
    double sum_u = 0, sum_v = 0, difference = 0, product = 0, size = 0;
    for (const double *row = normal; row < normal + rows * k; row += k) {
        const double u = row[x] * row[x] - row[y] * row[y], v = 2 * row[x] * row[y];
        sum_u += u;
        sum_v += v;
        difference += u * u - v * v;
        product += 2 * u * v;
        size += u * u + v * v;
    }
    const double n = (double)rows, noise = n * DBL_EPSILON * size;
    const double numerator = product - 2 * sum_u * sum_v / n;
    const double denominator = difference - (sum_u * sum_u - sum_v * sum_v) / n;
    if (fabs(numerator) <= noise && denominator >= -noise)
        return false;
    const double angle = atan2(numerator, denominator) / 4;
    turn_plane(normal, rows, k, x, y, cos(angle), sin(angle));
    turn_plane(rotation, k, k, x, y, cos(angle), sin(angle));
    return true;
}

/* Rows of length 1 (Kaiser's normalization); a row of 0 within rounding stays, as it has no direction. */
static void normalize(const double *loading, size_t rows, size_t k, double *normal)
{
    double most = 0;
    for (size_t i = 0; i < rows * k; i++)
        most = fmax(most, fabs(loading[i]));
    for (size_t j = 0; j < rows; j++) {
        double squares = 0;
        for (size_t c = 0; c < k; c++)
            squares += loading[j * k + c] * loading[j * k + c];
        const double length = sqrt(squares);
        for (size_t c = 0; c < k; c++)
            normal[j * k + c] = length > most * (double)rows * DBL_EPSILON ? loading[j * k + c] / length : 0;
    }
}

int ws_pca_varimax(const double *loading, size_t rows, size_t k, double *rotation)
{
    double *const normal = malloc(rows * k * sizeof *normal);
    if (!normal)
        return ws_fail(WS_EMEM, "no memory to rotate %zu components", k);
    normalize(loading, rows, k, normal);
    memset(rotation, 0, k * k * sizeof *rotation);
    for (size_t c = 0; c < k; c++)
        rotation[c * k + c] = 1;
    bool moved = true;
    for (size_t sweep = 0; moved && sweep < SWEEPS_MOST; sweep++) {
        moved = false;
        for (size_t x = 0; x < k; x++)
            for (size_t y = x + 1; y < k; y++)
                moved |= improve_plane(normal, rows, rotation, k, x, y);
    }
    free(normal);
    return moved ? ws_fail(WS_ENUMERIC, "varimax did not converge in %d sweeps", (int)SWEEPS_MOST) : WS_OK;
}
