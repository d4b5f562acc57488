/* test_pages.c - allocations in pages as on a GPU: where do they lie, what can be done outside them, and is that memory
 * nobody's? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/simt/simt_internal.h"
#include "tests/unit/told_accesses.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 2 << 20, PIECE = 512, LARGEST_PIECE = 1 << 20, MOST = 64, STEPS = 4000, FILL = 0xa5, STRAY = 0x5a };

static unsigned char *bytes_at(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static bool all_are(uint64_t low, uint64_t high, int value)
{
    const unsigned char *const at = bytes_at(low);
    return high - low < 2 ? at[0] == value : at[0] == value && !memcmp(at, at + 1, high - low - 1);
}

static memory *in_pages(uint64_t bytes)
{
    memory *m;
    assert_int_equal(memory_create(bytes, 65536, false, true, &m), WS_OK);
    return m;
}

static uint64_t take(memory *m, uint64_t bytes)
{
    uint64_t at = 0;
    if (memory_alloc(m, bytes, &at))
        fail_msg("%s", ws_message());
    return at;
}

static void places_are_those_of_a_gpu(void **state)
{
    (void)state;
    memory *const m = in_pages(256u << 20);
    const uint64_t a = take(m, 1), b = take(m, 4096), c = take(m, LARGEST_PIECE), d = take(m, LARGEST_PIECE + 1),
                   e = take(m, 5u << 20);
    assert_true(a % PIECE == 0 && b % PIECE == 0 && c % PIECE == 0 && d % PAGE == 0 && e % PAGE == 0);
    assert_int_equal(a / PAGE, b / PAGE); /* small ones share pages */
    assert_true(a / PAGE < d / PAGE && d / PAGE < e / PAGE);
    /* What is given back is taken again, by what fits there to the byte. */
    const uint64_t f = take(m, 5u << 20);
    assert_int_equal(memory_free(m, e), WS_OK);
    assert_int_equal(take(m, 5u << 20), e);
    assert_int_equal(memory_free(m, b), WS_OK);
    assert_int_equal(take(m, 4096), b);
    assert_true(f > e);
    memory_destroy(m);
}

static void the_whole_capacity_can_be_taken(void **state)
{
    (void)state;
    memory *const m = in_pages(64u << 20);
    uint64_t at;
    assert_int_equal(memory_alloc(m, memory_total(m) + 1, &at), WS_EMEM);
    assert_int_equal(memory_alloc(m, UINT64_MAX, &at), WS_EMEM);
    assert_int_equal(memory_alloc(m, UINT64_MAX - 4 * PAGE, &at), WS_EMEM);
    at = take(m, memory_total(m));
    assert_int_equal(memory_alloc(m, 1, &at), WS_EMEM);
    assert_non_null(strstr(ws_message(), "full"));
    memory_destroy(m);
}

typedef struct live {
    uint64_t low, high;
} live;

/* Nobody's memory on both sides; scribbles into it. */
static void stray_around(memory *m, const live *a)
{
    assert_true(memory_has_stray(m, a->low - PIECE, PIECE) && memory_has_stray(m, a->high, PIECE));
    memset(bytes_at(a->low - PIECE), STRAY, PIECE);
    memset(bytes_at(a->high), STRAY, PIECE);
}

static void nobody_sees_what_strays_leave(void **state)
{
    (void)state;
    memory *const m = in_pages(512u << 20);
    live all[MOST];
    unsigned n = 0, taken = 0;
    uint64_t seed = 5;
    for (unsigned step = 0; step < STEPS; step++) {
        if (n < MOST && draw(&seed) % 2) {
            const uint64_t bytes = 1 + draw(&seed) % (step % 16 ? 40000 : 3000000);
            const live a = {take(m, bytes), 0};
            all[n] = (live){a.low, a.low + bytes};
            assert_true(a.low % (bytes > LARGEST_PIECE ? PAGE : PIECE) == 0);
            assert_true(all_are(all[n].low, all[n].high, 0));
            memset(bytes_at(a.low), FILL, bytes);
            stray_around(m, &all[n++]);
            taken++;
        } else if (n) {
            const unsigned i = (unsigned)(draw(&seed) % n);
            assert_true(all_are(all[i].low, all[i].high, FILL));
            assert_int_equal(memory_free(m, all[i].low), WS_OK);
            all[i] = all[--n];
        }
    }
    assert_true(taken > STEPS / 3);
    while (n)
        assert_int_equal(memory_free(m, all[--n].low), WS_OK);
    assert_int_equal(memory_used(m), 0);
    memory_destroy(m);
}

/* Where nothing was freed yet, too. */
static void what_was_never_allocated_is_cleared(void **state)
{
    (void)state;
    memory *const m = in_pages(64u << 20);
    const uint64_t a = take(m, 4096), behind = a + 4096 + PIECE;
    assert_true(memory_has_stray(m, behind, 65536));
    memset(bytes_at(behind), STRAY, 65536);
    const uint64_t b = take(m, 32768);
    assert_true(b > a && b < behind + 32768);
    assert_true(all_are(b, b + 32768, 0));
    memory_destroy(m);
}

static void strays_stay_in_mapped_pages(void **state)
{
    (void)state;
    memory *m = in_pages(64u << 20);
    uint64_t table;
    assert_int_equal(memory_alloc_const(m, 64, &table), WS_OK);
    const uint64_t a = take(m, 4096), b = take(m, 4096), page = a / PAGE * PAGE;
    assert_true(memory_has_stray(m, page, 4) && memory_has_stray(m, page + PAGE - 4, 4));
    assert_false(memory_has_stray(m, page + PAGE, 4));
    assert_false(memory_has_stray(m, page + PAGE - 4, 8));
    assert_false(memory_has_stray(m, page - 4, 4)); /* constants */
    assert_false(memory_has_stray(m, table + 64, 4));
    /* From the end of one into the next one: somebody else's bytes are among them. */
    assert_true(memory_has_stray(m, a + 4096, (unsigned)(b - a) - 4096));
    assert_false(memory_has_stray(m, a + 4096, (unsigned)(b - a) - 4095));
    assert_false(memory_has_stray(m, a + 4000, 65536));
    const uint64_t wild[] = {
        0, 4, UINT64_MAX, UINT64_MAX - 3, (uint64_t)1 << 63, a + ((uint64_t)1 << 40), (uintptr_t)&page};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++)
        assert_false(memory_has_stray(m, wild[i], 4));
    assert_false(memory_has_stray(m, a, UINT64_MAX));
    /* A page goes when its last allocation does, and nothing of it is left. */
    memset(bytes_at(a), FILL, 4096);
    assert_int_equal(memory_free(m, a), WS_OK);
    assert_true(memory_has_stray(m, a, 4096) && all_are(a, a + 4096, FILL));
    assert_int_equal(memory_free(m, b), WS_OK);
    assert_false(memory_has_stray(m, a, 4));
    assert_true(take(m, 4096) == a && all_are(a, a + 4096, 0));
    /* The heap of device malloc is looked at to the byte. */
    assert_int_equal(memory_heap_prepare(m), WS_OK);
    assert_false(memory_has_stray(m, memory_heap_alloc(m, 64) + 64, 4));
    memory_destroy(m);
    /* Without pages there are none. */
    assert_int_equal(memory_create(64u << 20, 65536, false, false, &m), WS_OK);
    assert_false(memory_has_stray(m, take(m, 4096) + 4096, 4));
    memory_destroy(m);
}

/* ---- kernels ---- */

static const struct {
    const char *name, *text;
} forms[] = {
#define FORM(name, text) {#name, text},
#include "tests/fuzz/access_forms.def"
#undef FORM
};
enum { FORMS = sizeof forms / sizeof *forms };

static const char start[] =
    ".version 8.6\n.target sm_90a\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
    ".extern .func free(.param .b64 a);\n"
    ".visible .entry k(.param .u64 at, .param .u64 buffer)\n{\n"
    " .reg .u64 %a, %b, %t, %d<6>; .reg .u32 %s, %r<12>; .reg .u16 %h<2>; .reg .pred %p<4>; .reg .f32 %f<3>;\n"
    " .shared .align 16 .b8 sm[4096]; .shared .align 8 .b64 mb; .local .align 8 .b8 lo[64];\n"
    " ld.param.u64 %a, [at]; ld.param.u64 %b, [buffer]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %s, sm; "
    "add.u32 %s, %s, %r2;\n"
    " mov.u32 %r2, 0; mov.u64 %d3, 16; mov.u32 %r3, 16; mov.u32 %r4, 7; mov.u32 %r5, 8; mov.u32 %r6, 16;\n"
    " mov.u32 %r7, 3; mov.u32 %r8, 3; mov.u32 %r9, 3; mov.u64 %d2, 0; mov.u64 %d4, 5;\n"
    " mov.f32 %f1, 0f3f800000; st.local.u32 [lo], %r4;\n ";

typedef struct world {
    ws_device *device;
    ws_module *module;
    ws_kernel *kernel;
} world;

static world load(const char *name, const char *text)
{
    world w;
    ws_image *image;
    const ws_device_options options = {.workers = 1, .memory_bytes = 64u << 20, .heap_bytes = 65536, .pages = true};
    if (ws_device_create(&options, &w.device) || ws_ptx_parse(name, text, strlen(text), &w.module) ||
        ws_image_load(w.device, w.module, &image) || ws_image_kernel(image, "k", &w.kernel))
        fail_msg("%s: %s", name, ws_message());
    return w;
}

static void unload(world *w)
{
    ws_device_destroy(w->device);
    ws_module_destroy(w->module);
}

static uint64_t allocate(const world *w, uint64_t bytes)
{
    uint64_t at = 0;
    assert_int_equal(ws_device_alloc(w->device, bytes, &at), WS_OK);
    return at;
}

static int run(const world *w, const uint64_t *params, uint32_t grid, unsigned workers, ws_bounds bounds, told *t)
{
    ws_run_result result;
    *t = (told){.calls = 0};
    const ws_run how = {.grid = {grid, 1, 1},
                        .block = {WS_WARP, 1, 1},
                        .params = params,
                        .max_instructions = 100000,
                        .workers = workers,
                        .bounds = bounds,
                        .stray = tell,
                        .context = t};
    const int status = ws_kernel_run(w->kernel, &how, &result);
    assert_int_equal(result.strays, t->accesses);
    assert_int_equal(t->calls, t->accesses != 0);
    return status;
}

/* Every form of access: what exact bounds stop is done and counted in pages, and changes nothing that is somebody's. */
static void every_access_may_stray(void **state)
{
    (void)state;
    unsigned strayed = 0;
    for (unsigned i = 0; i < FORMS; i++) {
        char text[sizeof start + 1024];
        told t;
        snprintf(text, sizeof text, "%s%s\n ret;\n}\n", start, forms[i].text);
        world w = load(forms[i].name, text);
        const uint64_t before = allocate(&w, 4096), behind = allocate(&w, 4096), buffer = allocate(&w, 4096);
        memset(bytes_at(before), FILL, 4096);
        memset(bytes_at(behind), FILL, 4096);
        assert_true(behind - before > 4096 + 512);
        const uint64_t params[] = {before + 4096, buffer};
        const int exact = run(&w, params, 1, 1, WS_BOUNDS_EXACT, &t);
        assert_int_equal(t.accesses, 0);
        const bool global =
            exact == WS_EFAULT && strstr(ws_message(), "invalid global ") && strstr(ws_message(), "behind the end");
        const int pages = run(&w, params, 1, 1, WS_BOUNDS_PAGES, &t);
        if (pages != (global ? WS_OK : exact) || (t.accesses > 0) != global)
            fail_msg("%s: exact %d, pages %d: %s", forms[i].name, exact, pages, ws_message());
        assert_true(!global || strstr(t.first, "behind the end of the allocation"));
        assert_true(all_are(before, before + 4096, FILL) && all_are(behind, behind + 4096, FILL));
        strayed += global;
        unload(&w);
    }
    assert_true(strayed > 30);
}

/* Lane i of block b writes word 32 b + i of its own... */
static const char many[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %q;\n.reg .b32 "
    "%r<8>;\n.reg .b64 %d<4>;\n"
    " ld.param.u64 %d1, [p];\n mov.u32 %r1, %tid.x;\n mov.u32 %r2, %ctaid.x;\n shl.b32 %r3, %r2, 5;\n add.u32 %r3, "
    "%r3, %r1;\n"
    " mul.wide.u32 %d2, %r3, 4;\n add.u64 %d3, %d1, %d2;\n st.global.u32 [%d3], %r3;\n ret;\n}\n";

/* ... of which there are fewer than lanes. */
static void counts_are_the_same_on_any_number_of_workers(void **state)
{
    (void)state;
    enum { GRID = 120, WORDS = 32 * GRID - 133 };
    static const unsigned workers[] = {1, 2, 3, 8};
    char first[512] = "";
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        told t;
        world w = load("many.ptx", many);
        const uint64_t p = allocate(&w, 4 * WORDS), behind = allocate(&w, 64);
        assert_int_equal(run(&w, &p, GRID, workers[i], WS_BOUNDS_PAGES, &t), WS_OK);
        assert_int_equal(t.accesses, 133);
        for (uint32_t k = 0; k < WORDS; k++)
            assert_int_equal(((uint32_t *)(uintptr_t)p)[k], k);
        assert_true(all_are(behind, behind + 64, 0));
        assert_non_null(strstr(t.first, "kernel k: many.ptx:16: `st.global.u32` by block (115,0,0) thread (27,0,0): "));
        assert_non_null(strstr(t.first, ": 0 bytes behind the end of the allocation"));
        assert_true(!i || !strcmp(first, t.first));
        snprintf(first, sizeof first, "%s", t.first);
        /* Exact bounds end it at the same one. */
        assert_int_equal(run(&w, &p, GRID, workers[i], WS_BOUNDS_EXACT, &t), WS_EFAULT);
        assert_non_null(strstr(ws_message(), "by block (115,0,0) thread (27,0,0)"));
        unload(&w);
    }
}

static void what_is_no_stray_stays_a_fault(void **state)
{
    (void)state;
    told t;
    world w = load("many.ptx", many);
    const uint64_t a = allocate(&w, 4096), page = a / PAGE * PAGE;
    static uint32_t host[32];
    assert_int_equal(ws_device_register(w.device, (uintptr_t)host, 64, false), WS_OK);
    /* Misaligned; over the end of the page; host memory, past what was registered. */
    const struct {
        uint64_t at;
        const char *word;
    } wrong[] = {{a + 4097, "misaligned"}, {page + PAGE - 64, "out of bounds"}, {(uintptr_t)host, "out of bounds"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(run(&w, &wrong[i].at, 1, 1, WS_BOUNDS_PAGES, &t), WS_EFAULT);
        assert_non_null(strstr(ws_message(), wrong[i].word));
        assert_int_equal(t.accesses, 0);
    }
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(host[i], 0);
    /* Freed memory, in a page that somebody else keeps. */
    const uint64_t b = allocate(&w, 4096);
    assert_int_equal(ws_device_free(w.device, a), WS_OK);
    assert_int_equal(run(&w, &a, 1, 1, WS_BOUNDS_PAGES, &t), WS_OK);
    assert_int_equal(t.accesses, 32);
    assert_non_null(strstr(t.first, "which was freed"));
    assert_int_equal(ws_device_free(w.device, b), WS_OK);
    assert_int_equal(run(&w, &a, 1, 1, WS_BOUNDS_PAGES, &t), WS_EFAULT);
    unload(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_a_gpu),
        cmocka_unit_test(the_whole_capacity_can_be_taken),
        cmocka_unit_test(nobody_sees_what_strays_leave),
        cmocka_unit_test(what_was_never_allocated_is_cleared),
        cmocka_unit_test(strays_stay_in_mapped_pages),
        cmocka_unit_test(every_access_may_stray),
        cmocka_unit_test(counts_are_the_same_on_any_number_of_workers),
        cmocka_unit_test(what_is_no_stray_stays_a_fault),
    };
    return cmocka_run_group_tests_name("pages", tests, NULL, NULL);
}
