/* walk_machine.h - parameters of a simulated machine for walks through an L1. */
#ifndef WS_WALK_MACHINE_H
#define WS_WALK_MACHINE_H

#include "model/mechanism/divergence/walk.h"
#include "model/machine/machine_declared.h"

/* Describes the machine, which must outlive *out. WS_EUNSUPPORTED names the option of an unsupported machine: without
 * L1 or with a sectored one, with a protocol, of several chips, or with a warp scheduler not in walk_schedulers.def.
 * WS_EINPUT, WS_EIO as for reading the part. */
int ws_walk_machine_of(const ws_machine *machine, ws_walk_machine *out);

#endif
