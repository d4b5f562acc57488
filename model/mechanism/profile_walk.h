/* profile_walk.h - launches of a results file that have profiles, one after the other, and closed forms of them. */
#ifndef WS_PROFILE_WALK_H
#define WS_PROFILE_WALK_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/activity.h"
#include "model/coherence/closed_form.h"
#include "model/machine/machine_declared.h"

/* Visits each launch that has a profile, in order of workload and launch; a note says how many have none. A failure,
 * whose message then begins with file, workload and launch, ends the walk. What ws_store_open, ws_store_profiles and
 * ws_traffic_profile_read return. */
typedef int ws_profile_visit(void *context, const ws_store_profile *stored, const ws_traffic_profile *profile);
int ws_profile_walk(const char *db, ws_profile_visit *visit, void *context, ws_frame *notes);

/* Closed forms of a machine's caches and times; plain caches are taken as the protocol that does the same. Race
 * detection has none: its time is that of copies which nothing ends. */
typedef struct ws_closed_forms {
    ws_closed_machine machine;
    ws_closed_form *form; /* destroyed by the caller */
} ws_closed_forms;

/* Notes what closed forms do not know of the machine and of its leases, where the frame has no such note yet. WS_EMEM.
 */
int ws_closed_forms_note(const ws_closed_machine *machine, ws_frame *notes);

/* The machine lives as long. Notes say what the forms leave out. What ws_closed_machine_of and ws_closed_form_create
 * return. */
int ws_closed_forms_of(const ws_machine *machine, ws_frame *notes, ws_closed_forms *out);

/* Prediction and activity of a launch. What ws_closed_form_add returns. */
int ws_closed_forms_launch(const ws_closed_forms *forms, const char *kernel, const ws_traffic_profile *profile,
                           ws_closed_result *result, ws_activity *did);

#endif
