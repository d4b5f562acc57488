/* launch_work.h - machine-independent work of a launch's warps apart from global and local memory: operations,
 * registers, shared memory, constants and textures. */
#ifndef WS_LAUNCH_WORK_H
#define WS_LAUNCH_WORK_H

#include "collect/trace/event.h"
#include "model/instruction_chain.h"
#include "model/operation.h"

/* Banks of shared memory, 4 bytes wide; bytes of a line of constant and texture caches. */
enum { WS_WORK_BANKS = 32, WS_WORK_CONSTANT_LINE = 64, WS_WORK_TEXTURE_LINE = 128 };

/* All members are 64-bit numbers. */
typedef struct ws_launch_work {
    uint64_t operations[WS_OPERATIONS];       /* of lanes; multiply-adds of matrix products */
    uint64_t instructions[WS_UNITS];          /* of warps, by the unit that they name */
    uint64_t lanes[WS_UNITS];                 /* lanes of these instructions that took part */
    uint64_t register_reads, register_writes; /* of warps */
    uint64_t read_lanes, write_lanes;         /* of lanes that took part */
    uint64_t shared_accesses, shared_passes;  /* instructions of warps; cycles of the banks */
    uint64_t shared_words;                    /* read or written by lanes */
    uint64_t shared_loads, shared_stores;     /* accesses that read; accesses that write; atomics do both */
    uint64_t shared_read_words, shared_written_words;
    uint64_t constant_lines, texture_lines; /* touched by instructions of warps */
    uint64_t taken;                         /* branches of warps that were taken */
    /* Instructions of warps that wait for a result with the latencies of instruction_times.def, by WS_CHAIN_..., and
     * the cycles since its producer issued (instruction_chain.h). */
    uint64_t waits[WS_CHAIN_WAITS], passed[WS_CHAIN_WAITS];
} ws_launch_work;

/* Counts of a launch while it runs. */
typedef struct ws_work_count {
    uint64_t *runs, *lanes; /* [instrs + 1] differences: warps that execute instruction i, and their lanes */
    ws_launch_work seen;    /* memory work, counted directly */
} ws_work_count;

/* Allocates counts, freed with ws_work_count_free(). WS_EMEM. */
int ws_work_count_init(ws_work_count *count, const ws_launch *launch);
void ws_work_count_free(ws_work_count *count);
void ws_work_count_events(ws_work_count *count, const ws_launch *launch, const ws_batch *batch);
void ws_work_count_merge(ws_work_count *into, const ws_work_count *from, const ws_launch *launch);
/* Computes the work counted so far. WS_EMEM. */
int ws_work_count_total(const ws_work_count *count, const ws_launch *launch, ws_launch_work *out);

#endif
