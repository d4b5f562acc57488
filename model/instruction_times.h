/* instruction_times.h - latencies of instruction_times.def by name: WS_TIME_INT_ADD, WS_TIME_FP_MAD, WS_TIME_DP_DIV.
 * They are the defaults of a simulated machine (model/machine/machine.def). */
#ifndef WS_INSTRUCTION_TIMES_H
#define WS_INSTRUCTION_TIMES_H

enum {
#define INSTRUCTION_TIME(work, integer, single, twice) \
    WS_TIME_INT_##work = integer, WS_TIME_FP_##work = single, WS_TIME_DP_##work = twice,
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
    WS_TIME_REGISTERS = 2, /* from a result to its next reader: register write and read */
    WS_TIME_REFILL = 4,    /* from a taken branch to its target */
    /* Loads that hit: of a GTX 480, and of this project. */
    WS_TIME_SHARED_LOAD = 24,
    WS_TIME_CONSTANT_LOAD = 8,
    WS_TIME_TEXTURE_LOAD = 40
};

#endif
