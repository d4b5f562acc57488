/* operation.h - classes of operations by cost, from operation.def. */
#ifndef WS_OPERATION_H
#define WS_OPERATION_H

#include "collect/trace/instr_matrix.h"

typedef enum ws_operation {
#define OPERATION(name, numbers, works, meaning) WS_OPERATION_##name,
#define MATRIX_OPERATION(name, meaning)          WS_OPERATION_matrix_##name,
#include "model/operation.def"
#undef OPERATION
#undef MATRIX_OPERATION
    WS_OPERATIONS
} ws_operation;

/* [WS_OPERATIONS] */
extern const char *const ws_operation_names[];

/* Operations that an instruction counts: `each` for each lane that takes part, or `warp` for any number of lanes. */
typedef struct ws_operation_count {
    uint8_t operation; /* ws_operation */
    uint8_t each;
    uint32_t warp;
} ws_operation_count;

ws_operation_count ws_operation_of(const ws_instr *instr);

#endif
