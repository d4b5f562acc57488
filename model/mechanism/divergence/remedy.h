/* remedy.h - remedies of memory divergence, as machines. */
#ifndef WS_REMEDY_H
#define WS_REMEDY_H

#include "base/frame.h"
#include "model/mechanism/variant.h"

enum { WS_REMEDIES_MOST = 32 };

typedef struct ws_remedies {
    ws_variant one[WS_REMEDIES_MOST]; /* [count] the first is the unchanged machine, "none" */
    bool ideal[WS_REMEDIES_MOST];     /* not realisable: shows the limiting factor of a kernel */
    size_t count;
} ws_remedies;

/* Makes the unchanged machine, the ideals (with `ideals`) and the remedies that it supports. Notes list unsupported
 * ones with the reason. Fails as ws_machine_choose; free with ws_remedies_fini also then. */
int ws_remedies_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes, ws_remedies *out);
void ws_remedies_fini(ws_remedies *remedies);

#endif
