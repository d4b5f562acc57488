/* machine_choice.h - the machine that a user asks for: a configuration, and what is set otherwise. */
#ifndef WS_MACHINE_CHOICE_H
#define WS_MACHINE_CHOICE_H

#include "model/sim/machine.h"

#include <stddef.h>

typedef struct ws_machine_choice {
    const char *config;         /* a name of data/configs, or a path */
    const char *protocol;       /* NULL: what the configuration says */
    const char *const *setting; /* [settings] "OPTION=VALUE" */
    size_t settings;
    const char *more;           /* NULL, or settings that come after these, a line each */
} ws_machine_choice;

/* Read and checked. WS_MISUSED for a setting without '=', else as ws_machine_read. The caller frees it with
 * ws_machine_destroy. */
int ws_machine_choose(const ws_machine_choice *choice, ws_machine **out);

#endif
