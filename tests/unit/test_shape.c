/* test_shape.c - what does a kernel of PTX become? Small kernels whose SASS was worked out by hand. */
#include "base/status.h"
#include "collect/shape/shape.h"
#include "collect/simt/simt_internal.h"
#include "collect/wst/wst_file_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define REGISTERS \
    "{\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .f32 %f<32>;\n.reg .f64 %fd<32>;\n.reg .b64 " \
    "%rd<32>;\n" \
    ".shared .align 16 .b8 s[4096];\n"
#define ENTRY ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n" REGISTERS
#define END   "ret;\n}\n"

typedef struct fixture {
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    ws_launch launch;
    ws_shape *shape;
} fixture;

static void check(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

static void open_kernel(fixture *f, const char *text, const char *rows)
{
    uint32_t wanted;
    *f = (fixture){0};
    check(ws_ptx_parse("test.ptx", text, strlen(text), &f->module));
    check(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &f->device));
    check(ws_image_load(f->device, f->module, &f->image));
    check(ws_image_kernel(f->image, "k", &f->kernel));
    const code *const c = &f->kernel->code;
    f->launch = (ws_launch){
        .kernel = "k", .registers = f->kernel->registers, .instr = c->instr, .instrs = c->instrs, .code = c->listing};
    check(ws_shape_parse(rows, &wanted));
    check(ws_shape_create(&f->launch, wanted, &f->shape));
}

static void close_kernel(fixture *f)
{
    ws_shape_destroy(f->shape);
    ws_device_destroy(f->device);
    ws_module_destroy(f->module);
}

/* Instructions that a PTX instruction became. */
static unsigned count_at(const fixture *f, uint32_t pc)
{
    unsigned n = 0;
    for (size_t t = 0; t < f->shape->launch.instrs; t++)
        n += f->shape->origin[t].pc == pc;
    return n;
}

/* How many instructions each PTX instruction becomes: a digit each, the last for `ret`. */
static void expect_counts(const char *text, const char *rows, const char *counts)
{
    char found[256] = "";
    fixture f;
    open_kernel(&f, text, rows);
    for (size_t pc = 0; pc < f.launch.instrs; pc++)
        snprintf(found + pc, sizeof found - pc, "%x", count_at(&f, (uint32_t)pc));
    assert_string_equal(found, counts);
    close_kernel(&f);
}

static void expect_registers(const char *text, uint32_t registers)
{
    fixture f;
    open_kernel(&f, text, "all");
    assert_int_equal(f.shape->launch.registers, registers);
    close_kernel(&f);
}

/* PTX instructions in the order of what they became, a letter each from `a` on. */
static void expect_order(const char *text, const char *rows, const char *order)
{
    char found[256] = "";
    fixture f;
    open_kernel(&f, text, rows);
    for (size_t t = 0; t < f.shape->launch.instrs; t++)
        snprintf(found + t, sizeof found - t, "%c", 'a' + (int)f.shape->origin[t].pc);
    assert_string_equal(found, order);
    close_kernel(&f);
}

/* ------------------------------------------------------------------------------------------------ folding */

/* S2R, S2R, IMAD, ISETP, BRA, MOV of 4 for three IMAD.WIDE, two LDG, FADD, STG, EXIT: what ptxas makes but for its
 * stack pointer. */
static const char vadd[] = HEADER ENTRY
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "
    "%ntid.x;\n"
    "mov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra END;\n"
    "cvta.to.global.u64 %rd3, %rd1;\nmul.wide.s32 %rd4, %r5, 4;\nadd.s64 %rd5, %rd3, %rd4;\nld.global.f32 %f1, "
    "[%rd5];\n"
    "cvta.to.global.u64 %rd6, %rd2;\nadd.s64 %rd7, %rd6, %rd4;\nld.global.f32 %f2, [%rd7];\nadd.f32 %f3, %f1, %f2;\n"
    "st.global.f32 [%rd7], %f3;\nEND:\n" END;

static void an_addition_of_vectors(void **state)
{
    (void)state;
    expect_counts(vadd, "fold", "0001011110021011111");
}

static void sums_go_into_addresses(void **state)
{
    (void)state;
    expect_counts(
        HEADER ENTRY
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\n"
        "add.s64 %rd4, %rd3, 16;\nadd.s64 %rd5, %rd4, -8;\nld.global.u32 %r2, [%rd4+4];\nst.global.u32 [%rd5], "
        "%r2;\n" END,
        "fold,expand", "110200111"); /* the first has the stack pointer's */
    /* Too far away for 24 bits: it stays. */
    expect_counts(
        HEADER ENTRY
        "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd3, %rd1, %rd2;\n"
        "add.s64 %rd4, %rd3, 8388608;\nst.global.u32 [%rd4], %r1;\n" END,
        "fold", "0102111");
}

static void constants_that_must_be_in_registers_stay(void **state)
{
    (void)state;
    /* The address of an access and the data of a store are no constants, except 0; of a parameter both halves are
     * moved. */
    expect_counts(HEADER ENTRY "ld.param.u64 %rd1, [p];\nmov.u32 %r1, 7;\nmov.u32 %r2, 0;\nst.global.u32 [%rd1], %r1;\n"
                               "st.global.u32 [%rd1+4], %r2;\n" END,
                  "fold", "210111");
    /* Two constants in one instruction: the second needs a register. A place in shared memory is an offset. */
    expect_counts(HEADER ENTRY
                  "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\nmov.u32 %r3, 5;\nmad.lo.s32 %r4, %r2, %r3, %r1;\n"
                  "mov.u32 %r5, s;\nst.shared.u32 [%r5+8], %r4;\n" END,
                  "fold", "1101011");
}

static void what_nobody_needs_goes(void **state)
{
    (void)state;
    expect_counts(HEADER ENTRY
                  "mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 1;\nmul.lo.s32 %r3, %r2, %r2;\nld.param.u64 %rd1, [p];\n"
                  "ld.global.u32 %r4, [%rd1];\n" END,
                  "fold", "000211"); /* an access stays, whatever becomes of its value */
}

/* ------------------------------------------------------------------------------------------------ expansion */

static void instructions_that_are_several(void **state)
{
    (void)state;
    expect_counts(HEADER ENTRY "ld.global.f32 %f1, [s];\ndiv.rn.f32 %f2, %f1, %f1;\ndiv.approx.ftz.f32 %f3, %f1, "
                               "%f1;\nsin.approx.f32 %f4, %f1;\n"
                               "cvt.s64.s32 %rd1, %r1;\nadd.s64 %rd2, %rd1, %rd1;\nmul.lo.s64 %rd3, %rd2, "
                               "%rd2;\nfma.rn.f32 %f5, %f1, %f1, %f1;\n" END,
                  "expand", "2a2212411");
    /* Divisions by constants are products; of a constant by a constant nothing is left. */
    expect_counts(
        HEADER ENTRY
        "ld.shared.u32 %r1, [s];\nmov.u32 %r2, 7;\nmov.u32 %r3, 64;\nrem.u32 %r4, %r1, %r2;\nrem.u32 %r5, %r3, %r2;\n"
        "add.u32 %r6, %r5, 3;\nmov.u32 %r7, %tid.x;\nadd.u32 %r8, %r7, %r6;\nst.shared.v2.u32 [s], {%r4, %r8};\n" END,
        "fold,expand", "200f001111");
}

static void what_is_one_instruction(void **state)
{
    (void)state;
    /* IADD3; LOP3 of three words, but not of four. */
    expect_counts(
        HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nmov.u32 %r5, %ctaid.x;\nadd.s32 %r3, %r1, %r2;\nadd.s32 %r4, "
        "%r3, %r5;\n"
        "and.b32 %r6, %r1, %r2;\nxor.b32 %r7, %r6, %r5;\nor.b32 %r8, %r7, %r4;\nst.shared.u32 [s], %r8;\n" END,
        "fuse", "1110101111");
    /* LOP3 that writes a predicate: of tests for zero only, and where nobody else wants the bits. */
    expect_counts(
        HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\nand.b32 %r3, %r1, 2;\nsetp.eq.s32 %p2, "
        "%r3, 2;\n"
        "and.b32 %r4, %r1, 4;\nsetp.ne.b32 %p3, %r4, 0;\n@%p1 st.shared.u32 [s], %r4;\n@%p2 st.shared.u32 [s], %r1;\n"
        "@%p3 st.shared.u32 [s], %r1;\n" END,
        "fuse", "10111111111");
    /* IMAD; a sign that an operand has; IMAD is wanted twice, so it is not joined with the sum that is. */
    expect_counts(
        HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nmul.lo.s32 %r2, %r1, %r1;\nadd.s32 %r3, %r2, %r1;\nld.shared.f32 %f1, [s];\nneg.f32 "
        "%f2, %f1;\n"
        "fma.rn.f32 %f3, %f2, %f1, %f1;\nadd.s32 %r4, %r3, 1;\nadd.s32 %r5, %r3, %r4;\nst.shared.u32 [s], %r5;\n" END,
        "fuse", "1011010111");
}

/* ------------------------------------------------------------------------------------------------ branches */

#define OVER(body) \
    HEADER ENTRY "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 9;\n@%p1 bra L;\n" body \
                 "L:\nst.shared.u32 [s], %r1;\n" END

#define FOUR_LOADS \
    "ld.global.u32 %r2, [%rd1];\nld.global.u32 %r3, [%rd1+4];\nld.global.u32 %r4, [%rd1+8];\nld.global.u32 %r5, " \
    "[%rd1+12];\n"

static void branches_over_little(void **state)
{
    (void)state;
    expect_counts(OVER("add.s32 %r1, %r1, 5;\n"), "predicate", "110111");
    expect_counts(OVER("ld.shared.u32 %r2, [%r1];\nst.shared.u32 [%r1+4], %r2;\n"), "predicate", "1101111");
    /* Loads of global memory are guarded beyond that: they would wait for each other behind a branch. */
    expect_counts(OVER(FOUR_LOADS FOUR_LOADS FOUR_LOADS "add.s32 %r1, %r1, 5;\n"), "predicate", "110111111111111111");
    expect_counts(OVER(FOUR_LOADS FOUR_LOADS FOUR_LOADS FOUR_LOADS FOUR_LOADS), "predicate",
                  "1111111111111111111111111");
    /* Not: barriers, atomics, jumps into it, other branches, ends, and what is long. */
    expect_counts(OVER("bar.sync 0;\n"), "predicate", "111111");
    expect_counts(OVER("red.shared.add.u32 [s], 1;\n"), "predicate", "111111");
    expect_counts(OVER("M:\nadd.s32 %r1, %r1, 5;\nsetp.lt.u32 %p2, %r1, 99;\n@%p2 bra M;\n"), "predicate", "11111111");
    expect_counts(OVER("ret;\n"), "predicate", "111111");
    expect_counts(OVER("add.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, "
                       "5;\nadd.s32 %r1, %r1, 5;\n"
                       "add.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, 5;\nadd.s32 %r1, %r1, 5;\n"),
                  "predicate", "11111111111111");
}

/* What a guard lets stay is read: the value before it lives on. */
static void what_is_guarded_may_stay(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, OVER("mov.u32 %r1, 7;\n"), "all");
    size_t move = 0;
    while (f.shape->origin[move].pc != 3)
        move++;
    assert_int_equal(f.shape->origin[move].over, 3);
    assert_true(f.shape->launch.instr[move].guarded);
    close_kernel(&f);
}

/* ------------------------------------------------------------------------------------------------ wide loads */

#define LOADS(loads) HEADER ENTRY "mov.u32 %r1, %tid.x;\n" loads END

/* The wide load besides those that it stands for. */
static void loads_side_by_side(void **state)
{
    (void)state;
    expect_order(LOADS("ld.shared.u32 %r2, [%r1];\nld.shared.u32 %r3, [%r1+4];\nld.shared.u32 %r4, "
                       "[%r1+8];\nld.shared.u32 %r5, [%r1+12];\n"),
                 "vector", "abbcdef");
    expect_order(LOADS("ld.shared.u32 %r2, [%r1+8];\nadd.u32 %r6, %r2, 1;\nld.shared.u32 %r3, [%r1+12];\n"), "vector",
                 "abbdce");
    expect_order(LOADS("ld.shared.f64 %fd2, [s];\nld.shared.f64 %fd3, [s+8];\n"), "vector", "abbcd");
    /* Constants; a base that moves between iterations, but not between the loads. */
    expect_order(LOADS("ld.const.u32 %r2, [%r1];\nld.const.u32 %r3, [%r1+4];\nadd.u32 %r1, %r1, 8;\n"), "vector",
                 "abbcde");
    expect_order(LOADS("ld.shared.u32 %r2, [%r1];\nadd.u32 %r1, %r1, 8;\nld.shared.u32 %r3, [%r1+4];\n"), "vector",
                 "abcde");
    expect_order(LOADS("ld.shared.u32 %r1, [%r1];\nld.shared.u32 %r3, [%r1+4];\n"), "vector", "abcd");
    expect_order(LOADS("ld.const.u32 %r2, [%r1];\nld.shared.u32 %r3, [%r1+4];\n"), "vector", "abcd");
    /* Not: offsets that no wide load begins at, other values, stores between, guards, what others watch. */
    expect_order(LOADS("ld.shared.u32 %r2, [%r1+4];\nld.shared.u32 %r3, [%r1+8];\n"), "vector", "abcd");
    expect_order(LOADS("mov.u32 %r6, %laneid;\nld.shared.u32 %r2, [%r1];\nld.shared.u32 %r3, [%r6+4];\n"), "vector",
                 "abcde");
    expect_order(LOADS("ld.shared.u32 %r2, [%r1];\nst.shared.u32 [%r1+64], %r2;\nld.shared.u32 %r3, [%r1+4];\n"),
                 "vector", "abcde");
    expect_order(LOADS("setp.eq.u32 %p1, %r1, 0;\nld.shared.u32 %r2, [%r1];\n@%p1 ld.shared.u32 %r3, [%r1+4];\n"),
                 "vector", "abcde");
    expect_order(LOADS("ld.volatile.shared.u32 %r2, [%r1];\nld.volatile.shared.u32 %r3, [%r1+4];\n"), "vector", "abcd");
}

/* ------------------------------------------------------------------------------------------------ the order */

static void loads_go_first(void **state)
{
    (void)state;
    static const char two_loads[] = HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nld.shared.u32 %r2, [%r1];\nadd.s32 %r3, %r2, 1;\nld.shared.u32 %r4, [%r1+4];\n"
        "add.s32 %r5, %r4, %r3;\nst.shared.u32 [%r1], %r5;\n" END;
    expect_order(two_loads, "schedule", "abdcefg");
    expect_order(two_loads, "fold", "abcdefg");
}

/* Twenty sums of loads, two values at a time: loads go ahead as far as the kernel's eight registers reach, and no
 * further. Where each sum waits for the one before with a value of its own, there is nothing to gain. */
static void loads_do_not_cost_registers(void **state)
{
    (void)state;
    char text[4096] = HEADER ENTRY "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n";
    for (unsigned i = 4; i < 24; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "ld.shared.u32 %%r%u, [%%r1+%u];\nadd.s32 %%r2, %%r2, %%r%u;\n", i, 64 * i, i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "st.shared.u32 [%%r1], %%r2;\n" END);
    expect_registers(text, 8);
    fixture f;
    open_kernel(&f, text, "schedule,registers");
    assert_int_equal(f.shape->launch.registers, 8);
    close_kernel(&f);
}

static void accesses_that_may_meet_keep_their_order(void **state)
{
    (void)state;
    /* Another register may hold the same address; the same register four bytes on does not. */
    expect_order(HEADER ENTRY
                 "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nst.shared.u32 [%r1], %r2;\nld.shared.u32 %r3, [%r2];\n"
                 "st.shared.u32 [%r2+8], %r3;\n" END,
                 "schedule", "abcdef");
    expect_order(HEADER ENTRY
                 "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %laneid;\nst.shared.u32 [%r1], %r2;\nld.shared.u32 %r3, [%r1+4];\n"
                 "st.shared.u32 [%r1+8], %r3;\n" END,
                 "schedule", "abdcef");
    /* What others watch stays where it is, and so does what is around it. */
    expect_order(HEADER ENTRY "mov.u32 %r1, %tid.x;\nst.shared.u32 [%r1], %r1;\nld.volatile.shared.u32 %r3, "
                              "[%r1+4];\nld.shared.u32 %r4, [%r1+8];\n"
                              "st.shared.u32 [%r1+8], %r3;\nst.shared.u32 [%r1+16], %r4;\n" END,
                 "schedule", "abcdefg");
}

/* ------------------------------------------------------------------------------------------------ registers */

/* A loop that carries a counter and a sum in copies: both are written in place. */
static void copies_around_a_loop(void **state)
{
    (void)state;
    expect_counts(
        HEADER ENTRY
        "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\nadd.s32 %r3, %r2, %r1;\nadd.s32 %r4, %r1, 1;\nmov.u32 %r1, %r4;\n"
        "mov.u32 %r2, %r3;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra LOOP;\nst.shared.u32 [s], %r2;\n" END,
        "fold,registers", "1111001111");
}

/* Two values that change places need a third register, whatever is joined. */
static void values_that_change_places(void **state)
{
    (void)state;
    fixture f;
    open_kernel(
        &f,
        HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nLOOP:\nmov.u32 %r3, %r1;\nmov.u32 %r1, %r2;\nmov.u32 %r2, %r3;\n"
        "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra LOOP;\nst.shared.u32 [s], %r2;\nst.shared.u32 [s+4], %r1;\n" END,
        "all");
    uint32_t copies = 0;
    for (uint32_t pc = 2; pc < 5; pc++)
        copies += count_at(&f, pc);
    assert_true(copies >= 2);
    close_kernel(&f);
}

static void pairs_are_aligned(void **state)
{
    (void)state;
    fixture f;
    open_kernel(
        &f,
        HEADER ENTRY
        "mov.u32 %r1, %tid.x;\nld.shared.f64 %fd1, [s];\nld.shared.f64 %fd2, [s+8];\nadd.f64 %fd3, %fd1, %fd2;\n"
        "st.shared.f64 [s], %fd3;\nst.shared.u32 [s+8], %r1;\n" END,
        "fold,registers");
    for (size_t t = 0; t < f.shape->launch.instrs; t++) {
        const ws_instr *const in = &f.shape->launch.instr[t];
        if (in->number != WS_NUMBER_DOUBLE)
            continue;
        for (unsigned i = 0; i + 1 < in->dsts; i += 2) {
            assert_int_equal(in->dst[i] % 2, 0);
            assert_int_equal(in->dst[i + 1], in->dst[i] + 1);
        }
    }
    close_kernel(&f);
}

#define BOUNDED(bounds) HEADER ".visible .entry k(.param .u64 p) " bounds "\n" REGISTERS
#define MANY \
    "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [s];\nld.shared.v4.f32 {%f5,%f6,%f7,%f8}, [s+16];\nld.shared.v4.f32 " \
    "{%f9,%f10,%f11,%f12}, [s+32];\n" \
    "ld.shared.v4.f32 {%f13,%f14,%f15,%f16}, [s+48];\nld.shared.v4.f32 {%f17,%f18,%f19,%f20}, [s+64];\nbar.sync 0;\n" \
    "st.shared.v4.f32 [s+64], {%f1,%f2,%f3,%f4};\nst.shared.v4.f32 [s+48], {%f5,%f6,%f7,%f8};\nst.shared.v4.f32 " \
    "[s+32], {%f9,%f10,%f11,%f12};\n" \
    "st.shared.v4.f32 [s+16], {%f13,%f14,%f15,%f16};\nst.shared.v4.f32 [s], {%f17,%f18,%f19,%f20};\n" END

static void bounds_bound_registers(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, BOUNDED("") MANY, "all");
    assert_true(f.shape->launch.registers >= 20);
    close_kernel(&f);
    expect_registers(BOUNDED(".maxnreg 16") MANY, 16);
    expect_registers(BOUNDED(".maxntid 1024, 1, 1 .minnctapersm 4") MANY, 16);
}

/* ------------------------------------------------------------------------------------------------ tables and files */

static void names_are_checked(void **state)
{
    (void)state;
    uint32_t rows;
    check(ws_shape_parse("all", &rows));
    assert_int_equal(rows, WS_SHAPE_ALL);
    for (int i = 0; i < WS_SHAPE_ROWS; i++) {
        check(ws_shape_parse(ws_shape_name((ws_shape_row)i), &rows));
        assert_int_equal(rows, 1 << i);
    }
    static const char *const wrong[] = {"", "folding", "fold,", ",fold", "fold,,expand", "Fold", "fold expand"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ws_shape_parse(wrong[i], &rows), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "registers"));
    }
}

static void launches_without_operands_are_refused(void **state)
{
    (void)state;
    ws_shape *shape;
    ws_launch old = {.kernel = "old"};
    assert_int_equal(ws_shape_create(&old, WS_SHAPE_ALL, &shape), WS_EUNSUPPORTED);
    old.isa = WS_ISA_SASS;
    assert_int_equal(ws_shape_create(&old, WS_SHAPE_ALL, &shape), WS_EUNSUPPORTED);
}

/* Regions lie side by side in both tables, and each instruction comes from its region. */
static void expect_regions(const ws_shape *s, uint32_t instrs)
{
    uint32_t pc = 0, at = 0;
    for (size_t r = 0; r < s->regions; r++) {
        const ws_shape_region *const part = &s->region[r];
        assert_int_equal(part->first_pc, pc);
        assert_int_equal(part->first, at);
        assert_true(part->end_pc > pc && part->end >= at && part->end_pc - pc <= s->longest);
        for (; pc < part->end_pc; pc++)
            assert_int_equal(s->region_of[pc], r);
        for (; at < part->end; at++)
            assert_int_equal(s->region_of[s->origin[at].pc], r);
    }
    assert_int_equal(pc, instrs);
    assert_int_equal(at, s->launch.instrs);
}

/* Each way to shape alone, and all: every PTX instruction has its place, and registers are within what a number holds.
 */
static void each_row_alone(void **state)
{
    (void)state;
    for (int i = 0; i <= WS_SHAPE_ROWS; i++) {
        fixture f;
        open_kernel(&f, vadd, i < WS_SHAPE_ROWS ? ws_shape_name((ws_shape_row)i) : "all");
        expect_regions(f.shape, (uint32_t)f.launch.instrs);
        assert_true(f.shape->launch.registers >= 4);
        close_kernel(&f);
    }
}

static void expect_same_code(const ws_code *a, const ws_code *b)
{
    assert_int_equal(a->operands, b->operands);
    assert_int_equal(a->registers, b->registers);
    assert_int_equal(a->functions, b->functions);
    assert_memory_equal(a->bits, b->bits, a->registers);
    assert_memory_equal(a->function, b->function, (a->functions + 1) * sizeof *a->function);
    for (size_t i = 0; i < a->operands; i++) {
        const ws_code_operand *const x = &a->operand[i], *const y = &b->operand[i];
        assert_true(x->kind == y->kind && x->is_written == y->is_written && x->is_address == y->is_address &&
                    x->is_guard == y->is_guard && x->negated == y->negated && x->reg == y->reg && x->value == y->value);
    }
    for (size_t pc = 0; pc < a->instrs; pc++) {
        const ws_code_instr *const x = &a->instr[pc], *const y = &b->instr[pc];
        assert_int_equal(x->operand, y->operand);
        assert_int_equal(x->targets, y->targets);
        assert_memory_equal(a->target + x->target, b->target + y->target, x->targets * sizeof *a->target);
    }
    assert_int_equal(a->instr[a->instrs].operand, b->instr[b->instrs].operand);
}

/* Two branches through one table, and one over the last of them. */
static const char table[] = HEADER ENTRY "T: .branchtargets A, B;\nld.param.u32 %r1, [n];\nsetp.eq.u32 %p1, %r1, 9;\n"
                                         "brx.idx %r1, T;\nA: @%p1 bra B;\nbrx.idx %r1, T;\nB: " END;

static void branches_share_a_table(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, table, "fold");
    const ws_code *const c = f.launch.code;
    const ws_code_instr *const one = &c->instr[2], *const over = &c->instr[3], *const other = &c->instr[4];
    assert_int_equal(c->targets, 3);
    assert_int_equal(one->targets, 2);
    assert_int_equal(other->targets, 2);
    assert_int_equal(one->target, other->target);
    assert_int_equal(c->target[one->target], 3);
    assert_int_equal(c->target[one->target + 1], 5);
    assert_int_equal(over->targets, 1);
    assert_int_equal(c->target[over->target], 5);
    close_kernel(&f);
}

/* What a trace file keeps is what there was; cut anywhere, or with any byte changed, it is refused or harmless. */
static void expect_kept(const char *text)
{
    fixture f;
    ws_bytes bytes = {0};
    const ws_code *back;
    open_kernel(&f, text, "all");
    ws_arena *const arena = ws_arena_create();
    ws_wst_code_add(&bytes, f.launch.code);
    ws_reader whole = ws_reader_of(&bytes);
    assert_true(ws_wst_code_read(&whole, arena, f.launch.instrs, &back));
    assert_ptr_equal(whole.next, whole.end);
    expect_same_code(f.launch.code, back);
    for (size_t length = 0; length < bytes.length; length++) {
        ws_reader part = {.next = bytes.data, .end = bytes.data + length};
        assert_false(ws_wst_code_read(&part, arena, f.launch.instrs, &back));
    }
    for (size_t at = 0; at < bytes.length; at++) {
        bytes.data[at] ^= 0x55;
        ws_reader changed = ws_reader_of(&bytes);
        ws_launch read = f.launch;
        ws_shape *shape;
        if (ws_wst_code_read(&changed, arena, f.launch.instrs, &read.code) && read.code &&
            !ws_shape_create(&read, WS_SHAPE_ALL, &shape))
            ws_shape_destroy(shape);
        bytes.data[at] ^= 0x55;
    }
    ws_bytes_fini(&bytes);
    ws_arena_destroy(arena);
    close_kernel(&f);
}

static void operands_in_files(void **state)
{
    (void)state;
    expect_kept(vadd);
    expect_kept(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_addition_of_vectors),
        cmocka_unit_test(sums_go_into_addresses),
        cmocka_unit_test(constants_that_must_be_in_registers_stay),
        cmocka_unit_test(what_nobody_needs_goes),
        cmocka_unit_test(branches_share_a_table),
        cmocka_unit_test(instructions_that_are_several),
        cmocka_unit_test(what_is_one_instruction),
        cmocka_unit_test(branches_over_little),
        cmocka_unit_test(what_is_guarded_may_stay),
        cmocka_unit_test(loads_side_by_side),
        cmocka_unit_test(loads_go_first),
        cmocka_unit_test(loads_do_not_cost_registers),
        cmocka_unit_test(accesses_that_may_meet_keep_their_order),
        cmocka_unit_test(copies_around_a_loop),
        cmocka_unit_test(values_that_change_places),
        cmocka_unit_test(pairs_are_aligned),
        cmocka_unit_test(bounds_bound_registers),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(launches_without_operands_are_refused),
        cmocka_unit_test(each_row_alone),
        cmocka_unit_test(operands_in_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
