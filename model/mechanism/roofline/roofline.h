/* roofline.h - which part of a machine bounds a kernel, and how fast could it be at best?
 *
 * S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
 * Architectures", 2009: a kernel is as fast as the slower of what computes and what brings data. Levels of memory have
 * a roof each; N. Ding, S. Williams, "An Instruction Roofline Model for GPUs", 2019, counts warp instructions for a
 * transaction of 32 bytes instead of flop for a byte. Rows of ceilings.def.
 *
 * Nothing of it is measured: work is counted, and rates follow from options of the machine. */
#ifndef WS_ROOFLINE_H
#define WS_ROOFLINE_H

#include "model/operation.h"
#include "model/machine/machine_declared.h"

#include <stdbool.h>

typedef enum ws_ceiling {
#define CEILING(name, word, unit, per, work, rate, meaning) WS_CEILING_##name,
#include "model/mechanism/roofline/ceilings.def"
#undef CEILING
    WS_CEILINGS
} ws_ceiling;

typedef enum ws_ceiling_per { WS_PER_INSTRUCTION, WS_PER_FLOP, WS_PER_BYTE } ws_ceiling_per;

typedef struct ws_ceiling_row {
    const char *name, *word, *unit, *meaning;
    ws_ceiling_per per;
} ws_ceiling_row;
extern const ws_ceiling_row ws_ceiling_table[WS_CEILINGS];

enum { WS_ROOFLINE_SECTOR = 32 }; /* bytes */

/* What launches did, whatever the machine. */
typedef struct ws_roofline_counts {
    double instructions;                    /* of warps */
    double single, twice, special, integer; /* flop, and operations of lanes */
    double product[WS_MATRIX_KINDS_END];    /* multiply-adds of products of matrices */
    double passes;                          /* of accesses over 32 banks of shared memory */
    double asked;                           /* sectors of global and local memory that accesses of warps touch */
    double stored;                          /* of these, by stores to global memory */
    double touched, read;                   /* distinct sectors of global memory; of these, that are read */
    double moved;   /* read + those that are written: each passes between L2 and DRAM with cold caches */
    double passing; /* read + stored: each passes between SMs and L2 once at least */
} ws_roofline_counts;

void ws_roofline_add(ws_roofline_counts *sum, const ws_roofline_counts *counts);

typedef struct ws_roofline {
    const ws_machine *machine;
    double rate[WS_CEILINGS];            /* a core cycle */
    double product[WS_MATRIX_KINDS_END]; /* how long a multiply-add of the kind takes, in such of halves summed as
                                            floats (WS_MATRIX_mixed) */
    double l2_sectors;                   /* that fit */
    double hertz;                        /* core cycles a second */
} ws_roofline;

/* The machine must outlive it. */
void ws_roofline_init(const ws_machine *machine, ws_roofline *out);

/* cycle[c]: core cycles that work of ceiling c takes at its rate, with cold caches. Returns the ceiling with the most.
 */
ws_ceiling ws_roofline_times(const ws_roofline *roofline, const ws_roofline_counts *counts, double cycle[WS_CEILINGS]);

/* Checks that a time of the launch of the kernel is within the bounds of model/time_bounds.h: WS_EVERIFY beyond them.
 */
int ws_roofline_check(const ws_roofline *roofline, const char *kernel, const ws_roofline_counts *launch, double cycles);

/* Core cycles that one launch takes at least on a machine whose L2 may hold anything when it starts, and keep what was
 * written when it ends, and whose L1 may keep stores: no simulation is faster. What it touches is a sketch beyond
 * WS_DISTINCT_EXACT sectors; five of its standard errors are left aside. */
double ws_roofline_least(const ws_roofline *roofline, const ws_roofline_counts *launch);

/* Flop, and integer operations where there is no flop. */
double ws_roofline_operations(const ws_roofline_counts *counts);

#endif
