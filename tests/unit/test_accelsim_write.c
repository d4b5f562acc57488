/* test_accelsim_write.c - launches of ours in the syntax of Accel-Sim's tracer, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/trace_fixture.h"

#include "collect/accelsim/accelsim_write.h"
#include "collect/accelsim/register_names.h"
#include "collect/sass/sass.h"
#include "collect/accelsim/sass_spelling.h"

static void is_known_to_ampere(const char *name)
{
    const ws_sass *const row = ws_sass_find(name);
    if (!row || !strchr(row->machines, 'A'))
        fail_msg("Accel-Sim does not know %s", name);
}

static void every_row_has_a_known_name(void **state)
{
    (void)state;
    static const char *const rows[] = {
#define OP(name, class, unit, work, dst, operands, sass, modifiers) sass,
#include "collect/ptx/opcode.def"
#undef OP
#define SASS_OF(prefix, sass) sass,
#include "collect/accelsim/sass_of_ptx.def"
#undef SASS_OF
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *at = rows[i]; *at; at += strspn(at, " ")) {
            char name[WS_SASS_SPELLING];
            const size_t length = strcspn(at, " ");
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (strcmp(name, "-") != 0)
                is_known_to_ampere(name);
            at += length;
        }
    for (unsigned cls = 0; cls < WS_CLASSES; cls++) {
        char name[WS_SASS_SPELLING];
        const ws_instr in = {.opcode = "unheard.of.f64", .cls = (uint8_t)cls};
        ws_sass_spell(WS_ISA_PTX, &in, name);
        is_known_to_ampere(name);
    }
}

static void spellings(void **state)
{
    (void)state;
    static const struct {
        const char *ptx, *sass;
        uint8_t cls, space, access, bytes;
    } expected[] = {
        {"add.s32", "IADD3", WS_CLASS_INTEGER, 0, 0, 0},
        {"add.rn.f32", "FADD", WS_CLASS_FLOAT, 0, 0, 0},
        {"fma.rn.f64", "DFMA", WS_CLASS_FLOAT, 0, 0, 0},
        {"fma.rn.bf16x2", "HFMA2", WS_CLASS_FLOAT, 0, 0, 0},
        {"mad.wide.u32", "IMAD.WIDE", WS_CLASS_INTEGER, 0, 0, 0},
        {"mul24.lo.u32", "IMAD", WS_CLASS_INTEGER, 0, 0, 0},
        {"mov.f32", "MOV", WS_CLASS_INTEGER, 0, 0, 0},
        {"setp.lt.f64", "DSETP", WS_CLASS_FLOAT, 0, 0, 0},
        {"cvt.rn.f32.s32", "I2F", WS_CLASS_FLOAT, 0, 0, 0},
        {"cvt.rzi.s32.f32", "F2I", WS_CLASS_FLOAT, 0, 0, 0},
        {"cvt.f64.f32", "F2F", WS_CLASS_FLOAT, 0, 0, 0},
        {"cvt.rni.f32.f32", "FRND", WS_CLASS_FLOAT, 0, 0, 0},
        {"cvt.u64.u32", "I2I", WS_CLASS_INTEGER, 0, 0, 0},
        {"div.rn.f64", "MUFU.RCP64H", WS_CLASS_SPECIAL, 0, 0, 0},
        {"div.s32", "IMAD", WS_CLASS_INTEGER, 0, 0, 0},
        {"ex2.approx.ftz.f32", "MUFU.EX2", WS_CLASS_SPECIAL, 0, 0, 0},
        {"shfl.sync.bfly.b32", "SHFL.BFLY", WS_CLASS_EXCHANGE, 0, 0, 0},
        {"bar.warp.sync", "WARPSYNC", WS_CLASS_BARRIER, 0, 0, 0},
        {"barrier.sync.aligned", "BAR.SYNC.DEFER_BLOCKING", WS_CLASS_BARRIER, 0, 0, 0},
        {"membar.gl", "MEMBAR.SC.GPU", WS_CLASS_OTHER, 0, 0, 0},
        {"ld.global.v4.f32", "LDG.E.128", WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 16},
        {"ld.u8", "LD.E.U8", WS_CLASS_MEMORY, WS_SPACE_GENERIC, WS_ACCESS_LOAD, 1},
        {"st.shared.u16", "STS.U16", WS_CLASS_MEMORY, WS_SPACE_SHARED, WS_ACCESS_STORE, 2},
        {"st.local.f64", "STL.64", WS_CLASS_MEMORY, WS_SPACE_LOCAL, WS_ACCESS_STORE, 8},
        {"ld.param.u64", "LDC.64", WS_CLASS_MEMORY, WS_SPACE_PARAM, WS_ACCESS_LOAD, 8},
        {"atom.global.cas.b32", "ATOMG.E.CAS", WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4},
        {"red.global.add.f64", "RED.E.ADD.64", WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 8},
        {"atom.shared.exch.b32", "ATOMS.EXCH", WS_CLASS_MEMORY, WS_SPACE_SHARED, WS_ACCESS_ATOMIC, 4},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "LDSM.16.M88.4", WS_CLASS_MEMORY, WS_SPACE_SHARED, WS_ACCESS_LOAD,
         16},
        {"cp.async.cg.shared.global", "LDGSTS.E.128", WS_CLASS_MEMORY, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 16},
        {"tex.2d.v4.f32.f32", "TEX", WS_CLASS_MEMORY, WS_SPACE_TEXTURE, WS_ACCESS_LOAD, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char name[WS_SASS_SPELLING];
        const ws_instr in = {.opcode = expected[i].ptx,
                             .cls = expected[i].cls,
                             .space = expected[i].space,
                             .access = expected[i].access,
                             .bytes = expected[i].bytes};
        ws_sass_spell(WS_ISA_PTX, &in, name);
        assert_string_equal(name, expected[i].sass);
        is_known_to_ampere(name);
        /* Read again, it counts as what it was. */
        const ws_sass *const row = ws_sass_find(name);
        assert_int_equal(row->cls, in.cls);
        if (in.access && in.bytes)
            assert_int_equal(ws_sass_bytes(name), in.bytes);
        if (in.access)
            assert_int_equal(row->access, in.access);
    }
    char name[WS_SASS_SPELLING];
    const ws_instr argument = {.opcode = "st.param.b32",
                               .cls = WS_CLASS_MEMORY,
                               .space = WS_SPACE_PARAM,
                               .access = WS_ACCESS_STORE,
                               .bytes = 4};
    ws_sass_spell(WS_ISA_PTX, &argument, name);
    assert_string_equal(name, "MOV");
    ws_sass_spell(WS_ISA_SASS, &(ws_instr){.opcode = "IMAD.MOV.U32"}, name);
    assert_string_equal(name, "IMAD.MOV.U32");
}

/* ------------------------------------------------------------------------------------------------ registers */

static void registers(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    static ws_instr instr[MANY];
    static ws_register_names names[MANY];
    const ws_launch launch = {.kernel = "k", .instr = instr, .instrs = MANY};
    unsigned used;
    /* A chain: each instruction reads what the one before wrote; two registers are enough, and they differ. */
    for (unsigned i = 0; i < MANY; i++)
        instr[i] =
            (ws_instr){.opcode = "add.s32", .dsts = 1, .srcs = 1, .dst = {(uint16_t)(i + 1)}, .src = {(uint16_t)i}};
    assert_int_equal(ws_register_names_make(&launch, names, &used), WS_OK);
    assert_int_equal(used, 2);
    for (unsigned i = 1; i < MANY; i++) {
        assert_int_equal(names[i].src[0], names[i - 1].dst);
        assert_int_not_equal(names[i].src[0], names[i].dst);
    }
    /* All alive to the end: more than there are, so some are shared, none is beyond. */
    for (unsigned i = 0; i + 1 < MANY; i++)
        instr[i] = (ws_instr){.opcode = "mov.u32", .dsts = 1, .dst = {(uint16_t)i}};
    instr[MANY - 1] = (ws_instr){.opcode = "add.s32", .srcs = 2, .src = {0, 1}};
    for (unsigned i = 0; i + 1 < MANY; i++)
        instr[i].src[instr[i].srcs++] = (uint16_t)(MANY - 2 - i);
    assert_int_equal(ws_register_names_make(&launch, names, &used), WS_OK);
    assert_int_equal(used, WS_SASS_REGISTERS);
    /* A vector lies in a row; five operands are four, one register twice is once. */
    instr[0] = (ws_instr){.opcode = "mov.u32", .dsts = 1, .dst = {9}};
    instr[1] = (ws_instr){.opcode = "ld.global.v4.f32", .dsts = 4, .srcs = 1, .dst = {3, 1, 4, 2}, .src = {9}};
    instr[2] = (ws_instr){.opcode = "x", .srcs = 6, .src = {3, 3, 1, 4, 2, 9}};
    const ws_launch small = {.kernel = "k", .instr = instr, .instrs = 3};
    assert_int_equal(ws_register_names_make(&small, names, &used), WS_OK);
    assert_int_equal(names[2].srcs, 4);
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(names[2].src[k], names[1].dst + k);
    assert_int_not_equal(names[0].dst, names[1].dst);
    assert_int_equal(names[1].dsts, 1);
}

/* ------------------------------------------------------------------------------------------------ there and back */

static int written(void *context, const ws_launch *launch, uint64_t warps, uint64_t threads, int status)
{
    (void)launch, (void)warps, (void)threads;
    return ws_trace_writer_end(context, status);
}

static void to_wst(const char *from, const char *path)
{
    ws_trace_writer *writer;
    ws_accelsim_result result;
    assert_int_equal(ws_trace_writer_create(path, NULL, &writer), WS_OK);
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    const ws_accelsim_import how = {.sinks = &sink, .sink_count = 1, .launched = written, .context = writer};
    if (ws_accelsim_read(from, &how, &result))
        fail_msg("%s", ws_message());
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_OK);
}

static char *read_text(const char *where, const char *name)
{
    static char text[1 << 14];
    char path[FOLDER_PATH];
    snprintf(path, sizeof path, "%s/%s", where, name);
    FILE *const in = fopen(path, "rb");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    unlink(path);
    return text;
}

#define FAR "0x0000000000000001 0x7fffffffffffffff "

/* What a trace in the tracer's own words becomes after import and export: itself. */
static void round_trip(void **state)
{
    (void)state;
    static const char header[] =
        "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n-shmem = 64\n-nregs = 12\n"
        "-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00fe000000000000\n"
        "-local mem base_addr = 0x00ff000000000000\n-nvbit version = none\n-accelsim tracer version = 5\n"
        "-enable lineinfo = 0\n\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] immediate\n",
                      body[] =
                          "\n#BEGIN_TB\n\nthread block = 0,0,0\n"
                          "\nwarp = 0\ninsts = 13\n"
                          "0000 ffffffff 1 R1 IMAD.MOV.U32 0 0 0 \n"
                          "0010 ffffffff 1 R4 LDG.E.128.SYS 1 R2 16 1 0x7f0000000010 16 0 \n"
                          "0020 0000ffff 0 BRA 0 0 0 \n"
                          "0030 ffff0000 1 R1 FFMA 3 R1 R4 R5 0 0 \n"
                          "0040 80000001 1 R6 LDG.E 1 R2 4 2 0x1000 -16 0 \n"
                          "0050 00000010 0 STG.E.64 2 R2 R4 8 2 0x7f0000000010 0 \n"
                          "0060 00000107 1 R6 LD.E 1 R2 4 2 0xfe000000000010 281474976710640 -71636481084489728 "
                          "71355006107779092 0 \n"
                          "0068 0000ffff 1 R6 LDG.E 1 R2 4 0 " FAR FAR FAR FAR FAR FAR FAR FAR "0 \n"
                          "0070 00000000 1 R6 ATOMG.E.ADD.F64.RN.STRONG.GPU 2 R2 R8 8 1 0x0 0 0 \n"
                          "0080 00000000 0 BRA 0 0 0 \n"
                          "0090 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 3 \n"
                          "00a0 0000000f 1 R7 LDS.U8 1 R2 1 1 0x20 -1 0 \n"
                          "00b0 ffffffff 0 EXIT 0 0 0 \n"
                          "\nwarp = 1\ninsts = 2\n"
                          "0090 000000ff 0 BAR.SYNC.DEFER_BLOCKING 0 0 3 \n"
                          "00b0 000000ff 0 EXIT 0 0 0 \n"
                          "\n#END_TB\n"
                          "\n#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 1\n00b0 ffffffff 0 EXIT 0 0 0 \n"
                          "\nwarp = 1\ninsts = 0\n\n#END_TB\n";
    folder f = folder_create();
    char text[sizeof header + sizeof body], out[FOLDER_PATH];
    snprintf(text, sizeof text, "%s%s", header, body);
    folder_write(&f, "kernelslist.g", "MemcpyHtoD,0x0000000000000000,800\nkernel-1.traceg\n", 50);
    folder_write(&f, "kernel-1.traceg", text, strlen(text));
    const char *const wst = folder_write(&f, "k.wst", "", 0);
    to_wst(f.path, wst);
    ws_trace *trace;
    assert_int_equal(ws_trace_open(wst, &trace), WS_OK);
    snprintf(out, sizeof out, "%.200s/out", f.path);
    assert_int_equal(ws_accelsim_write(trace, out, NULL, NULL), WS_OK);
    ws_trace_close(trace);
    assert_string_equal(read_text(out, "kernelslist.g"), "MemcpyHtoD,0x0000000000000000,800\nkernel-1.traceg\n");
    assert_string_equal(
        read_text(out, "stats.csv"),
        "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, block_dimY, "
        "block_dimZ, #threads, total_insts, total_reported_insts\n"
        "kernel-1.traceg, _Z1kPf, 2, 1, 1, 2, 40, 1, 1, 40, 16,16\n");
    assert_string_equal(read_text(out, "kernel-1.traceg"), text);
    rmdir(out);
    static seen again;
    ws_accelsim_import how = {.kernels = NULL};
    ws_accelsim_result result;
    assert_int_equal(see(f.path, &again, &how, &result), WS_OK);
    assert_int_equal(result.warp_instructions, 16);
    folder_destroy(&f);
}

static void bad_places(void **state)
{
    (void)state;
    folder f = folder_create();
    static const char text[] =
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (8,1,1)\n-accelsim tracer version = 5\n"
        "#x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\n#END_TB\n";
    const char *const from = folder_write(&f, "kernel-1.traceg", text, strlen(text)), *const wst = folder_write(
                                                                                          &f, "k.wst", "", 0);
    to_wst(from, wst);
    ws_trace *trace;
    assert_int_equal(ws_trace_open(wst, &trace), WS_OK);
    assert_int_equal(ws_accelsim_write(trace, "/nowhere/out", NULL, NULL), WS_EIO);
    assert_int_equal(ws_accelsim_write(trace, from, NULL, NULL), WS_EIO); /* a file */
    ws_trace_close(trace);
    folder_destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_a_known_name),
        cmocka_unit_test(spellings),
        cmocka_unit_test(registers),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(bad_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
