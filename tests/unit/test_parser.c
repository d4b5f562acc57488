/* Does the PTX parser read what it should, and say where and why it cannot? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

static ws_module *parse(const char *text)
{
    ws_module *module;
    if (ws_ptx_parse("t", text, strlen(text), &module) != WS_OK)
        fail_msg("%s\n%s", ws_message(), text);
    return module;
}

/* --- What is wrong, and how the message puts it: one defect each. --- */

static const struct {
    const char *text, *message;
} wrong[] = {
    /* the module's frame */
    {"", "t:1:1: expected .version, found the end of the file"},
    {"hello", "t:1:1: expected .version, found `hello`"},
    {".version", "t:1:9: expected a version such as 7.0, found the end of the file"},
    {".version 7", "t:1:10: expected a version such as 7.0, found `7`"},
    {".version 0.9",
     "t:1:10: expected a version of PTX from 1.0 to 9.x, found 0.9; build with a toolkit of CUDA 13 or older"},
    {".version 99.0",
     "t:1:10: expected a version of PTX from 1.0 to 9.x, found 99.0; build with a toolkit of CUDA 13 or older"},
    {".version 9.0\n.target sm_130\n",
     "t:2:9: expected a target that is known, up to sm_121, found `sm_130`; build for one, such as nvcc -gencode "
     "arch=compute_75,code=compute_75"},
    {".version 9.0\n.target debug, compute_76a\n",
     "t:2:16: expected a target that is known, up to sm_121, found `compute_76a`; build for one, such as "
     "nvcc -gencode arch=compute_75,code=compute_75"},
    {".version 9.0\n.target sm_99999999999999999999\n",
     "t:2:9: expected a target that is known, up to sm_121, found `sm_99999999999999999999`; build "
     "for one, such as nvcc -gencode arch=compute_75,code=compute_75"},
    {".version 7.0\n.target\n", "t:3:1: expected a target such as sm_70, found the end of the file"},
    {".version 7.0\n.address_size 48\n", "t:2:15: expected 32 or 64, found 48"},
    {HEAD "mov.u32 %r1, 0;", "t:4:1: expected a directive such as .entry, .func or .global, found `mov`"},
    {HEAD ".globl x;", "t:4:1: expected a directive such as .entry, .func or .global, found `.globl`"},
    {HEAD ".visible .u32 x;", "t:4:10: expected a directive such as .entry, .func or .global, found `.u32`"},
    {HEAD "/* no end", "t:4:1: expected `*/` to end the comment, found the end of the file"},
    {HEAD "#define N 3\n", "t:4:1: expected PTX, found a preprocessor line: run the C preprocessor first"},
    {HEAD "\x01", "t:4:1: expected PTX, found byte 0x01"},
    {HEAD "\xff", "t:4:1: expected PTX, found byte 0xff"},
    {HEAD ".file 1 \"a.c\n", "t:4:9: expected `\"` to end the string, found the end of the line"},
    {HEAD ".file 1 \"a.c", "t:4:9: expected `\"` to end the string, found the end of the file"},
    {HEAD ".file x \"a\"", "t:4:7: expected the number of a file, found `x`"},
    {HEAD ".file 99999999 \"a\"", "t:4:7: expected a file number below 1048576, found 99999999"},
    {HEAD ".section .debug { .b8 1", "t:4:17: expected the partner of `{`, found the end of the file"},
    {HEAD ".pragma nounroll;", "t:4:9: expected a pragma in quotes, found `nounroll`"},
    {HEAD ".alias a, b;", "t:4:8: expected a function with a body behind `a`, found `b`"},
    {HEAD ".func f() { ret; } .func g() { ret; } .alias f, g;",
     "t:4:46: expected the name of a function without a body, found `f`"},
    /* variables */
    {HEAD ".global x;", "t:4:9: expected a type such as .b32, found `x`"},
    {HEAD ".global .b32 ;", "t:4:14: expected the name of a variable, found `;`"},
    {HEAD ".global .b32 .b64 x;", "t:4:14: expected the name that is declared, found `.b64`"},
    {HEAD ".global .b32 x", "t:4:15: expected `;`, found the end of the file"},
    {HEAD ".global .pred x;", "t:4:15: expected a type that memory can hold, found .pred"},
    {HEAD ".global .align 3 .b32 x;", "t:4:16: expected an alignment that is a power of two up to 65536, found 3"},
    {HEAD ".global .align 0 .b32 x;", "t:4:16: expected an alignment that is a power of two up to 65536, found 0"},
    {HEAD ".global .b32 x[];", "t:4:14: expected a size in [ ] of `x`, which is not .extern"},
    {HEAD ".global .b32 x[2][];", "t:4:19: expected a constant, found `]`"},
    {HEAD ".global .b32 x[1.5];", "t:4:16: expected the size of an array, found a floating-point number"},
    {HEAD ".global .b32 x[1][1][1][1][1][1][1][1][1];", "t:4:39: expected at most 8 dimensions"},
    {HEAD ".global .b64 x[0x4000000000];", "t:4:14: `x` is larger than 2^40 bytes"},
    {HEAD ".global .b32 x[1<<40][1<<40];", "t:4:14: `x` is larger than 2^40 bytes"},
    {HEAD ".global .b32 x, x;", "t:4:17: expected a new name, found `x`, which this scope has already"},
    {HEAD ".global .b32 x = ;", "t:4:18: expected a constant, found `;`"},
    {HEAD ".global .b32 x[2] = 3;", "t:4:21: expected `{`, found `3`"},
    {HEAD ".global .b32 x[2] = {1,2,3};", "t:4:26: expected at most 2 values"},
    {HEAD ".global .b32 x[2] = {{1},2};", "t:4:22: expected a value, found `{`"},
    {HEAD ".global .b32 x[2][2] = {1,{2,3}};", "t:4:27: expected a value, found `{`"},
    {HEAD ".global .b32 x[2] = {1,2;", "t:4:25: expected `}`, found `;`"},
    {HEAD ".global .b32 x[0] = {1};", "t:4:22: expected at most 0 values"},
    {HEAD ".global .b8 x[9] = \"abc\";", "t:4:20: expected `{`, found \"abc\""},
    {HEAD ".global .b8 x[9] = {\"abc\"};", "t:4:21: expected a constant, found \"abc\""},
    {HEAD ".global .b16 x = y;", "t:4:18: expected elements of 4 or 8 bytes to hold an address"},
    {HEAD ".global .b64 x = generic y;", "t:4:26: expected `(`, found `y`"},
    {HEAD ".global .b64 x = generic(3);", "t:4:26: expected the name of a variable or function, found `3`"},
    {HEAD ".global .b8 x = 0xFFFF(y);", "t:4:17: expected a mask of one byte such as 0xFF00, found 0xFFFF"},
    {HEAD ".global .f16 x = 1.0;", "t:4:18: expected an integer for an element of type .f16"},
    {HEAD ".global .samplerref s = 3;", "t:4:25: expected `{`, found `3`"},
    {HEAD ".global .b8 x[0x20000000] = {1};", "t:4:29: the module initialises more than 268435456 bytes"},
    /* numbers and expressions */
    {HEAD ".global .b32 x = 09;", "t:4:18: expected a number, found `09`: a digit is not octal"},
    {HEAD ".global .b32 x = 0b12;", "t:4:18: expected a number, found `0b12`: a digit is not binary"},
    {HEAD ".global .b32 x = 0x;", "t:4:18: expected a number, found `0x`: no digits"},
    {HEAD ".global .b32 x = 0xG;", "t:4:18: expected a number, found `0xG`: a digit is not hexadecimal"},
    {HEAD ".global .b32 x = 12ab;", "t:4:18: expected a number, found `12ab`: a digit is not decimal"},
    {HEAD ".global .b64 x = 18446744073709551616;",
     "t:4:18: expected a number, found `18446744073709551616`: more than 64 bits"},
    {HEAD ".global .f32 x = 0f3F8;", "t:4:18: expected a number, found `0f3F8`: 0f takes 8 hexadecimal digits"},
    {HEAD ".global .f64 x = 0d3F8;", "t:4:18: expected a number, found `0d3F8`: 0d takes 16 hexadecimal digits"},
    {HEAD ".global .f32 x = 0f3F80000g;", "t:4:18: expected a number, found `0f3F80000g`: a digit is not hexadecimal"},
    {HEAD ".global .f32 x = 1.5q;", "t:4:18: expected a number, found `1.5q`: not a decimal floating-point number"},
    {HEAD ".global .b32 x = 1/0;", "t:4:19: the constant expression divides by zero"},
    {HEAD ".global .b32 x = 1.5 & 1;", "t:4:22: expected integers around `&`, found a floating-point number"},
    {HEAD ".global .b32 x = ~1.5;", "t:4:18: expected an integer after `~`, found a floating-point number"},
    {HEAD ".global .b32 x = (1;", "t:4:20: expected `)`, found `;`"},
    {HEAD ".global .b32 x = 1 ? 2;", "t:4:23: expected `:`, found `;`"},
    /* functions */
    {HEAD ".entry (", "t:4:8: expected the name of a kernel, found `(`"},
    {HEAD ".func (.param .b32 r) 3", "t:4:23: expected the name of a function, found `3`"},
    {HEAD ".entry k(.b32 x) {}", "t:4:10: expected .param or .reg, found `.b32`"},
    {HEAD ".entry k(.param x) {}", "t:4:17: expected a type such as .b32, found `x`"},
    {HEAD ".entry k(.param .b32 x {}", "t:4:24: expected `)`, found `{`"},
    {HEAD ".entry k() .maxntid x {}", "t:4:21: expected a number, found `x`"},
    {HEAD ".entry k() .maxntidd 4 {}", "t:4:12: expected `{` or `;`, found `.maxntidd`"},
    {HEAD ".entry k() .maxnreg 4294967296 {}", "t:4:21: expected a number of up to 32 bits, found 4294967296"},
    {HEAD ".entry k() ret; }", "t:4:12: expected `{` or `;`, found `ret`"},
    {HEAD ".entry k() { ret; }\n.entry k() { ret; }",
     "t:5:8: expected a new name, found `k`, which has a body at line 4"},
    {HEAD ".global .b32 k;\n.entry k() { ret; }",
     "t:5:8: expected a new name, found `k`, which this scope has already"},
    {HEAD ".func f();\n.visible .func f()", "t:5:19: expected `{` or `;`, found the end of the file"},
    {HEAD ".entry k(.param .b8 a[0x7fffffff], .param .b8 b[9]) {}",
     "t:4:47: the parameters are larger than 2^31 bytes"},
    /* bodies */
    {HEAD ".entry k()\n{\nret;\n", "t:7:1: expected `}` to end `k`, found the end of the file"},
    {HEAD ".entry k() { ret }", "t:4:18: expected `;`, found `}`"},
    {HEAD ".entry k() { 3; }", "t:4:14: expected an instruction, found `3`"},
    {HEAD ".entry k() { .foo; }", "t:4:14: expected a declaration or an instruction, found `.foo`"},
    {HEAD ".entry k() { .extern .reg .b32 x; }", "t:4:22: expected a space such as .shared, found `.reg`"},
    {HEAD ".entry k() { .reg %r; }", "t:4:19: expected a type such as .b32, found `%r`"},
    {HEAD ".entry k() { .reg .u4 %r; }", "t:4:19: expected a type such as .b32, found `.u4`"},
    {HEAD ".global .s2 x;", "t:4:9: expected a type such as .b32, found `.s2`"},
    {HEAD ".entry k() { .reg .b32 .b32 %r; }", "t:4:24: expected the name of a register, found `.b32`"},
    {HEAD ".entry k() { .reg .b32; }", "t:4:23: expected the name of a register, found `;`"},
    {HEAD ".entry k() { .reg .b32 %r<x>; }", "t:4:27: expected the number of registers, found `x`"},
    {HEAD ".entry k() { .reg .b32 %r<3; }", "t:4:28: expected `>`, found `;`"},
    {HEAD ".entry k() { .reg .b32 a, a; }", "t:4:27: expected a new name, found `a`, which this scope has already"},
    {HEAD ".entry k() { @%p bra L; }", "t:4:15: expected a predicate register, found `%p`"},
    {HEAD ".entry k() { .reg .b32 r; @r bra L; }", "t:4:28: expected a predicate register, found `r`"},
    {HEAD ".entry k() { .reg .pred p; @p L: ret; }",
     "t:4:31: expected an instruction behind the predicate, found a label"},
    {HEAD ".entry k() { bra L; }", "t:4:18: expected a label of this function, found `L`"},
    {HEAD ".entry k() { bra 3; }", "t:4:18: expected a label, found `3`"},
    {HEAD ".entry k() { L: L: ret; }", "t:4:17: expected a new name, found `L`, which this scope has already"},
    {HEAD ".entry k() { { L: } bra L; }", "t:4:25: expected a label of this function, found `L`"},
    {HEAD ".entry k() { .reg .b32 r; L: mov.b32 r, L; }", "t:4:41: expected a value, found the label `L`"},
    {HEAD ".entry k() { .reg .b32 r; brx.idx r, L; L: ret; }",
     "t:4:38: expected a .branchtargets, .calltargets or .callprototype label of this function, found `L`"},
    {HEAD ".entry k() { t: .branchtargets ; }", "t:4:32: expected a label, found `;`"},
    {HEAD ".entry k() { t: .calltargets 3; }", "t:4:30: expected the name of a function, found `3`"},
    {HEAD ".entry k() { t: .callprototype (.param .b32 _) ; }", "t:4:48: expected `_`, found `;`"},
    {HEAD ".entry k() { call; }", "t:4:18: expected the name of a function, or a register, found `;`"},
    {HEAD ".entry k() { call (x, f; }", "t:4:24: expected `)`, found `;`"},
    {HEAD ".entry k() { call f, 3; }", "t:4:22: expected the label of a list, found `3`"},
    {HEAD ".entry k() { .reg .b32 r; mov.u32 r, ; }", "t:4:38: expected an operand, found `;`"},
    {HEAD ".entry k() { .reg .b32 r; mov.u32 r 3; }", "t:4:37: expected `;`, found `3`"},
    {HEAD ".entry k() { .reg .b32 r; mov.u32 r.b0, 3; }",
     "t:4:36: expected `,` or `;` behind the register, found `.b0`"},
    {HEAD ".entry k() { .reg .v2 .b32 v; mov.u32 v.z, 3; }",
     "t:4:40: expected a component that the vector has, found `.z`"},
    {HEAD ".entry k() { .reg .b32 r; ld.u32 r, [r; }", "t:4:39: expected `]`, found `;`"},
    {HEAD ".entry k() { .reg .b32 r; ld.u32 r, [r+q]; }", "t:4:40: expected a constant, found `q`"},
    {HEAD ".entry k() { .reg .b32 r; ld.u32 r, [r+1.5]; }",
     "t:4:39: expected an integer offset, found a floating-point number"},
    {HEAD ".entry k() { .reg .b32 r; ld.u32 r, []; }", "t:4:38: expected an operand, found `]`"},
    {HEAD ".entry k() { .reg .b32 r; mov.b64 {r, r; }", "t:4:40: expected `}`, found `;`"},
    {HEAD ".entry k() { .reg .b32 r; mov.b64 {{{{{r}}}}}; }", "t:4:39: operands are nested too deeply"},
    {HEAD ".entry k() { .loc 1 2; }", "t:4:22: expected a column number, found `;`"},
    {HEAD ".entry k() { .loc 1 2 3, foo; }", "t:4:26: expected function_name or inlined_at, found `foo`"},
    {HEAD ".entry k() { .shared .b32 x }", "t:4:29: expected `;`, found `}`"},
    {HEAD ".entry k(.param .b32 a, .param .b32 a) { ret; }",
     "t:4:37: expected a new name, found `a`, which this scope has already"},
};

static void wrong_inputs(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ws_module *module = (ws_module *)1;
        const int rc = ws_ptx_parse("t", wrong[i].text, strlen(wrong[i].text), &module);
        if ((rc != WS_EINPUT && rc != WS_EVERSION) || module || strcmp(ws_message(), wrong[i].message) != 0) {
            print_error("%s\n  gives %d: %s\n  expected: %s\n", wrong[i].text, rc, rc ? ws_message() : "accepted",
                        wrong[i].message);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* Every way to cut a module short is an error or a shorter module, never a crash. */
static void truncated(void **state)
{
    (void)state;
    static const char text[] =
        HEAD ".file 1 \"a.cu\"\n.global .align 4 .b32 x[2][2] = {{1, 2}, {3, 4}};\n.extern .func (.param .b32 r) "
             "f(.param .b64 p);\n"
             ".visible .entry k(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 s[24]) .maxntid 32, 1, 1\n{\n"
             ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<3>;\n.shared .align 8 .b8 sh[64];\n"
             "ts: .branchtargets L1, L2;\n@!%p1 bra L1;\n{ .param .b32 param0; st.param.b32 [param0+0], 0f3F800000;\n"
             "call (param0), f, (param0); }\nsetp.lt.and.s32 %p1|%p2, %r1, -5, !%p1;\nbrx.idx %r1, ts;\n"
             "L1: ld.global.v2.f32 {%f1, _}, [%r1+-8]; /* c */ // d\nL2: ret;\n}\n";
    ws_module *module;
    for (size_t n = 0; n < sizeof text; n++) {
        if (ws_ptx_parse("t", text, n, &module) == WS_OK)
            ws_module_destroy(module);
        else
            assert_null(module);
    }
    assert_int_equal(ws_ptx_parse("t", text, sizeof text, &module), WS_OK); /* with its NUL */
    ws_module_destroy(module);
}

/* --- What is right. --- */

static void header(void **state)
{
    (void)state;
    ws_module *m = parse("// c\n.version 1.4\n.target sm_10, map_f64_to_f32\n@@DWARF .section x\n# 1 \"a.c\"\n");
    assert_int_equal(m->version_major, 1);
    assert_int_equal(m->version_minor, 4);
    assert_string_equal(m->target, "sm_10");
    assert_int_equal(m->address_bits, 32);
    assert_string_equal(m->file, "t");
    assert_int_equal(m->functions, 0);
    ws_module_destroy(m);
    m = parse(HEAD ".file 2 \"x.cu\", 123, 456\n.file 3 \"dir\" \"y.cu\"\n.section .debug_str { .b8 1,2 }\n.pragma "
                   "\"a\", \"b\";\n.file 4 \"\\303\\274 q\\\"\\\\\\t0\" \"\\0611.cu\"\n");
    assert_int_equal(m->address_bits, 64);
    assert_int_equal(m->source_files, 5);
    assert_string_equal(m->source_file[4], "\303\274 q\"\\\t0/11.cu");
    assert_null(m->source_file[1]);
    assert_string_equal(m->source_file[2], "x.cu");
    assert_string_equal(m->source_file[3], "dir/y.cu");
    ws_module_destroy(m);
}

/* One variable's fields, and its bytes as hexadecimal. */
static void check_variable(const char *text, ws_space space, uint64_t size, uint32_t align, const char *hex)
{
    char line[512], bytes[512] = "";
    snprintf(line, sizeof line, HEAD "%s\n", text);
    ws_module *const m = parse(line);
    assert_int_equal(m->vars, 1);
    const ws_variable *const v = m->var[0];
    assert_string_equal(v->name, "x");
    if (v->space != space || v->size != size || v->align != align)
        fail_msg("%s: space %d size %llu align %u", text, v->space, (unsigned long long)v->size, v->align);
    for (uint64_t i = 0; v->init && i < v->size; i++)
        snprintf(bytes + 2 * i, 3, "%02x", v->init[i]);
    if (strcmp(bytes, hex) != 0)
        fail_msg("%s: bytes %s", text, bytes);
    assert_ptr_equal(ws_module_variable(m, "x"), v);
    assert_null(ws_module_variable(m, "y"));
    ws_module_destroy(m);
}

static void variables(void **state)
{
    (void)state;
    check_variable(".global .b32 x;", WS_SPACE_GLOBAL, 4, 4, "");
    check_variable(".const .align 16 .b8 x[3] = {1, 2};", WS_SPACE_CONST, 3, 16, "010200");
    check_variable(".const[3] .f32 x = 1.5;", WS_SPACE_CONST, 4, 4, "0000c03f");
    check_variable(".shared .v4 .f32 x[2];", WS_SPACE_SHARED, 32, 16, "");
    check_variable(".global .v2 .u16 x[2] = {{1,2},{3,4}};", WS_SPACE_GLOBAL, 8, 4, "0100020003000400");
    check_variable(".global .s16 x[] = {-1, 0x10, 010, 0b101};", WS_SPACE_GLOBAL, 8, 2, "ffff100008000500");
    check_variable(".global .u8 x[2][3] = {{1},{2,3}};", WS_SPACE_GLOBAL, 6, 1, "010000020300");
    check_variable(".global .u8 x[][2] = {{1},{2,3},{4}};", WS_SPACE_GLOBAL, 6, 1, "010002030400");
    check_variable(".global .u8 x[2][2] = {1,2,3};", WS_SPACE_GLOBAL, 4, 1, "01020300");
    check_variable(".global .f64 x = 0d3FF0000000000000;", WS_SPACE_GLOBAL, 8, 8, "000000000000f03f");
    check_variable(".global .f64 x = 0f3F800000;", WS_SPACE_GLOBAL, 8, 8, "000000000000f03f");
    check_variable(".global .f32 x = 0d3FF0000000000000;", WS_SPACE_GLOBAL, 4, 4, "0000803f");
    check_variable(".global .b32 x = 0f3F800000;", WS_SPACE_GLOBAL, 4, 4, "0000803f");
    check_variable(".global .f32 x = -0f3F800000;", WS_SPACE_GLOBAL, 4, 4, "000080bf");
    check_variable(".global .f32 x = 3;", WS_SPACE_GLOBAL, 4, 4, "00004040");
    check_variable(".global .f32 x = 1e1;", WS_SPACE_GLOBAL, 4, 4, "00002041");
    check_variable(".global .f16 x = 0x3C00;", WS_SPACE_GLOBAL, 2, 2, "003c");
    check_variable(".global .u64 x = WARP_SZ * 2 + 1;", WS_SPACE_GLOBAL, 8, 8, "4100000000000000");
    check_variable(".global .u32 x = (1 + 2) * 3 - 8 / 3 % 2 << 2;", WS_SPACE_GLOBAL, 4, 4, "24000000");
    check_variable(".global .u32 x = 1 < 2 && 3 != 3 || !0;", WS_SPACE_GLOBAL, 4, 4, "01000000");
    check_variable(".global .u32 x = 5 > 3 ? ~0x0F & 0xFF | 1 ^ 3 : 7;", WS_SPACE_GLOBAL, 4, 4, "f2000000");
    check_variable(".global .s64 x = -8 >> 1;", WS_SPACE_GLOBAL, 8, 8, "fcffffffffffffff");
    check_variable(".global .u64 x = 0xFFFFFFFFFFFFFFF8 >> 1;", WS_SPACE_GLOBAL, 8, 8, "fcffffffffffff7f");
    check_variable(".global .s64 x = (.s64) 2.9 + (.u64) -1;", WS_SPACE_GLOBAL, 8, 8, "0100000000000000");
    check_variable(".global .s64 x = (.s64) 0d7ff8000000000000;", WS_SPACE_GLOBAL, 8, 8, "0000000000000080");
    check_variable(".global .s32 x = 0x80000000 / -1;", WS_SPACE_GLOBAL, 4, 4, "00000080");
    check_variable(".global .f64 x = 1.0 / 4 + 0.25 * 2;", WS_SPACE_GLOBAL, 8, 8, "000000000000e83f");
    check_variable(".visible .global .align 8 .b128 x;", WS_SPACE_GLOBAL, 16, 8, "");
    check_variable(".global .attribute(.managed) .align 4 .u32 x;", WS_SPACE_GLOBAL, 4, 4, "");
    check_variable(".extern .shared .align 16 .b8 x[];", WS_SPACE_SHARED, 0, 16, "");
    check_variable(".tex .u64 x;", WS_SPACE_TEXTURE, 8, 8, "");
    check_variable(".global .texref x;", WS_SPACE_TEXTURE, 8, 8, "");
    check_variable(".global .samplerref x = { filter_mode = nearest };", WS_SPACE_TEXTURE, 8, 8, "");
    check_variable(".extern .global .b32 x; .visible .global .b32 x = 7;", WS_SPACE_GLOBAL, 4, 4, "07000000");
    check_variable(".visible .global .b32 x = 7; .extern .global .b32 x;", WS_SPACE_GLOBAL, 4, 4, "07000000");
    check_variable(".weak .global .b32 x = 7; .weak .global .b32 x = 8;", WS_SPACE_GLOBAL, 4, 4, "07000000");
    check_variable(".common .global .b32 x; .common .global .b32 x;", WS_SPACE_GLOBAL, 4, 4, "");
}

static void relocations(void **state)
{
    (void)state;
    ws_module *const m = parse(
        HEAD
        ".global .b32 a[4]; .func f() { ret; }\n"
        ".global .u64 p[4] = {a, a + 8, generic(a) - 4, f};\n.global .u8 b[3] = {5, 0xFF(a), 0xFF00(generic(a)+1)};\n");
    const ws_variable *const p = ws_module_variable(m, "p"), *const b = ws_module_variable(m, "b");
    static const struct {
        const char *name;
        int64_t addend;
        uint64_t offset;
        uint8_t bytes, shift;
        bool generic;
    } expected[] = {{"a", 0, 0, 8, 0, false},  {"a", 8, 8, 8, 0, false}, {"a", -4, 16, 8, 0, true},
                    {"f", 0, 24, 8, 0, false}, {"a", 0, 1, 1, 0, false}, {"a", 1, 2, 1, 8, true}};
    assert_int_equal(p->relocs, 4);
    assert_int_equal(b->relocs, 2);
    assert_int_equal(b->init[0], 5);
    for (unsigned i = 0; i < 6; i++) {
        const ws_reloc *const r = i < 4 ? &p->reloc[i] : &b->reloc[i - 4];
        assert_string_equal(r->name, expected[i].name);
        assert_int_equal(r->addend, expected[i].addend);
        assert_int_equal(r->offset, expected[i].offset);
        assert_int_equal(r->bytes, expected[i].bytes);
        assert_int_equal(r->shift, expected[i].shift);
        assert_int_equal(r->generic, expected[i].generic);
    }
    ws_module_destroy(m);
}

static void parameters(void **state)
{
    (void)state;
    ws_module *const m = parse(HEAD ".entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 "
                                    "c[12], .param .f32 d, .param .v2 .u16 e)\n"
                                    ".maxntid 128, 2 .reqntid 64 .minnctapersm 3 .maxnreg 40\n{ ret; }\n");
    const ws_function *const k = ws_module_function(m, "k");
    static const uint64_t offsets[] = {0, 8, 16, 28, 32}, sizes[] = {1, 8, 12, 4, 4};
    assert_int_equal(k->params, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(k->param[i].offset, offsets[i]);
        assert_int_equal(k->param[i].size, sizes[i]);
        assert_int_equal(k->param[i].space, WS_SPACE_PARAM);
        assert_int_equal(k->param[i].index, i);
    }
    assert_int_equal(k->param_bytes, 36);
    assert_true(k->param[1].pointer);
    assert_int_equal(k->param[1].pointer_space, WS_SPACE_GLOBAL);
    assert_int_equal(k->maxntid[0], 128);
    assert_int_equal(k->maxntid[1], 2);
    assert_int_equal(k->maxntid[2], 1);
    assert_int_equal(k->reqntid[0], 64);
    assert_int_equal(k->minnctapersm, 3);
    assert_int_equal(k->maxnreg, 40);
    assert_true(k->is_entry && k->has_body && !k->is_visible);
    ws_module_destroy(m);
}

static void functions(void **state)
{
    (void)state;
    ws_module *const m = parse(
        HEAD ".func (.param .b32 r) later(.param .b32 a);\n.extern .func (.param .b32 r) vprintf(.param .b64 f, .param "
             ".b64 v);\n"
             ".visible .entry k() {\n.param .b32 q; .reg .b64 %fp;\ncall (q), later, (q);\ncall.uni (q), vprintf, (q, "
             "q, q);\ncall early;\n"
             "proto: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _) .noreturn;\nmov.u64 %fp, later;\n"
             "call (q), %fp, (q, q), proto;\ntargets: .calltargets later, early;\ncall (q), %fp, (q), targets;\n}\n"
             ".weak .func (.param .b32 r) later(.param .b32 a) .noreturn { ret; }\n.func early() { ret; }\n.alias "
             "other, early;\n"
             ".func (.reg .u32 %o) old(.reg .u32 %a, .reg .pred %p) { mov.u32 %o, %a; ret; }\n");
    const ws_function *const k = ws_module_function(m, "k"), *const later = ws_module_function(m, "later");
    assert_int_equal(m->functions, 6);
    assert_true(later->has_body && later->is_weak && !later->is_extern);
    assert_true(ws_module_function(m, "vprintf")->is_extern && !ws_module_function(m, "vprintf")->has_body);
    const ws_insn *const call = &k->insn[0];
    assert_int_equal(call->operands, 3);
    assert_int_equal(call->operand[0].elems, 1);
    assert_ptr_equal(call->operand[0].elem[0].variable, &k->var[0]);
    assert_ptr_equal(call->operand[1].function, later);
    assert_int_equal(k->insn[1].operand[2].elems, 3);
    assert_int_equal(k->insn[2].operand[0].elems, 0);
    assert_ptr_equal(k->insn[2].operand[1].function, ws_module_function(m, "early")); /* declared behind its use */
    assert_null(k->insn[2].unsupported);
    assert_ptr_equal(k->insn[3].operand[1].function, later);
    assert_int_equal(k->insn[4].operands, 4);
    assert_int_equal(k->insn[4].operand[3].kind, WS_OPND_TARGETS);
    const ws_list *const proto = &k->list[k->insn[4].operand[3].target], *const targets =
                                                                             &k->list[k->insn[5].operand[3].target];
    assert_int_equal(proto->kind, 2);
    assert_int_equal(proto->params, 2);
    assert_int_equal(proto->rets, 1);
    assert_int_equal(targets->kind, 1);
    assert_int_equal(targets->n, 2);
    assert_ptr_equal(targets->function[0], later);
    assert_ptr_equal(targets->function[1], ws_module_function(m, "early"));
    assert_int_equal(ws_module_function(m, "other")->insns, 1);
    const ws_function *const old = ws_module_function(m, "old");
    assert_int_equal(old->insn[0].operand[0].reg, old->ret_reg[0]);
    assert_int_equal(old->insn[0].operand[1].reg, old->param_reg[0]);
    assert_int_equal(old->reg[old->param_reg[1]].type, WS_T_pred);
    ws_module_destroy(m);
}

static void scopes(void **state)
{
    (void)state;
    ws_module *const m =
        parse(HEAD ".global .b32 g;\n.entry k(.param .b32 g2)\n{\n.reg .b32 %r<4>, x; .shared .b32 s;\nbra L;\n"
                   "{ .reg .b64 x; .reg .f32 %r<3>; .shared .b64 s; mov.b64 x, s; mov.f32 %r2, 0f00000000; bra L; L: "
                   "mov.b32 %r3, 1; }\n"
                   "L: mov.b32 x, s; mov.b32 %r2, 1; { { .shared .b16 s; bra L; bra end; } } { end: }\nend: }\n");
    const ws_function *const k = ws_module_function(m, "k");
    assert_int_equal(k->vars, 3);
    assert_string_equal(k->var[0].name, "s");
    assert_string_equal(k->var[1].name, "s.1");
    assert_string_equal(k->var[2].name, "s.2");
    assert_ptr_equal(k->var[1].owner, k);
    assert_int_equal(k->insn[0].operand[0].target, 5); /* the outer L */
    assert_int_equal(k->insn[3].operand[0].target, 4); /* the inner L */
    assert_ptr_equal(k->insn[1].operand[1].variable, &k->var[1]);
    assert_ptr_equal(k->insn[5].operand[1].variable, &k->var[0]);
    assert_int_equal(k->reg[k->insn[1].operand[0].reg].type, WS_T_b64);
    assert_int_equal(k->reg[k->insn[2].operand[0].reg].type, WS_T_f32);
    assert_int_equal(k->reg[k->insn[4].operand[0].reg].type, WS_T_b32); /* %r3 is not in the inner range */
    assert_int_equal(k->reg[k->insn[6].operand[0].reg].type, WS_T_b32);
    assert_int_equal(k->insn[7].operand[0].target, 5);
    assert_int_equal(k->insn[8].operand[0].target, 9); /* the label at the end, not the one of a sister block */
    assert_int_equal(k->insns, 9);
    ws_module_destroy(m);
}

/* --- Operands: one instruction in a body with the usual registers. --- */

static const char *const body = HEAD ".global .b32 arr[8]; .const .b64 tab; .tex .u64 t;\n.entry k(.param .b32 "
                                     "par)\n{\n.reg .pred %%p<5>; .reg .b32 %%r<50>; "
                                     ".reg .b64 %%rd<5>; .reg .f32 %%f<5>; .reg .v4 .f32 %%v; .reg .v2 .b32 w<2>; .reg "
                                     ".b32 a;\n.local .align 8 .b8 loc[16];\n%s;\n}\n";

static ws_module *one(const char *instruction, const ws_insn **insn)
{
    char text[1024];
    snprintf(text, sizeof text, body, instruction);
    ws_module *const m = parse(text);
    *insn = &ws_module_function(m, "k")->insn[0];
    if ((*insn)->unsupported)
        fail_msg("%s: %s", instruction, (*insn)->unsupported);
    return m;
}

static const char *reg_name(const ws_module *m, const ws_operand *o)
{
    return ws_module_function(m, "k")->reg[o->reg].name;
}

static void registers(void **state)
{
    (void)state;
    const ws_insn *i;
    ws_module *m = one("@!%p3 setp.lt.and.s32 %p1|%p2, %r49, a, !%p4", &i);
    assert_non_null(i->guard);
    assert_int_equal(i->guard->negate, 1);
    assert_string_equal(reg_name(m, i->guard), "%p3");
    assert_string_equal(reg_name(m, &i->operand[0]), "%p1");
    assert_string_equal(reg_name(m, &i->second), "%p2");
    assert_string_equal(reg_name(m, &i->operand[1]), "%r49");
    assert_string_equal(reg_name(m, &i->operand[2]), "a");
    assert_int_equal(i->operand[3].negate, 1);
    assert_int_equal(i->operands, 4);
    assert_int_equal(i->cmp, WS_CMP_LT);
    assert_int_equal(i->boolop, WS_SUB_AND);
    assert_int_equal(i->line, 9);
    assert_int_equal(i->column, 7);
    ws_module_destroy(m);
    m = one("mov.f32 %v.z, %v.g", &i);
    assert_string_equal(reg_name(m, &i->operand[0]), "%v.z");
    assert_string_equal(reg_name(m, &i->operand[1]), "%v.y");
    ws_module_destroy(m);
    m = one("ld.global.v4.f32 %v, [%rd1]", &i);
    assert_int_equal(i->operand[0].kind, WS_OPND_VECTOR);
    assert_int_equal(i->operand[0].elems, 4);
    assert_string_equal(reg_name(m, &i->operand[0].elem[3]), "%v.w");
    ws_module_destroy(m);
    m = one("mov.b32 w1.y, 3", &i);
    assert_string_equal(reg_name(m, &i->operand[0]), "w1.y");
    ws_module_destroy(m);
    m = one("vadd.s32.s32.s32 %r1.h1, %r2.b3, %r3.h0, %r4", &i);
    assert_int_equal(i->operand[0].component, 6);
    assert_int_equal(i->operand[1].component, 4);
    assert_int_equal(i->operand[2].component, 5);
    ws_module_destroy(m);
    m = one("vadd4.s32.s32.s32 %r1.b31, %r2.b7210, %r3, %r4", &i);
    assert_int_equal(i->operand[0].component, 8);
    assert_int_equal(i->operand[0].target, 10);
    assert_int_equal(i->operand[1].component, 7);
    assert_int_equal(i->operand[1].target, 0x7210);
    ws_module_destroy(m);
}

static void immediates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bits;
        uint8_t is_float;
    } table[] = {
        {"5", 5, 0},
        {"-5", (uint64_t)-5, 0},
        {"- 5", (uint64_t)-5, 0},
        {"+7", 7, 0},
        {"0x1fU", 31, 0},
        {"(3+4)*2", 14, 0},
        {"~0", UINT64_MAX, 0},
        {"!0", 1, 0},
        {"!3", 0, 0},
        {"WARP_SZ", 32, 0},
        {"WARP_SZ-1", 31, 0},
        {"0f3F800000", 0x3f800000, 1},
        {"-0f3F800000", 0xbf800000, 1},
        {"0d3FF0000000000000", 0x3ff0000000000000, 2},
        {"1.0", 0x3ff0000000000000, 2},
        {"-2.5e-1", 0xbfd0000000000000, 2},
        {"18446744073709551615", UINT64_MAX, 0},
        {"0F00000000", 0, 1},
        {"0D0000000000000000", 0, 2},
        {"5.", 0x4014000000000000, 2},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        char text[64];
        const ws_insn *i;
        snprintf(text, sizeof text, "mov.b64 %%rd1, %s", table[n].text);
        ws_module *const m = one(text, &i);
        const ws_operand *const o = &i->operand[1];
        if (o->kind != WS_OPND_IMM || o->imm != table[n].bits || o->is_float != table[n].is_float)
            fail_msg("%s: kind %d, %llx, float %d", table[n].text, o->kind, (unsigned long long)o->imm, o->is_float);
        ws_module_destroy(m);
    }
}

static void specials(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ws_sreg sreg;
        unsigned component;
    } table[] = {
        {"%tid.x", WS_SREG_TID, 0},
        {"%ntid.y", WS_SREG_NTID, 1},
        {"%ctaid.z", WS_SREG_CTAID, 2},
        {"%nctaid.w", WS_SREG_NCTAID, 3},
        {"%laneid", WS_SREG_LANEID, 0},
        {"%clock64", WS_SREG_CLOCK64, 0},
        {"%clock", WS_SREG_CLOCK, 0},
        {"%envreg31", WS_SREG_ENVREG, 31},
        {"%pm3", WS_SREG_PM, 3},
        {"%lanemask_gt", WS_SREG_LANEMASK_GT, 0},
        {"%globaltimer_hi", WS_SREG_GLOBALTIMER_HI, 0},
        {"%cluster_ctaid.x", WS_SREG_CLUSTER_CTAID, 0},
        {"%dynamic_smem_size", WS_SREG_DYNAMIC_SMEM, 0},
        {"%warpid", WS_SREG_WARPID, 0},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        char text[64];
        const ws_insn *i;
        snprintf(text, sizeof text, "mov.b64 %%rd1, %s", table[n].text);
        ws_module *const m = one(text, &i);
        const ws_operand *const o = &i->operand[1];
        if (o->kind != WS_OPND_SREG || o->sreg != table[n].sreg || o->component != table[n].component)
            fail_msg("%s: kind %d, %d.%d", table[n].text, o->kind, o->sreg, o->component);
        ws_module_destroy(m);
    }
}

static void addresses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ws_operand_kind base;
        int64_t offset;
    } table[] = {
        {"[%rd1]", WS_OPND_REG, 0},       {"[%rd1+8]", WS_OPND_REG, 8},          {"[%rd1+-8]", WS_OPND_REG, -8},
        {"[%rd1-4]", WS_OPND_REG, -4},    {"[%rd1 + 4*3 - 2]", WS_OPND_REG, 10}, {"[arr]", WS_OPND_SYMBOL, 0},
        {"[arr+12]", WS_OPND_SYMBOL, 12}, {"[arr-4+8]", WS_OPND_SYMBOL, 4},      {"[4096]", WS_OPND_IMM, 0},
        {"[0x10]", WS_OPND_IMM, 0},       {"arr[3]", WS_OPND_SYMBOL, 12},        {"[par]", WS_OPND_SYMBOL, 0},
        {"[loc+8]", WS_OPND_SYMBOL, 8},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        char text[64];
        const ws_insn *i;
        snprintf(text, sizeof text, "ld.b32 %%r1, %s", table[n].text);
        ws_module *const m = one(text, &i);
        const ws_operand *const o = &i->operand[1];
        if (o->kind != WS_OPND_ADDRESS || o->elem[0].kind != table[n].base || o->offset != table[n].offset ||
            o->elem[0].offset)
            fail_msg("%s: kind %d base %d offset %lld", table[n].text, o->kind, o->elem[0].kind, (long long)o->offset);
        ws_module_destroy(m);
    }
    const ws_insn *i;
    ws_module *m = one("mov.u64 %rd1, arr+4", &i);
    assert_int_equal(i->operand[1].kind, WS_OPND_SYMBOL);
    assert_int_equal(i->operand[1].offset, 4);
    assert_ptr_equal(i->operand[1].variable, ws_module_variable(m, "arr"));
    ws_module_destroy(m);
    m = one("tex.2d.v4.f32.f32 {%f1, %f2, _, %f4}, [t, {%f1, %f2}]", &i);
    assert_int_equal(i->operand[0].elem[2].kind, WS_OPND_NONE);
    assert_int_equal(i->operand[1].elems, 2);
    assert_int_equal(i->operand[1].elem[1].elems, 2);
    assert_int_equal(i->space, WS_SPACE_TEXTURE);
    ws_module_destroy(m);
}

static void statements(void **state)
{
    (void)state;
    ws_module *const m = parse(HEAD ".entry k(){.reg .b32 %r<4>;.reg .pred p;mov.u32 %r1,%tid.x;;mov .u32 %r2,1; ld "
                                    ".global\n.u32 %r3, [%r1]; ld.const[2].u32 %r1,[%r2];\n"
                                    ".loc 1 2 3\n.loc 1 2 3, function_name $L__info, inlined_at 1 4 5\n.loc 1 2 3, "
                                    "function_name L+7, inlined_at 1 4 5\n"
                                    ".pragma \"nounroll\";\n$L_1: a$b: %x: _y: @p bra $L_1; bra.uni end;\nts: "
                                    ".branchtargets end, $L_1; brx.idx %r1, ts;\nend:\n}\n");
    const ws_function *const k = ws_module_function(m, "k");
    assert_int_equal(k->insns, 7);
    assert_string_equal(k->insn[1].text, "mov.u32");
    assert_string_equal(k->insn[2].text, "ld.global.u32");
    assert_string_equal(k->insn[3].text, "ld.const.u32");
    assert_int_equal(k->insn[3].space, WS_SPACE_CONST);
    assert_int_equal(k->insn[4].operand[0].target, 4);
    assert_int_equal(k->insn[5].operand[0].target, 7);
    assert_null(k->insn[5].unsupported); /* .uni is a promise */
    assert_int_equal(k->lists, 1);
    assert_int_equal(k->list[0].n, 2);
    assert_int_equal(k->list[0].target[0], 7);
    assert_int_equal(k->list[0].target[1], 4);
    ws_module_destroy(m);
}

/* A range of 4 billion registers costs what is used of it. */
static void registers_on_demand(void **state)
{
    (void)state;
    ws_module *const m = parse(HEAD ".reg .b32 shared_name;\n.entry k() { .reg .b32 %r<4000000000>; mov.b32 "
                                    "%r3999999999, %r7; mov.b32 shared_name, %r7; }\n"
                                    ".entry k2() { mov.b32 shared_name, 1; }\n");
    assert_int_equal(ws_module_function(m, "k")->regs, 3);
    assert_int_equal(ws_module_function(m, "k2")->regs, 1);
    ws_module_destroy(m);
}

static void repeat(char **at, const char *text, unsigned n)
{
    const size_t length = strlen(text);
    for (unsigned i = 0; i < n; i++, *at += length)
        memcpy(*at, text, length + 1);
}

static void deep_nesting(void **state)
{
    (void)state;
    static const struct {
        const char *before, *open, *middle, *close, *after, *message;
        unsigned n;
    } table[] = {
        {".entry k() {", "{", "", "}", "ret; }", NULL, 990},
        {".entry k() {", "{", "", "}", "ret; }", "t:4:1011: blocks are nested deeper than 1000", 100000},
        {".global .b32 x = ", "(", "1", ")", ";", NULL, 90},
        {".global .b32 x = ", "(", "1", ")", ";", "t:4:118: the expression is nested deeper than 200", 100000},
        {".global .b32 x = ", "-", "1", "", ";", "t:4:217: the expression is nested deeper than 200", 100000},
        {".global .b32 x[1] = ", "{", "1", "}", ";", "t:4:22: expected a value, found `{`", 100000},
        {".section .d ", "{", "", "}", "", NULL, 100000},
    };
    char *const text = malloc(1 << 20);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *at = text;
        ws_module *module;
        repeat(&at, HEAD, 1);
        repeat(&at, table[i].before, 1);
        repeat(&at, table[i].open, table[i].n);
        repeat(&at, table[i].middle, 1);
        repeat(&at, table[i].close, table[i].n);
        repeat(&at, table[i].after, 1);
        const int rc = ws_ptx_parse("t", text, (size_t)(at - text), &module);
        if ((rc == WS_OK) != !table[i].message || (rc && strcmp(ws_message(), table[i].message) != 0))
            fail_msg("%s x %u: %s", table[i].open, table[i].n, rc ? ws_message() : "accepted");
        ws_module_destroy(module);
    }
    free(text);
}

/* Two million bytes of ordinary code; quadratic work anywhere would be minutes. */
static void long_text(void **state)
{
    (void)state;
    enum { LINES = 40000 };
    char *const text = malloc(LINES * 100 + 1000);
    char *at = text + sprintf(text, HEAD ".entry k() {\n.reg .b32 %%r<%d>; .reg .pred %%p<9>;\n", LINES + 2);
    for (int i = 0; i < LINES; i++)
        at += sprintf(at, "L%d: { .reg .b32 t; add.s32 t, %%r%d, %d; @%%p1 bra L%d; mov.b32 %%r%d, t; }\n", i, i, i,
                      LINES - 1 - i, i + 1);
    at += sprintf(at, "}\n");
    ws_module *module;
    assert_int_equal(ws_ptx_parse("t", text, (size_t)(at - text), &module), WS_OK);
    const ws_function *const k = ws_module_function(module, "k");
    assert_int_equal(k->insns, 3 * LINES);
    assert_int_equal(k->insn[1].operand[0].target, 3 * (LINES - 1));
    ws_module_destroy(module);
    free(text);
}

static void loading(void **state)
{
    (void)state;
    ws_module *m;
    char path[] = "/tmp/test_parser_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *const out = fdopen(fd, "w");
    fputs(HEAD ".entry k() { ret; }\n", out);
    fclose(out);
    assert_int_equal(ws_ptx_load(path, &m), WS_OK);
    assert_string_equal(m->file, path);
    ws_module_destroy(m);
    unlink(path);
    assert_int_equal(ws_ptx_load(path, &m), WS_ENOTFOUND);
    assert_non_null(strstr(ws_message(), path));
    assert_int_equal(ws_ptx_load("/", &m), WS_EIO);
    ws_module_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_inputs), cmocka_unit_test(truncated),
        cmocka_unit_test(header),       cmocka_unit_test(variables),
        cmocka_unit_test(relocations),  cmocka_unit_test(parameters),
        cmocka_unit_test(functions),    cmocka_unit_test(scopes),
        cmocka_unit_test(registers),    cmocka_unit_test(immediates),
        cmocka_unit_test(specials),     cmocka_unit_test(addresses),
        cmocka_unit_test(statements),   cmocka_unit_test(registers_on_demand),
        cmocka_unit_test(deep_nesting), cmocka_unit_test(long_text),
        cmocka_unit_test(loading),
    };
    return cmocka_run_group_tests_name("ptx parser", tests, NULL, NULL);
}
