/* launch_time.h - the time of a launch on a machine, from counts alone: the intervals of a mean warp, and queues.
 *
 * A warp alone takes Z cycles: its instructions with the waits for their results, and its waits for memory with
 * uncontended latencies. N such warps share an SM, and S SMs share the slices of L2 and the memory. Each resource is a
 * station that a warp occupies for d cycles in all, with k servers. By approximate mean value analysis of closed
 * networks (Y. Bard, 1979; P. Schweitzer, 1979; M. Reiser and S. Lavenberg, JACM 1980, for the exact one) a warp finds
 * (n - 1)/n of the mean queue of the n warps of the station before it:
 *
 *     R = Z + sum of w      w = d q (n - 1)/(n k)      q = n (d + w)/R
 *
 * which is solved by iteration. With one warp R is Z; with many it is n d/k of the busiest station. A launch of B
 * blocks, S r at a time, takes floor(B / (S r)) such times, and one more for the rest.
 * Intervals between waits as the unit of a warp's time follow X. E. Chen and T. Aamodt (TACO 2011) and J.-C. Huang and
 * others (GPUMech, MICRO 2014); queues at the levels of memory J. Lee and others (GCoM, ISCA 2022). Imbalance between
 * warps, barriers and convoys are not here: closed_form.h takes them from the clocks of profiles. */
#ifndef WS_LAUNCH_TIME_H
#define WS_LAUNCH_TIME_H

#include <stdbool.h>

typedef enum ws_time_part {
#define TIME_PART(name, meaning) WS_TIME_PART_##name,
#include "model/launch_time.def"
#undef TIME_PART
    WS_TIME_PARTS
} ws_time_part;

/* A resource. */
typedef struct ws_time_station {
    double cycles;  /* that the whole launch occupies servers of it: of one SM's, or of the chip's */
    double servers; /* among which its work is divided evenly */
    ws_time_part part;
    bool of_chip; /* shared by the warps of all SMs; otherwise each SM has its own */
} ws_time_station;

enum { WS_TIME_STATIONS = 24 };

/* A launch. Totals are of all its warps. */
typedef struct ws_time_launch {
    double blocks, warps_per_block;
    double sms, residents;                 /* of the machine: SMs; blocks of the launch that fit into one */
    double launch_cycles, dispatch_cycles; /* before the first block; from the start of a block to that of the next */
    double dependence, loads;              /* parts of Z: total cycles of all warps */
    unsigned stations;
    ws_time_station station[WS_TIME_STATIONS];
} ws_time_launch;

/* Adds a station, unless nothing occupies it. */
void ws_time_add(ws_time_launch *launch, ws_time_part part, bool of_chip, double cycles, double servers);

/* Returns the cycles of the launch, and sets their parts, [WS_TIME_PARTS]. */
double ws_launch_time(const ws_time_launch *launch, double *part);

#endif
