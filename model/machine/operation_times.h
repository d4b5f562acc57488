/* operation_times.h - units and times of instructions on a machine, from its options. */
#ifndef WS_OPERATION_TIMES_H
#define WS_OPERATION_TIMES_H

#include "collect/trace/instr.h"
#include "model/machine/machine_declared.h"
#include "model/operation.h"

typedef struct ws_instr_times {
    uint8_t unit; /* ws_unit, that the machine has: integers go to SP units where there are no others, products of
                     matrices to tensor units where there are such */
    uint32_t latency, initiation; /* cycles; initiation with the machine's lanes taken into account */
} ws_instr_times;

ws_instr_times ws_machine_times(const ws_machine *machine, const ws_instr *instr);

/* For how many cycles a lane's operation of each class keeps the units of its kind in an SM, [WS_OPERATIONS], and which
 * kind that is (ws_unit); of products of matrices a multiply-add. Classes whose instructions need no unit: 0. */
void ws_decode_operations(const ws_machine *machine, double *cycles, uint8_t *unit);

#endif
