/* test_engine.c - does the engine run control flow, memory and synchronisation as PTX says, and stop what is illegal?
 */
#include "base/status.h"
#include "collect/simt/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

/* A device with one module and one output buffer of 32-bit words. */
typedef struct fixture {
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t out;
    uint32_t words;
} fixture;

static void open_kernel(fixture *f, const char *text, uint32_t words, unsigned workers)
{
    *f = (fixture){.words = words};
    int status = ws_ptx_parse("test.ptx", text, strlen(text), &f->module);
    if (status)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = workers}, &f->device), WS_OK);
    assert_int_equal(ws_image_load(f->device, f->module, &f->image), WS_OK);
    status = ws_image_kernel(f->image, "k", &f->kernel);
    if (status)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
    assert_int_equal(ws_device_alloc(f->device, 4ull * words, &f->out), WS_OK);
}

static void close_kernel(fixture *f)
{
    ws_device_destroy(f->device);
    ws_module_destroy(f->module);
}

static int launch(fixture *f, uint32_t grid, uint32_t block)
{
    const uint64_t params[1] = {f->out};
    return ws_kernel_run(
        f->kernel,
        &(ws_run){.grid = {grid, 1, 1}, .block = {block, 1, 1}, .params = params, .max_instructions = 50000000}, NULL);
}

static void expect_ok(fixture *f, uint32_t grid, uint32_t block)
{
    const int status = launch(f, grid, block);
    if (status)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
}

static const uint32_t *words(const fixture *f)
{
    return ws_device_pointer(f->device, f->out, 4ull * f->words);
}

#define ENTRY \
    ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n" \
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 " \
    "%r3, %ntid.x;\n" \
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"

static void test_store_of_thread_numbers(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, HEADER ENTRY "st.global.u32 [%rd3], %r4;\nret;\n}\n", 1000, 2);
    expect_ok(&f, 10, 100);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(words(&f)[i], i);
    close_kernel(&f);
}

/* Every lane loops as often as its number: the sum 0 + 1 + ... + tid. */
static void test_divergent_loop(void **state)
{
    (void)state;
    fixture f;
    open_kernel(
        &f,
        HEADER ENTRY
        "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nL1:\nsetp.gt.u32 %p1, %r6, %r1;\n@%p1 bra L2;\nadd.u32 %r5, %r5, %r6;\n"
        "add.u32 %r6, %r6, 1;\nbra L1;\nL2:\nst.global.u32 [%rd3], %r5;\nret;\n}\n",
        64, 1);
    expect_ok(&f, 1, 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words(&f)[i], i * (i + 1) / 2);
    close_kernel(&f);
}

static void test_exit_in_divergent_code(void **state)
{
    (void)state;
    fixture f;
    open_kernel(
        &f,
        HEADER ENTRY
        "and.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra EVEN;\nsetp.gt.u32 %p2, %r1, 10;\n@%p2 exit;\n"
        "st.global.u32 [%rd3], 7;\nbra DONE;\nEVEN:\nst.global.u32 [%rd3], 8;\nDONE:\nbar.sync 0;\nld.global.u32 %r6, "
        "[%rd3];\n"
        "add.u32 %r6, %r6, 100;\nst.global.u32 [%rd3], %r6;\nret;\n}\n",
        64, 1);
    expect_ok(&f, 1, 64);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(words(&f)[i], i % 2 == 0 ? 108 : i > 10 ? 0 : 107);
    close_kernel(&f);
}

/* Factorials by recursion, with a different depth in each lane. */
static void test_recursion(void **state)
{
    (void)state;
    fixture f;
    open_kernel(
        &f,
        HEADER
        ".func (.param .b32 r) fact(.param .b32 n)\n;\n"
        ".func (.param .b32 r) fact(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<5>;\nld.param.u32 %r1, [n];\n"
        "setp.lt.u32 %p1, %r1, 2;\n@%p1 bra ONE;\nadd.u32 %r2, %r1, -1;\n{\n.param .b32 a0;\n.param .b32 "
        "r0;\nst.param.b32 [a0], %r2;\n"
        "call.uni (r0), fact, (a0);\nld.param.b32 %r3, [r0];\n}\nmul.lo.u32 %r4, %r3, %r1;\nst.param.b32 [r], "
        "%r4;\nret;\nONE:\n"
        "st.param.b32 [r], 1;\nret;\n}\n" ENTRY "and.b32 %r5, %r1, 7;\n{\n.param .b32 a0;\n.param .b32 "
        "r0;\nst.param.b32 [a0], %r5;\ncall.uni (r0), fact, (a0);\n"
        "ld.param.b32 %r6, [r0];\n}\nst.global.u32 [%rd3], %r6;\nret;\n}\n",
        32, 1);
    expect_ok(&f, 1, 32);
    static const uint32_t factorial[8] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words(&f)[i], factorial[i % 8]);
    close_kernel(&f);
}

/* Blocks wait for each other through global memory: all arrive, all go on. */
static void test_grid_barrier(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        fixture f;
        open_kernel(
            &f,
            HEADER ENTRY
            "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra WAITED;\natom.global.add.u32 %r5, [%rd1], 1;\nSPIN:\n"
            "ld.volatile.global.u32 %r6, [%rd1];\nsetp.lt.u32 %p2, %r6, 64;\n@%p2 bra SPIN;\nWAITED:\nbar.sync 0;\n"
            "ld.global.u32 %r7, [%rd1];\nsetp.ne.u32 %p3, %r1, 1;\n@%p3 ret;\nst.global.u32 [%rd3+4], %r7;\nret;\n}\n",
            64 * 64 + 4, workers);
        expect_ok(&f, 64, 64);
        for (uint32_t i = 0; i < 64; i++)
            assert_int_equal(words(&f)[i * 64 + 2], 64);
        close_kernel(&f);
    }
}

/* Lane 0 of each block waits for all blocks, the other lanes go ahead meanwhile; the warp has to be whole again at the
 * vote and the shuffle: the ballot shows 32 lanes, the shuffle lane 0's number. */
static void test_parted_lanes_meet_again(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        fixture f;
        open_kernel(
            &f,
            HEADER ENTRY
            "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra WAITED;\natom.global.add.u32 %r5, [%rd1], 1;\nSPIN:\n"
            "ld.volatile.global.u32 %r6, [%rd1];\nsetp.lt.u32 %p2, %r6, 300;\n@%p2 bra SPIN;\nWAITED:\n"
            "setp.ge.u32 %p3, %r1, 0;\nvote.sync.ballot.b32 %r7, %p3, -1;\nadd.u32 %r8, %r4, 5;\n"
            "shfl.sync.idx.b32 %r9, %r8, 0, 31, -1;\nand.b32 %r9, %r9, %r7;\nst.global.u32 [%rd3+4], %r9;\nret;\n}\n",
            300 * 32 + 1, workers);
        expect_ok(&f, 300, 32);
        for (uint32_t i = 0; i < 300 * 32; i++)
            assert_int_equal(words(&f)[i + 1], i / 32 * 32 + 5);
        close_kernel(&f);
    }
}

/* A spin lock taken by the lanes of a warp one after the other; then the warp has to be whole again, at a vote and at a
 * barrier. Word 1 counts the holders, each thread leaves what the ballot showed. */
static void test_lock_inside_a_warp(void **state)
{
    (void)state;
    static const char *const meetings[] = {"", "bar.sync 0;\n"};
    for (size_t k = 0; k < sizeof meetings / sizeof *meetings; k++) {
        char text[4096];
        snprintf(
            text, sizeof text, "%s%s%s%s", HEADER ENTRY,
            "TRY:\natom.global.cas.b32 %r5, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra "
            "TRY;\nld.volatile.global.u32 %r6, [%rd1+4];\n"
            "add.u32 %r6, %r6, 1;\nst.volatile.global.u32 [%rd1+4], %r6;\nmembar.gl;\natom.global.exch.b32 %r5, "
            "[%rd1], 0;\n",
            meetings[k],
            "setp.ge.u32 %p2, %r1, 0;\nvote.sync.ballot.b32 %r7, %p2, -1;\nst.global.u32 [%rd3+8], %r7;\nret;\n}\n");
        fixture f;
        open_kernel(&f, text, 2 + 4 * 67, 2);
        expect_ok(&f, 4, 67);
        assert_int_equal(words(&f)[1], 4 * 67);
        for (uint32_t i = 0; i < 4 * 67; i++)
            assert_int_equal(words(&f)[2 + i], i % 67 < 64 ? UINT32_MAX : 7);
        close_kernel(&f);
    }
}

static void expect_fault(const char *body, uint32_t grid, uint32_t block, int code, const char *a, const char *b)
{
    fixture f;
    char *text = malloc(strlen(body) + sizeof HEADER ENTRY + 16);
    assert_non_null(text);
    strcpy(text, HEADER ENTRY);
    strcat(text, body);
    strcat(text, "ret;\n}\n");
    open_kernel(&f, text, 64, 2);
    const int status = launch(&f, grid, block);
    assert_int_equal(status, code);
    if (!strstr(ws_message(), a) || !strstr(ws_message(), b))
        fail_msg("message \"%s\" lacks \"%s\" or \"%s\"", ws_message(), a, b);
    close_kernel(&f);
    free(text);
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault("st.global.u32 [%rd3], %r1;\n", 1, 65, WS_EFAULT, "block (0,0,0) thread (64,0,0)", "out of bounds");
    expect_fault("st.global.u32 [%rd3], %r1;\n", 9, 32, WS_EFAULT, "block (2,0,0) thread (0,0,0)", "test.ptx:18");
    expect_fault("ld.global.u32 %r5, [%rd1+2];\n", 1, 1, WS_EFAULT, "misaligned", "thread (0,0,0)");
    expect_fault("ld.global.u32 %r5, [%rd1+-4];\n", 1, 1, WS_EFAULT, "out of bounds", "before the allocation");
    expect_fault("mov.u32 %r5, 0;\nst.shared.u32 [%r5], %r5;\n", 1, 1, WS_EFAULT, "shared write", "0 bytes");
    expect_fault("bar.sync 0, 128;\n", 1, 64, WS_EFAULT, "barrier deadlock", "64 of 128");
    expect_fault("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra A;\nbar.sync 1;\nbra B;\nA:\nbar.sync 2;\nB:\n", 1, 64, WS_EFAULT,
                 "barrier deadlock", "32 of 64");
    expect_fault("L:\nbra L;\n", 1, 32, WS_ELIMIT, "more than 50000000", "kernel k");
    expect_fault("trap;\n", 1, 1, WS_EFAULT, "trap", "thread (0,0,0)");
}

/* The limit holds however short the launch is and whoever runs it; exactly at the limit is still allowed. */
static void test_instruction_limit(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 2; workers++) {
        fixture f;
        open_kernel(&f, HEADER ENTRY "ret;\n}\n", 64, workers);
        const uint64_t params[1] = {f.out};
        ws_run run = {.grid = {7, 1, 1}, .block = {64, 1, 1}, .params = params};
        ws_run_result result;
        assert_int_equal(ws_kernel_run(f.kernel, &run, &result), WS_OK);
        assert_int_equal(result.warp_instructions, 7 * 2 * 9);
        assert_int_equal(result.thread_instructions, 7 * 64 * 9);
        run.max_instructions = 7 * 2 * 9;
        assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), WS_OK);
        run.max_instructions--;
        assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), WS_ELIMIT);
        close_kernel(&f);
    }
}

static void test_use_after_free(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, HEADER ENTRY "ld.global.u32 %r5, [%rd3];\nret;\n}\n", 64, 1);
    assert_int_equal(ws_device_free(f.device, f.out), WS_OK);
    assert_int_equal(launch(&f, 1, 32), WS_EFAULT);
    assert_non_null(strstr(ws_message(), "which was freed"));
    close_kernel(&f);
}

static void test_impossible_launches(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f, HEADER ENTRY "ret;\n}\n", 64, 1);
    assert_int_equal(launch(&f, 0, 32), WS_EINPUT);
    assert_int_equal(launch(&f, 1, 1025), WS_EINPUT);
    close_kernel(&f);
}

/* What a launch takes for itself does not fit: that is the message, and no other allocation is freed for it. */
static void test_full_memory_is_told(void **state)
{
    (void)state;
    fixture f;
    uint64_t rest;
    open_kernel(&f, HEADER ENTRY "ret;\n}\n", 64, 1);
    uint64_t bytes = ws_device_memory_total(f.device);
    while (bytes && ws_device_alloc(f.device, bytes, &rest))
        bytes -= 256;
    assert_true(bytes);
    const uint64_t used = ws_device_memory_used(f.device);
    assert_int_equal(
        ws_kernel_run(f.kernel, &(ws_run){.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = &f.out, .cooperative = true},
                      NULL),
        WS_EMEM);
    assert_non_null(strstr(ws_message(), "device memory is full"));
    assert_int_equal(ws_device_memory_used(f.device), used);
    assert_non_null(ws_device_pointer(f.device, f.out, 64));
    close_kernel(&f);
}

/* Two branches by one list, the second reached with other lanes in other orders. */
static void test_two_branches_share_a_list(void **state)
{
    (void)state;
    fixture f;
    open_kernel(&f,
                HEADER ENTRY
                "and.b32 %r5, %r1, 3;\nmov.u32 %r6, 0;\nmov.u32 %r7, 0;\n"
                "T: .branchtargets A, B, C, END;\nbrx.idx %r5, T;\n"
                "A: add.u32 %r6, %r6, 1;\nbra END;\nB: add.u32 %r6, %r6, 10;\nbra END;\nC: add.u32 %r6, %r6, 100;\n"
                "END: add.u32 %r7, %r7, 1;\nadd.u32 %r5, %r5, 1;\nand.b32 %r5, %r5, 3;\n"
                "setp.lt.u32 %p1, %r7, 4;\n@%p1 brx.idx %r5, T;\nst.global.u32 [%rd3], %r6;\nret;\n}\n",
                32, 1);
    expect_ok(&f, 1, 32);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(words(&f)[i], 111); /* each target once, whatever the first was */
    close_kernel(&f);
}

static void test_calls_of_kernels_are_refused(void **state)
{
    (void)state;
    static const char text[] = HEADER ".entry other() { ret; }\n.entry k()\n{\ncall other, ();\nret;\n}\n";
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    assert_int_equal(ws_ptx_parse("t.ptx", text, sizeof text - 1, &module), WS_OK);
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = 1}, &device), WS_OK);
    assert_int_equal(ws_image_load(device, module, &image), WS_OK);
    assert_int_equal(ws_image_kernel(image, "k", &kernel), WS_EUNSUPPORTED);
    assert_non_null(strstr(ws_message(), "calls `other`, which is a kernel"));
    ws_device_destroy(device);
    ws_module_destroy(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_of_thread_numbers),
        cmocka_unit_test(test_divergent_loop),
        cmocka_unit_test(test_exit_in_divergent_code),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_grid_barrier),
        cmocka_unit_test(test_lock_inside_a_warp),
        cmocka_unit_test(test_parted_lanes_meet_again),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_instruction_limit),
        cmocka_unit_test(test_use_after_free),
        cmocka_unit_test(test_impossible_launches),
        cmocka_unit_test(test_full_memory_is_told),
        cmocka_unit_test(test_two_branches_share_a_list),
        cmocka_unit_test(test_calls_of_kernels_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
