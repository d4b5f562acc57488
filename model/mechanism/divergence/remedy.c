/* remedy.c - machines with what may help against memory divergence.
 *
 * Ideals: an L1 of as many lines in one set has no conflicts; one with four times the ways has room, in part of what is
 * missing; with four times the MSHRs loads hardly wait for one (B. Wang, "Mitigating GPU Memory Divergence for
 * Data-Intensive Applications", Auburn 2015, section 2.3, tells causes apart by an L1 of more ways, too). */
#include "model/mechanism/divergence/remedy.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <stdio.h>

enum { TEXT = 256, TIMES = 4 };

static const struct {
    const char *name, *settings;
} table[] = {
#define REMEDY(name, settings) {name, settings},
#include "model/mechanism/divergence/remedies.def"
#undef REMEDY
};
enum { REMEDIES = sizeof table / sizeof *table };

typedef enum cause { CONFLICTS, CAPACITY, OCCLUSION, IDEALS } cause;
_Static_assert(1 + IDEALS + REMEDIES <= WS_REMEDIES_MOST, "there is room for all");

static void ideal_settings(const ws_machine *m, cause which, char text[TEXT])
{
    switch (which) {
    case CONFLICTS:
        snprintf(text, TEXT, "l1.index=linear\nl1.sets=1\nl1.ways=%u", m->l1_sets * m->l1_ways);
        return;
    case CAPACITY:
        snprintf(text, TEXT, "l1.ways=%u", TIMES * m->l1_ways);
        return;
    default:
        snprintf(text, TEXT, "l1.mshrs=%u", TIMES * m->l1_mshrs);
    }
}

/* What the machine cannot have is left out, with a note. */
static int add(const ws_machine_choice *choice, ws_frame *notes, const char *name, const char *settings, bool ideal,
               ws_remedies *to)
{
    to->ideal[to->count] = ideal;
    const int status = ws_variants_add(choice, name, settings, to->one, &to->count);
    return status == WS_EINPUT || status == WS_EUNSUPPORTED
               ? ws_frame_note(notes, "left out: %s: %s", name, ws_message())
               : status;
}

int ws_remedies_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes, ws_remedies *out)
{
    static const char *const names[IDEALS] = {"no-conflicts", "more-lines", "more-mshrs"};
    char text[TEXT];
    *out = (ws_remedies){0};
    int status = ws_variants_add(choice, "none", NULL, out->one, &out->count);
    for (cause i = 0; ideals && i < IDEALS && !status; i++) {
        ideal_settings(out->one[0].machine, i, text);
        status = add(choice, notes, names[i], text, true, out);
    }
    for (size_t i = 0; i < REMEDIES && !status; i++)
        status = add(choice, notes, table[i].name, table[i].settings, false, out);
    return status;
}

void ws_remedies_fini(ws_remedies *remedies)
{
    ws_variants_destroy(remedies->one, remedies->count);
}
