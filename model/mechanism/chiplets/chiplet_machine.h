/* chiplet_machine.h - a simulated machine of several chips, as walks through chiplets want it. */
#ifndef WS_CHIPLET_MACHINE_H
#define WS_CHIPLET_MACHINE_H

#include "base/table.h"
#include "model/mechanism/chiplets/chiplet_walk.h"
#include "model/machine/home.h"
#include "model/machine/package_coherence.h"

/* It must not move while a walk uses it. */
typedef struct ws_chiplet_machine {
    const ws_machine *machine;
    ws_homes homes;
    ws_slice_map copies; /* which slice of an L2 has a line */
    ws_table lines;      /* that were asked for -> uint32_t: words that are known without memory */
    uint64_t read_first; /* of these: read from memory, for words were wanted that nobody had written */
    bool dispatches;     /* blocks go to chips as the walk has them: chip.cta_scheduler is partitioned */
    ws_chiplet_walk_machine walk;
    ws_package_table table;
    double core_hz, link_bytes; /* the latter: a second, of a chip, one way */
    uint64_t memory_cycles;     /* of a read that an L3 does not serve, besides */
} ws_chiplet_machine;

/* The machine must outlive *out; free it with ws_chiplet_machine_fini, after failures, too. WS_EUNSUPPORTED, with the
 * option, for a machine of one chip, with a protocol, with sectors or without L2s of its own on each chip. */
int ws_chiplet_machine_of(const ws_machine *machine, ws_chiplet_machine *out);
void ws_chiplet_machine_fini(ws_chiplet_machine *machine);

#endif
