/* stepper.h - runs one launch step by step: somebody else, such as a simulator, says which warp moves next.
 *
 * Blocks live in numbered slots. A step is a stretch of arithmetic, or one other instruction; so a memory operation
 * happens when its step is asked for, and finds what the steps before it left in memory. One thread at a time. */
#ifndef WS_STEPPER_H
#define WS_STEPPER_H

#include "collect/simt/engine.h"

/* Checks and prepares a launch as ws_kernel_run does. Sinks of the run get each block's events as its warps moved;
 * run->progress is called now and then, run->simulator and run->workers are not looked at. `run` has to outlive the
 * stepper. End it with ws_stepper_close. */
int ws_stepper_create(ws_kernel *kernel, const ws_run *run, ws_stepper **out);

const ws_launch *ws_stepper_launch(const ws_stepper *stepper);
bool ws_stepper_is_cooperative(const ws_stepper *stepper);

/* What %clock and %globaltimer read. It must not go back. */
typedef struct ws_stepper_clock {
    uint64_t (*now)(void *context); /* in cycles */
    void *context;
    double nanoseconds; /* of a cycle */
} ws_stepper_clock;

/* Without one, or with NULL, clocks count the warp's own instructions. `clock` has to outlive the stepper. */
void ws_stepper_set_clock(ws_stepper *stepper, const ws_stepper_clock *clock);

/* Who looks at what registers and words of shared memory held before and hold after an instruction, as sinks that
 * sample values do. Called within ws_stepper_step, for each of them in the order of execution; a failure ends the
 * launch. */
typedef struct ws_stepper_watch {
    int (*values)(void *context, const ws_value *value); /* valid during the call */
    void *context;
} ws_stepper_watch;

/* For all blocks that begin from now on; NULL: nobody. They run more slowly then. `watch` has to outlive the stepper.
 */
void ws_stepper_set_watch(ws_stepper *stepper, const ws_stepper_watch *watch);

/* Starts a block in a slot, which must be free. Each block of the launch once; in a cooperative launch all of them
 * have to be there at the same time for any to end. */
int ws_stepper_begin(ws_stepper *stepper, uint32_t slot, uint64_t block);

typedef enum ws_warp_state {
    WS_WARP_READY,
    WS_WARP_WAITS, /* at a barrier */
    WS_WARP_ENDED,
} ws_warp_state;

ws_warp_state ws_stepper_warp(const ws_stepper *stepper, uint32_t slot, uint32_t warp);

/* One step of a warp. *batch has its events, at least one unless the warp has ended; valid until the next call.
 * WS_EVERIFY when the warp waits at a barrier that is not complete: the caller lost count. WS_EFAULT and WS_ELIMIT as
 * ws_kernel_run, and WS_EFAULT as soon as all warps of the block wait. After a failure all calls fail the same way. */
int ws_stepper_step(ws_stepper *stepper, uint32_t slot, uint32_t warp, ws_batch *batch);

/* Lanes of compare-and-swaps of global memory, in all steps so far, that found something else than they expected. */
uint64_t ws_stepper_failed_swaps(const ws_stepper *stepper);

/* The slot is free again. A block that has not ended is given up. */
void ws_stepper_end(ws_stepper *stepper, uint32_t slot);

/* Ends the launch. `status` says how it went: when WS_OK, all blocks must have ended (else WS_EVERIFY); run->collect
 * gets the sinks' states. Returns the status, with its message. result may be NULL. Accepts NULL for the stepper. */
int ws_stepper_close(ws_stepper *stepper, int status, ws_run_result *result);

#endif
