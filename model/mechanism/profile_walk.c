/* profile_walk.c - see profile_walk.h. */
#include "model/mechanism/profile_walk.h"

#include "base/status.h"
#include "model/coherence/traffic_activity.h"
#include "model/machine/closed_machine.h"

#include <stdlib.h>
#include <string.h>

typedef struct walk {
    const char *db;
    ws_profile_visit *visit;
    void *context;
} walk;

static int see_profile(void *user, const ws_store_profile *stored)
{
    const walk *const w = user;
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    int status =
        profile ? ws_traffic_profile_read(stored->data, stored->length, profile) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = w->visit(w->context, stored, profile);
    if (status && status != WS_EINTERRUPTED)
        status = ws_fail_context(status, "%s: `%s`, launch %llu", w->db, stored->workload,
                                 (unsigned long long)stored->sequence + 1);
    free(profile);
    return status;
}

int ws_profile_walk(const char *db, ws_profile_visit *visit, void *context, ws_frame *notes)
{
    walk w = {db, visit, context};
    uint64_t missing = 0;
    ws_store *store;
    int status = ws_store_open(db, false, &store);
    if (status)
        return status;
    status = ws_store_profiles(store, see_profile, &w, &missing);
    if (!status && missing)
        status = ws_frame_note(notes, "missing: %llu launches without a profile", (unsigned long long)missing);
    ws_store_close(store);
    return status;
}

static int create_form(const ws_closed_machine *machine, ws_frame *notes, ws_closed_form **out)
{
    ws_closed_machine timed = *machine;
    if (ws_coherence_detects_races(machine->coherence.protocol)) {
        timed.coherence.protocol = "noncoherent";
        const int status = ws_frame_note(notes, "time: as if %s took none", machine->coherence.protocol);
        if (status)
            return status;
    }
    return ws_closed_form_create(&timed, out);
}

static int note_once(ws_frame *notes, const char *remark)
{
    static const char of[] = "closed forms: ";
    for (size_t i = 0; i < notes->notes && *remark; i++)
        if (!strncmp(notes->note[i], of, sizeof of - 1) && !strcmp(notes->note[i] + sizeof of - 1, remark))
            return WS_OK;
    return *remark ? ws_frame_note(notes, "%s%s", of, remark) : WS_OK;
}

int ws_closed_forms_note(const ws_closed_machine *machine, ws_frame *notes)
{
    char remark[256];
    ws_closed_form_remark(machine, remark, sizeof remark);
    const int status = note_once(notes, remark);
    ws_closed_form_lease_remark(machine, remark, sizeof remark);
    return status ? status : note_once(notes, remark);
}

int ws_closed_forms_of(const ws_machine *machine, ws_frame *notes, ws_closed_forms *out)
{
    int status = ws_closed_machine_of(machine, ws_closed_machine_protocol(machine), &out->machine);
    if (!status)
        status = create_form(&out->machine, notes, &out->form);
    return status ? status : ws_closed_forms_note(&out->machine, notes);
}

int ws_closed_forms_launch(const ws_closed_forms *forms, const char *kernel, const ws_traffic_profile *profile,
                           ws_closed_result *result, ws_activity *did)
{
    *result = (ws_closed_result){0};
    const int status = ws_closed_form_add(forms->form, kernel, profile, result);
    if (status)
        return status;
    ws_closed_activity(result, forms->machine.bursts, did);
    ws_launch_activity(&forms->machine, profile, result, did);
    return WS_OK;
}
