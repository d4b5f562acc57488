/* dram_timing_internal.h - for dram.c: a command has gone out. */
#ifndef WS_DRAM_TIMING_INTERNAL_H
#define WS_DRAM_TIMING_INTERNAL_H

#include "model/sim/memory/dram_internal.h"

/* An activate, precharge, read or write went to the bank in cycle `now`. */
void ws_dram_moved(ws_dram *dram, int command, uint32_t bank, uint64_t now);

/* The same for a refresh of a rank, and the first cycle for one when all banks of the rank are closed. */
void ws_dram_refreshed(ws_dram *dram, uint32_t rank, uint64_t now);
uint64_t ws_dram_refresh_ready(const ws_dram *dram, uint32_t rank);

#endif
