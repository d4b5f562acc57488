/* memory_estimate.h - estimates of machines whose registers or shared memory are magnetic: what model/memory says, in
 * the counters of a simulation.
 *
 * Closed forms of traffic and time know SRAM alone. Model/memory says what the same launch takes longer, and what is
 * written to cells; ws_activity has that as `sim` counts it, so the model of power charges both alike. */
#ifndef WS_MEMORY_ESTIMATE_H
#define WS_MEMORY_ESTIMATE_H

#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

typedef struct ws_memory_estimate ws_memory_estimate;

/* *out is NULL when the machine has SRAM alone. WS_EUNSUPPORTED with an option that closed forms do not know. The
 * machine may go; freed with destroy. */
int ws_memory_estimate_create(const ws_machine *machine, ws_memory_estimate **out);
void ws_memory_estimate_destroy(ws_memory_estimate *estimate); /* accepts NULL */

/* From what the launch does in SRAM to what it does on the machine; nothing when `estimate` is NULL. WS_ENOTFOUND when
 * its profile has no values; WS_EVERIFY for a time of the kernel beyond the bounds of model/time_bounds.h. */
int ws_memory_estimate_change(const ws_memory_estimate *estimate, const char *kernel, const ws_closed_machine *machine,
                              const ws_traffic_profile *profile, const ws_closed_result *prediction, ws_activity *did);

#endif
