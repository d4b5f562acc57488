/* roofline.h - part of a machine that bounds a kernel, and the kernel's best speed.
 *
 * S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
 * Architectures", 2009: the slower of computation and data movement bounds a kernel. Each level of memory has a roof.
 * N. Ding, S. Williams, "An Instruction Roofline Model for GPUs", 2019, counts warp instructions per 32-byte
 * transaction instead of flop per byte. Rows of ceilings.def.
 *
 * Nothing is measured: work is counted, and rates follow from options of the machine. */
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

/* Machine-independent counts of launches. */
typedef struct ws_roofline_counts {
    double instructions;                    /* of warps */
    double single, twice, special, integer; /* flop, and operations of lanes */
    double product[WS_MATRIX_KINDS_END];    /* multiply-adds of matrix products */
    double passes;                          /* of accesses over the 32 banks of shared memory */
    double asked;                           /* sectors of global and local memory touched by accesses of warps */
    double stored;                          /* those of stores to global memory */
    double touched, read;                   /* distinct sectors of global memory; those that are read */
    double moved;   /* read + written sectors: each passes between L2 and DRAM with cold caches */
    double passing; /* read + stored: each passes between SMs and L2 at least once */
} ws_roofline_counts;

void ws_roofline_add(ws_roofline_counts *sum, const ws_roofline_counts *counts);

typedef struct ws_roofline {
    const ws_machine *machine;
    double rate[WS_CEILINGS];            /* per core cycle */
    double product[WS_MATRIX_KINDS_END]; /* duration of a multiply-add of the kind, relative to one of halves with float
                                            sums (WS_MATRIX_mixed) */
    double l2_sectors;                   /* capacity */
    double hertz;                        /* core cycles per second */
} ws_roofline;

/* Initialises a roofline; the machine must outlive it. */
void ws_roofline_init(const ws_machine *machine, ws_roofline *out);

/* Computes cycle[c], the core cycles of the work of ceiling c at its rate, with cold caches. Returns the ceiling with
 * the most. */
ws_ceiling ws_roofline_times(const ws_roofline *roofline, const ws_roofline_counts *counts, double cycle[WS_CEILINGS]);

/* Checks that a time of the launch of the kernel is within the bounds of model/time_bounds.h: WS_EVERIFY beyond them.
 */
int ws_roofline_check(const ws_roofline *roofline, const char *kernel, const ws_roofline_counts *launch, double cycles);

/* Returns a lower bound on the core cycles of one launch, for a machine whose L2 may hold any data at its start and
 * keep written data at its end, and whose L1 may keep stores: no simulation is faster. Above WS_DISTINCT_EXACT sectors
 * the touched ones are a sketch; five of its standard errors are subtracted. */
double ws_roofline_least(const ws_roofline *roofline, const ws_roofline_counts *launch);

/* Returns flop, or integer operations if there is no flop. */
double ws_roofline_operations(const ws_roofline_counts *counts);

#endif
