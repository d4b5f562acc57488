/* power_tensor.c - products of matrices, whichever units compute them. */
#include "model/power/power_internal.h"

int ws_power_add_tensor(ws_power_build *b)
{
    static const ws_operation operations[] = {
#define MATRIX_KIND(name, meaning) WS_OPERATION_matrix_##name,
        WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
    };
    return ws_power_operations(b, operations, sizeof operations / sizeof *operations);
}
