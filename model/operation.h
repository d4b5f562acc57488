/* operation.h - what lanes compute, by what it costs: the classes of operation.def. */
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

/* What an instruction adds to the count of its operation: `each` for each lane that takes part, or `warp` whoever does.
 */
typedef struct ws_operation_count {
    uint8_t operation; /* ws_operation */
    uint8_t each;
    uint32_t warp;
} ws_operation_count;

ws_operation_count ws_operation_of(const ws_instr *instr);

#endif
