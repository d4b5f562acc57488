/* Bounds of work on predicted times: by hand, and closed forms of all protocols within them, for kinds of accesses and
 * all machines. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/coherence/closed_form.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/time_bounds.h"
#include "tests/unit/events.h"

/* 1000 instructions on 4 SMs that issue 2 a cycle, 6400 bytes at 16 a cycle; 30 accesses of 100 cycles. */
static const ws_time_work by_hand = {
    .demand = {[WS_RESOURCE_issue] = {1000, 2, 4}, [WS_RESOURCE_memory] = {6400, 16, 1}},
    .instructions = 1000,
    .instruction_cycles = 5,
    .accesses = 30,
    .access_cycles = 100,
    .waits = 70,
    .fixed = 30};
enum { ISSUE = 1000 / 8, MEMORY = 6400 / 16, SERIAL = 1000 * 5 + 30 * 100 + 70 + 30 + 1000 / 2 + 6400 / 16 };

static void sums_by_hand(void **state)
{
    (void)state;
    assert_float_equal(ws_time_least(&by_hand, WS_RESOURCE_issue), ISSUE, 1e-9);
    assert_float_equal(ws_time_least(&by_hand, WS_RESOURCE_memory), MEMORY, 1e-9);
    assert_float_equal(ws_time_least(&by_hand, WS_RESOURCE_l1), 0, 1e-9);
    assert_float_equal(ws_time_serial(&by_hand), SERIAL, 1e-9);
}

static void is_refused(const ws_time_work *work, double cycles, const char *bound)
{
    assert_int_equal(ws_time_check("form", "kernel", cycles, work), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "internal error: closed form form, kernel `kernel`: "));
    if (!strstr(ws_message(), bound))
        fail_msg("expected '%s' in '%s'", bound, ws_message());
}

static void both_sides(void **state)
{
    (void)state;
    assert_int_equal(ws_time_check("form", "kernel", MEMORY, &by_hand), WS_OK);
    assert_int_equal(ws_time_check("form", "kernel", SERIAL, &by_hand), WS_OK);
    is_refused(&by_hand, MEMORY - 1, "399 cycles are below the bound `memory` of 400 cycles");
    is_refused(&by_hand, SERIAL + 1, "9001 cycles are above the bound `serial` of 9000 cycles");
    is_refused(&by_hand, ISSUE - 1, "124 cycles are below the bound `issue` of 125 cycles");
    is_refused(&by_hand, 18446744073709551615.0, "above the bound `serial`");
    is_refused(&by_hand, INFINITY, "above the bound `serial`");
    is_refused(&by_hand, NAN, "the bound `issue`");
    is_refused(&(ws_time_work){.fixed = 10}, -1, "the bound `issue` of 0 cycles");
}

/* Each resource bounds alone, whatever the rest does, and adds what one of its ports takes. */
static void every_resource(void **state)
{
    (void)state;
    for (unsigned r = 0; r < WS_TIME_RESOURCES; r++) {
        ws_time_work work = {.fixed = 1};
        work.demand[r] = (ws_time_demand){60, 2, 3};
        assert_float_equal(ws_time_serial(&work), 1 + 30, 1e-9);
        assert_int_equal(ws_time_check("form", "kernel", 10, &work), WS_OK);
        assert_int_equal(ws_time_check("form", "kernel", 9.9, &work), WS_EVERIFY);
    }
}

/* ------------------------------------------------------------------------------------------------ kinds of accesses */

enum { BLOCKS = 12, WARPS = 2, TIMES = 6, LINES = 512 };

/* An access of a warp of a block, the time-th. */
typedef struct pattern {
    const char *name;
    bool stores, atomics; /* each second access is a store; all are atomics */
    uint64_t (*line)(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane);
} pattern;

static uint64_t at_random(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    uint64_t x = (((uint64_t)block * WARPS + warp) * TIMES + time) * WS_WARP + lane + 1;
    for (int i = 0; i < 3; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return (x >> 40) % LINES;
}

static uint64_t in_rows(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    (void)lane; /* of a stencil: its own row, and those of its neighbours */
    return 4 * (block * WARPS + warp) + time % 3 * 4;
}

static uint64_t with_strides(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    return lane * 33 + time * 7 + block * WARPS + warp;
}

static uint64_t in_a_row(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    (void)lane;
    return (time * BLOCKS + block) * WARPS + warp;
}

static uint64_t the_same(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    (void)block;
    (void)warp;
    (void)time;
    (void)lane;
    return 0;
}

/* Pairs of blocks, of two SMs, that write the same line in turn. */
static uint64_t in_pairs(uint32_t block, uint32_t warp, uint32_t time, uint32_t lane)
{
    (void)time;
    (void)lane;
    return block / 2 * WARPS + warp;
}

static const pattern patterns[] = {
    {"random atomics", false, true, at_random}, {"random loads and stores", true, false, at_random},
    {"stencil", true, false, in_rows},          {"strided", true, false, with_strides},
    {"streaming", true, false, in_a_row},       {"one hot line", false, true, the_same},
    {"ping-pong", true, false, in_pairs},       {"no store", false, false, at_random},
};

static script *script_of(const pattern *p)
{
    script *const s = script_create(BLOCKS, 32 * WARPS);
    const uint32_t add = arithmetic(s, 4, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4),
                   atomic = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_ATOMIC, 4);
    const uint32_t fence = instr(s, (ws_instr){.opcode = "membar.gl", .cls = WS_CLASS_OTHER});
    s->launch.kernel = p->name;
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t i = 0; i < WARPS * TIMES; i++) {
            const uint32_t warp = i % WARPS, time = i / WARPS;
            uint64_t address[WS_WARP];
            for (uint32_t lane = 0; lane < WS_WARP; lane++)
                address[lane] = 0x100000 + p->line(block, warp, time, lane) * WS_LOG_LINE + lane * 4;
            run(s, block, warp, add, 1 + time % 4, ALL_LANES);
            access_at(s, block, warp, p->atomics ? atomic : p->stores && time % 2 ? store : load, ALL_LANES, address);
            if (time == TIMES / 2)
                run(s, block, warp, fence, 1, ALL_LANES);
        }
    return s;
}

static ws_traffic_profile *profile_of(const pattern *p)
{
    script *const s = script_of(p);
    ws_profiler *profiler;
    ws_traffic_profile *const out = calloc(1, sizeof *out);
    assert_non_null(out);
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    const ws_metric m = {.sink = *ws_profiler_sink(profiler)};
    void *const kept = calloc(1, m.sink.state_size);
    assert_non_null(kept);
    m.sink.attach(kept, m.sink.context);
    assert_int_equal(m.sink.init(kept, &s->launch), WS_OK);
    for (uint64_t block = 0; block < BLOCKS; block++)
        script_feed(&m, s, kept, block, 3);
    assert_int_equal(ws_profiler_finish(profiler, &s->launch, kept, out), WS_OK);
    m.sink.fini(kept);
    free(kept);
    ws_profiler_destroy(profiler);
    script_destroy(s);
    return out;
}

/* ------------------------------------------------------------------------------------------------ machines */

/* The machines of data/configs that closed forms take, with the protocol; false at the end. */
typedef struct machines {
    glob_t files;
    size_t next;
} machines;

static bool next_machine(machines *m, const char *protocol, ws_machine **machine, ws_closed_machine *closed)
{
    while (m->next < m->files.gl_pathc) {
        char name[256];
        const char *const file = strrchr(m->files.gl_pathv[m->next++], '/') + 1;
        snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".ini")), file);
        assert_int_equal(ws_machine_read("data", name, machine), WS_OK);
        if (!ws_closed_machine_of(*machine, protocol, closed) && closed->coherence.chips <= 1)
            return true;
        ws_machine_destroy(*machine);
    }
    return false;
}

static void within_bounds(const ws_closed_machine *closed, const char *protocol, ws_traffic_profile *const profile[])
{
    ws_closed_form *form;
    const int status = ws_closed_form_create(closed, &form);
    if (status)
        fail_msg("%s: %s", protocol, ws_message());
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        ws_closed_result sum = {0};
        if (ws_closed_form_add(form, patterns[i].name, profile[i], &sum))
            fail_msg("%s", ws_message());
        assert_true(sum.cycles > 0);
    }
    ws_closed_form_destroy(form);
}

static void every_protocol_and_pattern(void **state)
{
    (void)state;
    ws_traffic_profile *profile[sizeof patterns / sizeof *patterns];
    const char *protocol;
    machines all = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        profile[i] = profile_of(&patterns[i]);
    assert_int_equal(glob("data/configs/*.ini", 0, NULL, &all.files), 0);
    for (size_t k = 0; (protocol = ws_coherence_protocol_name(k)); k++) {
        size_t taken = 0;
        ws_machine *machine;
        ws_closed_machine closed;
        if (!ws_closed_form_knows(protocol))
            continue;
        for (all.next = 0; next_machine(&all, protocol, &machine, &closed); taken++) {
            for (unsigned variant = 0; variant < 4; variant++) {
                closed.aging = variant & 1;
                closed.fence_cycles = variant & 2 ? 400 : 0;
                closed.fence_turns = variant == 3;
                within_bounds(&closed, protocol, profile);
            }
            ws_machine_destroy(machine);
        }
        assert_true(taken > 0);
    }
    globfree(&all.files);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        free(profile[i]);
}

/* A clock that ran away does not take a time beyond its bound, in any form that reads it. */
static void clocks_that_run_away(void **state)
{
    (void)state;
    ws_traffic_profile *const p = profile_of(&patterns[0]);
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        p->rung[i].owner[WS_OWNER_LATE].cycles = UINT64_MAX;
        for (unsigned k = 0; k < WS_PROFILE_CLOCKS; k++)
            p->rung[i].late_cycles[k] = UINT64_MAX;
    }
    const char *protocol;
    for (size_t k = 0; (protocol = ws_coherence_protocol_name(k)); k++) {
        ws_machine *machine;
        ws_closed_machine closed;
        ws_closed_form *form;
        ws_closed_result sum = {0};
        if (!ws_closed_form_knows(protocol))
            continue;
        assert_int_equal(ws_machine_read("data", "gtsc", &machine), WS_OK);
        assert_int_equal(ws_closed_machine_of(machine, protocol, &closed), WS_OK);
        closed.aging = true;
        assert_int_equal(ws_closed_form_create(&closed, &form), WS_OK);
        assert_int_equal(ws_closed_form_add(form, patterns[0].name, p, &sum), WS_OK);
        assert_true(sum.cycles > 0 && sum.cycles < 1e9);
        ws_closed_form_destroy(form);
        ws_machine_destroy(machine);
    }
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_hand),         cmocka_unit_test(both_sides),
        cmocka_unit_test(every_resource),       cmocka_unit_test(every_protocol_and_pattern),
        cmocka_unit_test(clocks_that_run_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
