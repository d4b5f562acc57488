/* test_sync_metric.c - fences, atomics and barriers of a hand-written launch, and loops that wait in a kernel that
 * really runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/simt/engine.h"
#include "metrics/collector.h"
#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_sync;
static const ws_metric *const M = &ws_metric_sync;

static double *columns_of(const double *counter)
{
    double *const value = calloc(ws_metric_columns(M), sizeof *value);
    assert_non_null(value);
    M->emit(counter, value);
    return value;
}

/* Random launches, counted as they are made. */
static void kinds_and_scopes(void **unused)
{
    static const struct {
        const char *fence, *atomic;
        ws_access access;
        unsigned reach, kind;
        bool ordered;
    } row[] = {
        {"membar.cta", "red.relaxed.cta.global.add.u32", WS_ACCESS_REDUCE, 0, 0, false},
        {"membar.gl", "red.global.max.u32", WS_ACCESS_REDUCE, 1, 6, false},
        {"membar.sys", "atom.acquire.sys.global.cas.b32", WS_ACCESS_ATOMIC, 2, 4, true},
        {"fence.acq_rel.gpu", "atom.release.gpu.global.exch.b32", WS_ACCESS_ATOMIC, 1, 3, true},
        {"fence.sc.cluster", "red.relaxed.cluster.global.xor.b32", WS_ACCESS_REDUCE, 0, 9, false},
    };
    static const ws_scope scope[] = {WS_SCOPE_CTA, WS_SCOPE_GPU, WS_SCOPE_SYS, WS_SCOPE_GPU, WS_SCOPE_CLUSTER};
    enum { ROWS = sizeof row / sizeof *row };
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned round = 0; round < 20; round++) {
        double fences[3] = {0}, atomics[3] = {0}, kinds[10] = {0}, ordered = 0, all = 0, barriers = 0;
        const unsigned blocks = 1 + (unsigned)gsl_rng_uniform_int(rng, 9);
        script *const s = script_create(blocks, 64);
        uint32_t fence[ROWS], atomic[ROWS];
        for (unsigned i = 0; i < ROWS; i++) {
            arithmetic(s, 1, WS_CLASS_INTEGER);
            fence[i] = instr(
                s,
                (ws_instr){.opcode = row[i].fence, .cls = WS_CLASS_OTHER, .fence = true, .scope = (uint8_t)scope[i]});
            atomic[i] = instr(s, (ws_instr){.opcode = row[i].atomic,
                                            .cls = WS_CLASS_MEMORY,
                                            .space = WS_SPACE_GLOBAL,
                                            .access = (uint8_t)row[i].access,
                                            .bytes = 4});
        }
        const uint32_t bar = instr(s, (ws_instr){.opcode = "bar.sync", .cls = WS_CLASS_BARRIER});
        for (unsigned i = 0; i < 200; i++) {
            const unsigned block = (unsigned)gsl_rng_uniform_int(rng, blocks),
                           k = (unsigned)gsl_rng_uniform_int(rng, ROWS);
            switch (gsl_rng_uniform_int(rng, 4)) {
            case 0:
                run(s, block, 0, fence[k] - 1, 2, ALL_LANES); /* behind another instruction of the run */
                fences[row[k].reach]++;
                break;
            case 1:
                run(s, block, 0, fence[k], 1, 0); /* no lane does it */
                break;
            case 2:
                barrier(s, block, 1, bar);
                barriers++;
                break;
            default:
                access_line(s, block, 1, atomic[k], 0xff, 0, 4);
                atomics[row[k].reach]++;
                kinds[row[k].kind]++;
                ordered += row[k].ordered;
                all++;
            }
        }
        double *const counter = count_script(M, s), *const v = columns_of(counter);
        assert_column(M, v, "sync_barriers", barriers / (2 * blocks));
        assert_column(M, v, "sync_ordered", ordered / all);
        for (unsigned i = 0; i < 10; i++) {
            char name[40];
            snprintf(name, sizeof name, "sync_kinds_%u", i);
            assert_column(M, v, name, kinds[i] / all);
            snprintf(name, sizeof name, "sync_fences_%u", i);
            if (i < 3)
                assert_column(M, v, name, fences[i]);
            snprintf(name, sizeof name, "sync_atomics_%u", i);
            if (i < 3)
                assert_column(M, v, name, atomics[i]);
        }
        assert_true(isnan(column(M, v, "sync_waits"))); /* nobody knows where its branches go */
        free(counter);
        free(v);
        script_destroy(s);
    }
    gsl_rng_free(rng);
}

static void must(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

/* All lanes of a warp add to a word until it is 128, in four turns; load three times; and look once more at what is
 * there. 26 instructions, 19 of them in the two loops. Then the same kernel without the word being looked at: it does
 * not wait. */
static const char *const waiting =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
    "{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\n"
    "L: red.global.add.u32 [%rd1], 1;\nld.volatile.global.u32 %r1, [%rd1];\nsetp.lt.u32 %p1, %r1, 128;\n@%p1 bra L;\n"
    "ld.global.u32 %r2, [%rd1+256];\nld.global.u32 %r3, [%rd1+512];\nld.global.u32 %r4, "
    "[%rd1+512];\nmembar.gl;\nbar.sync 0;\n"
    "M: ld.relaxed.gpu.global.u32 %r1, [%rd1];\nsetp.lt.u32 %p1, %r1, 128;\n@%p1 bra M;\nret;\n}\n";
static const char *const busy =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
    "{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n"
    "L: add.u32 %r1, %r1, 1;\nred.global.add.u32 [%rd1], 1;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 bra L;\nret;\n}\n";

/* Four ways to a lock: one that reads two words behind it, two that read one, one that writes. What gives the lock back
 * is of no section. */
#define LOCK(n) "L" #n ": atom.global.cas.b32 %r1, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L" #n ";\n"
#define UNLOCK  "st.volatile.global.u32 [%rd1], %r0;\n"
static const char *const sections =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
    "{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r0, 0;\n" LOCK(
        1) "ld.global.u32 %r2, [%rd1+256];\nld.volatile.global.u32 %r3, [%rd1+512];\n" UNLOCK
        LOCK(2) "ld.global.u32 %r2, [%rd1+256];\n" UNLOCK LOCK(
            3) "ld.global.u32 %r2, [%rd1+256];\nst.global.u32 [%rd1+256], %r2;\n" UNLOCK LOCK(4)
            UNLOCK LOCK(5) "ld.global.u32 %r2, [%rd1+256];\n" UNLOCK LOCK(6) "ret;\n}\n";

static double *run_kernel(const char *text, uint32_t threads)
{
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    ws_collector *collector;
    ws_run_result done;
    uint64_t address;
    uint8_t params[8];
    size_t n, at = 0;
    must(ws_ptx_parse("test.ptx", text, strlen(text), &module));
    must(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &device));
    must(ws_image_load(device, module, &image));
    must(ws_image_kernel(image, "k", &kernel));
    must(ws_device_alloc(device, 4096, &address));
    memset(ws_device_pointer(device, address, 4096), 0, 4096);
    memcpy(params, &address, sizeof address);
    must(ws_collector_create("synchronization", &collector));
    ws_run r = {.grid = {1, 1, 1},
                .block = {threads, 1, 1},
                .params = params,
                .workers = 1,
                .collect = ws_collector_collect,
                .context = collector};
    r.sinks = ws_collector_sinks(collector, &r.sink_count);
    must(ws_kernel_run(kernel, &r, &done));
    while (at < r.sink_count && ws_collector_metric(collector, at) != M)
        at++;
    assert_true(at < r.sink_count);
    n = ws_metric_counters(M) * sizeof(double);
    double *const counter = malloc(n);
    assert_non_null(counter);
    memcpy(counter, ws_collector_counters(collector, at), n);
    double *const v = columns_of(counter);
    free(counter);
    ws_collector_destroy(collector);
    ws_device_destroy(device);
    ws_module_destroy(module);
    return v;
}

static void loops_that_wait(void **unused)
{
    (void)unused;
    double *v = run_kernel(waiting, 32);
    assert_column(M, v, "sync_waits", 2);
    assert_column(M, v, "sync_looks", 5. / 2);
    assert_column(M, v, "sync_wait_share", 19. / 26);
    assert_column(M, v, "sync_wait_blocks", 1);
    assert_column(M, v, "sync_episodes", 2);
    assert_column(M, v, "sync_wait_fences", 1. / 2);
    assert_column(M, v, "sync_wait_atomics", 4. / 2);
    assert_column(M, v, "sync_section_accesses", 3);
    assert_column(M, v, "sync_barriers", 1);
    assert_column(M, v, "sync_critical_sections", 1);
    assert_column(M, v, "sync_critical_accesses", 3);
    assert_true(isnan(column(M, v, "sync_critical_readers"))); /* nobody stores */
    free(v);
    v = run_kernel(sections, 1);
    assert_column(M, v, "sync_waits", 6);
    assert_column(M, v, "sync_section_accesses", 11. / 5);
    assert_column(M, v, "sync_critical_sections", 4);
    assert_column(M, v, "sync_critical_accesses", 6. / 4);
    assert_column(M, v, "sync_critical_readers", 3);
    free(v);
    v = run_kernel(busy, 32);
    assert_column(M, v, "sync_waits", 0);
    assert_column(M, v, "sync_wait_share", 0);
    assert_column(M, v, "sync_atomics_1", 4);
    assert_true(isnan(column(M, v, "sync_looks")));
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_scopes),
        cmocka_unit_test(loops_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
