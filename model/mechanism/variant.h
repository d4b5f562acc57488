/* variant.h - machines that differ in what is compared: that of a choice, with settings on top. */
#ifndef WS_VARIANT_H
#define WS_VARIANT_H

#include "model/machine/machine_choice.h"

#include <stddef.h>

typedef struct ws_variant {
    const char *name;
    ws_machine *machine;
} ws_variant;

/* The machine of the choice with lines of OPTION=VALUE on top. Failures as of ws_machine_choose. */
int ws_variant_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out);

/* list[(*count)++] is that machine; *count stays after a failure. The name is borrowed. */
int ws_variants_add(const ws_machine_choice *choice, const char *name, const char *settings, ws_variant *list,
                    size_t *count);
void ws_variants_destroy(ws_variant *list, size_t count);

#endif
