/* power_twice.c - units for doubles. */
#include "model/power/power_internal.h"

int ws_power_add_twice(ws_power_build *b)
{
    static const ws_operation operations[] = {WS_OPERATION_dp_add, WS_OPERATION_dp_mul, WS_OPERATION_dp_mad,
                                              WS_OPERATION_dp_div};
    return ws_power_operations(b, operations, sizeof operations / sizeof *operations);
}
