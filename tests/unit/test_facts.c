/* test_facts.c - what instructions are said to be, for both instruction sets; and that whoever asks hears the same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/wst/wst.h"
#include "model/machine/atomic_kind.h"
#include "model/machine/machine.h"
#include "model/sim/sm/decode.h"
#include "tests/unit/access_logs.h"
#include "tests/unit/facts.h"
#include "tests/unit/op_names.h"

static const char *const corpus[] = {
#define C(text) text,
#include "tests/unit/ptx_corpus.def"
#undef C
};

enum { CORPUS = sizeof corpus / sizeof *corpus };

#define O(name) WS_ORDER_##name
#define S(name) WS_SCOPE_##name

static void orders_and_scopes(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        uint8_t order, scope;
        bool poll;
    } ptx[] =
        {
            {"ld.global.u32", O(NONE), S(NONE), false},
            {"ld.weak.global.u32", O(WEAK), S(NONE), false},
            {"ld.volatile.global.u32", O(VOLATILE), S(NONE), true},
            {"ld.relaxed.cta.global.u32", O(RELAXED), S(CTA), false},
            {"ld.relaxed.cluster.u32", O(RELAXED), S(CLUSTER), true},
            {"ld.relaxed.sys.global.u32", O(RELAXED), S(SYS), true},
            {"ld.acquire.cta.u32", O(ACQUIRE), S(CTA), false},
            {"ld.acquire.gpu.u32", O(ACQUIRE), S(GPU), true},
            {"ld.mmio.relaxed.sys.global.u32", O(MMIO), S(SYS), true},
            {"ld.global.cv.u64", O(NONE), S(NONE), true},
            {"ld.global.cg.u64", O(NONE), S(NONE), true},
            {"ld.global.ca.f32", O(NONE), S(NONE), false},
        },
      sass[] = {
          {"LDG.E", O(NONE), S(NONE), false},
          {"LDG.E.SYS", O(NONE), S(NONE), false},
          {"LDG.E.STRONG.SM", O(RELAXED), S(CTA), false},
          {"LDG.E.STRONG.CTA", O(RELAXED), S(CTA), false},
          {"LDG.E.STRONG.GPU", O(RELAXED), S(GPU), true},
          {"LDG.E.64.STRONG.SYS", O(RELAXED), S(SYS), true},
      };
    for (size_t i = 0; i < sizeof ptx / sizeof *ptx; i++) {
        const ws_instr in =
            with_facts((ws_instr){.opcode = ptx[i].opcode, .cls = WS_CLASS_MEMORY, .access = WS_ACCESS_LOAD});
        if (in.order != ptx[i].order || in.scope != ptx[i].scope || ws_instr_is_poll(&in) != ptx[i].poll)
            fail_msg("%s: order %u, scope %u, poll %d", in.opcode, in.order, in.scope, ws_instr_is_poll(&in));
    }
    for (size_t i = 0; i < sizeof sass / sizeof *sass; i++) {
        const ws_instr in =
            with_sass_facts((ws_instr){.opcode = sass[i].opcode, .cls = WS_CLASS_MEMORY, .access = WS_ACCESS_LOAD});
        if (in.order != sass[i].order || in.scope != sass[i].scope || ws_instr_is_poll(&in) != sass[i].poll)
            fail_msg("%s: order %u, scope %u, poll %d", in.opcode, in.order, in.scope, ws_instr_is_poll(&in));
    }
    assert_int_equal(with_facts((ws_instr){.opcode = "fence.sc.gpu"}).order, WS_ORDER_SC);
    assert_int_equal(with_facts((ws_instr){.opcode = "membar.cta"}).scope, WS_SCOPE_CTA);
    assert_int_equal(with_sass_facts((ws_instr){.opcode = "MEMBAR.SC.GPU"}).scope, WS_SCOPE_GPU);
    assert_true(with_facts((ws_instr){.opcode = "cp.async.ca.shared.global", .cls = WS_CLASS_MEMORY}).copy);
    assert_true(
        with_facts((ws_instr){.opcode = "cp.async.bulk.global.shared::cta.bulk_group", .cls = WS_CLASS_MEMORY}).copy);
    assert_false(with_facts((ws_instr){.opcode = "ld.global.f32", .cls = WS_CLASS_MEMORY}).copy);
    assert_true(with_sass_facts((ws_instr){.opcode = "LDGSTS.E.128", .cls = WS_CLASS_MEMORY}).copy &&
                !with_sass_facts((ws_instr){.opcode = "LDG.E"}).copy);
    assert_true(with_facts((ws_instr){.opcode = "membar.gl"}).fence &&
                with_sass_facts((ws_instr){.opcode = "MEMBAR.ALL.GPU"}).fence);
    assert_false(
        ws_instr_is_poll(&(ws_instr){.access = WS_ACCESS_STORE, .order = WS_ORDER_RELAXED, .scope = WS_SCOPE_GPU}));
}

static void atomics(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *sass;
        uint8_t atomic, number;
        bool is_signed;
    } table[] = {
        {"atom.global.add.u32", "ATOMG.E.ADD", WS_ATOMIC_ADD, WS_NUMBER_INTEGER, false},
        {"red.relaxed.gpu.global.add.f32", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU", WS_ATOMIC_ADD, WS_NUMBER_SINGLE, false},
        {"atom.global.add.noftz.f16x2", "ATOMG.E.ADD.F16x2.RN", WS_ATOMIC_ADD, WS_NUMBER_HALF, false},
        {"red.global.add.f64", "RED.E.ADD.F64.RN", WS_ATOMIC_ADD, WS_NUMBER_DOUBLE, false},
        {"atom.global.min.s32", "ATOMG.E.MIN.S32", WS_ATOMIC_MIN, WS_NUMBER_INTEGER, true},
        {"atom.shared.max.u64", "ATOMS.MAX.64", WS_ATOMIC_MAX, WS_NUMBER_INTEGER, false},
        {"atom.global.inc.u32", "ATOMG.E.INC", WS_ATOMIC_INC, WS_NUMBER_INTEGER, false},
        {"atom.global.dec.u32", "ATOMG.E.DEC", WS_ATOMIC_DEC, WS_NUMBER_INTEGER, false},
        {"atom.global.exch.b32", "ATOMG.E.EXCH", WS_ATOMIC_EXCH, WS_NUMBER_INTEGER, false},
        {"atom.global.cas.b64", "ATOMG.E.CAS.64", WS_ATOMIC_CAS, WS_NUMBER_INTEGER, false},
        {"red.global.and.b32", "RED.E.AND", WS_ATOMIC_AND, WS_NUMBER_INTEGER, false},
        {"red.global.or.b32", "RED.E.OR", WS_ATOMIC_OR, WS_NUMBER_INTEGER, false},
        {"red.global.xor.b32", "RED.E.XOR", WS_ATOMIC_XOR, WS_NUMBER_INTEGER, false},
        {"ld.global.u32", "LDG.E", WS_ATOMIC_NONE, WS_NUMBER_INTEGER, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const uint8_t access = table[i].atomic ? WS_ACCESS_ATOMIC : WS_ACCESS_LOAD;
        const ws_instr p = with_facts((ws_instr){.opcode = table[i].ptx, .cls = WS_CLASS_MEMORY, .access = access}),
                       s = with_sass_facts(
                           (ws_instr){.opcode = table[i].sass, .cls = WS_CLASS_MEMORY, .access = access});
        if (p.atomic != table[i].atomic || p.number != table[i].number || p.is_signed != table[i].is_signed)
            fail_msg("%s: atomic %u on %u, signed %d", table[i].ptx, p.atomic, p.number, p.is_signed);
        if (s.atomic != p.atomic || s.number != p.number || s.is_signed != p.is_signed)
            fail_msg("%s: atomic %u on %u, signed %d", table[i].sass, s.atomic, s.number, s.is_signed);
    }
}

/* What the functional replay and the models take for a poll is what the simulator does: over every load of the corpus.
 */
static void both_sides_agree_on_polls(void **state)
{
    (void)state;
    const ws_machine m = {.coherence_polls = 1, .sm_lanes = 32, .sm_atomics = ws_atomic_kind_at(0)};
    unsigned loads = 0;
    for (size_t i = 0; i < CORPUS; i++) {
        if (strncmp(corpus[i], "ld.", 3))
            continue;
        script *const s = script_create(1, 32);
        const uint32_t pc = instr(s, (ws_instr){.opcode = corpus[i],
                                                .cls = WS_CLASS_MEMORY,
                                                .space = WS_SPACE_GLOBAL,
                                                .access = WS_ACCESS_LOAD,
                                                .bytes = 4});
        access_line(s, 0, 0, pc, 1, 0x1000, 4);
        ws_access_log *const log = log_of(s);
        ws_decoded d;
        uint32_t registers;
        assert_int_equal(ws_decode_launch(&s->launch, &m, &d, &registers), WS_OK);
        if (d.poll != (log->total.polls == 1))
            fail_msg("%s: %s in the simulator, %s in the log", corpus[i], d.poll ? "a poll" : "no poll",
                     log->total.polls ? "a poll" : "no poll");
        loads++;
        ws_access_log_sink(&(size_t){0}).fini(log);
        free(log);
        script_destroy(s);
    }
    assert_true(loads > 0);
}

/* Every row says how its opcode is written as SASS; accesses are spelled by what they do, conversions by their types.
 */
static void every_opcode_has_a_sass_spelling(void **state)
{
    (void)state;
    static const char *const sass_of[WS_OPS] = {
#define OP(name, class, unit, work, dst, operands, sass, modifiers) [WS_OP_##name] = sass,
#include "collect/ptx/opcode.def"
#undef OP
    };
    for (unsigned op = 1; op < WS_OPS; op++) {
        const ws_instr in = with_facts((ws_instr){.opcode = op_name(op)});
        if (!*sass_of[op] && in.unit != WS_UNIT_MEMORY && op != WS_OP_cvt)
            fail_msg("the row of %s in opcode.def has no SASS", op_name(op));
    }
}

/* Lanes have a type for the destination and for each source that an instruction may have; setp's predicate is the
 * engine's. */
static void every_operand_of_arithmetic_has_a_type(void **state)
{
    (void)state;
    static const struct {
        const char *operands, *types;
    } rows[WS_OPS] = {
#define OP(...)
#define ALU(name, class, unit, work, operands, types, ...) [WS_OP_##name] = {operands, types},
#include "collect/ptx/opcode.def"
#undef OP
    };
    for (unsigned op = 1; op < WS_OPS; op++) {
        if (!rows[op].operands)
            continue;
        size_t operands = 0;
        for (const char *p = rows[op].operands; *p; p++)
            operands += *p != '?';
        const size_t wanted = operands - (op == WS_OP_setp || op == WS_OP_lop3), found = strcspn(rows[op].types, "/");
        if (found < wanted || strspn(rows[op].types, "tuwspWvhq/") != strlen(rows[op].types))
            fail_msg("the row of %s in opcode.def has the types \"%s\" for the operands \"%s\"", op_name(op),
                     rows[op].types, rows[op].operands);
    }
}

/* Files of the first format have no facts: they come from the text, and are what a file of today keeps. */
static void old_traces_have_facts(void **state)
{
    (void)state;
    ws_trace *t;
    if (ws_trace_open("tests/data/trace-1.wst", &t))
        fail_msg("%s", ws_message());
    assert_null(ws_trace_damage(t));
    assert_int_equal(ws_trace_launches(t), 1);
    const ws_launch *const l = &ws_trace_get(t, 0)->launch;
    unsigned polls = 0, fences = 0, atomics_seen = 0, arrivals = 0;
    for (size_t i = 0; i < l->instrs; i++) {
        const ws_instr *const in = &l->instr[i];
        polls += ws_instr_is_poll(in);
        fences += in->fence;
        atomics_seen += in->atomic != 0;
        arrivals += in->arrival;
    }
    assert_int_equal(polls, 4);
    assert_int_equal(fences, 2);
    assert_int_equal(atomics_seen, 2);
    assert_int_equal(arrivals, 1);
    ws_trace_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_and_scopes),
        cmocka_unit_test(atomics),
        cmocka_unit_test(both_sides_agree_on_polls),
        cmocka_unit_test(every_opcode_has_a_sass_spelling),
        cmocka_unit_test(every_operand_of_arithmetic_has_a_type),
        cmocka_unit_test(old_traces_have_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
