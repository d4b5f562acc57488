/* Warp and block schedulers against schedules worked out by hand. */
#include "sim_script.h"

#include "model/sim/cta_scheduler.h"
#include "model/sim/scheduler.h"

#include <stdio.h>

/* An SM as a test says it is. */
typedef struct mock {
    ws_warp_facts warp[WS_SM_WARPS];
    ws_sm_facts sm;
    uint64_t state[256], shared[8], values[4];
    ws_warp_scheduler s;
} mock;

static ws_warp_facts mock_warp(const void *of, unsigned warp)
{
    return ((const mock *)of)->warp[warp];
}

static ws_sm_facts mock_sm(const void *of)
{
    return ((const mock *)of)->sm;
}

static uint32_t mock_rank(const void *of, unsigned warp)
{
    return (uint32_t)((const mock *)of)->warp[warp].order;
}

static const ws_warp_scheduler_ops *start(mock *m, const char *name, uint64_t first, uint64_t second)
{
    const ws_warp_scheduler_ops *const ops = ws_warp_scheduler_find(name);
    assert_non_null(ops);
    *m = (mock){.values = {first, second}, .sm = {.mshrs = 32, .mshrs_free = 32, .queue = 8}};
    assert_true(ops->state_size <= sizeof m->state && ops->shared_size <= sizeof m->shared);
    m->s = (ws_warp_scheduler){
        .state = m->state, .shared = m->shared, .values = m->values, .view = {m, mock_warp, mock_rank, mock_sm}};
    return ops;
}

static const ws_instr alu = {.cls = WS_CLASS_INTEGER}, load = {.cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .access = WS_ACCESS_LOAD};
static const ws_issue alu_issue = {.instr = &alu, .exec = UINT32_MAX}, load_issue = {.instr = &load, .pc = 2, .exec = UINT32_MAX};

/* The warp that issues: the best candidate that the policy admits. */
static int pick_warp(const ws_warp_scheduler_ops *ops, const mock *m, uint64_t candidates)
{
    for (int warp = -1; candidates && (warp = ops->choose(&m->s, candidates)) >= 0; candidates &= ~(UINT64_C(1) << warp)) {
        assert_true(candidates >> warp & 1);
        if (!ops->admits || ops->admits(&m->s, (unsigned)warp))
            return warp;
    }
    return -1;
}

/* Warps run ALU, ALU, LD, ALU that needs the load; ALU takes 1 cycle, LD 4. The schedule, "A1 B1 .. " by cycle. */
static void run(const char *name, unsigned warps, uint64_t first, uint64_t second, char *schedule)
{
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, name, first, second);
    uint64_t ready[8] = {0};
    unsigned at[8] = {0}, left = warps;
    for (unsigned i = 0; i < warps; i++) {
        m.warp[i] = (ws_warp_facts){.instr = &alu, .order = i};
        ops->started(&m.s, i, i);
    }
    char *out = schedule;
    for (uint64_t now = 0; left && now < 60; now++) {
        uint64_t candidates = 0;
        for (unsigned i = 0; i < warps; i++) {
            if (at[i] == 3 && ready[i] == now)
                ops->unblocked(&m.s, i);
            candidates |= (uint64_t)(at[i] < 4 && ready[i] <= now) << i;
        }
        const int warp = pick_warp(ops, &m, candidates);
        if (warp >= 0) {
            ops->issued(&m.s, (unsigned)warp, at[warp] == 2 ? &load_issue : &alu_issue);
            at[warp]++;
            ready[warp] = now + (at[warp] == 3 ? 4 : 1);
            m.warp[warp].instr = at[warp] == 2 ? &load : &alu;
            out += snprintf(out, 4, "%c%u ", 'A' + warp, at[warp]);
            if (at[warp] == 3)
                ops->blocked(&m.s, (unsigned)warp);
            if (at[warp] == 4) {
                ops->ended(&m.s, (unsigned)warp);
                left--;
            }
        } else
            out += snprintf(out, 4, "- ");
    }
    assert_int_equal(left, 0);
}

static void hand_worked_schedules(void **state)
{
    (void)state;
    char s[256];
    run("gto", 3, 0, 0, s);
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
    run("lrr", 3, 0, 0, s);
    assert_string_equal(s, "A1 B1 C1 A2 B2 C2 A3 B3 C3 - A4 B4 C4 ");
    run("two-level", 3, 8, 0, s); /* all are active: as round robin */
    assert_string_equal(s, "A1 B1 C1 A2 B2 C2 A3 B3 C3 - A4 B4 C4 ");
    /* One place: B enters when A waits for its load; A, ready in cycle 6, when B waits from cycle 5 on but C, pending
     * for longer, is first; A enters when C waits. */
    run("two-level", 3, 1, 0, s);
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 C1 C2 C3 A4 B4 - C4 ");
    run("swl", 3, 3, 0, s); /* all may load: as greedy, then oldest */
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
    /* Only the oldest may load: B and C get as far as their loads, and each has to wait for the end of the one before. */
    run("swl", 3, 1, 0, s);
    assert_string_equal(s, "A1 A2 A3 B1 B2 C1 C2 A4 B3 - - - B4 C3 - - - C4 ");
    run("swl", 3, 1, 1, s); /* ... may issue at all */
    assert_string_equal(s, "A1 A2 A3 - - - A4 B1 B2 B3 - - - B4 C1 C2 C3 - - - C4 ");
    run("mascar", 3, 0, 0, s); /* loads first, then the oldest */
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
}

/* Of two places one is that of a warp at a barrier: it is counted for nobody. */
static void limit_is_of_those_that_do_not_wait(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, "swl", 2, 0);
    for (unsigned i = 0; i < 4; i++) {
        m.warp[i] = (ws_warp_facts){.instr = &load, .order = i};
        ops->started(&m.s, i, i);
    }
    assert_true(ops->admits(&m.s, 1));
    assert_false(ops->admits(&m.s, 2));
    m.warp[0].waits_others = true;
    assert_true(ops->admits(&m.s, 2));
    assert_false(ops->admits(&m.s, 3));
    m.warp[3].instr = &alu;
    assert_true(ops->admits(&m.s, 3));
    ws_instr shared = load;
    shared.space = WS_SPACE_SHARED;
    m.warp[3].instr = &shared;
    assert_true(ops->admits(&m.s, 3));
    ops->ended(&m.s, 1);
    m.warp[3].instr = &load;
    assert_true(ops->admits(&m.s, 3));
}

/* Warp 0 computes, 1 and 2 load. */
static void memory_has_an_owner(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, "mascar", 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        m.warp[i] = (ws_warp_facts){.instr = i ? &load : &alu, .order = i};
        ops->started(&m.s, i, i);
    }
    assert_int_equal(ops->choose(&m.s, 7), 1); /* memory first */
    ops->issued(&m.s, 2, &load_issue);
    m.sm.mshrs_free = 1;
    assert_int_equal(ops->choose(&m.s, 7), 2); /* the owner */
    assert_int_equal(ops->choose(&m.s, 3), 0); /* who computes goes on */
    assert_int_equal(ops->choose(&m.s, 2), -1);
    ops->blocked(&m.s, 2);
    assert_int_equal(ops->choose(&m.s, 3), 1); /* nobody owns it: the oldest that asks */
    ops->issued(&m.s, 1, &load_issue);
    assert_int_equal(ops->choose(&m.s, 4), -1);
    m.sm.mshrs_free = 2;
    assert_int_equal(ops->choose(&m.s, 4), 2);
    m.sm.queue_used = m.sm.queue - 1; /* the load/store unit is as good as full */
    assert_int_equal(ops->choose(&m.s, 4), -1);
    ops->ended(&m.s, 1);
    assert_int_equal(ops->choose(&m.s, 4), 2);
}

static void names(void **state)
{
    (void)state;
    size_t n = 0;
    for (const ws_warp_scheduler_ops *o; (o = ws_warp_scheduler_at(n)); n++) {
        assert_ptr_equal(ws_warp_scheduler_find(o->name), o);
        assert_non_null(o->options);
    }
    assert_true(n > 0);
    assert_null(ws_warp_scheduler_find("fifo"));
    n = 0;
    for (const ws_cta_scheduler_ops *o; (o = ws_cta_scheduler_at(n)); n++)
        assert_ptr_equal(ws_cta_scheduler_find(o->name), o);
    assert_true(n > 0);
    assert_null(ws_cta_scheduler_find("fifo"));
}

/* Slots are reused: age is by arrival, not by slot; and the last slot works. */
static void oldest_is_by_arrival(void **state)
{
    (void)state;
    mock m, n;
    const ws_warp_scheduler_ops *const gto = start(&m, "gto", 0, 0), *const lrr = start(&n, "lrr", 0, 0);
    gto->started(&m.s, 0, 5);
    gto->started(&m.s, 63, 2);
    const uint64_t both = UINT64_C(1) << 63 | 1;
    assert_int_equal(gto->choose(&m.s, both), 63);
    gto->issued(&m.s, 0, &alu_issue);
    assert_int_equal(gto->choose(&m.s, both), 0);
    gto->ended(&m.s, 0);
    gto->started(&m.s, 0, 6);
    assert_int_equal(gto->choose(&m.s, both), 63);
    lrr->issued(&n.s, 63, &alu_issue);
    assert_int_equal(lrr->choose(&n.s, both), 0);
    lrr->issued(&n.s, 0, &alu_issue);
    assert_int_equal(lrr->choose(&n.s, both), 63);
}

static void active_set_has_its_size(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, "two-level", 2, 0);
    for (unsigned i = 0; i < 5; i++)
        ops->started(&m.s, i, i);
    assert_int_equal(ops->choose(&m.s, 0x1c), -1); /* 2, 3, 4 are pending */
    ops->blocked(&m.s, 0);
    ops->blocked(&m.s, 0);
    assert_int_equal(ops->choose(&m.s, 0x1c), 2);
    ops->blocked(&m.s, 1);
    ops->blocked(&m.s, 2);
    ops->blocked(&m.s, 3);
    ops->unblocked(&m.s, 0);
    assert_int_equal(ops->choose(&m.s, 1), 0);
    ops->ended(&m.s, 4);
    ops->unblocked(&m.s, 3);
    assert_int_equal(ops->choose(&m.s, 8), 3);
}

/* ------------------------------------------------------------------------------------------------ what an SM tells */

/* A policy that only writes down what it is told and sees: loose round robin by slot. */
static struct {
    unsigned launched, started, ended, accessed, loaded, refusals;
    int reason;
    ws_load_fate fate[128];
    uint64_t block[128];
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

static void note_access(const ws_warp_scheduler *s, unsigned warp, uint32_t pc, uint64_t block, ws_load_fate fate)
{
    (void)s, (void)warp, (void)pc;
    told.block[told.accessed] = block;
    told.fate[told.accessed++] = fate;
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

static const ws_option none[] = {{NULL, NULL, 0, 0, 0, NULL}};
static const ws_warp_scheduler_ops probe = {.name = "probe",
                                            .options = none,
                                            .looks_ahead = true,
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

/* Answers each read that the SM sent `latency` cycles after it. */
static void answer_reads(ws_sm *sm, uint64_t latency)
{
    for (size_t i = 0; i < ws_sm_sent(sm); i++) {
        uint64_t cycle;
        ws_coherence_message m;
        memcpy(&m, ws_sm_sent_at(sm, i, &cycle), offsetof(ws_coherence_message, data));
        assert_int_equal(m.type, WS_MESSAGE_READ);
        m.type = WS_MESSAGE_FILL;
        assert_int_equal(ws_sm_deliver(sm, &m, cycle + latency), WS_OK);
    }
    ws_sm_take_sent(sm, ws_sm_sent(sm));
}

static ws_sm *probed_sm(ws_sm_shared *shared, ws_machine *m, script *s)
{
    ws_sm *sm;
    static ws_decoded decoded[INSTRS + 8];
    *shared = (ws_sm_shared){.machine = m,
                             .scheduler = &probe,
                             .file = ws_register_file_find("ideal"),
                             .atomics = ws_atomic_find("serial"),
                             .message_bytes = offsetof(ws_coherence_message, data),
                             .launch = &s->launch,
                             .decoded = decoded,
                             .source = &s->source};
    assert_int_equal(ws_plain_l1_create(m, &shared->cache[WS_SM_DATA]), WS_OK);
    assert_int_equal(ws_plain_texture_create(m, &shared->cache[WS_SM_TEXTURE]), WS_OK);
    assert_int_equal(ws_plain_constant_create(m, &shared->cache[WS_SM_CONSTANT]), WS_OK);
    for (int i = 0; i < WS_SM_CACHES; i++) {
        shared->latency[i] = 1;
        shared->line[i] = 128;
    }
    assert_int_equal(ws_decode_launch(&s->launch, m, decoded, &shared->registers), WS_OK);
    assert_int_equal(ws_sm_create(shared, 0, &sm), WS_OK);
    assert_int_equal(ws_sm_begin_launch(sm), WS_OK);
    return sm;
}

/* One block of two warps, four MSHRs. Warp 0 loads a line, then 8 lines of which that is one; warp 1 the same line as warp 0,
 * and looks around while both are under way; after its use of the load it loads the line again. */
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
    ws_sm *const sm = probed_sm(&shared, &m, s);
    assert_int_equal(told.launched, 1);
    assert_int_equal(ws_sm_start_block(sm, 0, 0), WS_OK);
    for (uint64_t now = 0; ws_sm_blocks(sm); now++) {
        assert_true(now < 2000);
        assert_int_equal(ws_sm_run(sm, now, now + 1), WS_OK);
        answer_reads(sm, 100);
    }
    assert_int_equal(told.started, 2);
    assert_int_equal(told.ended, 2);
    assert_int_equal(told.issues[LOAD], 2);
    assert_int_equal(told.issues[LOAD2], 2);
    assert_int_equal(told.issues[USE], 1);
    /* In the order in which the L1 took them: warp 0's load, its 8 lines behind it (the first waits for the same read, then
     * three reads, then no MSHR), warp 1's load, its second. */
    assert_int_equal(told.loaded, 4);
    assert_int_equal(told.accessed, 1 + 8 + 1 + 1);
    const ws_load_outcome *const first = &told.outcome[0], *const eight = &told.outcome[1];
    assert_int_equal(first->pc, LOAD);
    assert_true(first->lanes == 32 && first->touches == 1 && first->misses == 1 && !first->hits && !first->merged);
    assert_int_equal(eight->pc, LOAD2);
    assert_true(eight->touches == 8 && eight->misses == 7 && eight->merged == 1 && eight->hits == 0);
    assert_int_equal(told.fate[0], WS_LOAD_MISSED);
    assert_int_equal(told.fate[1], WS_LOAD_MERGED);
    for (unsigned i = 1; i < 9; i++)
        assert_int_equal(told.block[i], i - 1);
    assert_true(told.outcome[2].hits == 1 && told.outcome[3].hits == 1); /* the line has come by then */
    /* Line 4 finds no MSHR before line 0 is answered; line 5 not in the cycle behind that, as line 1 was asked for two cycles
     * behind line 0. From then on an answer comes in each cycle. */
    assert_int_equal(told.refusals, 2);
    assert_int_equal(told.reason, WS_REFUSED_MSHR);
    /* Warp 1 issued FREE in cycle 3, behind its load: that of warp 0 was issued in cycle 0, its access taken in cycle 1. */
    assert_ptr_equal(told.warp.instr, &script_instrs[FREE]);
    assert_int_equal(told.warp.block, 0);
    assert_int_equal(told.warp.index, 1);
    assert_int_equal(told.rank, 1);
    assert_int_equal(told.warp.accesses, 1);
    assert_int_equal(told.warp.misses, 0);
    assert_int_equal(told.sm.warps, 2);
    assert_int_equal(told.sm.blocks, 1);
    assert_int_equal(told.sm.mshrs, 4);
    assert_int_equal(told.sm.mshrs_free, 2); /* of line 0, and of line 1 in cycle 3 */
    assert_int_equal(told.sm.tags_used, 3);
    assert_int_equal(told.sm.queue_used, 2);
    assert_false(told.sm.refused);
    ws_sm_destroy(sm);
    for (int i = 0; i < WS_SM_CACHES; i++)
        shared.cache[i].ops->destroy(shared.cache[i].shared);
    s->source.ops->destroy(&s->source);
}

/* Two warps that share no line, with room for one of them in the L1: with both they drive one another's line out. */
static uint64_t misses_under(const char *scheduler, uint64_t limit)
{
    ws_machine m;
    ws_sim_sums sums;
    script_machine(&m, "none");
    m.chip_sms = 1;
    m.l1_sets = 1;
    m.l1_ways = 1;
    strcpy(m.sm_scheduler, scheduler);
    ws_given given = {.name = "limit", .value = limit};
    if (limit)
        m.scheduler = (ws_machine_options){.list = &given, .count = 1};
    script *const s = script_make(1, 64);
    for (unsigned i = 0; i < 8; i++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            script_add(s, 0, warp, LOAD, warp * 128);
            script_add(s, 0, warp, USE, 0);
        }
    ws_sim *const sim = script_sim(&m, NULL);
    if (script_run(sim, s, 1000))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums.l1.misses;
}

static void limiting_saves_misses(void **state)
{
    (void)state;
    assert_int_equal(misses_under("swl", 1), 2); /* the first load of each */
    assert_true(misses_under("swl", 2) > 8);
    assert_true(misses_under("gto", 0) > 8);
}

static void blocks_to_sms(void **state)
{
    (void)state;
    const ws_cta_scheduler_ops *const turn = ws_cta_scheduler_find("round-robin");
    const ws_cta_scheduler_ops *const least = ws_cta_scheduler_find("least-used");
    uint64_t memory[1] = {0};
    ws_cta_view sm[4] = {{true, 0, 4}, {true, 0, 2}, {false, 0, 0}, {true, 0, 2}};
    assert_true(turn->state_size(4) <= sizeof memory && least->state_size(4) <= sizeof memory);
    static const int expected[] = {0, 1, 3, 0, 1};
    for (uint64_t block = 0; block < 5; block++)
        assert_int_equal(turn->choose(memory, NULL, block, sm, 4), expected[block]);
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), 1);
    sm[1].room = false;
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), 3);
    for (unsigned i = 0; i < 4; i++)
        sm[i].room = false;
    assert_int_equal(turn->choose(memory, NULL, 0, sm, 4), -1);
    assert_int_equal(least->choose(memory, NULL, 0, sm, 4), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked_schedules),
        cmocka_unit_test(limit_is_of_those_that_do_not_wait),
        cmocka_unit_test(memory_has_an_owner),
        cmocka_unit_test(names),
        cmocka_unit_test(oldest_is_by_arrival),
        cmocka_unit_test(active_set_has_its_size),
        cmocka_unit_test(an_sm_tells_what_happens),
        cmocka_unit_test(limiting_saves_misses),
        cmocka_unit_test(blocks_to_sms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
