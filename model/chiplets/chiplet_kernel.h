/* chiplet_kernel.h - which data does a kernel use on which chiplet? What a command processor is told of each launch.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5: an argument of
 * a kernel is a data structure with a mode, read or read and write, and for each chiplet perhaps the range of its
 * addresses. Kernels are partitioned statically: chiplet i of n runs the i-th of n contiguous chunks of the grid. */
#ifndef WS_CHIPLET_KERNEL_H
#define WS_CHIPLET_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_CHIPLETS_MOST = 16 }; /* as package.chips */

/* Addresses first .. last; none when first > last. */
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

/* The smallest range that has both. */
static inline ws_address_range ws_range_hull(ws_address_range a, ws_address_range b)
{
    if (ws_range_is_empty(a) || ws_range_is_empty(b))
        return ws_range_is_empty(a) ? b : a;
    return (ws_address_range){a.first < b.first ? a.first : b.first, a.last > b.last ? a.last : b.last};
}

typedef struct ws_chiplet_argument {
    ws_address_range whole; /* of the data structure; `first` is its name */
    bool writes;            /* mode: read and write, else read */
    bool ranged;    /* range[] says which addresses each chiplet uses, none for one that does not; else every scheduled
                       chiplet may use all */
    bool identical; /* the same schedule and ranges as the kernel before that used it: asked for without ranges alone */
    ws_address_range range[WS_CHIPLETS_MOST];
} ws_chiplet_argument;

typedef struct ws_chiplet_kernel {
    char *name;
    uint64_t launch;    /* number in its program, from 0 on */
    uint32_t scheduled; /* a bit for each chiplet that runs some of it */
    bool known;         /* false: nobody can say what it touches */
    ws_chiplet_argument *argument;
    size_t arguments, room;
} ws_chiplet_kernel;

/* Kernels in the order of their launches. All 0: none. */
typedef struct ws_chiplet_kernels {
    ws_chiplet_kernel *kernel;
    size_t kernels, room;
} ws_chiplet_kernels;

/* Adds a kernel that is known and has no arguments yet; *out is the list's, until the next is added. WS_EMEM. */
int ws_chiplet_kernels_add(ws_chiplet_kernels *list, const char *name, uint64_t launch, uint32_t scheduled,
                           ws_chiplet_kernel **out);
/* A copy of the argument. WS_EMEM. */
int ws_chiplet_kernel_add(ws_chiplet_kernel *kernel, const ws_chiplet_argument *argument);
/* NULL: the list has no such launch. */
const ws_chiplet_kernel *ws_chiplet_kernels_find(const ws_chiplet_kernels *list, uint64_t launch);
/* Whether that is its name: "stencil" is of the launch of "_Z7stencilPfS_", which is stencil(float*, float*). */
bool ws_chiplet_kernel_is(const ws_chiplet_kernel *kernel, const char *mangled);
void ws_chiplet_kernels_fini(ws_chiplet_kernels *list);

/* What an argument says of a chiplet; none for one that is not scheduled. */
ws_address_range ws_chiplet_argument_range(const ws_chiplet_kernel *kernel, const ws_chiplet_argument *argument,
                                           uint32_t chiplet);

/* The chiplet of block `block` of `blocks`, and the first block of a chiplet: chunks differ by one block at most. */
uint32_t ws_chiplet_of_block(uint64_t block, uint64_t blocks, uint32_t chiplets);
uint64_t ws_chiplet_first_block(uint32_t chiplet, uint64_t blocks, uint32_t chiplets);
/* Chiplets that have a block. */
uint32_t ws_chiplet_schedule(uint64_t blocks, uint32_t chiplets);

#endif
