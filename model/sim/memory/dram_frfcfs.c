/* dram_frfcfs.c - first ready, first come, first served: requests for open rows go before older ones for closed rows.
 *
 * Rixner, Dally, Kapasi, Mattson, Owens, Memory Access Scheduling, ISCA 2000. Among the commands that can go out now,
 * column commands go first, then the command that the oldest request needs. Reads go before writes until the writes'
 * queue is full. While writes are drained, rows are opened for reads in banks that no write wants, and reads go out
 * when no write can for longer than the data bus takes to turn round.
 *
 * Two guards: a row that has served `row_hits` requests in a row is closed when an older request wants another row of
 * its bank, and so is one whose bank has a request older than `starvation` cycles. */
#include "model/sim/memory/dram_internal.h"

/* The best so far of what can go out now, and when the first of the rest can. */
typedef struct search {
    const ws_dram *dram;
    ws_dram_choice best;
    uint64_t order;      /* of the best's request */
    uint64_t next_write; /* first cycle in which a write can go out, if rows are opened for it as soon as possible */
} search;

static bool is_column(int command)
{
    return command == WS_DRAM_READ || command == WS_DRAM_WRITE;
}

static void consider(search *s, int command, uint32_t bank, uint32_t entry)
{
    const uint64_t ready = ws_dram_ready(s->dram, command, bank);
    const uint64_t write = ready + (command == WS_DRAM_ACTIVATE    ? s->dram->part.tRCDWR
                                    : command == WS_DRAM_PRECHARGE ? s->dram->part.tRP + s->dram->part.tRCDWR
                                                                   : 0);
    s->next_write = write < s->next_write ? write : s->next_write;
    if (ready > s->dram->head->now) {
        s->best.wake = ready < s->best.wake ? ready : s->best.wake;
        return;
    }
    const uint64_t order = s->dram->entries[entry].order;
    const bool none = s->best.command < 0;
    const bool column = is_column(command), best_column = is_column(s->best.command);
    if (none || (column && !best_column) || (column == best_column && order < s->order)) {
        s->best = (ws_dram_choice){command, bank, entry, s->best.wake};
        s->order = order;
    }
}

/* Has the oldest request of the bank, for another row, waited long enough? */
static bool must_close(const ws_dram *dram, const ws_dram_bank *bank, int direction)
{
    const ws_dram_entry *const oldest = &dram->entries[bank->head[direction]];
    if (oldest->request.at.row == bank->open_row)
        return false;
    return (dram->plan.own[WS_DRAM_frfcfs_row_hits] && bank->streak >= dram->plan.own[WS_DRAM_frfcfs_row_hits]) ||
           dram->head->now - oldest->request.arrived > dram->plan.own[WS_DRAM_frfcfs_starvation];
}

/* What bank b needs to serve the direction that goes first. */
static void serve(search *s, uint32_t b, int direction)
{
    const ws_dram *const dram = s->dram;
    const ws_dram_bank *const bank = &dram->bank[b];
    const uint32_t oldest = bank->head[direction], hit = bank->hit[direction];
    if (bank->open_row == WS_NO_ROW)
        consider(s, WS_DRAM_ACTIVATE, b, oldest);
    else if (hit == WS_NO_ENTRY || must_close(dram, bank, direction))
        consider(s, WS_DRAM_PRECHARGE, b, oldest);
    else if (direction == WS_DRAM_IN)
        consider(s, WS_DRAM_WRITE, b, hit);
    else if (ws_dram_can_reply(dram))
        consider(s, WS_DRAM_READ, b, hit);
}

/* Opens the row for reads that wait. */
static void prepare(search *s, uint32_t b)
{
    const ws_dram_bank *const bank = &s->dram->bank[b];
    const uint32_t oldest = bank->head[WS_DRAM_OUT];
    if (bank->open_row == WS_NO_ROW)
        consider(s, WS_DRAM_ACTIVATE, b, oldest);
    else if (bank->hit[WS_DRAM_OUT] == WS_NO_ENTRY)
        consider(s, WS_DRAM_PRECHARGE, b, oldest);
}

/* Writes are drained and none of them can go out now: what can be done for reads, in banks that no write wants? */
static void serve_reads_meanwhile(search *s)
{
    const ws_dram *const dram = s->dram;
    const ws_dram_part *const p = &dram->part;
    const uint64_t turn = (uint64_t)p->tCL + p->burst_cycles + p->tRTW; /* of a read, until write data */
    const bool fill = s->next_write > dram->head->now + turn - p->tCWL;
    for (uint64_t bits = dram->head->waiting[WS_DRAM_OUT] & ~dram->head->waiting[WS_DRAM_IN]; bits; bits &= bits - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(bits);
        if (!ws_dram_usable(dram, b))
            continue;
        if (fill)
            serve(s, b, WS_DRAM_OUT);
        else
            prepare(s, b);
    }
}

static ws_dram_choice choose(const ws_dram *dram, void *state)
{
    (void)state;
    search s = {.dram = dram, .best = {.command = -1, .wake = WS_NEVER}, .next_write = WS_NEVER};
    const int direction = ws_dram_direction(dram);
    for (uint64_t bits = dram->head->waiting[direction]; bits; bits &= bits - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(bits);
        if (ws_dram_usable(dram, b))
            serve(&s, b, direction);
    }
    if (s.best.command < 0 && direction == WS_DRAM_IN)
        serve_reads_meanwhile(&s);
    return s.best;
}

const ws_dram_controller ws_dram_frfcfs = {
    .choose = choose,
};
