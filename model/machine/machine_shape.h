/* machine_shape.h - values derived once from the options of a machine, in ws_machine.shape. Closed forms and power
 * models use them. */
#ifndef WS_MACHINE_SHAPE_H
#define WS_MACHINE_SHAPE_H

#include "model/cache/slice_map.h"
#include "model/machine/dram_part.h"
#include "model/machine/memory_shape.h"
#include "model/machine/network_plan.h"

typedef struct ws_machine_shape {
    ws_network_plan network[WS_DIRECTIONS]; /* of a chip */
    ws_network_plan link;                   /* between chips, each way; all 0 with one chip */
    double link_bytes;                      /* bytes per second from a chip, and to it */
    ws_dram_part part;                      /* of memory, at the machine's clock */
    ws_memory_shape memory;                 /* of a channel */
    double memory_bytes;                    /* most bytes of all channels per core cycle */
    double memory_cycles;                   /* core cycles of an uncontended read */
    ws_slice_map slice_map;                 /* L2 slices of lines */
    ws_slice_map home_map;                  /* home of lines, by slices of a chip */
} ws_machine_shape;

#endif
