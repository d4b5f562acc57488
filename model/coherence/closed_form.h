/* closed_form.h - how much traffic would a protocol make, from a profile alone?
 *
 * The first of three tiers: no event is looked at, a prediction takes microseconds. docs/coherence.md has the formulas
 * and what they assume. */
#ifndef WS_CLOSED_FORM_H
#define WS_CLOSED_FORM_H

#include "model/coherence/coherence.h"
#include "model/residency.h"
#include "model/traffic_profile.h"

/* The machine. `coherence` as for ws_coherence_create, its protocol is the one that is asked for; words do not matter.
 */
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
        memory_cycles;                 /* latency of a hit, of a request to L2 and its answer, of memory besides */
    double hops;                       /* that a flit makes, on average */
    double instruction_cycles;         /* from an instruction to the next of its warp, memory apart */
    double fence_cycles;               /* that a fence beyond its block takes besides what it waits for; */
    bool fence_turns;                  /* those of an SM one after the other */
    double launch_cycles;              /* from the start of a launch to its first block */
    uint32_t l1_sector, l2_sector;     /* bytes that caches look up at a time: of their activity alone */
    uint32_t bursts;                   /* of memory that make a line of L2: of its activity alone */
    double row_bursts;                 /* that memory moves while a row is open, as activity has it */
    double unit_cycles[WS_OPERATIONS]; /* for which one lane's operation of a class keeps the units of its kind in an
                                        SM; of products of matrices a multiply-add */
    uint8_t unit[WS_OPERATIONS];       /* which kind: ws_unit */
    bool combines;                     /* lanes of a warp that update one word are combined: one message a line */
    bool sums; /* SMs sum updates up (sm.atomics), in buffers of so many lines, of a size between those of profiles by
                  its logarithm: */
    double buffer_lines;       /* 0: none is kept; INFINITY: all are */
    bool beside_data, fetches; /* ... or in lines of the L1 (PHI); an update that takes one has its data brought */
    bool (*sums_of)(const void *context,
                    const char *kernel); /* ... of the kernels (mangled names) that it says; NULL: of all */
    const void *context;
    double shared_passes; /* of banks in a cycle of an SM */
    bool aging;           /* memory takes time: leases end and stores are in flight meanwhile; else as in a
                             functional replay */
} ws_closed_machine;      /* all cycles are the core's */

/* Sums over launches; all but the last members add up. */
typedef struct ws_closed_result {
    double messages[WS_MESSAGE_COUNT], bytes[WS_MESSAGE_COUNT], flits[WS_MESSAGE_COUNT];
    double network_bytes, network_flits; /* of these what travels between SMs and L2 */
    double loads, stores, atomics;       /* lines asked for */
    double update_hits,
        update_messages;       /* with sums: lines of updates that a buffer of an SM kept with others; that it sent */
    double updates_kept;       /* of the atomics: those that end in a buffer */
    double update_reads;       /* updates that have data of their line brought */
    double l1_hits;            /* loads served by a copy, those that wait for its data among them */
    double merged;             /* of these: those that wait */
    double joined;             /* polls that got the data of another's read */
    double expired;            /* loads that found a copy which they must not read */
    double timestamps, resets; /* by which logical time grew, from launch to launch; how often it started again */
    double fetch_misses[WS_LOG_FETCHED]; /* lines of textures, of constants, that SMs had to fetch; no part of the
                                            messages above */
    double stall_cycles;                 /* cycles that warps wait for the end of leases */
    double fence_cycles;                 /* by which what fences cost makes launches longer: they are in `cycles` */
    /* An estimate of the time is the largest of issue, L1, network, memory, each alone, and the latency of all that
     * warps do one after the other, divided by the warps there are. With `aging` it is that of the profile's clock for
     * the protocol, times the ratio of this estimate for both machines, and no less than issue, memory, the busiest
     * unit or shared memory take. */
    double cycles, issue_cycles, l1_cycles, network_cycles, memory_cycles, latency_cycles, unit_cycles;
    /* For a model of energy. */
    double l1_accesses, l2_accesses, memory_reads, memory_writes, flit_hops;
} ws_closed_result;

typedef struct ws_closed_form ws_closed_form;

/* WS_EUNSUPPORTED when the protocol has no closed form, and what ws_coherence_create returns. Freed with destroy. */
int ws_closed_form_create(const ws_closed_machine *machine, ws_closed_form **out);
void ws_closed_form_destroy(ws_closed_form *form); /* accepts NULL */

/* Adds a launch of the kernel (mangled name) to the result, which is zeroed before the first. WS_EVERIFY for a time
 * beyond the bounds of model/time_bounds.h. */
int ws_closed_form_add(const ws_closed_form *form, const char *kernel, const ws_traffic_profile *profile,
                       ws_closed_result *result);

/* One line on what predictions for the machine do not know, or "" (`text` has `size` bytes): profiles are of so many
 * SMs at most. */
void ws_closed_form_remark(const ws_closed_machine *machine, char *text, size_t size);

/* The same of the lengths of leases, which profiles know as constants: "" where they are, or there are none. */
void ws_closed_form_lease_remark(const ws_closed_machine *machine, char *text, size_t size);

/* Blocks of the launch that fit into an SM of the machine, at least 1. */
uint32_t ws_closed_form_residents(const ws_closed_machine *machine, const ws_traffic_profile *profile);

/* Whether there are formulas for this protocol. */
bool ws_closed_form_knows(const char *protocol);

#endif
