/* chiplet_machine.h - parameters of a simulated machine of several chips for chiplet walks. */
#ifndef WS_CHIPLET_MACHINE_H
#define WS_CHIPLET_MACHINE_H

#include "base/table.h"
#include "model/mechanism/chiplets/chiplet_walk.h"
#include "model/machine/home.h"
#include "model/machine/package_coherence.h"

/* Must not move while a walk uses it. */
typedef struct ws_chiplet_machine {
    const ws_machine *machine;
    ws_homes homes;
    ws_slice_map copies; /* L2 slice of a line */
    ws_table lines;      /* requested lines -> uint32_t: words known without memory */
    uint64_t read_first; /* those read from memory, for words not written before */
    bool dispatches;     /* blocks are assigned to chips as in the walk: chip.cta_scheduler is partitioned */
    ws_chiplet_walk_machine walk;
    ws_package_table table;
    double core_hz, link_bytes; /* link_bytes: per second, of a chip, one way */
    uint64_t memory_cycles;     /* added to a read that misses in an L3 */
} ws_chiplet_machine;

/* Describes the machine, which must outlive *out; free it with ws_chiplet_machine_fini, also after failures.
 * WS_EUNSUPPORTED, with the option, for a machine of one chip, with a protocol, with sectors or without L2s on each
 * chip. */
int ws_chiplet_machine_of(const ws_machine *machine, ws_chiplet_machine *out);
void ws_chiplet_machine_fini(ws_chiplet_machine *machine);

#endif
