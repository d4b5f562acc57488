/* Warp schedulers that hold loads back: their arithmetic and their schedules, worked out by hand. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "scheduler_mock.h"

enum { PC = 2, COHERENT_PC = 9 };

/* Options of oaws, in its order. */
enum { MODE, SMR, ENTRIES, COUNT, FIRST, LEAST, MOST, CLAMP };
enum { STATIC, DYNAMIC, PROTECTED_LOADS, PROTECTED_ONLY };

/* ------------------------------------------------------------------------------------------------ occlusion-aware */

static void issue_load(const ws_warp_scheduler_ops *ops, mock *m, unsigned warp)
{
    const ws_warp_facts *const w = &m->warp[warp];
    ops->issued(&m->s, warp, &(ws_issue){.instr = &load, .pc = w->pc, .exec = w->exec, .data_load = true});
}

static void end_load(const ws_warp_scheduler_ops *ops, mock *m, unsigned warp, uint32_t touches, uint32_t misses)
{
    const ws_warp_facts *const w = &m->warp[warp];
    ops->loaded(&m->s, warp,
                &(ws_load_outcome){.pc = w->pc,
                                   .lanes = (uint32_t)__builtin_popcount(w->exec),
                                   .touches = touches,
                                   .hits = touches - misses,
                                   .misses = misses});
}

/* Warps by age, all before the load at PC with all lanes. Of the load at PC nothing is known. */
static const ws_warp_scheduler_ops *start_oaws(mock *m, unsigned mode, unsigned smr, unsigned warps)
{
    const ws_warp_scheduler_ops *const ops = start(m, "oaws", mode, smr);
    assert_int_equal(ops->configure(m->values), WS_OK);
    for (unsigned i = 0; i < warps; i++) {
        m->warp[i] = (ws_warp_facts){.instr = &load, .pc = PC, .exec = UINT32_MAX, .order = i, .data_load = true};
        m->sm.live |= UINT64_C(1) << i;
        ops->started(&m->s, i, i);
    }
    return ops;
}

/* A load of the oldest warp at PC was served so. */
static void teach(const ws_warp_scheduler_ops *ops, mock *m, uint32_t touches, uint32_t misses)
{
    issue_load(ops, m, 0);
    end_load(ops, m, 0, touches, misses);
}

static void lanes_of(mock *m, unsigned warp, unsigned lanes)
{
    m->warp[warp].exec = (uint32_t)((UINT64_C(1) << lanes) - 1);
}

/* The fewest free MSHRs with which the warp's load may go. */
static uint32_t needs(const ws_warp_scheduler_ops *ops, mock *m, unsigned warp)
{
    const uint32_t before = m->sm.mshrs_free;
    for (m->sm.mshrs_free = 0; m->sm.mshrs_free <= m->sm.mshrs && !ops->admits(&m->s, warp);)
        m->sm.mshrs_free++;
    const uint32_t found = m->sm.mshrs_free;
    m->sm.mshrs_free = before;
    return found;
}

static void a_fixed_part_of_lanes(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *ops = start_oaws(&m, STATIC, 50, 8);
    assert_int_equal(needs(ops, &m, 7), 0); /* nobody knows that it is divergent */
    teach(ops, &m, 32, 32);
    assert_int_equal(needs(ops, &m, 7), 16); /* whatever missed, whoever loads */
    assert_true(ops->admits(&m.s, 0));       /* 16 <= 32 - 0 */
    issue_load(ops, &m, 0);
    assert_true(ops->admits(&m.s, 1)); /* 16 <= 32 - 16 */
    issue_load(ops, &m, 1);
    assert_false(ops->admits(&m.s, 2)); /* 16 > 32 - 32 */
    lanes_of(&m, 2, 1);
    assert_false(ops->admits(&m.s, 2)); /* half a miss is one too many */
    end_load(ops, &m, 0, 32, 10);
    m.sm.mshrs_free = 22; /* both the free ones and those that are promised say what is under way: 22 - 16 */
    lanes_of(&m, 2, 12);
    assert_true(ops->admits(&m.s, 2));
    lanes_of(&m, 2, 13);
    assert_false(ops->admits(&m.s, 2));
    ops = start_oaws(&m, STATIC, 55, 4);
    teach(ops, &m, 32, 32);
    issue_load(ops, &m, 0);
    assert_false(ops->admits(&m.s, 1)); /* 17.6 > 14.4 */
    ops = start_oaws(&m, STATIC, 50, 4);
    teach(ops, &m, 32, 32);
    lanes_of(&m, 1, 10);
    assert_int_equal(needs(ops, &m, 1), 5);
    ops = start_oaws(&m, STATIC, 0, 4);
    teach(ops, &m, 32, 32);
    m.sm.mshrs_free = 0;
    m.warp[1].pc = COHERENT_PC;
    issue_load(ops, &m, 1);
    assert_true(ops->admits(&m.s, 0)); /* none is predicted, so nothing is held back */
}

/* Stores, what computes and loads of few blocks go, whatever is free; another launch knows no loads. */
static void only_divergent_loads_are_held(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_oaws(&m, STATIC, 100, 4);
    teach(ops, &m, 32, 32);
    m.sm.mshrs_free = 0;
    assert_false(ops->admits(&m.s, 0));
    assert_int_equal(pick_warp(ops, &m, 1), -1);
    m.warp[1].pc = COHERENT_PC;
    assert_int_equal(pick_warp(ops, &m, 3), 1);
    m.warp[2].instr = &alu;
    m.warp[2].data_load = false;
    assert_int_equal(pick_warp(ops, &m, 5), 2);
    ops->launched(&m.s);
    assert_true(ops->admits(&m.s, 0));
}

static void learned_by_load_and_rank(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *ops = start_oaws(&m, DYNAMIC, 0, 16);
    teach(ops, &m, 32, 8);               /* a quarter */
    for (unsigned i = 10; i < 16; i++) { /* six loads of one block each are on their way */
        m.warp[i].pc = COHERENT_PC;
        issue_load(ops, &m, i);
    }
    m.sm.mshrs_free = 20;
    assert_int_equal(needs(ops, &m, 0), 6 + 8);
    assert_int_equal(needs(ops, &m, 3), 6 + 8 + 3);
    assert_true(ops->admits(&m.s, 0) && ops->admits(&m.s, 3));
    assert_int_equal(needs(ops, &m, 5), 33); /* not protected: all of its lanes, and six are promised: not now */
    assert_false(ops->admits(&m.s, 5));
    lanes_of(&m, 5, 6);
    assert_true(ops->admits(&m.s, 5));
    lanes_of(&m, 5, 14);
    assert_true(ops->admits(&m.s, 5));
    lanes_of(&m, 5, 15);
    assert_false(ops->admits(&m.s, 5));
    ops = start_oaws(&m, DYNAMIC, 0, 16);
    teach(ops, &m, 30, 12); /* 0.4: 12.8 of 32, and the rank */
    assert_int_equal(needs(ops, &m, 3), 16);
    assert_int_equal(needs(ops, &m, 0), 13);
}

/* A prediction is never more than there can be free: the load goes once all is. */
static void predictions_are_clamped(void **state)
{
    (void)state;
    mock m;
    for (unsigned mode = STATIC; mode <= DYNAMIC; mode++) {
        const ws_warp_scheduler_ops *const ops = start_oaws(&m, mode, 100, 8);
        teach(ops, &m, 32, 32);
        assert_int_equal(needs(ops, &m, 1), 31); /* 32, or 33 */
        m.sm.mshrs = m.sm.mshrs_free = 4;
        assert_int_equal(needs(ops, &m, 7), 4);
        m.sm.mshrs = 64;
        m.values[CLAMP] = 64;
        assert_int_equal(needs(ops, &m, 1), mode == STATIC ? 32 : 33);
    }
}

/* Of the loads that the policy let go or held back: which of that was wrong? */
static void errors_are_counted(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_oaws(&m, STATIC, 50, 4);
    teach(ops, &m, 32, 32); /* predicted: one, as it was not known */
    assert_int_equal(m.counts.forecasts, 1);
    assert_int_equal(m.counts.forecast_misses, 1);
    assert_int_equal(m.counts.forecast_errors, 31);
    m.sm.mshrs_free = 10;
    ops->held(&m.s, 1);
    m.sm.mshrs_free = 5;
    ops->held(&m.s, 1);
    m.sm.mshrs_free = 32;
    issue_load(ops, &m, 1);
    end_load(ops, &m, 1, 32, 10); /* ten were free before */
    assert_int_equal(m.counts.forecasts, 2);
    assert_int_equal(m.counts.forecast_errors, 31 + 6);
    assert_int_equal(m.counts.false_blocks, 1);
    m.sm.mshrs_free = 10;
    ops->held(&m.s, 1);
    issue_load(ops, &m, 1);
    end_load(ops, &m, 1, 32, 11);
    issue_load(ops, &m, 1); /* was not held */
    end_load(ops, &m, 1, 32, 0);
    assert_int_equal(m.counts.false_blocks, 1);
    issue_load(ops, &m, 2);
    ops->loaded(&m.s, 2, &(ws_load_outcome){.pc = PC, .touches = 32, .misses = 32, .lacked_mshr = true});
    assert_int_equal(m.counts.false_admissions, 1);
}

/* Four warps at first, one more after enough loads that hit; who waits at a barrier is not counted. */
static void only_protected_warps(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_oaws(&m, PROTECTED_ONLY, 0, 8);
    m.values[COUNT] = 4;
    assert_int_equal(ops->choose(&m.s, 0xf0), -1);
    assert_int_equal(ops->choose(&m.s, 0xf8), 3);
    m.warp[1].waits_others = true;
    assert_int_equal(ops->choose(&m.s, 0xf0), 4);
    assert_int_equal(ops->choose(&m.s, 0xe0), -1);
    m.sm.mshrs_free = 0;
    teach(ops, &m, 32, 0);
    assert_int_equal(ops->choose(&m.s, 0xe0), -1);
    teach(ops, &m, 2, 2); /* of few blocks: nothing is learned */
    teach(ops, &m, 32, 0);
    assert_int_equal(ops->choose(&m.s, 0xe0), 5);
    assert_true(ops->admits(&m.s, 5)); /* nothing is predicted */
    assert_int_equal(m.counts.forecasts, 0);
    for (unsigned i = 0; i < 100; i++)
        teach(ops, &m, 32, 32);
    m.warp[1].waits_others = false;
    assert_int_equal(ops->choose(&m.s, 0xfe), -1); /* the least */
    assert_int_equal(ops->choose(&m.s, 1), 0);
}

/* ... or only their divergent loads. */
static void only_loads_of_protected_warps(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_oaws(&m, PROTECTED_LOADS, 0, 8);
    assert_int_equal(pick_warp(ops, &m, 0xf0), 4); /* not known to be divergent */
    teach(ops, &m, 32, 32);
    assert_int_equal(pick_warp(ops, &m, 0xf0), -1);
    assert_int_equal(pick_warp(ops, &m, 0xf8), 3);
    m.sm.mshrs_free = 0; /* whatever is free */
    assert_int_equal(pick_warp(ops, &m, 0xf8), 3);
    m.warp[6].pc = COHERENT_PC;
    assert_int_equal(pick_warp(ops, &m, 0xf0), 6);
    m.warp[0].waits_others = true;
    assert_int_equal(pick_warp(ops, &m, 0xf0), 4);
    assert_int_equal(m.counts.forecasts, 0);
}

static void options_that_contradict(void **state)
{
    (void)state;
    static const uint64_t bad[][3] = {{4, 5, 48}, {4, 1, 3}, {64, 1, 48}}; /* first, least, most */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_machine m;
        ws_sim *sim;
        ws_given given[] = {{.name = "first", .value = bad[i][0]},
                            {.name = "least", .value = bad[i][1]},
                            {.name = "most", .value = bad[i][2]}};
        script_machine(&m, "none");
        machine_word(&m, sm_scheduler, "oaws");
        m.scheduler = (ws_machine_options){.list = given, .count = 3};
        assert_int_equal(script_create(&m, NULL, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "first"));
    }
}

/* ------------------------------------------------------------------------------------------------ a schedule */

enum { TOY_WARPS = 3, TOY_MSHRS = 8, TOY_LATENCY = 12 };

/* One access a cycle, each of which takes an MSHR for 12 cycles; what comes back is there before others ask. */
typedef struct toy {
    mock m;
    uint64_t frees[64];                         /* cycle in which each of the MSHRs taken so far is free again */
    unsigned taken;                             /* so far */
    uint64_t first[TOY_WARPS], data[TOY_WARPS]; /* cycle of the first access; in which the last data are there */
    unsigned stalls;                            /* cycles in which an access found no MSHR */
} toy;

static void run_toy(const char *name, toy *t)
{
    static const unsigned lines[TOY_WARPS] = {6, 6, 2};
    *t = (toy){0};
    const ws_warp_scheduler_ops *const ops = start(&t->m, name, STATIC, 100);
    unsigned served = 0, left = TOY_WARPS;
    int busy = -1;
    for (unsigned i = 0; i < TOY_WARPS; i++) {
        t->m.warp[i] = (ws_warp_facts){.instr = &load, .pc = PC, .order = i, .data_load = true};
        lanes_of(&t->m, i, lines[i]);
        ops->started(&t->m.s, i, i);
    }
    t->m.sm = (ws_sm_facts){.mshrs = TOY_MSHRS, .mshrs_free = TOY_MSHRS, .live = 7};
    if (ops->loaded)
        teach(ops, &t->m, 6, 6);
    uint64_t waiting = 7;
    for (uint64_t now = 0; left; now++) {
        assert_true(now < 200);
        unsigned held = 0;
        for (unsigned i = 0; i < t->taken; i++)
            held += t->frees[i] > now;
        t->m.sm.mshrs_free = TOY_MSHRS - held;
        if (busy < 0 && (busy = pick_warp(ops, &t->m, waiting)) >= 0) {
            ops->issued(&t->m.s, (unsigned)busy,
                        &(ws_issue){.instr = &load, .pc = PC, .exec = t->m.warp[busy].exec, .data_load = true});
            waiting &= ~(UINT64_C(1) << busy);
            served = 0;
        }
        if (busy < 0)
            continue;
        if (!t->m.sm.mshrs_free) {
            t->stalls++;
            continue;
        }
        if (!served)
            t->first[busy] = now;
        t->frees[t->taken++] = now + TOY_LATENCY;
        if (++served < lines[busy])
            continue;
        t->data[busy] = now + TOY_LATENCY;
        if (ops->loaded)
            end_load(ops, &t->m, (unsigned)busy, served, served);
        busy = -1;
        left--;
        if (!waiting)
            break;
    }
}

/* The first load takes six of eight MSHRs. Oldest first, the second one takes the last two, waits, and the third waits
 * behind it; held back, it lets the third go, and nobody waits in the unit. */
static void a_short_load_goes_ahead(void **state)
{
    (void)state;
    toy t;
    run_toy("gto", &t);
    assert_int_equal(t.stalls, 4);
    assert_true(t.first[0] == 0 && t.first[1] == 6 && t.first[2] == 16);
    assert_true(t.data[0] == 17 && t.data[1] == 27 && t.data[2] == 29);
    run_toy("oaws", &t);
    assert_int_equal(t.stalls, 0);
    assert_true(t.first[0] == 0 && t.first[2] == 6 && t.first[1] == 17);
    assert_true(t.data[0] == 17 && t.data[2] == 19 && t.data[1] == 34);
}

/* ------------------------------------------------------------------------------------------------ lost locality */

static void miss(const ws_warp_scheduler_ops *ops, mock *m, unsigned warp, uint64_t block, ws_load_fate fate)
{
    ops->accessed(&m->s, warp, &(ws_load_access){.pc = PC, .space = WS_SPACE_GLOBAL, .block = block, .fate = fate});
}

static const ws_warp_scheduler_ops *start_ccws(mock *m, unsigned warps)
{
    const ws_warp_scheduler_ops *const ops = start(m, "ccws", 8, 100);
    for (unsigned i = 0; i < warps; i++) {
        m->warp[i] = (ws_warp_facts){.instr = &load, .pc = PC, .exec = UINT32_MAX, .order = i, .data_load = true};
        m->sm.live |= UINT64_C(1) << i;
        ops->started(&m->s, i, i);
    }
    return ops;
}

static uint64_t may_load(const ws_warp_scheduler_ops *ops, const mock *m, unsigned warps)
{
    uint64_t may = 0;
    for (unsigned i = 0; i < warps; i++)
        may |= (uint64_t)ops->admits(&m->s, i) << i;
    return may;
}

/* Four warps: together 400. In 16 instructions a tag was found: 1 / 16 * 8 * 400 = 200 for its warp, and 100 each for
 * two of the others, the older ones. Two tags: 400, and nothing for the others. A hundred cycles later one of them may
 * load again. */
static void lost_locality_holds_others_back(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_ccws(&m, 4);
    for (unsigned i = 0; i < 16; i++)
        ops->issued(&m.s, i % 4, &alu_issue);
    assert_int_equal(may_load(ops, &m, 4), 0xf);
    ops->evicted(&m.s, 2, 77);
    miss(ops, &m, 2, 77, WS_LOAD_HIT);
    miss(ops, &m, 2, 77, WS_LOAD_MERGED);
    miss(ops, &m, 2, 78, WS_LOAD_MISSED);
    miss(ops, &m, 1, 77, WS_LOAD_MISSED); /* another's */
    assert_int_equal(may_load(ops, &m, 4), 0xf);
    miss(ops, &m, 2, 77, WS_LOAD_MISSED);
    assert_int_equal(may_load(ops, &m, 4), 0x7);
    assert_int_equal(pick_warp(ops, &m, 0x8), -1);
    m.warp[3].data_load = false; /* a store, or what computes, may go */
    assert_int_equal(pick_warp(ops, &m, 0x8), 3);
    m.warp[3].data_load = true;
    miss(ops, &m, 2, 77, WS_LOAD_MISSED); /* the tag has left */
    assert_int_equal(may_load(ops, &m, 4), 0x7);
    ops->evicted(&m.s, 2, 79);
    miss(ops, &m, 2, 79, WS_LOAD_MISSED);
    assert_int_equal(may_load(ops, &m, 4), 0x4);
    m.sm.now = 99;
    assert_int_equal(may_load(ops, &m, 4), 0x4);
    m.sm.now = 100;
    assert_int_equal(may_load(ops, &m, 4), 0x5);
    m.sm.now = 300; /* all are at the base */
    assert_int_equal(may_load(ops, &m, 4), 0xf);
    m.sm.now = 1000000;
    assert_int_equal(may_load(ops, &m, 4), 0xf);
}

/* Who waits at a barrier has the most to lose, and holds nobody back. */
static void barriers_hold_nobody_back(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_ccws(&m, 4);
    ops->issued(&m.s, 0, &alu_issue);
    ops->evicted(&m.s, 2, 77);
    miss(ops, &m, 2, 77, WS_LOAD_MISSED);
    assert_int_equal(may_load(ops, &m, 4), 0x4);
    m.warp[2].waits_others = true;
    assert_int_equal(may_load(ops, &m, 4) & 0xb, 0xb);
}

/* 16 tags of a warp, half of them for even blocks: of nine of these the first has left. A warp that begins has none. */
static void tags_are_few(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start_ccws(&m, 2);
    ops->issued(&m.s, 0, &alu_issue);
    for (uint64_t block = 0; block < 18; block += 2)
        ops->evicted(&m.s, 1, block);
    ops->evicted(&m.s, 1, 1);
    ops->evicted(&m.s, 1, 16); /* is there */
    miss(ops, &m, 1, 0, WS_LOAD_MISSED);
    assert_int_equal(may_load(ops, &m, 2), 3);
    miss(ops, &m, 1, 2, WS_LOAD_MISSED); /* 1 / 1 * 8 * 200: more than all; the first in the order may load */
    assert_int_equal(may_load(ops, &m, 2), 2);
    ops->started(&m.s, 1, 9);
    m.warp[1].order = 9;
    assert_int_equal(may_load(ops, &m, 2), 3);
    miss(ops, &m, 1, 4, WS_LOAD_MISSED);
    assert_int_equal(may_load(ops, &m, 2), 3);
}

/* Two warps that share no line, and an L1 with one: only the L1 can tell what was driven out. */
static void the_l1_tells_what_it_gave_up(void **state)
{
    (void)state;
    uint64_t misses[2];
    for (unsigned i = 0; i < 2; i++) {
        ws_machine m;
        ws_sim_sums d;
        script_machine(&m, "none");
        m.chip_sms = 1;
        m.l1_sets = 1;
        m.l1_ways = 2;
        machine_word(&m, sm_scheduler, i ? "ccws" : "gto");
        script *const s = script_make(1, 96);
        for (unsigned k = 0; k < 64; k++)
            for (uint32_t warp = 0; warp < 3; warp++) {
                script_add(s, 0, warp, LOAD, warp * 128);
                script_add(s, 0, warp, USE, 0);
            }
        ws_sim *const sim = script_sim(&m, NULL);
        assert_int_equal(script_run(sim, s, 1000), WS_OK);
        ws_sim_sum(sim, &d);
        misses[i] = d.l1.misses;
        assert_true(i ? d.sm.held > 0 : d.sm.held == 0);
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
    if (misses[1] * 2 > misses[0])
        fail_msg("%llu misses with ccws, %llu with gto", (unsigned long long)misses[1], (unsigned long long)misses[0]);
}

/* What no L1 under a protocol does is refused, with the option. */
static void protocols_are_refused(void **state)
{
    (void)state;
    ws_given queue = {.name = "reexecute", .value = 4};
    for (unsigned i = 0; i < 3; i++) {
        ws_machine m;
        ws_sim *sim;
        script_machine(&m, "bl");
        machine_word(&m, sm_scheduler, i ? "mascar" : "ccws");
        m.scheduler = (ws_machine_options){.list = &queue, .count = i == 1};
        if (i == 2) {
            assert_int_equal(script_create(&m, NULL, &sim), WS_OK); /* without its queue */
            ws_sim_destroy(sim);
            continue;
        }
        assert_int_equal(script_create(&m, NULL, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), m.sm_scheduler->name));
        assert_non_null(strstr(ws_message(), "coherence.protocol bl"));
    }
}

/* ------------------------------------------------------------------------------------------------ footprints */

/* An L1 of 100 lines: of warps with one load of 32 lines and one line besides, three fit; with two such loads, one. */
static void footprints_fill_the_l1(void **state)
{
    (void)state;
    mock m;
    const ws_warp_scheduler_ops *const ops = start(&m, "daws", 100, 32);
    m.sm.lines = 100;
    for (unsigned i = 0; i < 6; i++) {
        m.warp[i] = (ws_warp_facts){
            .instr = &load, .pc = PC, .exec = UINT32_MAX, .active = UINT32_MAX, .order = i, .data_load = true};
        m.sm.live |= UINT64_C(1) << i;
        ops->started(&m.s, i, i);
    }
    assert_int_equal(may_load(ops, &m, 6), 0x3f); /* a line each */
    end_load(ops, &m, 0, 32, 32);
    assert_int_equal(may_load(ops, &m, 6), 0x07);
    m.warp[1].active = 0xff; /* 33 + 9 + 33 */
    assert_int_equal(may_load(ops, &m, 6), 0x07);
    m.warp[3].active = 0xff; /* ... + 9 */
    assert_int_equal(may_load(ops, &m, 6), 0x0f);
    m.warp[0].waits_others = true; /* 9 + 33 + 9 + 33 */
    assert_int_equal(may_load(ops, &m, 6), 0x1f);
    m.warp[4].data_load = m.warp[5].data_load = false;
    assert_int_equal(may_load(ops, &m, 6), 0x3f);
    m.warp[0].waits_others = false;
    m.warp[1].pc = PC + 1;
    end_load(ops, &m, 1, 8, 8); /* another load: 65, 17, 65 */
    assert_int_equal(may_load(ops, &m, 6) & 0xf, 0x3);
    m.sm.lines = 1; /* the oldest may always load */
    assert_int_equal(may_load(ops, &m, 6) & 0xf, 0x1);
    ops->launched(&m.s);
    m.sm.lines = 100;
    assert_int_equal(may_load(ops, &m, 6) & 0xf, 0xf);
}

/* ------------------------------------------------------------------------------------------------ limits, the queue of
 * Mascar */

/* Two schedulers with two warps each: among their own one is the oldest, of the SM only warp 0. */
static void limits_of_an_sm(void **state)
{
    (void)state;
    mock m[2];
    for (unsigned scope = 0; scope < 2; scope++) {
        uint64_t may = 0;
        for (unsigned scheduler = 0; scheduler < 2; scheduler++) {
            mock *const s = &m[scheduler];
            const ws_warp_scheduler_ops *const ops = start(s, "swl", 1, 0);
            s->values[2] = scope;
            s->sm.live = 0xf;
            for (unsigned i = 0; i < 4; i++)
                s->warp[i] = (ws_warp_facts){.instr = &load, .order = i};
            for (unsigned i = scheduler; i < 4; i += 2)
                ops->started(&s->s, i, i);
            for (unsigned i = scheduler; i < 4; i += 2)
                may |= (uint64_t)ops->admits(&s->s, i) << i;
        }
        assert_int_equal(may, scope ? 1 : 3);
    }
}

/* Warp 0 brings a line; warp 1 loads eight others, of which four find no MSHR; warp 2 then loads warp 0's line again
 * and again. Aside, the four let it pass. */
static ws_sim_sums run_aside(unsigned places)
{
    ws_machine m;
    ws_sim_sums d;
    ws_given queue = {.name = "reexecute", .value = places};
    script_machine(&m, "none");
    m.chip_sms = 1;
    m.l1_mshrs = 4;
    machine_word(&m, sm_scheduler, "mascar");
    m.scheduler = (ws_machine_options){.list = &queue, .count = 1};
    script *const s = script_make(1, 96);
    for (unsigned warp = 0; warp < 3; warp++) { /* all begin with the line in the L1 */
        script_add(s, 0, warp, LOAD, 0);
        script_add(s, 0, warp, USE, 0);
        script_add(s, 0, warp, BARRIER, 0);
    }
    script_add(s, 0, 1, LOAD, 1 << 16)->stride = 32;
    for (unsigned i = 0; i < 4; i++)
        script_add(s, 0, 2, FREE, 0);
    for (unsigned i = 0; i < 3; i++)
        script_add(s, 0, 2, LOAD, 0);
    script_add(s, 0, 2, USE, 0);
    ws_sim *const sim = script_sim(&m, NULL);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_sum(sim, &d);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return d;
}

static void hits_pass_what_waits(void **state)
{
    (void)state;
    const ws_sim_sums without = run_aside(0), few = run_aside(2), with = run_aside(32);
    assert_int_equal(without.sm.load_store_aside, 0);
    assert_true(without.sm.coherent_occlusion > 100);
    assert_true(few.sm.load_store_aside >= 2 && few.sm.coherent_occlusion > 100); /* two of four have no place */
    assert_true(with.sm.load_store_aside >= 4);
    assert_true(with.sm.coherent_occlusion < without.sm.coherent_occlusion / 4);
    assert_int_equal(with.l1.misses, without.l1.misses);
    assert_int_equal(with.l1.loads, without.l1.loads);
    assert_int_equal(with.sm.load_requests, without.sm.load_requests);
    assert_true(with.sm.load_store_mshr < without.sm.load_store_mshr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fixed_part_of_lanes),
        cmocka_unit_test(only_divergent_loads_are_held),
        cmocka_unit_test(learned_by_load_and_rank),
        cmocka_unit_test(predictions_are_clamped),
        cmocka_unit_test(errors_are_counted),
        cmocka_unit_test(only_protected_warps),
        cmocka_unit_test(only_loads_of_protected_warps),
        cmocka_unit_test(options_that_contradict),
        cmocka_unit_test(a_short_load_goes_ahead),
        cmocka_unit_test(lost_locality_holds_others_back),
        cmocka_unit_test(barriers_hold_nobody_back),
        cmocka_unit_test(tags_are_few),
        cmocka_unit_test(the_l1_tells_what_it_gave_up),
        cmocka_unit_test(protocols_are_refused),
        cmocka_unit_test(footprints_fill_the_l1),
        cmocka_unit_test(limits_of_an_sm),
        cmocka_unit_test(hits_pass_what_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
