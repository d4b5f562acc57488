/* memory_level.c - which caches does a machine have? */
#include "model/sim/memory/memory_level.h"

#include "base/status.h"
#include "model/machine/machine.h"

static int create_above(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2)
{
    if (ws_machine_has_protocol(machine))
        return ws_coherent_create(machine, data, l1, l2);
    if (data &&
        !ws_machine_keeps_remote(machine)) /* else versions are checked (chip_versions.h), and no values travel */
        return ws_fail(WS_EINPUT, "values are checked under a coherence protocol; machine %s has plain caches",
                       machine->name);
    const int status = ws_plain_l1_create(machine, l1);
    return status ? status : ws_plain_l2_create(machine, l2);
}

int ws_levels_create(const ws_machine *machine, bool data, ws_level *l1, ws_level *l2, ws_level *l3)
{
    *l3 = (ws_level){0};
    const int status = create_above(machine, data, l1, l2);
    return status || !machine->l3_size ? status : ws_plain_l3_create(machine, l3);
}
