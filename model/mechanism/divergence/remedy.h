/* remedy.h - what may help against memory divergence, as machines. */
#ifndef WS_REMEDY_H
#define WS_REMEDY_H

#include "base/frame.h"
#include "model/mechanism/variant.h"

enum { WS_REMEDIES_MOST = 32 };

typedef struct ws_remedies {
    ws_variant one[WS_REMEDIES_MOST]; /* [count] the first is the machine as it is, "none" */
    bool ideal[WS_REMEDIES_MOST];     /* nobody can build it: it tells what holds a kernel back */
    size_t count;
} ws_remedies;

/* The machine as it is, first; then the ideals (if asked for) and the remedies that it can have. Notes are those that
 * it cannot have, with the reason. Failures as of ws_machine_choose; free with ws_remedies_fini then also. */
int ws_remedies_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes, ws_remedies *out);
void ws_remedies_fini(ws_remedies *remedies);

#endif
