/* coherence_machine.h - a machine's caches under a protocol, as model/coherence wants them. */
#ifndef WS_COHERENCE_MACHINE_H
#define WS_COHERENCE_MACHINE_H

#include "model/coherence/coherence.h"
#include "model/machine/machine_declared.h"

/* What the machine says about its protocol; *out refers to the machine's name of it. `data`: values travel. WS_EINPUT
 * names the option. */
int ws_coherent_config(const ws_machine *machine, bool data, ws_coherence_config *out);

#endif
