/* instruction_times.h - the times of instruction_times.def by name: WS_TIME_INT_ADD, WS_TIME_FP_MAD, WS_TIME_DP_DIV. A
 * simulated machine that says nothing else has them (model/machine/machine.def). */
#ifndef WS_INSTRUCTION_TIMES_H
#define WS_INSTRUCTION_TIMES_H

enum {
#define INSTRUCTION_TIME(work, integer, single, twice) \
    WS_TIME_INT_##work = integer, WS_TIME_FP_##work = single, WS_TIME_DP_##work = twice,
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
    WS_TIME_REGISTERS = 2, /* from these to the next reader: registers are written, and read */
    WS_TIME_REFILL = 4,    /* from a taken branch to its target */
    /* Loads that hit: of a GTX 480, and ours. */
    WS_TIME_SHARED_LOAD = 24,
    WS_TIME_CONSTANT_LOAD = 8,
    WS_TIME_TEXTURE_LOAD = 40
};

#endif
