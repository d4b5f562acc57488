/* test_alignment.c - misaligned accesses: faults, as on a GPU, or byte copies that are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/engine.h"
#include "tests/unit/told_accesses.h"

#include <stdio.h>
#include <string.h>

enum { STRIDE = 48, BYTES = 4096, FILL = 0xa5, LANES = 32, WORDS = 4 };

typedef struct form {
    const char *text;
    unsigned bytes; /* of a lane's store and load */
} form;

/* A store and a load of each width in a space. */
#define FORMS(space, at) \
    {"st" space ".u16 [" at "], %h1; ld" space ".u16 %h2, [" at "]; cvt.u32.u16 %r5, %h2;", 2}, \
        {"st" space ".u32 [" at "], %r1; ld" space ".u32 %r5, [" at "];", 4}, \
        {"st" space ".u64 [" at "], %q1; ld" space ".u64 %q3, [" at "]; mov.b64 {%r5, %r6}, %q3;", 8}, \
        {"st" space ".v2.u16 [" at "], {%h1, %h3}; ld" space ".v2.u16 {%h2, %h4}, [" at "]; mov.b32 %r5, {%h2, %h4};", \
         4}, \
        {"st" space ".v2.u32 [" at "], {%r1, %r2}; ld" space ".v2.u32 {%r5, %r6}, [" at "];", 8}, \
        {"st" space ".v4.u32 [" at "], {%r1, %r2, %r3, %r4}; ld" space ".v4.u32 {%r5, %r6, %r7, %r8}, [" at "];", 16}, \
    { \
        "st" space ".v2.u64 [" at "], {%q1, %q2}; ld" space ".v2.u64 {%q3, %q4}, [" at "]; mov.b64 {%r5, %r6}, %q3; " \
        "mov.b64 {%r7, %r8}, %q4;", \
            16 \
    }
static const form forms[] = {FORMS(".global", "%a"), FORMS(".shared", "%s"), FORMS(".local", "%l"),
                             FORMS("", "%a"),        FORMS("", "%gs"),       FORMS("", "%gl")};

/* Faults in either case. */
static const form faults[] = {
    {"atom.global.add.u32 %r5, [%a], 1;", 4},
    {"red.shared.add.u32 [%s], 1;", 4},
    {"ld.acquire.gpu.global.u32 %r5, [%a];", 4},
    {"st.release.gpu.global.u32 [%a], %r1;", 4},
    {"ld.volatile.global.u32 %r5, [%a];", 4},
    {"cp.async.ca.shared.global [%s], [%a], 4; cp.async.wait_all;", 4},
    {"ld.param.u32 %r5, [at+1];", 4},
};

static const char start[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .align 8 .u64 at, .param .u64 out, .param .u64 skew)\n{\n"
    " .reg .u64 %a, %s, %l, %gs, %gl, %o, %k, %d<3>, %q<5>; .reg .u32 %t, %n, %r<9>; .reg .u16 %h<5>;\n"
    " .shared .align 16 .b8 sm[2048]; .local .align 16 .b8 lo[64];\n"
    " ld.param.u64 %a, [at]; ld.param.u64 %o, [out]; ld.param.u64 %k, [skew]; mov.u32 %t, %tid.x;\n"
    " mul.wide.u32 %d1, %t, 48; add.u64 %d1, %d1, %k; add.u64 %a, %a, %d1;\n"
    " mov.u64 %s, sm; add.u64 %s, %s, %d1; cvta.shared.u64 %gs, %s;\n"
    " mov.u64 %l, lo; add.u64 %l, %l, %k; cvta.local.u64 %gl, %l;\n"
    " mul.wide.u32 %d2, %t, 16; add.u64 %o, %o, %d2; mul.lo.u32 %n, %t, 0x01010101;\n"
    " add.u32 %r1, %n, 0x01020304; add.u32 %r2, %n, 0x11121314; add.u32 %r3, %n, 0x21222324; add.u32 %r4, %n, "
    "0x31323334;\n"
    " mov.b64 %q1, {%r1, %r2}; mov.b64 %q2, {%r3, %r4}; mov.b32 {%h1, %h3}, %r1;\n"
    " mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r8, 0;\n ";
static const char end[] = "\n st.global.v4.u32 [%o], {%r5, %r6, %r7, %r8};\n ret;\n}\n";

typedef struct world {
    ws_device *device;
    ws_module *module;
    ws_kernel *kernel;
    uint64_t at, out;
} world;

static world load(const char *body)
{
    char text[sizeof start + sizeof end + 512];
    world w;
    ws_image *image;
    const ws_device_options options = {.workers = 1, .memory_bytes = 64u << 20, .heap_bytes = 65536};
    snprintf(text, sizeof text, "%s%s%s", start, body, end);
    if (ws_device_create(&options, &w.device) || ws_ptx_parse("skewed.ptx", text, strlen(text), &w.module) ||
        ws_image_load(w.device, w.module, &image) || ws_image_kernel(image, "k", &w.kernel) ||
        ws_device_alloc(w.device, BYTES, &w.at) || ws_device_alloc(w.device, BYTES, &w.out))
        fail_msg("%s: %s", body, ws_message());
    memset((void *)(uintptr_t)w.at, FILL, BYTES);
    memset((void *)(uintptr_t)w.out, FILL, BYTES);
    return w;
}

static void unload(world *w)
{
    ws_device_destroy(w->device);
    ws_module_destroy(w->module);
}

static int run(const world *w, uint64_t skew, uint32_t grid, unsigned workers, ws_alignment alignment, told *t)
{
    ws_run_result result;
    const uint64_t params[] = {w->at, w->out, skew};
    *t = (told){.calls = 0};
    const ws_run how = {.grid = {grid, 1, 1},
                        .block = {LANES, 1, 1},
                        .params = params,
                        .workers = workers,
                        .alignment = alignment,
                        .misaligned = tell,
                        .context = t};
    const int status = ws_kernel_run(w->kernel, &how, &result);
    assert_int_equal(result.misaligned, t->accesses);
    assert_int_equal(t->calls, t->accesses != 0);
    return status;
}

/* The first bytes of what the lane stores come back, and in global memory no other byte changed. */
static void check_bytes(const world *w, const form *f, uint64_t skew)
{
    const bool global = strstr(f->text, "[%a]");
    const unsigned char *at = (const unsigned char *)(uintptr_t)w->at;
    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t value[WORDS], got[WORDS] = {0};
        for (unsigned i = 0; i < WORDS; i++)
            value[i] = UINT32_C(0x01020304) + i * UINT32_C(0x10101010) + lane * UINT32_C(0x01010101);
        memcpy(got, (const unsigned char *)(uintptr_t)w->out + lane * sizeof got, sizeof got);
        unsigned char kept[sizeof got] = {0};
        memcpy(kept, value, f->bytes);
        if (memcmp(got, kept, sizeof got) != 0)
            fail_msg("%s: lane %u got 0x%x 0x%x 0x%x 0x%x", f->text, lane, got[0], got[1], got[2], got[3]);
        if (!global)
            continue;
        for (unsigned i = 0; i < STRIDE; i++) {
            const bool own = i >= skew && i < skew + f->bytes;
            assert_int_equal(at[lane * STRIDE + i], own ? kept[i - skew] : FILL);
        }
    }
}

static void every_space_and_width(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        static const uint64_t skews[] = {1, 2, 5, 8, 16};
        for (size_t k = 0; k < sizeof skews / sizeof *skews; k++) {
            const bool misaligned = skews[k] % forms[i].bytes;
            told t;
            world w = load(forms[i].text);
            const int strict = run(&w, skews[k], 1, 1, WS_ALIGNMENT_STRICT, &t);
            assert_int_equal(strict, misaligned ? WS_EFAULT : WS_OK);
            assert_true(!misaligned || strstr(ws_message(), "misaligned "));
            assert_int_equal(t.accesses, 0);
            if (run(&w, skews[k], 1, 1, WS_ALIGNMENT_RELAXED, &t))
                fail_msg("%s: %s", forms[i].text, ws_message());
            assert_int_equal(t.accesses, misaligned ? 2 * LANES : 0);
            assert_true(!misaligned || strstr(t.first, "kernel k: skewed.ptx:16: `st"));
            assert_true(!misaligned || strstr(t.first, " write of "));
            check_bytes(&w, &forms[i], skews[k]);
            unload(&w);
        }
    }
}

static void others_stay_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (ws_alignment alignment = WS_ALIGNMENT_STRICT; alignment <= WS_ALIGNMENT_RELAXED; alignment++) {
            told t;
            world w = load(faults[i].text);
            if (run(&w, 1, 1, 1, alignment, &t) != WS_EFAULT || !strstr(ws_message(), "misaligned "))
                fail_msg("%s: %s", faults[i].text, ws_message());
            assert_int_equal(t.accesses, 0);
            unload(&w);
        }
}

static void bounds_hold_to_the_byte(void **state)
{
    (void)state;
    told t;
    world w = load("st.global.u32 [%a], %r1;");
    assert_int_equal(run(&w, BYTES - 31 * STRIDE - 4, 1, 1, WS_ALIGNMENT_RELAXED, &t), WS_OK);
    assert_int_equal(run(&w, BYTES - 31 * STRIDE - 3, 1, 1, WS_ALIGNMENT_RELAXED, &t), WS_EFAULT);
    assert_non_null(strstr(ws_message(), "out of bounds"));
    unload(&w);
    w = load("st.shared.u32 [%s], %r1;");
    assert_int_equal(run(&w, 2048 - 31 * STRIDE - 4, 1, 1, WS_ALIGNMENT_RELAXED, &t), WS_OK);
    assert_int_equal(run(&w, 2048 - 31 * STRIDE - 3, 1, 1, WS_ALIGNMENT_RELAXED, &t), WS_EFAULT);
    unload(&w);
    w = load("st.local.u32 [%l], %r1;");
    assert_int_equal(run(&w, 61, 1, 1, WS_ALIGNMENT_RELAXED, &t), WS_EFAULT);
    unload(&w);
}

static void counts_are_the_same_on_any_number_of_workers(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 5};
    char first[512] = "";
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        told t;
        world w = load("st.global.u32 [%a], %r1;");
        assert_int_equal(run(&w, 2, 100, workers[i], WS_ALIGNMENT_RELAXED, &t), WS_OK);
        assert_int_equal(t.accesses, 100 * LANES);
        assert_non_null(strstr(t.first, "by block (0,0,0) thread (0,0,0): misaligned global write of 4 bytes"));
        assert_true(!i || !strcmp(first, t.first));
        snprintf(first, sizeof first, "%s", t.first);
        unload(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_space_and_width),
        cmocka_unit_test(others_stay_faults),
        cmocka_unit_test(bounds_hold_to_the_byte),
        cmocka_unit_test(counts_are_the_same_on_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
