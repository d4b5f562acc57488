/* closed_machine.h - what the closed forms of coherence have to know of a simulated machine. */
#ifndef WS_CLOSED_MACHINE_H
#define WS_CLOSED_MACHINE_H

#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

/* The machine under a protocol; `machine` lives as long as what comes out. WS_EUNSUPPORTED when its lines are not those
 * of profiles, or when profiles do not tell what its caches do; WS_EINPUT as for ws_coherent_config;
 * WS_EMEM. */
int ws_closed_machine_of(const ws_machine *machine, const char *protocol, ws_closed_machine *out);

/* The same for replays of logs, which are no closed forms: any index and replacement of caches. */
int ws_replay_machine_of(const ws_machine *machine, const char *protocol, ws_closed_machine *out);

/* The protocol that estimates take a machine's caches for: its own, or the one that does what its plain caches do. */
const char *ws_closed_machine_protocol(const ws_machine *machine);

/* Times and rates alone, of any machine: what hits where is nobody's question here. The machine was checked. WS_EMEM;
 * WS_EINPUT of its networks. */
int ws_closed_machine_rates(const ws_machine *machine, ws_closed_machine *out);

#endif
