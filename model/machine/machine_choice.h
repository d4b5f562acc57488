/* machine_choice.h - machine that a user selects: a configuration and settings. */
#ifndef WS_MACHINE_CHOICE_H
#define WS_MACHINE_CHOICE_H

#include "model/machine/machine_declared.h"

#include <stddef.h>

typedef struct ws_machine_choice {
    const char *config;         /* a name of data/configs, or a path */
    const char *protocol;       /* NULL: that of the configuration */
    const char *first;          /* NULL, or settings before those of the user, one per line */
    const char *const *setting; /* [settings] "OPTION=VALUE" of the user, with repeats */
    size_t settings;
    const char *more; /* NULL, or settings after those of the user, one per line */
} ws_machine_choice;

/* Reads and checks a machine; a later setting of an option replaces an earlier one. WS_MISUSED for a setting without
 * '=', otherwise as ws_machine_read. The caller frees it with ws_machine_destroy. All pointers of the choice are
 * borrowed for the call. */
int ws_machine_choose(const ws_machine_choice *choice, ws_machine **out);

#endif
