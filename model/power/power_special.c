/* power_special.c - units for special functions. */
#include "model/power/power_internal.h"

int ws_power_add_special(ws_power_build *b)
{
    static const ws_operation operations[] = {WS_OPERATION_special};
    return ws_power_operations(b, operations, sizeof operations / sizeof *operations);
}
