/* register_file_stt.c - banks of magnetic memory, what is written to their cells, and a buffer in front of them.
 *
 * Register r of a warp is in a bank as of `banked`, with unequal times for reads and writes; a write is whole,
 * differential or ends early (cells.h). Goswami, Power Performance Co-Optimization of Throughput Architecture Using
 * Emerging Technologies, 2013, chapter 6.
 *
 * With `coalesce`, results wait in SRAM, in buffers of the lanes, and each bank has addresses of those that are for it.
 * As soon as a bank can, it writes; all adjacent words of a row, up to `wide` of them, take one turn
 * (register_turns.h), whether they are of one warp or of several. What joins a row that waits is what makes its turns
 * no more: other lanes of a register and those that are written again, and registers beside it. There is no limit of
 * age (6.1.2: unlike buffers that wait for a time). Results are read from the buffer while they are in it. A row has
 * registers of one bank side by side, by their numbers: register r of warp w, r + 1 of warp w - 1.
 *
 * Registers below `sram_registers` are in rows of SRAM of the same banks. */
#include "model/sim/sm/register_file_internal.h"

#include "base/bits.h"
#include "model/register_turns.h"

#include <string.h>

/* A register that waits for its bank, which takes it, and what it shares turns with, from `start` to `end`. */
typedef struct waiting {
    uint64_t start, end;
    uint32_t bank, row, place; /* row of the bank; which of the registers in it */
    uint32_t warp, mask;
    uint32_t turns; /* of all that share them */
    bool known;     /* what cells hold of it: before[] */
    bool writes;    /* its turns are long enough for a change */
} waiting;

/* Behind the banks; `before` is there only where writes look at what cells hold. */
typedef struct tally {
    uint64_t lanes, bits, written; /* of registers whose values were known */
} tally;

static bool looks(const uint64_t *values)
{
    const ws_cells c = ws_register_stt_cells(values);
    return ws_cells_look(&c);
}

static size_t state_size(const uint64_t *values)
{
    const size_t row = sizeof(waiting) + (looks(values) ? WS_WARP * sizeof(uint64_t) : 0);
    return ws_banked_state_size(values) + sizeof(tally) + values[WS_REGISTERS_stt_coalesce] * row;
}

static tally *tally_of(void *state, const uint64_t *values)
{
    return (tally *)((char *)state + ws_banked_state_size(values));
}

static waiting *first_waiting(void *state, const uint64_t *values)
{
    return (waiting *)(tally_of(state, values) + 1);
}

/* What the cells of that register hold. */
static uint64_t *before_of(void *state, const uint64_t *values, const waiting *w)
{
    waiting *const first = first_waiting(state, values);
    return (uint64_t *)(first + values[WS_REGISTERS_stt_coalesce]) + (size_t)(w - first) * WS_WARP;
}

/* ------------------------------------------------------------------------------------------------ what is written */

/* Registers of 32 and of 64 bits are one each, and cost one in SRAM; so bits count by what those so far have in the
 * mean, and shares are those of bits. */
static uint64_t parts_of(const tally *t, uint64_t written)
{
    return written * WS_CELLS_PARTS * t->lanes / t->bits;
}

/* Registers that nobody knows change as those did that were known. */
static uint64_t parts_unknown(const ws_cells *c, const tally *t, unsigned lanes)
{
    return ws_cells_look(c) && t->bits ? lanes * t->written * WS_CELLS_PARTS / t->bits
                                       : (uint64_t)lanes * WS_CELLS_PARTS;
}

static void count(const ws_cells *c, tally *t, const ws_register_use *use)
{
    const unsigned lanes = ws_popcount(use->exec);
    uint64_t parts;
    if (use->value && ws_cells_look(c)) {
        const uint64_t written = ws_cells_written(c, use->value);
        t->lanes += lanes;
        t->bits += (uint64_t)lanes * use->value->bytes * 8;
        t->written += written;
        parts = parts_of(t, written);
    } else {
        parts = parts_unknown(c, t, lanes);
    }
    use->did->registers_cell_lanes[0] += lanes;
    use->did->registers_cell_parts[0] += parts;
}

/* ------------------------------------------------------------------------------------------------ writes that wait */

/* Where a register of a warp is. Warps that are as many as banks apart are in the same bank, in rows of their own. */
static waiting place_of(const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    const uint32_t registers = (uint32_t)values[WS_REGISTERS_stt_row] / WS_WARP;
    return (waiting){.bank = ws_banked_bank(values, use->warp, reg),
                     .row = use->warp / (uint32_t)values[WS_REGISTERS_banked_banks] << 16 | reg / registers,
                     .place = reg % registers,
                     .warp = use->warp};
}

static bool is_same_row(const waiting *a, const waiting *b)
{
    return a->bank == b->bank && a->row == b->row;
}

static bool is_same(const waiting *a, const waiting *b)
{
    return is_same_row(a, b) && a->place == b->place && a->warp == b->warp;
}

/* That register, where it can still be read from the buffer. The last of several: the one that came last. */
static waiting *find_waiting(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    const waiting at = place_of(values, use, reg);
    waiting *const w = first_waiting(state, values), *last = NULL;
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && is_same(&w[i], &at) && w[i].end > use->cycle && (!last || w[i].end > last->end))
            last = &w[i];
    return last;
}

/* Would the turns of these be enough with more lanes of the register at `at`, too? */
static bool has_turns(const waiting *w, const uint64_t *values, const waiting *with, const waiting *at)
{
    uint32_t mask[WS_REGISTERS_MOST_ROW] = {0};
    mask[at->place] = at->mask;
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && is_same_row(&w[i], at) && w[i].start == with->start)
            mask[w[i].place] |= w[i].mask;
    return ws_register_row_turns(mask, (unsigned)values[WS_REGISTERS_stt_row] / WS_WARP,
                                 (uint32_t)values[WS_REGISTERS_stt_wide]) <= with->turns;
}

/* What it can share turns with: of its row, not yet in the bank at `now`, and nothing of the register comes later. */
static waiting *find_row(void *state, const uint64_t *values, const waiting *at, bool change, uint64_t now)
{
    waiting *const w = first_waiting(state, values), *found = NULL;
    uint64_t last = now;
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && is_same(&w[i], at) && w[i].start > last)
            last = w[i].start;
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce] && !found; i++)
        if (w[i].mask && is_same_row(&w[i], at) && w[i].start > now && w[i].start >= last && (w[i].writes || !change) &&
            has_turns(w, values, &w[i], at))
            found = &w[i];
    return found;
}

/* The one of that register that takes these turns. */
static waiting *find_same(void *state, const uint64_t *values, const waiting *at, uint64_t start)
{
    waiting *const w = first_waiting(state, values);
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && is_same(&w[i], at) && w[i].start == start)
            return &w[i];
    return NULL;
}

/* The word of all lanes that is free first. */
static waiting *find_place(void *state, const uint64_t *values)
{
    waiting *const w = first_waiting(state, values), *best = w;
    for (unsigned i = 1; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].end < best->end)
            best = &w[i];
    return best;
}

/* Lanes of a register that waits: their cells are written once, from what they hold to what comes last. */
static void join(void *state, const uint64_t *values, const ws_cells *c, waiting *w, const ws_register_use *use)
{
    const uint32_t both = w->mask & use->exec;
    tally *const t = tally_of(state, values);
    uint64_t parts = parts_unknown(c, t, ws_popcount(use->exec & ~both));
    if (ws_cells_look(c) && use->value && w->known) {
        uint64_t *const held = before_of(state, values, w), old[WS_WARP];
        ws_value now = *use->value, then = {.bytes = now.bytes, .exec = both, .before = old, .after = now.before};
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            old[lane] = both >> lane & 1 ? held[lane] : now.before[lane];
        now.before = old;
        const uint64_t all = ws_cells_written(c, &now), counted = ws_cells_written(c, &then);
        parts =
            all > counted ? parts_of(t, all - counted) : 0; /* what is counted stays counted where a bit goes back */
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            held[lane] = use->exec >> lane & 1 ? old[lane] : held[lane];
    } else if (ws_cells_look(c)) {
        w->known = false;
    }
    w->mask |= use->exec;
    use->did->registers_merged_lanes[0] += ws_popcount(both);
    use->did->registers_cell_lanes[0] += ws_popcount(use->exec & ~both);
    use->did->registers_cell_parts[0] += parts;
}

/* When nothing of the register is in the buffer any more. */
static uint64_t last_end(void *state, const uint64_t *values, const waiting *at, uint64_t from)
{
    const waiting *const w = first_waiting(state, values);
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && is_same(&w[i], at) && w[i].end > from)
            from = w[i].end;
    return from;
}

/* Turns of its own, behind what waits of the register. `change`: a bit does. */
static void take_turns(void *state, const uint64_t *values, const ws_cells *c, const ws_register_use *use, uint16_t reg,
                       bool change, uint64_t there, waiting *to)
{
    const uint64_t turns = ws_register_turns(use->exec, (uint32_t)values[WS_REGISTERS_stt_wide]);
    const uint64_t more = change && turns ? turns - 1 : 0;
    const uint64_t cycles =
        ws_cells_cycles(c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], change) + more;
    to->end = ws_banked_write(state, values, use->warp, reg, last_end(state, values, to, there), cycles);
    to->start = to->end - cycles;
    to->turns = (uint32_t)turns;
    to->writes = change;
    use->did->registers_more_turns[0] += more;
}

/* Into the buffer, from which it can be read; the bank takes it when it can. A buffer that is full lets it wait for the
 * place that is free first. */
static uint64_t put(void *state, const uint64_t *values, const ws_cells *c, const ws_register_use *use, uint16_t reg)
{
    uint64_t there = use->cycle + values[WS_REGISTERS_stt_buffer];
    const bool change = !ws_cells_look(c) || ws_cells_change(use->value);
    waiting one = place_of(values, use, reg);
    one.mask = use->exec;
    one.known = use->value;
    const waiting *row = find_row(state, values, &one, change, there);
    waiting *const same = row ? find_same(state, values, &one, row->start) : NULL;
    use->did->registers_buffered_lanes[0] += ws_popcount(use->exec);
    if (same) {
        use->did->registers_merged[0]++;
        join(state, values, c, same, use);
        return there;
    }
    waiting *const w = find_place(state, values);
    if (row && w->end <= there) {
        use->did->registers_merged[0]++;
        one.start = row->start;
        one.end = row->end;
        one.turns = row->turns;
        one.writes = row->writes;
    } else {
        there = w->end > there ? w->end : there;
        take_turns(state, values, c, use, reg, change, there, &one);
    }
    *w = one;
    if (use->value && ws_cells_look(c))
        memcpy(before_of(state, values, w), use->value->before, WS_WARP * sizeof(uint64_t));
    count(c, tally_of(state, values), use);
    return there;
}

/* ------------------------------------------------------------------------------------------------ the file */

static uint64_t read_registers(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                               unsigned n)
{
    uint16_t from_bank[WS_INSTR_SRC] = {0};
    unsigned banked = 0;
    for (unsigned i = 0; i < n; i++) {
        use->did->registers_sram_read_lanes[0] +=
            reg[i] < values[WS_REGISTERS_stt_sram_registers] ? ws_popcount(use->exec) : 0;
        if (!find_waiting(state, values, use, reg[i]))
            from_bank[banked++] = reg[i];
    }
    uint64_t there = ws_banked_fetch(state, values, use, from_bank, banked);
    if (banked < n && there < use->cycle + values[WS_REGISTERS_stt_buffer])
        there = use->cycle + values[WS_REGISTERS_stt_buffer];
    if (n)
        ws_banked_hold(state, values, there);
    return there;
}

static uint64_t write_register(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    const ws_cells c = ws_register_stt_cells(values);
    if (reg < values[WS_REGISTERS_stt_sram_registers]) {
        use->did->registers_sram_write_lanes[0] += ws_popcount(use->exec);
        return ws_banked_write(state, values, use->warp, reg, use->cycle, values[WS_REGISTERS_stt_sram_write]);
    }
    if (values[WS_REGISTERS_stt_coalesce])
        return put(state, values, &c, use, reg);
    const bool change = !ws_cells_look(&c) || ws_cells_change(use->value);
    const uint64_t more = change ? ws_banked_more_turns(values, use) : 0;
    count(&c, tally_of(state, values), use);
    return ws_banked_write(
        state, values, use->warp, reg, use->cycle,
        more + ws_cells_cycles(&c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], change));
}

/* A bit changes, mostly. */
static uint64_t idle(const uint64_t *values)
{
    const ws_cells c = ws_register_stt_cells(values);
    const uint64_t looks_first =
        ws_cells_cycles(&c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], true) -
        values[WS_REGISTERS_banked_write];
    return values[WS_REGISTERS_stt_coalesce] ? values[WS_REGISTERS_banked_read] + values[WS_REGISTERS_stt_buffer]
                                             : ws_banked_idle(values) + looks_first;
}

const ws_register_file_ops ws_register_file_stt = {
    .state_size = state_size,
    .has_room = ws_banked_has_room,
    .read = read_registers,
    .write = write_register,
    .idle = idle,
};
