/* When operands are there: closed forms, and a reference that marks every cycle of every bank. */
#include "base/status.h"
#include "model/sim/sm/register_file.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BANKS, PORTS, COLLECTORS, READ, WRITE, PORT };

static void *start(const ws_register_file_ops *f, const uint64_t *values)
{
    const size_t size = f->state_size(values);
    void *const state = calloc(1, size + 8);
    assert_non_null(state);
    return state;
}

/* Of all lanes; what is counted of cells is in `did`. */
static ws_activity did;

static uint64_t read_at(const ws_register_file_ops *f, void *m, const uint64_t *values, unsigned warp,
                        const uint16_t *reg, unsigned n, uint64_t now)
{
    const ws_register_use use = {.warp = warp, .exec = UINT32_MAX, .cycle = now, .did = &did};
    return f->read(m, values, &use, reg, n);
}

static uint64_t write_at(const ws_register_file_ops *f, void *m, const uint64_t *values, unsigned warp, uint16_t reg,
                         uint64_t done, const ws_value *value)
{
    const ws_register_use use = {
        .warp = warp, .exec = value ? value->exec : UINT32_MAX, .cycle = done, .value = value, .did = &did};
    return f->write(m, values, &use, reg);
}

static void closed_forms(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("banked"));
    const uint64_t values[] = {16, 1, 2, 1, 3, 0};
    void *const m = start(f, values);
    const uint16_t apart[] = {0, 1, 2}, same[] = {0, 16, 32};
    uint64_t again;
    assert_int_equal(read_at(f, m, values, 0, NULL, 0, 10), 10);
    assert_int_equal(read_at(f, m, values, 0, apart, 3, 10), 11);
    assert_int_equal(read_at(f, m, values, 0, same, 3, 20), 23);
    assert_true(f->has_room(m, values, 20, &again));
    assert_int_equal(read_at(f, m, values, 1, same, 1, 20), 21); /* another warp, another bank */
    assert_false(f->has_room(m, values, 20, &again));
    assert_int_equal(again, 21);
    /* A write in the future keeps its bank then, not before: 3 cycles from 40 on. */
    assert_int_equal(write_at(f, m, values, 0, 16, 40, NULL), 43);
    assert_int_equal(read_at(f, m, values, 0, same, 1, 30), 31);
    assert_int_equal(read_at(f, m, values, 0, same, 1, 40), 44);
    /* 1 cycle is free at 49, not enough for 3. */
    assert_int_equal(write_at(f, m, values, 0, 0, 50, NULL), 53);
    assert_int_equal(write_at(f, m, values, 0, 0, 49, NULL), 56);
    free(m);
}

/* A write reads first; it goes on only when a bit of a lane that takes part changes, or nobody knows. */
static void only_what_changes(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("differential"));
    const uint64_t values[] = {16, 1, 2, 2, 5, 0};
    uint64_t before[WS_WARP] = {0}, after[WS_WARP] = {[3] = 1};
    ws_value value = {.bytes = 4, .exec = UINT32_MAX, .before = before, .after = before};
    void *const m = start(f, values);
    assert_true(ws_register_file_kind_find("differential")->wants_values(values));
    assert_int_equal(write_at(f, m, values, 0, 0, 10, &value), 12);
    value.after = after;
    assert_int_equal(write_at(f, m, values, 0, 1, 10, &value), 17);
    value.exec = ~8u; /* the lane that would change does not write */
    assert_int_equal(write_at(f, m, values, 0, 2, 10, &value), 12);
    assert_int_equal(write_at(f, m, values, 0, 3, 10, NULL), 17);
    assert_int_equal(write_at(f, m, values, 0, 16, 10, &value), 14); /* the bank of register 0 */
    free(m);
}

/* Magnetic banks: read 2, write 5 cycles, and the options in their order. */
enum { WIDTH = PORT + 1, EARLY, WAITING, WIDE, ROW_WORDS, BUFFER, SRAM, SRAM_WRITE, STT_OPTIONS };
#define STT() \
    { \
        16, 1, 2, 2, 5, 0, 0, 0, 0, 32, 64, 1, 0, 3 \
    }
enum { ROW = 32 * WS_CELLS_PARTS, TWO_BITS = 2 * WS_CELLS_PARTS / 32 };

/* Lanes that all had `before` and have `after`. */
static ws_value value_of(uint64_t before, uint64_t after, uint64_t content[2][WS_WARP])
{
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        content[0][lane] = before;
        content[1][lane] = after;
    }
    return (ws_value){.bytes = 4, .exec = UINT32_MAX, .before = content[0], .after = content[1]};
}

static void magnetic_writes(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    static const unsigned bits[] = {2, 4, 8, 16, 32, 32};
    uint64_t content[2][WS_WARP], values[STT_OPTIONS] = STT();
    ws_value same = value_of(7, 7, content);
    assert_false(ws_register_file_kind_find("stt")->wants_values(values));
    void *m = start(f, values);
    did = (ws_activity){0};
    assert_int_equal(write_at(f, m, values, 0, 0, 10, &same), 15); /* whole, whatever it was */
    assert_int_equal(write_at(f, m, values, 0, 16, 10, NULL), 20); /* the bank of register 0 */
    assert_int_equal(did.registers_cell_lanes[0], 64);
    assert_int_equal(did.registers_cell_parts[0], 2 * ROW);
    free(m);
    for (unsigned i = 0; i < 6; i++) {
        values[WIDTH] = 1u << i;
        m = start(f, values);
        did = (ws_activity){0};
        assert_true(ws_register_file_kind_find("stt")->wants_values(values));
        ws_value v = value_of(0x0000ffff, 0x0001fffe, content);
        assert_int_equal(write_at(f, m, values, 0, 0, 10, &v), 17); /* read, then written */
        assert_int_equal(did.registers_cell_parts[0], 32 * 2 * bits[i]);
        same = value_of(5, 5, content);
        assert_int_equal(write_at(f, m, values, 0, 1, 10, &same), 12); /* read alone */
        assert_int_equal(did.registers_cell_parts[0], 32 * 2 * bits[i]);
        assert_int_equal(did.registers_cell_lanes[0], 64);
        assert_int_equal(write_at(f, m, values, 0, 2, 10, NULL), 17); /* nobody knows: as the two before */
        assert_int_equal(did.registers_cell_parts[0], 32 * 2 * bits[i] * 3 / 2);
        v = value_of(0, 1, content); /* of 64 bits, which are a register as well: three have 128 bits so far */
        v.bytes = 8;
        const uint64_t before = did.registers_cell_parts[0];
        assert_int_equal(write_at(f, m, values, 0, 3, 10, &v), 17);
        assert_int_equal(did.registers_cell_parts[0] - before, (32u << i) * WS_CELLS_PARTS * 3 / 128);
        free(m);
    }
}

static void early_ends(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    uint64_t content[2][WS_WARP], values[STT_OPTIONS] = STT();
    values[EARLY] = 1;
    void *const m = start(f, values);
    did = (ws_activity){0};
    ws_value v = value_of(0x0000ffff, 0x0001fffe, content);
    assert_int_equal(write_at(f, m, values, 0, 0, 10, &v), 15); /* nothing is read first */
    v = value_of(1, 1, content);
    assert_int_equal(write_at(f, m, values, 0, 1, 10, &v), 12); /* all bits are seen to be there */
    assert_int_equal(did.registers_cell_parts[0], 32 * TWO_BITS);
    values[WIDTH] = 4;
    assert_int_equal(ws_register_file_kind_find("stt")->check(values), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "registers.ewt"));
    values[EARLY] = 0;
    assert_int_equal(ws_register_file_kind_find("stt")->check(values), WS_OK);
    values[WIDTH] = 12;
    assert_int_equal(ws_register_file_kind_find("stt")->check(values), WS_EINPUT);
    free(m);
}

/* A word of each lane that takes part in a cycle, the last for as long as a write of all: 32 + 3 - 1. */
static void words_in_turn(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("banked"));
    uint64_t values[] = {16, 1, 2, 1, 3, 1};
    void *m = start(f, values);
    const uint16_t first = 0, other = 16;
    did = (ws_activity){0};
    assert_int_equal(f->idle(values), 1 + 3 + 31);
    assert_int_equal(write_at(f, m, values, 0, first, 10, NULL), 44);
    assert_int_equal(read_at(f, m, values, 0, &other, 1, 10), 45); /* the bank has one port, and reads rows whole */
    assert_int_equal(did.registers_more_turns[0], 31);
    ws_register_use use = {.exec = 0xff0f, .cycle = 60, .did = &did};
    assert_int_equal(f->write(m, values, &use, first), 60 + 12 + 2);
    assert_int_equal(did.registers_more_turns[0], 31 + 11);
    free(m);
    /* A port of 8: runs of 4 and of 8 are a turn each, that of 9 two. */
    values[PORT] = 8;
    m = start(f, values);
    did = (ws_activity){0};
    assert_int_equal(write_at(f, m, values, 0, first, 10, NULL), 10 + 3 + 3);
    use = (ws_register_use){.exec = 0x1ff0ff0f, .cycle = 20, .did = &did};
    assert_int_equal(f->write(m, values, &use, first), 20 + 3 + 3);
    use.exec = 0x55555555; /* nothing is adjacent */
    use.cycle = 30;
    assert_int_equal(f->write(m, values, &use, first), 30 + 3 + 15);
    assert_int_equal(did.registers_more_turns[0], 3 + 3 + 15);
    free(m);
    values[PORT] = 3;
    assert_int_equal(ws_register_file_kind_find("banked")->check(values), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "registers.port = 3"));
}

/* One bank. Two registers of a row at 10 are in the buffer at 11; the bank takes them from 11 and from 16 on. */
static void writes_wait(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    uint64_t values[STT_OPTIONS] = STT();
    values[BANKS] = 1;
    values[WAITING] = 2;
    void *m = start(f, values);
    const uint16_t first = 0, second = 1, other = 2;
    did = (ws_activity){0};
    assert_int_equal(f->idle(values), 2 + 1);
    assert_int_equal(read_at(f, m, values, 0, NULL, 0, 10), 10);
    assert_int_equal(write_at(f, m, values, 0, first, 10, NULL), 11);
    assert_int_equal(write_at(f, m, values, 0, second, 10, NULL), 11);
    assert_int_equal(write_at(f, m, values, 0, second, 12, NULL), 13); /* joins: its turn begins at 16 */
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(did.registers_merged_lanes[0], 32);
    assert_int_equal(did.registers_cell_lanes[0], 64);
    assert_int_equal(did.registers_buffered_lanes[0], 96);
    assert_int_equal(write_at(f, m, values, 0, first, 12, NULL),
                     16); /* on its way into the bank: waits for a place, which is free at 16, then from 21 to 26 */
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(read_at(f, m, values, 0, &second, 1, 14), 15); /* from the buffer */
    assert_int_equal(read_at(f, m, values, 0, &other, 1, 14), 28);  /* from the bank */
    assert_int_equal(read_at(f, m, values, 0, &second, 1, 30), 32);
    assert_int_equal(read_at(f, m, values, 1, &second, 1, 14), 30); /* another warp's */
    assert_int_equal(did.registers_more_turns[0], 0);
    free(m);
}

/* A row of two registers, which are those of two warps where there are several banks: their lanes are adjacent. */
static void wide_writes(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    uint64_t values[STT_OPTIONS] = STT();
    values[BANKS] = 4;
    values[WAITING] = 8;
    void *m = start(f, values);
    const ws_register_use high = {.warp = 1, .exec = 0xffff0000, .cycle = 11, .did = &did},
                          beside = {.warp = 0, .exec = 0xffff, .cycle = 12, .did = &did},
                          sparse = {.warp = 1, .exec = 0x0f0f0f0f, .cycle = 10, .did = &did},
                          holes = {.warp = 1, .exec = 0xf0f0f0f0, .cycle = 11, .did = &did};
    did = (ws_activity){0};
    assert_int_equal(write_at(f, m, values, 0, 5, 10, NULL), 11); /* keeps the bank from 11 to 16: another row */
    /* Registers 2 of warp 1 and 3 of warp 0 are in bank 3, one row: high lanes of one, low lanes of the other. */
    assert_int_equal(write_at(f, m, values, 2, 1, 10, NULL), 11); /* keeps bank 3 from 11 to 16 */
    assert_int_equal(f->write(m, values, &high, 2), 12);          /* from 16 to 21 */
    assert_int_equal(did.registers_merged[0], 0);
    assert_int_equal(f->write(m, values, &beside, 3), 13); /* in the same turn */
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(did.registers_merged_lanes[0], 0);
    assert_int_equal(did.registers_cell_lanes[0], 64 + 16 + 16);
    const uint16_t mine = 3, another = 7;
    assert_int_equal(read_at(f, m, values, 0, &mine, 1, 20), 21);    /* from the buffer */
    assert_int_equal(read_at(f, m, values, 0, &another, 1, 20), 23); /* from the bank, free at 21 */
    /* 32 lanes more take a turn more than there is: turns of their own. */
    assert_int_equal(write_at(f, m, values, 2, 1, 40, NULL), 41);
    assert_int_equal(
        f->write(m, values, &(ws_register_use){.warp = 1, .exec = UINT32_MAX, .cycle = 40, .did = &did}, 2), 41);
    assert_int_equal(write_at(f, m, values, 0, 3, 41, NULL), 42);
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(read_at(f, m, values, 0, &another, 1, 41), 58); /* three writes from 41 on */
    free(m);
    /* Words apart: four turns, which the other words need no more of. */
    m = start(f, values);
    did = (ws_activity){0};
    write_at(f, m, values, 2, 1, 10, NULL);
    assert_int_equal(f->write(m, values, &sparse, 2), 11); /* from 16 to 24 */
    assert_int_equal(did.registers_more_turns[0], 3);
    assert_int_equal(f->write(m, values, &holes, 2), 12);
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(read_at(f, m, values, 0, &another, 1, 12), 26);
    free(m);
    /* Twice as wide, registers of two warps are one turn. */
    values[WIDE] = 64;
    m = start(f, values);
    did = (ws_activity){0};
    write_at(f, m, values, 2, 1, 10, NULL);
    assert_int_equal(write_at(f, m, values, 1, 2, 10, NULL), 11);
    assert_int_equal(write_at(f, m, values, 0, 3, 10, NULL), 11);
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(read_at(f, m, values, 0, &another, 1, 12), 23);
    free(m);
    values[WIDE] = 48;
    assert_int_equal(ws_register_file_kind_find("stt")->check(values), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "registers.wide = 48"));
    values[WIDE] = 32;
    values[ROW_WORDS] = 80;
    assert_int_equal(ws_register_file_kind_find("stt")->check(values), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "registers.row = 80"));
}

/* What joins changes cells from what they hold, once. */
static void differences_wait(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    uint64_t content[2][WS_WARP], values[STT_OPTIONS] = STT();
    values[BANKS] = 1;
    values[WAITING] = 4;
    values[WIDTH] = 1;
    void *const m = start(f, values);
    did = (ws_activity){0};
    write_at(f, m, values, 0, 9, 10, NULL); /* in the bank from 11 to 18 */
    const uint64_t unknown = did.registers_cell_parts[0];
    ws_value v = value_of(0, 1, content);
    write_at(f, m, values, 0, 1, 10, &v);
    v = value_of(1, 3, content);
    write_at(f, m, values, 0, 1, 11, &v);
    assert_int_equal(did.registers_merged[0], 1);
    assert_int_equal(did.registers_cell_parts[0] - unknown, 32 * TWO_BITS); /* 0 becomes 3 */
    v = value_of(3, 0, content);
    write_at(f, m, values, 0, 1, 12, &v);
    assert_int_equal(did.registers_merged[0], 2);
    assert_int_equal(did.registers_cell_parts[0] - unknown, 32 * TWO_BITS);
    /* A row that is only to be compared takes no change in. */
    v = value_of(4, 4, content);
    write_at(f, m, values, 0, 2, 10, &v);
    v = value_of(4, 5, content);
    write_at(f, m, values, 0, 2, 11, &v);
    assert_int_equal(did.registers_merged[0], 2);
    free(m);
}

static void long_lived_in_sram(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt"));
    uint64_t values[STT_OPTIONS] = STT();
    values[SRAM] = 4;
    void *const m = start(f, values);
    const uint16_t both[] = {3, 4};
    did = (ws_activity){0};
    assert_int_equal(write_at(f, m, values, 0, 3, 10, NULL), 13);
    assert_int_equal(write_at(f, m, values, 0, 4, 10, NULL), 15);
    assert_int_equal(read_at(f, m, values, 0, both, 2, 20), 22);
    assert_int_equal(did.registers_sram_write_lanes[0], 32);
    assert_int_equal(did.registers_sram_read_lanes[0], 32);
    assert_int_equal(did.registers_cell_lanes[0], 32);
    free(m);
}

/* With arrays as wide as a word, times are those of `differential`. */
static void as_differential(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("stt")),
                                      *const d = ws_register_file_ops_of(ws_register_file_kind_find("differential"));
    uint64_t content[2][WS_WARP], values[STT_OPTIONS] = STT();
    values[WIDTH] = 32;
    void *const m = start(f, values), *const n = start(d, values);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    for (unsigned i = 0; i < 1000; i++) {
        const uint16_t reg = (uint16_t)gsl_rng_uniform_int(rng, 32);
        const uint64_t now = i + gsl_rng_uniform_int(rng, 20);
        const ws_value v = value_of(gsl_rng_uniform_int(rng, 2), gsl_rng_uniform_int(rng, 2), content);
        assert_int_equal(write_at(f, m, values, i % 7, reg, now, i % 5 ? &v : NULL),
                         write_at(d, n, values, i % 7, reg, now, i % 5 ? &v : NULL));
        assert_int_equal(read_at(f, m, values, i % 5, &reg, 1, i), read_at(d, n, values, i % 5, &reg, 1, i));
    }
    assert_int_equal(f->idle(values), d->idle(values));
    gsl_rng_free(rng);
    free(m);
    free(n);
}

static void random_traffic(void **state)
{
    (void)state;
    enum { CYCLES = 4000, REACH = 6000, AHEAD = 180 }; /* AHEAD: the calendar of a bank reaches farther */
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("banked"));
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(rng, 3);
    for (unsigned trial = 0; trial < 4; trial++) {
        const uint64_t values[] = {4 + trial, 1 + trial / 2, 64, 1 + trial % 2, 1 + trial, 0};
        void *const m = start(f, values);
        uint8_t(*const used)[REACH] = calloc(values[BANKS], sizeof *used);
        assert_non_null(used);
        for (uint64_t now = 0; now < CYCLES; now++) {
            if (gsl_rng_uniform_int(rng, 4))
                continue;
            const unsigned warp = (unsigned)gsl_rng_uniform_int(rng, 64);
            const uint16_t reg = (uint16_t)gsl_rng_uniform_int(rng, 256);
            const int writes = now && gsl_rng_uniform_int(rng, 3) == 0;
            uint16_t unused = 0;
            if (writes) /* the file learns the time from reads */
                assert_int_equal(read_at(f, m, values, 0, &unused, 0, now), now);
            const uint64_t from = writes ? now + gsl_rng_uniform_int(rng, AHEAD) : now,
                           length = values[writes ? WRITE : READ];
            uint8_t *const bank = used[(reg + warp) % values[BANKS]];
            uint64_t at = from;
            for (uint64_t i = 0; i < length; i++)
                if (bank[at + i] == values[PORTS]) {
                    at += i + 1;
                    i = UINT64_MAX;
                }
            for (uint64_t i = 0; i < length; i++)
                bank[at + i]++;
            assert_int_equal(writes ? write_at(f, m, values, warp, reg, from, NULL)
                                    : read_at(f, m, values, warp, &reg, 1, now),
                             at + length);
        }
        free(used);
        free(m);
    }
    gsl_rng_free(rng);
}

static void ideal_and_names(void **state)
{
    (void)state;
    const ws_register_file_ops *const f = ws_register_file_ops_of(ws_register_file_kind_find("ideal"));
    const uint16_t same[] = {0, 16, 32};
    uint64_t again;
    assert_int_equal(f->state_size(NULL), 0);
    assert_true(f->has_room(NULL, NULL, 9, &again));
    assert_int_equal(read_at(f, NULL, NULL, 0, same, 3, 20), 20);
    assert_int_equal(write_at(f, NULL, NULL, 0, 0, 20, NULL), 20);
    assert_null(ws_register_file_kind_find("ideal")->wants_values);
    assert_null(ws_register_file_kind_find("none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),    cmocka_unit_test(only_what_changes), cmocka_unit_test(magnetic_writes),
        cmocka_unit_test(early_ends),      cmocka_unit_test(words_in_turn),     cmocka_unit_test(writes_wait),
        cmocka_unit_test(wide_writes),     cmocka_unit_test(differences_wait),  cmocka_unit_test(long_lived_in_sram),
        cmocka_unit_test(as_differential), cmocka_unit_test(random_traffic),    cmocka_unit_test(ideal_and_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
