/* Closed forms of coherence traffic: a profile worked out by hand, and random launches against the functional replay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/coherence/closed_form.h"
#include "model/coherence/log_replay.h"
#include "model/instruction_times.h"
#include "tests/unit/events.h"

static ws_closed_machine machine(const char *protocol, uint32_t sms)
{
    ws_closed_machine m = {.coherence = ws_coherence_defaults,
                           .sizes = ws_message_default_sizes,
                           .room.threads = 1536,
                           .room.blocks = 4,
                           .room.registers = 32768,
                           .room.shared = 49152,
                           .issue = 1,
                           .l1_ports = 1,
                           .slices = 8,
                           .network_flits = 1,
                           .answer_flits = 1,
                           .memory_bytes = 128,
                           .l1_cycles = 1,
                           .l2_cycles = 100,
                           .memory_cycles = 200,
                           .hops = 4,
                           .schedulers = 1,
                           .mshrs = WS_PROFILE_MSHRS,
                           .shared_passes = 1};
    m.coherence.protocol = protocol;
    m.coherence.sms = sms;
    m.coherence.lease = ws_coherence_is_physical(protocol) ? 400 : 10;
    return m;
}

/* The machine whose times are in profiles. */
static ws_closed_machine profiled_machine(const char *protocol)
{
    ws_closed_machine m = machine(protocol, 16);
    m.aging = m.holds = m.striped = true;
    m.slices = WS_PROFILE_SLICES;
    m.memory_bytes = INFINITY;
    m.l1_cycles = WS_PROFILE_HIT_CYCLES;
    m.l2_cycles = WS_PROFILE_L2_CYCLES;
    m.memory_cycles = WS_PROFILE_MEMORY_CYCLES;
    m.refill_cycles = WS_TIME_REFILL;
    m.coherence.l1_sets = WS_PROFILE_SETS;
    m.coherence.l1_ways = WS_PROFILE_WAYS;
    return m;
}

static ws_closed_result predict(const ws_closed_machine *m, const ws_traffic_profile *p)
{
    ws_closed_form *form;
    ws_closed_result r = {0};
    assert_int_equal(ws_closed_form_create(m, &form), WS_OK);
    assert_int_equal(ws_closed_form_add(form, "kernel", p, &r), WS_OK);
    ws_closed_form_destroy(form);
    return r;
}

/* 100 loads: 60 at distance 0, of which 12 find an expired copy (7 good ones), 20 at 4 and 5, 20 cold. 10 stores of 8
 * words. Half of the launch is kept. */
static ws_traffic_profile by_hand(void)
{
    ws_traffic_profile p = {.blocks = 32, .warps_per_block = 2, .threads_per_block = 64, .kept_blocks = 16};
    p.kept = (ws_log_totals){.instructions = 1000, .accesses = 110, .loads = 100, .stores = 10};
    p.kept.store_words[8] = 10;
    p.total = (ws_log_totals){.instructions = 2000, .accesses = 220, .loads = 200, .stores = 20};
    p.total.store_words[8] = 20;
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        ws_traffic_rung *const r = &p.rung[i];
        r->bin[0] = (ws_reuse_bin){.flushed = 6};
        for (unsigned pass = 0; pass < WS_PROFILE_PASSES; pass++) {
            r->bin[0].loads[pass] = 60;
            r->bin[4].loads[pass] = r->bin[WS_PROFILE_BINS - 1].loads[pass] = 20;
        }
        for (unsigned k = 0; k < WS_PROFILE_LOGICS; k++) {
            r->bin[0].renewed[k] = 7 + k;
            r->bin[0].refilled[k] = 5;
        }
        for (unsigned k = 0; k < WS_PROFILE_LEASES; k++) {
            r->bin[0].aged[k] = 30 - 5 * k;
            r->bin[0].gone[k] = 36 - 5 * k;
            r->bin[0].late[k] = 50 - 5 * k;
            r->bin[0].late[WS_PROFILE_LEASES + k] = 60 - 5 * k;
            r->late_cycles[k] = 1000;
            r->late_cycles[WS_PROFILE_LEASES + k] = 2000;
        }
        r->late_cycles[2 * WS_PROFILE_LEASES] = 1500;
        r->late_cycles[2 * WS_PROFILE_LEASES + 1] = 1700;
        for (unsigned k = 0; k < WS_GROUP_MISSES; k++)
            r->groups[k][0] = r->groups[k][WS_PROFILE_BINS - 1] = 20;
        r->group_slack[0] = 40;
        r->l2_misses = 15;
        r->writebacks = 2;
        r->last_ts = 33001;
        r->store_wait[2] = 50;
    }
    return p;
}

static void counts_by_hand(void **state)
{
    (void)state;
    const ws_traffic_profile p = by_hand();
    static const struct {
        const char *protocol;
        double reads, renewals, read_bytes, fill_bytes, write_bytes, ack_bytes;
    } expected[] = {
        {"bl", 200, 0, 8, 136, 40, 8},
        {"noncoherent", 80, 0, 8, 136, 40, 8},
        {"vi", 92, 0, 8, 136, 40, 8},
        {"tc-strong", 80 + 52, 0, 8, 140, 40, 8},
        {"tc-weak", 80 + 40, 0, 8, 140, 40, 12},
        {"gtsc-sc", 104, 14, 12, 140, 44, 12},
        {"gtsc-rc", 104, 14, 12, 140, 44, 12},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ws_closed_machine m = machine(expected[i].protocol, 16);
        const ws_closed_result r = predict(&m, &p);
        const double fills = expected[i].reads - expected[i].renewals;
        assert_float_equal(r.messages[WS_MESSAGE_READ], expected[i].reads, 1e-9);
        assert_float_equal(r.messages[WS_MESSAGE_RENEW], expected[i].renewals, 1e-9);
        assert_float_equal(r.messages[WS_MESSAGE_FILL], fills, 1e-9);
        assert_float_equal(r.messages[WS_MESSAGE_WRITE], 20, 1e-9);
        assert_float_equal(r.messages[WS_MESSAGE_ACK], 20, 1e-9);
        assert_float_equal(r.network_bytes,
                           expected[i].reads * expected[i].read_bytes + fills * expected[i].fill_bytes +
                               expected[i].renewals * 10 + 20 * (expected[i].write_bytes + expected[i].ack_bytes),
                           1e-6);
        assert_float_equal(r.l1_hits, 200 - expected[i].reads, 1e-9);
        assert_float_equal(r.memory_reads, 30, 1e-9);
        assert_float_equal(r.memory_writes, 4, 1e-9);
        assert_float_equal(r.flit_hops, 4 * r.network_flits, 1e-9);
        assert_float_equal(r.stall_cycles, !strcmp(expected[i].protocol, "tc-strong") ? 100 : 0, 1e-9);
        assert_float_equal(r.issue_cycles, 2000 / 16., 1e-9);
        assert_true(r.cycles >= r.issue_cycles && r.cycles >= r.network_cycles);
    }
}

static void larger_and_smaller_caches(void **state)
{
    (void)state;
    const ws_traffic_profile p = by_hand();
    static const struct {
        uint32_t sets, ways;
        double reads;
    } expected[] = {{32, 4, 80}, {32, 5, 60}, {32, 6, 40}, {64, 3, 40}, {16, 2, 80}, {32, 64, 40}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ws_closed_machine m = machine("noncoherent", 16);
        m.coherence.l1_sets = expected[i].sets;
        m.coherence.l1_ways = expected[i].ways;
        assert_float_equal(predict(&m, &p).messages[WS_MESSAGE_READ], expected[i].reads, 1e-9);
    }
}

/* Between two leases that were measured, half way on the scale of logarithms. */
static void other_leases(void **state)
{
    (void)state;
    const ws_traffic_profile p = by_hand();
    ws_closed_machine m = machine("tc-weak", 16);
    m.coherence.lease = 283; /* 200 sqrt 2 */
    assert_float_equal(predict(&m, &p).expired, 2 * 22.5, 0.01);
    for (uint32_t lease = 1; lease < 50; lease++) {
        m = machine("gtsc-rc", 16);
        m.coherence.lease = lease;
        const ws_closed_result r = predict(&m, &p);
        assert_float_equal(r.messages[WS_MESSAGE_READ], 104, 1e-9);
        assert_float_equal(r.timestamps, 66000 * (lease + 1) / 11., 1e-6);
        assert_float_equal(r.resets, (double)(6000 * (lease + 1) / 65535), 0);
    }
}

/* With time, rows are those of the profile's clocks. On the machine of the profile leases are its leases, on a slower
 * one they are shorter. */
static void leases_age(void **state)
{
    (void)state;
    const ws_traffic_profile p = by_hand();
    static const struct {
        const char *protocol;
        double expired, cycles;
    } expected[] = {
        {"tc-weak", 2 * 40, 2000}, {"tc-strong", 2 * 50, 4000}, {"gtsc-rc", 2 * 13, 3000}, {"gtsc-sc", 2 * 14, 3400}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ws_closed_machine m = profiled_machine(expected[i].protocol);
        ws_closed_result r = predict(&m, &p);
        assert_float_equal(r.expired, expected[i].expired, 1e-9);
        assert_float_equal(r.cycles, expected[i].cycles, 1e-6);
        m.l2_cycles *= 3;
        r = predict(&m, &p);
        assert_true(r.cycles > expected[i].cycles);
        const double more = r.expired - expected[i].expired;
        assert_true(ws_coherence_is_physical(expected[i].protocol) ? more > 1 : fabs(more) < 1e-9);
    }
}

/* What fences cost is in profiles for some costs: straight between them, from nothing on and beyond. A slower machine's
 * take as many of its cycles. */
static void fences_cost(void **state)
{
    (void)state;
    ws_traffic_profile p = by_hand();
    p.kept.wide_fences = 8;
    p.total.wide_fences = 16;
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++)
        for (unsigned k = 0; k < WS_PROFILE_FENCES; k++) {
            p.rung[i].fence_cycles[WS_FENCE_BESIDE][k] = 3 * ws_profile_fence[k];
            p.rung[i].fence_cycles[WS_FENCE_TURNS][k] = (k + 4) * ws_profile_fence[k];
        }
    const double low = ws_profile_fence[0], high = ws_profile_fence[1];
    const struct {
        double cost, beside, turns;
    } expected[] = {{0, 0, 0},
                    {low / 2, 3 * low / 2, 4 * low / 2},
                    {low, 3 * low, 4 * low},
                    {(low + high) / 2, 3 * (low + high) / 2, (4 * low + 5 * high) / 2},
                    {2 * high - low, 3 * (2 * high - low), 10 * high - 4 * low}};
    ws_closed_machine m = profiled_machine("gtsc-rc");
    for (unsigned slow = 0; slow < 2; slow++) {
        m.l2_cycles *= 1 + 2 * slow;
        m.fence_cycles = 0;
        const double before = predict(&m, &p).cycles;
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            m.fence_cycles = expected[i].cost;
            m.fence_turns = false;
            const ws_closed_result beside = predict(&m, &p);
            m.fence_turns = true;
            const ws_closed_result turns = predict(&m, &p);
            assert_float_equal(beside.fence_cycles, 2 * expected[i].beside, 1e-6);
            assert_true(fabs(beside.cycles - before - beside.fence_cycles) < 1e-6);
            assert_true(fabs(turns.cycles - before - turns.fence_cycles) < 1e-6);
            assert_true(slow || fabs(turns.fence_cycles - 2 * expected[i].turns) < 1e-6);
        }
    }
}

/* The time of a profile is that of channels of 32 bytes: narrower ones take longer, wider ones no longer, whatever the
 * machine counts as a flit. */
static void channel_widths(void **state)
{
    (void)state;
    const ws_traffic_profile p = by_hand();
    double before = INFINITY;
    for (uint32_t width = 4; width <= 128; width *= 2) {
        ws_closed_machine m = machine("gtsc-rc", 16);
        m.aging = true;
        m.network_flits = m.answer_flits = 10; /* a better network than the profile's */
        m.sizes.flit_bytes = width;
        const double now = predict(&m, &p).cycles;
        assert_true(now <= before);
        before = now;
    }
}

/* No launch is faster than its busiest unit: whatever lanes take part a warp keeps it, and products of matrices count
 * by the multiply-add. Nor than shared memory. */
static void busiest_unit(void **state)
{
    (void)state;
    ws_traffic_profile p = by_hand();
    ws_closed_machine m = machine("gtsc-rc", 16);
    m.aging = true;
    m.unit_cycles[WS_OPERATION_dp_mad] = 8 / 32.; /* a warp in 8 cycles */
    m.unit_cycles[WS_OPERATION_matrix_half] = 1 / 512.;
    m.unit[WS_OPERATION_dp_mad] = WS_UNIT_DP;
    m.unit[WS_OPERATION_matrix_half] = WS_UNIT_TENSOR;
    const double before = predict(&m, &p).cycles;
    p.work.operations[WS_OPERATION_dp_mad] = 16 * 32 * 1000;
    p.work.instructions[WS_UNIT_DP] = 16 * 2000;
    p.work.lanes[WS_UNIT_DP] = 16 * 32 * 1000; /* half of the lanes */
    assert_float_equal(predict(&m, &p).unit_cycles, 16000, 1e-9);
    assert_true(before < 16000);
    assert_true(predict(&m, &p).cycles >= 16000);
    p.work.operations[WS_OPERATION_matrix_half] = 16 * UINT64_C(512) * 20000;
    assert_true(predict(&m, &p).cycles >= 20000);
    p.work.shared_passes = 16 * 30000;
    assert_true(predict(&m, &p).cycles >= 30000);
}

/* Warps that wait come back to lines that others have pushed deeper: by the clock 10 of the 60 near loads are at
 * distance 1 and all late, in the one order 30 are. What ends is a sixth of what is near, not of each distance, however
 * many are near in that order. */
static void ended_at_a_distance(void **state)
{
    (void)state;
    ws_traffic_profile p = by_hand();
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        ws_reuse_bin *const near = p.rung[i].bin;
        memset(near, 0, 2 * sizeof *near);
        near[0].loads[WS_PASS_STRONG] = 50;
        near[1].loads[WS_PASS_STRONG] = 10;
        near[0].loads[WS_PASS_ORDER] = near[1].loads[WS_PASS_ORDER] = 30;
        for (unsigned k = 0; k < WS_PROFILE_LEASES; k++)
            near[1].late[WS_PROFILE_LEASES + k] = 10;
    }
    ws_closed_machine m = machine("tc-strong", 16);
    m.aging = true;
    assert_float_equal(predict(&m, &p).expired, 2 * 10, 1e-9);
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++)
        p.rung[i].bin[0].loads[WS_PASS_ORDER] = 15;
    assert_float_equal(predict(&m, &p).expired, 2 * 10 * 45 / 60., 1e-9);
}

static void what_fits(void **state)
{
    (void)state;
    ws_closed_machine m = machine("bl", 16);
    m.room.blocks = 8;
    static const struct {
        ws_traffic_profile p;
        uint32_t residents;
    } expected[] = {
        {{.warps_per_block = 2}, 8},
        {{.warps_per_block = 8}, 6},
        {{.warps_per_block = 8, .registers = 40}, 3},
        {{.warps_per_block = 2, .shared_bytes = 20000}, 2},
        {{.warps_per_block = 2, .shared_bytes = 60000}, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(ws_closed_form_residents(&m, &expected[i].p), expected[i].residents);
}

static void unknown_protocol(void **state)
{
    (void)state;
    ws_closed_form *form;
    ws_closed_machine m = machine("nonsense", 16);
    assert_int_equal(ws_closed_form_create(&m, &form), WS_EINPUT);
    const char *known;
    for (size_t i = 0; (known = ws_coherence_protocol_name(i)); i++)
        assert_true(ws_closed_form_knows(known) ||
                    ws_coherence_detects_races(known)); /* those have a form of their own */
}

static bool is_named(const void *context, const char *kernel)
{
    return strcmp(kernel, context) == 0;
}

/* 40 updates of one word, in 60 rounds of their lanes, and 10 other atomics of two words in 14. An L1 of five ways,
 * half of a bin above four, keeps 22 updates beside data, which 60 loads still find, or 140 where updates bring them; a
 * buffer of 16 lines keeps 10. */
static void updates_by_hand(void **state)
{
    (void)state;
    ws_traffic_profile p = by_hand();
    p.total.atomics = 74;
    p.total.updates = 40;
    p.total.atomic_words[1] = p.total.update_words[1] = 60;
    p.total.atomic_words[2] = 14;
    p.total.again_words[1] = p.total.again_updates[1] = 20;
    p.total.again_words[2] = 4;
    for (unsigned i = 0; i < WS_PROFILE_RUNGS; i++) {
        ws_traffic_rung *const r = &p.rung[i];
        r->update_requests = r->update_asked = 20;
        r->update_hits[4] = 5;
        r->update_words[4] = 15;
        r->beside_updates[0] = 10;
        r->beside_updates[4] = 2;
        r->beside_words[3] = 12;
        r->beside_words[4] = 10;
        r->beside_fetches[0] = 15;
        r->beside_loads[0][0] = 30;
        r->beside_loads[1][0] = 70;
    }
    static const struct {
        bool combines, sums, beside, fetches;
        const char *named;
        double lines, atomics, words, updates_read, reads;
    } want[] = {
        {.atomics = 74, .words = 60 + 28, .reads = 60},
        {.combines = true, .atomics = 50, .words = 40 + 20, .reads = 60},
        {.combines = true,
         .sums = true,
         .lines = 16,
         .named = "kernel",
         .atomics = 10 + 30,
         .words = 30 + 20,
         .reads = 60},
        {.combines = true, .sums = true, .lines = 16, .named = "another", .atomics = 50, .words = 60, .reads = 60},
        {.sums = true, .lines = 16, .atomics = 14 + 30, .words = 30 + 28, .reads = 60},
        {.combines = true, .sums = true, .beside = true, .atomics = 10 + 18, .words = 22 + 20, .reads = 200 - 60},
        {.combines = true,
         .sums = true,
         .beside = true,
         .fetches = true,
         .atomics = 10 + 18,
         .words = 22 + 20,
         .updates_read = 10,
         .reads = 200 - 140 + 10},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ws_closed_machine m = machine("noncoherent", 16);
        m.coherence.l1_sets = WS_PROFILE_SETS;
        m.coherence.l1_ways = 5;
        m.combines = want[i].combines;
        m.sums = want[i].sums;
        m.beside_data = want[i].beside;
        m.fetches = want[i].fetches;
        m.buffer_lines = want[i].lines;
        m.sums_of = want[i].named ? is_named : NULL;
        m.context = want[i].named;
        const ws_closed_result r = predict(&m, &p);
        assert_float_equal(r.messages[WS_MESSAGE_ATOMIC], want[i].atomics, 1e-9);
        assert_float_equal(r.bytes[WS_MESSAGE_ATOMIC], 8 * want[i].atomics + 4 * want[i].words, 1e-9);
        assert_float_equal(r.messages[WS_MESSAGE_READ], want[i].reads, 1e-9);
        assert_float_equal(r.update_reads, want[i].updates_read, 1e-9);
    }
}

/* ------------------------------------------------------------------------------------------------ against the replay
 */

static const size_t plenty = 1 << 20;

static script *random_script(uint64_t seed, unsigned blocks, unsigned accesses)
{
    script *const s = script_create(blocks, 64);
    const uint32_t add = arithmetic(s, 32, WS_CLASS_INTEGER), load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    const uint32_t store = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4);
    const uint32_t fence = instr(s, (ws_instr){.opcode = "membar.gl", .cls = WS_CLASS_OTHER});
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned i = 0; i < 2 * accesses; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const unsigned how = seed >> 59; /* 0..31 */
            /* Most loads stay near the block's own lines, some go to lines of all. */
            const uint64_t own = 1000 + 16 * b + (seed >> 30) % 24, shared = (seed >> 40) % 200;
            run(s, b, i % 2, add, 1 + how, ALL_LANES);
            if (how == 31)
                run(s, b, i % 2, fence, 1, ALL_LANES);
            access_line(s, b, i % 2, how < 4 ? store : load, ALL_LANES, 128 * (how % 3 ? own : shared), 4);
        }
    return s;
}

typedef struct pair {
    double first, second; /* bytes by closed form, by replay */
    double fills, renewals;
    ws_coherence_traffic traffic;
} pair;

/* What both tiers read: the accesses of a launch, and its profile. */
typedef struct measured {
    ws_metric sink;
    ws_access_log log;
    ws_traffic_profile profile;
} measured;

static measured *measure_script(const script *s)
{
    measured *const m = calloc(1, sizeof *m);
    ws_profiler *profiler;
    assert_non_null(m);
    m->sink.sink = ws_access_log_sink(&plenty);
    m->sink.sink.attach(&m->log, m->sink.sink.context);
    assert_int_equal(m->sink.sink.init(&m->log, &s->launch), WS_OK);
    for (uint64_t block = 0; block < s->launch.blocks; block++)
        script_feed(&m->sink, s, &m->log, block, 7);
    assert_int_equal(ws_profiler_create(&profiler), WS_OK);
    const ws_metric profile = {.sink = *ws_profiler_sink(profiler)};
    void *const kept = calloc(1, profile.sink.state_size);
    assert_non_null(kept);
    profile.sink.attach(kept, profile.sink.context);
    assert_int_equal(profile.sink.init(kept, &s->launch), WS_OK);
    for (uint64_t block = 0; block < s->launch.blocks; block++)
        script_feed(&profile, s, kept, block, 7);
    assert_int_equal(ws_profiler_finish(profiler, &s->launch, kept, &m->profile), WS_OK);
    profile.sink.fini(kept);
    free(kept);
    ws_profiler_destroy(profiler);
    return m;
}

static void forget(measured *m)
{
    m->sink.sink.fini(&m->log);
    free(m);
}

static pair compare(const measured *of, const char *protocol, uint32_t sms, uint32_t ways)
{
    ws_closed_machine m = machine(protocol, sms);
    m.coherence.l1_ways = ways;
    const ws_closed_result r = predict(&m, &of->profile);
    ws_coherence_replay *replay;
    uint64_t now = 1;
    pair both = {
        .first = r.network_bytes, .fills = r.messages[WS_MESSAGE_FILL], .renewals = r.messages[WS_MESSAGE_RENEW]};
    assert_int_equal(ws_coherence_replay_create(&m.coherence, &m.sizes, &replay), WS_OK);
    assert_int_equal(ws_log_replay(replay, &of->log, sms, ws_closed_form_residents(&m, &of->profile), &now), WS_OK);
    ws_coherence_replay_sum(replay, &both.traffic);
    both.second = (double)both.traffic.network_bytes;
    ws_coherence_replay_destroy(replay);
    return both;
}

/* On a rung, with the L1 of the profile, counts are those of the replay, one by one. Not quite so where warps wait for
 * the ends of leases and others' leases end meanwhile, and where G-TSC frees the way of a copy that it gives up. */
static void equal_on_a_rung(void **state)
{
    (void)state;
    static const char *const protocols[] = {"bl", "noncoherent", "vi", "tc-weak", "gtsc-sc", "gtsc-rc", "mesi"};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        script *const s = random_script(seed, 40, 60);
        measured *const m = measure_script(s);
        for (uint32_t sms = 4; sms <= 16; sms += 12)
            for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
                const pair both = compare(m, protocols[i], sms, 4);
                const bool leases = ws_coherence_is_logical(protocols[i]) || ws_coherence_is_physical(protocols[i]);
                const double slack = !strcmp(protocols[i], "mesi") ? 0.03 : leases ? 0.01 : 1e-9;
                const double fills = (double)both.traffic.messages[WS_MESSAGE_FILL];
                assert_float_equal(both.fills, fills, slack * fills);
                assert_float_equal(both.renewals, (double)both.traffic.messages[WS_MESSAGE_RENEW], slack * fills);
                assert_float_equal(both.first, both.second, slack * both.second);
            }
        forget(m);
        script_destroy(s);
    }
}

/* Between rungs and in other caches it is an estimate. */
static void near_elsewhere(void **state)
{
    (void)state;
    const char *protocol;
    script *const s = random_script(5, 60, 60);
    measured *const m = measure_script(s);
    for (size_t i = 0; (protocol = ws_coherence_protocol_name(i)); i++)
        for (uint32_t sms = 6; sms <= 24 && ws_closed_form_knows(protocol); sms += 6)
            for (uint32_t ways = 2; ways <= 8; ways += 2) {
                const pair both = compare(m, protocol, sms, ways);
                if (fabs(both.first / both.second - 1) > 0.1)
                    print_message("%s, %u SMs, %u ways: %.0f bytes, not %.0f\n", protocol, sms, ways, both.first,
                                  both.second);
                assert_true(fabs(both.first / both.second - 1) < 0.1);
            }
    forget(m);
    script_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_by_hand),
        cmocka_unit_test(updates_by_hand),
        cmocka_unit_test(larger_and_smaller_caches),
        cmocka_unit_test(other_leases),
        cmocka_unit_test(leases_age),
        cmocka_unit_test(fences_cost),
        cmocka_unit_test(channel_widths),
        cmocka_unit_test(busiest_unit),
        cmocka_unit_test(ended_at_a_distance),
        cmocka_unit_test(what_fits),
        cmocka_unit_test(unknown_protocol),
        cmocka_unit_test(equal_on_a_rung),
        cmocka_unit_test(near_elsewhere),
    };
    return cmocka_run_group_tests_name("closed_form", tests, NULL, NULL);
}
