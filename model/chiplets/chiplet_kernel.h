/* chiplet_kernel.h - data that a kernel uses on each chiplet: input of a command processor at each launch.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5: an argument of
 * a kernel is a data structure with a mode, read or read and write, and optionally a range of addresses for each
 * chiplet. Kernels are partitioned statically: chiplet i of n runs the i-th of n contiguous chunks of the grid. */
#ifndef WS_CHIPLET_KERNEL_H
#define WS_CHIPLET_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_CHIPLETS_MOST = 16 }; /* as package.chips */

/* Addresses first .. last; empty if first > last. */
typedef struct ws_address_range {
    uint64_t first, last;
} ws_address_range;

#define WS_NO_ADDRESSES ((ws_address_range){1, 0})

static inline bool ws_range_is_empty(ws_address_range a)
{
    return a.first > a.last;
}

static inline bool ws_ranges_overlap(ws_address_range a, ws_address_range b)
{
    return !ws_range_is_empty(a) && !ws_range_is_empty(b) && a.first <= b.last && b.first <= a.last;
}

/* Returns the smallest range that contains both. */
static inline ws_address_range ws_range_hull(ws_address_range a, ws_address_range b)
{
    if (ws_range_is_empty(a) || ws_range_is_empty(b))
        return ws_range_is_empty(a) ? b : a;
    return (ws_address_range){a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last};
}

typedef struct ws_chiplet_argument {
    ws_address_range whole; /* of the data structure; `first` identifies it */
    bool writes;            /* mode: read and write; otherwise read */
    bool ranged;    /* range[] has the addresses that each chiplet uses, empty for one that does not use it; otherwise
                       every scheduled chiplet may use all */
    bool identical; /* same schedule and ranges as the previous kernel that used it: only relevant without ranges */
    ws_address_range range[WS_CHIPLETS_MOST];
} ws_chiplet_argument;

typedef struct ws_chiplet_kernel {
    char *name;
    uint64_t launch;    /* number in its program, from 0 */
    uint32_t scheduled; /* one bit for each chiplet that runs part of it */
    bool known;         /* false: its accesses are unknown */
    ws_chiplet_argument *argument;
    size_t arguments, room;
} ws_chiplet_kernel;

/* Kernels in the order of their launches. A zeroed list is empty. */
typedef struct ws_chiplet_kernels {
    ws_chiplet_kernel *kernel;
    size_t kernels, room;
} ws_chiplet_kernels;

/* Adds a known kernel without arguments; *out belongs to the list and is valid until the next one is added. WS_EMEM. */
int ws_chiplet_kernels_add(ws_chiplet_kernels *list, const char *name, uint64_t launch, uint32_t scheduled,
                           ws_chiplet_kernel **out);
/* Adds a copy of the argument. WS_EMEM. */
int ws_chiplet_kernel_add(ws_chiplet_kernel *kernel, const ws_chiplet_argument *argument);
/* Returns NULL for an unknown launch. */
const ws_chiplet_kernel *ws_chiplet_kernels_find(const ws_chiplet_kernels *list, uint64_t launch);
/* Returns whether the kernel has that name: "stencil" matches the launch of "_Z7stencilPfS_", which is stencil(float*,
 * float*). */
bool ws_chiplet_kernel_is(const ws_chiplet_kernel *kernel, const char *mangled);
void ws_chiplet_kernels_fini(ws_chiplet_kernels *list);

/* Returns the range of an argument for a chiplet; empty for one that is not scheduled. */
ws_address_range ws_chiplet_argument_range(const ws_chiplet_kernel *kernel, const ws_chiplet_argument *argument,
                                           uint32_t chiplet);

/* Return the chiplet of block `block` of `blocks`; the first block of a chiplet. Chunks differ by at most one block. */
uint32_t ws_chiplet_of_block(uint64_t block, uint64_t blocks, uint32_t chiplets);
uint64_t ws_chiplet_first_block(uint32_t chiplet, uint64_t blocks, uint32_t chiplets);
/* Returns the chiplets that have a block. */
uint32_t ws_chiplet_schedule(uint64_t blocks, uint32_t chiplets);

#endif
