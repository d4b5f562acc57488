/* machine_option.h - options common to all machines, as rows. */
#ifndef WS_MACHINE_OPTION_H
#define WS_MACHINE_OPTION_H

#include "base/option.h"

/* Row of machine.def for listings; ws_machine_option_row() returns NULL past the last. */
typedef struct ws_machine_option {
    const char *section;
    ws_option option;
    const char *word; /* fallback of a word; NULL for a number */
} ws_machine_option;
const ws_machine_option *ws_machine_option_row(size_t index);

#endif
