/* test_accelsim.c - traces of every version of Accel-Sim's tracer, their traps, and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/trace_fixture.h"

#include "collect/accelsim/instruction.h"
#include "collect/wst/wst.h"

#include <lzma.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

/* The header of a trace; `more` are lines of it, `version` that of the tracer. */
#define HEADER(version, grid, block, more) \
    "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = " grid "\n-block dim = " block "\n-shmem = 48\n-nregs = 12\n" \
    "-binary version = 75\n-cuda stream id = 0\n-accelsim tracer version = " version "\n" more "\n#traces format = \n"
#define WINDOWS                    "-shmem base_addr = 0x00007f6d9a000000\n-local mem base_addr = 0x00007f6d98000000\n"
#define BLOCK(xyz, warps)          "\n#BEGIN_TB\n\nthread block = " xyz "\n" warps "\n#END_TB\n"
#define WARP(number, count, lines) "\nwarp = " number "\ninsts = " count "\n" lines
#define ONE(version, count, lines) HEADER(version, "(1,1,1)", "(32,1,1)", "") BLOCK("0,0,0", WARP("0", count, lines))

/* What the sink sees of a text, which must be fine. */
static void import_text(const char *name, const char *text, seen *s, ws_accelsim_result *result)
{
    folder f = folder_create();
    ws_accelsim_import how = {.kernels = NULL};
    const int status = see(folder_write(&f, name, text, strlen(text)), s, &how, result);
    if (status)
        fail_msg("%s", ws_message());
    assert_int_equal(s->launches, 1);
    folder_destroy(&f);
}

static void expect_events(const char *name, const char *text, const char *events)
{
    static seen s;
    ws_accelsim_result result;
    import_text(name, text, &s, &result);
    assert_string_equal(s.text, events);
}

/* The same lines of two warps, as versions and kinds of files write them; lane 0 of both loads 4 bytes at an address.
 */
static const char two_warps[] = "block 0\n"
                                "w0 run 0 x1 ffffffff\nw0 mem 1 1 global 7f00\nw0 run 2 x1 ffffffff\n"
                                "w1 run 0 x1 ff\nw1 mem 1 1/ff global 7f40\nw1 run 2 x1 ff\n";

static void versions(void **state)
{
    (void)state;
    static const char grid[] = "block 0\nw0 run 0 x1 ffffffff\nw0 mem 1 1/ffffffff global 7f00\nw0 run 2 x1 ffffffff\n"
                               "w1 run 0 x1 ff\nw1 mem 1 1/ff global 7f40\nw1 run 2 x1 ff\n";
    (void)two_warps;
    /* No version: a line begins with block and warp, also in grouped files. */
    expect_events("kernel-1.traceg",
                  "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n#traces format = ...\n"
                  "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
                  "0 0 0 0 0008 ffffffff 1 R1 MOV 0 0 \n0 0 0 0 0010 00000001 1 R2 LD.E 1 R4 4 0 0x0000000000007f00 \n"
                  "0 0 0 0 0018 ffffffff 0 EXIT 0 0 \nwarp = 1\ninsts = 3\n"
                  "0 0 0 1 0008 000000ff 1 R1 MOV 0 0 \n0 0 0 1 0010 00000001 1 R2 LD.E 1 R4 4 0 0x0000000000007f40 \n"
                  "0 0 0 1 0018 000000ff 0 EXIT 0 0 \n#END_TB\n",
                  grid);
    /* 1.2 is 1: the same, and an address with a stride. */
    expect_events("kernel-1.traceg",
                  HEADER("1.2", "(1,1,1)", "(40,1,1)", "")
                      BLOCK("0,0,0", WARP("0", "3",
                                          "0 0 0 0 0008 ffffffff 1 R1 MOV 0 0\n"
                                          "0 0 0 0 0010 00000001 1 R2 LDG.E 1 R4 4 1 0x7f00 0\n"
                                          "0 0 0 0 0018 ffffffff 0 EXIT 0 0\n")
                                         WARP("1", "3",
                                              "0 0 0 1 0008 000000ff 1 R1 MOV 0 0\n"
                                              "0 0 0 1 0010 00000001 1 R2 LDG.E 1 R4 4 1 0x7f40 0\n"
                                              "0 0 0 1 0018 000000ff 0 EXIT 0 0\n")),
                  grid);
    /* 3: block and warp in headings. 4 and 5: an immediate at the end. */
    expect_events("kernel-1.traceg",
                  HEADER("3", "(1,1,1)", "(40,1,1)", "")
                      BLOCK("0,0,0", WARP("0", "3",
                                          "0008 ffffffff 1 R1 MOV 0 0\n0010 00000001 1 R2 LDG.E 1 R4 4 2 0x7f00 \n"
                                          "0018 ffffffff 0 EXIT 0 0\n")
                                         WARP("1", "3",
                                              "0008 000000ff 1 R1 MOV 0 0\n0010 00000001 1 R2 LDG.E 1 R4 4 2 0x7f40 \n"
                                              "0018 000000ff 0 EXIT 0 0\n")),
                  grid);
    expect_events("kernel-1.traceg",
                  HEADER("5", "(1,1,1)", "(40,1,1)", "-enable lineinfo = 1\n")
                      BLOCK("0,0,0", WARP("0", "3",
                                          "7 0008 ffffffff 1 R1 MOV 0 0 77 \n"
                                          "8 0010 00000001 1 R2 LDG.E 1 R4 4 2 0x7f00 -3 \n"
                                          "9 0018 ffffffff 0 EXIT 0 0 0 \n")
                                         WARP("1", "3",
                                              "7 0008 000000ff 1 R1 MOV 0 0 77 \n"
                                              "8 0010 00000001 1 R2 LDG.E 1 R4 4 0 0x0000000000007f40 77 \n"
                                              "9 0018 000000ff 0 EXIT 0 0 0 \n")),
                  grid);
    /* 6: other registers, two immediates, values. */
    expect_events("kernel-1.traceg",
                  HEADER("6", "(1,1,1)", "(40,1,1)", "")
                      BLOCK("0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0",
                            WARP("0", "3",
                                 "0008 ffffffff 1 R1 MOV 1 UR4 0 77 0 NoVal \n"
                                 "0010 00000001 1 R2 LDG.E 3 R4 UR6 P0 4 2 0x7f00 0 0 Val 1 ff 1 3 1 4 1 0\n"
                                 "0018 ffffffff 0 EXIT 0 0 0 NoVal\n")
                                WARP("1", "3",
                                     "0008 000000ff 1 R1 MOV 1 UR4 0 77 0 NoVal \n"
                                     "0010 00000001 1 R2 LDG.E 3 R4 UR6 P0 4 2 0x7f40 0 0 NoVal\n"
                                     "0018 000000ff 0 EXIT 0 0 0 NoVal\n")),
                  grid);
}

static void raw(void **state)
{
    (void)state;
    static const char events[] =
        "block 0\nw0 run 0 x2 ffffffff\nw1 run 0 x2 ff\nblock 1\nblock 2\nw0 run 0 x2 ffffffff\n";
    expect_events(
        "kernel-1.trace",
        HEADER(
            "5", "(3,1,1)", "(40,1,1)",
            "-enable lineinfo = 0\n") "\n2 0 0 0 0000 ffffffff 1 R1 MOV 0 0 0 \n0 0 0 1 0000 000000ff 1 R1 MOV 0 0 0 \n"
                                      "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 0 \n0 0 0 0 0010 ffffffff 0 EXIT 0 0 0 \n"
                                      "2 0 0 0 0010 ffffffff 0 EXIT 0 0 0 \n0 0 0 1 0010 000000ff 0 EXIT 0 0 0 \n",
        events);
    /* With SM and warp on it, and the number of a source line. */
    expect_events(
        "kernel-1.trace",
        HEADER("5", "(3,1,1)", "(40,1,1)", "-enable lineinfo = 1\n") "\n2 0 0 0 17 3 4 0000 ffffffff 1 R1 MOV 0 0 0 "
                                                                     "\n0 0 0 1 0 40 4 0000 000000ff 1 R1 MOV 0 0 0 \n"
                                                                     "0 0 0 0 0 41 4 0000 ffffffff 1 R1 MOV 0 0 0 \n0 "
                                                                     "0 0 0 0 41 5 0010 ffffffff 0 EXIT 0 0 0 \n"
                                                                     "2 0 0 0 17 3 5 0010 ffffffff 0 EXIT 0 0 0 \n0 0 "
                                                                     "0 1 0 40 5 0010 000000ff 0 EXIT 0 0 0 \n",
        events);
    /* LDGSTS is there twice: where it writes, where it reads. */
    expect_events("kernel-1.trace",
                  HEADER("5", "(1,1,1)", "(32,1,1)",
                         "") "0 0 0 0 0000 00000003 0 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 1 0x400 16 0 \n"
                             "0 0 0 0 0000 00000003 0 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 1 0x7f000000 16 0 \n"
                             "0 0 0 0 0010 ffffffff 0 EXIT 0 0 0 \n",
                  "block 0\nw0 mem 0 3/ffffffff global 7f000000 7f000010\nw0 mem 0 x0 3/ffffffff shared 400 410\n"
                  "w0 run 1 x1 ffffffff\n");
}

static void addresses(void **state)
{
    (void)state;
    expect_events("kernel-1.traceg",
                  ONE("5", "9",
                      "0000 0000000f 1 R2 LDG.E 1 R4 4 0 0x0000000000001000 0x0000000000002000 0x0000000000003001 "
                      "0x0000000000000004 119 \n"
                      "0010 000000f0 1 R2 LDG.E.64 1 R4 8 1 0x1000 8 77 \n"
                      "0020 000000f0 1 R2 LDG.E 1 R4 4 1 0x1000 -4 0 \n"
                      "0030 80000001 1 R2 LDG.E 1 R4 4 2 0x1000 -16 0 \n"
                      "0040 0000000b 1 R2 LDG.E 1 R4 4 2 0x1000 4 100 5 \n"
                      "0050 00000000 1 R2 LDG.E 1 R4 4 1 0x0 32667 0 \n"
                      "0060 00000001 1 R2 LDS 1 R4 4 2 0x20 0 \n"
                      "0070 00000002 1 R2 LDG.E 1 R4 4 0 0xffffffffffffffff 0\n"
                      "0080 ffffffff 0 EXIT 0 0 0 \n"),
                  "block 0\n"
                  "w0 mem 0 f/ffffffff global 1000 2000 3001 4\n"
                  "w0 mem 1 f0/ffffffff global 1000 1008 1010 1018\n"
                  "w0 mem 2 f0/ffffffff global 1000 ffc ff8 ff4\n"
                  "w0 mem 3 80000001/ffffffff global 1000 ff0\n"
                  "w0 mem 4 b/ffffffff global 1000 1004 1068\n"
                  "w0 mem 5 0/ffffffff global\n"
                  "w0 mem 6 1/ffffffff shared 20\n"
                  "w0 mem 7 2/ffffffff global ffffffffffffffff\n"
                  "w0 run 8 x1 ffffffff\n");
}

/* Generic addresses by the windows of the header, lane by lane; without windows they are global. */
static void windows(void **state)
{
    (void)state;
    static const char lines[] =
        BLOCK("0,0,0", WARP("0", "4",
                            "0000 0000000f 1 R2 LD.E 1 R4 4 0 0x00007f6d9a000010 0x00007f6d98000120 "
                            "0x00007f0000000000 0x00007f6d9a000014 0 \n"
                            "0010 00000001 0 ST.E 2 R4 R2 4 1 0x7f6d98000100 0 0 \n"
                            "0020 00000001 1 R2 LDL 1 R4 4 1 0x7f6d98000124 0 0 \n"
                            "0030 00000001 1 R2 LDS 1 R4 4 1 0x7f6d9a000020 0 0 \n"));
    char text[4096];
    snprintf(text, sizeof text, "%s%s", HEADER("5", "(1,1,1)", "(32,1,1)", WINDOWS), lines);
    expect_events("kernel-1.traceg", text,
                  "block 0\n"
                  "w0 mem 0 4/ffffffff global 7f0000000000\n"
                  "w0 mem 0 x0 9/ffffffff shared 10 14\n"
                  "w0 mem 0 x0 2/ffffffff local 20\n"
                  "w0 mem 1 1/ffffffff local 0\n"
                  "w0 mem 2 1/ffffffff local 24\n"
                  "w0 mem 3 1/ffffffff shared 20\n");
    snprintf(text, sizeof text, "%s%s", HEADER("5", "(1,1,1)", "(32,1,1)", ""),
             BLOCK("0,0,0", WARP("0", "1", "0000 00000001 1 R2 LD.E 1 R4 4 1 0x10 0 0 \n")));
    expect_events("kernel-1.traceg", text, "block 0\nw0 mem 0 1/ffffffff global 10\n");
}

/* Lanes that a branch parts run alone until one mask has them together. */
static void divergence(void **state)
{
    (void)state;
    expect_events(
        "kernel-1.traceg",
        ONE("5", "9",
            "0000 ffffffff 1 R1 MOV 0 0 0\n0010 0000ffff 0 BRA 0 0 0\n0020 ffff0000 1 R1 FADD 1 R1 0 0\n"
            "0030 00ff0000 0 BRA 0 0 0\n0040 ff000000 1 R1 FADD 1 R1 0 0\n0050 00f00000 1 R1 FADD 1 R1 0 0\n"
            "0060 ffff0000 1 R1 FADD 1 R1 0 0\n0070 ffffffff 1 R1 FADD 1 R1 0 0\n0080 ffffffff 0 EXIT 0 0 0\n"),
        "block 0\nw0 run 0 x1 ffffffff\nw0 bra 1 ffffffff taken ffff\nw0 run 2 x1 ffff0000 d1\n"
        "w0 bra 3 ffff0000 d1 taken ff0000\nw0 run 4 x1 ff000000 d2\nw0 run 5 x1 f00000/ff0000 d2\n"
        "w0 join 3 x0 d1 after 2\nw0 run 6 x1 ffff0000 d1\nw0 join 1 x0 after 5\nw0 run 7 x2 ffffffff\n");
    /* Lanes that exit are waited for no longer; a branch that nobody takes. */
    expect_events("kernel-1.traceg",
                  ONE("5", "6",
                      "0010 0000ffff 0 BRA 0 0 0\n0020 ffff0000 0 EXIT 0 0 0\n0030 0000ffff 1 R1 FADD 1 R1 0 0\n"
                      "0040 00000000 0 BRA 0 0 0\n0050 000000ff 0 EXIT 0 0 0\n0060 0000ff00 0 EXIT 0 0 0\n"),
                  "block 0\nw0 bra 0 ffffffff taken ffff\nw0 run 1 x1 ffff0000 d1\nw0 join 0 x0 after 1\n"
                  "w0 run 2 x1 ffff\nw0 bra 3 ffff taken 0\nw0 run 4 x1 ff/ffff\nw0 run 5 x1 ff00\n");
    /* The warp of a block that is no multiple of 32; waiting parts lanes without a branch. */
    expect_events("kernel-1.traceg",
                  HEADER("5", "(1,1,1)", "(4,2,1)", "")
                      BLOCK("0,0,0", WARP("0", "4",
                                          "0000 0000000f 0 BSYNC 0 0 0\n0010 000000f0 1 R1 MOV 0 0 0\n"
                                          "0020 000000ff 1 R1 MOV 0 0 0\n0030 000000ff 0 EXIT 0 0 0\n")),
                  "block 0\nw0 run 0 x1 f/ff\nw0 run 1 x1 f0\nw0 run 2 x2 ff\n");
}

/* Warps take turns at barriers. */
static void barriers(void **state)
{
    (void)state;
    expect_events("kernel-1.traceg",
                  HEADER("5", "(1,1,1)", "(64,1,1)", "")
                      BLOCK("0,0,0",
                            WARP("0", "3",
                                 "0000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 \n0010 ffffffff 1 R1 MOV 0 0 0 \n"
                                 "0020 ffffffff 0 EXIT 0 0 0 \n")
                                WARP("1", "4",
                                     "0000 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0 \n0030 ffffffff 0 BAR.ARV 0 0 64 \n"
                                     "0040 ffffffff 0 WARPSYNC 0 0 0 \n0020 ffffffff 0 EXIT 0 0 0 \n")),
                  "block 0\nw0 bar 0 ffffffff no 0\nw1 bar 0 ffffffff no 0\nw0 run 1 x2 ffffffff\n"
                  "w1 bar 3 ffffffff no 200\nw1 bar 4 ffffffff no ffffffff\nw1 run 2 x1 ffffffff\n");
}

/* Offsets count from the start of a function: two functions share them. */
static void functions(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import_text(
        "kernel-1.traceg",
        ONE("5", "6",
            "0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 0 CALL.REL.NOINC 0 0 0\n0000 ffffffff 1 R1 FADD 2 R1 R255 0 "
            "0\n"
            "0008 ffffffff 1 R1 WHAT.IS.THIS 0 0 0\n0010 ffffffff 0 RET.REL.NODEC 0 0 0\n0020 ffffffff 0 EXIT 0 0 0\n"),
        &s, &result);
    assert_string_equal(s.opcodes, "MOV FADD WHAT.IS.THIS CALL.REL.NOINC RET.REL.NODEC EXIT ");
    assert_string_equal(s.text,
                        "block 0\nw0 run 0 x1 ffffffff\nw0 bra 3 ffffffff taken ffffffff\nw0 run 1 x2 ffffffff\n"
                        "w0 bra 4 ffffffff taken ffffffff\nw0 run 5 x1 ffffffff\n");
    assert_int_equal(result.unknown, 1);
    assert_string_equal(result.unknown_names, "WHAT");
    assert_int_equal(result.warp_instructions, 6);
    assert_int_equal(result.thread_instructions, 6 * 32);
    assert_int_equal(s.launch.isa, WS_ISA_SASS);
    assert_int_equal(s.launch.registers, 12);
    assert_int_equal(s.launch.shared_bytes, 48);
    assert_int_equal(s.instr[1].srcs, 1); /* R255 is no register */
    assert_int_equal(s.instr[1].column, 0);
    assert_int_equal(s.instr[2].column, 8);
}

/* What static fields become of modifiers. */
static void instructions(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import_text("kernel-1.traceg",
                ONE("6", "7",
                    "0000 00000001 1 R8 LDG.E.128.CONSTANT.SYS 1 R4 16 1 0x1000 0 0 0 NoVal\n"
                    "0010 00000001 0 STG.E.64 2 R4 R8 8 1 0x1000 0 0 0 NoVal\n"
                    "0020 00000001 1 R8 LDG.E.S8 1 R4 4 1 0x1000 0 0 0 NoVal\n"
                    "0030 00000001 1 R8 ATOMG.E.ADD.F64.RN.STRONG.GPU 2 R4 R6 4 1 0x1000 0 0 0 NoVal\n"
                    "0040 00000001 1 R8 LDSM.16.M88.4 1 R4 2 1 0x10 0 0 0 NoVal\n"
                    "0050 00000001 1 R8 TEX.SCR.LL 2 R4 R5 0 0 0 NoVal\n"
                    "0060 00000001 2 UP1 UR3 UIADD3 4 UR63 UR4 P7 P2 0 0 0 NoVal\n"),
                &s, &result);
    static const struct {
        uint8_t cls, space, access, bytes, dsts, srcs;
    } expected[] = {
        {WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 16, 4, 1},
        {WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 8, 0, 3},
        {WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 1, 1, 1},
        {WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 8, 2, 2},
        {WS_CLASS_MEMORY, WS_SPACE_SHARED, WS_ACCESS_LOAD, 16, 4, 1},
        {WS_CLASS_MEMORY, WS_SPACE_TEXTURE, WS_ACCESS_LOAD, 4, 1, 2},
        {WS_CLASS_INTEGER, WS_SPACE_NONE, WS_ACCESS_NONE, 0, 2, 2},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ws_instr *const in = &s.instr[i];
        assert_int_equal(in->cls, expected[i].cls);
        assert_int_equal(in->space, expected[i].space);
        assert_int_equal(in->access, expected[i].access);
        assert_int_equal(in->bytes, expected[i].bytes);
        assert_int_equal(in->dsts, expected[i].dsts);
        assert_int_equal(in->srcs, expected[i].srcs);
    }
    assert_int_equal(s.instr[0].dst[3], 11);
    assert_true(s.instr[6].dst[0] != s.instr[6].dst[1] && s.instr[6].dst[1] > 255);
    assert_non_null(strstr(s.text, "w0 run 5 x2 1/ffffffff\n"));
}

/* Bulk copies of version 6: both modes, multicast, none at all. Transfers are shown in parts of 16 bytes, by one lane.
 */
static void bulk(void **state)
{
    (void)state;
    static seen s;
    ws_accelsim_result result;
    import_text("kernel-1.traceg",
                ONE("6", "5",
                    "0000 ffffffff 0 UTMALDG.2D 2 UR4 UR8 32 0x400 1 0x3 4096 0 4 0x7f000000 3 128 -64 0 0 NoVal\n"
                    "0010 00000002 0 UTMASTG.2D 2 UR4 UR8 8 0x0 0 64 32 3 2 0x7f001000 0x7f002000 0 0 NoVal\n"
                    "0020 00000001 0 UTMAPF.L2.2D 2 UR4 UR8 128 0x0 0 0 0 4 0x0 3 1 1 0 0 NoVal\n"
                    "0030 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR4 1 0 0 0 NoVal\n"
                    "0040 00000001 0 UBLKCP.G.S 2 UR4 UR8 16 0x0 0 16 0 4 0x7f003000 1 0 0 NoVal\n"),
                &s, &result);
    assert_string_equal(s.text, "block 0\nw0 mem 0 1/ffffffff global 7f000000\nw0 mem 0 x0 1/ffffffff global 7f000010\n"
                                "w0 mem 0 x0 1/ffffffff global 7f000080\nw0 mem 0 x0 1/ffffffff global 7f000090\n"
                                "w0 mem 0 x0 1/ffffffff global 7f000040\nw0 mem 0 x0 1/ffffffff global 7f000050\n"
                                "w0 mem 1 2/ffffffff global 7f001000\nw0 mem 1 x0 2/ffffffff global 7f002000\n"
                                "w0 run 2 x1 1/ffffffff\nw0 run 3 x1 ffffffff\nw0 mem 4 1/ffffffff global 7f003000\n");
    assert_int_equal(result.bulk, 4);
    assert_int_equal(result.bulk_bytes, 4096 + 64 + 16);
    assert_int_equal(result.thread_instructions, 1 + 1 + 1 + 32 + 1);
    assert_int_equal(s.instr[0].bytes, 16);
    assert_int_equal(s.instr[1].bytes, 8);
    assert_int_equal(s.instr[1].access, WS_ACCESS_STORE);
    assert_int_equal(s.instr[4].access, WS_ACCESS_STORE);
}

/* More transfers than a record has lanes, and more events than a batch. */
static void many_transfers(void **state)
{
    (void)state;
    enum { N = 1500, BYTES = 48 };
    char *const text = calloc(1, 1 << 16);
    static seen s;
    ws_accelsim_result result;
    size_t n = (size_t)sprintf(text,
                               "%s\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
                               "0000 00000001 0 UTMALDG.1D 1 UR4 %d 0x400 0 72000 0 4 0x7f000000 %d",
                               HEADER("6", "(1,1,1)", "(32,1,1)", ""), BYTES, N);
    for (unsigned i = 1; i < N; i++)
        n += (size_t)sprintf(text + n, " %u", i % 7 * 16);
    sprintf(text + n, " 0 0 NoVal\n#END_TB\n");
    import_text("kernel-1.traceg", text, &s, &result);
    unsigned lines = 0;
    for (const char *p = s.text; (p = strchr(p, '\n')); p++)
        lines++;
    assert_int_equal(lines, 1 + N * BYTES / 16);
    assert_non_null(strstr(s.text, "\nw0 mem 0 x0 1/ffffffff global 7f011910\n")); /* the last: 1499 distances */
    assert_int_equal(result.warp_instructions, 1);
    free(text);
}

/* ------------------------------------------------------------------------------------------------ files */

#define SMALL        ONE("5", "2", "0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n")
#define SMALL_EVENTS "block 0\nw0 run 0 x2 ffffffff\n"

static void lists(void **state)
{
    (void)state;
    static seen s;
    folder f = folder_create();
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    static const char list[] =
        "MemcpyHtoD,0x00007f0000000000,800000\n\nnothing of ours\nMemcpyHtoD,0x1,5\nkernel-1.traceg\r\n"
        "MemcpyHtoD,0x1,7\nkernel-2-ctx_0x6165bdd7ec90.traceg.xz\nMemcpyDtoH,0x1,9\n";
    folder_write(&f, "kernelslist.g", list, strlen(list));
    folder_write(&f, "kernelslist", "kernel-3.trace\n", 15);
    folder_write(&f, "kernel-1.traceg", SMALL, strlen(SMALL));
    folder_write_xz(&f, "kernel-2-ctx_0x6165bdd7ec90.traceg.xz", SMALL);
    assert_int_equal(see(f.path, &s, &how, &result), WS_OK);
    assert_string_equal(s.text, SMALL_EVENTS SMALL_EVENTS);
    assert_int_equal(result.launches, 2);
    assert_int_equal(result.ignored, 1);
    assert_int_equal(s.launch.sequence, 1);
    assert_int_equal(s.launch.h2d_bytes, 7);
    assert_int_equal(result.d2h_bytes, 9);
    how = (ws_accelsim_import){.first = 1, .last = 1};
    assert_int_equal(see(f.path, &s, &how, &result), WS_OK);
    assert_int_equal(s.launch.h2d_bytes, 800005);
    assert_int_equal(result.launches, 1);
    assert_int_equal(result.left_out, 1);
    how = (ws_accelsim_import){.kernels = "^_Z2"};
    assert_int_equal(see(f.path, &s, &how, &result), WS_OK);
    assert_int_equal(result.launches, 0);
    assert_int_equal(result.left_out, 2);
    how = (ws_accelsim_import){.kernels = "^k[(]float"};
    assert_int_equal(see(f.path, &s, &how, &result), WS_OK);
    assert_int_equal(result.launches, 2);
    how = (ws_accelsim_import){.kernels = "(("};
    assert_int_equal(see(f.path, &s, &how, &result), WS_EINPUT);
    folder_destroy(&f);
}

/* What is before the damage was shown. */
static void damage_later(void **state)
{
    (void)state;
    static seen s;
    folder f = folder_create();
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    folder_write(&f, "kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n", 48);
    folder_write(&f, "kernel-1.traceg", SMALL, strlen(SMALL));
    folder_write(&f, "kernel-2.traceg", SMALL, strlen(SMALL) - 20);
    assert_int_equal(see(f.path, &s, &how, &result), WS_EINPUT);
    assert_string_equal(s.text, SMALL_EVENTS);
    assert_int_equal(result.launches, 1);
    assert_int_equal(s.failed, 0);
    folder_destroy(&f);
}

static uint8_t *put32(uint8_t *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
    return to + sizeof value;
}

/* A .tracez of one block with two warps, the first of them in two pieces. `blocks` above 1: so often has the index that
 * block. `last` is the text of the second warp. */
static size_t make_tracez_of(uint8_t *to, const char *dictionary, size_t room, uint32_t blocks, const char *last)
{
    const char *const piece[] = {"0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal\n0010 ffffffff 1 R1 MOV 0 0 0 0 NoVal\n",
                                 "0020 ffffffff 0 EXIT 0 0 0 0 NoVal", last};
    static const uint32_t counts[] = {2, 1, 1};
    const char *const header =
        blocks > 1 ? HEADER("6", "(100,1,1)", "(40,1,1)", "") : HEADER("6", "(1,1,1)", "(40,1,1)", "");
    uint8_t *p = to + strlen(header) + 1, *place[2];
    ZSTD_CCtx *const zstd = ZSTD_createCCtx();
    memcpy(to, header, strlen(header) + 1);
    const size_t words = strlen(dictionary);
    p = put32(put32(p, (uint32_t)words), 2);
    memcpy(p, dictionary, words);
    p += words;
    for (unsigned i = 0; i < 3; i++) {
        if (i != 1) {
            place[i / 2] = p;
            p = put32(put32(p, i ? 1 : 3), i ? 1 : 2);
        }
        const size_t n = ZSTD_compress_usingDict(zstd, p + 4, room - (size_t)(p + 4 - to), piece[i], strlen(piece[i]),
                                                 dictionary, words, 3);
        assert_false(ZSTD_isError(n));
        p = put32(p, (uint32_t)n) + n;
    }
    ZSTD_freeCCtx(zstd);
    const uint64_t index = (uint64_t)(p - to);
    p = put32(p, blocks);
    for (uint32_t block = 0; block < blocks; block++) {
        p = put32(p, block);
        for (unsigned i = 1; i < 10; i++)
            p = put32(p, 0);
        p = put32(p, 2);
        for (unsigned i = 0; i < 2; i++) {
            const uint64_t at = (uint64_t)(place[i] - to);
            p = put32(put32(p, i ? 1 : 3), i ? 1 : 2);
            memcpy(p, &at, sizeof at);
            p += sizeof at;
            for (unsigned k = i ? 2 : 0; k < (i ? 3 : 2); k++)
                p = put32(p, counts[k]);
        }
    }
    memcpy(p, &index, sizeof index);
    return (size_t)(p + sizeof index - to);
}

static size_t make_tracez(uint8_t *to, const char *dictionary, size_t room)
{
    return make_tracez_of(to, dictionary, room, 1, "0020 000000ff 0 EXIT 0 0 0 0 NoVal\n");
}

static void tracez(void **state)
{
    (void)state;
    static uint8_t data[1 << 14];
    static seen s;
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    for (unsigned i = 0; i < 2; i++) {
        folder f = folder_create();
        const size_t n = make_tracez(data, i ? "0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal EXIT" : "", sizeof data);
        assert_int_equal(see(folder_write(&f, "kernel-1.tracez", data, n), &s, &how, &result), WS_OK);
        assert_string_equal(s.text, "block 0\nw0 run 0 x3 ffffffff\nw1 run 2 x1 ff\n");
        folder_destroy(&f);
    }
    /* Cut anywhere, it says so. */
    const size_t whole = make_tracez(data, "", sizeof data);
    for (size_t n = 0; n < whole; n += 7) {
        folder f = folder_create();
        how = (ws_accelsim_import){.kernels = NULL};
        assert_int_equal(see(folder_write(&f, "kernel-1.tracez", data, n), &s, &how, &result), WS_EINPUT);
        folder_destroy(&f);
    }
}

/* ------------------------------------------------------------------------------------------------ bombs */

/* An index may name a warp again and again; with large pieces, a small file were many. */
static void warps_that_lie_in_one_place(void **state)
{
    (void)state;
    static uint8_t data[1 << 15];
    static seen s;
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    folder f = folder_create();
    const size_t n = make_tracez_of(data, "", sizeof data, 100, "0020 000000ff 0 EXIT 0 0 0 0 NoVal\n");
    assert_int_equal(see(folder_write(&f, "kernel-1.tracez", data, n), &s, &how, &result), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "several warps of the index lie here"));
    folder_destroy(&f);
}

/* Packed lines are no longer than those of a text. */
static void a_packed_line_has_a_most(void **state)
{
    (void)state;
    static uint8_t data[1 << 15];
    static char line[(1 << 20) + 64];
    static seen s;
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    folder f = folder_create();
    memset(line, ' ', sizeof line - 1);
    memcpy(line, "0020 000000ff 0 EXIT 0 0 0 0", 28);
    memcpy(line + sizeof line - 7, "NoVal\n", 6);
    const size_t n = make_tracez_of(data, "", sizeof data, 1, line);
    assert_int_equal(see(folder_write(&f, "kernel-1.tracez", data, n), &s, &how, &result), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "a line of more than 1048576 bytes is no line of a trace"));
    folder_destroy(&f);
}

/* One xz stream of 16 MiB of one byte; several of them behind each other are one file. */
static size_t make_xz(uint8_t *to, size_t room, char byte)
{
    enum { BYTES = 1 << 24 };
    char *const plain = malloc(BYTES);
    size_t n = 0;
    assert_non_null(plain);
    memset(plain, byte, BYTES);
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)plain, BYTES, to, &n, room),
                     LZMA_OK);
    free(plain);
    return n;
}

/* What `see` says of the header and n of these streams behind it; the most memory it had, in KiB, becomes *peak. */
static int import_xz(const char *text, const uint8_t *stream, size_t bytes, unsigned n, const char *message, long *peak)
{
    uint8_t head[4096];
    size_t length = 0;
    folder f = folder_create();
    assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, strlen(text), head,
                                             &length, sizeof head),
                     LZMA_OK);
    uint8_t *const all = malloc(length + n * bytes);
    assert_non_null(all);
    memcpy(all, head, length);
    for (unsigned i = 0; i < n; i++)
        memcpy(all + length + i * bytes, stream, bytes);
    const char *const path = folder_write(&f, "kernel-1.traceg.xz", all, length + n * bytes);
    free(all);
    const pid_t child = fork();
    if (!child) {
        static seen s;
        ws_accelsim_result result;
        ws_accelsim_import how = {.kernels = NULL};
        const int status = see(path, &s, &how, &result);
        _exit(status == WS_OK ? 0 : strstr(ws_message(), message) ? 1 : 2);
    }
    struct rusage used;
    int status = 0;
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_true(WIFEXITED(status));
    *peak = used.ru_maxrss;
    folder_destroy(&f);
    return WEXITSTATUS(status);
}

/* Ten gibibytes without a line, refused; 256 mebibytes of empty lines, read in little memory. */
static void texts_that_unpack_to_much(void **state)
{
    (void)state;
    static uint8_t stream[1 << 16];
    const char *const text = ONE("5", "1", "0000 ffffffff 0 EXIT 0 0\n");
    long peak, before;
    size_t n = make_xz(stream, sizeof stream, '\n');
    assert_int_equal(import_xz(text, stream, n, 1, "", &before), 0);
    assert_int_equal(import_xz(text, stream, n, 8, "", &peak), 0);
    assert_true(peak < before + (32 << 10));
    n = make_xz(stream, sizeof stream, '\0');
    assert_int_equal(import_xz(text, stream, n, 640, "a line of more than 1048576 bytes is no line of a trace", &peak),
                     1);
    assert_true(peak < before + (32 << 10));
}

/* A head that asks for a dictionary of 1.5 GiB: its checksum is right. */
static void xz_that_takes_much_memory(void **state)
{
    (void)state;
    static uint8_t stream[1 << 16];
    const char *const text = ONE("5", "1", "0000 ffffffff 0 EXIT 0 0\n");
    long peak;
    const size_t n = make_xz(stream, sizeof stream, '\n');
    const size_t block = LZMA_STREAM_HEADER_SIZE, bytes = (stream[block] + 1u) * 4;
    uint8_t *const filter = memchr(stream + block, 0x21, bytes);
    assert_non_null(filter);
    filter[2] = 37; /* 3 << 29 bytes */
    const uint32_t sum = lzma_crc32(stream + block, bytes - 4, 0);
    memcpy(stream + block + bytes - 4, &sum, sizeof sum);
    assert_int_equal(import_xz(text, stream, n, 1, "unpacking takes more than 512 MiB; pack it again", &peak), 1);
}

/* With limits of a test's size: the tables' own are those of the largest kernels, and ten times as much. */
static void tables_have_a_most(void **state)
{
    (void)state;
    static const char *const line[] = {"0000 ffffffff 1 R1 MOV 0 0 0 0\n", "0010 ffffffff 1 R1 MOV 0 0 0 0\n",
                                       "0020 ffffffff 0 EXIT 0 0 0 0\n"};
    const ws_line_form form = {.version = 5};
    for (unsigned limit = 0; limit < 2; limit++) {
        ws_instr_table table;
        ws_record r;
        ws_line_error error;
        assert_int_equal(ws_instr_table_init(&table), WS_OK);
        assert_true(table.most >= 1 << 20);
        if (limit)
            table.text_most = 30;
        else
            table.most = 2;
        for (unsigned i = 0; i < 2; i++)
            assert_int_equal(
                ws_instruction_read(&table, &form, line[i], line[i] + strlen(line[i]) - 1, i - 1, &r, &error), WS_OK);
        assert_int_equal(ws_instruction_read(&table, &form, line[0], line[0] + strlen(line[0]) - 1, 1, &r, &error),
                         WS_OK);
        assert_int_equal(ws_instruction_read(&table, &form, line[2], line[2] + strlen(line[2]) - 1, 1, &r, &error),
                         WS_ELIMIT);
        ws_instr_table_fini(&table);
    }
}

static int written(void *context, const ws_launch *launch, uint64_t warps, uint64_t threads, int status)
{
    (void)launch;
    assert_int_equal(warps, threads);
    return ws_trace_writer_end(context, status);
}

static const char *write_wst(folder *f, const char *path, const char *name, uint64_t memory_bytes)
{
    const char *const out = folder_write(f, name, "", 0);
    ws_trace_writer *writer;
    ws_accelsim_result result;
    assert_int_equal(ws_trace_writer_create(out, NULL, &writer), WS_OK);
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    const ws_accelsim_import how = {
        .sinks = &sink, .sink_count = 1, .memory_bytes = memory_bytes, .launched = written, .context = writer};
    assert_int_equal(ws_accelsim_read(path, &how, &result), WS_OK);
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_OK);
    return out;
}

static char *read_all(const char *path, size_t *length)
{
    FILE *const in = fopen(path, "rb");
    char *const data = malloc(1 << 22);
    assert_true(in && data);
    *length = fread(data, 1, 1 << 22, in);
    fclose(in);
    return data;
}

/* More warps than can be filled at once, mixed, in no memory: the same as in order, in memory. */
static void spill(void **state)
{
    (void)state;
    enum { BLOCKS = 280, WARPS = 32, TURNS = 3 };
    folder f = folder_create();
    const size_t room = (size_t)BLOCKS * WARPS * TURNS * 64 + 4096;
    char *const text = malloc(room);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s", HEADER("5", "(280,1,1)", "(1024,1,1)", ""));
    for (unsigned turn = 0; turn < TURNS; turn++)
        for (unsigned i = 0; i < BLOCKS * WARPS; i++)
            n += (size_t)sprintf(text + n, "%u 0 0 %u %04x 00000001 1 R1 LDG.E 1 R2 4 1 0x%x 0 0\n", i % BLOCKS,
                                 i / BLOCKS, 16 * turn, 0x10000 * turn + i);
    const char *const path = folder_write(&f, "kernel-1.trace", text, n);
    const char *const kept[] = {write_wst(&f, path, "a.wst", 0), write_wst(&f, path, "b.wst", 1)};
    char *bytes[2];
    size_t length[2];
    for (unsigned k = 0; k < 2; k++)
        bytes[k] = read_all(kept[k], &length[k]);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    free(bytes[0]);
    free(bytes[1]);
    free(text);
    folder_destroy(&f);
}

/* ------------------------------------------------------------------------------------------------ what is wrong */

#define LINE(text) ONE("5", "1", text "\n")

static const struct {
    const char *text, *message; /* behind the path */
} wrong[] = {
    {"", ":1:1: expected a header that ends with a line '#traces format = ...', not the end of the file"},
    {"hello\n", ":1:1: expected a header line '-name = value' or '#traces format = ...', not 'hello'"},
    {"-kernel name = k\n#traces\n", ":2:1: expected '-grid dim = ...' in the header before this line"},
    {"-grid dim = (1,1,1)\n-block dim = (1,1,1)\n#x\n",
     ":3:1: expected '-kernel name = ...' in the header before this line"},
    {"-kernel name =\n", ":1:15: expected the kernel's name, not the end of the line"},
    {"-grid dim = (1,0,1)\n", ":1:13: expected (x,y,z), blocks in each direction, not '(1,0,1)'"},
    {"-block dim = (1,1)\n", ":1:14: expected (x,y,z), threads in each direction, not '(1,1)'"},
    {"-nregs = many\n", ":1:10: expected how many registers a thread has, not 'many'"},
    {"-shmem base_addr = R0\n", ":1:20: expected an address (0x...), not 'R0'"},
    {"-enable lineinfo = 2\n", ":1:20: expected 0 or 1, not '2'"},
    {"-accelsim tracer version = new\n", ":1:28: expected a number, 1 to 6, not 'new'"},
    {HEADER("5", "(1,1,1)", "(1024,2,1)", ""), ":11:1: expected at most 1024 threads in a block, not 1024 x 2 x 1"},
    {HEADER("5", "(2147483647,2,1)", "(1,1,1)", ""),
     ":11:1: expected at most 2147483647 blocks, not 2147483647 x 2 x 1"},
    {LINE("zz ffffffff 0 EXIT 0 0 0"), ":19:1: expected the offset of the instruction, hexadecimal, not 'zz'"},
    {LINE("0000 fffffffff 0 EXIT 0 0 0"), ":19:6: expected a mask of 32 lanes, hexadecimal (machines with 64, as those "
                                          "of AMD, are not read), not 'fffffffff'"},
    {LINE("0000 ffffffff"), ":19:14: expected how many registers are written, 0 to 8, not the end of the line"},
    {LINE("0000 ffffffff 9 R1 EXIT 0 0 0"), ":19:15: expected how many registers are written, 0 to 8, not '9'"},
    {LINE("0000 ffffffff 1 X1 EXIT 0 0 0"),
     ":19:17: expected a register (R0 ... R255, and from version 6 on UR, P and UP), not 'X1'"},
    {LINE("0000 ffffffff 1 R256 MOV 0 0 0"),
     ":19:17: expected a register (R0 ... R255, and from version 6 on UR, P and UP), not 'R256'"},
    {LINE("0000 ffffffff 0 exit 0 0 0"), ":19:17: expected an opcode, as LDG.E.64.SYS, not 'exit'"},
    {LINE("0000 ffffffff 0 EXIT 13 0 0"), ":19:22: expected how many registers are read, 0 to 12, not '13'"},
    {LINE("0000 ffffffff 0 EXIT 0"),
     ":19:23: expected the width of the access in bytes, 0 for none, not the end of the line"},
    {LINE("0000 00000003 1 R1 LDG.E 1 R2 4 5 0x1"),
     ":19:33: expected an address mode: 0 list, 1 base and stride, 2 base and distances, not '5'"},
    {LINE("0000 00000003 1 R1 LDG.E 1 R2 4 0 0x1"),
     ":19:38: expected an address (0x...) for each lane in the mask, not the end of the line"},
    {LINE("0000 00000003 1 R1 LDG.E 1 R2 4 1 0x1"), ":19:38: expected a stride in bytes, not the end of the line"},
    {LINE("0000 00000005 1 R1 LDG.E 1 R2 4 1 0x1 4 0"),
     ":19:35: expected addresses of another mode: the lanes of one with a stride lie side by side, not '0x1'"},
    {LINE("0000 00000007 1 R1 LDG.E 1 R2 4 2 0x1 4"),
     ":19:40: expected the distance of each lane's address from the lane's before it, not the end of the line"},
    {LINE("0000 ffffffff 0 EXIT 0 0 0 0 0"), ":19:30: expected the end of the line, not '0'"},
    {LINE("0000 ffffffff 0 EXIT 0 0 NoVal"), ":19:26: expected the end of the line, not 'NoVal'"},
    {ONE("6", "1", "0000 ffffffff 0 EXIT 0 0 0 0 Value\n"), ":19:30: expected Val or NoVal, not 'Value'"},
    {ONE("6", "1", "0000 ffffffff 1 R1 MOV 0 0 0 0 Val 2 0 0\n"),
     ":19:36: expected 1 or 32: how many values of a register follow, not '2'"},
    {ONE("5", "2", "0000 ffffffff 0 EXIT 0 0 0\n"),
     ":21:1: expected 2 instructions of the warp before this line, not 1"},
    {ONE("5", "0", "0000 ffffffff 0 EXIT 0 0 0\n"),
     ":19:1: expected no more instructions than 'insts = n' says, not '0000'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") BLOCK("0,0,0", WARP("0", "1", "0000 000001ff 0 EXIT 0 0 0\n")),
     ":19:6: expected a mask of lanes that the block has threads for, not '000001ff'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") BLOCK("1,0,0", ""), ":15:1: expected a block of the grid, not 'thread'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") BLOCK("0,0", ""),
     ":15:19: expected thread block = x,y,z, not the end of the line"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") BLOCK("0,0,0", WARP("1", "0", "")),
     ":17:1: expected a warp of the block, not 'warp'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") BLOCK("0,0,0", WARP("0", "many", "")),
     ":18:9: expected insts = n, not 'many'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") "#BEGIN_TB\nwarp = 0\n", ":13:1: expected thread block = x,y,z, not 'warp'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") "#BEGIN_TB\n#BEGIN_TB\n",
     ":13:1: expected #END_TB of the block before, not '#BEGIN_TB'"},
    {SMALL "0000 ffffffff 0 EXIT 0 0 0\n", ":23:1: expected #BEGIN_TB, not '0000'"},
    {SMALL BLOCK("0,0,0", WARP("0", "1", "0000 ffffffff 0 EXIT 0 0 0\n")),
     ":28:1: expected a warp that the trace has not had before, not 'warp'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") "1 0 0 0 0000 000000ff 0 EXIT 0 0 0\n",
     ":12:1: expected a block of the grid, not '1'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") "0 0 0 7 0000 000000ff 0 EXIT 0 0 0\n",
     ":12:1: expected a warp of the block, not '0'"},
    {HEADER("5", "(1,1,1)", "(8,1,1)", "") "0 0 0\n",
     ":12:6: expected the number of the warp in its block, not the end of the line"},
    {HEADER("5", "(1,1,1)", "(8,1,1)",
            "") "0 0 0 0 0000 000000ff 0 LDGSTS.E 2 R1 R2 4 1 0x0 4 0\n0 0 0 0 0010 000000ff 0 EXIT 0 0 0\n",
     ":13:14: expected the second line of the warp's LDGSTS, with its global addresses, not '000000ff'"},
    {HEADER("7", "(1,1,1)", "(8,1,1)", ""), ": written by version 7 of the tracer; versions up to 6 are known"},
};

static void bad_input(void **state)
{
    (void)state;
    static seen s;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        folder f = folder_create();
        ws_accelsim_result result;
        ws_accelsim_import how = {.kernels = NULL};
        const char *const path = folder_write(&f, "kernel-1.traceg", wrong[i].text, strlen(wrong[i].text));
        const int status = see(path, &s, &how, &result);
        if (status == WS_OK || strncmp(ws_message(), path, strlen(path)) ||
            strcmp(ws_message() + strlen(path), wrong[i].message))
            fail_msg("case %zu: status %d, \"%s\" instead of \"%s\"", i, status, ws_message(), wrong[i].message);
        assert_int_equal(s.launches, 0);
        folder_destroy(&f);
    }
}

static void bad_files(void **state)
{
    (void)state;
    static seen s;
    folder f = folder_create();
    ws_accelsim_result result;
    ws_accelsim_import how = {.kernels = NULL};
    assert_int_equal(see("/nowhere/kernel-1.traceg", &s, &how, &result), WS_EIO);
    assert_int_equal(see(f.path, &s, &how, &result), WS_ENOTFOUND);
    assert_int_equal(see(folder_write(&f, "kernelslist.g", "MemcpyHtoD,here\n", 16), &s, &how, &result), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "kernelslist.g:1:1: expected MemcpyHtoD,0xADDRESS,BYTES"));
    assert_int_equal(see(folder_write(&f, "kernelslist_2", "\n\n", 2), &s, &how, &result), WS_EINPUT);
    assert_int_equal(see(folder_write(&f, "kernelslist_3", "kernel-9.traceg\n", 16), &s, &how, &result), WS_EIO);
    assert_non_null(strstr(ws_message(), "kernelslist_3:1:1: "));
    /* A packed file that breaks off. */
    const char *const path = folder_write_xz(&f, "kernel-1.traceg.xz", SMALL);
    FILE *const in = fopen(path, "rb");
    static char data[1 << 14];
    const size_t n = fread(data, 1, sizeof data, in);
    fclose(in);
    for (size_t cut = 7; cut < n; cut += 5) {
        FILE *const out = fopen(path, "wb");
        assert_int_equal(fwrite(data, 1, cut, out), cut);
        fclose(out);
        assert_int_equal(see(path, &s, &how, &result), WS_EINPUT);
    }
    folder_destroy(&f);
}

static void a_block_without_an_end(void **state)
{
    (void)state;
    expect_events(
        "kernel-1.traceg",
        HEADER("5", "(4,1,1)", "(64,1,1)", "")
            BLOCK("3,0,0", WARP("0", "0", "") WARP(
                               "1", "1", "0000 ffffffff 0 EXIT 0 0 0\n")) "#BEGIN_TB\nthread block = 1,0,0\nwarp = "
                                                                          "1\ninsts = 1\n0000 ffffffff 0 EXIT 0 0 0",
        "block 0\nblock 1\nw1 run 0 x1 ffffffff\nblock 2\nblock 3\nw1 run 0 x1 ffffffff\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),
        cmocka_unit_test(raw),
        cmocka_unit_test(addresses),
        cmocka_unit_test(windows),
        cmocka_unit_test(divergence),
        cmocka_unit_test(barriers),
        cmocka_unit_test(functions),
        cmocka_unit_test(instructions),
        cmocka_unit_test(bulk),
        cmocka_unit_test(lists),
        cmocka_unit_test(damage_later),
        cmocka_unit_test(tracez),
        cmocka_unit_test(warps_that_lie_in_one_place),
        cmocka_unit_test(a_packed_line_has_a_most),
        cmocka_unit_test(texts_that_unpack_to_much),
        cmocka_unit_test(xz_that_takes_much_memory),
        cmocka_unit_test(tables_have_a_most),
        cmocka_unit_test(spill),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(a_block_without_an_end),
        cmocka_unit_test(many_transfers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
