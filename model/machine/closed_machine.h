/* closed_machine.h - parameters of a simulated machine for the closed forms of coherence. */
#ifndef WS_CLOSED_MACHINE_H
#define WS_CLOSED_MACHINE_H

#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

/* Describes the machine under a protocol; `machine` must outlive *out. WS_EUNSUPPORTED if its lines are not those of
 * profiles, or if profiles do not cover its caches; WS_EINPUT as for ws_coherent_config; WS_EMEM. */
int ws_closed_machine_of(const ws_machine *machine, const char *protocol, ws_closed_machine *out);

/* The same for replays of logs, which support any index and replacement of caches. */
int ws_replay_machine_of(const ws_machine *machine, const char *protocol, ws_closed_machine *out);

/* Returns the protocol that estimates assume for the machine's caches: its own, or the equivalent of its plain caches.
 */
const char *ws_closed_machine_protocol(const ws_machine *machine);

/* Describes only times and rates, of any machine, without its caches. The machine must have been checked. WS_EMEM;
 * WS_EINPUT of its networks. */
int ws_closed_machine_rates(const ws_machine *machine, ws_closed_machine *out);

#endif
