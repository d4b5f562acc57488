/* register_file_stt.c - banks of magnetic memory, what is written to their cells, and a buffer in front of them.
 *
 * Register r of a warp is in a bank as of `banked`, with unequal times for reads and writes; a write is whole,
 * differential or ends early (cells.h). Goswami, Power Performance Co-Optimization of Throughput Architecture Using
 * Emerging Technologies, 2013, chapter 6.
 *
 * With `coalesce`, writes wait in SRAM in front of their bank, which takes them in turn. One to a row that waits still
 * joins it: lanes that both have are written once, others fill its holes. A row is a register of a warp, so what joins
 * are paths and parts of that warp, and later instructions. Results are read from the buffer while they are in it.
 * Registers below `sram_registers` are in rows of SRAM of the same banks. */
#include "model/sim/sm/register_file_internal.h"

#include "base/bits.h"

#include <string.h>

/* A write in front of its bank, which takes it from `start` to `end`. */
typedef struct waiting {
    uint64_t start, end;
    uint32_t row, mask;
    bool known;  /* what cells hold of it: before[] */
    bool writes; /* its turn is long enough for a change */
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

static size_t rows_waiting(const uint64_t *values)
{
    return (size_t)(values[WS_REGISTERS_stt_coalesce] * values[WS_REGISTERS_banked_banks]);
}

static size_t state_size(const uint64_t *values)
{
    const size_t row = sizeof(waiting) + (looks(values) ? WS_WARP * sizeof(uint64_t) : 0);
    return ws_banked_state_size(values) + sizeof(tally) + rows_waiting(values) * row;
}

static tally *tally_of(void *state, const uint64_t *values)
{
    return (tally *)((char *)state + ws_banked_state_size(values));
}

static waiting *waiting_at(void *state, const uint64_t *values, unsigned bank)
{
    return (waiting *)(tally_of(state, values) + 1) + bank * values[WS_REGISTERS_stt_coalesce];
}

/* What the cells of that row hold. */
static uint64_t *before_of(void *state, const uint64_t *values, const waiting *w)
{
    waiting *const first = waiting_at(state, values, 0);
    return (uint64_t *)(first + rows_waiting(values)) + (size_t)(w - first) * WS_WARP;
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

static uint32_t row_of(const ws_register_use *use, uint16_t reg)
{
    return use->warp << 16 | reg;
}

/* The one of that row that is there at `now` and not yet in its bank; `from_bank`: or on its way into it. */
static waiting *find_waiting(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg,
                             uint64_t now, bool from_bank)
{
    waiting *const w = waiting_at(state, values, ws_banked_bank(values, use->warp, reg));
    for (unsigned i = 0; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].mask && w[i].row == row_of(use, reg) && (from_bank ? w[i].end : w[i].start) > now)
            return &w[i];
    return NULL;
}

/* The place that is free first. */
static waiting *find_place(void *state, const uint64_t *values, unsigned bank)
{
    waiting *const w = waiting_at(state, values, bank), *best = w;
    for (unsigned i = 1; i < values[WS_REGISTERS_stt_coalesce]; i++)
        if (w[i].end < best->end)
            best = &w[i];
    return best;
}

/* Joins a row that waits: its cells are written once, from what they hold to what comes last. Not where its turn in the
 * bank is too short for a change. */
static bool join(void *state, const uint64_t *values, const ws_cells *c, waiting *w, const ws_register_use *use)
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
        if (!w->writes && ws_cells_change(&now))
            return false;
        const uint64_t all = ws_cells_written(c, &now), counted = ws_cells_written(c, &then);
        parts =
            all > counted ? parts_of(t, all - counted) : 0; /* what is counted stays counted where a bit goes back */
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            held[lane] = use->exec >> lane & 1 ? old[lane] : held[lane];
    } else if (ws_cells_look(c)) {
        if (!w->writes)
            return false;
        w->known = false;
    }
    w->mask |= use->exec;
    use->did->registers_merged[0]++;
    use->did->registers_merged_lanes[0] += ws_popcount(both);
    use->did->registers_cell_lanes[0] += ws_popcount(use->exec & ~both);
    use->did->registers_cell_parts[0] += parts;
    return true;
}

/* Into the buffer, from which it can be read; the bank takes it when it can. A buffer that is full lets it wait for the
 * place that is free first. */
static uint64_t put(void *state, const uint64_t *values, const ws_cells *c, const ws_register_use *use, uint16_t reg)
{
    uint64_t there = use->cycle + values[WS_REGISTERS_stt_buffer];
    waiting *const same = find_waiting(state, values, use, reg, there, false);
    use->did->registers_buffered_lanes[0] += ws_popcount(use->exec);
    if (same && join(state, values, c, same, use))
        return there;
    waiting *const w = find_place(state, values, ws_banked_bank(values, use->warp, reg));
    const bool change = ws_cells_change(use->value);
    const uint64_t cycles =
        ws_cells_cycles(c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], change);
    there = w->end > there ? w->end : there;
    const uint64_t end = ws_banked_write(state, values, use->warp, reg, there, cycles);
    *w = (waiting){.start = end - cycles,
                   .end = end,
                   .row = row_of(use, reg),
                   .mask = use->exec,
                   .known = use->value,
                   .writes = change};
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
        if (!find_waiting(state, values, use, reg[i], use->cycle, true))
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
    count(&c, tally_of(state, values), use);
    return ws_banked_write(state, values, use->warp, reg, use->cycle,
                           ws_cells_cycles(&c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write],
                                           ws_cells_change(use->value)));
}

/* A bit changes, mostly. */
static uint64_t idle(const uint64_t *values)
{
    const ws_cells c = ws_register_stt_cells(values);
    const uint64_t written =
        ws_cells_cycles(&c, values[WS_REGISTERS_banked_read], values[WS_REGISTERS_banked_write], true);
    return values[WS_REGISTERS_banked_read] +
           (values[WS_REGISTERS_stt_coalesce] ? values[WS_REGISTERS_stt_buffer] : written);
}

const ws_register_file_ops ws_register_file_stt = {
    .state_size = state_size,
    .has_room = ws_banked_has_room,
    .read = read_registers,
    .write = write_register,
    .idle = idle,
};
