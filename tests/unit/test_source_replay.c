/* test_source_replay.c - a launch through a functional replay: turns, placement, barriers, waits; and the same messages
 * as the cycle simulator where that has one access at a time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/sim/memory/memory_level.h"
#include "model/sim/sim.h"
#include "model/sim/source_replay.h"
#include "tests/unit/facts.h"
#include "tests/unit/machine_word.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

/* Instructions of the launch: 0 load, 1 store, 2 barrier, 3 fence, 4 arithmetic, 5 atomic, 6 load of a texture. */
enum { LOAD, STORE, BARRIER, FENCE, ADD, ATOMIC, TEXTURE, INSTRS };
static ws_instr instrs[INSTRS] = {
    {.opcode = "ld.global.u32", .cls = WS_CLASS_MEMORY, .space = WS_SPACE_GLOBAL, .access = WS_ACCESS_LOAD, .bytes = 4},
    {.opcode = "st.global.u32",
     .cls = WS_CLASS_MEMORY,
     .space = WS_SPACE_GLOBAL,
     .access = WS_ACCESS_STORE,
     .bytes = 4},
    {.opcode = "bar.sync", .cls = WS_CLASS_BARRIER},
    {.opcode = "membar.gl", .cls = WS_CLASS_OTHER},
    {.opcode = "add.u32", .cls = WS_CLASS_INTEGER},
    {.opcode = "atom.global.add.u32",
     .cls = WS_CLASS_MEMORY,
     .space = WS_SPACE_GLOBAL,
     .access = WS_ACCESS_ATOMIC,
     .bytes = 4},
    {.opcode = "tex.1d.v4.f32.s32", .cls = WS_CLASS_MEMORY, .space = WS_SPACE_TEXTURE, .access = WS_ACCESS_LOAD},
};

/* A source made of lists: what each warp of each block does. `line` is the block of memory, `count` of arithmetic. */
typedef struct item {
    uint32_t instr, line, count;
} item;
enum { MOST_ITEMS = 400, MOST_BLOCKS = 8, MOST_WARPS = 4, SLOTS = 64 };
typedef struct script {
    ws_source source;
    ws_launch launch;
    item list[MOST_BLOCKS][MOST_WARPS][MOST_ITEMS];
    unsigned items[MOST_BLOCKS][MOST_WARPS];
    struct {
        uint64_t block;
        unsigned at[MOST_WARPS];
        uint64_t address[WS_WARP];
        bool used;
    } slot[SLOTS];
    unsigned begun, ended;
} script;

static int script_begin(ws_source *source, uint32_t slot, uint64_t block)
{
    script *const s = (script *)source;
    assert_true(slot < SLOTS && !s->slot[slot].used);
    memset(&s->slot[slot], 0, sizeof s->slot[slot]);
    s->slot[slot].block = block;
    s->slot[slot].used = true;
    s->begun++;
    return WS_OK;
}

static int script_next(ws_source *source, uint32_t slot, uint32_t warp, ws_step *step, bool *found)
{
    script *const s = (script *)source;
    const uint64_t block = s->slot[slot].block;
    *found = s->slot[slot].at[warp] < s->items[block][warp];
    if (!*found)
        return WS_OK;
    const item *const i = &s->list[block][warp][s->slot[slot].at[warp]++];
    *step = (ws_step){.pc = i->instr, .active = UINT32_MAX, .exec = UINT32_MAX, .count = 1, .kind = WS_EVENT_RUN};
    if (i->instr == BARRIER)
        step->kind = WS_EVENT_BARRIER;
    if (i->instr != LOAD && i->instr != STORE && i->instr != ATOMIC && i->instr != TEXTURE)
        return WS_OK;
    step->kind = WS_EVENT_MEMORY;
    step->space = instrs[i->instr].space;
    step->texel = i->instr == TEXTURE ? 16 : 0;
    step->exec = i->instr == ATOMIC ? 1 : UINT32_MAX;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        s->slot[slot].address[lane] = (uint64_t)i->line * 128 + lane * 4;
    step->address = s->slot[slot].address;
    return WS_OK;
}

static void script_end(ws_source *source, uint32_t slot)
{
    script *const s = (script *)source;
    assert_true(s->slot[slot].used);
    s->slot[slot].used = false;
    s->ended++;
}

static void script_destroy(ws_source *source)
{
    free(source);
}

static const ws_source_ops script_ops = {
    .begin = script_begin, .next = script_next, .end = script_end, .destroy = script_destroy};

static script *make_script(uint64_t blocks, uint32_t warps)
{
    script *const s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (unsigned i = 0; i < INSTRS; i++)
        instrs[i] = with_facts(instrs[i]);
    s->launch = (ws_launch){.kernel = "script",
                            .grid = {(uint32_t)blocks, 1, 1},
                            .block = {warps * WS_WARP, 1, 1},
                            .blocks = blocks,
                            .threads_per_block = warps * WS_WARP,
                            .warps_per_block = warps,
                            .registers = 16,
                            .instr = instrs,
                            .instrs = INSTRS};
    s->source = (ws_source){.ops = &script_ops, .launch = &s->launch, .ctas = blocks, .slots = SLOTS};
    return s;
}

static void does(script *s, unsigned block, unsigned warp, uint32_t instr, uint32_t line)
{
    assert_true(s->items[block][warp] < MOST_ITEMS);
    s->list[block][warp][s->items[block][warp]++] = (item){.instr = instr, .line = line};
}

static void machine_defaults(ws_machine *m, const char *protocol)
{
    memset(m, 0, sizeof *m);
    ws_machine_defaults(m);
    machine_word(m, coherence_protocol, protocol);
    m->chip_sms = 2;
}

static int replay_script(const ws_machine *m, script *s, ws_coherence_traffic *traffic, ws_source_replay_result *result)
{
    ws_coherence_config config;
    assert_int_equal(ws_coherent_config(m, false, &config), WS_OK);
    ws_coherence_replay *replay;
    if (ws_coherence_replay_create(&config, &ws_message_default_sizes, &replay))
        fail_msg("%s", ws_message());
    const ws_source_replay_options options = {.machine = m};
    uint64_t now = 0;
    const int rc = ws_source_replay(replay, &s->source, &options, &now, result);
    ws_coherence_replay_sum(replay, traffic);
    ws_coherence_replay_destroy(replay);
    assert_int_equal(s->begun, s->ended);
    return rc;
}

/* --- */

/* Two SMs, a block each: 0's warps read line 1, 1's warps read line 2; texture loads do not count. */
static void test_turns(void **unused)
{
    (void)unused;
    ws_machine m;
    machine_defaults(&m, "noncoherent");
    script *const s = make_script(2, 2);
    for (unsigned block = 0; block < 2; block++)
        for (unsigned warp = 0; warp < 2; warp++) {
            does(s, block, warp, LOAD, block + 1);
            does(s, block, warp, TEXTURE, 7);
            does(s, block, warp, ATOMIC, 9);
        }
    ws_coherence_traffic t;
    ws_source_replay_result r;
    assert_int_equal(replay_script(&m, s, &t, &r), WS_OK);
    assert_int_equal(r.instructions, 12);
    assert_int_equal(r.accesses, 8);
    assert_int_equal(r.waits, 0);
    assert_int_equal(r.turns, 8); /* of an SM: 6 instructions, and two ends */
    assert_int_equal(t.messages[WS_MESSAGE_READ], 2);
    assert_int_equal(t.l1.hits, 2);
    assert_int_equal(t.messages[WS_MESSAGE_ATOMIC], 4);
    assert_int_equal(t.bytes[WS_MESSAGE_ATOMIC], 4 * (8 + 4));
    s->source.ops->destroy(&s->source);
}

/* Warp 0 stores behind a barrier, warp 1 has read before it and reads again behind another: one expired copy in G-TSC.
 */
static void test_barrier(void **unused)
{
    (void)unused;
    ws_machine m;
    machine_defaults(&m, "gtsc-sc");
    m.sm_blocks = 1;
    script *const s = make_script(1, 3);
    does(s, 0, 0, ADD, 0);
    does(s, 0, 0, BARRIER, 0);
    does(s, 0, 0, STORE, 5);
    does(s, 0, 0, BARRIER, 0);
    for (unsigned warp = 1; warp < 3; warp++) {
        does(s, 0, warp, LOAD, 5);
        does(s, 0, warp, BARRIER, 0);
        does(s, 0, warp, BARRIER, 0);
        does(s, 0, warp, LOAD, 5);
    }
    ws_coherence_traffic t;
    ws_source_replay_result r;
    assert_int_equal(replay_script(&m, s, &t, &r), WS_OK);
    assert_int_equal(t.l1.loads, 4);
    assert_int_equal(t.messages[WS_MESSAGE_READ], 1); /* the copy took the store, its new lease serves both */
    assert_int_equal(t.l1.hits, 3);
    assert_int_equal(t.messages[WS_MESSAGE_WRITE], 1);
    assert_int_equal(t.bytes[WS_MESSAGE_WRITE], 8 + 4 + 128);
    s->source.ops->destroy(&s->source);

    /* Who has ended is not waited for. */
    script *const alone = make_script(1, 2);
    does(alone, 0, 0, BARRIER, 0);
    does(alone, 0, 1, FENCE, 0);
    assert_int_equal(replay_script(&m, alone, &t, &r), WS_OK);
    assert_int_equal(t.fences, 1);
    alone->source.ops->destroy(&alone->source);
}

/* Blocks go to SMs in turn as they have room. */
static void test_placement(void **unused)
{
    (void)unused;
    ws_machine m;
    machine_defaults(&m, "noncoherent");
    m.sm_blocks = 2;
    script *const s = make_script(6, 1);
    for (unsigned block = 0; block < 6; block++)
        does(s, block, 0, LOAD, 3);
    ws_coherence_traffic t;
    ws_source_replay_result r;
    assert_int_equal(replay_script(&m, s, &t, &r), WS_OK);
    assert_int_equal(s->begun, 6);
    assert_int_equal(t.messages[WS_MESSAGE_READ], 2); /* one an SM */
    assert_int_equal(t.l1.hits, 4);
    s->launch.shared_bytes = m.sm_shared + 1;
    assert_int_equal(replay_script(&m, s, &t, &r), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "fits no SM"));
    s->source.ops->destroy(&s->source);
}

/* A store of tc-strong waits for the lease of the other SM; its warp's next access waits for it. */
static void test_waits(void **unused)
{
    (void)unused;
    ws_machine m;
    machine_defaults(&m, "tc-strong");
    m.coherence_lease_cycles = 50;
    script *const s = make_script(2, 1);
    does(s, 0, 0, LOAD, 5);
    does(s, 1, 0, ADD, 0);
    does(s, 1, 0, STORE, 5);
    does(s, 1, 0, LOAD, 6);
    ws_coherence_traffic t;
    ws_source_replay_result r;
    assert_int_equal(replay_script(&m, s, &t, &r), WS_OK);
    assert_in_range(r.turns, 51, 56);
    assert_int_equal(r.waits, 1);
    assert_int_equal(t.waiting, 0);
    assert_int_equal(t.messages[WS_MESSAGE_ACK], 1);
    assert_int_equal(t.messages[WS_MESSAGE_FILL], 2);
    s->source.ops->destroy(&s->source);

    /* A fence of tc-weak waits as long. */
    machine_defaults(&m, "tc-weak");
    m.coherence_lease_cycles = 50;
    script *const f = make_script(2, 1);
    does(f, 0, 0, LOAD, 5);
    does(f, 1, 0, ADD, 0);
    does(f, 1, 0, STORE, 5);
    does(f, 1, 0, FENCE, 0);
    assert_int_equal(replay_script(&m, f, &t, &r), WS_OK);
    assert_in_range(r.turns, 51, 56);
    assert_int_equal(t.fences, 1);
    f->source.ops->destroy(&f->source);
}

/* One warp at a time on one SM, each access behind the one before: the simulator has the replay's order. */
static void test_equals_simulator(void **unused)
{
    (void)unused;
    static const char *const names[] = {"bl", "noncoherent", "vi", "gtsc-sc"};
    for (size_t p = 0; p < sizeof names / sizeof *names; p++) {
        ws_machine m;
        machine_defaults(&m, names[p]);
        m.chip_sms = 1;
        m.sm_blocks = 1;
        m.sm_memory_tags = 1; /* an instruction's data before the next one's */
        m.l1_sets = 4;
        m.l1_ways = 2;
        m.l2_sets = 2;
        m.l2_ways = 2;
        m.folder = "data/tech";
        script *const s = make_script(MOST_BLOCKS, 1);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(rng, p);
        for (unsigned block = 0; block < MOST_BLOCKS; block++)
            for (unsigned i = 0; i < 300; i++) {
                const unsigned what = (unsigned)gsl_rng_uniform_int(rng, 8);
                const uint32_t line = (uint32_t)gsl_rng_uniform_int(rng, i % 2 ? 12 : 60);
                does(s, block, 0, what < 5 ? LOAD : what < 7 ? STORE : ATOMIC, line);
            }
        gsl_rng_free(rng);
        ws_coherence_traffic t;
        ws_source_replay_result r;
        assert_int_equal(replay_script(&m, s, &t, &r), WS_OK);
        ws_sim *sim;
        const ws_sim_options options = {.workers = 1};
        if (machine_settle(&m) || ws_sim_create(&m, &options, &sim) || ws_sim_begin(sim, &s->source))
            fail_msg("%s", ws_message());
        for (bool done = false; !done;)
            if (ws_sim_run(sim, ws_sim_now(sim) + 1000000, &done))
                fail_msg("%s", ws_message());
        ws_sim_sums sums;
        ws_sim_sum(sim, &sums);
        for (unsigned type = 0; type < WS_MESSAGE_COUNT; type++)
            if (sums.messages[type] != t.messages[type] && strncmp(ws_message_name(type), "DRAM", 4))
                fail_msg("%s: %llu %s in the simulator, %llu in the replay", names[p],
                         (unsigned long long)sums.messages[type], ws_message_name(type),
                         (unsigned long long)t.messages[type]);
        assert_int_equal(sums.l1.hits, t.l1.hits);
        assert_int_equal(sums.l1.expired, t.l1.expired);
        assert_int_equal(sums.l2.misses, t.l2.misses);
        assert_true(t.messages[WS_MESSAGE_RENEW] > 0 || p < 3);
        assert_int_equal(ws_sim_end(sim), WS_OK);
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns), cmocka_unit_test(test_barrier),          cmocka_unit_test(test_placement),
        cmocka_unit_test(test_waits), cmocka_unit_test(test_equals_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
