/* closed_form_internal.h - declarations shared by the files of closed forms. */
#ifndef WS_CLOSED_FORM_INTERNAL_H
#define WS_CLOSED_FORM_INTERNAL_H

#include "model/coherence/closed_form.h"

/* What ends a copy besides its replacement, and who waits. */
enum {
    COPIES = 1 << 0,      /* there is an L1 */
    FENCES = 1 << 1,      /* a fence of the SM */
    AGE = 1 << 2,         /* the end of a physical lease */
    STRONG = 1 << 3,      /* and a store of the SM; stores wait until leases have ended */
    LOGICAL = 1 << 4,     /* logical time */
    FENCES_WAIT = 1 << 5, /* until leases have ended */
    OWNERS = 1 << 6,      /* a store elsewhere; stores are in L1 */
};

struct ws_closed_form {
    ws_closed_machine machine;
    ws_coherence *coherence;
    unsigned traits;
    bool sequential;
    double ways; /* of an L1 with the profile's number of sets that is as large */
};

/* Counts of one launch on one machine of the ladder, of the accesses that are kept. */
typedef struct ws_closed_reuse {
    double tag_hits, expired, renewed, young, polls_renewed;
    double cycles, fence_cycles, jumps, grown, store_wait, fence_wait, l2_misses, writebacks;
    double joined; /* polls */
    double fetch_misses[WS_LOG_FETCHED];
    double owner[WS_OWNER_MESSAGES];
    double update_hits, update_words; /* of updates that come to a buffer, and words of each of its messages */
    double update_reads;              /* ... that have their line's data brought */
    /* Groups of loads (traffic_profile.h), those without a miss, with a line from memory, with a line that another warp
     * waits for, and by slack; requests to L2, and those of the busiest slice; cycles that own stores hold L1s up. */
    double groups, hit_groups, far_groups, joined_groups, slack[WS_PROFILE_SLACKS];
    double requests, busiest, held;
    double sectors; /* that loads bring */
} ws_closed_reuse;

/* Returns what counts of the kept first blocks are multiplied by for the whole launch. */
static inline double ws_closed_scale(double total, double kept)
{
    return kept > 0 ? total / kept : 0;
}

/* Returns the flits of messages from SMs. */
double ws_closed_flits_up(const ws_closed_result *one);

/* Returns the cycles that each kind of unit of all SMs is busy, [WS_UNITS]; instructions count for all their lanes. */
void ws_closed_units(const ws_closed_machine *machine, const ws_launch_work *work, double *cycles);

/* Returns the row of ws_profile_slices[] nearest to a machine's slices. */
unsigned ws_closed_slicing(double slices);

/* Sets the latencies that profiles are measured with (instruction_times.def). */
void ws_closed_profiled_waits(ws_closed_machine *machine);

/* Describes the launch for ws_launch_time(): `one` has its messages, `reuse` its counts on this machine. */
void ws_closed_launch(const ws_closed_form *form, const ws_traffic_profile *profile, const ws_closed_result *one,
                      const ws_closed_reuse *reuse, ws_time_launch *out);

#endif
