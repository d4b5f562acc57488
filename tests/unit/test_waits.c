/* test_waits.c - which loops of a kernel end by what others write? */
#include "base/status.h"
#include "collect/simt/simt_internal.h"
#include "collect/trace/waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BEGIN \
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n" \
    "{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\nmov.u32 " \
    "%r2, 1;\n"
#define END "ret;\n}\n"

static void check(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

enum { LOOPS = 64 };

/* Puts the loop of each instruction into loop[LOOPS]; the number of instructions. */
static size_t wait_loops(const ws_launch *shown, uint16_t *loop)
{
    uint16_t *found;
    memset(loop, 0, LOOPS * sizeof *loop);
    check(ws_launch_wait_loops(shown, &found));
    assert_true(shown->instrs <= LOOPS);
    if (found)
        memcpy(loop, found, shown->instrs * sizeof *loop);
    free(found);
    return shown->instrs;
}

static uint16_t loop_of[LOOPS];

static bool waits(const char *text)
{
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    check(ws_ptx_parse("test.ptx", text, strlen(text), &module));
    check(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &device));
    check(ws_image_load(device, module, &image));
    check(ws_image_kernel(image, "k", &kernel));
    const code *const c = &kernel->code;
    ws_launch shown = {.kernel = "k", .instr = c->instr, .instrs = c->instrs, .code = c->listing};
    const bool found = ws_launch_waits(&shown);
    wait_loops(&shown, loop_of);
    shown.code = NULL;
    assert_false(ws_launch_waits(&shown));
    ws_device_destroy(device);
    ws_module_destroy(module);
    return found;
}

static void loops_that_wait(void **state)
{
    (void)state;
    assert_true(waits(BEGIN "L: ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\n" END));
    assert_true(waits(
        BEGIN "L: ld.acquire.gpu.u32 %r3, [%rd1];\nand.b32 %r4, %r3, 7;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra L;\n" END));
    assert_true(waits(BEGIN "L: atom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra L;\n" END));
    /* The branch that leaves the loop is not the one that goes back. */
    assert_true(waits(BEGIN "L: atom.global.exch.b32 %r3, [%rd1], 1;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra M;\n"
                            "add.u32 %r1, %r1, 1;\nbra L;\nM: " END));
    /* By two loads, in a loop around the loop. */
    assert_true(waits(BEGIN "K: add.u32 %r1, %r1, 1;\nL: ld.relaxed.gpu.u32 %r3, [%rd1];\nld.global.u32 %r4, [%rd1];\n"
                            "add.u32 %r3, %r3, %r4;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\n"
                            "setp.lt.u32 %p2, %r1, 8;\n@%p2 bra K;\n" END));
}

static void loops_that_do_not(void **state)
{
    (void)state;
    assert_false(waits(
        BEGIN
        "ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 1;\nL: " END));
    /* A load that a copy may serve; a number of turns; a value that is added up; an atomic addition. */
    assert_false(waits(BEGIN "L: ld.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\n" END));
    assert_false(waits(
        BEGIN
        "L: ld.volatile.global.u32 %r3, [%rd1];\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra L;\n" END));
    assert_false(waits(BEGIN "L: atom.global.add.u32 %r3, [%rd1], 1;\nsetp.lt.u32 %p1, %r3, 8;\n@%p1 bra L;\n" END));
    /* What decides is written again before. */
    assert_false(waits(BEGIN "L: ld.volatile.global.u32 %r3, [%rd1];\nadd.u32 %r1, %r1, 1;\nmov.u32 %r3, %r1;\n"
                             "setp.lt.u32 %p1, %r3, 8;\n@%p1 bra L;\n" END));
    /* It decides about a part of the turn. */
    assert_false(waits(
        BEGIN "L: ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra M;\nadd.u32 %r2, %r2, 1;\n"
              "M: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 8;\n@%p2 bra L;\n" END));
}

/* The loops of the kernel, a digit for each instruction behind those of BEGIN. */
static void assert_loops(const char *text, const char *loops)
{
    enum { FROM = 3 };
    waits(text);
    for (size_t i = 0; i < FROM; i++)
        assert_int_equal(loop_of[i], 0);
    for (size_t i = 0; loops[i]; i++)
        assert_int_equal(loop_of[FROM + i], loops[i] - '0');
}

static void loops_that_only_wait(void **state)
{
    (void)state;
    assert_loops(
        BEGIN
        "L: ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra L;\nadd.u32 %r1, %r1, 1;\n" END,
        "11100");
    /* One after the other; between them, and behind, is work. */
    assert_loops(BEGIN "L: atom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra "
                       "L;\nst.global.u32 [%rd1+4], %r1;\n"
                       "M: ld.global.cg.u32 %r3, [%rd1];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra M;\n" END,
                 "11102220");
    /* A loop of backing off within one that waits, and a volatile store: all of it is one. */
    assert_loops(BEGIN "L: atom.global.cas.b32 %r3, [%rd1], 0, 1;\nsetp.eq.s32 %p1, %r3, 0;\n@%p1 bra N;\nM: add.u32 "
                       "%r1, %r1, 1;\nsetp.lt.u32 %p2, %r1, 9;\n"
                       "@%p2 bra M;\nst.volatile.global.u32 [%rd1+4], %r1;\nbra L;\nN: " END,
                 "111111110");
    /* It loads, or meets its block, in each turn: it works, and the loop within it alone waits. */
    assert_loops(BEGIN "K: ld.global.u32 %r4, [%rd1+8];\nL: ld.volatile.global.u32 %r3, [%rd1];\nsetp.lt.u32 %p1, %r3, "
                       "%r4;\n@%p1 bra L;\n"
                       "ld.volatile.global.u32 %r3, [%rd1+4];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra K;\n" END,
                 "01110000");
    assert_loops(BEGIN "K: bar.sync 0;\nL: ld.volatile.global.u32 %r3, [%rd1];\nsetp.lt.u32 %p1, %r3, 4;\n@%p1 bra L;\n"
                       "ld.volatile.global.u32 %r3, [%rd1+4];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra K;\n" END,
                 "01110000");
    /* A lock, then a word that says whether there is room: it decides by the way that the warp took. The loop is left
     * for code in front of it. */
    assert_loops(BEGIN "bra L;\nN: st.global.u32 [%rd1+8], %r1;\nret;\nL: atom.global.cas.b32 %r3, [%rd1], 0, "
                       "1;\nmov.u32 %r5, 0;\nsetp.ne.s32 %p1, %r3, 0;\n"
                       "@%p1 bra M;\nmov.u32 %r5, 1;\nM: setp.eq.s32 %p2, %r5, 1;\n@%p2 bra N;\nbra L;\n" END,
                 "00011111111"
                 "0");
    /* Nobody waits. */
    assert_loops(BEGIN "L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra L;\n" END, "0000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_that_wait), cmocka_unit_test(loops_that_do_not),
                                       cmocka_unit_test(loops_that_only_wait)};
    return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
