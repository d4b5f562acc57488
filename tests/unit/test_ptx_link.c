/* test_ptx_link.c - does the linker join what belongs together, keep apart what does not, and name what cannot be? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/ptx/module.h"
#include "collect/simt/engine.h"

#include <string.h>

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

static int link_texts(const char *const *text, bool (*provided)(const char *), ws_module **out)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    ws_module *module[4];
    uint32_t n = 0;
    for (; n < 4 && text[n]; n++) {
        if (ws_ptx_parse(names[n], text[n], strlen(text[n]), &module[n]))
            fail_msg("%s\n%s", ws_message(), text[n]);
    }
    return ws_ptx_link("linked", module, n, provided, out);
}

static ws_module *linked(const char *a, const char *b, const char *c)
{
    ws_module *m;
    const char *const text[] = {a, b, c, NULL};
    if (link_texts(text, NULL, &m))
        fail_msg("%s", ws_message());
    for (uint32_t i = 0; i < m->functions; i++) {
        assert_int_equal(m->function[i]->index, i);
        assert_ptr_equal(ws_module_function(m, m->function[i]->name), m->function[i]); /* names are unique */
    }
    for (uint32_t i = 0; i < m->vars; i++) {
        assert_int_equal(m->var[i]->index, i);
        assert_ptr_equal(ws_module_variable(m, m->var[i]->name), m->var[i]);
    }
    return m;
}

/* Runs kernel k, one thread, with the address of an unsigned; what it leaves there. */
static unsigned result_of(const ws_module *m, const char *name)
{
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t at;
    ws_run run = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &at};
    if (ws_device_create(&(ws_device_options){.workers = 1}, &device) || ws_device_alloc(device, 256, &at) ||
        ws_image_load(device, m, &image) || ws_image_kernel(image, name, &kernel) ||
        ws_kernel_run(kernel, &run, &(ws_run_result){0}))
        fail_msg("%s", ws_message());
    const unsigned value = *(const unsigned *)ws_device_pointer(device, at, 4);
    ws_device_destroy(device);
    return value;
}

#define KERNEL(name, body) \
    ".visible .entry " name "(.param .u64 out)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n" \
    "ld.param.u64 %rd1, [out];\n" body "st.global.u32 [%rd1], %r1;\nret;\n}\n"
#define CALL(f) "{ .param .b32 v;\ncall (v), " f ", ();\nld.param.b32 %r1, [v]; }\n"
#define FUNC(linkage, f, value) \
    linkage " .func (.param .b32 r) " f "()\n{\n.reg .b32 %r<9>; mov.u32 %r1, " value \
            "; st.param.b32 [r], %r1; ret;\n}\n"
#define DECLARED(f) ".extern .func (.param .b32 r) " f "();\n"

static void test_calls_and_variables(void **state)
{
    (void)state;
    ws_module *const m = linked(HEAD ".extern .global .align 4 .u32 x;\n" DECLARED("f")
                                    KERNEL("k", CALL("f") "ld.global.u32 %r2, [x];\n"
                                                          "add.u32 %r1, %r1, %r2;\n"),
                                HEAD ".visible .global .align 4 .u32 x = 40;\n" FUNC(".visible", "f", "2"), NULL);
    assert_int_equal(m->functions, 2);
    assert_int_equal(m->vars, 1);
    assert_string_equal(m->file, "linked");
    assert_string_equal(ws_module_function(m, "k")->file, "a");
    assert_string_equal(ws_module_function(m, "f")->file, "b");
    assert_int_equal(result_of(m, "k"), 42);
    ws_module_destroy(m);
}

/* The declaration comes last, the definition first: order does not matter. */
static void test_order(void **state)
{
    (void)state;
    ws_module *const m = linked(HEAD FUNC(".visible", "f", "7"), HEAD DECLARED("f") KERNEL("k", CALL("f")), NULL);
    assert_int_equal(result_of(m, "k"), 7);
    ws_module_destroy(m);
}

static void test_static_names(void **state)
{
    (void)state;
    ws_module *const m = linked(
        HEAD ".global .align 4 .u32 x = 1;\n.global .align 8 .u64 p = x;\n" FUNC("", "f", "10")
            KERNEL("ka", CALL("f") "ld.global.u64 %rd2, [p];\nld.global.u32 %r2, [%rd2];\nadd.u32 %r1, %r1, %r2;\n"),
        HEAD ".global .align 4 .u32 x = 2;\n.global .align 8 .u64 p = x;\n" FUNC("", "f", "20")
            KERNEL("kb", CALL("f") "ld.global.u64 %rd2, [p];\nld.global.u32 %r2, [%rd2];\nadd.u32 %r1, %r1, %r2;\n"),
        HEAD FUNC(".visible", "f", "30") KERNEL("kc", CALL("f")));
    assert_int_equal(result_of(m, "ka"), 11);
    assert_int_equal(result_of(m, "kb"), 22);
    assert_int_equal(result_of(m, "kc"), 30);
    assert_string_equal(ws_module_function(m, "f")->file, "c"); /* the visible one keeps its name */
    assert_string_equal(ws_module_function(m, "f.1")->file, "a");
    assert_string_equal(ws_module_function(m, "f.2")->file, "b");
    assert_string_equal(ws_module_variable(m, "x.2")->file, "b");
    ws_module_destroy(m);
}

static void test_weak(void **state)
{
    (void)state;
    ws_module *m = linked(HEAD FUNC(".weak", "f", "1") KERNEL("k", CALL("f")), HEAD FUNC(".weak", "f", "2"), NULL);
    assert_int_equal(m->functions, 2);
    assert_int_equal(result_of(m, "k"), 1);
    ws_module_destroy(m);
    m = linked(HEAD FUNC(".weak", "f", "1") KERNEL("k", CALL("f")), HEAD FUNC(".visible", "f", "2"),
               HEAD FUNC(".weak", "f", "3"));
    assert_int_equal(m->functions, 2);
    assert_int_equal(result_of(m, "k"), 2);
    ws_module_destroy(m);
    m = linked(HEAD ".weak .global .align 4 .u32 x = 5;\n" KERNEL("k", "ld.global.u32 %r1, [x];\n"),
               HEAD ".weak .global .align 8 .u32 x = 6;\n", HEAD ".extern .global .align 8 .u32 x;\n");
    assert_int_equal(m->vars, 1);
    assert_int_equal(m->var[0]->align, 8); /* the strictest one of all definitions */
    assert_int_equal(result_of(m, "k"), 5);
    ws_module_destroy(m);
}

static void test_common(void **state)
{
    (void)state;
    ws_module *m = linked(HEAD ".common .global .align 4 .b8 x[4];\n" KERNEL("k", "ld.global.u32 %r1, [x];\n"),
                          HEAD ".common .global .align 4 .b8 x[8] = {9, 0, 0, 0};\n",
                          HEAD ".common .global .align 16 .b8 x[8];\n");
    assert_int_equal(m->vars, 1);
    assert_int_equal(m->var[0]->size, 8);
    assert_int_equal(m->var[0]->align, 16);
    assert_int_equal(result_of(m, "k"), 9);
    ws_module_destroy(m);
    m = linked(HEAD ".common .global .align 4 .u32 x;\n" KERNEL("k", "ld.global.u32 %r1, [x];\n"),
               HEAD ".visible .global .align 4 .u32 x = 3;\n", NULL);
    assert_int_equal(result_of(m, "k"), 3);
    ws_module_destroy(m);
}

/* Function pointers in tables, indirect calls, constants, arrays of unknown size, dynamic and static shared memory. */
static void test_indirect(void **state)
{
    (void)state;
    ws_module *const m =
        linked(HEAD ".extern .const .align 8 .u64 table[];\n.extern .shared .align 4 .b8 room[];\n" KERNEL(
                   "k", "ld.const.u64 %rd2, [table];\n{ .param .b32 v;\n"
                        "prototype: .callprototype (.param .b32 _) _ ();\ncall (v), %rd2, (), prototype;\n"
                        "ld.param.b32 %r1, [v]; }\nst.shared.u32 [room+4], %r1;\nld.shared.u32 %r1, [room+4];\n"),
               HEAD FUNC("", "f", "1") DECLARED("g") ".visible .const .align 8 .u64 table[2] = {g, f};\n",
               HEAD FUNC("", "f", "5") FUNC(".visible", "g", "6") ".visible .shared .align 4 .b8 room[8];\n");
    assert_int_equal(result_of(m, "k"), 6);
    ws_module_destroy(m);
}

static void test_builtins(void **state)
{
    (void)state;
    const char *const text[] = {HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
                                     ".visible .entry k()\n{ .reg .b64 %rd<3>;\n{ .param .b64 v; .param .b64 w;\n"
                                     "st.param.b64 [w], 8;\ncall (v), malloc, (w); }\nret; }\n",
                                HEAD DECLARED("unused"), NULL};
    ws_module *m = NULL;
    assert_int_equal(link_texts(text, ws_engine_provides, &m), WS_OK);
    ws_module_destroy(m);
}

static const struct {
    const char *text[4];
    const char *message;
} wrong[] = {
    {{HEAD FUNC(".visible", "f", "1"), HEAD "\n" FUNC(".visible", "f", "1")},
     "b:5:32: expected `f` as at a:4:32, found a second body"},
    {{HEAD FUNC(".visible", "f", "1"), HEAD ".visible .global .u32 f;\n"},
     "b:4:23: expected `f` as at a:4:32, found a variable of that name"},
    {{HEAD ".visible .global .u32 f;\n", HEAD DECLARED("f")},
     "b:4:31: expected `f` as at a:4:23, found a function of that name"},
    {{HEAD FUNC(".visible", "f", "1"), HEAD ".extern .func f();\n"},
     "b:4:15: expected `f` as at a:4:32, found another return value"},
    {{HEAD FUNC(".visible", "f", "1"), HEAD ".extern .func (.param .b32 r) f(.param .b32 x);\n"},
     "b:4:31: expected `f` as at a:4:32, found other parameters"},
    {{HEAD FUNC(".weak", "f", "1"), HEAD ".weak .func (.param .b64 r) f() { ret; }\n"},
     "b:4:29: expected `f` as at a:4:29, found another return value"},
    {{HEAD ".visible .func f() { ret; }\n", HEAD ".extern .entry f();\n"},
     "b:4:16: expected `f` as at a:4:16, found a kernel"},
    {{HEAD ".visible .global .u32 x;\n", HEAD ".visible .global .u32 x;\n"},
     "b:4:23: expected `x` as at a:4:23, found a second definition"},
    {{HEAD ".visible .global .u32 x;\n", HEAD ".extern .const .u32 x;\n"},
     "b:4:21: expected `x` as at a:4:23, found it in .const space"},
    {{HEAD ".extern .global .u64 x;\n", HEAD ".visible .global .u32 x;\n"},
     "a:4:22: expected `x` as at b:4:23, found 8 bytes instead of 4"},
    {{HEAD ".visible .global .align 4 .b8 x[16];\n", HEAD ".extern .global .align 16 .b8 x[16];\n"},
     "b:4:31: expected `x` as at a:4:31, found an alignment of 16 bytes instead of 4"},
    {{HEAD ".weak .global .u32 x;\n", HEAD ".visible .global .u64 x;\n"},
     "b:4:23: expected `x` as at a:4:20, found 8 bytes instead of 4"},
    {{HEAD ".visible .global .texref x;\n", HEAD ".extern .global .u32 x;\n"},
     "b:4:22: expected `x` as at a:4:26, found it in .global space"},
    {{HEAD ".common .global .u32 x = 1;\n", HEAD ".common .global .u32 x = 2;\n"},
     "b:4:22: expected `x` as at a:4:22, found a second initial value"},
    {{HEAD ".common .global .u32 x = 1;\n", HEAD ".common .global .u64 x;\n"},
     "b:4:22: expected `x` as at a:4:22, found an initial value that is not for the largest of them"},
    {{HEAD, ".version 7.0\n.target sm_75\n.address_size 32\n"}, "b: expected .address_size 64 as in a, found 32"},
    {{HEAD DECLARED("f") KERNEL("k", CALL("f")), HEAD}, "a:10:1: function `f` is declared, and no module defines it"},
    {{HEAD ".extern .global .u32 x;\n" KERNEL("k", "ld.global.u32 %r1, [x];\n"), HEAD},
     "a:9:1: variable `x` is .extern, and no module defines it"},
    {{HEAD ".extern .global .u32 x;\n.global .u64 p = x;\n", HEAD},
     "a:5:14: variable `x` is .extern, and no module defines it"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ws_module *m;
        assert_int_equal(link_texts(wrong[i].text, ws_engine_provides, &m), WS_EINPUT);
        assert_null(m);
        if (strcmp(ws_message(), wrong[i].message))
            fail_msg("case %zu:\n%s\n%s", i, ws_message(), wrong[i].message);
    }
}

/* Messages of the engine name the file in which the trouble is. */
static void test_places(void **state)
{
    (void)state;
    ws_module *const m = linked(HEAD DECLARED("f") KERNEL("k", CALL("f")) DECLARED("__cudaCDP2GetStatus")
                                    KERNEL("asks", CALL("__cudaCDP2GetStatus")),
                                HEAD ".visible .func (.param .b32 r) f()\n{ .reg .b64 %rd<2>; mov.u64 %rd1, 64;\n"
                                     "st.global.u32 [%rd1], 1; ret; }\n",
                                NULL);
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t at = 0;
    const ws_run run = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &at};
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &device), WS_OK);
    assert_int_equal(ws_image_load(device, m, &image), WS_OK);
    assert_int_equal(ws_image_kernel(image, "k", &kernel), WS_OK);
    assert_int_equal(ws_kernel_run(kernel, &run, &(ws_run_result){0}), WS_EFAULT);
    assert_non_null(strstr(ws_message(), "kernel k: b:6: `st.global.u32`"));
    assert_int_equal(ws_image_kernel(image, "asks", &kernel), WS_EUNSUPPORTED);
    assert_string_equal(ws_message(),
                        "a:21:1: kernel asks: instruction `call` calls `__cudaCDP2GetStatus` of the device runtime, "
                        "which is not there");
    ws_device_destroy(device);
    ws_module_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_and_variables),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_static_names),
        cmocka_unit_test(test_weak),
        cmocka_unit_test(test_common),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
