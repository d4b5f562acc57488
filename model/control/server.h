/* server.h - power and throughput of a load on the chip at each operating point. */
#ifndef WS_SERVER_H
#define WS_SERVER_H

#include "model/control/control.h"

#include <stdbool.h>

/* Load at the nominal level with all cores on, from a table or a power model. */
typedef struct ws_load {
    char name[WS_CONTROL_NAME];
    double power_w;      /* mean power of the chip */
    double ipc;          /* mean instructions per cycle of the whole chip */
    double memory_share; /* share of its time that waits for memory, which no core clock shortens; NaN:
                            chip.memory_share by its IPC */
    bool modelled;       /* the source provides each level, so levels are not derived from the nominal one */
    struct {
        double fixed_w, active_w;           /* constant power such as leakage; power of the load's events */
        double core_fixed_w, core_active_w; /* part of the cores that are on */
        double ips;                         /* instructions per second */
    } level[WS_CONTROL_LEVELS];
} ws_load;

/* Reads loads from a frame on disk with columns power_w, ipc and optionally memory_share; the first label is the name.
 * The caller frees *out with free(). WS_EINPUT with file and row for a value that is missing, not positive, or in
 * another unit than W and instr/cycle. */
int ws_loads_read(const char *path, ws_load **out, size_t *count);

/* Finds the load of that name; WS_ENOTFOUND lists the known ones. `path` is for the message. */
int ws_loads_find(const ws_load *loads, size_t count, const char *path, const char *name, const ws_load **out);

/* Setting of load tuning: number of cores on, and their level. Activity a (mean 1) gives power fixed_w + a * active_w
 * and throughput a * throughput. */
typedef struct ws_operating_point {
    unsigned level, cores; /* 0, 0: asleep */
    double fixed_w, active_w;
    double core_fixed_w, core_active_w; /* part of the cores */
    double throughput;                  /* instructions relative to those at the nominal point in the same time */
} ws_operating_point;

enum { WS_OPERATING_POINTS = 1 + 1024 + WS_CONTROL_LEVELS };

typedef struct ws_server {
    ws_operating_point point[WS_OPERATING_POINTS]; /* power and throughput rise with the index */
    size_t points;
    size_t top[WS_CONTROL_LEVELS + 1]; /* by level: index of its point with all cores on */
    double host_w;                     /* of each point except sleep; it heats no die */
    double nominal_w;                  /* power of the load at activity 1 */
    double nominal_ips;                /* instructions per second there */
} ws_server;

/* Computes the operating points, from sleep over one core at the lowest level to all cores at the highest:
 *
 *     power = cores on / cores * core * (dynamic * (V/V0)^2 f/f0 * a + leakage * V/V0) + network, scaled alike, + rest
 *             + host
 *     throughput = a / ((1 - m) / s + m),   s = cores on / cores * f/f0,   m: memory_share
 *
 * for a load that is not modelled. A modelled one has its own numbers for levels, of which gated cores subtract their
 * part. V0, f0: those of the nominal level. Source of levels and gating: Goswami (2013), section 5.1.2 and table 7-7;
 * the split of power is chosen here. */
void ws_server_init(const ws_control *control, const ws_load *load, ws_server *server);

#endif
