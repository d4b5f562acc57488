/* Do kernels that really run give the study's numbers: closed forms by hand, and a slow reading of the same events? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/simt/engine.h"
#include "metrics/collector.h"
#include "metrics/metric_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_50\n.address_size 64\n"

static const char golden_text[] = HEAD ".visible .entry k(.param .u64 out) {\n"
                                       " .reg .pred %p<2>; .reg .b32 %r<3>; .reg .f32 %f<2>; .reg .b64 %rd<4>;\n"
                                       " ld.param.u64 %rd1, [out];\n"
                                       " mov.u32 %r1, %tid.x;\n"
                                       " mul.wide.u32 %rd2, %r1, 4;\n"
                                       " add.s64 %rd3, %rd1, %rd2;\n"
                                       " setp.lt.u32 %p1, %r1, 16;\n"
                                       " @!%p1 bra L;\n"
                                       " add.f32 %f1, %f1, 0f3F800000;\n"
                                       " sin.approx.f32 %f1, %f1;\n"
                                       "L: st.global.f32 [%rd3], %f1;\n"
                                       " bar.sync 0;\n"
                                       " exit;\n}\n";

/* c[i] = a[i] + b[i] for i < n; blocks of 64, the last one half in bounds. */
static const char vector_text[] = HEAD
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {\n"
    " .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<8>;\n"
    " ld.param.u64 %rd1, [a];\n ld.param.u64 %rd2, [b];\n ld.param.u64 %rd3, [c];\n ld.param.u32 %r1, [n];\n"
    " mov.u32 %r2, %ctaid.x;\n mov.u32 %r3, %ntid.x;\n mov.u32 %r4, %tid.x;\n"
    " mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    " setp.ge.u32 %p1, %r5, %r1;\n"
    " @%p1 bra END;\n"
    " mul.wide.u32 %rd4, %r5, 4;\n add.s64 %rd5, %rd1, %rd4;\n add.s64 %rd6, %rd2, %rd4;\n add.s64 %rd7, %rd3, %rd4;\n"
    " ld.global.f32 %f1, [%rd5];\n ld.global.f32 %f2, [%rd6];\n"
    " add.f32 %f3, %f1, %f2;\n"
    " st.global.f32 [%rd7], %f3;\n"
    "END: ret;\n}\n";

/* Lane i goes round (i mod 4) + 1 times; then atomics on shared memory, a barrier, and local memory. */
static const char loop_text[] = HEAD ".visible .entry k(.param .u64 out) {\n"
                                     " .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<4>;\n"
                                     " .shared .align 4 .b32 sum; .local .align 8 .b8 depot[32];\n"
                                     " mov.u32 %r1, %tid.x;\n and.b32 %r2, %r1, 3;\n"
                                     "LOOP: sub.s32 %r2, %r2, 1;\n"
                                     " setp.ge.s32 %p1, %r2, 0;\n"
                                     " @%p1 bra LOOP;\n"
                                     " mov.u32 %r3, sum;\n"
                                     " red.shared.add.u32 [%r3], %r1;\n"
                                     " bar.sync 0;\n"
                                     " mov.u64 %rd1, depot;\n"
                                     " st.local.u32 [%rd1+4], %r1;\n"
                                     " ld.local.u32 %r4, [%rd1+4];\n"
                                     " exit;\n}\n";

/* A device function is called with a parameter and a result; a generic store hits shared, a constant is read. */
static const char call_text[] =
    HEAD ".const .align 4 .b32 table[2] = {5, 6};\n"
         ".func (.param .b32 result) twice(.param .b32 x) {\n"
         " .reg .b32 %r<3>;\n ld.param.u32 %r1, [x];\n add.s32 %r2, %r1, %r1;\n st.param.b32 [result], %r2;\n ret;\n}\n"
         ".visible .entry k(.param .u64 out) {\n"
         " .reg .b32 %r<5>; .reg .b64 %rd<4>; .shared .align 4 .b32 place[64];\n"
         " mov.u32 %r1, %tid.x;\n"
         " { .param .b32 a; .param .b32 b;\n st.param.b32 [a], %r1;\n call.uni (b), twice, (a);\n ld.param.b32 %r2, "
         "[b];\n }\n"
         " ld.const.u32 %r3, [table+4];\n add.s32 %r4, %r2, %r3;\n"
         " mov.u64 %rd1, place;\n cvta.shared.u64 %rd2, %rd1;\n st.u32 [%rd2], %r4;\n"
         " ret;\n}\n";

/* Threads gather from places that a hash of their number gives, and the places of the threads around them. */
static const char gather_text[] =
    HEAD ".visible .entry k(.param .u64 data) {\n"
         " .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<6>;\n"
         " ld.param.u64 %rd1, [data];\n"
         " mov.u32 %r1, %ctaid.x;\n mov.u32 %r2, %ntid.x;\n mov.u32 %r3, %tid.x;\n mad.lo.s32 %r4, %r1, %r2, %r3;\n"
         " mov.u32 %r7, 0;\n"
         "LOOP: mad.lo.s32 %r5, %r4, 1664525, 1013904223;\n xor.b32 %r4, %r5, %r7;\n"
         " and.b32 %r6, %r4, 16380;\n"
         " and.b32 %r8, %r4, 65536;\n setp.eq.s32 %p1, %r8, 0;\n"
         " @%p1 bra NEAR;\n"
         " mul.wide.u32 %rd2, %r6, 4;\n add.s64 %rd3, %rd1, %rd2;\n ld.global.u32 %r9, [%rd3];\n"
         " bra.uni NEXT;\n"
         "NEAR: mul.wide.u32 %rd2, %r3, 4;\n add.s64 %rd3, %rd1, %rd2;\n @!%p1 bra NEXT;\n atom.global.add.u32 %r9, "
         "[%rd3], 1;\n"
         "NEXT: add.s32 %r7, %r7, 1;\n setp.lt.u32 %p2, %r7, 12;\n @%p2 bra LOOP;\n"
         " exit;\n}\n";

/* ------------------------------------------------------------------------------------------------ a sink that keeps
 * all */

typedef struct kept_event {
    uint64_t block;
    ws_event event;
    uint64_t address[WS_WARP];
} kept_event;

typedef struct record {
    kept_event *event;
    size_t n, room;
} record;

static int keep(record *r, const kept_event *event)
{
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->event = realloc(r->event, r->room * sizeof *r->event);
        if (!r->event)
            abort();
    }
    r->event[r->n++] = *event;
    return WS_OK;
}

static int record_events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    for (size_t i = 0; i < batch->events; i++) {
        kept_event e = {.block = batch->block, .event = batch->event[i]};
        if (e.event.kind == WS_EVENT_MEMORY)
            memcpy(e.address, WS_ADDRESSES(batch, &e.event), sizeof e.address);
        keep(p, &e);
    }
    return WS_OK;
}

static int record_merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    const record *const b = from;
    for (size_t i = 0; i < b->n; i++)
        keep(into, &b->event[i]);
    return WS_OK;
}

static void record_fini(void *p)
{
    record *const r = p;
    free(r->event);
}

static const ws_sink record_sink = {.name = "record",
                                    .wants = WS_WANT_ALL,
                                    .state_size = sizeof(record),
                                    .events = record_events,
                                    .merge = record_merge,
                                    .fini = record_fini};

/* ------------------------------------------------------------------------------------------------ running */

typedef struct outcome {
    ws_collector *collector;
    size_t families;
    double slow_r, slow_m, divergent; /* by reading the recorded events slowly */
    ws_run_result result;
    ws_launch launch;
} outcome;

/* Blocks of 64 bytes of one access in order of the lowest lane, by search. */
static unsigned blocks_of(const kept_event *e, unsigned bytes, uint64_t *block)
{
    unsigned n = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        if (!(e->event.exec >> lane & 1))
            continue;
        for (uint64_t b = e->address[lane] / 64; b <= (e->address[lane] + bytes - 1) / 64; b++) {
            unsigned i = 0;
            while (i < n && block[i] != b)
                i++;
            if (i == n)
                block[n++] = b;
        }
    }
    return n;
}

/* An access as a machine of 8 multiprocessors would make it that holds 1024 threads and 8 blocks on each. */
typedef struct slow_access {
    uint64_t wave, time, order, block;
    unsigned sm;
    bool shared;
} slow_access;

static int by_time(const void *a, const void *b)
{
    const slow_access *const x = a, *const y = b;
    if (x->wave != y->wave)
        return x->wave < y->wave ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The clock of a warp: its own instructions, a turn of the multiprocessor's warps each, and 400 cycles for what it
 * waits for. The kernels that come here have no barrier. */
static size_t list_accesses(const record *r, const ws_launch *launch, slow_access *at)
{
    const uint64_t held = 1024 / launch->threads_per_block < 8 ? 1024 / launch->threads_per_block : 8;
    const uint64_t together = launch->blocks < 8 * held ? launch->blocks : 8 * held;
    const uint64_t turn = (together + 7) / 8 * launch->warps_per_block;
    uint64_t *const clock = calloc(launch->blocks * launch->warps_per_block, sizeof *clock);
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        const kept_event *const e = &r->event[i];
        const uint64_t place = e->block % (8 * held), wave = e->block / (8 * held);
        uint64_t block[64], *const now = &clock[e->block * launch->warps_per_block + e->event.warp];
        if (e->event.kind == WS_EVENT_MEMORY && e->event.space == WS_SPACE_GLOBAL) {
            const unsigned blocks = blocks_of(e, launch->instr[e->event.pc].bytes, block);
            for (unsigned b = 0; b < blocks; b++, n++)
                at[n] = (slow_access){.wave = wave,
                                      .time = *now + e->event.warp + place / 8 * launch->warps_per_block,
                                      .order = n,
                                      .block = block[b],
                                      .sm = place % 8};
            const ws_access access = launch->instr[e->event.pc].access;
            if (access == WS_ACCESS_LOAD || access == WS_ACCESS_ATOMIC)
                *now += turn < 400 ? 400 - turn : 0;
        }
        *now += e->event.count * turn;
    }
    free(clock);
    return n;
}

/* Row locality and merge ratio of global accesses, straight from the definitions. */
static void read_slowly(const record *r, const ws_launch *launch, outcome *o)
{
    uint64_t last[8][4], branches = 0, divergent = 0, runs = 0, mergeable = 0;
    slow_access *const at = calloc(r->n * 40 + 1, sizeof *at);
    for (size_t i = 0; i < r->n; i++) {
        const kept_event *const e = &r->event[i];
        branches += e->event.kind == WS_EVENT_BRANCH;
        divergent += e->event.kind == WS_EVENT_BRANCH && e->event.taken && e->event.taken != e->event.active;
    }
    const size_t n = list_accesses(r, launch, at);
    qsort(at, n, sizeof *at, by_time);
    for (size_t i = 0; i < n; i++) {
        const uint64_t address = at[i].block * 64, channel = address >> 8 & 7, bank = address >> 14 & 3,
                       row = address >> 16;
        if (i == 0 || at[i].wave != at[i - 1].wave)
            memset(last, 0xff, sizeof last);
        runs += last[channel][bank] != row;
        last[channel][bank] = row;
        for (size_t j = i; j-- > 0 && at[j].wave == at[i].wave && at[j].time + 400 > at[i].time;)
            at[i].shared |= !at[j].shared && at[j].sm == at[i].sm && at[j].block == at[i].block;
        mergeable += at[i].shared;
    }
    free(at);
    o->slow_r = n ? (double)n / (double)runs : -1;
    o->slow_m = n ? (double)mergeable / (double)n : -1;
    o->divergent = branches ? (double)divergent / (double)branches : -1;
}

static int collect(void *context, const ws_launch *launch, size_t sink, void *state)
{
    outcome *const o = context;
    o->launch = *launch;
    if (sink < o->families)
        return ws_collector_collect(o->collector, launch, sink, state);
    read_slowly(state, launch, o);
    return WS_OK;
}

static void run(const char *text, unsigned workers, uint32_t grid, uint32_t block, const void *params, outcome *o)
{
    const ws_device_options options = {.workers = workers, .memory_bytes = 1 << 24};
    const ws_sink *sinks[64];
    ws_device *device;
    ws_module *module;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t address;
    unsigned char block_of_params[64];
    *o = (outcome){0};
    assert_int_equal(ws_collector_create("all", &o->collector), WS_OK);
    const ws_sink *const *const known = ws_collector_sinks(o->collector, &o->families);
    assert_true(o->families < 63);
    memcpy(sinks, known, o->families * sizeof *sinks);
    sinks[o->families] = &record_sink;
    assert_int_equal(ws_device_create(&options, &device), WS_OK);
    assert_int_equal(ws_device_alloc(device, 1 << 20, &address), WS_OK);
    assert_int_equal(ws_ptx_parse("test.ptx", text, strlen(text), &module), WS_OK);
    assert_int_equal(ws_image_load(device, module, &image), WS_OK);
    assert_int_equal(ws_image_kernel(image, "k", &kernel), WS_OK);
    memset(block_of_params, 0, sizeof block_of_params);
    memcpy(block_of_params, &address, 8);
    if (params) { /* three buffers and a number */
        const uint64_t b = address + 65536, c = address + 131072;
        memcpy(block_of_params + 8, &b, 8);
        memcpy(block_of_params + 16, &c, 8);
        memcpy(block_of_params + 24, params, 4);
    }
    const ws_run request = {.grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .params = block_of_params,
                            .sinks = sinks,
                            .sink_count = o->families + 1,
                            .collect = collect,
                            .context = o,
                            .workers = workers};
    const int status = ws_kernel_run(kernel, &request, &o->result);
    if (status != WS_OK)
        print_error("%s\n", ws_message());
    assert_int_equal(status, WS_OK);
    ws_image_unload(image);
    ws_module_destroy(module);
    ws_device_destroy(device);
}

static double column(const outcome *o, const char *name)
{
    ws_layout layout;
    double value[512], found = NAN;
    assert_int_equal(ws_layout_init("all", &layout), WS_OK);
    for (size_t i = 0; i < layout.columns; i++)
        if (strcmp(layout.column[i].name, name) == 0) {
            const ws_metric *const m = ws_collector_metric(o->collector, layout.column[i].family);
            m->emit(ws_collector_counters(o->collector, layout.column[i].family), value);
            found = value[layout.column[i].value];
        }
    ws_layout_fini(&layout);
    return found;
}

typedef struct known {
    const char *name;
    double value;
} known;

static void expect(const outcome *o, const known *k, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double value = column(o, k[i].name);
        if (!(fabs(value - k[i].value) <= 1e-12 * fabs(k[i].value)))
            fail_msg("%s is %.17g, not %.17g", k[i].name, value, k[i].value);
    }
}

#define EXPECT(o, ...) expect(o, (const known[]){__VA_ARGS__}, sizeof((const known[]){__VA_ARGS__}) / sizeof(known))

/* ------------------------------------------------------------------------------------------------ tests */

/* The worked example of the documentation, with two more instructions for the address. */
static void golden_kernel(void **state)
{
    (void)state;
    outcome o;
    run(golden_text, 1, 1, 64, NULL, &o);
    assert_int_equal(o.result.thread_instructions, 480 + 128);
    assert_int_equal(o.result.warp_instructions, 16 + 4);
    EXPECT(&o, {"I_par", 64}, {"I_op", 256}, {"I_b", 64}, {"I_fop", 16}, {"I_sop", 16}, {"I_glo", 64}, {"I_bar", 64},
           {"I_total", 608}, {"I_mop", 128}, {"A_i", 288.0 / 128}, {"T_total", 64}, {"I_avg_0", 1}, {"D_bra_5", 1},
           {"D_wrp_0", 1}, {"l_serial_0", 1}, {"R_5", 1}, {"M_m_0", 1}, {"evaluation_warp_instr", 20},
           {"evaluation_activity_factor", 608.0 / 640}, {"evaluation_simd_parallelism", 608.0 / 11},
           {"evaluation_partial_mask_insts", 2}, {"evaluation_section_length", 2}, {"evaluation_taken_lanes", 16},
           {"K_n", 1});
    for (int i = 0; i < 10; i++) {
        char name[16];
        snprintf(name, sizeof name, "B_ser_%d", i);
        EXPECT(&o, {name, 0});
    }
    ws_collector_destroy(o.collector);
}

/* n = 1000 of 1024 threads: 18 blocks' worth of full warps and one that diverges, lanes 0-7 in bounds. */
static void vector_add(void **state)
{
    (void)state;
    const uint32_t n = 1000, threads = 1024;
    for (unsigned workers = 1; workers <= 3; workers++) {
        outcome o;
        run(vector_text, workers, threads / 64, 64, &n, &o);
        EXPECT(&o, {"I_par", 4.0 * threads}, {"I_glo", 3.0 * n}, {"I_fop", n}, {"I_op", 5.0 * threads + 4.0 * n},
               {"I_b", 2.0 * threads}, {"I_total", 11.0 * threads + 8.0 * n}, {"T_total", threads}, {"D_wrp_0", 1},
               {"D_bra_0", 1}, {"l_serial_0", 1}, {"evaluation_section_length", 8}, {"I_avg_0", 1},
               {"evaluation_taken_lanes", 24}, {"evaluation_fall_through_lanes", 8},
               {"evaluation_warp_instr", 32 * 11 + 32 * 8}, {"evaluation_distinct_kernels", 1},
               {"evaluation_row_locality", o.slow_r}, {"evaluation_merge_ratio", 0});
        assert_true(o.divergent == 1.0 / 64);
        ws_collector_destroy(o.collector);
    }
}

/* Each warp: trips 4 3 2 1; of the loop's four branches three part lanes, the last two of them inside sections. */
static void lanes_that_leave_a_loop_at_different_trips(void **state)
{
    (void)state;
    outcome o;
    const double threads = 3 * 96, warps = 9;
    run(loop_text, 2, 3, 96, NULL, &o);
    EXPECT(&o, {"I_shd", threads}, {"I_ato", threads}, {"I_loc", 2 * threads}, {"I_bar", threads}, {"I_par", 0},
           {"I_b", threads * 2.5}, {"I_op", threads * (2 + 2 * 2.5 + 2)}, {"D_wrp_0", 1}, {"D_bra_7", 1},
           {"B_ser_6", 1}, {"evaluation_divergent_branches", 3.0 / 4}, {"evaluation_divergent_inside", 2.0 / 3},
           {"evaluation_warp_instr", warps * (2 + 12 + 7)}, {"evaluation_section_length", (9 + 6 + 3) / 3.0},
           {"l_serial_0", 3 * warps}, {"A_i", (2 + 5 + 2) / 3.0}, {"lmem_3", 1}, {"evaluation_merge_ratio", 0.5});
    assert_int_equal(o.launch.shared_bytes, 4);
    ws_collector_destroy(o.collector);
}

static void calls_pass_parameters_and_generic_addresses_have_a_space(void **state)
{
    (void)state;
    outcome o;
    const double threads = 64;
    run(call_text, 1, 1, 64, NULL, &o);
    EXPECT(&o, {"I_par", 4 * threads}, {"I_const", threads}, {"I_shd", threads}, {"I_glo", 0}, {"I_mop", 6 * threads},
           {"I_b", 3 * threads}, {"I_op", 5 * threads}, {"I_total", 14 * threads}, {"D_bra_0", 1}, {"D_wrp_0", 1},
           {"evaluation_warp_instr", 2 * 14}, {"cmem_1", 1}, {"Shmem_1", 1}, {"evaluation_row_locality", 0});
    assert_int_equal(o.launch.const_bytes, 8 + 8);
    assert_int_equal(o.launch.shared_bytes, 256);
    ws_collector_destroy(o.collector);
}

/* Scattered accesses under divergence on many blocks: rows and windows against the slow reading, any number of workers.
 */
static void gathers_agree_with_the_definitions(void **state)
{
    (void)state;
    double first[2] = {0};
    for (unsigned workers = 1; workers <= 3; workers++) {
        outcome o;
        run(gather_text, workers, 20, 128, NULL, &o);
        EXPECT(&o, {"evaluation_row_locality", o.slow_r}, {"evaluation_merge_ratio", o.slow_m},
               {"evaluation_divergent_branches", o.divergent});
        assert_true(o.slow_m > 0.05 && o.slow_m < 0.95 && o.slow_r > 1 && o.divergent > 0.1);
        assert_true(column(&o, "I_total") == (double)o.result.thread_instructions);
        assert_true(column(&o, "evaluation_warp_instr") == (double)o.result.warp_instructions);
        if (workers == 1)
            memcpy(first, (double[]){o.slow_r, o.slow_m}, sizeof first);
        assert_true(first[0] == o.slow_r && first[1] == o.slow_m);
        ws_collector_destroy(o.collector);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_kernel),
        cmocka_unit_test(vector_add),
        cmocka_unit_test(lanes_that_leave_a_loop_at_different_trips),
        cmocka_unit_test(calls_pass_parameters_and_generic_addresses_have_a_space),
        cmocka_unit_test(gathers_agree_with_the_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
