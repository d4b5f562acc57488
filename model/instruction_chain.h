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

/* Producers that an instruction may wait for, by the terms of their latency: work and numbers (work * WS_NUMBERS +
 * number, as ws_instr_timed_as), and loads of other memories than global and local. */
enum {
    WS_CHAIN_SHARED = WS_WORKS * WS_NUMBERS,
    WS_CHAIN_CONSTANT,
    WS_CHAIN_TEXTURE,
    WS_CHAIN_WAITS,
    WS_CHAIN_READY = WS_CHAIN_WAITS /* waits for nothing */
};

/* An instruction that waits for the result of another with these latencies, and the cycles since that one issued. */
typedef struct ws_chain_wait {
    uint32_t passed;
    uint8_t on; /* WS_CHAIN_... */
} ws_chain_wait;

/* Fills wait[instrs]. With another latency instruction i waits max(0, latency - wait[i].passed). WS_EMEM. */
int ws_instruction_waits(const ws_launch *launch, ws_chain_wait *wait);

#endif
