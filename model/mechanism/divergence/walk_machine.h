/* walk_machine.h - what walks through an L1 have to know of a simulated machine. */
#ifndef WS_WALK_MACHINE_H
#define WS_WALK_MACHINE_H

#include "model/mechanism/divergence/walk.h"
#include "model/machine/machine_declared.h"

/* WS_EUNSUPPORTED, naming the option, for a machine of another kind: without L1 or with sectors in it, with a protocol,
 * of several chips, with a warp scheduler that is no row of walk_schedulers.def; WS_EINPUT, WS_EIO as for
 * reading the part. The machine must outlive *out. */
int ws_walk_machine_of(const ws_machine *machine, ws_walk_machine *out);

#endif
