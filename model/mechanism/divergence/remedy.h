/* remedy.h - what may help against memory divergence, as machines. */
#ifndef WS_REMEDY_H
#define WS_REMEDY_H

#include "base/frame.h"
#include "model/machine/machine_choice.h"

enum { WS_REMEDIES_MOST = 32 };

/* A machine with the mechanism; of the machine as it is the name is "none". */
typedef struct ws_remedy {
    const char *name;
    bool ideal; /* nobody can build it: it tells what holds a kernel back */
    ws_machine *machine;
} ws_remedy;

/* The machine as it is, first; then the ideals (if asked for) and the mechanisms that it can have. Those that it cannot
 * have are noted in the frame, with the reason. Failures as of ws_machine_choose. */
int ws_remedies_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes,
                       ws_remedy mechanism[WS_REMEDIES_MOST], size_t *count);
void ws_remedies_destroy(ws_remedy *mechanism, size_t count);

#endif
