/* launch_work.h - what the warps of a launch do besides global and local memory, whatever the machine: operations,
 * registers, shared memory, constants and textures. */
#ifndef WS_LAUNCH_WORK_H
#define WS_LAUNCH_WORK_H

#include "collect/trace/event.h"
#include "model/operation.h"

/* Shared memory has so many banks of 4 bytes, caches of constants and textures have lines of so many bytes. */
enum { WS_WORK_BANKS = 32, WS_WORK_CONSTANT_LINE = 64, WS_WORK_TEXTURE_LINE = 128 };

/* Nothing but 64-bit numbers. */
typedef struct ws_launch_work {
    uint64_t operations[WS_OPERATIONS];       /* lanes; multiply-adds of products of matrices */
    uint64_t instructions[WS_UNITS];          /* of warps, by the unit that they name */
    uint64_t lanes[WS_UNITS];                 /* of these that took part */
    uint64_t register_reads, register_writes; /* of warps */
    uint64_t read_lanes, write_lanes;         /* of lanes that took part */
    uint64_t shared_accesses, shared_passes;  /* instructions of warps; cycles that the banks take */
    uint64_t shared_words;                    /* that lanes read or write */
    uint64_t shared_loads, shared_stores;     /* of these accesses: that read, that write; atomics do both */
    uint64_t shared_read_words, shared_written_words;
    uint64_t constant_lines, texture_lines; /* that instructions of warps touch */
} ws_launch_work;

/* Counts of a launch while it runs. */
typedef struct ws_work_count {
    uint64_t *runs, *lanes; /* [instrs + 1] differences: of warps that execute instruction i, of lanes */
    ws_launch_work seen;    /* what is counted at once: memory */
} ws_work_count;

/* WS_EMEM. Freed with free. */
int ws_work_count_init(ws_work_count *count, const ws_launch *launch);
void ws_work_count_free(ws_work_count *count);
void ws_work_count_events(ws_work_count *count, const ws_launch *launch, const ws_batch *batch);
void ws_work_count_merge(ws_work_count *into, const ws_work_count *from, const ws_launch *launch);
/* Of what was counted so far. */
void ws_work_count_total(const ws_work_count *count, const ws_launch *launch, ws_launch_work *out);

#endif
