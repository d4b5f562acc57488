/* Does the reader of launch files read what it should, and say where and why it cannot? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "cli/launch/launch_content.h"
#include "cli/launch/launch_value.h"
#include "cli/launch/launchfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define END "\nlaunch k"

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "t:1:1: expected a launch, found the end of the file"},
    {"# only a comment", "t:1:17: expected a launch, found the end of the file"},
    {"run k", "t:1:1: expected buffer, symbol, texture, launch, expect or print, found `run`"},
    {"3", "t:1:1: expected buffer, symbol, texture, launch, expect or print, found `3`"},
    {"launch k ;", "t:1:10: expected a word, a number or a string, found byte 0x3b"},
    {"launch k \xff", "t:1:10: expected a word, a number or a string, found byte 0xff"},
    {"launch k \"x", "t:1:10: expected `\"` to end the string, found the end of the line"},
    {"launch", "t:1:7: expected the name of a kernel, found the end of the file"},
    {"launch grid 1", "t:1:8: expected the name of a kernel, found `grid`"},
    {"launch k grid", "t:1:14: expected a number of blocks, 1 to 2^32 - 1, found the end of the file"},
    {"launch k grid 0", "t:1:15: expected a number of blocks, 1 to 2^32 - 1, found `0`"},
    {"launch k grid 4294967296", "t:1:15: expected a number of blocks, 1 to 2^32 - 1, found `4294967296`"},
    {"launch k grid 1 2 3 4", "t:1:21: expected buffer, symbol, texture, launch, expect or print, found `4`"},
    {"launch k block -1", "t:1:16: expected a number of threads, 1 to 2^32 - 1, found `-1`"},
    {"launch k block 1.5", "t:1:16: expected a number of threads, 1 to 2^32 - 1, found `1.5`"},
    {"launch k shared x", "t:1:17: expected a number of bytes of dynamic shared memory, found `x`"},
    {"launch k limit 0", "t:1:16: expected a number of warp instructions above 0, found `0`"},
    {"launch k args x", "t:1:15: expected an argument: a buffer, a value, or { }, found `x`"},
    {"launch k args f32", "t:1:18: expected a value, found the end of the file"},
    {"launch k args u8 256", "t:1:18: expected a value of type u8 (0 to 255), found `256`"},
    {"launch k args { 3 }", "t:1:17: expected a type and a value, a buffer, or `}`, found `3`"},
    {"launch k args { u8 3", "t:1:21: expected a type and a value, a buffer, or `}`, found the end of the file"},
    {"launch k args { u8 }", "t:1:20: expected a value, found `}`"},
    {"texture 3 of b", "t:1:9: expected a name for the texture, found `3`"},
    {"texture t b", "t:1:11: expected `of`, found `b`"},
    {"texture t of b", "t:1:14: expected the name of a buffer, found `b`"},
    {"buffer b u64 2 texture t of b launch k", "t:1:31: expected a texture of a buffer of 8, 16 or 32 bits an element, "
                                               "found `launch`"},
    {"buffer b u8 2 texture t of b size 0", "t:1:35: expected a number of texels, 1 to 2^27, found `0`"},
    {"buffer b u8 2 texture t of b channels 5", "t:1:39: expected 1, 2 or 4 channels, found `5`"},
    {"buffer b u8 2 texture t of b edge round", "t:1:35: expected wrap, clamp, mirror or border, found `round`"},
    {"buffer b u8 2 texture t of b outside 1 2 3", "t:1:43: expected four values for what lies outside, found the end "
                                                   "of the file"},
    {"buffer b u8 2 texture b of b", "t:1:23: expected a name for the texture, found `b`"},
    {"launch k args 1 args 2", "t:1:17: expected buffer, symbol, texture, launch, expect or print, found `args`"},
    {"buffer", "t:1:7: expected a name for the buffer, found the end of the file"},
    {"buffer 3", "t:1:8: expected a name for the buffer, found `3`"},
    {"buffer grid u8 1", "t:1:8: expected a name for the buffer, found `grid`"},
    {"buffer u8 u8 1", "t:1:8: expected a name for the buffer, found `u8`"},
    {"symbol f32 u8 1", "t:1:8: expected the name of a variable of the module, found `f32`"},
    {"buffer a u8 1 buffer a u8 1", "t:1:22: expected a new name, found `a`"},
    {"buffer a int 1", "t:1:10: expected a type such as u32 or f32, found `int`"},
    {"buffer a u32", "t:1:13: expected a number of elements, 1 to 2^40, found the end of the file"},
    {"buffer a u32 0", "t:1:14: expected a number of elements, 1 to 2^40, found `0`"},
    {"buffer a u32 2000000000000", "t:1:14: expected a number of elements, 1 to 2^40, found `2000000000000`"},
    {"buffer a u32 2 fill", "t:1:20: expected a value of type u32 (0 to 4294967295), found the end of the file"},
    {"buffer a u32 2 fill x", "t:1:21: expected a value of type u32 (0 to 4294967295), found `x`"},
    {"buffer a u32 2 fill 1.0", "t:1:21: expected a value of type u32 (0 to 4294967295), found `1.0`"},
    {"buffer a u32 2 = 1", "t:1:19: expected 2 values (1 are there), found the end of the file"},
    {"buffer a u32 2 = 1 2 3", "t:1:22: expected 2 values, found more"},
    {"buffer a u32 1 = 1 2", "t:1:20: expected 1 value, found more"},
    {"buffer a u32 2 = 1*3", "t:1:18: expected 2 values, found more"},
    {"buffer a u32 2 = 1*0", "t:1:20: expected how often, 1 to 2^40, found `0`"},
    {"buffer a u32 2 = 1*x", "t:1:20: expected how often, 1 to 2^40, found `x`"},
    {"buffer a s8 1 = 128", "t:1:17: expected a value of type s8 (-128 to 127, or 0x00 to 0xff), found `128`"},
    {"buffer a u32 2 iota 1.5", "t:1:21: expected a whole number to start with, found `1.5`"},
    {"buffer a u32 2 iota 1 1.5", "t:1:23: expected a whole step, found `1.5`"},
    {"buffer a f32 2 iota 1x", "t:1:21: expected a number to start with, found `1x`"},
    {"buffer a u32 2 random", "t:1:22: expected the least value, a whole number, found the end of the file"},
    {"buffer a f32 2 random 1", "t:1:24: expected the greatest value, found the end of the file"},
    {"buffer a f32 2 random 2 1", "t:1:23: expected the least value first, then the greatest"},
    {"buffer a u32 2 random 2 1", "t:1:23: expected the least value first, then the greatest"},
    {"buffer a f32 2 random nan 1", "t:1:23: expected the least value first, then the greatest"},
    {"buffer a u32 2 random 0 1 seed", "t:1:31: expected a seed, a whole number below 2^32, found the end of the file"},
    {"buffer a u32 2 file x", "t:1:21: expected the name of a file in quotes, found `x`"},
    {"buffer a u32 2 same b", "t:1:21: expected the name of a buffer, found `b`"},
    {"buffer a u32 2 buffer b u32 3 same a", "t:1:36: expected a buffer of the same type that is as long, found `a`"},
    {"buffer a u32 2 buffer b s32 2 same a", "t:1:36: expected a buffer of the same type that is as long, found `a`"},
    {"expect a = 1", "t:1:8: expected the name of a buffer, fault, printed, warp_instructions or thread_instructions, "
                     "found `a`"},
    {"expect fault \"x\"", "t:1:1: expected a launch before what is expected of it"},
    {"expect printed \"x\"", "t:1:1: expected a launch before what is expected of it"},
    {"expect warp_instructions 1", "t:1:1: expected a launch before what is expected of it"},
    {"launch k expect fault", "t:1:22: expected a part of the fault's message in quotes, found the end of the file"},
    {"launch k expect fault \"a\" expect fault \"b\"", "t:1:27: expected one fault of a launch, found a second"},
    {"launch k expect printed 3", "t:1:25: expected what the launch prints, in quotes, found `3`"},
    {"launch k expect printed \"\\q\"", "t:1:27: expected \\n, \\t, \\\\, \\\" or \\xHH in the string"},
    {"launch k expect printed \"\\x0\"", "t:1:27: expected \\n, \\t, \\\\, \\\" or \\xHH in the string"},
    {"launch k expect warp_instructions", "t:1:34: expected a number of instructions, found the end of the file"},
    {"buffer a u8 4 expect a",
     "t:1:23: expected `=`, zero, fill, iota, random, file or same, found the end of the file"},
    {"buffer a u8 4 expect a[4] = 1", "t:1:24: expected an element from 0 to 3, found `4`"},
    {"buffer a u8 4 expect a[2..1] = 1", "t:1:27: expected an element from 2 to 3, found `1`"},
    {"buffer a u8 4 expect a[2..4] = 1", "t:1:27: expected an element from 2 to 3, found `4`"},
    {"buffer a u8 4 expect a[1 = 1", "t:1:26: expected `]`, found `=`"},
    {"buffer a u8 4 expect a[1] = 1 within", "t:1:37: expected a tolerance, found the end of the file"},
    {"buffer a u8 4 expect a[1] = 1 within 0", "t:1:38: expected a tolerance above 0, found `0`"},
    {"buffer a u8 4 expect a[1] = 1 relative nan", "t:1:40: expected a tolerance above 0, found `nan`"},
    {"print", "t:1:6: expected the name of a buffer, found the end of the file"},
    {"buffer a u8 4 print a[..2]", "t:1:23: expected an element from 0 to 3, found `..`"},
};

static void wrong_inputs(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ws_script *script = (ws_script *)1;
        const int rc = ws_launchfile_parse("t", wrong[i].text, strlen(wrong[i].text), &script);
        if (rc != WS_EINPUT || script || strcmp(ws_message(), wrong[i].message) != 0) {
            print_error("%s\n  gives %d: %s\n  expected: %s\n", wrong[i].text, rc, rc ? ws_message() : "accepted",
                        wrong[i].message);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static ws_script *parse(const char *text)
{
    ws_script *script;
    if (ws_launchfile_parse("some/where.launch", text, strlen(text), &script) != WS_OK)
        fail_msg("%s\n%s", ws_message(), text);
    return script;
}

static void truncated(void **state)
{
    (void)state;
    static const char text[] =
        "buffer a f32 4 = 1 -2.5e3*2 nan # c\nsymbol b u8 3 random 0 9 seed 4\nlaunch k grid 1 2 3 block 4 "
        "cluster 1 2 shared 5 limit 6 cooperative args a b+1 7 f32 8 { u8 1 a }\nexpect a[1..2] same a within 1 "
        "relative 2\nexpect fault \"x\\n\\x41\"\nexpect printed \"\"\nprint b[1]\n";
    for (size_t n = 0; n <= sizeof text; n++) {
        ws_script *script;
        char *const exact = malloc(n ? n : 1);
        memcpy(exact, text, n < sizeof text ? n : sizeof text - 1);
        if (ws_launchfile_parse("t", exact, n < sizeof text ? n : sizeof text - 1, &script) == WS_OK)
            ws_script_destroy(script);
        free(exact);
    }
}

static void textures(void **state)
{
    (void)state;
    ws_script *const s =
        parse("buffer a u8 48\nbuffer f f32 10\ntexture t of a size 4 3 2 channels 2 edge wrap mirror outside "
              "1 2 3 4 linear normalized as_float srgb\ntexture u of f\ntexture t of a size 2 2 layers 12 "
              "cube surface\nlaunch k args t u a\n");
    assert_int_equal(s->textures, 3);
    assert_int_equal(s->steps, 6);
    assert_int_equal(s->step[2].kind, WS_STEP_TEXTURE);
    const ws_texture *const t = &s->texture[0].form;
    assert_int_equal(t->width * 100 + t->height * 10 + t->depth, 432);
    assert_int_equal(t->channels, 2);
    assert_int_equal(t->texel, WS_TEXEL_U8);
    assert_int_equal(t->pitch, 8);
    assert_int_equal(t->slice, 24);
    assert_int_equal(t->sampler.edge[0], WS_EDGE_WRAP);
    assert_int_equal(t->sampler.edge[1], WS_EDGE_MIRROR);
    assert_int_equal(t->sampler.edge[2], WS_EDGE_MIRROR);
    assert_true(t->sampler.linear && t->sampler.normalized && t->as_float && t->srgb && !t->by_index);
    assert_true(t->sampler.border[3] == 4);
    assert_true(s->texture[1].form.by_index && !s->texture[1].surface);
    assert_int_equal(s->texture[1].form.width, 10);
    assert_true(s->texture[2].surface && s->texture[2].form.cube);
    assert_int_equal(s->texture[2].form.layers, 12);
    const ws_script_step *const l = &s->step[5];
    assert_int_equal(l->argument[0].kind, WS_ARGUMENT_TEXTURE);
    assert_int_equal(l->argument[0].texture, 2); /* the latest of that name */
    assert_int_equal(l->argument[1].texture, 1);
    assert_int_equal(l->argument[2].kind, WS_ARGUMENT_BUFFER);
    ws_script_destroy(s);
}

static void statements(void **state)
{
    (void)state;
    ws_script *const s = parse(
        "buffer a f32 4 fill 0x3f800000\nsymbol v u16 2\nlaunch _Z1kPf$x grid 2 3 block 4 5 6 cluster 2 3 shared 7 "
        "limit "
        "8 cooperative args a a+16 a-4 0x10 -inf u8 9 { u8 1 a+8 f64 2 }\nexpect fault \"x\"\nexpect a[1..2] = 1 2 "
        "relative 1e-3 within .5\nexpect v same v\nexpect printed \"\\x41\\n\\\"\"\nexpect thread_instructions 5\n"
        "print a[3]\n");
    assert_string_equal(s->folder, "some/");
    assert_int_equal(s->buffers, 2);
    assert_int_equal(s->steps, 8);
    assert_true(s->buffer[1].is_symbol);
    assert_int_equal(s->step[0].content.kind, WS_CONTENT_FILL);
    assert_int_equal(s->step[0].content.bits, 0x3f800000);
    assert_int_equal(s->step[1].content.kind, WS_CONTENT_KEEP);
    const ws_script_step *const l = &s->step[2];
    assert_string_equal(l->kernel, "_Z1kPf$x");
    assert_int_equal(l->grid[1], 3);
    assert_int_equal(l->grid[2], 1);
    assert_int_equal(l->block[2], 6);
    assert_int_equal(l->cluster[0] * 100 + l->cluster[1] * 10 + l->cluster[2], 231);
    assert_int_equal(l->shared_bytes, 7);
    assert_int_equal(l->limit, 8);
    assert_true(l->cooperative);
    assert_string_equal(l->text, "x");
    assert_int_equal(l->arguments, 7);
    assert_int_equal(l->argument[0].offset, 0);
    assert_int_equal(l->argument[1].offset, 16);
    assert_int_equal(l->argument[2].offset, -4);
    assert_string_equal(l->argument[3].text, "0x10");
    assert_string_equal(l->argument[4].text, "-inf");
    assert_int_equal(l->argument[5].type, WS_T_u8);
    assert_int_equal(l->argument[6].fields, 3);
    assert_int_equal(l->argument[6].field[1].kind, WS_ARGUMENT_BUFFER);
    assert_int_equal(l->argument[6].field[1].offset, 8);
    assert_int_equal(s->step[3].first, 1);
    assert_int_equal(s->step[3].count, 2);
    assert_true(s->step[3].within == 0.5 && s->step[3].relative == 1e-3);
    assert_int_equal(s->step[4].content.kind, WS_CONTENT_SAME);
    assert_string_equal(s->step[5].text, "A\n\"");
    assert_true(s->step[6].per_thread);
    assert_int_equal(s->step[7].first, 3);
    ws_script_destroy(s);
    ws_script_destroy(NULL);
}

/* The elements that a content gives, as text. */
static void check_content(const char *declaration, const char *expected)
{
    char text[256], got[512] = "";
    unsigned char memory[256];
    snprintf(text, sizeof text, "buffer x %s" END, declaration);
    ws_script *const s = parse(text);
    const ws_launch_buffer *const b = &s->buffer[0];
    assert_true(b->count * ws_value_bytes(b->type) <= sizeof memory);
    memset(memory, 0xa5, sizeof memory);
    assert_int_equal(ws_content_write(s, &s->step[0].content, b->type, b->count, NULL, memory), WS_OK);
    for (uint64_t i = 0; i < b->count; i++) {
        char value[WS_VALUE_BYTES];
        const uint64_t bits = ws_value_load(b->type, memory + i * ws_value_bytes(b->type));
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i ? " " : "",
                 ws_value_print(b->type, bits, value));
    }
    if (strcmp(got, expected) != 0)
        fail_msg("%s\n  gives %s\n  expected %s", declaration, got, expected);
    ws_script_destroy(s);
}

static void contents(void **state)
{
    (void)state;
    check_content("u8 3", "0 0 0");
    check_content("u8 4 iota 254", "254 255 0 1");
    check_content("s16 3 iota 1 -2", "1 -1 -3");
    check_content("u64 2 iota 18446744073709551615", "18446744073709551615 0");
    check_content("f32 3 iota 0.5 0.25", "0.5 0.75 1");
    check_content("f16 3 iota 2048", "2048 2048 2050"); /* 2049 is a tie */
    check_content("b16 3 = -1 0x12 5", "0xffff 0x0012 0x0005");
    check_content("b32 2 = 1.5 7", "0x3fc00000 0x00000007");
    check_content("b64 2 = 1.5 -1", "0x3ff8000000000000 0xffffffffffffffff");
    check_content("f64 5 = 0.1 -0 inf -inf nan", "0.1 -0 inf -inf nan");
    check_content("f32 4 = 0x1p-3 0x3f800000 1e-45 16777217", "0.125 1 1e-45 16777216");
    check_content("u32 5 = 1*2 7*3", "1 1 7 7 7");
    check_content("f32 2 zero", "0 0");
    check_content("u8 4 random 5 5", "5 5 5 5");
}

static void random_contents(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    ws_script *const s =
        parse("buffer i s32 2000 random -3 3 seed 9\nbuffer f f64 2000 random -1 1\nbuffer same s32 2000 "
              "random -3 3 seed 9\nbuffer other s32 2000 random -3 3 seed 10" END);
    static int32_t whole[COUNT], again[COUNT], other[COUNT];
    static double real[COUNT];
    assert_int_equal(ws_content_write(s, &s->step[0].content, WS_T_s32, COUNT, NULL, whole), WS_OK);
    assert_int_equal(ws_content_write(s, &s->step[1].content, WS_T_f64, COUNT, NULL, real), WS_OK);
    assert_int_equal(ws_content_write(s, &s->step[2].content, WS_T_s32, COUNT, NULL, again), WS_OK);
    assert_int_equal(ws_content_write(s, &s->step[3].content, WS_T_s32, COUNT, NULL, other), WS_OK);
    assert_memory_equal(whole, again, sizeof whole);
    assert_memory_not_equal(whole, other, sizeof whole);
    unsigned histogram[7] = {0};
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        assert_in_range(whole[i] + 3, 0, 6);
        histogram[whole[i] + 3]++;
        assert_true(real[i] >= -1 && real[i] < 1);
        sum += real[i];
    }
    for (int i = 0; i < 7; i++)
        assert_in_range(histogram[i], 200, 380); /* 286 expected, a standard deviation is 16 */
    assert_true(fabs(sum) < 130);                /* of a sum of 2000: 26 */
    ws_script_destroy(s);
}

static void values(void **state)
{
    (void)state;
    static const struct {
        ws_type type;
        const char *text;
        bool good;
        uint64_t bits;
    } table[] = {
        {WS_T_u8, "255", true, 255},
        {WS_T_u8, "256", false, 0},
        {WS_T_u8, "-0", true, 0},
        {WS_T_u8, "", false, 0},
        {WS_T_u8, "0x", false, 0},
        {WS_T_u8, "12a", false, 0},
        {WS_T_s8, "-128", true, 0x80},
        {WS_T_s8, "-129", false, 0},
        {WS_T_s8, "0xff", true, 0xff},
        {WS_T_s64, "-9223372036854775808", true, (uint64_t)1 << 63},
        {WS_T_s64, "9223372036854775808", false, 0},
        {WS_T_u64, "18446744073709551616", false, 0},
        {WS_T_b8, "-1", true, 0xff},
        {WS_T_b8, "-200", false, 0},
        {WS_T_f16, "65504", true, 0x7bff},
        {WS_T_f16, "65520", true, 0x7c00},
        {WS_T_f16, "5.9604645e-8", true, 1},
        {WS_T_f16, "2.9e-8", true, 0},
        {WS_T_f16, "3.1e-8", true, 1},
        {WS_T_f16, "-0", true, 0x8000},
        {WS_T_f16, "nan", true, 0x7e00},
        {WS_T_f16, "0x3c00", true, 0x3c00},
        {WS_T_f16, "0x13c00", false, 0},
        {WS_T_bf16, "1", true, 0x3f80},
        {WS_T_bf16, "1.00390625", true, 0x3f80},
        {WS_T_bf16, "1.01171875", true, 0x3f82},
        {WS_T_bf16, "-inf", true, 0xff80},
        {WS_T_f32, "1e400", true, 0x7f800000},
        {WS_T_f32, "infinity", false, 0},
        {WS_T_f32, "1e", false, 0},
        {WS_T_f32, "x", false, 0},
        {WS_T_f64, "0x3ff0000000000000", true, 0x3ff0000000000000},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint64_t bits;
        const char *const wrong_value = ws_value_parse(table[i].type, table[i].text, strlen(table[i].text), &bits);
        if (!wrong_value != table[i].good || (table[i].good && bits != table[i].bits))
            fail_msg("%s as %s: %s, %llx", table[i].text, ws_type_name(table[i].type),
                     wrong_value ? wrong_value : "good", (unsigned long long)bits);
    }
}

/* Every half and brain float goes to a double and back. */
static void short_floats(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < 1 << 16; bits++) {
        const double half = ws_value_to_double(WS_T_f16, bits), brain = ws_value_to_double(WS_T_bf16, bits);
        if (!isnan(half))
            assert_int_equal(ws_value_from_double(WS_T_f16, half), bits);
        if (!isnan(brain))
            assert_int_equal(ws_value_from_double(WS_T_bf16, brain), bits);
    }
}

static void tolerances(void **state)
{
    (void)state;
    const uint64_t one = ws_value_from_double(WS_T_f32, 1), near = one + 1, nan1 = 0x7fc00000, nan2 = 0xffffffff;
    assert_true(ws_value_same(WS_T_f32, one, one, 0, 0));
    assert_false(ws_value_same(WS_T_f32, one, near, 0, 0));
    assert_true(ws_value_same(WS_T_f32, one, near, 1e-6, 0));
    assert_true(ws_value_same(WS_T_f32, one, near, 0, 1e-6));
    assert_false(ws_value_same(WS_T_f32, one, near, 1e-8, 1e-8));
    assert_true(ws_value_same(WS_T_f32, nan1, nan2, 0, 0));
    assert_false(ws_value_same(WS_T_f32, nan1, one, 1e30, 1e30));
    assert_false(ws_value_same(WS_T_b32, nan1, nan2, 0, 0));
    assert_false(ws_value_same(WS_T_f32, 0, 0x80000000, 0, 0));
    assert_true(ws_value_same(WS_T_s32, 5, 7, 2, 0));
    assert_false(ws_value_same(WS_T_s32, 5, (uint32_t)-5, 9, 0));
}

static void comparison(void **state)
{
    (void)state;
    const uint16_t found[] = {1, 2, 9, 4, 9}, wanted[] = {1, 2, 3, 4, 5};
    ws_mismatch m;
    ws_content_compare(WS_T_u16, found, wanted, 5, 0, 0, &m);
    assert_int_equal(m.differing, 2);
    assert_int_equal(m.element, 2);
    assert_int_equal(m.found, 9);
    assert_int_equal(m.wanted, 3);
    ws_content_compare(WS_T_u16, found, wanted, 5, 6, 0, &m);
    assert_int_equal(m.differing, 0);
}

static void loading(void **state)
{
    (void)state;
    ws_script *s;
    char path[] = "/tmp/test_launchfile_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *const out = fdopen(fd, "w");
    fputs("launch k\n", out);
    fclose(out);
    assert_int_equal(ws_launchfile_load(path, &s), WS_OK);
    assert_string_equal(s->folder, "/tmp/");
    ws_script_destroy(s);
    unlink(path);
    assert_int_equal(ws_launchfile_load(path, &s), WS_ENOTFOUND);
    assert_int_equal(ws_launchfile_load("/", &s), WS_EIO);
    assert_null(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_inputs), cmocka_unit_test(truncated),    cmocka_unit_test(textures),
        cmocka_unit_test(statements),   cmocka_unit_test(contents),     cmocka_unit_test(random_contents),
        cmocka_unit_test(values),       cmocka_unit_test(short_floats), cmocka_unit_test(tolerances),
        cmocka_unit_test(comparison),   cmocka_unit_test(loading),
    };
    return cmocka_run_group_tests_name("launch files", tests, NULL, NULL);
}
