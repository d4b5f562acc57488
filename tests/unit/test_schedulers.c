/* Warp and block schedulers against schedules worked out by hand. */
#include "sim_script.h"

#include "model/sim/cta_scheduler.h"
#include "scheduler_mock.h"

#include <stdio.h>

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
    run("swl", 3, 2, 1, s); /* two are enough for that */
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
    run("oaws", 3, 0, 50, s); /* a load that is not known to be divergent is not held */
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
    run("ccws", 3, 8, 100, s); /* nothing is lost */
    assert_string_equal(s, "A1 A2 A3 B1 B2 B3 A4 C1 C2 C3 B4 - - C4 ");
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

/* ------------------------------------------------------------------------------------------------ interconnect-aware */

/* Warps as they stand at the SM: warp 0 before a load at pc 2, others before instructions that compute, of which that at pc 7
 * is known, as is the load. Turns begin with warp 0. */
static const ws_warp_scheduler_ops *start_ias(mock *m, unsigned warps, uint64_t stride, uint64_t interval)
{
    const ws_warp_scheduler_ops *const ops = start(m, "ias", stride, interval > 0);
    m->values[2] = interval;
    m->values[3] = 5;
    if (ops->launched)
        ops->launched(&m->s);
    for (unsigned i = 0; i < warps; i++) {
        m->warp[i] = (ws_warp_facts){.instr = i ? &alu : &load, .pc = i ? 7 : 2, .order = i};
        ops->started(&m->s, i, i);
    }
    ops->issued(&m->s, 1, &(ws_issue){.instr = &alu, .pc = 7});
    ops->issued(&m->s, WS_SM_WARPS - 1, &load_issue);
    return ops;
}

static void tell_misses(const ws_warp_scheduler_ops *ops, const mock *m, ws_load_fate fate, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        ops->accessed(&m->s, 0, &(ws_load_access){.pc = 2, .space = WS_SPACE_GLOBAL, .block = i, .fate = fate});
}

/* Issues that others get before warp 0 does, which is next in turn; all candidates can always issue. */
static unsigned issues_before_memory(const ws_warp_scheduler_ops *ops, mock *m, uint64_t candidates)
{
    unsigned n = 0;
    for (int warp; (warp = ops->choose(&m->s, candidates)) != 0; n++) {
        assert_true(n < 1000);
        ops->issued(&m->s, (unsigned)warp, &(ws_issue){.instr = m->warp[warp].instr, .pc = m->warp[warp].pc});
    }
    ops->issued(&m->s, 0, &load_issue);
    return n;
}

/* The next turn is warp 0's again. */
static void turn_to_memory(const ws_warp_scheduler_ops *ops, mock *m)
{
    ops->issued(&m->s, WS_SM_WARPS - 1, &load_issue);
}

static void phases_begin_with_the_stride(void **state)
{
    (void)state;
    for (unsigned stride = 1; stride <= 256; stride = stride * 2 - (stride == 128)) {
        mock m;
        const ws_warp_scheduler_ops *const ops = start_ias(&m, 64, stride, 0);
        tell_misses(ops, &m, WS_LOAD_HIT, 300);
        tell_misses(ops, &m, WS_LOAD_MERGED, 300);
        tell_misses(ops, &m, WS_LOAD_MISSED, stride - 1);
        assert_int_equal(ops->choose(&m.s, 3), 0);
        tell_misses(ops, &m, WS_LOAD_MISSED, 1);
        assert_int_equal(ops->choose(&m.s, 3), 1);
        tell_misses(ops, &m, WS_LOAD_MISSED, 1000); /* more do not make the phase longer */
        assert_int_equal(issues_before_memory(ops, &m, 3), 63);
        turn_to_memory(ops, &m);
        tell_misses(ops, &m, WS_LOAD_MISSED, stride - 1);
        assert_int_equal(ops->choose(&m.s, 3), 0);
    }
}

/* However much there is to compute: of 64 warps 63 issues go ahead of memory, of fewer warps fewer; then it is memory's turn. */
static void a_phase_hides_63_cycles_at_most(void **state)
{
    (void)state;
    static const unsigned warps[] = {2, 3, 8, 33, 64};
    for (unsigned i = 0; i < sizeof warps / sizeof *warps; i++)
        for (unsigned unknown = 0; unknown < 2; unknown++) {
            mock m;
            const ws_warp_scheduler_ops *const ops = start_ias(&m, warps[i], 1, 0);
            tell_misses(ops, &m, WS_LOAD_MISSED, 1);
            m.warp[1].pc += unknown;
            unsigned n = 0;
            for (; ops->choose(&m.s, 3) == 1; n++) {
                assert_true(n < warps[i]);
                ops->issued(&m.s, 1, &(ws_issue){.instr = &alu, .pc = m.warp[1].pc});
                m.warp[1].pc += unknown; /* instructions that nobody has issued */
            }
            assert_int_equal(n, warps[i] - 1);
        }
}

static void class_bits_are_learned(void **state)
{
    (void)state;
    mock m;
    ws_instr shared = load;
    shared.space = WS_SPACE_SHARED;
    const ws_warp_scheduler_ops *const ops = start_ias(&m, 4, 1, 0);
    m.warp[1].pc = 3;
    m.warp[3].pc = 2;
    tell_misses(ops, &m, WS_LOAD_MISSED, 1);
    assert_int_equal(ops->choose(&m.s, 0xf), 2); /* it computes */
    assert_int_equal(ops->choose(&m.s, 0xb), 1); /* unknown */
    assert_int_equal(ops->choose(&m.s, 0x9), 0); /* memory, in turn */
    ops->issued(&m.s, 1, &(ws_issue){.instr = &shared, .pc = 3});
    assert_int_equal(ops->choose(&m.s, 0x3), 0); /* shared memory is the memory unit, too; the phase goes on, in turn */
    assert_int_equal(ops->choose(&m.s, 0x6), 2);
    ops->issued(&m.s, 0, &(ws_issue){.instr = &load, .pc = 2}); /* down from unknown: the end */
    assert_int_equal(ops->choose(&m.s, 0xe), 1);
    /* Far apart in the launch, near in the table; another launch knows nothing. */
    tell_misses(ops, &m, WS_LOAD_MISSED, 1);
    m.warp[1].pc = 4;
    m.warp[2].pc = 2048 + 7;
    assert_int_equal(ops->choose(&m.s, 0x6), 2);
    ops->launched(&m.s);
    tell_misses(ops, &m, WS_LOAD_MISSED, 1);
    assert_int_equal(ops->choose(&m.s, 0x6), 1);
}

/* What computes is gone: the phase does not go on with what is unknown, nor with memory. */
static void a_phase_ends_when_it_goes_down(void **state)
{
    (void)state;
    for (unsigned down = 0; down < 2; down++) {
        mock m;
        const ws_warp_scheduler_ops *const ops = start_ias(&m, 64, 1, 0);
        tell_misses(ops, &m, WS_LOAD_MISSED, 1);
        ops->issued(&m.s, 1, &(ws_issue){.instr = &alu, .pc = 7});
        if (down)
            ops->issued(&m.s, 2, &(ws_issue){.instr = &alu, .pc = 100});
        else
            ops->issued(&m.s, 0, &load_issue);
        turn_to_memory(ops, &m);
        assert_int_equal(ops->choose(&m.s, 3), 0);
    }
}

/* While only memory is ready nothing is spent: the phase waits for something to go ahead. */
static void a_phase_waits_for_work(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_ias(&m, 64, 128, 0);
    tell_misses(ops, &m, WS_LOAD_MISSED, 128);
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(ops->choose(&m.s, 1), 0);
        ops->issued(&m.s, 0, &load_issue);
    }
    turn_to_memory(ops, &m);
    assert_int_equal(issues_before_memory(ops, &m, 3), 63);
}

/* Is there a phase in that cycle, with misses enough? Looks only. */
static bool is_phase(const ws_warp_scheduler_ops *ops, mock *m, uint64_t now)
{
    m->sm.now = now;
    tell_misses(ops, m, WS_LOAD_MISSED, 1);
    return ops->choose(&m->s, 3) == 1;
}

static void issue_memory(const ws_warp_scheduler_ops *ops, mock *m, uint64_t now, unsigned count)
{
    m->sm.now = now;
    for (unsigned i = 0; i < count; i++)
        ops->issued(&m->s, WS_SM_WARPS - 1, &load_issue);
}

/* Intervals of 100 cycles, of each five one with turns and one with phases. The launch began in cycle 0. */
static void the_better_way_stays(void **state)
{
    (void)state;
    for (unsigned phases = 0; phases < 3; phases++) {
        mock m;
        const ws_warp_scheduler_ops *const ops = start_ias(&m, 64, 1, 100);
        assert_false(is_phase(ops, &m, 99));
        issue_memory(ops, &m, 99, 8); /* behind the two of start_ias */
        assert_true(is_phase(ops, &m, 100));
        issue_memory(ops, &m, 199, 9 + phases);
        const bool better = phases > 0; /* as many are enough */
        assert_int_equal(is_phase(ops, &m, 200), better);
        assert_int_equal(is_phase(ops, &m, 499), better);
        assert_false(is_phase(ops, &m, 500)); /* measured again */
        assert_true(is_phase(ops, &m, 600));
        assert_true(is_phase(ops, &m, 700)); /* nobody issued in either */
        assert_int_equal(is_phase(ops, &m, 200), better); /* looking has changed nothing */
        issue_memory(ops, &m, 510, 3);
        assert_false(is_phase(ops, &m, 700));
        assert_true(is_phase(ops, &m, UINT64_C(1000000000000) + 100)); /* far ahead */
        assert_true(is_phase(ops, &m, UINT64_C(1000000000000) + 200)); /* the last rounds were empty */
    }
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
                             .consistency = ws_consistency_find("rc"),
                             .memory = ws_shared_memory_find("sram"),
                             .banks = 1,
                             .message_bytes = offsetof(ws_coherence_message, data),
                             .launch = &s->launch,
                             .decoded = decoded,
                             .source = &s->source};
    assert_int_equal(ws_plain_l1_create(m, &shared->cache[WS_SM_DATA]), WS_OK);
    assert_int_equal(ws_plain_texture_create(m, &shared->cache[WS_SM_TEXTURE]), WS_OK);
    assert_int_equal(ws_plain_constant_create(m, &shared->cache[WS_SM_CONSTANT]), WS_OK);
    const uint32_t line[] = {m->l1_line, m->texture_line, m->constant_line};
    for (int i = 0; i < WS_SM_CACHES; i++) {
        shared->latency[i] = 1;
        shared->line[i] = line[i];
    }
    assert_int_equal(ws_decode_launch(&s->launch, m, decoded, &shared->registers), WS_OK);
    assert_int_equal(ws_sm_create(shared, 0, &sm), WS_OK);
    assert_int_equal(ws_sm_begin_launch(sm), WS_OK);
    return sm;
}

static void run_alone(ws_sm *sm)
{
    for (uint64_t now = 0; ws_sm_ctas(sm); now++) {
        assert_true(now < 2000);
        if (ws_sm_run(sm, now, now + 1))
            fail_msg("%s", ws_message());
        answer_reads(sm, 100);
    }
}

static void destroy_alone(ws_sm *sm, ws_sm_shared *shared, script *s)
{
    ws_sm_destroy(sm);
    for (int i = 0; i < WS_SM_CACHES; i++)
        shared->cache[i].ops->destroy(shared->cache[i].shared);
    s->source.ops->destroy(&s->source);
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
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
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
    ws_sm *const sm = probed_sm(&shared, &m, s);
    assert_int_equal(ws_sm_start_cta(sm, 0, 0), WS_OK);
    run_alone(sm);
    assert_int_equal(told.accessed, sizeof space);
    for (unsigned i = 0; i < sizeof space; i++) {
        assert_int_equal(told.space[i], space[i]);
        assert_int_equal(told.fate[i], i + 1 < sizeof space ? WS_LOAD_MISSED : WS_LOAD_HIT);
    }
    assert_int_equal(told.loaded, 2); /* global and local */
    destroy_alone(sm, &shared, s);
}

/* Four MSHRs. Warps 0 and 1 load a line each, warp 2 four lines, warp 3 one; their accesses could be taken in cycles 1, 2, 3 to 6
 * and 7, and answers come 100 cycles later, one a cycle. */
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
    ws_sm *const sm = probed_sm(&shared, &m, s);
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

/* Two lines of warp 2 take the last MSHRs; the third waits from cycle 5 to 101, when the first answer is there, and with it
 * the fourth and warp 3's load, which would need only one. */
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

/* Sixteen warps that load ten lines each, with something to compute behind. */
static uint64_t cycles_under(const char *scheduler, uint64_t stride)
{
    ws_machine m;
    ws_sim_sums sums;
    script_machine(&m, "none");
    m.chip_sms = 1;
    strcpy(m.sm_scheduler, scheduler);
    ws_given given[] = {{.name = "adaptive", .value = 0}, {.name = "stride", .value = stride}};
    if (stride)
        m.scheduler = (ws_machine_options){.list = given, .count = 2};
    script *const s = script_make(1, 512);
    for (uint32_t i = 0; i < 160; i++) {
        script_add(s, 0, i % 16, LOAD, i * 128);
        for (unsigned k = 0; k < i % 7; k++)
            script_add(s, 0, i % 16, k % 2 ? ADD : FREE, 0);
        script_add(s, 0, i % 16, USE, 0);
    }
    ws_sim *const sim = script_sim(&m, NULL);
    if (script_run(sim, s, 1000))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    assert_int_equal(sums.l1.misses, 160);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums.cycles;
}

static void without_misses_it_takes_turns(void **state)
{
    (void)state;
    assert_int_equal(cycles_under("ias", 161), cycles_under("lrr", 0));
    assert_int_not_equal(cycles_under("ias", 1), cycles_under("lrr", 0));
}

static void bad_strides_are_refused(void **state)
{
    (void)state;
    static const ws_given bad[] = {{.name = "stride", .value = 0}, {.name = "stride", .value = 257}, {.name = "adaptive", .value = 2},
                                   {.name = "interval", .value = 0}, {.name = "resample", .value = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_machine m;
        ws_sim *sim;
        ws_given given = bad[i];
        script_machine(&m, "none");
        strcpy(m.sm_scheduler, "ias");
        m.scheduler = (ws_machine_options){.list = &given, .count = 1};
        assert_int_equal(ws_sim_create(&m, NULL, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), bad[i].name));
        assert_non_null(strstr(ws_message(), " to ")); /* the bounds */
    }
}

/* ------------------------------------------------------------------------------------------------ blocks */

/* A launch on four SMs, as a test says it is. */
typedef struct chip {
    uint32_t grid[3];
    ws_cta_sm sm[4];
    ws_cta_set left;
    uint64_t memory[32], values[4];
    ws_cta_scheduler s;
} chip;

static const ws_cta_scheduler_ops *give_out(chip *c, const char *name, uint32_t x, uint32_t y, uint32_t z)
{
    const ws_cta_scheduler_ops *const ops = ws_cta_scheduler_find(name);
    assert_non_null(ops);
    *c = (chip){.grid = {x, y, z}};
    assert_true(ops->state_size(4) <= sizeof c->memory);
    assert_int_equal(ws_cta_set_fill(&c->left, (uint64_t)x * y * z), WS_OK);
    c->s = (ws_cta_scheduler){
        .state = c->memory,
        .values = c->values,
        .view = {.grid = c->grid, .ctas = c->left.left, .left = &c->left, .sm = c->sm, .sms = 4, .chips = 1}};
    for (unsigned i = 0; i < 4; i++)
        c->sm[i].room = 1;
    return ops;
}

/* The policy's choices while there are some, as "SM:block ..."; each takes room. */
static void choices(const ws_cta_scheduler_ops *ops, chip *c, char *out)
{
    ws_cta_choice choice;
    *out = 0;
    while (c->left.left && ops->choose(&c->s, &choice)) {
        assert_true(choice.sm < 4 && c->sm[choice.sm].room && ws_cta_set_has(&c->left, choice.cta));
        assert_int_equal(ws_cta_set_take(&c->left, choice.cta), WS_OK);
        c->sm[choice.sm].room--;
        c->sm[choice.sm].warps += 2;
        out += sprintf(out, "%u:%llu ", choice.sm, (unsigned long long)choice.cta);
    }
}

static void blocks_to_sms(void **state)
{
    (void)state;
    chip c;
    char text[256];
    const ws_cta_scheduler_ops *ops = give_out(&c, "round-robin", 100, 1, 1);
    c.sm[0].room = c.sm[1].room = c.sm[3].room = 2;
    c.sm[2].room = 0;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:1 3:2 0:3 1:4 3:5 ");
    c.sm[1].room = c.sm[0].room = 1; /* the turn is SM 0's */
    choices(ops, &c, text);
    assert_string_equal(text, "0:6 1:7 ");
    ws_cta_set_fini(&c.left);

    ops = give_out(&c, "least-used", 100, 1, 1);
    c.sm[0].warps = 4;
    c.sm[1].warps = c.sm[3].warps = 3;
    c.sm[1].room = 2;
    c.sm[2].room = 0;
    choices(ops, &c, text);
    assert_string_equal(text, "1:0 3:1 0:2 1:3 ");
    ws_cta_set_fini(&c.left);
}

static void blocks_by_column(void **state)
{
    (void)state;
    chip c;
    char text[256];
    const ws_cta_scheduler_ops *const ops = give_out(&c, "column", 3, 2, 2);
    for (unsigned i = 0; i < 4; i++)
        c.sm[i].room = 3;
    choices(ops, &c, text); /* x = 0: blocks 0, 3 of z = 0, 6, 9 of z = 1 */
    assert_string_equal(text, "0:0 1:3 2:6 3:9 0:1 1:4 2:7 3:10 0:2 1:5 2:8 3:11 ");
    ws_cta_set_fini(&c.left);
    /* A trace that ends behind block 4. */
    give_out(&c, "column", 3, 2, 1);
    assert_int_equal(ws_cta_set_fill(&c.left, 5), WS_OK);
    c.s.view.ctas = 5;
    c.sm[0].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:3 2:1 3:4 0:2 ");
    ws_cta_set_fini(&c.left);
}

static void blocks_in_chunks(void **state)
{
    (void)state;
    chip c;
    char text[256];
    /* Rows of 3: SM 0 has room for one and a part, the others for one each. */
    const ws_cta_scheduler_ops *const ops = give_out(&c, "chunked", 3, 5, 1);
    c.sm[0].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 0:1 1:3 2:6 3:9 ");
    c.sm[2].room = 3; /* the rest of its row, then the last row */
    choices(ops, &c, text);
    assert_string_equal(text, "2:7 2:8 2:12 ");
    c.sm[0].room = c.sm[1].room = 3; /* no row is left: the rest of their own */
    choices(ops, &c, text);
    assert_string_equal(text, "0:2 1:4 1:5 ");
    ws_cta_set_fini(&c.left);
    /* The last chunks, as soon as they are fewer than SMs, go block by block: of 5 chunks of 2 the last three. */
    give_out(&c, "chunked", 10, 1, 1);
    c.values[0] = 2;
    c.values[1] = 1;
    for (unsigned i = 0; i < 4; i++)
        c.sm[i].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 0:1 1:2 1:3 2:4 3:5 2:6 3:7 ");
    ws_cta_set_fini(&c.left);
    /* ... which for one row is all of it. */
    give_out(&c, "chunked", 6, 1, 1);
    c.values[1] = 1;
    c.sm[0].room = 3;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:1 2:2 3:3 0:4 0:5 ");
    ws_cta_set_fini(&c.left);
}

/* --- what a machine tells --- */

static struct {
    unsigned starts, ends;
    uint64_t order[16], ended[16];
    bool gives_none;
} seen;

static size_t no_state(uint32_t sms)
{
    (void)sms;
    return 0;
}

/* From the end of the grid to its start, one at a time on each SM. */
static bool choose_last(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    for (uint32_t sm = 0; sm < s->view.sms && !seen.gives_none; sm++) {
        if (s->view.sm[sm].ctas)
            continue;
        assert_true(s->view.resident(s->view.of, sm, 0) == WS_NO_CTA);
        *choice = (ws_cta_choice){.cta = s->view.left->left - 1, .sm = sm};
        return true;
    }
    return false;
}

static void note_started(const ws_cta_scheduler *s, uint64_t block, uint32_t sm)
{
    assert_true(s->view.resident(s->view.of, sm, 0) == block);
    assert_int_equal(s->view.sm[sm].ctas, 1);
    seen.order[seen.starts++] = block;
}

static void note_ended(const ws_cta_scheduler *s, uint64_t block, uint32_t sm)
{
    assert_int_equal(s->view.sm[sm].ctas, 0);
    seen.ended[seen.ends++] = block;
}

static const ws_cta_scheduler_ops backwards = {.name = "backwards",
                                               .options = none,
                                               .state_size = no_state,
                                               .choose = choose_last,
                                               .started = note_started,
                                               .ended = note_ended};

static void a_machine_tells_of_blocks(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    const ws_sim_options options = {.cta = &backwards};
    script *const s = script_make(7, 32);
    for (uint32_t block = 0; block < 7; block++)
        for (unsigned i = 0; i < 20; i++)
            script_add(s, block, 0, FREE, 0);
    memset(&seen, 0, sizeof seen);
    ws_sim *sim = script_sim(&m, &options);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_destroy(sim);
    assert_int_equal(seen.starts, 7);
    assert_int_equal(seen.ends, 7);
    for (unsigned i = 0; i < 7; i++)
        assert_true(seen.order[i] == 6 - i && seen.ended[i] == 6 - i);
    /* One that gives out none is named, not waited for. */
    seen.gives_none = true;
    sim = script_sim(&m, &options);
    assert_int_equal(script_run(sim, s, 1000), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "cta_scheduler starts none of the blocks that are left"));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked_schedules),
        cmocka_unit_test(limit_is_of_those_that_do_not_wait),
        cmocka_unit_test(memory_has_an_owner),
        cmocka_unit_test(phases_begin_with_the_stride),
        cmocka_unit_test(a_phase_hides_63_cycles_at_most),
        cmocka_unit_test(class_bits_are_learned),
        cmocka_unit_test(a_phase_ends_when_it_goes_down),
        cmocka_unit_test(a_phase_waits_for_work),
        cmocka_unit_test(the_better_way_stays),
        cmocka_unit_test(names),
        cmocka_unit_test(oldest_is_by_arrival),
        cmocka_unit_test(active_set_has_its_size),
        cmocka_unit_test(an_sm_tells_what_happens),
        cmocka_unit_test(an_sm_tells_of_all_its_caches),
        cmocka_unit_test(a_load_of_many_lines_occludes),
        cmocka_unit_test(limiting_saves_misses),
        cmocka_unit_test(without_misses_it_takes_turns),
        cmocka_unit_test(bad_strides_are_refused),
        cmocka_unit_test(blocks_to_sms),
        cmocka_unit_test(blocks_by_column),
        cmocka_unit_test(blocks_in_chunks),
        cmocka_unit_test(a_machine_tells_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
