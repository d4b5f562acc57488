/* texture_level.c - which texels does a read of a warp take, how much of each, and what does that give? One object per
 * instruction-set level (-DWS_LEVEL=...).
 *
 * After the appendix on texture fetching of the CUDA C++ Programming Guide: texel i covers [i, i + 1); the nearest one
 * is floor(x); a linear filter takes floor(x - 0.5) and the next one, with the fraction as its weight, kept in fixed
 * point with 8 fractional bits. Coordinates of 0 to 1 are multiplied by the extent first. Addressing modes work on the
 * whole numbers that come out: that is the guide's rule everywhere but for `mirror` exactly on the edge between two
 * texels.
 *
 * Whole numbers are kept in doubles, which all levels have vectors of; they stay below 2^42. All lanes are worked on:
 * those that take no part have some coordinate, too, and every coordinate leads to a texel. */
#include "collect/simt/lanes_scalar_internal.h"
#include "collect/simt/texture_internal.h"

#include <math.h>

#define GLUE2(a, b) a##b
#define GLUE(a, b)  GLUE2(a, b)

#define FOR_LANES   for (unsigned i = 0; i < WS_WARP; i++)

enum { WEIGHT_STEPS = 256, CHANNELS = 4 };

/* Far beyond every texture, and far from overflow. */
static const double far_away = 0x1p40;

/* Along one dimension: one or two texels. */
typedef struct axis {
    double at[2][WS_WARP], part[WS_WARP]; /* weight of the second one, in steps of 1/256 */
    uint64_t bytes[2][WS_WARP];           /* from the first texel to this one */
    int32_t inside[2][WS_WARP];           /* 0 or -1 */
} axis;

/* ---- which texels ---- */

LANES_INLINE double bounded(double x)
{
    return x > -far_away ? x < far_away ? x : far_away : -far_away; /* NaN is far away, too */
}

LANES_INLINE double clamped(double i, double n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* i modulo n. The quotient is right, since no i / n is so close below a whole number that it would be rounded to it. */
LANES_INLINE double modulo(double i, double n)
{
    return i - n * floor(i / n);
}

static void apply_edge(double *at, int32_t *inside, double n, ws_edge edge)
{
    FOR_LANES
    inside[i] = -1;
    switch (edge) {
    case WS_EDGE_WRAP:
        FOR_LANES
        at[i] = modulo(at[i], n);
        return;
    case WS_EDGE_MIRROR:
        FOR_LANES
        {
            const double folded = modulo(at[i], 2 * n);
            at[i] = folded < n ? folded : 2 * n - 1 - folded;
        }
        return;
    case WS_EDGE_BORDER:
    case WS_EDGE_CLAMP_OGL:
        FOR_LANES
        inside[i] = at[i] >= 0 && at[i] < n ? -1 : 0;
        FOR_LANES
        at[i] = clamped(at[i], n);
        return;
    default:
        FOR_LANES
        at[i] = clamped(at[i], n);
        return;
    }
}

/* The addressing mode that holds for a dimension: wrap and mirror only with normalized coordinates. */
static ws_edge edge_of(const ws_sampler *s, unsigned dim, bool integer)
{
    const ws_edge edge = s->edge[dim];
    return (edge == WS_EDGE_WRAP || edge == WS_EDGE_MIRROR) && (!s->normalized || integer) ? WS_EDGE_CLAMP : edge;
}

static void add_offset(axis *a, unsigned texels, const int32_t *offset)
{
    for (unsigned k = 0; k < texels && offset; k++)
        FOR_LANES
    a->at[k][i] += (double)offset[i];
}

static void along(axis *a, const ws_sampler *s, unsigned dim, uint32_t extent, uint64_t stride, const double *given,
                  const int32_t *offset, bool integer, bool linear)
{
    const double n = extent ? extent : 1, scale = s->normalized && !integer ? n : 1;
    const ws_edge edge = edge_of(s, dim, integer);
    const unsigned texels = linear ? 2 : 1;
    double x[WS_WARP];
    FOR_LANES
    x[i] = bounded(given[i] * scale);
    if (edge == WS_EDGE_CLAMP_OGL && !integer)
        FOR_LANES
    x[i] = x[i] < 0 ? 0 : x[i] > n ? n : x[i];
    if (linear) {
        FOR_LANES
        {
            const double low = floor(x[i] - 0.5);
            a->part[i] = floor((x[i] - 0.5 - low) * WEIGHT_STEPS + 0.5) / WEIGHT_STEPS;
            a->at[0][i] = low;
            a->at[1][i] = low + 1;
        }
    } else {
        const double end = edge == WS_EDGE_CLAMP_OGL && !integer ? n : NAN; /* x may be the extent itself */
        FOR_LANES
        {
            const double whole = floor(x[i]);
            a->at[0][i] = whole == end ? n - 1 : whole;
        }
    }
    add_offset(a, texels, offset);
    for (unsigned k = 0; k < texels; k++) {
        apply_edge(a->at[k], a->inside[k], n, edge);
        FOR_LANES
        a->bytes[k][i] = (uint64_t)(uint32_t)(int32_t)a->at[k][i] * stride;
    }
}

/* The face of a cube that a direction meets, and the place on it, as the guide's table of cubemaps has them. */
static unsigned face(double *x_to_s, double *y_to_t, double z)
{
    const double x = *x_to_s, y = *y_to_t, ax = fabs(x), ay = fabs(y), az = fabs(z);
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
    *x_to_s = m > 0 ? (s / m + 1) / 2 : 0;
    *y_to_t = m > 0 ? (t / m + 1) / 2 : 0;
    return f;
}

static void read_coordinates(const texture_access *a, const texture_operands *from, double given[3][WS_WARP])
{
    for (unsigned d = 0; d < a->dims; d++) {
        const uint32_t *const raw = from->coordinate[d];
        if (a->integer)
            FOR_LANES
        given[d][i] = (double)(int32_t)raw[i];
        else FOR_LANES given[d][i] = (double)ws_f32_from_bits(raw[i]);
    }
}

/* Where each lane's layer begins. A layer too large is the last one. */
static void find_layers(const texture *t, const texture_access *a, const texture_operands *from,
                        double given[3][WS_WARP], uint64_t base[WS_WARP])
{
    const ws_texture *const is = &t->is;
    const uint32_t cubes = is->layers / WS_CUBE_FACES, layers = !is->layers ? 1 : a->cube ? cubes : is->layers;
    const uint64_t bytes = (is->depth ? is->depth : 1) * is->slice;
    FOR_LANES
    {
        uint64_t layer = a->layered && is->layers ? (from->layer[i] < layers ? from->layer[i] : layers - 1) : 0;
        if (a->cube)
            layer = layer * WS_CUBE_FACES + face(&given[0][i], &given[1][i], given[2][i]);
        base[i] = is->address + layer * bytes;
    }
}

/* Products of weights are rounded to steps of 1/256, too, and all weights of a footprint add up to 1. So an H200 has it
 * (driver 580): in two dimensions always, in three in nearly all places. */
LANES_INLINE double product(double p, double q)
{
    return floor(p * q * WEIGHT_STEPS + 0.5) / WEIGHT_STEPS;
}

static void weigh(const axis *ax, unsigned dims, double weight[][WS_WARP])
{
    FOR_LANES
    {
        const double a = ax[0].part[i], p = dims > 2 ? ax[1].part[i] : a;
        const double q = dims < 2 ? 0 : ax[dims - 1].part[i], both = product(p, q);
        const double pair[4] = {1 - p - q + both, p - both, q - both, both};
        if (dims < 3) {
            for (unsigned k = 0; k < 2 * dims; k++)
                weight[k][i] = pair[k];
            continue;
        }
        double rest = a;
        for (unsigned k = 1; k < 4; k++) {
            const double w = product(a, pair[k]);
            weight[2 * k + 1][i] = w;
            weight[2 * k][i] = pair[k] - w;
            rest -= w;
        }
        weight[1][i] = rest;
        weight[0][i] = pair[0] - rest;
    }
}

static void find_texels(const texture *t, const ws_sampler *s, const texture_access *a, const texture_operands *from,
                        bool linear, footprint *out)
{
    const ws_texture *const is = &t->is;
    const uint32_t extent[3] = {is->width, is->height, is->depth};
    const uint64_t stride[3] = {t->texel_bytes, is->pitch, is->slice};
    const unsigned dims = a->cube ? 2 : a->dims, texels = linear ? 2 : 1;
    double given[3][WS_WARP];
    uint64_t base[WS_WARP];
    axis ax[3];
    ws_sampler on_face = *s;
    if (a->cube) {
        on_face.normalized = true;
        on_face.edge[0] = on_face.edge[1] = WS_EDGE_CLAMP;
    }
    read_coordinates(a, from, given);
    find_layers(t, a, from, given, base);
    for (unsigned d = 0; d < dims; d++)
        along(&ax[d], &on_face, d, extent[d], stride[d], given[d], a->has_offset ? from->offset[d] : NULL, a->integer,
              linear);
    if (linear)
        weigh(ax, dims, out->weight);
    out->n = 0;
    for (unsigned z = 0; z < (dims > 2 ? texels : 1); z++)
        for (unsigned y = 0; y < (dims > 1 ? texels : 1); y++)
            for (unsigned x = 0; x < texels; x++) {
                uint64_t *const address = out->address[out->n];
                int32_t *const inside = out->inside[out->n];
                out->n++;
                FOR_LANES
                {
                    address[i] = base[i] + ax[0].bytes[x][i];
                    inside[i] = ax[0].inside[x][i];
                }
                if (dims > 1)
                    FOR_LANES
                    {
                        address[i] += ax[1].bytes[y][i];
                        inside[i] &= ax[1].inside[y][i];
                    }
                if (dims > 2)
                    FOR_LANES
                    {
                        address[i] += ax[2].bytes[z][i];
                        inside[i] &= ax[2].inside[z][i];
                    }
            }
}

/* ---- what they hold ---- */

/* Integers as floats: the largest is 1; the smallest of the signed ones counts as -1 like the one above it. */
static const float largest[WS_TEXELS] = {
    [WS_TEXEL_U8] = 255, [WS_TEXEL_S8] = 127, [WS_TEXEL_U16] = 65535, [WS_TEXEL_S16] = 32767};

static bool is_signed(ws_texel t)
{
    return t == WS_TEXEL_S8 || t == WS_TEXEL_S16 || t == WS_TEXEL_S32;
}

/* The transfer function of IEC 61966-2-1. */
static float linear_light(float x)
{
    return (float)(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
}

#define GATHER(type) \
    do { \
        FOR_LANES \
        value[i] = (uint32_t)((const type *)(uintptr_t)address[i])[channel]; \
        break; \
    } while (0)

/* Elements as registers hold integers: with their sign. */
static void gather(ws_texel texel, const uint64_t *address, unsigned channel, uint32_t *value)
{
    switch (texel) {
    case WS_TEXEL_U8:
        GATHER(uint8_t);
        break;
    case WS_TEXEL_S8:
        GATHER(int8_t);
        break;
    case WS_TEXEL_U16:
    case WS_TEXEL_F16:
        GATHER(uint16_t);
        break;
    case WS_TEXEL_S16:
        GATHER(int16_t);
        break;
    default:
        GATHER(uint32_t);
        break;
    }
}

static void to_floats(const texture *t, unsigned channel, uint32_t *value)
{
    const ws_texel texel = t->is.texel;
    if (texel == WS_TEXEL_F16) {
        FOR_LANES
        value[i] = ws_f32_bits(f32_of_f16(value[i]));
    } else if (!t->floats || texel == WS_TEXEL_F32) {
        return;
    } else if (is_signed(texel)) {
        FOR_LANES
        {
            const float x = (float)(int32_t)value[i] / largest[texel];
            value[i] = ws_f32_bits(x < -1 ? -1 : x);
        }
    } else if (t->is.srgb && texel == WS_TEXEL_U8 && channel < 3) {
        FOR_LANES
        value[i] = ws_f32_bits(linear_light((float)value[i] / largest[texel]));
    } else {
        const float most = largest[texel];
        FOR_LANES
        value[i] = ws_f32_bits((float)(int32_t)value[i] / most);
    }
}

/* What stands beyond the edge: what a texel of the texture can hold of the border's color. Integers that are read as
 * such take the low bits of the float. */
static uint32_t border(const texture *t, const ws_sampler *s, unsigned channel)
{
    const ws_texel texel = t->is.texel;
    const float x = s->border[channel], most = largest[texel], least = is_signed(texel) ? -1 : 0;
    if (t->is.by_index || channel >= t->is.channels)
        return 0;
    if (!t->floats) {
        const unsigned unused = 32 - 8 * ws_texel_bytes(texel);
        const uint32_t high = ws_f32_bits(x) << unused;
        return is_signed(texel) ? (uint32_t)((int32_t)high >> unused) : high >> unused;
    }
    if (texel == WS_TEXEL_F16)
        return ws_f32_bits(f32_of_f16(f16_of_f32(x)));
    if (texel == WS_TEXEL_F32)
        return ws_f32_bits(x);
    return ws_f32_bits(rintf((x > least ? x < 1 ? x : 1 : least) * most) / most);
}

/* A channel of texel k of each lane. */
static void read_channel(const texture *t, const ws_sampler *s, const footprint *f, unsigned k, unsigned channel,
                         uint32_t *value)
{
    const uint32_t beyond = border(t, s, channel);
    if (channel < t->is.channels) {
        gather(t->is.texel, f->address[k], channel, value);
        to_floats(t, channel, value);
    } else {
        FOR_LANES
        value[i] = 0;
    }
    FOR_LANES
    value[i] = f->inside[k][i] ? value[i] : beyond;
}

/* A filtered number has the precision of a texel, bytes that of 16 bits. */
static void round_sum(const texture *t, unsigned channel, const double *sum, uint32_t *value)
{
    const ws_texel texel = t->is.texel;
    const bool fixed = texel == WS_TEXEL_U16 || (texel == WS_TEXEL_U8 && !(t->is.srgb && channel < 3));
    FOR_LANES
    value[i] = ws_f32_bits((float)(fixed ? floor(sum[i] * UINT16_MAX + 0.5) / UINT16_MAX : sum[i]));
    if (texel == WS_TEXEL_F16)
        FOR_LANES
    value[i] = ws_f32_bits(f32_of_f16(f16_of_f32(ws_f32_from_bits(value[i]))));
}

/* Products of a float and a weight of at most 24 bits are exact in double precision; so is nearly every sum. A texel of
 * weight 0 counts for nothing, be it infinite. The last NaN stays, whatever order the compiler gives an addition. */
static void filter(const texture *t, const ws_sampler *s, const footprint *f, unsigned channel, uint32_t *value)
{
    double sum[WS_WARP] = {0};
    if (channel >= t->is.channels) {
        FOR_LANES
        value[i] = 0;
        return;
    }
    for (unsigned k = 0; k < f->n; k++) {
        const double *const weight = f->weight[k];
        read_channel(t, s, f, k, channel, value);
        FOR_LANES
        {
            const double part = weight[i] == 0 ? 0 : weight[i] * (double)ws_f32_from_bits(value[i]);
            sum[i] = part != part ? part : sum[i] + part;
        }
    }
    round_sum(t, channel, sum, value);
}

static void fetch(const texture *t, const ws_sampler *s, const texture_access *a, const texture_operands *from,
                  unsigned wanted, footprint *f, uint32_t value[4][WS_WARP])
{
    static const uint8_t order[CHANNELS] = {2, 3, 1, 0}; /* tld4: counter-clockwise from the lower left texel */
    const bool gathers = a->op == TEXTURE_GATHER;
    const bool linear = gathers || (s->linear && t->floats && !t->is.by_index && !a->integer);
    find_texels(t, s, a, from, linear, f);
    for (unsigned c = 0; c < CHANNELS; c++) {
        if (!(wanted >> c & 1))
            continue;
        if (gathers)
            read_channel(t, s, f, order[c], a->component, value[c]);
        else if (linear)
            filter(t, s, f, c, value[c]);
        else
            read_channel(t, s, f, 0, c, value[c]);
    }
}

const texture_level GLUE(ws_texture_level_, WS_LEVEL) = {.fetch = fetch};
