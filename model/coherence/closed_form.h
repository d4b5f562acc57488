/* closed_form.h - closed forms of a protocol's traffic and time, from a profile alone.
 *
 * This is the first of three tiers: no event is processed, and a prediction takes microseconds.
 * docs/coherence-models.md has the formulas and their assumptions. */
#ifndef WS_CLOSED_FORM_H
#define WS_CLOSED_FORM_H

#include "model/coherence/coherence.h"
#include "model/launch_time.h"
#include "model/residency.h"
#include "model/traffic_profile.h"

/* Machine. `coherence` is as for ws_coherence_create and names the protocol to predict; words do not matter. All cycles
 * are core cycles. */
typedef struct ws_closed_machine {
    ws_coherence_config coherence;
    ws_message_sizes sizes;
    ws_sm_capacity room;    /* of an SM */
    double issue, l1_ports; /* instructions, accesses a cycle of an SM */
    double slices;          /* of L2, each with a port to the network */
    double network_flits,
        answer_flits;    /* flits per cycle of a network port; of an answer port (sizes.flit_bytes each) */
    double memory_bytes; /* that the memory moves in a cycle */
    double l1_cycles, l2_cycles,
        memory_cycles;                 /* latency of a hit; of a request to L2 and its answer; added by memory */
    double hops;                       /* mean hops of a flit */
    double fence_cycles;               /* of a fence wider than its block, without its waits */
    bool fence_turns;                  /* fences of an SM run one after the other */
    double launch_cycles;              /* from the start of a launch to its first block */
    uint32_t l1_sector, l2_sector;     /* bytes of a cache lookup; only for activity */
    uint32_t bursts;                   /* memory bursts of an L2 line; only for activity */
    double row_bursts;                 /* bursts per open row, as in activity */
    double unit_cycles[WS_OPERATIONS]; /* cycles that one lane's operation of a class occupies the units of its kind in
                                          an SM; per multiply-add of matrix products */
    uint8_t unit[WS_OPERATIONS];       /* that kind: ws_unit */
    bool combines;                     /* lanes of a warp that update one word are combined: one message per line */
    bool sums; /* SMs combine updates (sm.atomics) in buffers; sizes between those of profiles are interpolated by
                  logarithm: */
    double buffer_lines;       /* lines of a buffer; 0: none; INFINITY: unlimited */
    bool beside_data, fetches; /* or in lines of the L1 (PHI); an update that allocates one fetches its data */
    /* Returns the ways of an L1, with this much shared memory in use on its SM; NULL: l1_ways of `coherence`. */
    uint32_t (*l1_ways)(const void *context, uint64_t shared_bytes);
    bool (*sums_of)(const void *context,
                    const char *kernel); /* returns whether a kernel (mangled name) does so; NULL: all kernels */
    const void *context;
    double shared_passes;                  /* passes of the banks per cycle of an SM */
    double schedulers;                     /* of an SM */
    double wait_cycles[WS_CHAIN_WAITS];    /* from an instruction to the first reader of its result: WS_CHAIN_... */
    double refill_cycles, pipeline_cycles; /* of a taken branch; from an instruction of a warp to its next, at least */
    double dispatch_cycles;                /* from the start of a block to that of the next */
    double mshrs;                          /* requests of an SM's L1 in flight */
    bool striped;                          /* stripes of addresses lie in the slices of L2 in turn */
    bool crowded;          /* an L1 reserves a way at the miss, so misses in flight in a set are limited by its ways */
    bool sectored, evicts; /* loads miss absent sectors of present lines; stores evict the line from the L1 */
    bool splits;           /* sectored, with a request and an answer for each sector */
    bool stalls;           /* a warp with an outstanding atomic issues nothing */
    bool holds;            /* an L1 blocks at an access to a line with an outstanding store of the same warp */
    bool aging; /* memory takes time, so leases end and stores are in flight; otherwise as in a functional replay */
} ws_closed_machine;

/* Sums over launches; all but the last members add up. */
typedef struct ws_closed_result {
    double messages[WS_MESSAGE_COUNT], bytes[WS_MESSAGE_COUNT], flits[WS_MESSAGE_COUNT];
    double network_bytes, network_flits; /* those between SMs and L2 */
    double loads, stores, atomics;       /* lines accessed */
    double update_hits, update_messages; /* with sums: update lines merged in an SM's buffer; update lines sent */
    double updates_kept;                 /* atomics that end in a buffer */
    double update_reads;                 /* updates that fetch the data of their line */
    double l1_hits;                      /* loads served by a copy, including those that wait for its data */
    double merged;                       /* those of l1_hits that wait */
    double joined;                       /* polls served by another poll's read */
    double expired;                      /* loads that found a copy they must not read */
    double timestamps, resets;           /* growth of logical time from launch to launch; number of its resets */
    double fetch_misses[WS_LOG_FETCHED]; /* lines of textures and of constants that SMs fetched; not part of the
                                            messages above */
    double stall_cycles;                 /* cycles that warps wait for leases to end */
    double fence_cycles;                 /* part of `cycles` added by the cost of fences */
    /* Estimated time: that of launch_time.h, with `aging` times the ratio of the profile's clock for the protocol to
     * the same form for the profile's machine, and within the bounds of time_bounds.h; and the times of issue, L1,
     * network, memory and units alone. */
    double cycles, issue_cycles, l1_cycles, network_cycles, memory_cycles, unit_cycles;
    double part[WS_TIME_PARTS]; /* parts of `cycles`, see launch_time.h */
    /* For an energy model. */
    double l1_accesses, l2_accesses, memory_reads, memory_writes, flit_hops;
} ws_closed_result;

typedef struct ws_closed_form ws_closed_form;

/* Creates a closed form, freed with ws_closed_form_destroy. WS_EUNSUPPORTED if the protocol has none; otherwise as
 * ws_coherence_create. */
int ws_closed_form_create(const ws_closed_machine *machine, ws_closed_form **out);
void ws_closed_form_destroy(ws_closed_form *form); /* accepts NULL */

/* Takes cycles from the latency of what instructions wait for (WS_CHAIN_...); fewer than none add to it. */
void ws_closed_form_shorten(ws_closed_form *form, unsigned wait, double cycles);

/* Adds a launch of the kernel (mangled name) to the result, which is zeroed before the first. WS_EVERIFY for a time
 * beyond the bounds of model/time_bounds.h. */
int ws_closed_form_add(const ws_closed_form *form, const char *kernel, const ws_traffic_profile *profile,
                       ws_closed_result *result);

/* Writes one line about a limit of predictions for the machine (more SMs than profiles), or "". `text` has `size`
 * bytes. */
void ws_closed_form_remark(const ws_closed_machine *machine, char *text, size_t size);

/* The same for lease lengths, which are constants in profiles: "" if they are constant, or without leases. */
void ws_closed_form_lease_remark(const ws_closed_machine *machine, char *text, size_t size);

/* Returns the blocks of the launch that fit into an SM of the machine, at least 1. */
uint32_t ws_closed_form_residents(const ws_closed_machine *machine, const ws_traffic_profile *profile);

/* Returns whether this protocol has a closed form. */
bool ws_closed_form_knows(const char *protocol);

#endif
