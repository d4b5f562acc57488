/* instruction_chain.h - how many cycles lie between the instructions of a warp that has its SM alone, memory apart?
 *
 * Each instruction waits for the registers it reads; latencies are those of one machine (instruction_times.def).
 * Instructions are looked at in the order in which they are written. */
#ifndef WS_INSTRUCTION_CHAIN_H
#define WS_INSTRUCTION_CHAIN_H

#include "collect/trace/event.h"

enum { WS_CHAIN_AHEAD = 64 }; /* instructions that are searched for the first that needs a load */

/* cycles[i]: from the first instruction of the table to instruction i, [instrs + 1]. slack[i]: from a load or atomic to
 * the first instruction that reads its result, [instrs]; global and local memory itself takes no time here. WS_EMEM. */
int ws_instruction_chain(const ws_launch *launch, uint32_t *cycles, uint16_t *slack);

#endif
