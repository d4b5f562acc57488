/* test_stepper.c - does a launch whose warps somebody else moves do what the engine does by itself, and does the order
 * of steps decide what it has to decide? */
#include "base/status.h"
#include "record/interleave.h"
#include "record/simulate/live_source.h"
#include "collect/cuda/recorder.h"
#include "collect/simt/stepper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define ENTRY \
    ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n" \
    ".shared .b32 s[256];\nld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\n" \
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\n" \
    "add.s64 %rd3, %rd1, %rd2;\nshr.u32 %r5, %r1, 5;\n"

/* Every lane loops as often as its number says, and warps pass sums on through shared memory between barriers. */
static const char free_of_races[] = HEADER ENTRY
    "mov.u32 %r6, 0;\nmov.u32 %r7, 0;\nLOOP:\nsetp.gt.u32 %p1, %r7, %r1;\n@%p1 bra DONE;\nadd.u32 %r6, %r6, %r7;\n"
    "add.u32 %r7, %r7, 3;\nbra LOOP;\nDONE:\nmov.u32 %r8, s;\nmul.lo.u32 %r9, %r1, 4;\nadd.u32 %r8, %r8, %r9;\n"
    "st.shared.u32 [%r8], %r6;\nbar.sync 0;\nsetp.gt.u32 %p2, %r1, 90;\n@%p2 exit;\nld.shared.u32 %r10, [%r8+20];\n"
    "bar.sync 0;\n@%p2 st.shared.u32 [%r8], %r10;\nand.b32 %r11, %r1, 1;\nsetp.eq.u32 %p3, %r11, 0;\n"
    "@%p3 bra EVEN;\nadd.u32 %r10, %r10, 7;\nbra JOIN;\nEVEN:\nmul.lo.u32 %r10, %r10, 5;\nJOIN:\n"
    "st.global.u32 [%rd3], %r10;\nred.global.add.u32 [%rd1+65536], 1;\nret;\n}\n";

/* Warp 0 leaves a number, warp 1 copies what it finds. */
static const char message[] = HEADER ENTRY
    "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra WRITER;\nld.global.u32 %r6, [%rd1];\nst.global.u32 [%rd1+4], %r6;\nret;\n"
    "WRITER:\nst.global.u32 [%rd1], 41;\nret;\n}\n";

/* Warp 0 and warp 1 meet at barrier 1, which warp 2 only announces that it passed; then all meet. */
static const char named_barriers[] = HEADER ENTRY
    "setp.gt.u32 %p1, %r5, 2;\n@%p1 bra ALL;\nsetp.eq.u32 %p2, %r5, 2;\n@%p2 bra ARRIVE;\nbar.sync 1, 96;\n"
    "bra ALL;\nARRIVE:\nst.global.u32 [%rd1], 9;\nbar.arrive 1, 96;\nALL:\nbar.sync 0;\nld.global.u32 %r6, [%rd1];\n"
    "st.global.u32 [%rd3+4], %r6;\nret;\n}\n";

enum { WORDS = 65536 / 4 + 64 };

/* A device with one module and one buffer of 32-bit words. */
typedef struct fixture {
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t out[1];
} fixture;

static void check(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

static void open_kernel(fixture *f, const char *text)
{
    *f = (fixture){0};
    check(ws_ptx_parse("test.ptx", text, strlen(text), &f->module));
    check(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &f->device));
    check(ws_image_load(f->device, f->module, &f->image));
    check(ws_image_kernel(f->image, "k", &f->kernel));
    check(ws_device_alloc(f->device, 4ull * WORDS, &f->out[0]));
}

static void close_kernel(fixture *f)
{
    ws_device_destroy(f->device);
    ws_module_destroy(f->module);
}

static uint32_t *words(const fixture *f)
{
    uint32_t *const at = ws_device_pointer(f->device, f->out[0], 4ull * WORDS);
    assert_non_null(at);
    return at;
}

static ws_run run_of(const fixture *f, uint32_t grid, uint32_t block)
{
    return (ws_run){.grid = {grid, 1, 1}, .block = {block, 1, 1}, .params = f->out, .max_instructions = 10000000};
}

/* ---- a sink that remembers what each warp did, in the warp's own order, and forgets how warps took turns ---- */

enum { SINK_WARPS = 4, SINK_BLOCKS = 16 };

typedef struct history {
    uint64_t block;
    uint64_t warp[SINK_BLOCKS][SINK_WARPS]; /* hash of its events and values */
} history;

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * 0x9e3779b97f4a7c15u ^ hash >> 29;
}

static int see_events(void *state, const ws_launch *launch, const ws_batch *batch)
{
    history *const h = state;
    (void)launch;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        uint64_t *const hash = &h->warp[batch->block][ev->warp];
        *hash = mix(*hash, (uint64_t)ev->pc << 32 | (uint64_t)ev->kind << 24 | (uint64_t)ev->depth << 16 | ev->count);
        *hash = mix(*hash, (uint64_t)ev->active << 32 | ev->exec);
        if (ev->kind != WS_EVENT_MEMORY)
            *hash = mix(*hash, ev->taken);
        for (unsigned lane = 0; lane < WS_WARP && ev->kind == WS_EVENT_MEMORY; lane++)
            *hash = mix(*hash, WS_ADDRESSES(batch, ev)[lane] + ev->space);
    }
    return WS_OK;
}

static int see_values(void *state, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    history *const h = state;
    (void)launch;
    for (size_t i = 0; i < n; i++) {
        uint64_t *const hash = &h->warp[block][value[i].warp];
        *hash = mix(*hash, (uint64_t)value[i].pc << 32 | value[i].reg);
        WS_EACH_LANE (lane, value[i].exec)
            *hash = mix(*hash, value[i].before[lane] << 1 ^ value[i].after[lane]);
    }
    return WS_OK;
}

static int every_block(const ws_launch *launch, uint64_t block)
{
    (void)launch;
    (void)block;
    return 1;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    history *const a = into, *const b = from;
    (void)launch;
    for (unsigned i = 0; i < SINK_BLOCKS; i++)
        for (unsigned k = 0; k < SINK_WARPS; k++)
            a->warp[i][k] ^= b->warp[i][k];
    return WS_OK;
}

static const ws_sink histories = {.name = "histories",
                                  .wants = WS_WANT_ALL,
                                  .state_size = sizeof(history),
                                  .events = see_events,
                                  .merge = merge,
                                  .sample_block = every_block,
                                  .values = see_values};

static int take_history(void *context, const ws_launch *launch, size_t sink, void *state)
{
    (void)launch;
    (void)sink;
    *(history *)context = *(history *)state;
    return WS_OK;
}

/* Runs with a simulator (NULL: without one) from zeroed memory; leaves what each warp did and the memory. */
static ws_run_result run_watched(const char *text, const ws_launch_simulator *who, history *h, uint32_t *memory)
{
    fixture f;
    static const ws_sink *const sinks[] = {&histories};
    ws_run_result result;
    open_kernel(&f, text);
    ws_run run = run_of(&f, SINK_BLOCKS, 32 * SINK_WARPS);
    run.sinks = sinks;
    run.sink_count = 1;
    run.collect = take_history;
    run.context = h;
    run.simulator = who;
    check(ws_kernel_run(f.kernel, &run, &result));
    memcpy(memory, words(&f), 4ull * WORDS);
    close_kernel(&f);
    return result;
}

static void test_the_order_of_warps_changes_nothing_without_races(void **unused)
{
    (void)unused;
    static uint32_t wanted[WORDS], found[WORDS];
    static history alone, stepped;
    const ws_run_result a = run_watched(free_of_races, NULL, &alone, wanted);
    assert_int_equal(wanted[65536 / 4], 91 * SINK_BLOCKS);
    for (uint64_t seed = 0; seed < 8; seed++) {
        const ws_launch_simulator who = {.simulate = ws_interleave, .context = &seed};
        const ws_run_result b = run_watched(free_of_races, &who, &stepped, found);
        assert_memory_equal(wanted, found, sizeof wanted);
        assert_memory_equal(&alone, &stepped, sizeof alone);
        assert_int_equal(a.warp_instructions, b.warp_instructions);
        assert_int_equal(a.thread_instructions, b.thread_instructions);
        assert_int_equal(b.blocks_done, SINK_BLOCKS);
    }
}

/* ---- steps ---- */

static ws_stepper *open_stepper(const fixture *f, const ws_run *run)
{
    ws_stepper *s;
    check(ws_stepper_create(f->kernel, run, &s));
    return s;
}

/* Steps a warp to its end; returns its instructions. */
static unsigned walk(ws_stepper *s, uint32_t warp)
{
    unsigned instructions = 0;
    ws_batch batch;
    while (ws_stepper_warp(s, 0, warp) == WS_WARP_READY) {
        unsigned others = 0;
        check(ws_stepper_step(s, 0, warp, &batch));
        assert_true(batch.events > 0);
        for (size_t i = 0; i < batch.events; i++) {
            assert_int_equal(batch.event[i].warp, warp);
            instructions += batch.event[i].count;
            others += batch.event[i].kind != WS_EVENT_RUN;
        }
        assert_true(others == 0 || (others == 1 && batch.events == 1)); /* arithmetic, or one other instruction */
    }
    assert_int_equal(ws_stepper_warp(s, 0, warp), WS_WARP_ENDED);
    check(ws_stepper_step(s, 0, warp, &batch));
    assert_int_equal(batch.events, 0);
    return instructions;
}

static void test_memory_is_that_of_the_moment(void **unused)
{
    (void)unused;
    for (uint32_t first = 0; first < 2; first++) {
        fixture f;
        open_kernel(&f, message);
        const ws_run run = run_of(&f, 1, 64);
        ws_stepper *const s = open_stepper(&f, &run);
        ws_run_result result;
        check(ws_stepper_begin(s, 0, 0));
        const unsigned n = walk(s, first) + walk(s, 1 - first);
        ws_stepper_end(s, 0);
        check(ws_stepper_close(s, WS_OK, &result));
        assert_int_equal(result.warp_instructions, n);
        assert_int_equal(words(&f)[1], first == 0 ? 41 : 0);
        close_kernel(&f);
    }
}

/* The reader's path up to its load: no step brings it further, and what is written in between is what it reads. */
static void test_a_load_waits_for_its_own_step(void **unused)
{
    (void)unused;
    fixture f;
    open_kernel(&f, message);
    const ws_run run = run_of(&f, 1, 64);
    ws_stepper *const s = open_stepper(&f, &run);
    ws_batch batch;
    check(ws_stepper_begin(s, 0, 0));
    do
        check(ws_stepper_step(s, 0, 1, &batch));
    while (batch.event[0].kind != WS_EVENT_BRANCH);
    words(&f)[0] = 5;
    check(ws_stepper_step(s, 0, 1, &batch));
    assert_int_equal(batch.event[0].kind, WS_EVENT_MEMORY);
    assert_int_equal(batch.event[0].exec, UINT32_MAX);
    assert_int_equal(WS_ADDRESSES(&batch, &batch.event[0])[31], f.out[0]);
    words(&f)[0] = 6;
    walk(s, 1);
    assert_int_equal(words(&f)[1], 5);
    assert_int_equal(ws_stepper_close(s, ws_fail(WS_EINTERRUPTED, "enough"), NULL), WS_EINTERRUPTED);
    assert_string_equal(ws_message(), "enough");
    close_kernel(&f);
}

static void test_who_lost_count_is_told(void **unused)
{
    (void)unused;
    fixture f;
    ws_batch batch;
    open_kernel(&f, free_of_races);
    const ws_run run = run_of(&f, 2, 64);
    ws_stepper *s = open_stepper(&f, &run);
    check(ws_stepper_begin(s, 0, 1));
    while (ws_stepper_warp(s, 0, 1) == WS_WARP_READY)
        check(ws_stepper_step(s, 0, 1, &batch));
    assert_int_equal(ws_stepper_warp(s, 0, 1), WS_WARP_WAITS);
    assert_int_equal(batch.event[batch.events - 1].kind, WS_EVENT_BARRIER);
    assert_int_equal(ws_stepper_step(s, 0, 1, &batch), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "kernel k: block (1,0,0): a simulator lets warp 1 go on"));
    assert_int_equal(ws_stepper_step(s, 0, 0, &batch), WS_EVERIFY); /* it stays so */
    assert_int_equal(ws_stepper_close(s, WS_OK, NULL), WS_EVERIFY);

    s = open_stepper(&f, &run);
    check(ws_stepper_begin(s, 3, 0));
    assert_int_equal(ws_stepper_begin(s, 3, 1), WS_EVERIFY); /* taken */
    assert_int_equal(ws_stepper_close(s, WS_OK, NULL), WS_EVERIFY);
    s = open_stepper(&f, &run);
    assert_int_equal(ws_stepper_step(s, 0, 0, &batch), WS_EVERIFY); /* nobody there */
    assert_int_equal(ws_stepper_close(s, WS_OK, NULL), WS_EVERIFY);
    s = open_stepper(&f, &run);
    assert_int_equal(ws_stepper_close(s, WS_OK, NULL), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "left after 0 of 2 blocks"));
    close_kernel(&f);
}

/* ---- faults ---- */

static void expect_same_failure(const char *text, uint32_t threads, uint64_t limit, int status)
{
    uint64_t seed = 1;
    const ws_launch_simulator who = {.simulate = ws_interleave, .context = &seed};
    char wanted[512];
    fixture f;
    open_kernel(&f, text);
    ws_run run = run_of(&f, 1, threads);
    if (limit)
        run.max_instructions = limit;
    assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), status);
    snprintf(wanted, sizeof wanted, "%s", ws_message());
    run.simulator = &who;
    assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), status);
    assert_string_equal(ws_message(), wanted);
    run.block[0] = 4096;
    assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), WS_EINPUT);
    close_kernel(&f);
}

static void test_failures_read_the_same(void **unused)
{
    (void)unused;
    expect_same_failure(HEADER ENTRY "setp.eq.u32 %p1, %r1, 40;\n@%p1 st.global.u32 [%rd3+1000000], %r1;\nret;\n}\n",
                        64, 0, WS_EFAULT);
    expect_same_failure(HEADER ENTRY "setp.eq.u32 %p1, %r5, 1;\n@%p1 bar.sync 2;\nbar.sync 0;\nret;\n}\n", 96, 0,
                        WS_EFAULT);
    expect_same_failure(HEADER ENTRY "setp.eq.u32 %p1, %r1, 3;\n@%p1 trap;\nret;\n}\n", 32, 0, WS_EFAULT);
    expect_same_failure(HEADER ENTRY "L:\nbra L;\n}\n", 32, 5000, WS_ELIMIT);
}

static int refuse(void *context, const ws_launch *launch, uint64_t blocks, uint64_t instructions)
{
    (void)launch;
    (void)blocks;
    *(uint64_t *)context = instructions;
    return 1;
}

static void test_progress_can_end_it(void **unused)
{
    (void)unused;
    uint64_t seed = 1, seen = 0;
    const ws_launch_simulator who = {.simulate = ws_interleave, .context = &seed};
    fixture f;
    open_kernel(&f, HEADER ENTRY "L:\nbra L;\n}\n");
    ws_run run = run_of(&f, 1, 32);
    run.max_instructions = 0;
    run.progress = refuse;
    run.context = &seen;
    run.simulator = &who;
    assert_int_equal(ws_kernel_run(f.kernel, &run, NULL), WS_EINTERRUPTED);
    assert_true(seen > 0);
    close_kernel(&f);
}

/* ---- a source, and who counts barriers without asking the engine ---- */

enum { MODEL_WARPS = 4, MODEL_BARRIERS = 16 };

/* What a simulator knows of a block: the events. */
typedef struct model {
    bool ended[MODEL_WARPS], waits[MODEL_WARPS];
    unsigned arrived[MODEL_BARRIERS], expected[MODEL_BARRIERS], waiting[MODEL_BARRIERS]; /* the last: a mask */
    unsigned live, instructions, accesses;
} model;

static void open_full_barriers(model *m)
{
    for (unsigned i = 0; i < MODEL_BARRIERS; i++) {
        const unsigned expected = m->expected[i] ? m->expected[i] : m->live;
        if (!m->arrived[i] || m->arrived[i] < expected)
            continue;
        for (unsigned warp = 0; warp < MODEL_WARPS; warp++)
            if (m->waiting[i] >> warp & 1)
                m->waits[warp] = false;
        m->arrived[i] = m->waiting[i] = 0;
    }
}

static void take(model *m, ws_source *source, uint32_t warp)
{
    ws_step step;
    bool found;
    check(source->ops->next(source, 0, warp, &step, &found));
    if (!found) {
        m->ended[warp] = true;
        m->live--;
    } else {
        m->instructions += step.count;
        m->accesses += step.kind == WS_EVENT_MEMORY;
        if (step.kind == WS_EVENT_BARRIER) {
            const unsigned number = step.detail & 0xff;
            m->arrived[number]++;
            m->expected[number] = step.detail >> 8;
            if (!strstr(source->launch->instr[step.pc].opcode, "arrive")) {
                m->waits[warp] = true;
                m->waiting[number] |= 1u << warp;
            }
        }
    }
    open_full_barriers(m);
}

static void test_barriers_counted_apart_agree(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    assert_non_null(rng);
    for (unsigned seed = 0; seed < 40; seed++) {
        const bool named = seed % 2;
        fixture f;
        ws_source *source;
        ws_run_result result;
        gsl_rng_set(rng, seed);
        open_kernel(&f, named ? named_barriers : free_of_races);
        const ws_run run = run_of(&f, 1, 32 * MODEL_WARPS);
        ws_stepper *const s = open_stepper(&f, &run);
        check(ws_source_of_stepper(s, 1, &source));
        assert_false(source->ops->parallel);
        assert_false(source->ops->repeatable);
        assert_int_equal(source->ctas, 1);
        check(source->ops->begin(source, 0, 0));
        model m = {.live = MODEL_WARPS};
        while (m.live) {
            const uint32_t warp = (uint32_t)gsl_rng_uniform_int(rng, MODEL_WARPS);
            if (!m.ended[warp] && !m.waits[warp])
                take(&m, source, warp);
        }
        source->ops->end(source, 0);
        source->ops->destroy(source);
        check(ws_stepper_close(s, WS_OK, &result));
        assert_int_equal(m.instructions, result.warp_instructions);
        assert_true(m.accesses > 0);
        for (unsigned i = 1; i <= 96 && named; i++)
            assert_int_equal(words(&f)[i], 9);
        close_kernel(&f);
    }
    gsl_rng_free(rng);
}

/* A generic access that lies in two spaces: two steps of one instruction, each with its addresses. */
static void test_parts_of_an_access_come_one_by_one(void **unused)
{
    (void)unused;
    static const char text[] =
        HEADER ENTRY "cvta.shared.u64 %rd4, 0;\nmov.u32 %r8, s;\ncvt.u64.u32 %rd5, %r8;\ncvta.shared.u64 %rd5, %rd5;\n"
                     "setp.lt.u32 %p1, %r1, 16;\nselp.b64 %rd6, %rd5, %rd3, %p1;\nst.u32 [%rd6], %r1;\nret;\n}\n";
    fixture f;
    ws_source *source;
    ws_step step;
    bool found = true;
    open_kernel(&f, text);
    const ws_run run = run_of(&f, 1, 32);
    ws_stepper *const s = open_stepper(&f, &run);
    check(ws_source_of_stepper(s, 1, &source));
    check(source->ops->begin(source, 0, 0));
    unsigned parts = 0;
    while (found) {
        check(source->ops->next(source, 0, 0, &step, &found));
        if (!found || step.kind != WS_EVENT_MEMORY || step.space == WS_SPACE_PARAM)
            continue;
        assert_int_equal(step.count, parts == 0);
        assert_int_equal(step.space, parts == 0 ? WS_SPACE_SHARED : WS_SPACE_GLOBAL);
        assert_int_equal(step.exec, parts == 0 ? 0xffff : 0xffff0000);
        assert_int_equal(step.address[parts == 0 ? 15 : 16], parts == 0 ? 0 : f.out[0] + 64);
        parts++;
    }
    assert_int_equal(parts, 2);
    source->ops->destroy(source);
    check(ws_stepper_close(s, WS_OK, NULL));
    close_kernel(&f);
}

/* ---- programs with the driver library ---- */

static void test_environment_chooses_the_order(void **unused)
{
    (void)unused;
    ws_recorder *recorder;
    ws_recorder_options options;
    static uint32_t memory[WORDS];
    ws_run run = {0};
    setenv("WARPSCAPE_INTERLEAVE", "7", 1);
    check(ws_recorder_open(&recorder, &options));
    unsetenv("WARPSCAPE_INTERLEAVE");
    assert_non_null(recorder);
    fixture f;
    open_kernel(&f, free_of_races);
    check(ws_recorder_before(recorder, f.kernel, &run));
    close_kernel(&f);
    assert_non_null(run.simulator);
    assert_ptr_equal(run.simulator->simulate, ws_interleave);
    assert_int_equal(*(const uint64_t *)run.simulator->context, 7);
    static history h;
    run_watched(free_of_races, run.simulator, &h, memory);
    assert_int_equal(memory[65536 / 4], 91 * SINK_BLOCKS);
    check(ws_recorder_close(recorder, &(ws_copied){0}, 0));
    setenv("WARPSCAPE_INTERLEAVE", "x", 1);
    assert_int_equal(ws_recorder_open(&recorder, &options), WS_EINPUT);
    unsetenv("WARPSCAPE_INTERLEAVE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_order_of_warps_changes_nothing_without_races),
        cmocka_unit_test(test_memory_is_that_of_the_moment),
        cmocka_unit_test(test_a_load_waits_for_its_own_step),
        cmocka_unit_test(test_who_lost_count_is_told),
        cmocka_unit_test(test_failures_read_the_same),
        cmocka_unit_test(test_progress_can_end_it),
        cmocka_unit_test(test_barriers_counted_apart_agree),
        cmocka_unit_test(test_parts_of_an_access_come_one_by_one),
        cmocka_unit_test(test_environment_chooses_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
