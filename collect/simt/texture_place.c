/* texture_place.c - which texels does a read at these coordinates take, and how much of each?
 *
 * After the appendix on texture fetching of the CUDA C++ Programming Guide: texel i covers [i, i + 1); the nearest one is
 * floor(x); a linear filter takes floor(x - 0.5) and the next one, with the fraction as its weight, kept in fixed point
 * with 8 fractional bits. Coordinates of 0 to 1 are multiplied by the extent first. Addressing modes work on the whole
 * numbers that come out: that is the guide's rule everywhere but for `mirror` exactly on the edge between two texels. */
#include "collect/simt/texture_internal.h"

#include <math.h>

enum { WEIGHT_STEPS = 256 };

/* Far beyond every texture, and far from overflow. */
static const double far_away = 0x1p40;

static double bounded(double x)
{
    return x > -far_away ? x < far_away ? x : far_away : -far_away; /* NaN is far away, too */
}

/* Along one dimension: one or two texels. */
typedef struct axis {
    unsigned n;
    int64_t at[2];
    bool inside[2];
    double weight[2];
} axis;

static int64_t clamped(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static void address(axis *a, unsigned k, int64_t i, int64_t n, ws_edge edge)
{
    a->inside[k] = true;
    switch (edge) {
    case WS_EDGE_WRAP:
        i %= n;
        a->at[k] = i < 0 ? i + n : i;
        return;
    case WS_EDGE_MIRROR:
        i %= 2 * n;
        i += i < 0 ? 2 * n : 0;
        a->at[k] = i < n ? i : 2 * n - 1 - i;
        return;
    case WS_EDGE_BORDER:
    case WS_EDGE_CLAMP_OGL:
        a->inside[k] = i >= 0 && i < n;
        a->at[k] = clamped(i, n);
        return;
    default:
        a->at[k] = clamped(i, n);
        return;
    }
}

ws_edge texture_edge(const ws_sampler *s, unsigned dim, bool integer)
{
    const ws_edge edge = s->edge[dim];
    return (edge == WS_EDGE_WRAP || edge == WS_EDGE_MIRROR) && (!s->normalized || integer) ? WS_EDGE_CLAMP : edge;
}

static void along(axis *a, const ws_sampler *s, unsigned dim, uint32_t extent, const coordinates *c, bool integer,
                  bool linear)
{
    const int64_t n = extent ? extent : 1;
    const ws_edge edge = texture_edge(s, dim, integer);
    a->n = 1;
    a->weight[0] = 1;
    if (integer) {
        address(a, 0, c->whole[dim] + c->offset[dim], n, edge);
        return;
    }
    double x = bounded(s->normalized ? c->at[dim] * (double)n : c->at[dim]);
    if (edge == WS_EDGE_CLAMP_OGL)
        x = x < 0 ? 0 : x > (double)n ? (double)n : x;
    if (!linear) {
        const double i = floor(x);
        address(a, 0, (edge == WS_EDGE_CLAMP_OGL && i == (double)n ? n - 1 : (int64_t)i) + c->offset[dim], n, edge);
        return;
    }
    const double low = floor(x - 0.5);
    const double part = floor((x - 0.5 - low) * WEIGHT_STEPS + 0.5) / WEIGHT_STEPS;
    a->n = 2;
    a->weight[0] = 1 - part;
    a->weight[1] = part;
    address(a, 0, (int64_t)low + c->offset[dim], n, edge);
    address(a, 1, (int64_t)low + 1 + c->offset[dim], n, edge);
}

/* The face of a cube that a direction meets, and the place on it, as the guide's table of cubemaps has them. */
static unsigned face(const double v[3], double st[2])
{
    const double x = v[0], y = v[1], z = v[2], ax = fabs(x), ay = fabs(y), az = fabs(z);
    double m, s, t;
    unsigned f;
    if (ax >= ay && ax >= az) {
        f = x >= 0 ? 0 : 1;
        m = ax;
        s = x >= 0 ? -z : z;
        t = -y;
    } else if (ay >= az) {
        f = y >= 0 ? 2 : 3;
        m = ay;
        s = x;
        t = y >= 0 ? z : -z;
    } else {
        f = z >= 0 ? 4 : 5;
        m = az;
        s = z >= 0 ? x : -x;
        t = -y;
    }
    st[0] = m > 0 ? (s / m + 1) / 2 : 0;
    st[1] = m > 0 ? (t / m + 1) / 2 : 0;
    return f;
}

void texture_place(const texture *t, const ws_sampler *sampler, const texture_access *a, coordinates *c, bool linear,
                   footprint *out)
{
    const ws_texture *const is = &t->is;
    const uint32_t extents[3] = {is->width, is->height, is->depth};
    uint64_t layer = 0;
    unsigned dims = a->dims;
    ws_sampler on_face;
    if (is->layers) {
        const uint32_t layers = a->cube ? is->layers / WS_CUBE_FACES : is->layers;
        layer = a->layered ? (c->layer < layers ? c->layer : layers - 1) : 0;
    }
    if (a->cube) {
        double st[2];
        layer = layer * WS_CUBE_FACES + face(c->at, st);
        c->at[0] = st[0];
        c->at[1] = st[1];
        dims = 2;
        on_face = *sampler;
        on_face.normalized = true;
        on_face.edge[0] = on_face.edge[1] = WS_EDGE_CLAMP;
        sampler = &on_face;
    }
    axis ax[3] = {{.n = 1, .inside = {true}, .weight = {1}},
                  {.n = 1, .inside = {true}, .weight = {1}},
                  {.n = 1, .inside = {true}, .weight = {1}}};
    for (unsigned d = 0; d < dims; d++)
        along(&ax[d], sampler, d, extents[d], c, a->integer, linear);
    const uint64_t base = is->address + layer * (is->depth ? is->depth : 1) * is->slice;
    out->n = 0;
    for (unsigned k = 0; k < ax[2].n; k++)
        for (unsigned j = 0; j < ax[1].n; j++)
            for (unsigned i = 0; i < ax[0].n; i++) {
                out->address[out->n] = base + (uint64_t)ax[2].at[k] * is->slice + (uint64_t)ax[1].at[j] * is->pitch +
                                       (uint64_t)ax[0].at[i] * t->texel_bytes;
                out->inside[out->n] = ax[0].inside[i] && ax[1].inside[j] && ax[2].inside[k];
                out->weight[out->n++] = ax[0].weight[i] * ax[1].weight[j] * ax[2].weight[k];
            }
}
