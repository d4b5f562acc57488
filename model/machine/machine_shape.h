/* machine_shape.h - values derived from the options of a machine, once, when it is read.
 * Closed forms and models of power read them from ws_machine.shape. */
#ifndef WS_MACHINE_SHAPE_H
#define WS_MACHINE_SHAPE_H

#include "model/cache/slice_map.h"
#include "model/machine/dram_part.h"
#include "model/machine/memory_shape.h"
#include "model/machine/network_plan.h"

typedef struct ws_machine_shape {
    ws_network_plan network[WS_DIRECTIONS]; /* of a chip */
    ws_network_plan link;                   /* between chips, each way; all 0 in a machine of one */
    double link_bytes;                      /* a second, that it carries from a chip, and to it */
    ws_dram_part part;                      /* of memory, at the clock of the machine */
    ws_memory_shape memory;                 /* of a channel */
    double memory_bytes;                    /* a core cycle, that all channels carry at most */
    double memory_cycles;                   /* core cycles of a read that waits for nothing */
    ws_slice_map slice_map;                 /* where L2 has lines */
    ws_slice_map home_map;                  /* where they are at home, by slices of a chip */
} ws_machine_shape;

#endif
