/* stepper.h - execution of one launch step by step, under a caller, such as a simulator, that selects the next warp.
 *
 * Blocks occupy numbered slots. A step is a run of arithmetic instructions or one other instruction. So a memory
 * operation executes when its step is requested, on memory as left by earlier steps. One thread at a time. */
#ifndef WS_STEPPER_H
#define WS_STEPPER_H

#include "collect/simt/engine.h"

/* Checks and prepares a launch as ws_kernel_run does. Sinks of the run receive each block's events in the order of its
 * steps. Calls run->progress occasionally; ignores run->simulator and run->workers. The stepper borrows `run`. Close
 * with ws_stepper_close. */
int ws_stepper_create(ws_kernel *kernel, const ws_run *run, ws_stepper **out);

const ws_launch *ws_stepper_launch(const ws_stepper *stepper);
bool ws_stepper_is_cooperative(const ws_stepper *stepper);

/* Clock for %clock and %globaltimer. It must not decrease. */
typedef struct ws_stepper_clock {
    uint64_t (*now)(void *context); /* in cycles */
    void *context;
    double nanoseconds; /* per cycle */
} ws_stepper_clock;

/* Without a clock, or with NULL, clocks count the warp's own instructions. `clock` must outlive the stepper. */
void ws_stepper_set_clock(ws_stepper *stepper, const ws_stepper_clock *clock);

/* Observer of the values of registers and shared words before and after each instruction, as for sinks that sample
 * values. Called within ws_stepper_step, in execution order, once per value; a failure ends the launch. */
typedef struct ws_stepper_watch {
    int (*values)(void *context, const ws_value *value); /* valid during the call */
    void *context;
} ws_stepper_watch;

/* Applies to blocks begun later, which then run more slowly; NULL: no observer. `watch` must outlive the stepper. */
void ws_stepper_set_watch(ws_stepper *stepper, const ws_stepper_watch *watch);

/* Starts a block in a free slot. Begin each block of the launch once. In a cooperative launch no block can end before
 * all have begun. */
int ws_stepper_begin(ws_stepper *stepper, uint32_t slot, uint64_t block);

typedef enum ws_warp_state {
    WS_WARP_READY,
    WS_WARP_WAITS, /* at a barrier */
    WS_WARP_ENDED,
} ws_warp_state;

ws_warp_state ws_stepper_warp(const ws_stepper *stepper, uint32_t slot, uint32_t warp);

/* Executes one step of a warp. *batch receives its events, at least one unless the warp has ended; it is valid until
 * the next call. WS_EVERIFY when the warp waits at an incomplete barrier: a caller's error. WS_EFAULT and WS_ELIMIT as
 * in ws_kernel_run, and WS_EFAULT once all warps of the block wait. After a failure every call fails in the same way.
 */
int ws_stepper_step(ws_stepper *stepper, uint32_t slot, uint32_t warp, ws_batch *batch);

/* Returns the number of lanes whose compare-and-swap of global memory found an unexpected value, over all steps. */
uint64_t ws_stepper_failed_swaps(const ws_stepper *stepper);

/* Frees the slot. An unfinished block is discarded. */
void ws_stepper_end(ws_stepper *stepper, uint32_t slot);

/* Ends the launch with `status`. With WS_OK every block must have ended, else WS_EVERIFY; run->collect receives the
 * sinks' states. Returns the status, with its message. result may be NULL. Accepts NULL for the stepper. */
int ws_stepper_close(ws_stepper *stepper, int status, ws_run_result *result);

#endif
