/* range_log.h - measured data ranges of kernels on each chiplet: the information that a compiler or the programmer of
 * CPCoh would provide.
 *
 * A sink keeps, for each instruction and chiplet of a launch, the lowest and the highest address of global memory
 * (including reads of textures and constants). After the last launch data structures are found. All addresses between
 * the lowest and the highest of one instruction in one launch belong to one structure, as do stretches less than
 * WS_RANGE_GAP bytes apart. Traces do not contain allocations. An instruction that accesses several arrays merges them,
 * which only costs precision. Ranges are those touched, so they are as precise as possible for this run. */
#ifndef WS_RANGE_LOG_H
#define WS_RANGE_LOG_H

#include "collect/trace/sink.h"
#include "model/chiplets/chiplet_kernel.h"

enum {
    WS_RANGE_GAP = 256
}; /* bytes: minimum distance of allocations (collect/simt/device_memory.c), and their alignment on GPUs */

typedef struct ws_range_log_options {
    uint32_t chiplets;
} ws_range_log_options;

/* Addresses that an instruction touched on a chiplet. */
typedef struct ws_range_touch {
    ws_address_range range;
    bool there, writes;
} ws_range_touch;

typedef struct ws_range_log {
    ws_range_touch *touch; /* [instrs][chiplets] */
    uint32_t chiplets;
} ws_range_log;

/* Returns a sink whose states are ws_range_log. The options must outlive it. */
ws_sink ws_range_log_sink(const ws_range_log_options *options);

/* Launches of a program, in order. `anywhere`: blocks run on chiplets by time, not in contiguous parts, so each chiplet
 * may use all data of a launch. */
typedef struct ws_range_program ws_range_program;
int ws_range_program_create(uint32_t chiplets, bool anywhere, ws_range_program **out); /* WS_EMEM */
void ws_range_program_destroy(ws_range_program *program);                              /* accepts NULL */
int ws_range_program_add(ws_range_program *program, const ws_launch *launch, const ws_range_log *log);
/* The same as a collector (ws_replay, ws_listeners) of the single sink: context: ws_range_program *, state:
 * ws_range_log *. */
int ws_range_program_take(void *context, const ws_launch *launch, size_t sink, void *state);
/* Makes a kernel for each launch, after the last one, with arguments in rising order of addresses. The caller frees
 * *out with ws_chiplet_kernels_fini. */
int ws_range_program_kernels(const ws_range_program *program, ws_chiplet_kernels *out);

#endif
