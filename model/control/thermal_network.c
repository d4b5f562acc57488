/* thermal_network.c - which resistances and capacities do a floor plan and its package make?
 *
 * Layers lie on one another, each a slab of one material. A node stands for the face of its piece that heat enters
 * by, so the way to the next layer is the whole thickness. Spreader and sink beyond the layer above are four
 * trapezoids around it; the heat's way through one has the mean of the widths it passes. Geometry of HotSpot's block
 * model (see thermal.h). */
#include "model/control/thermal_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { NORTH, EAST, SOUTH, WEST, SIDES };
enum { SPREADER_RIM, SINK_INNER, SINK_OUTER }; /* groups of SIDES nodes behind those of the blocks */

typedef struct slab {
    double thickness, conductivity, heat;
} slab;

typedef struct builder {
    const ws_thermal_chip *chip;
    ws_thermal_network *net;
    slab slab[WS_THERMAL_LAYERS];
    double width, height; /* of the die */
} builder;

static size_t node_of(const builder *b, int layer, size_t block)
{
    return (size_t)layer * b->net->blocks + block;
}

static size_t rim_node(const builder *b, int group, int side)
{
    return (size_t)WS_THERMAL_LAYERS * b->net->blocks + (size_t)(group * SIDES + side);
}

static void connect(builder *b, size_t from, size_t to, double resistance)
{
    const double g = 1 / resistance;
    b->net->conductance[from][from] += g;
    b->net->conductance[to][to] += g;
    b->net->conductance[from][to] -= g;
    b->net->conductance[to][from] -= g;
}

static double resist(slab s, double length, double width)
{
    return length / (s.conductivity * s.thickness * width);
}

static double overlap(double a, double a_size, double b, double b_size)
{
    return fmin(a + a_size, b + b_size) - fmax(a, b);
}

/* Half of each block's extent is on the way from centre to centre. */
static void connect_neighbours(builder *b, size_t i, size_t j)
{
    const ws_thermal_block *const p = &b->chip->block[i], *const q = &b->chip->block[j];
    const double near = 1e-9 * (b->width + b->height);
    const double across_x = overlap(p->x_m, p->width_m, q->x_m, q->width_m);
    const double across_y = overlap(p->y_m, p->height_m, q->y_m, q->height_m);
    for (int layer = 0; layer < WS_THERMAL_LAYERS; layer++) {
        if (fabs(across_x) <= near && across_y > near)
            connect(b, node_of(b, layer, i), node_of(b, layer, j),
                    resist(b->slab[layer], (p->width_m + q->width_m) / 2, across_y));
        else if (fabs(across_y) <= near && across_x > near)
            connect(b, node_of(b, layer, i), node_of(b, layer, j),
                    resist(b->slab[layer], (p->height_m + q->height_m) / 2, across_x));
    }
}

static void connect_to_air(builder *b, size_t node, double area)
{
    const double sink_area = b->chip->sink_side_m * b->chip->sink_side_m;
    const slab s = b->slab[WS_THERMAL_SINK];
    const double g = 1 / (s.thickness / (s.conductivity * area) + b->chip->convection_k_w * sink_area / area);
    b->net->ambient[node] += g;
    b->net->conductance[node][node] += g;
    b->net->capacity[node] += b->chip->lumping * b->chip->convection_j_k * area / sink_area;
}

static void add_column(builder *b, size_t i)
{
    const double area = b->chip->block[i].width_m * b->chip->block[i].height_m;
    for (int layer = 0; layer < WS_THERMAL_LAYERS; layer++) {
        const slab s = b->slab[layer];
        b->net->capacity[node_of(b, layer, i)] += b->chip->lumping * s.heat * s.thickness * area;
        if (layer + 1 < WS_THERMAL_LAYERS)
            connect(b, node_of(b, layer, i), node_of(b, layer + 1, i), s.thickness / (s.conductivity * area));
    }
    connect_to_air(b, node_of(b, WS_THERMAL_SINK, i), area);
}

static bool touches(const builder *b, const ws_thermal_block *p, int side)
{
    const double near = 1e-9 * (b->width + b->height);
    return side == NORTH   ? fabs(p->y_m + p->height_m - b->height) <= near
           : side == SOUTH ? fabs(p->y_m) <= near
           : side == EAST  ? fabs(p->x_m + p->width_m - b->width) <= near
                           : fabs(p->x_m) <= near;
}

/* From the blocks at one edge to the rim: half a block, then half the rim's depth, which the blocks share as their
 * conductances; so all of them together see the rim's resistance once. */
static void connect_edge(builder *b, int layer, int side, size_t rim, double rim_resistance)
{
    double sum = 0, g[WS_THERMAL_BLOCKS] = {0};
    for (size_t i = 0; i < b->net->blocks; i++) {
        const ws_thermal_block *const p = &b->chip->block[i];
        const bool upright = side == NORTH || side == SOUTH;
        if (touches(b, p, side))
            g[i] = 1 /
                   resist(b->slab[layer], (upright ? p->height_m : p->width_m) / 2, upright ? p->width_m : p->height_m);
        sum += g[i];
    }
    for (size_t i = 0; i < b->net->blocks; i++)
        if (g[i] > 0)
            connect(b, node_of(b, layer, i), rim, 1 / g[i] + rim_resistance * sum / g[i]);
}

/* One side of what lies beyond the die: `depth` from its edge of length `edge` to the spreader's side. */
static void add_side(builder *b, int side)
{
    const double spreader = b->chip->spreader_side_m, sink = b->chip->sink_side_m;
    const bool upright = side == NORTH || side == SOUTH;
    const double edge = upright ? b->width : b->height, depth = (spreader - (upright ? b->height : b->width)) / 2;
    const double near_width = (3 * edge + spreader) / 4, far_width = (edge + 3 * spreader) / 4;
    const double area = (edge + spreader) / 2 * depth, outer_area = (sink * sink - spreader * spreader) / 4;
    const slab s = b->slab[WS_THERMAL_SPREADER], k = b->slab[WS_THERMAL_SINK];
    const size_t rim = rim_node(b, SPREADER_RIM, side), inner = rim_node(b, SINK_INNER, side);
    const size_t outer = rim_node(b, SINK_OUTER, side);
    connect_edge(b, WS_THERMAL_SPREADER, side, rim, resist(s, depth / 2, near_width));
    connect_edge(b, WS_THERMAL_SINK, side, inner, resist(k, depth / 2, near_width));
    connect(b, rim, inner, s.thickness / (s.conductivity * area));
    connect(b, inner, outer,
            resist(k, depth / 2, far_width) + resist(k, (sink - spreader) / 4, (3 * spreader + sink) / 4));
    b->net->capacity[rim] += b->chip->lumping * s.heat * s.thickness * area;
    b->net->capacity[inner] += b->chip->lumping * k.heat * k.thickness * area;
    b->net->capacity[outer] += b->chip->lumping * k.heat * k.thickness * outer_area;
    connect_to_air(b, inner, area);
    connect_to_air(b, outer, outer_area);
}

void ws_thermal_build_network(const ws_thermal_chip *chip, ws_thermal_network *network)
{
    memset(network, 0, sizeof *network);
    network->blocks = chip->blocks;
    network->nodes = (size_t)WS_THERMAL_LAYERS * chip->blocks + 3 * SIDES;
    builder b = {.chip = chip,
                 .net = network,
                 .slab = {{chip->die_m, chip->die_w_mk, chip->die_j_m3k},
                          {chip->interface_m, chip->interface_w_mk, chip->interface_j_m3k},
                          {chip->spreader_m, chip->spreader_w_mk, chip->spreader_j_m3k},
                          {chip->sink_m, chip->sink_w_mk, chip->sink_j_m3k}}};
    for (size_t i = 0; i < chip->blocks; i++) {
        b.width = fmax(b.width, chip->block[i].x_m + chip->block[i].width_m);
        b.height = fmax(b.height, chip->block[i].y_m + chip->block[i].height_m);
    }
    for (size_t i = 0; i < chip->blocks; i++) {
        add_column(&b, i);
        for (size_t j = i + 1; j < chip->blocks; j++)
            connect_neighbours(&b, i, j);
    }
    for (int side = 0; side < SIDES; side++)
        add_side(&b, side);
}
