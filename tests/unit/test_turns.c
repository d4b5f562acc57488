/* test_turns.c - warps that give way before stores: do they go on together, and does nothing that waits hang? */
#include "base/status.h"
#include "collect/simt/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* %rd1: the output; %r1: the thread's number in its block; %r2: the block's; %r3: the warp's. */
#define KERNEL(body) \
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n" \
    ".reg .b32 %r<16>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" \
    "shr.u32 %r3, %r1, 5;\n" body "ret;\n}\n"

enum { WORDS = 128 };

typedef struct answer {
    int status;
    uint32_t word[WORDS];
    ws_run_result result;
} answer;

static answer run(const char *text, uint32_t grid, uint32_t block, unsigned workers, ws_turns turns, uint64_t limit)
{
    ws_device *device;
    ws_module *module;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t out;
    answer a;
    if (ws_ptx_parse("test.ptx", text, strlen(text), &module))
        fail_msg("%s", ws_message());
    assert_int_equal(ws_device_create(&(ws_device_options){.workers = workers, .memory_bytes = 1 << 24}, &device),
                     WS_OK);
    assert_int_equal(ws_image_load(device, module, &image), WS_OK);
    assert_int_equal(ws_image_kernel(image, "k", &kernel), WS_OK);
    assert_int_equal(ws_device_alloc(device, sizeof a.word, &out), WS_OK);
    const ws_run how = {
        .grid = {grid, 1, 1}, .block = {block, 1, 1}, .params = &out, .max_instructions = limit, .turns = turns};
    a.status = ws_kernel_run(kernel, &how, &a.result);
    memcpy(a.word, ws_device_pointer(device, out, sizeof a.word), sizeof a.word);
    ws_device_destroy(device);
    ws_module_destroy(module);
    return a;
}

static answer finish(const char *text, uint32_t grid, uint32_t block, unsigned workers)
{
    const answer a = run(text, grid, block, workers, WS_TURNS_STORES, 20000000);
    if (a.status)
        print_error("%s\n", ws_message());
    assert_int_equal(a.status, WS_OK);
    return a;
}

/* All warps add to the same words without atomics, 50 times. */
static const char adds[] =
    KERNEL("and.b32 %r4, %r1, 31;\nmul.wide.u32 %rd2, %r4, 4;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n"
           "L: ld.global.u32 %r6, [%rd3];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd3], %r6;\n"
           "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 50;\n@%p1 bra L;\n");

static void test_that_warps_read_before_any_stores(void **state)
{
    (void)state;
    const answer together = finish(adds, 1, 256, 1);
    const answer apart = run(adds, 1, 256, 1, WS_TURNS_BARRIERS, 0);
    for (unsigned i = 0; i < 32; i++) {
        assert_int_equal(together.word[i], 50);
        assert_int_equal(apart.word[i], 400);
    }
    assert_int_equal(together.result.warp_instructions, apart.result.warp_instructions);
    assert_int_equal(together.result.thread_instructions, apart.result.thread_instructions);
}

/* The same with a guard that takes the first warp out at times, and vectors of two. */
static void test_stores_of_some_lanes(void **state)
{
    (void)state;
    const answer a =
        finish(KERNEL("and.b32 %r4, %r1, 31;\nmul.wide.u32 %rd2, %r4, 8;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n"
                      "setp.lt.u32 %p2, %r4, 16;\n"
                      "L: ld.global.v2.u32 {%r6, %r7}, [%rd3];\nadd.u32 %r6, %r6, 1;\nadd.u32 %r7, %r7, 2;\n"
                      "@%p2 st.global.v2.u32 [%rd3], {%r6, %r7};\n"
                      "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 50;\n@%p1 bra L;\n"),
               1, 128, 1);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(a.word[i], i % 2 ? 100 : 50);
}

/* A warp stores all the time while it waits for another one of its block. */
static void test_warp_that_stores_while_it_waits(void **state)
{
    (void)state;
    const answer a = finish(
        KERNEL("setp.eq.u32 %p1, %r3, 1;\n@%p1 bra GIVE;\nmov.u32 %r4, 0;\n"
               "L: add.u32 %r4, %r4, 1;\nst.volatile.global.u32 [%rd1+4], %r4;\nld.volatile.global.u32 %r5, [%rd1];\n"
               "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra L;\nbra END;\n"
               "GIVE: mov.u32 %r6, 3000;\nW: sub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p3, %r6, 0;\n@%p3 bra W;\n"
               "mov.u32 %r6, 1;\nst.volatile.global.u32 [%rd1], %r6;\nEND:\n"),
        1, 64, 1);
    assert_int_equal(a.word[0], 1);
    assert_true(a.word[1] > 0);
}

#define WAITING_BLOCKS(store, load) \
    KERNEL("setp.eq.u32 %p1, %r2, 7;\n@%p1 bra GIVE;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd3, %rd1, %rd2;\n" \
           "mov.u32 %r4, 7;\nL: " store ".u32 [%rd3+4], %r4;\n" load ".u32 %r5, [%rd1];\nsetp.eq.u32 %p2, %r5, 0;\n" \
           "@%p2 bra L;\nbra END;\nGIVE: mov.u32 %r6, 1;\n" store ".u32 [%rd1], %r6;\nEND:\n")

/* Blocks wait for the last one, and store meanwhile: on one worker, they have to make room for it. */
static void test_block_that_stores_while_it_waits(void **state)
{
    (void)state;
    static const char *const texts[] = {WAITING_BLOCKS("st.volatile.global", "ld.volatile.global"),
                                        WAITING_BLOCKS("st.global", "ld.global.cg"),
                                        WAITING_BLOCKS("st.global.wt", "ld.cv")};
    for (unsigned i = 0; i < 3 * sizeof texts / sizeof *texts; i++) {
        const answer a = finish(texts[i / 3], 8, 64, 1 + i % 3);
        assert_int_equal(a.word[0], 1);
        for (unsigned k = 1; k < 8; k++)
            assert_int_equal(a.word[k], 7);
    }
}

/* Lanes of one warp take a lock in turn; those that do not have it store their number of tries. */
static void test_lanes_that_store_while_they_wait(void **state)
{
    (void)state;
    const answer a = finish(
        KERNEL(
            "mov.u32 %r5, 0;\n"
            "L: atom.global.cas.b32 %r4, [%rd1], 0, 1;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra HAVE;\n"
            "mov.u32 %r6, 1;\nst.volatile.global.u32 [%rd1+8], %r6;\nbra L;\n"
            "HAVE: ld.volatile.global.u32 %r7, [%rd1+4];\nadd.u32 %r7, %r7, 1;\nst.volatile.global.u32 [%rd1+4], %r7;\n"
            "membar.gl;\natom.global.exch.b32 %r8, [%rd1], 0;\n"),
        1, 64, 1);
    assert_int_equal(a.word[1], 64);
}

/* Warps wait for another one of their block by loads that do not look like it, in place and with a count of tries. */
static void test_that_plain_loads_may_wait(void **state)
{
    (void)state;
    static const char *const texts[] = {
        KERNEL("setp.eq.u32 %p1, %r3, 3;\n@%p1 bra GIVE;\nL: membar.cta;\nld.global.u32 %r4, [%rd1];\n"
               "setp.eq.u32 %p2, %r4, 0;\n@%p2 bra L;\nst.global.u32 [%rd1+4], %r4;\nbra END;\n"
               "GIVE: mov.u32 %r4, 9;\nst.global.u32 [%rd1], %r4;\nEND:\n"),
        KERNEL("setp.eq.u32 %p1, %r3, 1;\n@%p1 bra GIVE;\nmov.u32 %r5, 0;\n"
               "L: add.u32 %r5, %r5, 1;\nmembar.cta;\nld.global.u32 %r4, [%rd1];\n"
               "setp.eq.u32 %p2, %r4, 0;\n@%p2 bra L;\nst.global.u32 [%rd1+4], %r4;\nbra END;\n"
               "GIVE: mov.u32 %r4, 9;\nst.global.u32 [%rd1], %r4;\nEND:\n")};
    assert_int_equal(finish(texts[0], 1, 128, 1).word[1], 9);
    assert_int_equal(finish(texts[1], 1, 64, 1).word[1], 9);
}

/* A loop that only stores is ended by its limit, also in a block of one warp. */
static void test_limit(void **state)
{
    (void)state;
    static const char text[] = KERNEL("L: st.global.u32 [%rd1], %r1;\nbra L;\n");
    for (uint32_t block = 32; block <= 128; block *= 2)
        assert_int_equal(run(text, 1, block, 1, WS_TURNS_STORES, 100000).status, WS_ELIMIT);
    static const char quiet[] = KERNEL("L: bra L;\n");
    assert_int_equal(run(quiet, 1, 128, 1, WS_TURNS_STORES, 100000).status, WS_ELIMIT);
}

/* Warps that cannot come together any more are told so as ever. */
static void test_deadlock_and_fault(void **state)
{
    (void)state;
    assert_int_equal(
        run(KERNEL("setp.eq.u32 %p1, %r3, 0;\n@%p1 bar.sync 1, 64;\nst.global.u32 [%rd1], %r1;\nbar.sync 0;\n"), 1, 64,
            1, WS_TURNS_STORES, 0)
            .status,
        WS_EFAULT);
    assert_non_null(strstr(ws_message(), "barrier deadlock"));
    assert_int_equal(
        run(KERNEL("mov.u64 %rd2, 64;\nst.global.u32 [%rd2], %r1;\n"), 4, 64, 2, WS_TURNS_STORES, 0).status, WS_EFAULT);
    assert_non_null(strstr(ws_message(), "block (0,0,0) thread (0,0,0)"));
}

/* Blocks do not race with each other here: the number of workers changes nothing. */
static void test_workers(void **state)
{
    (void)state;
    static const char text[] =
        KERNEL("and.b32 %r4, %r2, 31;\nmul.wide.u32 %rd2, %r4, 4;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n"
               "L: ld.global.u32 %r6, [%rd3];\nmad.lo.u32 %r6, %r6, 3, %r2;\nst.global.u32 [%rd3], %r6;\n"
               "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 9;\n@%p1 bra L;\n");
    const answer one = finish(text, 32, 128, 1);
    for (unsigned workers = 2; workers <= 4; workers++) {
        const answer more = finish(text, 32, 128, workers);
        assert_memory_equal(one.word, more.word, sizeof one.word);
        assert_int_equal(one.result.warp_instructions, more.result.warp_instructions);
    }
}

/* Two blocks on two workers: one writes vectors of equal halves over and over, the other never finds halves that
 * differ. */
#define HALVES(kind, store, load, differ) \
    KERNEL("and.b32 %r4, %r1, 3;\nmul.wide.u32 %rd2, %r4, 16;\nadd.u64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n" \
           "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra READ;\n" \
           "WRITE: add.u32 %r5, %r5, 1;\ncvt.u64.u32 %rd4, %r5;\nst." kind "." store ";\n" \
           "setp.lt.u32 %p2, %r5, 100000;\n@%p2 bra WRITE;\nbra END;\n" \
           "READ: add.u32 %r5, %r5, 1;\nld." kind "." load ";\n" differ ";\n" \
           "@%p3 red.global.add.u32 [%rd1], 1;\nsetp.lt.u32 %p2, %r5, 100000;\n@%p2 bra READ;\nEND:\n")

static void test_that_ordered_vectors_are_one(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HALVES("relaxed.gpu.global", "v2.u64 [%rd3+64], {%rd4, %rd4}", "v2.u64 {%rd4, %rd5}, [%rd3+64]",
               "setp.ne.u64 %p3, %rd4, %rd5"),
        HALVES("relaxed.gpu.global", "v4.u32 [%rd3+64], {%r5, %r5, %r5, %r5}", "v4.u32 {%r6, %r7, %r8, %r9}, [%rd3+64]",
               "setp.ne.u32 %p3, %r6, %r9"),
        HALVES("volatile.global", "v2.u32 [%rd3+64], {%r5, %r5}", "v2.u32 {%r6, %r9}, [%rd3+64]",
               "setp.ne.u32 %p3, %r6, %r9"),
        HALVES("global.cg", "v2.u64 [%rd3+64], {%rd4, %rd4}", "v2.u64 {%rd4, %rd5}, [%rd3+64]",
               "setp.ne.u64 %p3, %rd4, %rd5"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const answer a = finish(texts[i], 2, 4, 2);
        assert_int_equal(a.word[0], 0);
        assert_int_equal(a.word[16], 100000); /* they were written */
    }
}

/* The same by whole warps of two blocks, whose addresses are evenly spaced, all the same, fall or are in no order. */
#define WARP_COPY(kind, vector, registers, bytes, index) \
    KERNEL("and.b32 %r4, %r1, 31;\nmov.u32 %r5, %r4;\n" index ";\n" \
           "mad.wide.u32 %rd2, %r4, " bytes ", %rd1;\nmad.wide.u32 %rd3, %r5, " bytes ", %rd1;\n" \
           "mov.u32 %r6, %r4;\nadd.u32 %r7, %r4, 100;\nadd.u32 %r8, %r4, 200;\nadd.u32 %r9, %r4, 300;\n" \
           "st." kind vector " [%rd2], " registers ";\n" \
           "ld." kind vector " " registers ", [%rd3];\n" \
           "st.global.u32 [%rd2], %r7;\n")

static void test_ordered_vectors_of_whole_warps(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t words, first, step; /* of a vector; lane 0 loads from `first`, lane 1 from `first + step`, modulo 32 */
    } row[] = {
        {WARP_COPY("volatile.global", ".v2.u32", "{%r6, %r7}", "8", ""), 2, 0, 1},
        {WARP_COPY("relaxed.gpu.global", ".v4.u32", "{%r6, %r7, %r8, %r9}", "16", ""), 4, 0, 1},
        {WARP_COPY("volatile.global", ".v4.u32", "{%r6, %r7, %r8, %r9}", "16", "mov.u32 %r5, 7"), 4, 7, 0},
        {WARP_COPY("global.cg", ".v2.u32", "{%r6, %r7}", "8", "sub.u32 %r5, 31, %r4"), 2, 31, 31},
        {WARP_COPY("global.cg", ".v4.u32", "{%r6, %r7, %r8, %r9}", "16",
                   "mul.lo.u32 %r5, %r4, 5;\nand.b32 %r5, %r5, 31"),
         4, 0, 5},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (unsigned workers = 1; workers <= 2; workers++) {
            const answer a = finish(row[i].text, 2, 32, workers);
            for (uint32_t lane = 0; lane < 32; lane++)
                assert_int_equal(a.word[lane * row[i].words], 100 + (row[i].first + lane * row[i].step) % 32);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_that_warps_read_before_any_stores),
        cmocka_unit_test(test_stores_of_some_lanes),
        cmocka_unit_test(test_warp_that_stores_while_it_waits),
        cmocka_unit_test(test_block_that_stores_while_it_waits),
        cmocka_unit_test(test_lanes_that_store_while_they_wait),
        cmocka_unit_test(test_that_plain_loads_may_wait),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_deadlock_and_fault),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_that_ordered_vectors_are_one),
        cmocka_unit_test(test_ordered_vectors_of_whole_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
