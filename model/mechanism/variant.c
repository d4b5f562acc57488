/* variant.c - see variant.h. */
#include "model/mechanism/variant.h"

#include "model/machine/machine_declared.h"

int ws_variant_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out)
{
    ws_machine_choice with = *choice;
    with.more = settings;
    return ws_machine_choose(&with, out);
}

int ws_variants_add(const ws_machine_choice *choice, const char *name, const char *settings, ws_variant *list,
                    size_t *count)
{
    list[*count] = (ws_variant){.name = name};
    const int status = ws_variant_machine(choice, settings, &list[*count].machine);
    *count += !status;
    return status;
}

void ws_variants_destroy(ws_variant *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ws_machine_destroy(list[i].machine);
}
