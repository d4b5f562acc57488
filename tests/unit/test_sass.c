/* test_sass.c - the table of SASS opcodes, and what spellings tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "collect/sass/sass.h"
#include "model/machine/atomic_kind.h"
#include "model/sim/sm/decode.h"
#include "tests/unit/facts.h"
#include "model/machine/machine.h"

#include <string.h>

static const char *const names[] = {
#define SASS(name, ...) #name,
#include "collect/sass/sass_opcode.def"
#undef SASS
};
enum { ROWS = sizeof names / sizeof *names };

static void rows_are_whole(void **state)
{
    (void)state;
    const ws_sass *const table = ws_sass_find(names[0]);
    for (size_t i = 0; i < ROWS; i++) {
        const ws_sass *const row = &table[i];
        assert_ptr_equal(ws_sass_find(names[i]), row); /* once */
        assert_int_equal(strlen(row->machines), 6);
        for (unsigned k = 0; k < 6; k++)
            assert_true(row->machines[k] == '-' || row->machines[k] == "KPVTAH"[k]);
        assert_non_null(strpbrk(row->machines, "KPVTAH"));
        assert_int_equal(row->cls == WS_CLASS_MEMORY, row->access != WS_ACCESS_NONE);
        assert_int_equal(row->cls == WS_CLASS_MEMORY, row->space != WS_SPACE_NONE);
        assert_int_equal(row->cls == WS_CLASS_BRANCH, row->flow == WS_SASS_JUMP);
    }
}

static void opcodes(void **state)
{
    (void)state;
    assert_string_equal(ws_sass_find("IMAD.WIDE.U32")->name, "IMAD");
    assert_string_equal(ws_sass_find("HADD2_32I")->name, "HADD2_32I");
    assert_null(ws_sass_find("LD2"));
    assert_null(ws_sass_find("L"));
    assert_null(ws_sass_find(""));
    assert_int_equal(ws_sass_find("LDG.E")->space, WS_SPACE_GLOBAL);
    assert_int_equal(ws_sass_find("MUFU.RCP")->cls, WS_CLASS_SPECIAL);
    assert_true(ws_sass_has("LDG.E.STRONG.GPU", "STRONG"));
    assert_false(ws_sass_has("LDG.E.STRONG.GPU", "STR"));
    assert_false(ws_sass_has("GPU", "GPU"));
}

/* Those that Accel-Sim's reader gets wrong among them. */
static void bytes(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        unsigned bytes;
    } expected[] = {
        {"LDG.E.SYS", 4},
        {"LDG.E.U8.SYS", 1},
        {"LDG.E.S8", 1},
        {"STG.E.U16", 2},
        {"LDG.E.S16", 2},
        {"LDG.E.64", 8},
        {"LDS.U.128", 16},
        {"RED.E.ADD.F64.RN", 8},
        {"ATOM.E.ADD.F16x2.RN", 4},
        {"ATOMG.E.CAS.64", 8},
        {"LDSM.16.M88", 4},
        {"LDSM.16.M88.2", 8},
        {"LDSM.16.MT88.4", 16},
        {"LDGSTS.E.BYPASS.LTC128B.128", 16},
        {"LDGSTS.E.LTC128B", 4},
        {"ATOMS.ADD.F32", 4},
        {"STG.E.BF16", 2},
        {"RED.E.ADD.F16", 2},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(ws_sass_bytes(expected[i].opcode), expected[i].bytes);
}

/* The simulator knows the units of all: floating point is never on integers', and nothing else on those. */
static void units(void **state)
{
    (void)state;
    ws_machine m = {.sm_int_units = 1, .sm_dp_units = 1, .sm_lanes = 32, .sm_atomics = ws_atomic_kind_at(0)};
    const ws_sass *const table = ws_sass_find(names[0]);
    for (size_t i = 0; i < ROWS; i++) {
        const ws_instr in =
            with_sass_facts((ws_instr){.opcode = table[i].name, .cls = table[i].cls, .access = table[i].access});
        const ws_launch launch = {.kernel = "k", .instr = &in, .instrs = 1, .isa = WS_ISA_SASS};
        ws_decoded d;
        uint32_t registers;
        assert_int_equal(ws_decode_launch(&launch, &m, &d, &registers), WS_OK);
        const bool floats = d.unit == WS_UNIT_SP || d.unit == WS_UNIT_DP;
        if (floats != (table[i].cls == WS_CLASS_FLOAT))
            fail_msg("%s: unit %u", table[i].name, d.unit);
        assert_int_equal(d.unit == WS_UNIT_DP, table[i].cls == WS_CLASS_FLOAT && *table[i].name == 'D');
        assert_int_equal(d.fence, !strcmp(table[i].name, "MEMBAR") || !strcmp(table[i].name, "FENCE"));
    }
}

static void polls(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        bool poll;
    } expected[] = {
        {"LDG.E.STRONG.GPU", true}, {"LDG.E.STRONG.SYS", true}, {"LDG.E.STRONG.CTA", false}, {"LDG.E.SYS", false}};
    const ws_machine m = {.coherence_polls = 1, .sm_lanes = 32, .sm_atomics = ws_atomic_kind_at(0)};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ws_instr in =
            with_sass_facts((ws_instr){.opcode = expected[i].opcode, .cls = WS_CLASS_MEMORY, .access = WS_ACCESS_LOAD});
        const ws_launch launch = {.kernel = "k", .instr = &in, .instrs = 1};
        ws_decoded d;
        uint32_t registers;
        assert_int_equal(ws_decode_launch(&launch, &m, &d, &registers), WS_OK);
        assert_int_equal(d.poll, expected[i].poll);
    }
    assert_true(with_sass_facts((ws_instr){.opcode = "BAR.ARV", .cls = WS_CLASS_BARRIER}).arrival);
    assert_false(with_sass_facts((ws_instr){.opcode = "BAR.SYNC", .cls = WS_CLASS_BARRIER}).arrival);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_whole), cmocka_unit_test(opcodes), cmocka_unit_test(bytes),
        cmocka_unit_test(units),          cmocka_unit_test(polls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
