/* node.h - technology node: transistors and wires, from files data/tech/node_*.ini.
 *
 * The files cite the sources of the values. The laws are those of CACTI (Thoziyoor, Muralimanohar, Ahn, Jouppi,
 * CACTI 5.1, 2008) and, for leakage by voltage, of subthreshold current with drain-induced barrier lowering (Butts,
 * Sohi, A Static Power Model for Architects, 2000). */
#ifndef WS_NODE_H
#define WS_NODE_H

#include <stddef.h>

enum { WS_NODE_TEMPERATURES = 11, WS_NODE_FIRST_K = 300, WS_NODE_STEP_K = 10 };

typedef struct ws_node {
#define FIELD(section, name, member, unit, least, most, meaning) double member;
#include "model/tech/node.def"
#undef FIELD
    double off_na_um[WS_NODE_TEMPERATURES]; /* nA/um at the nominal voltage, 300 K and up */
} ws_node;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a negative value or another unit; WS_EIO. */
int ws_node_read(const char *path, ws_node *out);
int ws_node_parse(const char *file, const char *text, size_t length, ws_node *out);

double ws_node_feature(const ws_node *node); /* m */

/* Returns the farads of a gate one feature wide; energies of logic scale with it, times V^2. */
double ws_node_gate_capacitance(const ws_node *node);
/* Returns farads per metre. */
double ws_node_wire_capacitance(const ws_node *node);

/* Returns amperes per metre of width of transistors that are off at `volts`. Temperatures between entries are
 * interpolated by the ratio of the neighbours, those beyond the table extrapolated from its ends; I(V) = I(V0) e^((V -
 * V0) dibl / (slope kT/q)). */
double ws_node_off_current(const ws_node *node, double kelvin, double volts);

/* Returns the delay of an inverter that drives four equal ones, in seconds: ln 2 C V / I. */
double ws_node_fo4(const ws_node *node, double volts);

#endif
