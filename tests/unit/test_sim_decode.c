/* Which unit and times instructions get: every spelling of the corpus has a row, and kinds are as documented. */
#include "model/sim/sm/decode.h"
#include "tests/unit/facts.h"
#include "tests/unit/machine_word.h"

#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static ws_machine machine(void)
{
    ws_machine m;
    memset(&m, 0, sizeof m);
    uint32_t n = 1;
#define NUMBER(section, name, unit, fallback, least, most, meaning) m.section##_##name = n++;
#define WORD(section, name, fallback, meaning)
#define KIND(section, name, fallback, meaning)
#include "model/machine/machine.def"
#undef NUMBER
#undef WORD
#undef KIND
    m.sm_lanes = 32;
    machine_word(&m, sm_atomics, "serial");
    machine_word(&m, sm_conversions, "sp");
    return m;
}

static ws_decoded decode(const ws_machine *m, const char *opcode, ws_class cls, ws_access access)
{
    const ws_instr in = with_facts((ws_instr){.opcode = opcode, .cls = (uint8_t)cls, .access = (uint8_t)access});
    const ws_launch launch = {.kernel = "k", .instr = &in, .instrs = 1};
    ws_decoded d;
    uint32_t registers;
    assert_int_equal(ws_decode_launch(&launch, m, &d, &registers), 0);
    assert_int_equal(registers, 0);
    return d;
}

/* Whatever unit, work and numbers come together, the machine has times for it. */
static void every_work_takes_time(void **state)
{
    (void)state;
    const ws_machine m = machine();
    for (unsigned i = 0; i < WS_UNITS * WS_WORKS * WS_NUMBERS; i++) {
        const ws_instr in = {.unit = (uint8_t)(i % WS_UNITS),
                             .work = (uint8_t)(i / WS_UNITS % WS_WORKS),
                             .number = (uint8_t)(i / WS_UNITS / WS_WORKS)};
        const ws_launch launch = {.kernel = "k", .instr = &in, .instrs = 1};
        ws_decoded d;
        uint32_t registers;
        assert_int_equal(ws_decode_launch(&launch, &m, &d, &registers), 0);
        if (in.work != WS_WORK_MATRIX)
            assert_int_equal(d.unit, in.unit);
        if (!d.latency || !d.initiation)
            fail_msg("unit %u, work %u, number %u: no time", in.unit, in.work, in.number);
    }
}

static void kinds_and_units(void **state)
{
    (void)state;
    const ws_machine m = machine();
    const struct {
        const char *opcode;
        uint8_t unit;
        uint32_t latency, initiation;
    } table[] = {
#define T(opcode, unit, name) {opcode, WS_UNIT_##unit, m.latency_##name, m.initiation_##name}
        T("add.s32", INT, int_add),
        T("add.rn.f32", SP, fp_add),
        T("sub.f64", DP, dp_add),
        T("mad.lo.s32", INT, int_mad),
        T("fma.rn.f32", SP, fp_mad),
        T("fma.rn.f64", DP, dp_mad),
        T("mul.wide.u32", INT, int_mul),
        T("mul.f16x2", SP, half),
        T("fma.rn.bf16", SP, half),
        T("shl.b32", INT, shift),
        T("shf.l.wrap.b32", INT, shift),
        T("popc.b32", SFU, sfu),
        T("div.s32", SFU, int_div),
        T("div.rn.f32", SFU, fp_div),
        T("div.rn.f64", SFU, dp_div),
        T("div.approx.ftz.f32", SFU, sfu),
        T("rem.u32", SFU, int_div),
        T("rsqrt.approx.f32", SFU, sfu),
        T("setp.lt.f32", SP, fp_max),
        T("setp.ge.s64", INT, int_max),
        T("max.f64", DP, dp_max),
        T("cvt.rn.f32.f64", SP, dp_convert),
        T("cvt.rzi.s32.f32", SP, convert),
        T("cvt.u32.u16", INT, int_add),
        T("mov.f32", INT, int_add),
        T("selp.f64", INT, int_max),
        T("shfl.sync.down.b32", INT, exchange),
        T("bra.uni", INT, int_add),
#undef T
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const ws_decoded d = decode(&m, table[i].opcode, WS_CLASS_OTHER, WS_ACCESS_NONE);
        if (d.unit != table[i].unit || d.latency != table[i].latency || d.initiation != table[i].initiation)
            fail_msg("%s: unit %u latency %u initiation %u", table[i].opcode, d.unit, d.latency, d.initiation);
    }
    assert_int_equal(decode(&m, "ld.global.v4.f32", WS_CLASS_MEMORY, WS_ACCESS_LOAD).unit, WS_UNIT_MEMORY);
    assert_int_equal(decode(&m, "bar.sync", WS_CLASS_BARRIER, 0).unit, WS_UNIT_NONE);
}

static void units_and_lanes_of_the_machine(void **state)
{
    (void)state;
    ws_machine m = machine();
    m.initiation_int_add = 3;
    m.sm_lanes = 8;
    assert_int_equal(decode(&m, "add.s32", WS_CLASS_INTEGER, 0).initiation, 4);
    m.sm_lanes = 5; /* 32 lanes in groups of 5: 7 */
    assert_int_equal(decode(&m, "add.s32", WS_CLASS_INTEGER, 0).initiation, 7);
    m.sm_lanes = 16;
    assert_int_equal(decode(&m, "add.s32", WS_CLASS_INTEGER, 0).initiation, 3);
    assert_int_equal(decode(&m, "bar.sync", WS_CLASS_BARRIER, 0).initiation, 1);
    m.sm_int_units = m.sm_dp_units = 0;
    assert_int_equal(decode(&m, "add.s32", WS_CLASS_INTEGER, 0).unit, WS_UNIT_SP);
    assert_int_equal(decode(&m, "add.f64", WS_CLASS_FLOAT, 0).unit, WS_UNIT_SP);
    assert_int_equal(decode(&m, "add.f64", WS_CLASS_FLOAT, 0).latency, m.latency_dp_add);
}

static ws_decoded decode_matrix(const ws_machine *m, const char *opcode, ws_number number)
{
    const ws_instr in = {
        .opcode = opcode, .unit = WS_UNIT_SP, .work = WS_WORK_MATRIX, .number = (uint8_t)number, .cls = WS_CLASS_FLOAT};
    const ws_launch launch = {.kernel = "k", .instr = &in, .instrs = 1};
    ws_decoded d;
    uint32_t registers;
    assert_int_equal(ws_decode_launch(&launch, m, &d, &registers), 0);
    return d;
}

/* A tensor unit is busy for multiply-adds / rate; without one, the units of single numbers do 32 of them at a time. */
static void products_of_matrices(void **state)
{
    (void)state;
    ws_machine m = machine();
    m.sm_tensor_units = 4;
    m.tensor_half = 128, m.tensor_mixed = 64, m.tensor_byte = 256, m.tensor_tf32 = 0, m.tensor_latency = 22;
    static const struct {
        const char *opcode;
        uint32_t initiation;
    } table[] = {
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16", 16 * 16 * 16 / 128},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 16 * 16 * 16 / 64},
        {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16 * 8 * 16 / 128},
        {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16 * 8 * 16 / 64},
        {"mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", 4 * 8 * 8 * 4 / 128}, /* four at a time */
        {"mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", 16 * 8 * 32 / 2 / 128},
        {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16 * 8 * 32 / 256},
        {"HMMA.16816.F32", 16 * 8 * 16 / 64},
        {"HMMA.1688.F16", 16 * 8 * 8 / 128},
        {"HMMA.884.F32.F32.STEP3", 256 / 64}, /* Volta: a fourth of 1024 */
        {"HMMA.884.F16.F16.STEP1", 512 / 128},
        {"IMMA.16832.S8.S8", 16 * 8 * 32 / 256},
        {"HGMMA.64x256x16.F32", 64 * 256 * 16 / 64},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const ws_decoded d = decode_matrix(&m, table[i].opcode, WS_NUMBER_HALF);
        if (d.unit != WS_UNIT_TENSOR || d.initiation != table[i].initiation || d.latency != d.initiation + 22)
            fail_msg("%s: unit %u latency %u initiation %u", table[i].opcode, d.unit, d.latency, d.initiation);
    }
    m.initiation_fp_mad = 2, m.latency_fp_mad = 4, m.initiation_dp_mad = 16, m.latency_dp_mad = 20;
    const ws_decoded tf32 = decode_matrix(&m, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", WS_NUMBER_SINGLE);
    assert_int_equal(tf32.unit, WS_UNIT_SP); /* no such rate */
    assert_int_equal(tf32.initiation, 16 * 8 * 8 / 32 * 2);
    assert_int_equal(tf32.latency, (16 * 8 * 8 / 32 - 1) * 2 + 4);
    m.sm_tensor_units = 0;
    assert_int_equal(decode_matrix(&m, "HMMA.16816.F32", WS_NUMBER_HALF).initiation, 16 * 8 * 16 / 32 * 2);
}

static void conversions_have_a_unit_of_their_own(void **state)
{
    (void)state;
    ws_machine m = machine();
    machine_word(&m, sm_conversions, "sfu");
    assert_int_equal(decode(&m, "cvt.f64.f32", WS_CLASS_FLOAT, 0).unit, WS_UNIT_SFU);
    assert_int_equal(decode(&m, "cvt.f64.f32", WS_CLASS_FLOAT, 0).initiation, m.initiation_dp_convert);
    assert_int_equal(decode(&m, "cvt.rn.f32.u32", WS_CLASS_FLOAT, 0).unit, WS_UNIT_SFU);
    assert_int_equal(decode(&m, "cvt.s64.s32", WS_CLASS_INTEGER, 0).unit, WS_UNIT_INT);
}

static void products_go_to_the_unit_that_is_named(void **state)
{
    (void)state;
    ws_machine m = machine();
    assert_int_equal(decode(&m, "mad.lo.s32", WS_CLASS_INTEGER, 0).unit, WS_UNIT_INT);
    machine_word(&m, sm_products, "sp");
    assert_int_equal(decode(&m, "mad.lo.s32", WS_CLASS_INTEGER, 0).unit, WS_UNIT_SP);
    assert_int_equal(decode(&m, "mul.lo.s32", WS_CLASS_INTEGER, 0).initiation, m.initiation_int_mul);
    assert_int_equal(decode(&m, "add.s32", WS_CLASS_INTEGER, 0).unit, WS_UNIT_INT);
    assert_int_equal(decode(&m, "div.s32", WS_CLASS_INTEGER, 0).unit, decode(&m, "rem.s32", WS_CLASS_INTEGER, 0).unit);
}

static void halves_and_shifts_are_as_others_where_nothing_is_said(void **state)
{
    (void)state;
    ws_machine m = machine();
    m.latency_half = m.initiation_half = m.latency_shift = m.initiation_shift = 0;
    assert_int_equal(decode(&m, "fma.rn.f16x2", WS_CLASS_FLOAT, 0).latency, m.latency_fp_mad);
    assert_int_equal(decode(&m, "min.f16", WS_CLASS_FLOAT, 0).initiation, m.initiation_fp_max);
    assert_int_equal(decode(&m, "shr.u64", WS_CLASS_INTEGER, 0).latency, m.latency_int_add);
    assert_int_equal(decode(&m, "shl.b16", WS_CLASS_INTEGER, 0).initiation, m.initiation_int_add);
    m.initiation_half = 7;
    assert_int_equal(decode(&m, "add.f16", WS_CLASS_FLOAT, 0).initiation, 7);
    assert_int_equal(decode(&m, "add.f16", WS_CLASS_FLOAT, 0).latency, m.latency_fp_add);
}

static void fences_and_polls(void **state)
{
    (void)state;
    const ws_machine m = machine();
    assert_true(decode(&m, "membar.gl", WS_CLASS_OTHER, 0).fence);
    assert_true(decode(&m, "fence.acq_rel.gpu", WS_CLASS_OTHER, 0).fence);
    assert_false(decode(&m, "exit", WS_CLASS_OTHER, 0).fence);
    static const char *const polls[] = {"ld.volatile.global.u32", "ld.acquire.gpu.u32", "ld.relaxed.sys.global.u32",
                                        "ld.global.cg.u64", "ld.relaxed.cluster.u32"};
    static const char *const others[] = {"ld.global.u32", "ld.acquire.cta.u32", "ld.relaxed.cta.global.u32",
                                         "ld.global.ca.f32", "ld.weak.global.u32"};
    for (size_t i = 0; i < 5; i++) {
        assert_true(decode(&m, polls[i], WS_CLASS_MEMORY, WS_ACCESS_LOAD).poll);
        assert_false(decode(&m, others[i], WS_CLASS_MEMORY, WS_ACCESS_LOAD).poll);
        assert_false(decode(&m, polls[i], WS_CLASS_MEMORY, WS_ACCESS_STORE).poll);
    }
    ws_machine copies = m;
    copies.coherence_polls = 0;
    for (size_t i = 0; i < 5; i++)
        assert_false(decode(&copies, polls[i], WS_CLASS_MEMORY, WS_ACCESS_LOAD).poll);
}

static void registers_once(void **state)
{
    (void)state;
    const ws_machine m = machine();
    const ws_instr in[] = {{.opcode = "mad.lo.s32", .dsts = 1, .srcs = 3, .dst = {4}, .src = {7, 2, 7}},
                           {.opcode = "mov.u32", .dsts = 1, .srcs = 0, .dst = {11}},
                           {.opcode = "mov.u32", .dsts = WS_INSTR_DST + 1}};
    ws_launch launch = {.kernel = "k", .instr = in, .instrs = 2};
    ws_decoded d[3];
    uint32_t registers;
    assert_int_equal(ws_decode_launch(&launch, &m, d, &registers), 0);
    assert_int_equal(registers, 12);
    assert_int_equal(d[0].srcs, 2);
    assert_int_equal(d[0].src[0], 7);
    assert_int_equal(d[0].src[1], 2);
    launch.instrs = 3;
    assert_true(ws_decode_launch(&launch, &m, d, &registers) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_work_takes_time),
        cmocka_unit_test(kinds_and_units),
        cmocka_unit_test(units_and_lanes_of_the_machine),
        cmocka_unit_test(products_of_matrices),
        cmocka_unit_test(conversions_have_a_unit_of_their_own),
        cmocka_unit_test(products_go_to_the_unit_that_is_named),
        cmocka_unit_test(halves_and_shifts_are_as_others_where_nothing_is_said),
        cmocka_unit_test(fences_and_polls),
        cmocka_unit_test(registers_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
