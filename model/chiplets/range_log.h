/* range_log.h - which data does a kernel use on which chiplet? Measured: what a compiler or the programmer of CPCoh
 * would have to know.
 *
 * A sink keeps, for each instruction and chiplet of a launch, the lowest and the highest address of global memory
 * (textures and constants are read of it, too). After the last launch data structures are found: all that lies between
 * the lowest and the highest address of one instruction in one launch is of one, and so are stretches less than
 * WS_RANGE_GAP bytes apart. Traces do not say what was allocated; an instruction that goes through several arrays makes
 * one of them, which costs precision and nothing else. Ranges are of what was touched, so they are as right for this
 * run as ranges can be. */
#ifndef WS_RANGE_LOG_H
#define WS_RANGE_LOG_H

#include "collect/trace/sink.h"
#include "model/chiplets/chiplet_kernel.h"

enum {
    WS_RANGE_GAP = 256
}; /* bytes: allocations are at least so far apart (collect/simt/device_memory.c), and on GPUs aligned to so many */

typedef struct ws_range_log_options {
    uint32_t chiplets;
} ws_range_log_options;

/* What an instruction touched on a chiplet. */
typedef struct ws_range_touch {
    ws_address_range range;
    bool there, writes;
} ws_range_touch;

typedef struct ws_range_log {
    ws_range_touch *touch; /* [instrs][chiplets] */
    uint32_t chiplets;
} ws_range_log;

/* A sink whose states are ws_range_log. The options must outlive it. */
ws_sink ws_range_log_sink(const ws_range_log_options *options);

/* Launches of a program, in order. `anywhere`: blocks run on chiplets as time has it, not in contiguous parts, so each
 * chiplet may use all that a launch uses. */
typedef struct ws_range_program ws_range_program;
int ws_range_program_create(uint32_t chiplets, bool anywhere, ws_range_program **out); /* WS_EMEM */
void ws_range_program_destroy(ws_range_program *program);                              /* accepts NULL */
int ws_range_program_add(ws_range_program *program, const ws_launch *launch, const ws_range_log *log);
/* The same as what collects (ws_replay, ws_listeners) from the one sink: context: ws_range_program *, state:
 * ws_range_log *. */
int ws_range_program_take(void *context, const ws_launch *launch, size_t sink, void *state);
/* After the last launch: *out gets a kernel for each, with arguments in rising order of addresses. The caller frees it
 * with ws_chiplet_kernels_fini. */
int ws_range_program_kernels(const ws_range_program *program, ws_chiplet_kernels *out);

#endif
