/* profile_walk.h - visits to the profiled launches of a results file, and their closed forms. */
#ifndef WS_PROFILE_WALK_H
#define WS_PROFILE_WALK_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

/* Visits each launch with a profile, in order of workload and launch; a note counts those without. A failure ends the
 * walk; its message begins with file, workload and launch. Fails as ws_store_open, ws_store_profiles and
 * ws_traffic_profile_read. */
typedef int ws_profile_visit(void *context, const ws_store_profile *stored, const ws_traffic_profile *profile);
int ws_profile_walk(const char *db, ws_profile_visit *visit, void *context, ws_frame *notes);

/* Closed forms of a machine's caches and times. Plain caches use the equivalent protocol. Race detection has no closed
 * form: its time is that of copies that are never invalidated. */
typedef struct ws_closed_forms {
    ws_closed_machine machine;
    ws_closed_form *form; /* destroyed by the caller */
} ws_closed_forms;

/* Adds notes about unsupported properties of the machine and its leases, unless the frame has them. WS_EMEM. */
int ws_closed_forms_note(const ws_closed_machine *machine, ws_frame *notes);

/* Makes the closed forms; the machine must outlive them. Notes list omissions. Fails as ws_closed_machine_of and
 * ws_closed_form_create. */
int ws_closed_forms_of(const ws_machine *machine, ws_frame *notes, ws_closed_forms *out);

/* Computes the prediction and activity of a launch. Fails as ws_closed_form_add. */
int ws_closed_forms_launch(const ws_closed_forms *forms, const char *kernel, const ws_traffic_profile *profile,
                           ws_closed_result *result, ws_activity *did);

#endif
