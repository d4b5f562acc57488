/* test_phases.c - loading, computing, writing back: warps laid out by hand, and random ones whose instructions are
 * judged one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

#include <gsl/gsl_rng.h>

extern const ws_metric ws_metric_phases;
static const ws_metric *const M = &ws_metric_phases;

/* What a warp may do. */
typedef enum deed { WORK, LOAD, STORE, ADD, SHARED_LOAD, SHARED_STORE, SHARED_ADD, WAIT, COPY, BACK, DEEDS } deed;

static void add_deeds(script *s, uint32_t pc[DEEDS])
{
    pc[WORK] = arithmetic(s, 20, WS_CLASS_FLOAT);
    pc[LOAD] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    pc[STORE] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    pc[ADD] = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_REDUCE, 4);
    pc[SHARED_LOAD] = memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    pc[SHARED_STORE] = memory(s, WS_SPACE_SHARED, WS_ACCESS_STORE, 4);
    pc[SHARED_ADD] = memory(s, WS_SPACE_SHARED, WS_ACCESS_REDUCE, 4);
    pc[WAIT] = instr(s, (ws_instr){.cls = WS_CLASS_BARRIER});
    pc[COPY] = instr(s, (ws_instr){.opcode = "cp.async.ca.shared.global",
                                   .cls = WS_CLASS_MEMORY,
                                   .access = WS_ACCESS_LOAD,
                                   .bytes = 4,
                                   .copy = true});
    pc[BACK] = instr(s, (ws_instr){.opcode = "cp.async.bulk.global.shared::cta.bulk_group",
                                   .cls = WS_CLASS_MEMORY,
                                   .access = WS_ACCESS_STORE,
                                   .bytes = 16,
                                   .copy = true});
}

static void access_part(script *s, unsigned block, unsigned warp, uint32_t pc, ws_space space, unsigned count)
{
    static const uint64_t nowhere[WS_WARP];
    ws_event *const e = access_at(s, block, warp, pc, 1, nowhere);
    e->space = (uint8_t)space;
    e->count = (uint16_t)count;
}

static void act(script *s, const uint32_t pc[DEEDS], unsigned block, unsigned warp, deed d, unsigned count)
{
    if (d == WORK)
        run(s, block, warp, pc[WORK], count, ALL_LANES);
    else if (d == WAIT)
        barrier(s, block, warp, pc[WAIT]);
    else if (d == COPY || d == BACK) {
        access_part(s, block, warp, pc[d], d == COPY ? WS_SPACE_GLOBAL : WS_SPACE_SHARED, 1);
        access_part(s, block, warp, pc[d], d == COPY ? WS_SPACE_SHARED : WS_SPACE_GLOBAL, 0);
    } else
        access_line(s, block, warp, pc[d], 1, 0, 0);
}

/* A tile: addresses, a load, a store to shared memory, a barrier; a product of three loads and 10 operations; a store
 * and 3 instructions to the end. */
static void a_tile(void **unused)
{
    (void)unused;
    script *const s = script_create(2, 64);
    uint32_t pc[DEEDS];
    add_deeds(s, pc);
    for (unsigned i = 0; i < 4; i++) {
        const unsigned block = i / 2, warp = i % 2;
        act(s, pc, block, warp, WORK, 5);
        act(s, pc, block, warp, LOAD, 1);
        act(s, pc, block, warp, WORK, 2);
        act(s, pc, block, warp, SHARED_STORE, 1);
        act(s, pc, block, warp, WORK, 1);
        act(s, pc, block, warp, WAIT, 1);
        for (unsigned k = 0; k < 3; k++)
            act(s, pc, block, warp, SHARED_LOAD, 1);
        act(s, pc, block, warp, WORK, 10);
        act(s, pc, block, warp, STORE, 1);
        act(s, pc, block, warp, WORK, 3);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "phases_load", 6. / 28); /* load, 2, store, 1, barrier */
    assert_column(M, v, "phases_write", 4. / 28);
    assert_column(M, v, "phases_compute", 18. / 28);
    free(v);
    script_destroy(s);
}

/* Without shared memory nothing is loaded to it: a load, an operation, a store, again and again. */
static void a_stream(void **unused)
{
    (void)unused;
    script *const s = script_create(3, 32);
    uint32_t pc[DEEDS];
    add_deeds(s, pc);
    for (unsigned i = 0; i < 12; i++) {
        act(s, pc, i / 4, 0, LOAD, 1);
        act(s, pc, i / 4, 0, WORK, 1);
        act(s, pc, i / 4, 0, STORE, 1);
    }
    double *const v = measure(M, s);
    assert_column(M, v, "phases_load", 0);
    assert_column(M, v, "phases_compute", 2. / 3);
    assert_column(M, v, "phases_write", 1. / 3);
    free(v);
    script_destroy(s);
}

/* A launch without instructions has no phases. */
static void nothing(void **unused)
{
    (void)unused;
    script *const s = script_create(1, 32);
    double *const counter = count_script(M, s), value[3];
    assert_int_equal(ws_metric_columns(M), 3);
    M->emit(counter, value);
    for (unsigned i = 0; i < 3; i++)
        assert_true(isnan(value[i]));
    free(counter);
    script_destroy(s);
}

/* ------------------------------------------------------------------------------------------------ one by one */

enum { MOST = 400 };

static bool loads_global(deed d)
{
    return d == LOAD || d == COPY;
}

static bool writes_global(deed d)
{
    return d == STORE || d == ADD || d == BACK;
}

static bool fills_shared(deed d)
{
    return d == SHARED_STORE || d == COPY;
}

/* What a phase of loading cannot go beyond. */
static bool ends_loading(deed d)
{
    return d == SHARED_LOAD || d == WAIT || writes_global(d);
}

/* By looking back and ahead from each instruction. */
static bool is_load(const deed *d, unsigned n, unsigned at)
{
    unsigned first = at, last = at;
    if (d[at] == WAIT) /* of loading, if it ends such a phase in which shared memory was filled */
        return at && !ends_loading(d[at - 1]) && is_load(d, n, at - 1);
    if (ends_loading(d[at]))
        return false;
    while (first && !ends_loading(d[first - 1]))
        first--;
    while (last + 1 < n && !ends_loading(d[last + 1]))
        last++;
    const bool closed = last + 1 < n && d[last + 1] == WAIT;
    while (first <= at && !loads_global(d[first]))
        first++;
    if (first > at)
        return false;
    for (unsigned i = first; i <= last; i++)
        if (fills_shared(d[i]) && (i >= at || closed))
            return true;
    return false;
}

static bool is_write(const deed *d, unsigned at)
{
    for (unsigned i = at + 1; i-- > 0;) {
        if (writes_global(d[i]))
            return true;
        if (loads_global(d[i]) || d[i] == SHARED_LOAD || d[i] == WAIT)
            return false;
    }
    return false;
}

static void one_by_one(void **unused)
{
    (void)unused;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);
    for (unsigned round = 0; round < 60; round++) {
        script *const s = script_create(3, 64);
        uint32_t pc[DEEDS];
        double all = 0, load = 0, write = 0;
        gsl_rng_set(rng, round + 1);
        add_deeds(s, pc);
        for (unsigned i = 0; i < 6; i++) {
            deed d[MOST];
            const unsigned n = 1 + (unsigned)gsl_rng_uniform_int(rng, MOST - 1);
            for (unsigned k = 0; k < n; k++) {
                d[k] = gsl_rng_uniform_int(rng, 3) ? WORK : (deed)gsl_rng_uniform_int(rng, DEEDS);
                act(s, pc, i / 2, i % 2, d[k], 1);
            }
            for (unsigned k = 0; k < n; k++) {
                all++;
                load += is_load(d, n, k);
                write += is_write(d, k);
            }
        }
        double *const v = measure(M, s);
        assert_column(M, v, "phases_load", load / all);
        assert_column(M, v, "phases_write", write / all);
        assert_column(M, v, "phases_compute", 1 - (load + write) / all);
        free(v);
        script_destroy(s);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile),
        cmocka_unit_test(a_stream),
        cmocka_unit_test(nothing),
        cmocka_unit_test(one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
