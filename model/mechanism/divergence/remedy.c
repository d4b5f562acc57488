/* remedy.c - machines with what may help against memory divergence.
 *
 * Ideals: an L1 of as many lines in one set has no conflicts; one with four times the ways has room, in part of what is
 * missing; with four times the MSHRs loads hardly wait for one (B. Wang, "Mitigating GPU Memory Divergence for
 * Data-Intensive Applications", Auburn 2015, section 2.3, tells causes apart by an L1 of more ways, too). */
#include "model/mechanism/divergence/remedy.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256, TIMES = 4 };

static const struct {
    const char *name, *settings;
} table[] = {
#define REMEDY(name, settings, summary) {name, settings},
#include "model/mechanism/divergence/remedies.def"
#undef REMEDY
};
enum { MECHANISMS = sizeof table / sizeof *table };

typedef enum cause { CONFLICTS, CAPACITY, OCCLUSION, IDEALS } cause;
_Static_assert(1 + IDEALS + MECHANISMS <= WS_REMEDIES_MOST, "there is room for all");

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

/* The machine of the choice with these lines of settings. */
static int make_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out)
{
    ws_machine_choice with = *choice;
    with.more = settings;
    return ws_machine_choose(&with, out);
}

static int add(const ws_machine_choice *choice, ws_frame *notes, const char *name, const char *settings, bool ideal,
               ws_remedy *list, size_t *count)
{
    ws_remedy *const m = &list[*count];
    const int status = make_machine(choice, settings, &m->machine);
    if (status == WS_EINPUT || status == WS_EUNSUPPORTED)
        return ws_frame_note(notes, "left out: %s: %s", name, ws_message());
    if (status)
        return status;
    m->name = name;
    m->ideal = ideal;
    ++*count;
    return WS_OK;
}

int ws_remedies_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes, ws_remedy list[WS_REMEDIES_MOST],
                       size_t *count)
{
    static const char *const names[IDEALS] = {"no-conflicts", "more-lines", "more-mshrs"};
    char text[TEXT];
    *count = 0;
    list[0] = (ws_remedy){.name = "none"};
    int status = ws_machine_choose(choice, &list[0].machine);
    if (status)
        return status;
    *count = 1;
    for (cause i = 0; ideals && i < IDEALS && !status; i++) {
        ideal_settings(list[0].machine, i, text);
        status = add(choice, notes, names[i], text, true, list, count);
    }
    for (size_t i = 0; i < MECHANISMS && !status; i++)
        status = add(choice, notes, table[i].name, table[i].settings, false, list, count);
    return status;
}

void ws_remedies_destroy(ws_remedy *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ws_machine_destroy(list[i].machine);
}
