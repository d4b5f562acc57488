/* dram_timing.c - when may which command go out? Each command, when it goes, moves the first cycles of later ones.
 *
 * The rules are those of JEDEC's standards for DDR4 (JESD79-4) and GDDR5 (JESD212): per bank, per bank group, per rank,
 * and for the data bus between ranks. */
#include "model/sim/memory/dram_timing_internal.h"

static void not_before(uint64_t *from, uint64_t cycle)
{
    if (*from < cycle)
        *from = cycle;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint32_t group_of(const ws_dram *dram, uint32_t bank)
{
    return bank >> dram->group_shift;
}

static uint32_t rank_of(const ws_dram *dram, uint32_t bank)
{
    return bank >> dram->rank_shift;
}

/* The window of 4 (or 32) activates: not before the oldest of the last ones is `window` cycles old. */
static uint64_t window_end(uint64_t oldest_plus_1, uint32_t window)
{
    return oldest_plus_1 && window ? oldest_plus_1 - 1 + window : 0;
}

enum { COLUMNS = 1 << WS_DRAM_READ | 1 << WS_DRAM_WRITE, ROWS = 1 << WS_DRAM_ACTIVATE | 1 << WS_DRAM_PRECHARGE };

static bool is_column(int command)
{
    return 1 << command & COLUMNS;
}

uint64_t ws_dram_ready(const ws_dram *dram, int command, uint32_t bank)
{
    const ws_dram_rank *const rank = &dram->rank[rank_of(dram, bank)];
    uint64_t from = larger(dram->bank[bank].from[command],
                           larger(dram->group[group_of(dram, bank)].from[command], rank->from[command]));
    if (command == WS_DRAM_ACTIVATE) {
        from = larger(from, window_end(rank->last4[rank->activates % 4], dram->part.tFAW));
        from = larger(from, window_end(rank->last32[rank->activates % 32], dram->part.t32AW));
    }
    if (command == WS_DRAM_WRITE)
        from = larger(from, dram->head->writes_from);
    const uint32_t bus = is_column(command) ? COLUMNS : ROWS;
    return dram->head->sent & bus ? larger(from, dram->head->now + 1) : from;
}

static void after_activate(ws_dram *dram, uint32_t bank, uint64_t now)
{
    const ws_dram_part *const p = &dram->part;
    uint64_t *const from = dram->bank[bank].from;
    not_before(&from[WS_DRAM_READ], now + p->tRCDRD);
    not_before(&from[WS_DRAM_WRITE], now + p->tRCDWR);
    not_before(&from[WS_DRAM_PRECHARGE], now + p->tRAS);
    not_before(&from[WS_DRAM_ACTIVATE], now + p->tRC);
    not_before(&dram->group[group_of(dram, bank)].from[WS_DRAM_ACTIVATE], now + p->tRRDL);
    ws_dram_rank *const rank = &dram->rank[rank_of(dram, bank)];
    not_before(&rank->from[WS_DRAM_ACTIVATE], now + p->tRRDS);
    rank->last4[rank->activates % 4] = now + 1;
    rank->last32[rank->activates % 32] = now + 1;
    rank->activates = (rank->activates + 1) % 32;
}

static void after_precharge(ws_dram *dram, uint32_t bank, uint64_t now)
{
    not_before(&dram->bank[bank].from[WS_DRAM_ACTIVATE], now + dram->part.tRP);
    not_before(&dram->rank[rank_of(dram, bank)].from[WS_DRAM_PRECHARGE], now + dram->part.tPPD);
}

/* Cycles from a command of one kind to one of the other kind, so that the second's data follows the first's with the
 * bus idle for tRTW cycles between; at least one. */
static uint64_t apart(uint64_t first_data, uint64_t burst, uint64_t idle, uint64_t second_data)
{
    return first_data + burst + idle > second_data ? first_data + burst + idle - second_data : 1;
}

static void after_read(ws_dram *dram, uint32_t bank, uint64_t now)
{
    const ws_dram_part *const p = &dram->part;
    const uint32_t own = rank_of(dram, bank);
    not_before(&dram->bank[bank].from[WS_DRAM_PRECHARGE], now + p->tRTP);
    not_before(&dram->group[group_of(dram, bank)].from[WS_DRAM_READ], now + larger(p->burst_cycles, p->tCCDL));
    for (uint32_t r = 0; r < p->ranks; r++) {
        uint64_t *const from = dram->rank[r].from;
        not_before(&from[WS_DRAM_WRITE], now + apart(p->tCL, p->burst_cycles, p->tRTW, p->tCWL));
        not_before(&from[WS_DRAM_READ],
                   now + (r == own ? larger(p->burst_cycles, p->tCCDS) : p->burst_cycles + p->tRTW));
    }
}

static void after_write(ws_dram *dram, uint32_t bank, uint64_t now)
{
    const ws_dram_part *const p = &dram->part;
    const uint32_t own = rank_of(dram, bank);
    const uint64_t written = now + p->tCWL + p->burst_cycles;
    not_before(&dram->bank[bank].from[WS_DRAM_PRECHARGE], written + p->tWR);
    ws_dram_group *const group = &dram->group[group_of(dram, bank)];
    not_before(&group->from[WS_DRAM_WRITE], now + larger(p->burst_cycles, p->tCCDL));
    not_before(&group->from[WS_DRAM_READ], written + p->tWTRL);
    for (uint32_t r = 0; r < p->ranks; r++) {
        uint64_t *const from = dram->rank[r].from;
        not_before(&from[WS_DRAM_WRITE], now + (r == own ? larger(p->burst_cycles, p->tCCDS) : p->burst_cycles));
        not_before(&from[WS_DRAM_READ],
                   r == own ? written + p->tWTRS : now + apart(p->tCWL, p->burst_cycles, p->tRTW, p->tCL));
    }
}

void ws_dram_moved(ws_dram *dram, int command, uint32_t bank, uint64_t now)
{
    static void (*const after[])(ws_dram *, uint32_t, uint64_t) = {
        [WS_DRAM_ACTIVATE] = after_activate,
        [WS_DRAM_PRECHARGE] = after_precharge,
        [WS_DRAM_READ] = after_read,
        [WS_DRAM_WRITE] = after_write,
    };
    after[command](dram, bank, now);
}

void ws_dram_refreshed(ws_dram *dram, uint32_t rank, uint64_t now)
{
    not_before(&dram->rank[rank].from[WS_DRAM_ACTIVATE], now + dram->part.tRFC);
}

uint64_t ws_dram_refresh_ready(const ws_dram *dram, uint32_t rank)
{
    const uint32_t width = dram->part.bank_groups * dram->part.banks;
    uint64_t from = dram->rank[rank].from[WS_DRAM_ACTIVATE]; /* the last refresh is over */
    for (uint32_t b = rank * width; b < (rank + 1) * width; b++)
        from = larger(from, dram->bank[b].from[WS_DRAM_ACTIVATE]);
    return from;
}
