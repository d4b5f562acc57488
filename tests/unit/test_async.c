/* Do asynchronous copies and barrier objects end what nobody waits for, and say who waits in vain? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096 };

typedef struct bench {
    ws_device *device;
    uint64_t at;
} bench;

static int run(const bench *b, const char *body, uint32_t grid, uint32_t threads)
{
    static char text[8192];
    ws_module *module;
    ws_image *image = NULL;
    ws_kernel *kernel = NULL;
    const int n = snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
        ".shared .align 16 .b8 s[256];\n.shared .align 8 .b64 o[2];\n.reg .b32 %%r<9>;\n.reg .b64 %%q<9>;\n"
        ".reg .pred %%p<4>;\nld.param.u64 %%q1, [p];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, s;\nmov.u32 %%r3, o;\n"
        "setp.eq.u32 %%p1, %%r1, 0;\n%s\nret;\n}\n",
        body);
    if (ws_ptx_parse("async.ptx", text, (size_t)n, &module) || ws_image_load(b->device, module, &image) ||
        ws_image_kernel(image, "k", &kernel))
        fail_msg("%s\n%s", ws_message(), text);
    const int status = ws_kernel_run(
        kernel,
        &(ws_run){.grid = {grid, 1, 1}, .block = {threads, 1, 1}, .params = &b->at, .max_instructions = 100000000},
        NULL);
    ws_image_unload(image);
    ws_module_destroy(module);
    return status;
}

static int open_bench(void **state)
{
    bench *const b = calloc(1, sizeof *b);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &b->device), WS_OK);
    assert_int_equal(ws_device_alloc(b->device, 4 * WORDS, &b->at), WS_OK);
    *state = b;
    return 0;
}

static int close_bench(void **state)
{
    bench *const b = *state;
    ws_device_destroy(b->device);
    free(b);
    return 0;
}

/* The launch fails, and the message has all the parts, which a | separates. */
static void fails(const bench *b, const char *body, uint32_t threads, const char *parts)
{
    char list[256], *rest = NULL;
    assert_int_equal(run(b, body, 1, threads), WS_EFAULT);
    snprintf(list, sizeof list, "%s", parts);
    for (const char *part = strtok_r(list, "|", &rest); part; part = strtok_r(NULL, "|", &rest))
        if (!strstr(ws_message(), part))
            fail_msg("\"%s\" is not in: %s", part, ws_message());
}

static void an_object_that_nobody_completes(void **state)
{
    const bench *const b = *state;
    fails(b,
          "@%p1 mbarrier.init.shared.b64 [%r3+8], 65;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %q2, [%r3+8];\n"
          "L: mbarrier.try_wait.shared.b64 %p2, [%r3+8], %q2;\n@!%p2 bra L;\n",
          64,
          "async.ptx:19|mbarrier.try_wait|warp 0 and 1 more wait|shared address 0x108: 1 of 65 arrivals and 0 bytes");
    /* Bytes that never come; the other warps are done, or stand at a barrier. */
    fails(
        b,
        "@%p1 mbarrier.init.shared.b64 [%r3], 1;\nbar.sync 0;\n@%p1 mbarrier.arrive.expect_tx.shared.b64 %q2, [%r3], "
        "32;\n"
        "setp.gt.u32 %p3, %r1, 31;\n@%p3 bra E;\nL: mbarrier.test_wait.parity.shared.b64 %p2, [%r3], 0;\n@%p2 bra E;\n"
        "nanosleep.u32 20;\nbra L;\nE: bar.sync 0;\n",
        128, "warp 0 and 0 more wait|0 of 1 arrivals and 32 bytes are missing");
}

/* Waiting in vain for a while is no deadlock: a loop that counts its tries ends by itself. */
static void a_loop_that_gives_up(void **state)
{
    const bench *const b = *state;
    assert_int_equal(
        run(b,
            "@%p1 mbarrier.init.shared.b64 [%r3], 1;\nbar.sync 0;\nmov.u32 %r4, 0;\n"
            "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, 5000;\n"
            "@%p3 bra L;\n@%p1 st.global.u32 [%q1], %r4;\n",
            1, 64),
        WS_OK);
    assert_int_equal(*(const uint32_t *)ws_device_pointer(b->device, b->at, 4), 5000);
}

/* Lanes of one warp wait for another lane of it. */
static void lanes_of_a_warp(void **state)
{
    const bench *const b = *state;
    assert_int_equal(
        run(b,
            "@%p1 mbarrier.init.shared.b64 [%r3], 1;\nbar.warp.sync -1;\n@%p1 bra A;\n"
            "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n@!%p2 bra L;\nmov.u32 %r5, 7;\nbra E;\n"
            "A: mov.u32 %r5, 9;\nmbarrier.arrive.shared.b64 %q2, [%r3];\nE: mad.wide.u32 %q3, %r1, 4, "
            "%q1;\nst.global.u32 [%q3], %r5;\n",
            1, 32),
        WS_OK);
    const uint32_t *const out = ws_device_pointer(b->device, b->at, 4 * 32);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(out[i], i ? 7 : 9);
}

/* More copies than a warp keeps: all are done after the wait, and the order of those to one place is kept. */
static void many_copies(void **state)
{
    const bench *const b = *state;
    uint32_t *const memory = ws_device_pointer(b->device, b->at, 4 * WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        memory[i] = i;
    assert_int_equal(run(b,
                         "mov.u32 %r4, 0;\nmad.lo.u32 %r5, %r1, 4, %r2;\nL: mad.wide.u32 %q2, %r4, 4, %q1;\n"
                         "cp.async.ca.shared.global [%r5], [%q2], 4;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p2, %r4, "
                         "3000;\n@%p2 bra L;\n"
                         "cp.async.wait_all;\nld.shared.u32 %r6, [%r5];\nmad.wide.u32 %q3, %r1, 4, %q1;\nst.global.u32 "
                         "[%q3+12288], %r6;\n",
                         1, 32),
                     WS_OK);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(memory[3072 + i], 2999);
}

/* A thread that ends without waiting leaves its copies done; blocks that follow start without any. */
static void copies_of_threads_that_end(void **state)
{
    const bench *const b = *state;
    uint32_t *const memory = ws_device_pointer(b->device, b->at, 4 * WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        memory[i] = i + 1;
    assert_int_equal(
        run(b,
            "setp.lt.u32 %p2, %r1, 32;\nmov.u32 %r7, %ctaid.x;\nmad.lo.u32 %r5, %r1, 4, %r2;\nmad.wide.u32 %q2, %r1, "
            "4, %q1;\n"
            "@%p2 cp.async.ca.shared.global [%r5], [%q2], 4;\n@%p2 ret;\nbar.sync 0;\nsub.u32 %r6, %r5, 128;\n"
            "ld.shared.u32 %r6, [%r6];\nmad.wide.u32 %q3, %r7, 128, %q2;\nst.global.u32 [%q3+256], %r6;\n",
            3, 64),
        WS_OK);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(memory[96 + i], i % 32 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_that_nobody_completes),
        cmocka_unit_test(a_loop_that_gives_up),
        cmocka_unit_test(lanes_of_a_warp),
        cmocka_unit_test(many_copies),
        cmocka_unit_test(copies_of_threads_that_end),
    };
    return cmocka_run_group_tests_name("asynchronous copies", tests, open_bench, close_bench);
}
