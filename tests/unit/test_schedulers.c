/* test_schedulers.c - warp schedulers against schedules worked out by hand. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

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
            if (at[i] == 3 && ready[i] == now && ops->unblocked)
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
            if (at[warp] == 3 && ops->blocked)
                ops->blocked(&m.s, (unsigned)warp);
            if (at[warp] == 4 && ops->ended)
                ops->ended(&m.s, (unsigned)warp);
            left -= at[warp] == 4;
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
    run("gty", 3, 0, 0, s);
    assert_string_equal(s, "C1 C2 C3 B1 B2 B3 C4 A1 A2 A3 B4 - - A4 ");
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
    /* Only the oldest may load: B and C get as far as their loads, and each has to wait for the end of the one before.
     */
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

/* A warp that always can issue keeps the others waiting for ever; with a patience none of three waits for longer than
 * that, but for the turns of the two others. */
static void patience_ends(void **state)
{
    (void)state;
    for (int youngest = 0; youngest < 2; youngest++)
        for (uint64_t patience = 0; patience < 20; patience += 10) {
            mock m;
            const ws_warp_scheduler_ops *const ops = start(&m, youngest ? "gty" : "gto", patience, 0);
            for (unsigned i = 0; i < 3; i++) {
                m.warp[i] = (ws_warp_facts){.instr = &alu, .order = i};
                ops->started(&m.s, i, i);
            }
            const unsigned favourite = youngest ? 2 : 0;
            uint64_t at[3] = {0};
            for (m.sm.now = 0; m.sm.now < 100; m.sm.now++) {
                const unsigned warp = (unsigned)ops->choose(&m.s, 7);
                ops->issued(&m.s, warp, &alu_issue);
                at[warp] = m.sm.now;
                if (!patience || m.sm.now < patience)
                    assert_int_equal(warp, favourite);
                for (unsigned i = 0; patience && i < 3; i++)
                    assert_true(m.sm.now - at[i] <= patience + 2);
            }
        }
    /* What a warp waited for before does not count. */
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, "gto", 10, 0);
    for (unsigned i = 0; i < 2; i++) {
        m.warp[i] = (ws_warp_facts){.instr = &alu, .order = i};
        ops->started(&m.s, i, i);
    }
    m.sm.now = 50;
    ops->issued(&m.s, 0, &alu_issue);
    ops->unblocked(&m.s, 1);
    m.sm.now = 59;
    assert_int_equal(ops->choose(&m.s, 3), 0);
    m.sm.now = 60;
    ops->issued(&m.s, 0, &alu_issue);
    assert_int_equal(ops->choose(&m.s, 3), 1);
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

/* ------------------------------------------------------------------------------------------------ interconnect-aware
 */

/* Warps as they stand at the SM: warp 0 before a load at pc 2, others before instructions that compute, of which that
 * at pc 7 is known, as is the load. Turns begin with warp 0. */
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

/* With `lanes` an access that misses is as many misses as lanes take part in it. */
static void a_stride_may_count_lanes(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_ias(&m, 64, 128, 0);
    const ws_load_access access = {
        .pc = 2, .space = WS_SPACE_GLOBAL, .block = 1, .lanes = UINT32_C(0xffffff), .fate = WS_LOAD_MISSED};
    m.values[4] = 1;
    for (unsigned i = 0; i < 5; i++)
        ops->accessed(&m.s, 0, &access); /* 120 */
    assert_int_equal(ops->choose(&m.s, 3), 0);
    ops->accessed(&m.s, 0, &access);
    assert_int_equal(ops->choose(&m.s, 3), 1);
    assert_int_equal(issues_before_memory(ops, &m, 3), 63);
    turn_to_memory(ops, &m);
    m.values[4] = 0;
    for (unsigned i = 0; i < 6; i++)
        ops->accessed(&m.s, 0, &access);
    assert_int_equal(ops->choose(&m.s, 3), 0);
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

/* However much there is to compute: of 64 warps 63 issues go ahead of memory, of fewer warps fewer; then it is memory's
 * turn. */
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
        assert_true(is_phase(ops, &m, 700));              /* nobody issued in either */
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
    for (const ws_warp_scheduler_kind *o; (o = ws_warp_scheduler_kind_at(n)); n++) {
        assert_ptr_equal(ws_warp_scheduler_kind_find(o->name), o);
        assert_non_null(o->options);
    }
    assert_true(n > 0);
    assert_null(ws_warp_scheduler_kind_find("fifo"));
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

/* Two warps that share no line, with room for one of them in the L1: with both they drive one another's line out. */
static uint64_t misses_under(const char *scheduler, uint64_t limit)
{
    ws_machine m;
    ws_sim_sums sums;
    script_machine(&m, "none");
    m.chip_sms = 1;
    m.l1_sets = 1;
    m.l1_ways = 1;
    machine_word(&m, sm_scheduler, scheduler);
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
    machine_word(&m, sm_scheduler, scheduler);
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
    static const ws_given bad[] = {{.name = "stride", .value = 0},
                                   {.name = "stride", .value = 257},
                                   {.name = "adaptive", .value = 2},
                                   {.name = "interval", .value = 0},
                                   {.name = "resample", .value = 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_machine m;
        ws_sim *sim;
        ws_given given = bad[i];
        script_machine(&m, "none");
        machine_word(&m, sm_scheduler, "ias");
        m.scheduler = (ws_machine_options){.list = &given, .count = 1};
        assert_int_equal(script_create(&m, NULL, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), bad[i].name));
        assert_non_null(strstr(ws_message(), " to ")); /* the bounds */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_worked_schedules),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(limit_is_of_those_that_do_not_wait),
        cmocka_unit_test(memory_has_an_owner),
        cmocka_unit_test(phases_begin_with_the_stride),
        cmocka_unit_test(a_stride_may_count_lanes),
        cmocka_unit_test(a_phase_hides_63_cycles_at_most),
        cmocka_unit_test(class_bits_are_learned),
        cmocka_unit_test(a_phase_ends_when_it_goes_down),
        cmocka_unit_test(a_phase_waits_for_work),
        cmocka_unit_test(the_better_way_stays),
        cmocka_unit_test(names),
        cmocka_unit_test(oldest_is_by_arrival),
        cmocka_unit_test(active_set_has_its_size),
        cmocka_unit_test(limiting_saves_misses),
        cmocka_unit_test(without_misses_it_takes_turns),
        cmocka_unit_test(bad_strides_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
