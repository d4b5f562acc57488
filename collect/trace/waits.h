/* waits.h - does a kernel wait in a loop for what other warps write?
 *
 * In a trace every warp goes the way that it went, so it takes as many turns of such a loop as in the run that was
 * recorded, whatever machine the trace is simulated on. */
#ifndef WS_WAITS_H
#define WS_WAITS_H

#include "collect/trace/event.h"

/* Has it a loop in which a load of what others may write meanwhile (ws_instr_is_poll), or an atomic exchange or
 * compare-and-swap, decides whether there is another turn? Not where it is not known where branches go (ws_launch.code:
 * SASS, old traces). */
bool ws_launch_waits(const ws_launch *launch);

/* Does the instruction look at what others may change meanwhile: such a load, exchange or compare-and-swap? */
bool ws_instr_looks(const ws_instr *in);

/* Does a warp get on with its work by it, and not talk to other blocks: a plain access of memory that these may see, or
 * a barrier of its block? */
bool ws_instr_works(const ws_instr *in);

/* The loops of that kind in which a warp does nothing but wait: no barrier of its block, and no access of global memory
 * that is neither ordered nor atomic. (*out)[pc], an array of launch->instrs that the caller frees, is the number of
 * the outermost one around the instruction, 0: none. NULL where there are none, or that is not known. WS_EMEM. */
int ws_launch_wait_loops(const ws_launch *launch, uint16_t **out);

#endif
