/* node.h - what are transistors, wires and memory cells of a technology node like?
 *
 * A node comes from a file data/tech/node_SIZEnm.ini: every constant with its unit and source. Widths, lengths and what is given per
 * width or length are in SI units, so that the energy of a node of capacitance C that is charged from supply V is C V^2 joules. */
#ifndef WS_NODE_H
#define WS_NODE_H

#include <stddef.h>

enum { WS_NODE_KELVIN_LEAST = 300, WS_NODE_KELVIN_STEP = 10, WS_NODE_KELVINS = 11 }; /* rows of the off-current */

typedef enum ws_node_layer { WS_NODE_LOCAL, WS_NODE_MIDDLE, WS_NODE_GLOBAL, WS_NODE_LAYERS } ws_node_layer;

typedef struct ws_node_wire {
    double pitch_m, ohm_m, f_m; /* per metre of length */
} ws_node_wire;

typedef struct ws_node_sram {
    double cell_f2, aspect, access_f, pull_down_f, pull_up_f;
} ws_node_sram;

typedef struct ws_node_stt {
    double cell_f2, aspect, access_f, low_ohm, high_ohm, write_a, pulse_ns, drop_v, read_v, read_w;
} ws_node_stt;

typedef struct ws_node {
    double size_m, vdd_v;
    double length_m, threshold_v, gate_f_m, fringe_f_m, junction_f_m2, sidewall_f_m;
    double on_a_m, resistance_factor, p_to_n, gate_leak_a_m, long_channel, dibl, swing;
    double off_a_m[WS_NODE_KELVINS]; /* at the nominal supply */
    ws_node_wire wire[WS_NODE_LAYERS];
    ws_node_sram sram;
    double sense_ns, sense_j;
    ws_node_stt stt;
} ws_node;

/* WS_EINPUT with FILE:LINE:COLUMN for a unit, a number or a key that does not suit, with FILE and the key for one that is missing:
 * nothing has a default. */
int ws_node_read(const char *path, ws_node *out);
int ws_node_parse(const char *file, const char *text, size_t length, ws_node *out);

/* Reads FOLDER/node_NAME.ini, name "22nm" say. WS_ENOTFOUND lists the nodes of the folder. */
int ws_node_find(const char *folder, const char *name, ws_node *out);

/* Off-current of an NMOS per width (A/m) with `volts` across it. At the nominal supply it is the file's table, between its rows
 * and beyond them along exp(kelvin). With the voltage it falls as the subthreshold current of BSIM does, which HotLeakage uses
 * (Zhang et al., University of Virginia CS-2003-05, 2003, eq. 2): exp(dibl V / (swing kT/q)) (1 - exp(-V / (kT/q))); 0 at 0 V. */
double ws_node_off_current(const ws_node *node, double kelvin, double volts);

/* What a gate's width adds to who drives it: gate and fringe (F/m). */
double ws_node_gate(const ws_node *node);

/* Energy (J) of charging and discharging once the gate of an inverter with an NMOS of F width at `volts`: what one node's logic
 * costs more than another's. */
double ws_node_switch_energy(const ws_node *node, double volts);

#endif
