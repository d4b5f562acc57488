/* power_source.h - activity of launches for a power model: from profiles, functional replay of traces, or a stored
 * simulation. A running simulation provides its own (record/simulate/simulation.h). */
#ifndef WS_POWER_SOURCE_H
#define WS_POWER_SOURCE_H

#include "base/frame.h"
#include "model/activity.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/machine_traces.h"

/* Adds a stretch for each launch of the results file with a profile, with the estimated time of closed forms
 * (docs/coherence.md) for the machine's protocol. Plain caches count as copies that are never invalidated, or as none
 * without L1. Notes go to `notes`. WS_EUNSUPPORTED for race detection. */
int ws_power_from_profiles(const ws_machine *machine, const char *db, ws_activity_report *report, ws_frame *notes);

/* The same, or for launches of traces: operations, registers and shared memory counted event by event, caches by
 * functional replay, time estimated as above; with race detection its time is ignored. */
int ws_power_from_works(const ws_machine *machine, const ws_works_asked *works, ws_activity_report *report,
                        ws_frame *notes);

/* Adds the stretches of a frame of `sim --activity`. WS_EINPUT with the file for another kind of frame, another machine
 * or protocol, or a frame without cycles (of a replay); WS_EIO, WS_EMEM. */
int ws_power_from_activity(const ws_machine *machine, const char *path, ws_activity_report *report);

#endif
