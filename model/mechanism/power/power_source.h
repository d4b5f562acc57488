/* power_source.h - what launches did, for a model of power: from profiles, by functional replay of traces, or of a
 * simulation that was kept. One that runs has its own (record/simulate/simulation.h). */
#ifndef WS_POWER_SOURCE_H
#define WS_POWER_SOURCE_H

#include "base/frame.h"
#include "model/activity.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/machine_traces.h"

/* Adds a stretch for each launch of the results file that has a profile, with the estimated time of closed forms
 * (docs/coherence.md), those of the machine's protocol; plain caches are taken as copies that nobody ends, or as none
 * where there is no L1. Notes go to `notes`. WS_EUNSUPPORTED for race detection. */
int ws_power_from_profiles(const ws_machine *machine, const char *db, ws_activity_report *report, ws_frame *notes);

/* The same, or, of launches of traces: operations, registers and shared memory counted event by event, caches by
 * functional replay, time estimated as above; under race detection as if that took none. */
int ws_power_from_works(const ws_machine *machine, const ws_works_asked *works, ws_activity_report *report,
                        ws_frame *notes);

/* Adds the stretches of a frame of `sim --activity`. WS_EINPUT with the file for one that is none, of another machine
 * or protocol, or without cycles, as those of a replay; WS_EIO, WS_EMEM. */
int ws_power_from_activity(const ws_machine *machine, const char *path, ws_activity_report *report);

#endif
