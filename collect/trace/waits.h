/* waits.h - detection of kernels that wait in loops for writes of other warps.
 *
 * In a trace, every warp follows its recorded path. It therefore takes as many iterations of such a loop as in the
 * recorded run, on any simulated machine. */
#ifndef WS_WAITS_H
#define WS_WAITS_H

#include "collect/trace/event.h"

/* Returns whether the launch has a loop in which a poll decides on another iteration. A poll is a load of a word that
 * other warps may write concurrently (ws_instr_is_poll), an atomic exchange or a compare-and-swap. Returns false if
 * branch targets are not known (ws_launch.code: SASS, old traces). */
bool ws_launch_waits(const ws_launch *launch);

/* Returns whether the instruction is a poll: such a load, an atomic exchange or a compare-and-swap. */
bool ws_instr_looks(const ws_instr *in);

/* Returns whether the instruction is work rather than communication with other blocks: a plain access of memory visible
 * to other blocks, or a barrier of its block. */
bool ws_instr_works(const ws_instr *in);

/* Finds the loops of that kind in which a warp only waits: no barrier of its block, and every access of global memory
 * is ordered or atomic. (*out)[pc] is the number of the outermost such loop around the instruction, or 0. The caller
 * frees this array of launch->instrs elements. *out is NULL if no loop is found, or if targets are not known. Returns
 * WS_OK or WS_EMEM. */
int ws_launch_wait_loops(const ws_launch *launch, uint16_t **out);

#endif
