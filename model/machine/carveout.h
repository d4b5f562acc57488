/* carveout.h - unified memory of an SM, divided between L1 and shared memory for each launch (since Volta; fixed sizes
 * before).
 *
 * A launch gets the smallest shared-memory size of the machine that fits its resident blocks; the L1 gets the rest
 * (NVIDIA, "CUDA C++ Programming Guide", shared memory of compute capability 7.x). */
#ifndef WS_CARVEOUT_H
#define WS_CARVEOUT_H

#include "model/machine/machine_declared.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the L1 ways that a buffer of atomics occupies with its lines (sm.atomics); the last may be partial. */
uint32_t ws_carveout_taken(const ws_machine *machine);

/* Returns the remaining ways of an L1 with `shared_bytes` bytes of shared memory in use on its SM and without the
 * occupied ones, at least one. With fixed sizes (l1.unified 0) the base is l1.ways. */
uint32_t ws_carveout_ways(const ws_machine *machine, uint64_t shared_bytes);

/* Returns whether l1.shared is a list of rising sizes. *greatest is the last, in bytes. */
bool ws_carveout_is_list(const ws_machine *machine, uint64_t *greatest);

#endif
