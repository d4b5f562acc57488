/* test_sim.c - a whole simulated machine: times worked out by hand, barriers, spaces, deadlocks. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include <stdio.h>

enum { LINE = 128, FLIT = 32, HEADER = 8 };

/* ------------------------------------------------------------------------------------------------ arithmetic */

/* An add that needs the one before waits for its latency, and for the register file. */
static void test_chain(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    for (unsigned n = 1; n <= 20; n += 19) {
        script *const s = script_make(1, 32);
        for (unsigned i = 0; i < n; i++)
            script_add(s, 0, 0, ADD, 0);
        assert_int_equal(script_sums(&m, s).sm.busy_cycles, n * m.latency_int_add);
    }
    machine_word(&m, registers_file, "banked"); /* one cycle to read, one to write */
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < 20; i++)
        script_add(s, 0, 0, ADD, 0);
    assert_int_equal(script_sums(&m, s).sm.busy_cycles, 20 * (1 + m.latency_int_add + 1));
}

/* A run of n instructions is n instructions. */
static void test_run_of_instructions(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 40); /* two warps, one of 8 lanes */
    script_add(s, 0, 0, ADD, 0)->run = 2;
    script_add(s, 0, 1, ADD, 0)->run = 2;
    script_add(s, 0, 1, ADD, 0)->exec = 0; /* guarded off */
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.warp_instructions, 5);
    assert_int_equal(sums.sm.thread_instructions, 2 * 32 + 2 * 8);
    assert_int_equal(sums.sm.ctas, 1);
}

/* A unit that takes a warp every n cycles is what independent instructions wait for. */
static void test_initiation(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.sm_lanes = 8; /* a warp takes four cycles to start */
    script *const s = script_make(1, 8 * 32);
    for (unsigned warp = 0; warp < 8; warp++)
        script_add(s, 0, warp, FREE, 0);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.busy_cycles, 7 * 4 + m.latency_int_add);
    assert_int_equal(sums.sm.issued, 8);
    assert_int_equal(sums.sm.stall_unit, 7 * 3);
}

/* Cycles of a block of four warps, of which those named have an instruction. */
static uint64_t cycles_of_warps(const ws_machine *m, unsigned one, unsigned other)
{
    script *const s = script_make(1, 4 * 32);
    script_add(s, 0, one, FREE, 0);
    script_add(s, 0, other, FREE, 0);
    return script_sums(m, s).sm.busy_cycles;
}

/* Two schedulers and two units: who has a unit of its own leaves the other's alone; one unit is everybody's. */
static void test_subcores(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.sm_schedulers = m.sm_int_units = m.sm_sp_units = 2;
    m.sm_lanes = 8; /* a warp takes four cycles to start */
    assert_int_equal(cycles_of_warps(&m, 0, 2), 1 + m.latency_int_add);
    assert_int_equal(cycles_of_warps(&m, 0, 1), m.latency_int_add);
    m.sm_subcores = 1;
    assert_int_equal(cycles_of_warps(&m, 0, 2), 4 + m.latency_int_add);
    assert_int_equal(cycles_of_warps(&m, 1, 3), 4 + m.latency_int_add);
    assert_int_equal(cycles_of_warps(&m, 0, 1), m.latency_int_add);
    m.sm_int_units = 1;
    assert_int_equal(cycles_of_warps(&m, 0, 1), 4 + m.latency_int_add);
}

/* Of two blocks of two warps only the first warps have something to do: on one scheduler, or on two. */
static void test_rotation(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.chip_sms = 1;
    m.sm_schedulers = m.sm_int_units = m.sm_sp_units = 2;
    m.sm_subcores = 1;
    m.sm_lanes = 8; /* a warp takes four cycles to start */
    for (m.sm_rotate = 0; m.sm_rotate < 2; m.sm_rotate++) {
        script *const s = script_make(2, 2 * 32);
        script_add(s, 0, 0, FREE, 0);
        script_add(s, 1, 0, FREE, 0);
        assert_int_equal(script_sums(&m, s).sm.busy_cycles, (m.sm_rotate ? 0 : 4) + m.latency_int_add);
    }
}

/* Cycles of a block of so many warps with a fence each. */
static uint64_t cycles_of_fences(const ws_machine *m, unsigned warps, unsigned instr)
{
    script *const s = script_make(1, warps * 32);
    for (unsigned w = 0; w < warps; w++) {
        script_add(s, 0, w, instr, 0);
        script_add(s, 0, w, FREE, 0);
    }
    const ws_sim_sums sums = script_sums(m, s);
    assert_int_equal(sums.sm.fence_cycles, instr == FENCE_CTA
                                               ? 0
                                               : m->sm_fence * (m->sm_fence_turns ? warps * (warps + 1) / 2 : warps) -
                                                     (m->sm_fence_turns ? warps * (warps - 1) / 2 : 0));
    return sums.sm.busy_cycles;
}

/* A fence beyond the block takes its time, of which each warp waits for its own or for all before it; one within the
 * block takes none. */
static void test_fence_time(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.chip_sms = 1;
    const uint64_t one = cycles_of_fences(&m, 1, FENCE), local = cycles_of_fences(&m, 4, FENCE_CTA);
    m.sm_fence = 2000; /* farther than the wheel of events reaches */
    assert_int_equal(cycles_of_fences(&m, 1, FENCE),
                     one - 1 + m.sm_fence); /* one that takes none holds its warp until the next cycle */
    assert_int_equal(cycles_of_fences(&m, 4, FENCE),
                     one - 1 + 3 + m.sm_fence); /* side by side, each a cycle behind the one before */
    assert_int_equal(cycles_of_fences(&m, 4, FENCE_CTA), local);
    m.sm_fence_turns = 1;
    assert_int_equal(cycles_of_fences(&m, 1, FENCE), one - 1 + m.sm_fence);
    assert_int_equal(cycles_of_fences(&m, 4, FENCE), one - 1 + 4 * m.sm_fence);
    assert_int_equal(cycles_of_fences(&m, 4, FENCE_CTA), local);
    /* With nothing under way it is all the same from when it counts. */
    m.sm_fence_from = WS_FENCE_FROM_ISSUE;
    assert_int_equal(cycles_of_fences(&m, 1, FENCE), one - 1 + m.sm_fence);
    assert_int_equal(cycles_of_fences(&m, 4, FENCE), one - 1 + 4 * m.sm_fence);
    m.sm_fence_turns = 0;
    assert_int_equal(cycles_of_fences(&m, 4, FENCE), one - 1 + 3 + m.sm_fence);
    /* Whatever the protocol. */
    script_machine(&m, "gtsc-rc");
    const uint64_t fast = cycles_of_fences(&m, 1, FENCE);
    m.sm_fence = 100;
    assert_int_equal(cycles_of_fences(&m, 1, FENCE), fast - 1 + 100);
}

/* Cycles of a block that loads and fences. */
static uint64_t cycles_of_fenced_load(const ws_machine *m)
{
    script *const s = script_make(1, 32);
    script_add(s, 0, 0, LOAD, 0);
    script_add(s, 0, 0, FENCE, 0);
    script_add(s, 0, 0, FREE, 0);
    return script_sums(m, s).sm.busy_cycles;
}

/* A fence that counts from when what is before it is complete adds its time to that; one that counts from its issue,
 * a cycle behind the load's, takes whichever is longer. */
static void test_fence_goes_with_loads(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.chip_sms = 1;
    const uint64_t load = cycles_of_fenced_load(&m);
    m.sm_fence = 10;
    assert_int_equal(cycles_of_fenced_load(&m), load + 10);
    m.sm_fence_from = WS_FENCE_FROM_ISSUE;
    assert_int_equal(cycles_of_fenced_load(&m), load);
    m.sm_fence = 1000;
    const uint64_t at_1000 = cycles_of_fenced_load(&m);
    assert_in_range(at_1000, 1000, 1000 + 10);
    m.sm_fence = 1500;
    assert_int_equal(cycles_of_fenced_load(&m), at_1000 + 500);
}

/* Cycles in which each of eight SMs loads from one line. */
static uint64_t cycles_of_one_line(ws_machine *m, uint32_t repeat)
{
    script *const s = script_make(8, 32);
    for (uint32_t block = 0; block < 8; block++)
        script_add(s, block, 0, LOAD, 0);
    m->l2_repeat = repeat;
    return script_sums(m, s).cycles;
}

/* Eight requests for a line that come together are served one in each `l2.repeat` cycles of L2: seven times that pass
 * between the first and the last. */
static void test_repeated_line(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.chip_sms = 8;
    m.chip_l2_clock = m.chip_core_clock;
    const uint64_t at_32 = cycles_of_one_line(&m, 32);
    assert_int_equal(cycles_of_one_line(&m, 64), at_32 + (uint64_t)7 * (64 - 32));
    assert_true(cycles_of_one_line(&m, 1) < at_32);
}

/* Blocks that do next to nothing: the time is that of starting them. */
static uint64_t cycles_of_blocks(const ws_machine *m, unsigned blocks)
{
    script *const s = script_make(blocks, 32);
    ws_sim *const sim = script_sim(m, NULL);
    for (unsigned b = 0; b < blocks; b++)
        script_add(s, b, 0, FREE, 0);
    assert_int_equal(script_run(sim, s, 100000), WS_OK);
    const uint64_t cycles = ws_sim_now(sim);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return cycles;
}

/* A launch costs its beginning, and what the blocks cost of which a machine starts one at a time. */
static void test_dispatch(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.chip_launch = 1000;
    const uint64_t one = cycles_of_blocks(&m, 1), few = cycles_of_blocks(&m, 4), many = cycles_of_blocks(&m, 64);
    assert_true(one >= 1000 && one < 1100);
    m.chip_dispatch = 20;
    assert_int_equal(cycles_of_blocks(&m, 1), one);
    const uint64_t tolerance = m.port_cycles;
    assert_in_range(cycles_of_blocks(&m, 4), few + 3 * 20 - tolerance, few + 3 * 20 + tolerance);
    assert_true(many < few + 63 * 20);
    assert_in_range(cycles_of_blocks(&m, 64), one + 63 * 20 - tolerance, one + 63 * 20 + tolerance);
}

static void test_taken_branch(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    uint64_t cycles[2];
    for (unsigned taken = 0; taken < 2; taken++) {
        script *const s = script_make(1, 32);
        script_add(s, 0, 0, BRANCH, 0)->detail = taken ? UINT32_MAX : 0;
        script_add(s, 0, 0, ADD, 0);
        cycles[taken] = script_sums(&m, s).sm.busy_cycles;
    }
    assert_int_equal(cycles[0], 1 + m.latency_int_add);
    assert_int_equal(cycles[1], m.sm_refill + m.latency_int_add);
}

/* ------------------------------------------------------------------------------------------------ shared memory */

static uint64_t shared_cycles(const ws_machine *m, const uint32_t *instr, const int64_t *stride, unsigned n)
{
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < n; i++)
        script_add(s, 0, 0, instr[i], 0)->stride = stride[i];
    script_add(s, 0, 0, USE, 0);
    return script_sums(m, s).sm.busy_cycles - m->latency_int_add;
}

/* One cycle to the unit, as many as the most wanted bank has words, and the latency. */
static void test_shared_conflicts(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    const uint32_t load[] = {SHARED_LOAD};
    for (int64_t ways = 1; ways <= 32; ways *= 2)
        assert_int_equal(shared_cycles(&m, load, (int64_t[]){4 * ways}, 1), 1 + (ways - 1) + m.shared_read);
    assert_int_equal(shared_cycles(&m, load, (int64_t[]){0}, 1), 1 + m.shared_read); /* all the same word */
}

/* An access keeps the banks from the next one, whenever that one comes. */
static void test_shared_banks_are_busy(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    const uint32_t two[] = {SHARED_LOAD2, SHARED_LOAD};
    assert_int_equal(shared_cycles(&m, two, (int64_t[]){128, 4}, 2), 1 + 32 + m.shared_read);
    const uint32_t apart[] = {SHARED_LOAD2, FREE, FREE, FREE, SHARED_LOAD};
    assert_int_equal(shared_cycles(&m, apart, (int64_t[]){128, 0, 0, 0, 4}, 5), 1 + 32 + m.shared_read);
    m.shared_write = m.shared_read + 5; /* a slow store keeps them for the difference */
    const uint32_t store[] = {SHARED_STORE, SHARED_LOAD};
    assert_int_equal(shared_cycles(&m, store, (int64_t[]){4, 4}, 2), 1 + 1 + 5 + m.shared_read);
}

/* Cycles of two loads of 16 lanes from a line of constants, the second of which finds it there. */
static uint64_t constant_cycles(const ws_machine *m, int64_t stride)
{
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < 2; i++) {
        step *const load = script_add(s, 0, 0, CONSTANT, 0);
        load->exec = UINT16_MAX;
        load->stride = stride;
        script_add(s, 0, 0, USE, 0);
    }
    return script_sums(m, s).sm.busy_cycles;
}

/* Lanes that want different constants get them one after the other, where the machine says how fast. */
static void test_different_constants(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    assert_int_equal(constant_cycles(&m, 4), constant_cycles(&m, 0));
    m.constant_cycles = 2;
    assert_int_equal(constant_cycles(&m, 4) - constant_cycles(&m, 0), (16 - 1) * 2);
}

/* ------------------------------------------------------------------------------------------------ one pipeline */

/* A warp has one instruction in the pipeline: each issues as many cycles behind the one before, though nothing depends
 * on it; other warps fill the gaps. */
static void test_pipeline(void **state)
{
    (void)state;
    enum { STAGES = 9, INSTRUCTIONS = 5 };
    ws_machine m;
    script_machine(&m, "none");
    assert_true(m.latency_int_add < STAGES);
    for (unsigned warps = 1; warps <= 4; warps += 3) {
        for (m.sm_pipeline = 0; m.sm_pipeline <= STAGES; m.sm_pipeline += STAGES) {
            script *const s = script_make(1, warps * 32);
            for (unsigned i = 0; i < warps * INSTRUCTIONS; i++)
                script_add(s, 0, i % warps, FREE, 0);
            const uint64_t alone = m.sm_pipeline ? (INSTRUCTIONS - 1) * STAGES + warps - 1 : 0;
            const ws_sim_sums sums = script_sums(&m, s);
            if (m.sm_pipeline)
                assert_in_range(sums.sm.busy_cycles, alone + 1, alone + STAGES);
            else
                assert_true(sums.sm.busy_cycles < INSTRUCTIONS * (uint64_t)STAGES);
        }
    }
}

/* With one instruction at a time a warp waits for what it loads, whether it uses it or not. */
static void test_pipeline_waits_for_loads(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    uint64_t cycles[2][2]; /* [pipeline][uses the load's result] */
    for (unsigned p = 0; p < 2; p++)
        for (unsigned uses = 0; uses < 2; uses++) {
            m.sm_pipeline = p;
            script *const s = script_make(1, 32);
            script_add(s, 0, 0, LOAD, 0);
            for (unsigned i = 0; i < 50; i++)
                script_add(s, 0, 0, uses ? USE : ADD, 0);
            cycles[p][uses] = script_sums(&m, s).sm.busy_cycles;
        }
    assert_true(cycles[0][0] + 20 < cycles[0][1]);
    assert_int_equal(cycles[1][0], cycles[1][1]);
    assert_int_equal(cycles[1][1], cycles[0][1]);
}

/* Behind a shared-memory access that keeps its banks n cycles another warp's adds wait n - 1 of them in one pipeline;
 * else they do not wait. */
static void test_memory_stage(void **state)
{
    (void)state;
    enum { WAYS = 32, ADDS = 8 };
    ws_machine m;
    script_machine(&m, "none");
    uint64_t lost[2];
    static const char *const stages[] = {"queue", "pipeline"};
    for (unsigned row = 0; row < 2; row++) {
        machine_word(&m, sm_memory_stage, stages[row]);
        script *const s = script_make(1, 2 * 32);
        script_add(s, 0, 0, SHARED_LOAD, 0)->stride = 4 * WAYS;
        for (unsigned i = 0; i < ADDS; i++)
            script_add(s, 0, 1, FREE, 0);
        const ws_sim_sums sums = script_sums(&m, s);
        lost[row] = sums.sm.stall_load_store;
        assert_int_equal(sums.sm.issued, 1 + ADDS);
    }
    assert_int_equal(lost[0], 0);
    assert_int_equal(lost[1], WAYS - 1);
}

/* ------------------------------------------------------------------------------------------------ the way to memory */

/* Cycles of a packet of so many bytes in the crossbar. */
static uint64_t packet(uint64_t bytes)
{
    return 1 + (bytes + FLIT - 1) / FLIT - 1;
}

/* From the load/store unit over the port to L2 and back; a slice's latency begins with the cycle of arrival. */
static uint64_t way_of_l2(const ws_machine *m, uint64_t answer)
{
    const uint64_t unit = 1, request = packet(HEADER), reply = packet(HEADER + answer);
    return unit + m->port_cycles + request + (m->l2_latency - 1) + reply + m->port_cycles + m->l1_latency;
}

static uint64_t load_latency(const ws_machine *m, unsigned sm, script *s)
{
    (void)sm;
    const ws_sim_sums sums = script_sums(m, s);
    return sums.sm.load_latency;
}

static void test_load_latencies(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    for (m.port_cycles = 1; m.port_cycles <= 8; m.port_cycles += 7) {
        script *s = script_make(1, 32);
        script_add(s, 0, 0, LOAD, 0);
        const uint64_t miss = load_latency(&m, 0, s);
        /* The row is opened, two bursts follow each other in a bank group. */
        const uint64_t tRCD = 12, tCCDL = 3, tCL = 12, burst = 2, dram = tRCD + tCCDL + tCL + burst;
        assert_int_equal(miss, way_of_l2(&m, LINE) + dram);
        s = script_make(1, 32); /* the second load of the line hits L1 */
        script_add(s, 0, 0, LOAD, 0);
        script_add(s, 0, 0, USE, 0);
        script_add(s, 0, 0, LOAD, 0);
        assert_int_equal(load_latency(&m, 0, s), miss + 1 + m.l1_latency);
        m.l1_enabled = 0; /* the second hits L2 */
        s = script_make(1, 32);
        script_add(s, 0, 0, LOAD, 0);
        script_add(s, 0, 0, USE, 0);
        script_add(s, 0, 0, LOAD, 0);
        assert_int_equal(load_latency(&m, 0, s), miss + way_of_l2(&m, LINE));
        m.l1_enabled = 1;
    }
}

/* Bytes on both networks of a load, its answer, a store and what comes of it. */
static void test_messages_of_plain_caches(void **state)
{
    (void)state;
    enum { MASK = 8, WORDS = 32 * 4 };
    ws_machine m;
    script_machine(&m, "none");
    for (unsigned as = 0; as < 2; as++) {
        m.network_store_mask = as ? MASK : 0;
        m.network_answer_header = m.network_acks = !as;
        script *const s = script_make(1, 32);
        script_add(s, 0, 0, LOAD, 0)->stride = 4;
        script_add(s, 0, 0, STORE, 4 * LINE)->stride = 4;
        const ws_sim_sums sums = script_sums(&m, s);
        assert_int_equal(sums.request.bytes_in, HEADER + HEADER + (as ? MASK : 0) + WORDS);
        assert_int_equal(sums.reply.bytes_in, as ? LINE : HEADER + LINE + HEADER);
    }
}

/* What the host wrote is in L2 until it is read, by sector, for a machine that has l2.warm; it is a hit, and no read of
 * memory. */
static void test_copied(void **state)
{
    (void)state;
    enum { SECTOR = 32 };
    ws_machine m;
    script_machine(&m, "none");
    m.l1_enabled = 0;
    for (m.l2_warm = 0; m.l2_warm < 2; m.l2_warm++) {
        script *const s = script_make(1, 32);
        s->launch.copied = (ws_copy[]){{5 * LINE, LINE}, {9 * LINE, SECTOR}, {20 * LINE - 1, 2}};
        s->launch.copies = 3;
        const int64_t at[] = {5 * LINE, 6 * LINE, 9 * LINE, 19 * LINE, 20 * LINE};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            script_add(s, 0, 0, LOAD, at[i]);
            script_add(s, 0, 0, USE, 0);
        }
        const ws_sim_sums sums = script_sums(&m, s);
        assert_int_equal(sums.l2.loads, 5);
        assert_int_equal(sums.l2.hits, m.l2_warm ? 1 : 0); /* of the others, some sectors are not there */
        assert_int_equal(sums.l2.misses, m.l2_warm ? 4 : 5);
        assert_int_equal(sums.memory.reads, 2 * (m.l2_warm ? 4 : 5));
    }
}

/* A launch that is only walked leaves its lines in L2 without a cycle: the next one hits those, and only those. */
static void test_walked(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.l1_enabled = 0;
    ws_sim *const sim = script_sim(&m, NULL);
    script *const walked = script_make(1, 32), *const s = script_make(1, 32);
    for (unsigned i = 0; i < 3; i++)
        script_add(walked, 0, 0, LOAD, i * LINE);
    for (unsigned i = 0; i < 5; i++) {
        script_add(s, 0, 0, LOAD, i * LINE);
        script_add(s, 0, 0, USE, 0);
    }
    assert_int_equal(ws_sim_warm(sim, &walked->source), WS_OK);
    assert_int_equal(ws_sim_now(sim), 0);
    ws_sim_sums before, sums;
    ws_sim_sum(sim, &before);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_sum(sim, &sums);
    ws_sim_end(sim);
    assert_int_equal(sums.l2.hits - before.l2.hits, 3);
    assert_int_equal(sums.l2.misses - before.l2.misses, 2);
    assert_int_equal(sums.memory.reads, 2 * 2); /* two bursts of a line */
    ws_sim_destroy(sim);
    walked->source.ops->destroy(&walked->source);
    s->source.ops->destroy(&s->source);
}

/* A clock of half the speed doubles its own part, and only that; a latency of the memory comes on top. */
static void test_clock_domains(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.l1_enabled = 0;
    const uint64_t fast = load_latency(&m, 0, ({
        script *const s = script_make(1, 32);
        script_add(s, 0, 0, LOAD, 0);
        s;
    }));
    m.chip_l2_clock = m.chip_core_clock / 2;
    script *s = script_make(1, 32);
    script_add(s, 0, 0, LOAD, 0);
    const uint64_t slow_l2 = load_latency(&m, 0, s);
    assert_in_range(slow_l2, fast + m.l2_latency - 1, fast + m.l2_latency + 2);
    m.chip_l2_clock = m.chip_core_clock;
    m.memory_latency = 40;
    s = script_make(1, 32);
    script_add(s, 0, 0, LOAD, 0);
    assert_int_equal(load_latency(&m, 0, s), fast + 40);
    m.memory_latency = 0;
    m.chip_core_clock = m.chip_network_clock = m.chip_l2_clock = 2 * m.chip_core_clock; /* the memory is slower */
    s = script_make(1, 32);
    script_add(s, 0, 0, LOAD, 0);
    const uint64_t slow_memory = load_latency(&m, 0, s);
    assert_in_range(slow_memory, fast + 29 - 1, fast + 29 + 2);
}

/* Strided lanes touch more lines, one after the other: the unit offers l1.ports of them a cycle. */
static void test_touches(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *s = script_make(1, 32);
    script_add(s, 0, 0, VECTOR, 0)->stride = 16;
    ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.load_touches, 32 * 16 / LINE);
    assert_int_equal(sums.l1.misses, 4);
    s = script_make(1, 32);
    script_add(s, 0, 0, LOAD, 0)->stride = LINE;
    sums = script_sums(&m, s);
    assert_int_equal(sums.sm.load_touches, 32);
    assert_int_equal(sums.l2.misses, 32);
    assert_int_equal(sums.memory.reads, 64);
    s = script_make(1, 32);
    step *const unaligned = script_add(s, 0, 0, LOAD, 126);
    unaligned->exec = 1;
    assert_int_equal(script_sums(&m, s).sm.load_touches, 2);
}

/* Each space goes where it belongs. */
static void test_spaces(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 32);
    script_add(s, 0, 0, CONSTANT, 0)->stride = 0;
    script_add(s, 0, 0, PARAMETER, 0)->stride = 0;
    script_add(s, 0, 0, LOCAL_STORE, 8)->stride = 0;
    script_add(s, 0, 0, LOCAL_LOAD, 8)->stride = 0;
    script_add(s, 0, 0, LOCAL_WIDE, 16)->stride = 0;
    step *p = script_add(s, 0, 0, TEXTURE, 1 << 20);
    p->texel = 16;
    p->further = 3;
    p->stride = 16; /* 128 texels of 16 bytes: 16 lines */
    p = script_add(s, 0, 0, SURFACE_STORE, 2 << 20);
    p->texel = 4;
    p = script_add(s, 0, 0, SURFACE_LOAD, 2 << 20);
    p->texel = 4;
    script_add(s, 0, 0, USE, 0);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.constant.loads, 1);
    assert_int_equal(sums.texture.loads, 16);
    /* Local words of lanes are neighbours: one line each, two for the wide load. */
    assert_int_equal(sums.sm.stores, 1);
    assert_int_equal(sums.sm.loads, 2);
    assert_int_equal(sums.sm.load_touches, 3);
    assert_int_equal(sums.sm.store_touches, 1);
    assert_int_equal(sums.l1.loads, 3 + 1);
    assert_int_equal(sums.l1.stores, 1 + 1);
}

/* Lines of every size between those of L1, texture and constant caches and L2 work together. */
static void test_line_sizes(void **state)
{
    (void)state;
    for (uint32_t line = 32; line <= LINE; line *= 2)
        for (uint32_t small = 32; small <= line; small *= 2) {
            ws_machine m;
            script_machine(&m, "none");
            m.l1_line = m.l1_sector = m.l2_line = m.l2_sector = line;
            m.texture_line = m.constant_line = small;
            script *const s = script_make(1, 32);
            script_add(s, 0, 0, LOAD, 0);
            script_add(s, 0, 0, CONSTANT, 4096);
            step *const p = script_add(s, 0, 0, TEXTURE, 8192);
            p->texel = 4;
            const ws_sim_sums sums = script_sums(&m, s);
            assert_int_equal(sums.l1.misses, LINE / line);
            assert_int_equal(sums.constant.misses + sums.constant.merged, LINE / small);
            assert_int_equal(sums.texture.misses + sums.texture.merged, LINE / small);
        }
}

/* An access that spans two spaces is one instruction in two parts. */
static void test_further_parts(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 32);
    step *p = script_add(s, 0, 0, GENERIC, 0);
    p->space = WS_SPACE_GLOBAL;
    p->exec = 0xffff;
    p = script_add(s, 0, 0, GENERIC, 0);
    p->space = WS_SPACE_SHARED;
    p->exec = 0xffff0000;
    p->part = true;
    script_add(s, 0, 0, USE, 0);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.warp_instructions, 2);
    assert_int_equal(sums.sm.thread_instructions, 16 + 32);
    assert_int_equal(sums.sm.loads, 1);
    assert_int_equal(sums.sm.shared_accesses, 1);
}

/* ------------------------------------------------------------------------------------------------ barriers */

static uint64_t chain_of(script *s, unsigned warp, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        script_add(s, 0, warp, ADD, 0);
    return n;
}

/* The warp that comes first waits for the last one. */
static void test_barrier(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 64);
    chain_of(s, 1, 10);
    for (unsigned warp = 0; warp < 2; warp++)
        script_add(s, 0, warp, BARRIER, 0);
    chain_of(s, 0, 10);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.barriers, 1);
    /* Warp 0 issues in cycle 0, so warp 1 begins in cycle 1; its barrier needs no result; warp 0 goes on behind it. */
    assert_int_equal(sums.sm.busy_cycles, 1 + 9 * m.latency_int_add + 1 + 1 + 10 * m.latency_int_add);
}

/* A warp that ends opens the barrier to those who wait, whichever scheduler has them. */
static void test_early_exit(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        ws_machine m;
        script_machine(&m, "none");
        m.sm_schedulers = 2;
        script *const s = script_make(1, 64);
        script_add(s, 0, late, BRANCH, 0)->detail = 1; /* its end is seen four cycles later */
        script_add(s, 0, !late, BARRIER, 0);
        script_add(s, 0, !late, ADD, 0);
        const ws_sim_sums sums = script_sums(&m, s);
        assert_int_equal(sums.sm.barriers, 1);
        assert_in_range(sums.sm.busy_cycles, m.sm_refill + m.latency_int_add, m.sm_refill + m.latency_int_add + 1);
    }
}

/* bar.arrive with a count: the producer goes on, the consumer waits for it; the third warp has no part in it. */
static void test_counted_barrier(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 96);
    const uint32_t two_warps = 2 << 8, number = 7;
    chain_of(s, 0, 20);
    script_add(s, 0, 0, ARRIVE, 0)->detail = number | two_warps;
    chain_of(s, 0, 30);
    script_add(s, 0, 1, BARRIER, 0)->detail = number | two_warps;
    chain_of(s, 0, 0);
    chain_of(s, 1, 1);
    chain_of(s, 2, 1);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.barriers, 1);
    assert_int_equal(sums.sm.busy_cycles, 50 * m.latency_int_add); /* warp 0 never waits */
    assert_true(sums.sm.stall_barrier == 0);                       /* turns go to what warp 0 waits for, first */
}

/* Lanes that parted come to the barrier one path after the other; it opens when all are there. */
static void test_barrier_in_divergent_code(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 64);
    for (unsigned half = 0; half < 2; half++) {
        const uint32_t lanes = half ? 0xffff0000 : 0xffff;
        step *p = script_add(s, 0, 0, ADD, 0);
        p->depth = 1;
        p->active = p->exec = lanes;
        p = script_add(s, 0, 0, BARRIER, 0);
        p->depth = 1;
        p->active = p->exec = lanes;
    }
    chain_of(s, 0, 1);
    script_add(s, 0, 1, BARRIER, 0);
    chain_of(s, 1, 1);
    assert_int_equal(script_sums(&m, s).sm.barriers, 1);
}

/* Lanes of the other path exit: those at the barrier are all that is left, and the barrier counts their warp. */
static void test_barrier_with_lanes_that_exit(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 64);
    const uint32_t two_warps = 2 << 8;
    for (unsigned turn = 0; turn < 2; turn++) {
        step *p = script_add(s, 0, 0, BARRIER, 0);
        p->detail = two_warps;
        p->active = p->exec = 0xffff;
        p->depth = turn == 0; /* when the others are gone, it is in one piece */
        if (turn == 0) {
            p = script_add(s, 0, 0, FREE, 0); /* the others' last instruction */
            p->depth = 1;
            p->active = p->exec = 0xffff0000;
        }
        script_add(s, 0, 1, BARRIER, 0)->detail = two_warps;
    }
    assert_int_equal(script_sums(&m, s).sm.barriers, 2);
}

/* bar.warp.sync holds nobody up. */
static void test_warp_barrier(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    script *const s = script_make(1, 64);
    script_add(s, 0, 0, BARRIER, 0)->detail = UINT32_MAX;
    chain_of(s, 0, 1);
    assert_int_equal(script_sums(&m, s).sm.barriers, 0);
}

/* ------------------------------------------------------------------------------------------------ failures */

typedef struct said {
    char text[4096];
} said;

static void listen(void *context, const char *line)
{
    said *const s = context;
    const size_t n = strlen(s->text);
    snprintf(s->text + n, sizeof s->text - n, "%s\n", line);
}

static void test_deadlock(void **state)
{
    (void)state;
    ws_machine m;
    said heard = {""};
    script_machine(&m, "none");
    const ws_sim_options options = {.say = listen, .context = &heard};
    ws_sim *const sim = script_sim(&m, &options);
    script *const s = script_make(1, 64);
    for (unsigned warp = 0; warp < 2; warp++) /* each at another one, and both have to come */
        script_add(s, 0, warp, BARRIER, 0)->detail = warp | 2 << 8;
    assert_int_equal(script_run(sim, s, 1000), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "deadlock in cycle"));
    assert_non_null(strstr(ws_message(), "2 warps wait"));
    assert_non_null(strstr(heard.text, "SM 0, block 0, warp 1: waits for a barrier"));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

static void test_block_that_does_not_fit(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.sm_threads = 64;
    m.sm_register_parts = 2;
    ws_sim *const sim = script_sim(&m, NULL);
    script *s = script_make(1, 96);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[sm] threads"));
    s->source.ops->destroy(&s->source);
    s = script_make(1, 32);
    s->launch.shared_bytes = m.sm_shared + 1;
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[sm] shared"));
    s->launch.shared_bytes = 0;
    s->launch.registers = m.sm_registers / 32 + 1;
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[sm] registers"));
    s->launch.registers = m.sm_registers / 32; /* all registers for one warp, which has to lie in one half */
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[sm] register_parts"));
    s->source.ops->destroy(&s->source);
    ws_sim_destroy(sim);
}

/* No more blocks than fit; the others come when there is room, each once. */
static void test_residency(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.sm_shared = 3000;
    script *const s = script_make(20, 64);
    s->launch.shared_bytes = 1000; /* three blocks an SM */
    for (unsigned block = 0; block < 20; block++)
        for (unsigned warp = 0; warp < 2; warp++)
            for (unsigned i = 0; i < 10; i++)
                script_add(s, block, warp, ADD, 0);
    const ws_sim_sums sums = script_sums(&m, s);
    assert_int_equal(sums.sm.ctas, 20);
    assert_int_equal(sums.sm.warp_instructions, 20 * 2 * 10);
    assert_true(sums.sm.resident_warps <= sums.sm.busy_cycles * 6);
    assert_true(sums.sm.resident_warps > sums.sm.busy_cycles * 4);
}

/* Every turn of a scheduler in a cycle with a block is counted as one thing. */
static void test_turns_add_up(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    m.sm_schedulers = 2;
    script *const s = script_make(6, 128);
    for (unsigned block = 0; block < 6; block++)
        for (unsigned warp = 0; warp < 4; warp++)
            for (unsigned i = 0; i < 30; i++)
                script_add(s, block, warp, (uint32_t[]){ADD, LOAD, USE, SHARED_LOAD, DIVIDE, STORE}[i % 6],
                           (i * 7 + warp) % 32 * LINE);
    const ws_sim_sums sums = script_sums(&m, s);
    const ws_sm_counts *const c = &sums.sm;
    assert_int_equal(c->issued + c->stall_empty + c->stall_fetch + c->stall_barrier + c->stall_memory +
                         c->stall_dependency + c->stall_unit + c->stall_load_store + c->stall_order,
                     c->busy_cycles * m.sm_schedulers);
    assert_int_equal(c->issued, c->warp_instructions);
    assert_int_equal(c->stall_order, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_run_of_instructions),
        cmocka_unit_test(test_initiation),
        cmocka_unit_test(test_subcores),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_fence_time),
        cmocka_unit_test(test_fence_goes_with_loads),
        cmocka_unit_test(test_repeated_line),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_taken_branch),
        cmocka_unit_test(test_shared_conflicts),
        cmocka_unit_test(test_shared_banks_are_busy),
        cmocka_unit_test(test_different_constants),
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_pipeline_waits_for_loads),
        cmocka_unit_test(test_memory_stage),
        cmocka_unit_test(test_messages_of_plain_caches),
        cmocka_unit_test(test_load_latencies),
        cmocka_unit_test(test_copied),
        cmocka_unit_test(test_walked),
        cmocka_unit_test(test_clock_domains),
        cmocka_unit_test(test_touches),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_line_sizes),
        cmocka_unit_test(test_further_parts),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_counted_barrier),
        cmocka_unit_test(test_barrier_in_divergent_code),
        cmocka_unit_test(test_barrier_with_lanes_that_exit),
        cmocka_unit_test(test_warp_barrier),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_block_that_does_not_fit),
        cmocka_unit_test(test_residency),
        cmocka_unit_test(test_turns_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
