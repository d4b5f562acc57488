/* test_sm_tells.c - what an SM tells its warp scheduler of loads, refusals and warps, and what it counts of them. */
#include "sm_alone.h"

/* A policy that only writes down what it is told and sees: loose round robin by slot. */
static struct {
    unsigned launched, started, ended, accessed, loaded, refusals;
    int reason;
    ws_load_fate fate[128];
    uint64_t block[128];
    uint32_t lanes[128];
    uint8_t space[128];
    ws_load_outcome outcome[8];
    ws_warp_facts warp;
    ws_sm_facts sm;
    uint32_t rank;
    unsigned issues[INSTRS];
} told;

static void note_launch(const ws_warp_scheduler *s)
{
    (void)s;
    told.launched++;
}

static void note_start(const ws_warp_scheduler *s, unsigned warp, uint64_t order)
{
    (void)s, (void)order;
    assert_int_equal(s->view.warp(s->view.of, warp).order, order);
    told.started++;
}

static void note_end(const ws_warp_scheduler *s, unsigned warp)
{
    (void)s, (void)warp;
    told.ended++;
}

static int choose_any(const ws_warp_scheduler *s, uint64_t candidates)
{
    for (uint64_t rest = candidates; rest; rest &= rest - 1)
        assert_non_null(s->view.warp(s->view.of, (unsigned)__builtin_ctzll(rest)).instr); /* it looks ahead */
    return __builtin_ctzll(candidates);
}

/* What warp 1 sees of itself when it issues a use. */
static void note_issue(const ws_warp_scheduler *s, unsigned warp, const ws_issue *issue)
{
    told.issues[issue->pc]++;
    assert_ptr_equal(issue->instr, &script_instrs[issue->pc]);
    assert_int_equal(issue->exec, UINT32_MAX);
    if (warp != 1 || issue->pc != FREE)
        return;
    told.warp = s->view.warp(s->view.of, warp);
    told.sm = s->view.sm(s->view.of);
    told.rank = s->view.rank(s->view.of, warp);
}

static void ignore(const ws_warp_scheduler *s, unsigned warp)
{
    (void)s, (void)warp;
}

static void note_access(const ws_warp_scheduler *s, unsigned warp, const ws_load_access *access)
{
    (void)s, (void)warp;
    told.block[told.accessed] = access->block;
    told.lanes[told.accessed] = access->lanes;
    told.space[told.accessed] = access->space;
    told.fate[told.accessed++] = access->fate;
}

static void note_load(const ws_warp_scheduler *s, unsigned warp, const ws_load_outcome *outcome)
{
    (void)s, (void)warp;
    told.outcome[told.loaded++] = *outcome;
}

static void note_refusal(const ws_warp_scheduler *s, unsigned warp, uint32_t pc, int reason)
{
    (void)s, (void)warp, (void)pc;
    told.refusals++;
    told.reason = reason;
}

static const ws_warp_scheduler_ops probe = {.looks_ahead = true,
                                            .started = note_start,
                                            .ended = note_end,
                                            .choose = choose_any,
                                            .issued = note_issue,
                                            .blocked = ignore,
                                            .unblocked = ignore,
                                            .launched = note_launch,
                                            .accessed = note_access,
                                            .loaded = note_load,
                                            .refused = note_refusal};

/* One block of two warps, four MSHRs. Warp 0 loads a line, then 8 lines of which that is one; warp 1 the same line as
 * warp 0, and looks around while both are under way; after its use of the load it loads the line again. */
static void an_sm_tells_what_happens(void **state)
{
    (void)state;
    ws_machine m;
    ws_sm_shared shared;
    script_machine(&m, "none");
    m.l1_mshrs = 4;
    script *const s = script_make(1, 64);
    script_add(s, 0, 0, LOAD, 0);
    step *const wide = script_add(s, 0, 0, LOAD2, 0);
    wide->stride = 32; /* 4 lanes a line */
    script_add(s, 0, 1, LOAD, 0);
    script_add(s, 0, 1, FREE, 0);
    script_add(s, 0, 1, USE, 0);
    script_add(s, 0, 1, LOAD2, 0);
    memset(&told, 0, sizeof told);
    ws_sm *const sm = sm_alone(&shared, &m, &probe, s);
    assert_int_equal(told.launched, 1);
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
    assert_int_equal(told.started, 2);
    assert_int_equal(told.ended, 2);
    assert_int_equal(told.issues[LOAD], 2);
    assert_int_equal(told.issues[LOAD2], 2);
    assert_int_equal(told.issues[USE], 1);
    /* In the order in which the L1 took them: warp 0's load, its 8 lines behind it (the first waits for the same read,
     * then three reads, then no MSHR), warp 1's load, its second. */
    assert_int_equal(told.loaded, 4);
    assert_int_equal(told.accessed, 1 + 8 + 1 + 1);
    const ws_load_outcome *const first = &told.outcome[0], *const eight = &told.outcome[1];
    assert_int_equal(first->pc, LOAD);
    assert_true(first->lanes == 32 && first->touches == 1 && first->misses == 1 && !first->hits && !first->merged);
    assert_int_equal(eight->pc, LOAD2);
    assert_true(eight->touches == 8 && eight->misses == 7 && eight->merged == 1 && eight->hits == 0);
    assert_int_equal(told.fate[0], WS_LOAD_MISSED);
    assert_int_equal(told.fate[1], WS_LOAD_MERGED);
    assert_int_equal(told.lanes[0], UINT32_MAX);
    for (unsigned i = 1; i < 9; i++) {
        assert_int_equal(told.block[i], i - 1);
        assert_int_equal(told.lanes[i], UINT32_C(0xf) << 4 * (i - 1));
    }
    assert_true(told.outcome[2].hits == 1 && told.outcome[3].hits == 1); /* the line has come by then */
    /* Line 4 finds no MSHR before line 0 is answered; line 5 not in the cycle behind that, as line 1 was asked for two
     * cycles behind line 0. From then on an answer comes in each cycle. */
    assert_int_equal(told.refusals, 2);
    assert_int_equal(told.reason, WS_REFUSED_MSHR);
    /* Warp 1 issued FREE in cycle 3, behind its load: that of warp 0 was issued in cycle 0, its access taken in
     * cycle 1. */
    assert_ptr_equal(told.warp.instr, &script_instrs[FREE]);
    assert_int_equal(told.warp.cta, 0);
    assert_int_equal(told.warp.index, 1);
    assert_int_equal(told.rank, 1);
    assert_int_equal(told.warp.accesses, 1);
    assert_int_equal(told.warp.misses, 0);
    assert_int_equal(told.sm.warps, 2);
    assert_int_equal(told.sm.ctas, 1);
    assert_int_equal(told.sm.mshrs, 4);
    assert_int_equal(told.sm.mshrs_free, 2); /* of line 0, and of line 1 in cycle 3 */
    assert_int_equal(told.sm.tags_used, 3);
    assert_int_equal(told.sm.queue_used, 2);
    assert_false(told.sm.refused);
    destroy_alone(sm, &shared, s);
}

/* It tells of loads of all that goes through a cache, with the space; not of those of shared memory. */
static void an_sm_tells_of_all_its_caches(void **state)
{
    (void)state;
    static const unsigned instr[] = {SHARED_LOAD, LOAD, LOCAL_LOAD, TEXTURE, CONSTANT, CONSTANT};
    static const uint8_t space[] = {WS_SPACE_GLOBAL, WS_SPACE_LOCAL, WS_SPACE_TEXTURE, WS_SPACE_CONST, WS_SPACE_CONST};
    ws_machine m;
    ws_sm_shared shared;
    script_machine(&m, "none");
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < sizeof instr / sizeof *instr; i++) {
        step *const p = script_add(s, 0, 0, instr[i], 1 << 20);
        p->stride = 0; /* one line */
        p->texel = instr[i] == TEXTURE ? 4 : 0;
        script_add(s, 0, 0, USE, 0); /* waits for it */
    }
    memset(&told, 0, sizeof told);
    ws_sm *const sm = sm_alone(&shared, &m, &probe, s);
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
    assert_int_equal(told.accessed, sizeof space);
    for (unsigned i = 0; i < sizeof space; i++) {
        assert_int_equal(told.space[i], space[i]);
        assert_int_equal(told.lanes[i], UINT32_MAX);
        assert_int_equal(told.fate[i], i + 1 < sizeof space ? WS_LOAD_MISSED : WS_LOAD_HIT);
    }
    assert_int_equal(told.loaded, 2); /* global and local */
    destroy_alone(sm, &shared, s);
}

/* Four MSHRs. Warps 0 and 1 load a line each, warp 2 four lines, warp 3 one; their accesses could be taken in cycles 1,
 * 2, 3 to 6 and 7, and answers come 100 cycles later, one a cycle. */
static const ws_sm_counts *run_occluded(uint32_t mshrs, ws_sm_counts *counts)
{
    ws_machine m;
    ws_sm_shared shared;
    script_machine(&m, "none");
    m.l1_mshrs = mshrs;
    script *const s = script_make(1, 128);
    for (uint32_t warp = 0; warp < 4; warp++) {
        step *const p = script_add(s, 0, warp, LOAD, (uint64_t)warp << 16);
        p->stride = warp == 2 ? 16 : 4;
    }
    memset(&told, 0, sizeof told);
    ws_sm *const sm = sm_alone(&shared, &m, &probe, s);
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
    *counts = *ws_sm_sum(sm);
    assert_int_equal(counts->loads, 4);
    assert_int_equal(counts->divergent_loads, 1);
    assert_int_equal(counts->load_requests, 7);
    assert_int_equal(ws_sm_ranks(sm)->mshrs[2], 4);
    assert_int_equal(ws_sm_ranks(sm)->loads[2], 1);
    for (unsigned rank = 0; rank < 4; rank++)
        assert_int_equal(ws_sm_ranks(sm)->issues[rank], 1);
    destroy_alone(sm, &shared, s);
    return counts;
}

/* Two lines of warp 2 take the last MSHRs; the third waits from cycle 5 to 101, when the first answer is there, and
 * with it the fourth and warp 3's load, which would need only one. */
static void a_load_of_many_lines_occludes(void **state)
{
    (void)state;
    ws_sm_counts counts;
    const ws_sm_counts *c = run_occluded(4, &counts);
    assert_int_equal(told.refusals, 1);
    assert_int_equal(told.reason, WS_REFUSED_MSHR);
    assert_false(told.outcome[1].lacked_mshr);
    assert_true(told.outcome[2].lacked_mshr);
    assert_int_equal(c->load_store_mshr, 96);
    assert_int_equal(c->load_store_busy, 7 + 96);
    assert_int_equal(c->load_store_more, 3);
    assert_int_equal(c->divergent_occlusion, 96);
    /* Warp 3 issued in cycle 3: its access could have been taken in cycle 4, and was in cycle 103. */
    assert_int_equal(c->coherent_occlusion, 99);
    c = run_occluded(7, &counts);
    assert_int_equal(c->load_store_mshr, 0);
    assert_int_equal(c->divergent_occlusion, 0);
    assert_int_equal(c->coherent_occlusion, 3); /* behind the four */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_sm_tells_what_happens),
        cmocka_unit_test(an_sm_tells_of_all_its_caches),
        cmocka_unit_test(a_load_of_many_lines_occludes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
