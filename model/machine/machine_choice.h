/* machine_choice.h - the machine that a user asks for: a configuration, and what is set otherwise. */
#ifndef WS_MACHINE_CHOICE_H
#define WS_MACHINE_CHOICE_H

#include "model/machine/machine_declared.h"

#include <stddef.h>

typedef struct ws_machine_choice {
    const char *config;         /* a name of data/configs, or a path */
    const char *protocol;       /* NULL: what the configuration says */
    const char *first;          /* NULL, or settings that come before those of the user, a line each */
    const char *const *setting; /* [settings] "OPTION=VALUE": what the user says, as often as it was said */
    size_t settings;
    const char *more; /* NULL, or settings that come after these, a line each */
} ws_machine_choice;

/* Read and checked; a later setting of an option replaces an earlier one. WS_MISUSED for a setting without '=', else as
 * ws_machine_read. The caller frees it with ws_machine_destroy; all that the choice points to is borrowed for the call.
 */
int ws_machine_choose(const ws_machine_choice *choice, ws_machine **out);

#endif
