/* test_memory_stage.c - the way of memory instructions from issue to the L1, and of instructions from fetch to issue,
 * cycle by cycle against sums worked out by hand. */
#include "sm_alone.h"

enum { EVENTS = 64 };

/* When warps issued, and when the L1 took accesses of their loads. */
static struct {
    unsigned issues, accesses;
    struct {
        uint64_t cycle;
        unsigned warp;
    } issue[EVENTS], access[EVENTS];
} seen;

static void started(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    (void)s, (void)warp, (void)order;
}

static int choose_first(const ws_warp_scheduler *s, uint64_t candidates)
{
    (void)s;
    return __builtin_ctzll(candidates);
}

static uint64_t now(const ws_warp_scheduler *s)
{
    return s->view.sm(s->view.of).now;
}

static void note_issue(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    (void)issue;
    assert_true(seen.issues < EVENTS);
    seen.issue[seen.issues].cycle = now(s);
    seen.issue[seen.issues++].warp = warp;
}

static void note_access(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access)
{
    (void)access;
    assert_true(seen.accesses < EVENTS);
    seen.access[seen.accesses].cycle = now(s);
    seen.access[seen.accesses++].warp = warp;
}

static const ws_warp_scheduler_ops onlooker = {
    .started = started, .choose = choose_first, .issued = note_issue, .accessed = note_access};

/* The operands of warp 0 take four cycles more than those of others. */
static uint64_t read_slowly(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                            unsigned n)
{
    (void)state, (void)values, (void)reg, (void)n;
    return use->cycle + (use->warp ? 1 : 5);
}

static void small_machine(ws_machine *m, const char *stage)
{
    script_machine(m, "none");
    machine_word(m, sm_memory_stage, stage);
}

static void run(ws_machine *m, script *s, bool slowly, ws_sm_counts *counts)
{
    ws_sm_shared shared;
    memset(&seen, 0, sizeof seen);
    ws_sm *const sm = sm_alone(&shared, m, &onlooker, s);
    ws_register_file_ops slow = *shared.file;
    slow.read = read_slowly;
    if (slowly)
        shared.file = &slow;
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
    *counts = *ws_sm_sum(sm);
    destroy_alone(sm, &shared, s);
}

/* Each warp loads so many lines of its own. */
static script *loads(unsigned warps, unsigned lines)
{
    script *const s = script_make(1, warps * WS_WARP);
    for (unsigned warp = 0; warp < warps; warp++)
        script_add(s, 0, warp, LOAD, (uint64_t)warp << 9)->stride = 4 * lines;
    return s;
}

static void expect_issues(const uint64_t *cycle, unsigned n)
{
    assert_int_equal(seen.issues, n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(seen.issue[i].cycle, cycle[i]);
        assert_int_equal(seen.issue[i].warp, i);
    }
}

/* Six loads of four lines. One operand: issued at 0, in a collector at 1, read at 2, in the unit at 3, at the L1 at 4.
 * Behind it there is room for one at the port, two in the collectors and one in the register: warp 4 issues at 4, warp
 * 5 when the collectors move on at 8, the cycle after warp 0's last access. The unit goes on without a gap. A queue has
 * the first load at the L1 in cycle 1, and issues one a cycle. */
static void five_are_on_their_way(void **state)
{
    (void)state;
    static const uint64_t collector[] = {0, 1, 2, 3, 4, 8}, queue[] = {0, 1, 2, 3, 4, 5};
    ws_machine m;
    ws_sm_counts c;
    small_machine(&m, "collector");
    run(&m, loads(6, 4), false, &c);
    expect_issues(collector, 6);
    assert_int_equal(seen.accesses, 24);
    for (unsigned i = 0; i < 24; i++) {
        assert_int_equal(seen.access[i].cycle, 4 + i);
        assert_int_equal(seen.access[i].warp, i / 4);
    }
    assert_int_equal(c.stall_load_store, 3); /* cycles 5 to 7 */
    /* Warp w could have been at the L1 four cycles after its issue, without others. */
    assert_int_equal(c.divergent_occlusion, 0 + 3 + 6 + 9 + 12 + 12);
    small_machine(&m, "queue");
    run(&m, loads(6, 4), false, &c);
    expect_issues(queue, 6);
    for (unsigned i = 0; i < 24; i++)
        assert_int_equal(seen.access[i].cycle, 1 + i);
}

/* Two divergent loads, MSHRs for one: the second stays in the unit from its first refusal at 8 until the first answer,
 * a hundred cycles behind access 4, and gets an MSHR with each answer. A coherent load behind it waits as long, a store
 * to issue finds no room. */
static void a_refused_access_stays(void **state)
{
    (void)state;
    ws_machine m;
    ws_sm_counts c;
    small_machine(&m, "collector");
    m.l1_mshrs = 4;
    script *const s = loads(2, 4);
    run(&m, s, false, &c);
    assert_int_equal(seen.accesses, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(seen.access[i].cycle, i < 4 ? 4 + i : 100 + i);
    assert_int_equal(c.load_store_mshr, 96);
    script *const more = loads(3, 4);
    for (unsigned warp = 0; warp < 3; warp++)
        script_add(more, 0, warp, FREE, 0); /* issues past the loads that wait */
    run(&m, more, false, &c);
    assert_int_equal(seen.issue[5].cycle, 5);
    assert_int_equal(seen.access[7].cycle, 107);
    assert_int_equal(seen.access[8].cycle, 204); /* warp 2: behind the answers to warp 1 */
}

/* The collectors hand on what has its operands: warp 1, collected at 4, overtakes warp 0, collected at 7. */
static void operands_decide_the_order(void **state)
{
    (void)state;
    ws_machine m;
    ws_sm_counts c;
    small_machine(&m, "collector");
    run(&m, loads(2, 1), true, &c);
    assert_int_equal(seen.accesses, 2);
    assert_true(seen.access[0].warp == 1 && seen.access[0].cycle == 5);
    assert_true(seen.access[1].warp == 0 && seen.access[1].cycle == 8);
    small_machine(&m, "queue");
    run(&m, loads(2, 1), true, &c);
    assert_int_equal(seen.access[0].warp, 0);
}

/* A shared access with eight words in one bank keeps the unit eight cycles, 4 to 11. */
static void banks_keep_the_unit(void **state)
{
    (void)state;
    ws_machine m;
    ws_sm_counts c;
    small_machine(&m, "collector");
    script *const s = script_make(1, 2 * WS_WARP);
    script_add(s, 0, 0, SHARED_LOAD, 0)->stride = 4 * 8;
    script_add(s, 0, 1, LOAD, 0);
    run(&m, s, false, &c);
    assert_int_equal(seen.accesses, 1);
    assert_int_equal(seen.access[0].cycle, 12);
}

/* Two instructions at a time, one warp a cycle, slot 1 first. Warp 1 is fetched for at 0 and issues at 2; warp 0 at 1,
 * and issues at 3 and 4, so warp 1's second waits for 5. Warp 0 is fetched for again at 4, warp 1 at 5. */
static void fetch_takes_turns(void **state)
{
    (void)state;
    static const unsigned warp[] = {1, 0, 0, 1, 0, 0, 1, 1};
    ws_machine m;
    ws_sm_counts c;
    small_machine(&m, "collector");
    m.sm_fetch = 2;
    script *const s = script_make(1, 2 * WS_WARP);
    for (unsigned w = 0; w < 2; w++) {
        script_add(s, 0, w, FREE, 0);
        script_add(s, 0, w, ADD, 0);
        script_add(s, 0, w, USE, 0);
        script_add(s, 0, w, LOAD, 0);
    }
    run(&m, s, false, &c);
    assert_int_equal(seen.issues, 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(seen.issue[i].cycle, 2 + i);
        assert_int_equal(seen.issue[i].warp, warp[i]);
    }
}

/* The target of a taken branch: the first of two, which issues at 2, leaves the other behind: that shows at 3, the
 * fetch of the target begins then. The last of two, at 3: a fetch of what follows has begun, and shows at 5. One that
 * is not taken costs nothing beyond its fetch. */
static void branches_wait_for_their_target(void **state)
{
    (void)state;
    static const struct {
        bool second, taken;
        uint64_t target;
    } rows[] = {{false, true, 5}, {true, true, 7}, {false, false, 3}, {true, false, 5}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        ws_machine m;
        ws_sm_counts c;
        small_machine(&m, "queue");
        m.sm_fetch = 2;
        script *const s = script_make(1, WS_WARP);
        if (rows[i].second)
            script_add(s, 0, 0, FREE, 0);
        script_add(s, 0, 0, BRANCH, 0)->detail = rows[i].taken;
        script_add(s, 0, 0, ADD, 0);
        run(&m, s, false, &c);
        assert_int_equal(seen.issues, 2 + rows[i].second);
        assert_int_equal(seen.issue[seen.issues - 1].cycle, rows[i].target);
    }
}

/* Places that a stage has, and what a machine file may not ask of it. */
static void rooms_and_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"[sm]\nmemory_stage = collector\n[stage]\ncollectors = 0\n",
         "f:4:14: stage.collectors = 0: expected 1 to 64 instructions "},
        {"[sm]\nmemory_stage = collector\nmemory_queue = 4\n", "f:3:16: sm.memory_queue = 4: sm.memory_stage is "},
        {"[stage]\nports = 2\n", "stage.ports is an option of sm.memory_stage = collector, but sm.memory_stage is q"},
        {"[sm]\nmemory_stage = 1\n", "sm.memory_stage = 1: expected one of queue, pipeline, collector"},
        {"[sm]\nfetch = 2\nrefill = 4\n", "f:3:10: sm.refill = 4 cycles: with sm.fetch "},
        {"[sm]\nfetch = 2\npipeline = 6\n", "f:2:9: sm.fetch = 2 instructions: with sm.pipeline "},
    };
    ws_machine m, *read;
    small_machine(&m, "collector");
    assert_int_equal(ws_memory_stage_room(&m), 5);
    small_machine(&m, "pipeline");
    m.sm_memory_queue = 3;
    assert_int_equal(ws_memory_stage_room(&m), 3);
    static const char more[] = "[sm]\nmemory_stage = collector\n[stage]\nregisters = 2\ncollectors = 4\nports = 3\n";
    assert_int_equal(ws_machine_parse("data", "f", more, sizeof more - 1, &read), WS_OK);
    assert_int_equal(ws_machine_check(read), WS_OK);
    assert_int_equal(ws_memory_stage_room(read), 2 + 4 + 3 + 1);
    ws_machine_destroy(read);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int status = ws_machine_parse("data", "f", wrong[i].text, strlen(wrong[i].text), &read);
        if (!status) {
            status = ws_machine_check(read);
            ws_machine_destroy(read);
        }
        if (status != WS_EINPUT || !strstr(ws_message(), wrong[i].why))
            fail_msg("%s: %s", wrong[i].text, status ? ws_message() : "taken");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_are_on_their_way),     cmocka_unit_test(a_refused_access_stays),
        cmocka_unit_test(operands_decide_the_order), cmocka_unit_test(banks_keep_the_unit),
        cmocka_unit_test(fetch_takes_turns),         cmocka_unit_test(branches_wait_for_their_target),
        cmocka_unit_test(rooms_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
