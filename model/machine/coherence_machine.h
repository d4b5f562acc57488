/* coherence_machine.h - configuration of model/coherence from a machine. */
#ifndef WS_COHERENCE_MACHINE_H
#define WS_COHERENCE_MACHINE_H

#include "model/coherence/coherence.h"
#include "model/machine/machine_declared.h"

/* Describes the machine's protocol; *out refers to the machine's name for it. `data`: messages carry values. WS_EINPUT
 * names the option. */
int ws_coherent_config(const ws_machine *machine, bool data, ws_coherence_config *out);

#endif
