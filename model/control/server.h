/* server.h - a load and what the chip makes of it: power and throughput at each operating point. */
#ifndef WS_SERVER_H
#define WS_SERVER_H

#include "model/control/control.h"

#include <stdbool.h>

/* A load at the nominal level with all cores on. Whoever knows these numbers may fill it: a table, or a power model. */
typedef struct ws_load {
    char name[WS_CONTROL_NAME];
    double power_w;      /* mean power of the chip */
    double ipc;          /* mean instructions a cycle of the whole chip */
    double memory_share; /* of its time: waits for memory, which no core clock shortens; NaN: chip.memory_share by its
                            IPC */
    bool modelled;       /* who filled it knows each level, and it is not worked out from the nominal one: */
    struct {
        double fixed_w, active_w;           /* leakage and what else time costs; what the load's events cost */
        double core_fixed_w, core_active_w; /* the cores' part of them, which goes with cores that are on */
        double ips;                         /* instructions a second */
    } level[WS_CONTROL_LEVELS];
} ws_load;

/* Reads loads from a frame on disk with columns power_w, ipc and, if it is known, memory_share; the first label is the
 * name. The caller frees *out with free(). WS_EINPUT with file and row for a figure that is missing, not positive, or
 * has another unit than W and instr/cycle. */
int ws_loads_read(const char *path, ws_load **out, size_t *count);

/* The load of that name; WS_ENOTFOUND names those that there are. `path` is for the message. */
int ws_loads_find(const ws_load *loads, size_t count, const char *path, const char *name, const ws_load **out);

/* A setting of load tuning: how many cores are on, at which level. Activity a (mean 1) gives power
 * fixed_w + a * active_w and throughput a * throughput. */
typedef struct ws_operating_point {
    unsigned level, cores; /* 0, 0: asleep */
    double fixed_w, active_w;
    double core_fixed_w, core_active_w; /* the cores' part of them */
    double throughput;                  /* instructions over those at the nominal point in the same time */
} ws_operating_point;

enum { WS_OPERATING_POINTS = 1 + 1024 + WS_CONTROL_LEVELS };

typedef struct ws_server {
    ws_operating_point point[WS_OPERATING_POINTS]; /* power and throughput rise with the index */
    size_t points;
    size_t top[WS_CONTROL_LEVELS + 1]; /* by level: the index of its point with all cores on */
    double host_w;                     /* of each but asleep: what heats no die */
    double nominal_w;                  /* power that the load wants at activity 1 */
    double nominal_ips;                /* instructions a second there */
} ws_server;

/* Operating points from asleep over one core at the lowest level to all cores at the highest.
 *
 *     power = cores on / cores * core * (dynamic * (V/V0)^2 f/f0 * a + leakage * V/V0) + network, scaled alike, + rest
 *             + host
 *     throughput = a / ((1 - m) / s + m),   s = cores on / cores * f/f0,   m: memory_share
 *
 * of a load that is not modelled; one that is has its own numbers for levels, of which gated cores take their part
 * away.
 *
 * V0, f0: those of the nominal level. Source of levels and gating: Goswami (2013), section 5.1.2 and table 7-7; the
 * split of power is chosen. */
void ws_server_init(const ws_control *control, const ws_load *load, ws_server *server);

#endif
