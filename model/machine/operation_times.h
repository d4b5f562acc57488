/* operation_times.h - units and latencies of instructions on a machine, from its options. */
#ifndef WS_OPERATION_TIMES_H
#define WS_OPERATION_TIMES_H

#include "collect/trace/instr.h"
#include "model/machine/machine_declared.h"
#include "model/operation.h"

typedef struct ws_instr_times {
    uint8_t unit; /* ws_unit of the machine: integers use SP units without integer units, matrix products use tensor
                     units if present */
    uint32_t latency, initiation; /* cycles; initiation includes the machine's lanes per unit */
} ws_instr_times;

ws_instr_times ws_machine_times(const ws_machine *machine, const ws_instr *instr);

/* Returns the latency of such work on such numbers; of products of matrices that of a tensor unit, where there is one.
 */
uint32_t ws_machine_latency(const ws_machine *machine, ws_work work, ws_number number);

/* Computes, for each class of operations [WS_OPERATIONS], the cycles that a lane's operation occupies the units of its
 * kind in an SM, and that kind (ws_unit). A matrix product counts per multiply-add. Classes whose instructions need no
 * unit: 0. */
void ws_decode_operations(const ws_machine *machine, double *cycles, uint8_t *unit);

#endif
