/* variant.h - variants of a machine for a comparison: that of a choice with additional settings. */
#ifndef WS_VARIANT_H
#define WS_VARIANT_H

#include "model/machine/machine_choice.h"

#include <stddef.h>

typedef struct ws_variant {
    const char *name;
    ws_machine *machine;
} ws_variant;

/* Makes the machine of the choice with additional lines of OPTION=VALUE. Fails as ws_machine_choose. */
int ws_variant_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out);

/* Appends that machine to list[(*count)++]; *count is unchanged after a failure. The name is borrowed. */
int ws_variants_add(const ws_machine_choice *choice, const char *name, const char *settings, ws_variant *list,
                    size_t *count);
void ws_variants_destroy(ws_variant *list, size_t count);

#endif
