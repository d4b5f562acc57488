/* label_note.c - see label_note.h. */
#include "record/simulate/label_note.h"

#include "base/demangle.h"
#include "base/status.h"
#include "collect/trace/update.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_global_atomic(const ws_instr *in)
{
    return in->access >= WS_ACCESS_ATOMIC && (in->space == WS_SPACE_GLOBAL || in->space == WS_SPACE_GENERIC);
}

/* Atomics of the kernel that are no updates. */
static int count_passing(ws_label_seen *seen, const ws_launch *launch)
{
    bool *const update = calloc(launch->instrs + 1, sizeof *update);
    const int status =
        update ? ws_update_mark(launch, update) : ws_fail(WS_EMEM, "no memory for kernel %s", launch->kernel);
    for (size_t i = 0; i < launch->instrs && !status; i++)
        seen->passing += is_global_atomic(&launch->instr[i]) && !update[i];
    free(update);
    if (seen->passing)
        snprintf(seen->kernel, sizeof seen->kernel, "%s", launch->kernel);
    return status;
}

int ws_label_see(ws_label_seen *seen, const ws_machine *machine, const ws_launch *launch)
{
    if (!ws_machine_labels_kernels(machine))
        return WS_OK;
    const bool named = ws_machine_is_commutative(machine, launch->kernel);
    seen->launches++;
    seen->named += named;
    return named && !seen->passing ? count_passing(seen, launch) : WS_OK;
}

static int note_passing(const ws_label_seen *seen, const ws_machine *m, ws_frame *frame)
{
    char *const name = ws_demangle(seen->kernel);
    const int status =
        name ? ws_frame_note(frame,
                             "sm.commutative: %s names kernel %s, %zu of whose atomic instructions do not commute, are "
                             "ordered, or are read; they go to L2 one by one, label or not",
                             m->sm_commutative, name, seen->passing)
             : ws_fail(WS_EMEM, "out of memory");
    free(name);
    return status;
}

int ws_label_note(const ws_label_seen *seen, const ws_machine *m, bool used, ws_frame *frame)
{
    if (!ws_machine_labels_kernels(m) || !seen->launches)
        return WS_OK;
    if (!used)
        return ws_frame_note(frame, "sm.commutative: sm.atomics = %s makes no use of labels", m->sm_atomics->name);
    if (!seen->named)
        return ws_frame_note(frame, "sm.commutative: %s names no kernel of these launches, so no updates are gathered",
                             m->sm_commutative);
    return seen->passing ? note_passing(seen, m, frame) : WS_OK;
}
