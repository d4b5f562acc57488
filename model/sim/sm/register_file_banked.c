/* register_file_banked.c - operands come from banks, through collectors; when are all there?
 *
 * A register of a warp is in bank (register + warp) mod banks, as in GPGPU-Sim (register_bank, shader.cc). A bank has
 * `ports` places in a cycle; a read or a write takes one for as long as it lasts, the earliest that is free. Times of
 * reads and writes may differ: magnetic memories (STT-MRAM) write more slowly than they read. An instruction holds a
 * collector from its issue until its operands are there.
 *
 * With `port`, a write takes a turn of its bank for each run of adjacent words, of lanes that take part, that is no
 * longer than the port is wide. Turns begin a cycle apart, and the last takes as long as a write of all does without.
 * A register is read whole. Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies, 2013, 6.1.2: a bank writes a register word at a time.
 *
 * A bank's calendar reaches 256 cycles ahead, 2048 where writes take turns; a write further ahead than that finds no
 * conflicts. */
#include "model/sim/sm/register_file_internal.h"

#include "model/register_turns.h"
#include "model/sim/sm/register_banks.h"

enum { WINDOW = 8, WINDOW_TURNS = 11 }; /* bits of a cycle */

typedef struct banked {
    uint64_t now;                                     /* of the latest issue */
    uint64_t collector[WS_REGISTERS_MOST_COLLECTORS]; /* when it is free */
    uint64_t earliest;                                /* of them, which is free first */
    uint32_t used[]; /* [banks][1 << window]: which turn of the ring << 4 | places taken */
} banked;

static unsigned window_of(const uint64_t *values)
{
    return values[WS_REGISTERS_banked_port] ? WINDOW_TURNS : WINDOW;
}

size_t ws_banked_state_size(const uint64_t *values)
{
    return sizeof(banked) + ((size_t)values[WS_REGISTERS_banked_banks] << window_of(values)) * sizeof(uint32_t);
}

static unsigned find_earliest(const banked *f, const uint64_t *values)
{
    unsigned best = 0;
    for (unsigned i = 1; i < values[WS_REGISTERS_banked_collectors]; i++)
        if (f->collector[i] < f->collector[best])
            best = i;
    return best;
}

bool ws_banked_has_room(const void *state, const uint64_t *values, uint64_t now, uint64_t *again)
{
    const banked *const f = state;
    (void)values;
    *again = f->collector[f->earliest];
    return *again <= now;
}

static uint32_t turn_of(uint64_t cycle, unsigned window)
{
    return (uint32_t)(cycle >> window) & (UINT32_MAX >> 4);
}

static uint32_t *slot_of(uint32_t *bank, uint64_t cycle, unsigned window)
{
    return &bank[cycle & ((1u << window) - 1)];
}

static unsigned taken(uint32_t *bank, uint64_t cycle, unsigned window)
{
    const uint32_t slot = *slot_of(bank, cycle, window);
    return slot >> 4 == turn_of(cycle, window) ? slot & 15 : 0;
}

/* The first cycle from `from` on in which the bank has a place for `length` cycles, which is taken. */
static uint64_t reserve(banked *f, const uint64_t *values, unsigned number, uint64_t from, uint64_t length)
{
    const unsigned window = window_of(values);
    uint32_t *const bank = f->used + ((size_t)number << window);
    uint64_t run = 0, cycle = from;
    for (; run < length && cycle - f->now < 1u << window; cycle++)
        run = taken(bank, cycle, window) < values[WS_REGISTERS_banked_ports] ? run + 1 : 0;
    if (run < length)
        return cycle - run;
    for (uint64_t c = cycle - length; c < cycle; c++)
        *slot_of(bank, c, window) = turn_of(c, window) << 4 | (taken(bank, c, window) + 1);
    return cycle - length;
}

unsigned ws_banked_bank(const uint64_t *values, unsigned warp, uint16_t reg)
{
    return ws_register_bank(reg, warp, (uint32_t)values[WS_REGISTERS_banked_banks]);
}

uint64_t ws_banked_fetch(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                         unsigned n)
{
    banked *const f = state;
    uint64_t there = f->now = use->cycle;
    for (unsigned i = 0; i < n; i++) {
        const uint64_t end =
            reserve(f, values, ws_banked_bank(values, use->warp, reg[i]), f->now, values[WS_REGISTERS_banked_read]) +
            values[WS_REGISTERS_banked_read];
        there = end > there ? end : there;
    }
    return there;
}

void ws_banked_hold(void *state, const uint64_t *values, uint64_t there)
{
    banked *const f = state;
    f->collector[f->earliest] = there;
    f->earliest = find_earliest(f, values);
}

uint64_t ws_banked_read(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                        unsigned n)
{
    const uint64_t there = ws_banked_fetch(state, values, use, reg, n);
    if (n)
        ws_banked_hold(state, values, there);
    return there;
}

uint64_t ws_banked_write(void *state, const uint64_t *values, unsigned warp, uint16_t reg, uint64_t done,
                         uint64_t cycles)
{
    banked *const f = state;
    const uint64_t from = done > f->now ? done : f->now;
    return reserve(f, values, ws_banked_bank(values, warp, reg), from, cycles) + cycles;
}

uint64_t ws_banked_more_turns(const uint64_t *values, const ws_register_use *use)
{
    const unsigned turns = ws_register_turns(use->exec, (uint32_t)values[WS_REGISTERS_banked_port]);
    use->did->registers_more_turns[0] += turns ? turns - 1 : 0;
    return turns ? turns - 1 : 0;
}

static uint64_t write_register(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    return ws_banked_write(state, values, use->warp, reg, use->cycle,
                           values[WS_REGISTERS_banked_write] + ws_banked_more_turns(values, use));
}

uint64_t ws_banked_idle(const uint64_t *values)
{
    const uint64_t turns = ws_register_turns(UINT32_MAX, (uint32_t)values[WS_REGISTERS_banked_port]);
    return values[WS_REGISTERS_banked_read] + values[WS_REGISTERS_banked_write] + turns - 1;
}

const ws_register_file_ops ws_register_file_banked = {
    .state_size = ws_banked_state_size,
    .has_room = ws_banked_has_room,
    .read = ws_banked_read,
    .write = write_register,
    .idle = ws_banked_idle,
};
