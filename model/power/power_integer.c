/* power_integer.c - units for whole numbers; lanes that exchange, and addresses, are worked out there, too. */
#include "model/power/power_internal.h"

int ws_power_add_integer(ws_power_build *b)
{
    static const ws_operation operations[] = {WS_OPERATION_int_add, WS_OPERATION_shift,    WS_OPERATION_int_mul,
                                              WS_OPERATION_int_div, WS_OPERATION_exchange, WS_OPERATION_memory,
                                              WS_OPERATION_other};
    return ws_power_operations(b, operations, sizeof operations / sizeof *operations);
}
