/* power_single.c - units for halves and floats. */
#include "model/power/power_internal.h"

int ws_power_add_single(ws_power_build *b)
{
    static const ws_operation operations[] = {WS_OPERATION_half_add, WS_OPERATION_half_mul, WS_OPERATION_half_mad,
                                              WS_OPERATION_fp_add,   WS_OPERATION_fp_mul,   WS_OPERATION_fp_mad,
                                              WS_OPERATION_fp_div,   WS_OPERATION_convert};
    return ws_power_operations(b, operations, sizeof operations / sizeof *operations);
}
