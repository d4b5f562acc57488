/* noc_variant.h - machine with one of the compared networks, and the result of a load on it. */
#ifndef WS_NOC_VARIANT_H
#define WS_NOC_VARIANT_H

#include "model/machine/machine_choice.h"
#include "model/noc/noc.h"
#include "model/power/power.h"
#include "model/machine/noc_machine.h"

enum { WS_NOC_DIRECTIONS = 2, WS_NOC_SIZES = 2 }; /* requests, replies; messages without and with data */

/* Parts of the network's power: components of model/power. */
enum { WS_NOC_LASER, WS_NOC_HEATING, WS_NOC_MODULATION, WS_NOC_ARBITRATION, WS_NOC_ELECTRIC, WS_NOC_PARTS };

typedef struct ws_noc_variant {
    const char *name; /* in its row */
    uint32_t channel; /* bytes of a flit, of requests */
    ws_machine *machine;
    ws_power *power; /* NULL: the machine's chip is not known */
} ws_noc_variant;

/* Makes the machine of the choice, whose `first` and `more` are not set, with another network and with channels of
 * `channel` bytes; NULL and 0 keep those of the machine. Requests and replies then use the same kind. WS_EINPUT and
 * WS_MISUSED as for ws_machine_choose, or for an impossible network. The caller frees it with ws_noc_variant_fini, also
 * after a failure. */
int ws_noc_variant_init(ws_noc_variant *variant, const ws_machine_choice *choice, const char *network,
                        uint32_t channel);
/* Makes the same machine with the reference mesh of studies: 16 bytes wide, a router for each SM and slice (Goswami
 * 2013, table 7-4). */
int ws_noc_variant_init_reference(ws_noc_variant *variant, const ws_machine_choice *choice);
void ws_noc_variant_fini(ws_noc_variant *variant);

/* Messages between SMs and slices during some time. */
typedef struct ws_noc_load {
    ws_noc_messages messages[WS_NOC_DIRECTIONS][WS_NOC_SIZES]; /* rates per network cycle */
    double *sm, *slice;                                        /* weights as in ws_noc_spread; NULL: uniform */
    double begin, cycles; /* network cycles: start and duration, relative to other loads of the same row */
    bool uniform;         /* between all nodes, of any kind */
} ws_noc_load;

typedef struct ws_noc_way {
    double latency, idle, nanoseconds; /* mean of packets in the network; missing above saturation */
    ws_noc_time part;                  /* of the latency */
    double busiest, utilization;       /* of channels */
    double packets, bytes;             /* per network cycle */
    double beyond;                     /* share of packets in loads above the capacity */
} ws_noc_way;

typedef struct ws_noc_point {
    ws_noc_way way[WS_NOC_DIRECTIONS];
    double saturation; /* factor on the load (the largest of several) that saturates the first of the two networks */
    double watts[WS_NOC_PARTS], total; /* missing without a chip; above saturation only light and heat are given */
} ws_noc_point;

/* Evaluates successive loads. WS_EMEM, and failures of closed forms. */
int ws_noc_variant_run(const ws_noc_variant *variant, const ws_noc_load *load, size_t loads, ws_noc_point *out);

/* Computes flows of messages between all pairs of different nodes. The caller frees *flow. WS_EMEM. */
int ws_noc_uniform_flows(const ws_machine *machine, unsigned direction, const ws_noc_messages *messages, size_t count,
                         ws_noc_flow **flow, size_t *flows);

#endif
