/* carveout.h - one memory of an SM that L1 and shared memory divide among them, launch by launch (since Volta; before
 * it, fixed sizes).
 *
 * A launch gets the smallest size of shared memory that its resident blocks need, of those that the machine offers, and
 * the L1 has the rest (NVIDIA, "CUDA C++ Programming Guide", shared memory of compute capability 7.x). */
#ifndef WS_CARVEOUT_H
#define WS_CARVEOUT_H

#include "model/machine/machine_declared.h"

#include <stdbool.h>
#include <stdint.h>

/* Ways of the L1 that a buffer of atomics takes for its lines (sm.atomics), the last of them not whole, maybe. */
uint32_t ws_carveout_taken(const ws_machine *machine);

/* Ways of an L1 beside so many bytes of shared memory in use on its SM, and beside those that are taken, one at least;
 * of l1.ways where sizes are fixed (l1.unified 0). */
uint32_t ws_carveout_ways(const ws_machine *machine, uint64_t shared_bytes);

/* Is l1.shared a list of sizes that grow? *greatest: the last, in bytes. */
bool ws_carveout_is_list(const ws_machine *machine, uint64_t *greatest);

#endif
