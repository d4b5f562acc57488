/* mechanism.h - what may help against memory divergence, as machines. */
#ifndef WS_MECHANISM_H
#define WS_MECHANISM_H

#include "base/frame.h"
#include "record/simulate/machine_choice.h"

enum { WS_MECHANISMS_MOST = 32 };

/* A machine with the mechanism; of the machine as it is the name is "none". */
typedef struct ws_mechanism {
    const char *name;
    bool ideal; /* nobody can build it: it tells what holds a kernel back */
    ws_machine *machine;
} ws_mechanism;

/* The machine as it is, first; then the ideals (if asked for) and the mechanisms that it can have. Those that it cannot
 * have are noted in the frame, with the reason. Failures as of ws_machine_choose. */
int ws_mechanisms_create(const ws_machine_choice *choice, bool ideals, ws_frame *notes,
                         ws_mechanism mechanism[WS_MECHANISMS_MOST], size_t *count);
void ws_mechanisms_destroy(ws_mechanism *mechanism, size_t count);

#endif
