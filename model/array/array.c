/* array.c - subarrays of cells, their lines and what is around them; and the best way to cut a memory into them. */
#include "model/array/array.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>

enum { ROWS_LEAST = 16, ROWS_MOST = 1024, COLUMNS_LEAST = 32, COLUMNS_MOST = 512, MUX_MOST = 32, BITS = 8 };

/* Of the side of the square that an array is: from its edge to a subarray, half of it on one axis and between none and
 * half on the other. */
static const double way_of_side = 0.8;
/* Decoder and drivers: gates of a row, widths of their transistors over a cell's access transistor; stages of a
 * doubling of rows, and before the first. */
static const double decoder_widths = 4, stages_of_doubling = 1, stages_first = 6, wordline_stages = 4;
/* Subarrays that share amplifiers and need no tree of wires to be reached; in a tree, whose repeaters are set for
 * little energy, capacitance and delay of wires over those without. Ours, as CACTI 7 prints them. */
static const double subarrays_of_mat = 4, repeaters = 2.5, tree_delay = 2;
static const double distributed = 0.38; /* delay of a line with resistance and capacitance all along it, of R C */
/* Through two transistors in a row a cell draws half of what one of them does. */
static const double series = 0.5;

typedef struct lines {        /* of a cell */
    double width, height;     /* m */
    double bitline, wordline; /* farad */
    double amperes;           /* that pull a bit line */
} lines;

static lines lines_of(const ws_node *node, const ws_cell *cell, double ports)
{
    const double feature = ws_node_feature(node), um = 1e6, femto = 1e-15, wire = ws_node_wire_capacitance(node);
    const double stretch = 1 + (ports - 1) * 0.5; /* a port adds a pair of bit lines and a word line to a cell */
    const double height = sqrt(cell->area_f2 * cell->aspect) * feature * stretch;
    const double width = sqrt(cell->area_f2 / cell->aspect) * feature * stretch;
    const double access = cell->access_f * feature * um;
    return (lines){.width = width,
                   .height = height,
                   .bitline = access * node->drain_f_um * femto / 2 + height * wire,
                   .wordline = 2 * access * node->gate_f_um * femto + width * wire,
                   .amperes = series * access * node->on_ua_um * 1e-6};
}

typedef struct cut {           /* a way to cut */
    double rows, columns, mux; /* of a subarray; columns to an amplifier */
    double active, all;        /* subarrays */
} cut;

static double periphery_f2(const ws_cell *cell, double bits, const cut *c, double ports)
{
    /* Subarrays above each other share amplifiers in pairs. */
    const double above = fmax(1, c->all / c->active / 2);
    return bits * above * cell->sense_f2 * ports;
}

static double decoder_capacitance(const ws_node *node, const ws_cell *cell)
{
    return decoder_widths * cell->access_f * node->gate_f_um * ws_node_feature(node) * 1e6 * 1e-15;
}

static void evaluate(const ws_node *node, const ws_cell *cell, const ws_array_shape *s, const cut *c, double volts,
                     double kelvin, ws_array_result *out)
{
    const double ports = s->ports ? s->ports : 1, banks = s->banks ? s->banks : 1, ways = s->ways ? s->ways : 1;
    const double moved = (double)BITS * s->word, sensed = moved * ways, cells = (double)s->bytes * BITS,
                 feature = ws_node_feature(node);
    const lines one = lines_of(node, cell, ports);
    const double columns = c->active * c->columns, bitline = c->rows * one.bitline, swing = volts * volts;
    const double area =
        cells * one.width * one.height + banks * periphery_f2(cell, sensed, c, ports) * feature * feature;
    const bool tree = c->all > subarrays_of_mat;
    const double way = way_of_side * sqrt(area),
                 wires = moved * way * (tree ? repeaters : 1) * ws_node_wire_capacitance(node) * swing;
    const double rows =
        columns * one.wordline * swing + c->active * log2(c->rows) * decoder_capacitance(node, cell) * swing;
    const double precharge = columns * 2 * bitline * cell->sense_v * volts;
    const double current_read = sensed * cell->read_uw * 1e-6 * cell->read_ns * 1e-9;
    out->activate_j = rows;
    out->read_j = rows + precharge + current_read + sensed * cell->sense_fj * 1e-15 + wires;
    out->write_j = rows + precharge + wires + moved * (cell->write_fj > 0 ? cell->write_fj * 1e-15 : bitline * swing);
    const double width = cells * (cell->leak_f + cell->around_f) * feature;
    out->leakage_w = volts * ws_node_off_current(node, kelvin, volts) * width;
    const double fo4 = ws_node_fo4(node, volts);
    const double decoder = fo4 * (stages_first + stages_of_doubling * log2(fmax(2, cells / sensed)) + wordline_stages);
    const double word_line = distributed * c->columns * c->columns * one.width * node->wire_ohm_um * 1e6 * one.wordline;
    const double bit_line = distributed * c->rows * c->rows * one.height * node->wire_ohm_um * 1e6 * one.bitline;
    const double develop = cell->read_uw > 0 ? cell->read_ns * 1e-9 : bitline * cell->sense_v / one.amperes;
    const double there = node->wire_ps_mm * 1e-12 * 1e3 * way * (tree ? tree_delay : 1);
    out->access_s = decoder + word_line + bit_line + develop + cell->sense_ps * 1e-12 + 2 * there;
    out->write_s =
        decoder + word_line + bit_line + there + (cell->write_fj > 0 ? cell->write_ns * 1e-9 : fo4 * wordline_stages);
    out->area_m2 = area;
    out->rows = (uint32_t)c->rows;
    out->columns = (uint32_t)c->columns;
    out->mux = (uint32_t)c->mux;
}

static double cost(const ws_array_result *r)
{
    return r->read_j * r->access_s * sqrt(r->area_m2);
}

int ws_array_evaluate(const ws_node *node, const ws_cell *cell, const ws_array_shape *shape, double volts,
                      double kelvin, ws_array_result *out)
{
    const double banks = shape->banks ? shape->banks : 1, ways = shape->ways ? shape->ways : 1;
    const double sensed = (double)BITS * shape->word * ways, cells = (double)shape->bytes * BITS / banks;
    double best = INFINITY;
    if (!shape->word || cells < sensed)
        return ws_fail(WS_EINPUT,
                       "a memory of %" PRIu64 " bytes has no room for %g words of %" PRIu32
                       " bytes side by side in each of %g banks",
                       shape->bytes, ways, shape->word, banks);
    for (double mux = 1; mux <= MUX_MOST; mux *= 2)
        for (double rows = 1; rows <= ROWS_MOST; rows *= 2) {
            const double active = ceil(sensed * mux / COLUMNS_MOST);
            const cut c = {.rows = rows,
                           .mux = mux,
                           .columns = sensed * mux / active,
                           .active = active,
                           .all = fmax(active, cells / (rows * sensed * mux / active))};
            ws_array_result r;
            if ((rows < ROWS_LEAST && rows * sensed * mux < cells) || rows * sensed * mux > fmax(cells, sensed))
                continue;
            evaluate(node, cell, shape, &c, volts, kelvin, &r);
            if (cost(&r) < best) {
                best = cost(&r);
                *out = r;
            }
        }
    return best < INFINITY
               ? WS_OK
               : ws_fail(WS_EINPUT, "no way to cut a memory of %" PRIu64 " bytes into rows of %" PRIu32 " bytes",
                         shape->bytes, shape->word);
}
