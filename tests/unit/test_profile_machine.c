/* test_profile_machine.c - profiles are made before anybody names a machine, so they carry numbers of one: those of the
 * configuration gtsc. Here they are held against it. */
#include "base/status.h"
#include "model/coherence/closed_form_internal.h"
#include "model/instruction_times.h"
#include "model/machine/closed_machine.h"
#include "model/sim/sm/decode.h"
#include "model/traffic_profile.h"
#include "tests/unit/machine_word.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static ws_machine *gtsc(void)
{
    ws_machine *m;
    if (ws_machine_read("data", "gtsc", &m))
        fail_msg("%s", ws_message());
    return m;
}

static void test_memory(void **state)
{
    (void)state;
    ws_machine *const m = gtsc();
    ws_closed_machine c;
    if (ws_closed_machine_of(m, "gtsc-rc", &c))
        fail_msg("%s", ws_message());
    assert_int_equal(lround(c.l1_cycles), WS_PROFILE_HIT_CYCLES);
    ws_closed_machine profiled = {0};
    ws_closed_profiled_waits(&profiled);
    for (unsigned i = 0; i < WS_CHAIN_WAITS; i++)
        if (i / WS_NUMBERS != WS_WORK_MATRIX && i / WS_NUMBERS != WS_WORK_NOTHING) /* by tiles; without a result */
            assert_float_equal(c.wait_cycles[i], profiled.wait_cycles[i], 0);
    assert_float_equal(c.refill_cycles, profiled.refill_cycles, 0);
    assert_int_equal(lround(c.l2_cycles), WS_PROFILE_L2_CYCLES);
    assert_int_equal(lround(c.memory_cycles), WS_PROFILE_MEMORY_CYCLES);
    assert_int_equal(lround(c.slices), WS_PROFILE_SLICES);
    assert_int_equal(m->l1_sets, WS_PROFILE_SETS);
    assert_int_equal(m->l1_ways, WS_PROFILE_WAYS);
    assert_int_equal(m->l1_mshrs, WS_PROFILE_MSHRS);
    assert_int_equal(m->texture_sets, WS_PROFILE_TEXTURE_SETS);
    assert_int_equal(m->texture_ways, WS_PROFILE_TEXTURE_WAYS);
    assert_int_equal(m->texture_line, WS_WORK_TEXTURE_LINE);
    assert_int_equal(m->texture_mshrs, WS_PROFILE_MSHRS);
    assert_int_equal(m->texture_latency, WS_TIME_TEXTURE_LOAD);
    assert_int_equal(m->constant_sets, WS_PROFILE_CONSTANT_SETS);
    assert_int_equal(m->constant_ways, WS_PROFILE_CONSTANT_WAYS);
    assert_int_equal(m->constant_line, WS_WORK_CONSTANT_LINE);
    assert_int_equal(m->constant_mshrs, WS_PROFILE_CONSTANT_MSHRS);
    assert_int_equal(m->constant_latency, WS_TIME_CONSTANT_LOAD);
    assert_int_equal(m->sm_refill, WS_TIME_REFILL);
    assert_string_equal(machine_word_of(m, latency_from), "operands");
    assert_string_equal(machine_word_of(m, registers_file), "banked"); /* which reads and writes in a cycle each: */
    assert_int_equal(WS_TIME_REGISTERS, 2);
    assert_int_equal(m->l2_stripe / m->l2_line, WS_PROFILE_STRIPE);
    assert_int_equal(m->l2_sets * WS_PROFILE_SLICES, WS_PROFILE_L2_SETS);
    assert_int_equal(m->l2_ways, WS_PROFILE_L2_WAYS);
    assert_int_equal(m->coherence_lease, WS_PROFILE_LEASE);
    assert_int_equal(m->coherence_spin, WS_PROFILE_SPIN);
    ws_machine_destroy(m);
}

/* Cycles from an instruction of that work and those numbers to one that reads what it writes: by the rows that profiles
 * go by. */
static const uint16_t times[WS_WORKS][3] = {
#define INSTRUCTION_TIME(work, integer, single, twice) [WS_WORK_##work] = {integer, single, twice},
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
};

static void test_instructions(void **state)
{
    (void)state;
    static const uint8_t units[] = {WS_UNIT_INT, WS_UNIT_SP, WS_UNIT_DP};
    static const uint8_t numbers[] = {WS_NUMBER_INTEGER, WS_NUMBER_SINGLE, WS_NUMBER_DOUBLE};
    ws_machine *const m = gtsc();
    for (unsigned work = 0; work < WS_WORKS; work++) {
        if (work == WS_WORK_MATRIX || work == WS_WORK_NOTHING)
            continue; /* the machine has no unit for these; it issues what does nothing at once */
        for (unsigned i = 0; i < 3; i++) {
            const ws_instr instr = {
                .work = (uint8_t)work, .unit = units[i], .number = numbers[i], .cls = WS_CLASS_INTEGER};
            const ws_launch launch = {.kernel = "k", .instr = &instr, .instrs = 1};
            ws_decoded decoded;
            uint32_t registers;
            assert_int_equal(ws_decode_launch(&launch, m, &decoded, &registers), WS_OK);
            if (decoded.latency != times[work][i])
                fail_msg("work %u, numbers %u: %u cycles in the machine, %u in instruction_times.def", work, i,
                         decoded.latency, times[work][i]);
        }
    }
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
