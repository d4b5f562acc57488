/* instruction_chain.h - cycles between the instructions of a warp that has its SM alone, without memory time.
 *
 * Each instruction waits for the registers it reads; latencies are those of one machine (instruction_times.def).
 * Instructions are processed in program order. */
#ifndef WS_INSTRUCTION_CHAIN_H
#define WS_INSTRUCTION_CHAIN_H

#include "collect/trace/event.h"

enum { WS_CHAIN_AHEAD = 64 }; /* instructions searched for the first use of a load */

/* Fills cycles[i], [instrs + 1]: from the first instruction of the table to instruction i; and slack[i], [instrs]: from
 * a load or atomic to the first instruction that reads its result. Global and local memory take no time here. WS_EMEM.
 */
int ws_instruction_chain(const ws_launch *launch, uint32_t *cycles, uint16_t *slack);

#endif
