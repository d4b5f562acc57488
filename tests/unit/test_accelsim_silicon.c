/* test_accelsim_silicon.c - what traces of real machines had that those written by hand did not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/trace_fixture.h"

#define HEADER(version, registers) \
    "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs " \
    "= " registers "\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f6d9a000000\n" \
    "-local mem base_addr = 0x00007f6d98000000\n" version "\n#traces format = \n"
#define VERSION(n) "-accelsim tracer version = " n "\n"
#define ONE(version, registers, count, lines) \
    HEADER(version, registers) \
    "\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " count "\n" lines "\n#END_TB\n"

static void import(const char *name, const char *text, seen *s, ws_accelsim_result *result)
{
    folder f = folder_create();
    ws_accelsim_import how = {.kernels = NULL};
    const int status = see(folder_write(&f, name, text, strlen(text)), s, &how, result);
    if (status)
        fail_msg("%s", ws_message());
    folder_destroy(&f);
}

/* Since tracers have a number, what no lane executes stands there with an empty mask: so are branches that none takes.
 * Before that it was left out. */
static void branches_that_nobody_takes(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import("kernel-1.traceg",
           ONE(VERSION("3"), "8", "3",
               "0000 00000000 0 BRA 0 0 \n0010 00000000 0 SHFL.IDX 4 R255 R255 R255 R255 0 \n"
               "0020 ffffffff 0 EXIT 0 0 \n"),
           &s, &result);
    assert_string_equal(s.text, "block 0\nw0 bra 0 ffffffff taken 0\nw0 run 1 x1 0/ffffffff\nw0 run 2 x1 ffffffff\n");
    assert_int_equal(s.launch.isa, WS_ISA_SASS);
    import("kernel-1.traceg", ONE(VERSION("1.2"), "8", "1", "0 0 0 0 0000 ffffffff 0 EXIT 0 0 \n"), &s, &result);
    assert_int_equal(s.launch.isa, WS_ISA_SASS);
    import("kernel-1.traceg", ONE("", "8", "1", "0 0 0 0 0000 ffffffff 0 EXIT 0 0 \n"), &s, &result);
    assert_int_equal(s.launch.isa, WS_ISA_SASS_SPARSE);
}

/* Tracers of Hopper machines that still say version 5: two immediates, and where the block is in its cluster. */
static void version_5_on_hopper(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import(
        "kernel-1.traceg",
        HEADER(VERSION("5"), "20") "\n#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\n"
                                   "cluster rank = 0\n\nwarp = 0\ninsts = 4\n"
                                   "0000 ffffffff 1 R3 S2R 0 0 0 0 \n0010 ffffffff 1 R0 LOP3.LUT 2 R3 R255 0 3 192 \n"
                                   "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f7b7dc40800 4 0 0 \n"
                                   "0030 00000000 0 BRA 0 0 2912 0 \n\n\n\n\n#END_TB\n",
        &s, &result);
    assert_int_equal(result.warp_instructions, 4);
    assert_non_null(strstr(s.text, "w0 mem 2 ffffffff global 7f7b7dc40800 "));
}

/* A tracer that reads attributes of kernels where a newer driver has something else. */
static void headers_with_impossible_registers(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import("kernel-1.traceg",
           ONE(VERSION("5"), "21955", "2",
               "0000 ffffffff 1 R17 LDG.E.128 2 R2 R255 16 1 0x7f000000 16 0 \n"
               "0010 ffffffff 0 EXIT 0 0 0 \n"),
           &s, &result);
    assert_int_equal(s.launch.registers, 21); /* R17 to R20 */
    assert_int_equal(result.odd_registers, 1);
    import("kernel-1.traceg", ONE(VERSION("5"), "255", "1", "0000 ffffffff 0 EXIT 0 0 0 \n"), &s, &result);
    assert_int_equal(s.launch.registers, 255);
    assert_int_equal(result.odd_registers, 0);
}

/* ptxas makes constants from products of zeros: no floating point in the program. */
static void constants(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import("kernel-1.traceg",
           ONE(VERSION("5"), "8", "3",
               "0000 ffffffff 1 R7 HFMA2.MMA 2 R255 R255 0 2 \n"
               "0010 ffffffff 1 R7 HFMA2.MMA 3 R7 R7 R255 0 0 \n0020 ffffffff 0 EXIT 0 0 0 \n"),
           &s, &result);
    assert_int_equal(s.instr[0].cls, WS_CLASS_INTEGER);
    assert_int_equal(s.instr[1].cls, WS_CLASS_FLOAT);
}

/* Pairs of LDGSTS in raw traces: addresses of the window, nobody, lanes that do not read. */
static void halves(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    static const char lines[] = "0 0 0 0 0000 00000003 0 LDGSTS.E.64 2 R1 R2 8 1 0x7f6d9a000010 8 0 \n"
                                "0 0 0 0 0000 00000003 0 LDGSTS.E.64 2 R1 R2 8 1 0x7f000000 -8 0 \n"
                                "0 0 0 0 0000 00000000 0 LDGSTS.E.64 2 R1 R2 8 1 0x0 0 0 \n"
                                "0 0 0 0 0000 00000000 0 LDGSTS.E.64 2 R1 R2 8 1 0x0 0 0 \n"
                                "0 0 0 0 0010 ffffffff 0 LDGDEPBAR 0 0 0 \n";
    char text[2048];
    snprintf(text, sizeof text, "%s\n%s", HEADER(VERSION("5"), "8"), lines);
    import("kernel-1.trace", text, &s, &result);
    assert_string_equal(s.text,
                        "block 0\nw0 mem 0 3/ffffffff global 7f000000 7efffff8\n"
                        "w0 mem 0 x0 3/ffffffff shared 10 18\nw0 mem 0 0/ffffffff global\nw0 run 1 x1 ffffffff\n");
    assert_int_equal(result.warp_instructions, 3);
    assert_int_equal(result.halves, 0);
    import("kernel-1.traceg", ONE(VERSION("5"), "8", "1", "0000 00000003 0 LDGSTS.E.64 2 R1 R2 8 1 0x7f000000 8 0 \n"),
           &s, &result);
    assert_string_equal(s.text, "block 0\nw0 mem 0 3/ffffffff global 7f000000 7f000008\n");
    assert_int_equal(result.halves, 1);
}

/* ------------------------------------------------------------------------------------------------ folders */

#define LAUNCH(registers) ONE(VERSION("5"), registers, "1", "0000 ffffffff 0 EXIT 0 0 0 \n")

static uint32_t registers[4];
static unsigned launches;

static int note(void *context, const ws_launch *launch, uint64_t warps, uint64_t threads, int status)
{
    (void)context;
    (void)warps;
    (void)threads;
    assert_true(launches < 4);
    registers[launches++] = launch->registers;
    return status;
}

static void expect_order(const folder *f, const char *expected, ws_accelsim_result *result)
{
    const ws_accelsim_import how = {.launched = note};
    char text[64] = "";
    launches = 0;
    if (ws_accelsim_read(f->path, &how, result))
        fail_msg("%s", ws_message());
    for (unsigned i = 0; i < launches; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", registers[i]);
    assert_string_equal(text, expected);
}

static void folders_without_a_list(void **state)
{
    (void)state;
    ws_accelsim_result result;
    folder f = folder_create();
    folder_write(&f, "kernel-10-ctx_0x5.traceg", LAUNCH("10"), strlen(LAUNCH("10")));
    folder_write(&f, "kernel-9-ctx_0x5.trace", LAUNCH("99"), strlen(LAUNCH("99")));
    folder_write(&f, "kernel-9-ctx_0x5.traceg", LAUNCH("9"), strlen(LAUNCH("9")));
    folder_write_xz(&f, "kernel-1-ctx_0x5.traceg.xz", LAUNCH("1"));
    folder_write(&f, "stats.csv", "kernel", 6);
    expect_order(&f, "1 9 10 ", &result);
    assert_int_equal(result.without_list, 3);
    folder_destroy(&f);
}

static void lists_of_contexts(void **state)
{
    (void)state;
    ws_accelsim_result result;
    folder f = folder_create();
    folder_write(&f, "kernelslist_ctx_0x7", "kernel-2.traceg\n", 16);
    folder_write(&f, "kernelslist_ctx_0x5", "MemcpyHtoD,0x1,4\nkernel-1.traceg\n", 33);
    folder_write_xz(&f, "kernel-1.traceg.xz", LAUNCH("1")); /* packed since the list was written */
    folder_write(&f, "kernel-2.traceg", LAUNCH("2"), strlen(LAUNCH("2")));
    expect_order(&f, "1 ", &result);
    assert_int_equal(result.more_lists, 1);
    assert_non_null(strstr(result.list, "kernelslist_ctx_0x5"));
    assert_int_equal(result.without_list, 0);
    folder_write(&f, "kernelslist.g", "kernel-2.traceg\n", 16);
    expect_order(&f, "2 ", &result);
    assert_int_equal(result.more_lists, 0);
    folder_destroy(&f);
    f = folder_create();
    const ws_accelsim_import how = {.launched = note};
    assert_int_equal(ws_accelsim_read(f.path, &how, &result), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), "neither a list of kernels"));
    folder_destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_that_nobody_takes),
        cmocka_unit_test(version_5_on_hopper),
        cmocka_unit_test(headers_with_impossible_registers),
        cmocka_unit_test(constants),
        cmocka_unit_test(halves),
        cmocka_unit_test(folders_without_a_list),
        cmocka_unit_test(lists_of_contexts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
