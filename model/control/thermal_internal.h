/* thermal_internal.h - the network of ws_thermal, exposed for tests of its balances. */
#ifndef WS_CONTROL_THERMAL_INTERNAL_H
#define WS_CONTROL_THERMAL_INTERNAL_H

#include "model/control/thermal.h"

enum { WS_THERMAL_MOST = WS_THERMAL_NODES };

/* C dT/dt = P - G T, T above ambient. Node of block b in layer l: l * blocks + b. */
typedef struct ws_thermal_network {
    size_t blocks, nodes;
    double capacity[WS_THERMAL_MOST];                     /* C, J/K */
    double ambient[WS_THERMAL_MOST];                      /* conductance to the air, W/K; part of the diagonal of G */
    double conductance[WS_THERMAL_MOST][WS_THERMAL_MOST]; /* G, W/K: symmetric, rows add up to `ambient` */
} ws_thermal_network;

void ws_thermal_build_network(const ws_thermal_chip *chip, ws_thermal_network *network);

const ws_thermal_network *ws_thermal_network_of(const ws_thermal *thermal);

/* Computes the temperatures of all nodes above ambient at the end of a step at power_w. */
void ws_thermal_nodes(const ws_thermal *thermal, const ws_thermal_state *state, const double *power_w, double *rise_k);

/* Returns the modes that persist beyond a step; the others decay within it, or no block heats them. */
size_t ws_thermal_kept_modes(const ws_thermal *thermal);

#endif
