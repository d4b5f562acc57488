/* noc_variant.h - a machine with one of the networks that are to be compared, and what a load does on it. */
#ifndef WS_NOC_VARIANT_H
#define WS_NOC_VARIANT_H

#include "model/machine/machine_choice.h"
#include "model/noc/noc.h"
#include "model/power/power.h"
#include "model/machine/noc_machine.h"

enum { WS_NOC_DIRECTIONS = 2, WS_NOC_SIZES = 2 }; /* requests, replies; messages without and with data */

/* What the network's power is made of: components of model/power. */
enum { WS_NOC_LASER, WS_NOC_HEATING, WS_NOC_MODULATION, WS_NOC_ARBITRATION, WS_NOC_ELECTRIC, WS_NOC_PARTS };

typedef struct ws_noc_variant {
    const char *name; /* of a row */
    uint32_t channel; /* bytes of a flit, of requests */
    ws_machine *machine;
    ws_power *power; /* NULL: the machine's chip is not known */
} ws_noc_variant;

/* The machine of the choice, which says neither what comes first nor what comes after; with another network, with
 * channels of so many bytes: NULL and 0 leave what it has. Requests and replies go the same way then. WS_EINPUT and
 * WS_MISUSED as for ws_machine_choose, or of a network that cannot be. The caller frees it with fini, also after a
 * failure. */
int ws_noc_variant_init(ws_noc_variant *variant, const ws_machine_choice *choice, const char *network,
                        uint32_t channel);
/* The same machine with the mesh that studies compare with: 16 bytes wide, a router for each SM and slice (Goswami
 * 2013, table 7-4). */
int ws_noc_variant_init_reference(ws_noc_variant *variant, const ws_machine_choice *choice);
void ws_noc_variant_fini(ws_noc_variant *variant);

/* Messages between SMs and slices for some time. */
typedef struct ws_noc_load {
    ws_noc_messages messages[WS_NOC_DIRECTIONS][WS_NOC_SIZES]; /* rates a network cycle */
    double *sm, *slice;                                        /* weights as in ws_noc_spread; NULL: all alike */
    double begin, cycles; /* network cycles: from when on, and how long, against other loads of the same row */
    bool uniform;         /* from each node to each other one, whatever is there */
} ws_noc_load;

typedef struct ws_noc_way {
    double latency, idle, nanoseconds; /* mean of packets that pass the network; missing beyond saturation */
    ws_noc_time part;                  /* of the latency */
    double busiest, utilization;       /* of channels */
    double packets, bytes;             /* a network cycle */
    double beyond;                     /* share of packets in loads that are more than the network carries */
} ws_noc_way;

typedef struct ws_noc_point {
    ws_noc_way way[WS_NOC_DIRECTIONS];
    double saturation; /* times the load (of several: the fullest), at which the first of the two networks saturates */
    double watts[WS_NOC_PARTS], total; /* missing without a chip, and beyond saturation but for light and heat */
} ws_noc_point;

/* What loads do one after the other. WS_EMEM, and what closed forms return. */
int ws_noc_variant_run(const ws_noc_variant *variant, const ws_noc_load *load, size_t loads, ws_noc_point *out);

/* Flows of messages from each node to each other one. The caller frees *flow. WS_EMEM. */
int ws_noc_uniform_flows(const ws_machine *machine, unsigned direction, const ws_noc_messages *messages, size_t count,
                         ws_noc_flow **flow, size_t *flows);

#endif
