/* dram_timing_internal.h - timing updates of dram.c after a command. */
#ifndef WS_DRAM_TIMING_INTERNAL_H
#define WS_DRAM_TIMING_INTERNAL_H

#include "model/sim/memory/dram_internal.h"

/* Records an activate, precharge, read or write of the bank in cycle `now`. */
void ws_dram_moved(ws_dram *dram, int command, uint32_t bank, uint64_t now);

/* Record a refresh of a rank; return the first cycle for one, with all banks of the rank closed. */
void ws_dram_refreshed(ws_dram *dram, uint32_t rank, uint64_t now);
uint64_t ws_dram_refresh_ready(const ws_dram *dram, uint32_t rank);

#endif
