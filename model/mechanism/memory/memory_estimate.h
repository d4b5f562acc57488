/* memory_estimate.h - estimates of machines with magnetic registers or shared memory: results of model/memory as
 * counters of a simulation.
 *
 * Closed forms of traffic and time assume SRAM. model/memory gives the added time of the same launch and its cell
 * writes. ws_activity counts these as `sim` does, so the power model treats both alike. */
#ifndef WS_MEMORY_ESTIMATE_H
#define WS_MEMORY_ESTIMATE_H

#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

typedef struct ws_memory_estimate ws_memory_estimate;

/* Creates an estimate; *out is NULL for a machine with SRAM only. WS_EUNSUPPORTED with an option that closed forms do
 * not support. The machine need not outlive it; freed with ws_memory_estimate_destroy. */
int ws_memory_estimate_create(const ws_machine *machine, ws_memory_estimate **out);
void ws_memory_estimate_destroy(ws_memory_estimate *estimate); /* accepts NULL */

/* Makes a closed form of the machine that of one with SRAM; no effect if `estimate` is NULL. */
void ws_memory_estimate_assume_sram(const ws_memory_estimate *estimate, ws_closed_form *form);

/* Changes the activity of a launch in SRAM to that on the machine; no effect if `estimate` is NULL. WS_ENOTFOUND if its
 * profile has no values; WS_EVERIFY for a time of the kernel beyond the bounds of model/time_bounds.h. */
int ws_memory_estimate_change(const ws_memory_estimate *estimate, const char *kernel, const ws_closed_machine *machine,
                              const ws_traffic_profile *profile, const ws_closed_result *prediction, ws_activity *did);

#endif
