/* test_atomic_lab.c - local atomic buffers: worked examples, a brute-force LRU beside them, and that nothing is lost in
 * a machine. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "collect/trace/update.h"
#include "model/sim/sm/atomic.h"
#include "model/machine/carveout.h"

#include <gsl/gsl_rng.h>

enum { LINE = 128, STREAM = 12 };

/* ------------------------------------------------------------------------------------------------ the rule alone */

typedef struct kept {
    uint64_t values[WS_ATOMIC_OPTIONS];
    ws_sm_counts counts;
    ws_cache tags;
    ws_atomic_buffer b;
    const ws_atomic_ops *ops;
    void *state;
} kept;

static void start(kept *k, uint64_t entries, uint64_t ways, bool by_warp)
{
    *k = (kept){.values = {entries, ways, 0, 1}, .ops = ws_atomic_ops_of(ws_atomic_kind_find("lab"))};
    assert_int_equal(ws_atomic_kind_find("lab")->arrange(k->values, &k->tags), WS_OK);
    k->state = calloc(1, k->ops->state_size(k->values));
    assert_non_null(k->state);
    k->b = (ws_atomic_buffer){
        .state = k->state, .values = k->values, .counts = &k->counts, .tags = &k->tags, .by_warp = by_warp};
}

static ws_atomic_access update(uint64_t block, uint32_t words, uint8_t op)
{
    return (ws_atomic_access){.block = block,
                              .words = words,
                              .kind = WS_REQUEST_ATOMIC,
                              .is_update = true,
                              .bytes = 4,
                              .op = op,
                              .order = WS_ORDER_RELAXED,
                              .scope = WS_SCOPE_GPU};
}

/* L2 takes what leaves at once. Returns how many left; operations on words are added to *performed. */
static unsigned send_all(kept *k, uint64_t *performed)
{
    ws_atomic_sum sum;
    unsigned sent = 0;
    for (; k->ops->leaving(&k->b, 0, &sum); sent++) {
        k->ops->left(&k->b, &sum);
        k->ops->performed(&k->b, sum.id);
        for (unsigned i = 0; i < WS_COHERENCE_WORDS && performed; i++)
            *performed += sum.count[i];
    }
    return sent;
}

static void take(kept *k, ws_atomic_access a, uint64_t *performed)
{
    while (k->ops->offer(&k->b, &a) == WS_ATOMIC_WAIT)
        assert_true(send_all(k, performed) > 0);
}

static void end(kept *k, uint64_t *performed)
{
    while (!k->ops->reach(&k->b, WS_ATOMIC_LAUNCH, 0, 0))
        assert_true(send_all(k, performed) > 0);
    assert_int_equal(k->ops->waiting(&k->b), 0);
    free(k->state);
}

/* Twelve adds of lines, a maximum of line 0, the end of the launch: hits, misses, evictions, mismatches, flushed by the
 * number of entries. */
static void a_stream(void **state)
{
    (void)state;
    static const uint64_t line[STREAM] = {0, 1, 0, 2, 3, 0, 4, 1, 0, 5, 0, 2};
    static const unsigned want[][6] = {
        {1, 0, 13, 12, 0, 1}, {2, 2, 11, 8, 1, 2}, {3, 4, 9, 5, 1, 3}, {4, 4, 9, 4, 1, 4}, {6, 6, 7, 0, 1, 6}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        kept k;
        uint64_t performed = 0;
        start(&k, want[i][0], 0, false);
        for (unsigned n = 0; n < STREAM; n++)
            take(&k, update(line[n], 1, WS_ATOMIC_ADD), &performed);
        take(&k, update(0, 1, WS_ATOMIC_MAX), &performed);
        end(&k, &performed);
        const ws_sm_counts *const c = &k.counts;
        assert_int_equal(c->update_hits, want[i][1]);
        assert_int_equal(c->update_misses, want[i][2]);
        assert_int_equal(c->update_evictions, want[i][3]);
        assert_int_equal(c->update_mismatches, want[i][4]);
        assert_int_equal(c->update_flushed, want[i][5]);
        assert_int_equal(c->update_messages, c->update_misses);
        assert_int_equal(performed, STREAM + 1);
    }
}

/* Lines that leave, behind those that did. */
static void note_leaving(kept *k, uint64_t *gone, unsigned *count)
{
    ws_atomic_sum sum;
    while (k->ops->leaving(&k->b, 0, &sum)) {
        assert_true(*count < STREAM);
        gone[(*count)++] = sum.block;
        k->ops->left(&k->b, &sum);
        k->ops->performed(&k->b, sum.id);
    }
}

/* From four entries leave lines 1, 2, 3 and 4 for want of room, in this order, and 0 because the operation is another
 * one; at the end 0, 1, 2 and 5 are left. */
static void who_leaves(void **state)
{
    (void)state;
    static const uint64_t line[STREAM] = {0, 1, 0, 2, 3, 0, 4, 1, 0, 5, 0, 2}, want[] = {1, 2, 3, 4, 0};
    uint64_t gone[STREAM];
    unsigned count = 0, left = 0;
    kept k;
    start(&k, 4, 0, false);
    for (unsigned n = 0; n <= STREAM; n++) {
        const ws_atomic_access a = n < STREAM ? update(line[n], 1, WS_ATOMIC_ADD) : update(0, 1, WS_ATOMIC_MAX);
        while (k.ops->offer(&k.b, &a) == WS_ATOMIC_WAIT)
            note_leaving(&k, gone, &count);
        note_leaving(&k, gone, &count);
    }
    assert_int_equal(count, sizeof want / sizeof *want);
    assert_memory_equal(gone, want, sizeof want);
    for (count = 0; !k.ops->reach(&k.b, WS_ATOMIC_LAUNCH, 0, 0);)
        note_leaving(&k, gone, &count);
    for (unsigned i = 0; i < count; i++)
        left |= 1u << gone[i];
    assert_int_equal(count, 4);
    assert_int_equal(left, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5);
    free(k.state);
}

static void what_does_not_stay(void **state)
{
    (void)state;
    kept k;
    start(&k, 4, 0, false);
    take(&k, update(1, 3, WS_ATOMIC_ADD), NULL);
    ws_atomic_access a = update(1, 4, WS_ATOMIC_ADD);
    a.is_update = false; /* its result is wanted: it passes, and does not look */
    assert_int_equal(k.ops->offer(&k.b, &a), WS_ATOMIC_PASS);
    assert_int_equal(k.counts.update_races, 0);
    a.words = 2;
    a.kind = WS_REQUEST_LOAD;
    assert_int_equal(k.ops->offer(&k.b, &a), WS_ATOMIC_PASS);
    assert_int_equal(k.counts.update_races, 1);
    assert_int_equal(k.ops->waiting(&k.b), 0);
    /* Neither the end of a block nor a fence within one is an ordering point; a fence of the GPU and a release are. */
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_CTA, 0, 0));
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 3, WS_SCOPE_CTA));
    assert_int_equal(k.ops->waiting(&k.b), 0);
    assert_false(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 3, WS_SCOPE_GPU));
    take(&k, update(2, 1, WS_ATOMIC_ADD), NULL); /* behind the fence: stays */
    assert_int_equal(send_all(&k, NULL), 1);
    assert_true(k.ops->reach(&k.b, WS_ATOMIC_FENCE, 3, WS_SCOPE_GPU));
    a = update(9, 1, WS_ATOMIC_NONE);
    a.is_update = false;
    a.kind = WS_REQUEST_STORE;
    a.order = WS_ORDER_RELEASE;
    assert_int_equal(k.ops->offer(&k.b, &a), WS_ATOMIC_WAIT);
    assert_int_equal(send_all(&k, NULL), 1);
    assert_int_equal(k.ops->offer(&k.b, &a), WS_ATOMIC_PASS);
    end(&k, NULL);
    /* Numbers that differ are another operation. Where warps have times, lines of two of them are two. */
    start(&k, 4, 0, true);
    take(&k, update(1, 1, WS_ATOMIC_ADD), NULL);
    a = update(1, 1, WS_ATOMIC_ADD);
    a.number = WS_NUMBER_SINGLE;
    take(&k, a, NULL);
    assert_int_equal(k.counts.update_mismatches, 1);
    a.warp = 1;
    take(&k, a, NULL);
    assert_int_equal(k.counts.update_misses, 3);
    end(&k, NULL);
}

/* A buffer without the outbox, the hash and the chain: an array in the order of use, for each set. */
typedef struct plain {
    struct {
        uint64_t block;
        uint8_t op;
    } at[64];
    unsigned kept, ways;
    uint64_t hits, misses, evictions, mismatches;
} plain;

static void plain_update(plain *p, uint64_t block, uint8_t op)
{
    unsigned i = 0;
    while (i < p->kept && p->at[i].block != block)
        i++;
    const bool own = i < p->kept, hit = own && p->at[i].op == op;
    p->hits += hit;
    p->misses += !hit;
    p->mismatches += own && !hit;
    if (!own && p->kept == p->ways) {
        p->evictions++;
        i = p->kept - 1;
    } else if (!own) {
        i = p->kept++;
    }
    memmove(&p->at[1], &p->at[0], i * sizeof *p->at);
    p->at[0].block = block;
    p->at[0].op = op;
}

static void beside_brute_force(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned seed = 1; seed < 200; seed++) {
        kept k;
        gsl_rng_set(rng, seed);
        const unsigned sets = 1u << gsl_rng_uniform_int(rng, 3), ways = 1 + (unsigned)gsl_rng_uniform_int(rng, 9),
                       lines = 1 + (unsigned)gsl_rng_uniform_int(rng, 60);
        plain p[4] = {{.ways = ways}, {.ways = ways}, {.ways = ways}, {.ways = ways}}, sum = {0};
        uint64_t performed = 0;
        start(&k, sets * ways, ways, false);
        for (unsigned n = 0; n < 400; n++) {
            const uint64_t block = gsl_rng_uniform_int(rng, lines);
            const uint8_t op = gsl_rng_uniform_int(rng, 8) ? WS_ATOMIC_ADD : WS_ATOMIC_XOR;
            take(&k, update(block, 1u << n % 32, op), &performed);
            plain_update(&p[block % sets], block, op);
        }
        for (unsigned i = 0; i < sets; i++) {
            sum.hits += p[i].hits;
            sum.misses += p[i].misses;
            sum.evictions += p[i].evictions;
            sum.mismatches += p[i].mismatches;
            sum.kept += p[i].kept;
        }
        end(&k, &performed);
        const ws_sm_counts *const c = &k.counts;
        if (c->update_hits != sum.hits || c->update_misses != sum.misses || c->update_evictions != sum.evictions ||
            c->update_mismatches != sum.mismatches || c->update_flushed != sum.kept)
            fail_msg("seed %u: %lu hits, %lu misses, expected %lu and %lu", seed, c->update_hits, c->update_misses,
                     sum.hits, sum.misses);
        assert_int_equal(c->update_messages, c->update_evictions + c->update_mismatches + c->update_flushed);
        assert_int_equal(c->update_messages, c->update_misses);
        assert_int_equal(performed, 400);
    }
    gsl_rng_free(rng);
}

/* ------------------------------------------------------------------------------------------------ what an update is */

static void updates(void **state)
{
    (void)state;
    ws_instr instr[] = {
        {.access = WS_ACCESS_REDUCE, .atomic = WS_ATOMIC_ADD},
        {.access = WS_ACCESS_ATOMIC, .atomic = WS_ATOMIC_ADD, .dsts = 1, .dst = {5}}, /* nobody reads 5 */
        {.access = WS_ACCESS_ATOMIC, .atomic = WS_ATOMIC_MIN, .dsts = 1, .dst = {6}},
        {.access = WS_ACCESS_ATOMIC, .atomic = WS_ATOMIC_EXCH, .dsts = 1, .dst = {5}},
        {.access = WS_ACCESS_REDUCE, .atomic = WS_ATOMIC_INC},
        {.access = WS_ACCESS_REDUCE, .atomic = WS_ATOMIC_OR, .order = WS_ORDER_RELEASE, .scope = WS_SCOPE_GPU},
        {.access = WS_ACCESS_REDUCE, .atomic = WS_ATOMIC_OR, .order = WS_ORDER_RELEASE, .scope = WS_SCOPE_CTA},
        {.access = WS_ACCESS_STORE, .srcs = 1, .src = {6}},
    };
    static const bool want[] = {true, true, false, false, false, false, true, false};
    enum { COUNT = sizeof instr / sizeof *instr };
    bool got[COUNT];
    assert_int_equal(ws_update_mark(&(ws_launch){.kernel = "k", .instr = instr, .instrs = COUNT}, got), WS_OK);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(got[i], want[i]);
}

/* ------------------------------------------------------------------------------------------------ in a machine */

static void machine(ws_machine *m, const char *rule, ws_given *given, size_t count)
{
    script_machine(m, "none");
    machine_word(m, sm_atomics, rule);
    m->atomics = (ws_machine_options){.list = given, .count = count};
}

/* Two SMs update one word in turn, ten times each. */
static ws_sim_sums two_sms(const char *rule, uint32_t instr)
{
    ws_machine m;
    machine(&m, rule, NULL, 0);
    script *const s = script_make(2, 32);
    for (unsigned i = 0; i < 20; i++)
        script_add(s, i % 2, 0, instr, 0)->exec = 1;
    return script_sums(&m, s);
}

static void one_word_of_two_sms(void **state)
{
    (void)state;
    assert_int_equal(two_sms("serial", REDUCE).messages[WS_MESSAGE_ATOMIC], 20);
    const ws_sim_sums d = two_sms("lab", REDUCE), forwarded = two_sms("serialize", REDUCE),
                      returning = two_sms("lab", ATOMIC);
    assert_int_equal(d.sm.update_hits, 18);
    assert_int_equal(d.sm.update_misses, 2);
    assert_int_equal(d.messages[WS_MESSAGE_ATOMIC], 2);
    assert_int_equal(forwarded.messages[WS_MESSAGE_ATOMIC], 20);
    assert_int_equal(forwarded.sm.update_messages, 20);
    /* Owned, the line goes to and fro, as often as they really alternate; nothing else asks for it. */
    const ws_sim_sums owned = two_sms("owned", REDUCE);
    assert_int_equal(owned.messages[WS_MESSAGE_ATOMIC], 0);
    assert_in_range(owned.messages[WS_MESSAGE_OWN], 2, 20);
    assert_int_equal(owned.messages[WS_MESSAGE_DATA] + 1, owned.messages[WS_MESSAGE_OWN]);
    assert_int_equal(owned.l1.owned_hits + owned.l1.owned_misses, 20);
    const ws_sim_sums phi = two_sms("phi", REDUCE);
    assert_int_equal(phi.l1.update_hits, 18);
    assert_int_equal(phi.messages[WS_MESSAGE_ATOMIC], 2);
    assert_int_equal(returning.messages[WS_MESSAGE_ATOMIC], 20); /* an instruction reads what they return */
    assert_int_equal(returning.sm.update_misses, 0);
}

/* A0 D1 D2 A0 D3 D4 A0 and the end, in an L1 of two lines: updates of line 0, data of others. */
static ws_sim_sums among_data(const char *rule, ws_given *given, size_t count)
{
    static const unsigned line[] = {0, 1, 2, 0, 3, 4, 0};
    ws_machine m;
    machine(&m, rule, given, count);
    m.l1_sets = 1;
    m.l1_ways = !strcmp(rule, "lab") ? 3 : 2;
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < sizeof line / sizeof *line; i++) {
        script_add(s, 0, 0, line[i] ? LOAD : REDUCE, line[i] * LINE);
        if (line[i])
            script_add(s, 0, 0, USE, 0);
    }
    return script_sums(&m, s);
}

/* Two SMs whose warps wait for each other's loads in between cannot both keep the line: each update of one finds it
 * with the other. */
static void a_line_that_alternates(void **state)
{
    (void)state;
    ws_machine m;
    ws_sim_sums sums;
    machine(&m, "owned", NULL, 0);
    script *const s = script_make(2, 32);
    for (unsigned sm = 0; sm < 2; sm++)
        for (unsigned i = 0; i < 10; i++) {
            for (unsigned k = 0; k < 60 * (i ? 2 : 1 + sm); k++) /* half a turn apart */
                script_add(s, sm, 0, DIVIDE, 0), script_add(s, sm, 0, ADD, 0);
            script_add(s, sm, 0, REDUCE, 0)->exec = 1;
            script_add(s, sm, 0, FENCE, 0);
        }
    ws_sim *const sim = script_sim(&m, NULL);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_sum(sim, &sums);
    assert_int_equal(sums.messages[WS_MESSAGE_OWN], 20);
    assert_int_equal(sums.messages[WS_MESSAGE_DATA], 19);
    assert_int_equal(sums.messages[WS_MESSAGE_NONE], 0);
    assert_int_equal(sums.l1.owned_misses, 20);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

static void data_drive_updates_out(void **state)
{
    (void)state;
    ws_given one = {.name = "entries", .value = 1}, lazy = {.name = "fetch", .value = 0};
    const ws_sim_sums phi = among_data("phi", &lazy, 1), reading = among_data("phi", NULL, 0),
                      lab = among_data("lab", &one, 1);
    assert_int_equal(phi.l1.misses, 7);
    assert_int_equal(phi.messages[WS_MESSAGE_ATOMIC], 3);
    assert_int_equal(phi.l1.update_evictions, 2);
    assert_int_equal(phi.l1.update_flushed, 1);
    assert_int_equal(phi.messages[WS_MESSAGE_READ], 4);
    assert_int_equal(reading.messages[WS_MESSAGE_READ], 7); /* each update reads its line */
    assert_int_equal(reading.messages[WS_MESSAGE_ATOMIC], 3);
    assert_int_equal(lab.sm.update_misses, 1);
    assert_int_equal(lab.sm.update_hits, 2);
    assert_int_equal(lab.messages[WS_MESSAGE_ATOMIC], 1);
}

/* In lines of the L1 as in a buffer: another operation, a fence, an atomic that returns, send what is there. */
static void points_of_lines(void **state)
{
    (void)state;
    static const struct {
        uint32_t between;
        unsigned messages, mismatches, flushed;
    } want[] = {{ADD, 1, 0, 1},        {FENCE, 2, 0, 2},          {FENCE_BLOCK, 1, 0, 1},
                {REDUCE_MAX, 3, 2, 1}, {REDUCE_RELEASE, 3, 0, 2}, {ATOMIC, 3, 0, 2},
                {LOAD, 1, 0, 1}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        ws_machine m;
        ws_sim_sums sums;
        machine(&m, "phi", NULL, 0);
        script *const s = script_make(1, 32);
        for (unsigned k = 0; k < 10; k++) {
            if (k == 5)
                script_add(s, 0, 0, want[i].between, 0);
            script_add(s, 0, 0, REDUCE, 0);
        }
        ws_sim *const sim = script_sim(&m, NULL);
        if (script_run(sim, s, 1000))
            fail_msg("%s", ws_message());
        ws_sim_sum(sim, &sums);
        assert_int_equal(sums.messages[WS_MESSAGE_ATOMIC], want[i].messages);
        assert_int_equal(sums.l1.update_mismatches, want[i].mismatches);
        assert_int_equal(sums.l1.update_flushed, want[i].flushed);
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
}

/* Lines come from the L1; where a machine has none, and with no entries, atomics are those of `serial`. */
static void lines_are_taken(void **state)
{
    (void)state;
    ws_machine m;
    ws_given given[] = {{.name = "entries", .value = 64}, {.name = "unbounded", .value = 0}};
    machine(&m, "lab", given, 2);
    m.l1_sets = 4;
    m.l1_ways = 64;
    assert_int_equal(ws_carveout_ways(&m, 0), 48);
    given[0].value = 7;
    assert_int_equal(ws_carveout_ways(&m, 0), 62);
    given[1].value = 1;
    assert_int_equal(ws_carveout_ways(&m, 0), 64);
    given[0].value = given[1].value = 0;
    assert_int_equal(ws_carveout_ways(&m, 0), 64);
    uint64_t values[WS_ATOMIC_OPTIONS];
    assert_string_equal(ws_atomic_of(&m, values)->name, "serial");
    /* 64 entries are 8 KB, and their codes of 4 bits 32 bytes; those of 1024 lines four lines. */
    assert_int_equal(64 * LINE, 8192);
    assert_int_equal(64 * 4 / 8, 32);
    assert_int_equal(1024 * 4 / 8, 4 * LINE);
}

static void a_launch_without_a_flush(void **state)
{
    (void)state;
    ws_machine m;
    ws_given given[] = {{.name = "flush", .value = 0}};
    ws_sim_sums sums;
    machine(&m, "lab", given, 1);
    script *const s = script_make(1, 32);
    for (unsigned i = 0; i < 5; i++)
        script_add(s, 0, 0, REDUCE, i * LINE);
    ws_sim *const sim = script_sim(&m, NULL);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_sum(sim, &sums);
    assert_int_equal(sums.sm.update_unsent, 5);
    assert_int_equal(sums.messages[WS_MESSAGE_ATOMIC], 0);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

/* Cycles of an atomic of one lane and an instruction behind it. */
static uint64_t cycles_of_two(const ws_machine *m, uint32_t first, uint32_t second)
{
    script *const s = script_make(1, 32);
    script_add(s, 0, 0, first, 0)->exec = 1;
    script_add(s, 0, 0, second, 0);
    return script_sums(m, s).sm.busy_cycles;
}

/* With sm.atomic_stall an instruction that needs nothing waits as one does that needs the result; of a buffer, which
 * has done the update when it has taken it, it waits for the latency of the L1 alone: a cycle to the unit before it. */
static void a_warp_that_stalls(void **state)
{
    (void)state;
    ws_machine m;
    machine(&m, "serial", NULL, 0);
    const uint64_t read = cycles_of_two(&m, ATOMIC, USE), overlapped = cycles_of_two(&m, REDUCE, FREE),
                   loaded = cycles_of_two(&m, LOAD, FREE);
    assert_true(overlapped < read);
    m.sm_atomic_stall = 1;
    assert_int_equal(cycles_of_two(&m, ATOMIC, USE), read);
    assert_int_equal(cycles_of_two(&m, ATOMIC, FREE), read);
    assert_int_equal(cycles_of_two(&m, REDUCE, FREE), read);
    assert_int_equal(cycles_of_two(&m, LOAD, FREE), loaded);
    machine(&m, "lab", NULL, 0);
    m.sm_atomic_stall = 1;
    m.l1_latency = 20;
    const uint64_t soon = cycles_of_two(&m, REDUCE, FREE);
    m.l1_latency = 50;
    assert_int_equal(cycles_of_two(&m, REDUCE, FREE), soon + 30);
}

/* 32 lanes of a word are one request, or one each: messages of a buffer that keeps nothing, hits of one that does. */
static void lanes_that_take_turns(void **state)
{
    (void)state;
    for (unsigned turns = 0; turns < 2; turns++)
        for (unsigned keeps = 0; keeps < 2; keeps++) {
            ws_given given[] = {{.name = "turns", .value = turns}};
            ws_machine m;
            machine(&m, keeps ? "lab" : "serialize", given, 1);
            script *const s = script_make(1, 32);
            script_add(s, 0, 0, REDUCE, 0)->stride = 0;
            const ws_sim_sums sums = script_sums(&m, s);
            assert_int_equal(sums.messages[WS_MESSAGE_ATOMIC], turns && !keeps ? 32 : 1);
            assert_int_equal(sums.sm.update_hits, turns && keeps ? 31 : 0);
        }
}

/* An atomic whose result is read is kept only where all are. */
static void atomics_of_all_kinds(void **state)
{
    (void)state;
    for (unsigned any = 0; any < 2; any++) {
        ws_given given[] = {{.name = "any", .value = any}};
        ws_machine m;
        machine(&m, "lab", given, 1);
        script *const s = script_make(1, 32);
        for (unsigned i = 0; i < 2; i++) {
            script_add(s, 0, 0, ATOMIC, 0)->exec = 1;
            script_add(s, 0, 0, USE, 0);
        }
        const ws_sim_sums sums = script_sums(&m, s);
        assert_int_equal(sums.messages[WS_MESSAGE_ATOMIC], any ? 1 : 2);
        assert_int_equal(sums.sm.update_hits, any ? 1 : 0);
    }
}

/* A word of each of two sectors, there and back, behind headers of eight bytes. */
static void sectors_of_messages(void **state)
{
    (void)state;
    enum { HEADER = 8, SECTOR = 32, WORD = 4 };
    ws_machine m;
    machine(&m, "serial", NULL, 0);
    m.l1_sector = m.l2_sector = SECTOR;
    for (m.network_whole_sectors = 0; m.network_whole_sectors < 2; m.network_whole_sectors++) {
        script *const s = script_make(1, 32);
        step *const atomic = script_add(s, 0, 0, REDUCE, 0);
        atomic->exec = 3;
        atomic->stride = SECTOR;
        const ws_sim_sums sums = script_sums(&m, s);
        assert_int_equal(sums.request.bytes_in, HEADER + 2 * (m.network_whole_sectors ? SECTOR : WORD));
        assert_int_equal(sums.reply.bytes_in, HEADER + 2 * (m.network_whole_sectors ? SECTOR : WORD));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream),
        cmocka_unit_test(who_leaves),
        cmocka_unit_test(what_does_not_stay),
        cmocka_unit_test(beside_brute_force),
        cmocka_unit_test(updates),
        cmocka_unit_test(one_word_of_two_sms),
        cmocka_unit_test(lines_are_taken),
        cmocka_unit_test(a_launch_without_a_flush),
        cmocka_unit_test(data_drive_updates_out),
        cmocka_unit_test(points_of_lines),
        cmocka_unit_test(a_line_that_alternates),
        cmocka_unit_test(a_warp_that_stalls),
        cmocka_unit_test(lanes_that_take_turns),
        cmocka_unit_test(sectors_of_messages),
        cmocka_unit_test(atomics_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
