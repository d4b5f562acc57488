/* sim_random.h - random machines and launches for laws of the cycle simulator: every row of every table of policies is
 * drawn, small caches and queues run out of room now and then, and runs are compared. Include it alone: it has
 * sim_script.h. */
#ifndef WS_TEST_SIM_RANDOM_H
#define WS_TEST_SIM_RANDOM_H

#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "model/cache/cache.h"
#include "model/sim/sm/atomic.h"
#include "model/placement/cta_scheduler.h"
#include "model/machine/home.h"
#include "model/machine/machine_internal.h"
#include "model/sim/memory/memory_channel.h"
#include "model/machine/package_coherence.h"
#include "model/sim/sm/register_file.h"
#include "model/sim/sm/scheduler.h"
#include "model/sim/sm/shared_memory.h"

#include <gsl/gsl_rng.h>

/* Every row of every table of policies is run: one that is added tomorrow, too. */
#define PROTOCOL(id, name) name,
static const char *const protocols[] = {
    "none",
#include "model/coherence/protocols.def"
};
#undef PROTOCOL
#define NETWORK(name, word, ...)        word,
#define CONTROLLER(name, word, summary) word,
static const char *const networks[] = {
#include "model/machine/networks.def"
};
static const char *const controllers[] = {
#include "model/machine/dram_controllers.def"
};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, LINE = 128 };
#ifdef __SANITIZE_ADDRESS__
enum { SKIP = 2 }; /* laws that compare whole runs: with sanitizers, on every second protocol */
#else
enum { SKIP = 1 };
#endif
static unsigned seeds = 1;  /* random machines and scripts for each protocol; --slow: more */
static unsigned thrift = 6; /* divides the length of scripts and the number of draws; --more, --slow: 1 */

/* Protocols from one to the next of laws that compare whole runs. */
static inline unsigned next_protocol(void)
{
    return thrift > 1 ? 2 : SKIP;
}

/* Draws of a law that has n of them. */
static inline unsigned draws(unsigned n)
{
    return (n + thrift - 1) / thrift;
}

static inline unsigned under(gsl_rng *rng, unsigned n)
{
    return (unsigned)gsl_rng_uniform_int(rng, n);
}

static inline step *add_random(script *s, uint32_t block, uint32_t warp, gsl_rng *rng, unsigned lines)
{
    static const uint32_t mix[] = {ADD,         USE,      FREE,      DIVIDE,      BRANCH,        FENCE,
                                   LOAD,        LOAD2,    LOAD,      LOAD2,       STORE,         STORE,
                                   ATOMIC,      POLL,     VECTOR,    SHARED_LOAD, SHARED_STORE,  LOCAL_LOAD,
                                   LOCAL_STORE, CONSTANT, PARAMETER, TEXTURE,     SURFACE_STORE, REDUCE};
    const uint32_t instr = mix[under(rng, sizeof mix / sizeof *mix)];
    step *const p = script_add(s, block, warp, instr, (uint64_t)under(rng, lines) * LINE);
    if (under(rng, 4) == 0)
        p->exec &= (uint32_t)gsl_rng_get(rng);
    if (under(rng, 4) == 0)
        p->stride = (int64_t[]){0, 8, 64, 128, -4}[under(rng, 5)] * (instr != ATOMIC && instr != REDUCE);
    if (p->stride < 0)
        p->base += 32 * 4;
    p->texel = instr == TEXTURE || instr == SURFACE_STORE ? 4 : 0;
    if (instr == TEXTURE)
        p->base += 1 << 20; /* read only */
    if (instr == TEXTURE && under(rng, 2))
        p->further = 3;
    p->detail = instr == BRANCH ? under(rng, 2) : 0;
    p->run = instr == ADD ? (uint16_t)(1 + under(rng, 2)) : 0;
    return p;
}

/* Blocks of warps that share few lines; all warps of a block meet at the same barriers. */
static inline script *random_script(unsigned seed, unsigned blocks, unsigned threads, unsigned most, unsigned lines)
{
    enum { LEAST = 20 }; /* with a barrier */
    const unsigned steps = most < LEAST ? most : most / thrift < LEAST ? LEAST : most / thrift;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    script *const s = script_make(blocks, threads);
    s->launch.shared_bytes = 8192;
    if (blocks % 2 == 0) {
        s->launch.grid[0] = blocks / 2;
        s->launch.grid[1] = 2;
    }
    for (uint32_t block = 0; block < blocks; block++)
        for (uint32_t warp = 0; warp < s->launch.warps_per_block; warp++) {
            const unsigned early = under(rng, 5) == 0 ? under(rng, steps) : steps;
            for (unsigned i = 0; i < early; i++) {
                if (i % 16 == 15)
                    script_add(s, block, warp, BARRIER, 0);
                else
                    add_random(s, block, warp, rng, lines);
            }
        }
    gsl_rng_free(rng);
    return s;
}

/* Warp instructions of a script. */
static inline uint64_t instructions_of(const script *s)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < s->launch.blocks * s->launch.warps_per_block; w++)
        for (size_t i = 0; i < s->warp[w].steps; i++)
            n += s->warp[w].step[i].run ? s->warp[w].step[i].run : 1;
    return n;
}

/* Word `which` of a kind, counted round and round. */
static inline void pick_word(ws_machine *m, size_t option, unsigned which)
{
    const ws_kind *kind;
    size_t at = 0, words = 0;
    while ((kind = ws_kind_at(at)) && kind->row != option)
        at++;
    while (kind->name(words))
        words++;
    kind->take(m, which % words);
}
#define pick(machine, option, which) pick_word(machine, WS_MACHINE_ROW_##option, which)

/* Half of them have several chips, with little room between them. */
static inline void random_package(ws_machine *m, unsigned seed)
{
    m->package_chips = seed % 4 < 2 ? 1 : seed % 4;
    m->chip_sms = m->package_chips == 1 ? 4 : 2;
    m->package_page = 4 * LINE;
    m->link_clock = 900000;
    m->link_queue = 1 + seed % 3;
    pick(m, link_kind, seed / 4);
    pick(m, package_home, seed / 4);
    pick(m, memory_channel, seed / 3);
    if (m->memory_channel == ws_memory_channel_kind_find("optical") && seed / 9 % 2) {
        static ws_given links[] = {{.name = "concurrent", .value = 1},
                                   {.name = "north_wavelengths", .value = 16},
                                   {.name = "read_queue", .value = 3}};
        m->memory = (ws_machine_options){.list = links, .count = sizeof links / sizeof *links};
    }
    size_t networks_there = 0;
    while (ws_network_kind_at(networks_there))
        networks_there++;
    if (seed % 5 == 4)
        m->reply_kind = ws_network_kind_at(seed / 5 % networks_there);
}

/* Every second one has an L3, with few lines; plain L2s of several chips keep what their chips ask for, now and then.
 */
static inline void random_levels(ws_machine *m, const char *protocol, unsigned seed)
{
    static const char *const writes[] = {"back", "through", "evict"}, *const allocates[] = {"lazy", "fetch", "none"};
    m->l3_ways = 2;
    m->l3_size = seed % 2 ? 0 : 4 * m->l3_ways * LINE;
    m->l3_sector = seed % 3 ? 0 : 32;
    m->l3_mshrs = 4;
    m->l3_merges = 2;
    m->l3_queue = 1 + seed % 3;
    m->l3_latency = 1 + seed % 7;
    machine_word(m, l3_write, writes[seed / 2 % 3]);
    machine_word(m, l3_write_allocate, allocates[seed / 2 % 3 == 2 ? 2 : seed / 4 % 3]);
    machine_word(m, l2_side, !strcmp(protocol, "none") && seed % 3 != 1 ? "requester" : "memory");
}

/* How L2s of several chips agree, and what they keep of each other's lines. */
static inline void random_agreement(ws_machine *m, unsigned seed)
{
    size_t rows = 0;
    if (!ws_machine_keeps_remote(m))
        return;
    while (ws_package_coherence_at(rows))
        rows++;
    machine_word(m, package_coherence, ws_package_coherence_at(seed % rows)->name);
    m->package_remote_read = seed / 2 % 2;
    machine_word(m, package_remote_store, seed / 3 % 2 ? "back" : "through");
    if (m->package_coherence->directories)
        machine_word(m, l2_write, "through");
    m->package_atomic_buffer = seed / 5 % 3 * m->memory_channels * m->l2_slices; /* a line or two of a slice */
}

/* Is the replacement none for this level, WS_CACHE_IN_...? */
static inline bool is_elsewhere(const ws_cache_replacement *r, uint8_t place)
{
    return r->places && !(r->places & place);
}

/* Some index that is for so many sets, some replacement that goes with the protocol and the level. */
static inline void pick_policies(const char *protocol, uint8_t place, uint32_t sets, unsigned which,
                                 const ws_cache_index **index, const ws_cache_replacement **replacement)
{
    size_t rows[2] = {0};
    while (ws_cache_index_at(rows[0]))
        rows[0]++;
    while (ws_cache_replacement_at(rows[1]))
        rows[1]++;
    for (size_t at = which;; at++) {
        *index = ws_cache_index_at(at % rows[0]);
        ws_cache cache;
        if (!ws_cache_setup(&cache, &(ws_cache_choice){.index = (*index)->name}, sets, 1, false))
            break;
    }
    size_t at = which;
    while (is_elsewhere(ws_cache_replacement_at(at % rows[1]), place) ||
           (ws_cache_replacement_at(at % rows[1])->bypasses && strcmp(protocol, "none") != 0))
        at++;
    *replacement = ws_cache_replacement_at(at % rows[1]);
}

/* What the replacement of the L1 needs of the rest. */
static inline void suit_the_l1(ws_machine *m)
{
    if (!m->l1_replacement->hears)
        return;
    machine_word(m, l2_replacement, ws_cache_replacement_telling()->name);
    machine_word(m, l1_allocate, "fill");
}

/* Values for some of the options of the L1's replacement, where they go together. */
static inline void random_options(ws_machine *m, unsigned seed)
{
    static ws_given given[WS_CACHE_OPTIONS];
    const ws_option *const options = m->l1_replacement->options;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    m->l1 = (ws_machine_options){.list = given};
    for (const ws_option *o = options; o && o->name; o++) {
        const uint64_t span = o->most - o->least < 6 ? o->most - o->least : 6;
        if (under(rng, 2))
            given[m->l1.count++] = (ws_given){.name = o->name, .value = o->least + under(rng, (unsigned)span + 1)};
    }
    gsl_rng_free(rng);
    const ws_cache_choice choice = {.replacement = m->l1_replacement->name, .given = given, .count = m->l1.count};
    ws_cache cache;
    if (ws_cache_setup(&cache, &choice, m->l1_sets, m->l1_ways, false))
        m->l1.count = 0;
}

/* What is asked for of a block that is not kept, and what is told of loads. */
static inline void random_knowledge(ws_machine *m, unsigned seed)
{
    const bool bypasses = ws_machine_l1_bypasses(m) && m->l1_allocate == WS_L1_ALLOCATE_MISS;
    m->l1_bypass = bypasses && seed / 2 % 2 ? 4u << seed / 4 % 4 : 0;
    m->l1_bypass_mshr = !bypasses || m->l1_request != WS_L1_REQUEST_LINE || seed / 8 % 2;
    m->l1_classify = ws_machine_has_protocol(m) || seed % 3 ? 0 : 1u << seed % 12;
    m->l1_sharing = ws_machine_has_protocol(m) || seed % 5 < 3 ? 0 : 1u << seed % 12;
}

/* Small caches and queues, so that everything runs out of room now and then; clocks that do not divide one another. */
static inline void random_machine(ws_machine *m, const char *protocol, unsigned seed)
{
    script_machine(m, protocol);
    random_package(m, seed);
    if (ws_coherence_detects_races(protocol)) { /* one detector beside all slices */
        m->package_chips = 1;
        m->chip_sms = 4;
    }
    m->coherence_race_bits = 64u << seed % 5;
    m->coherence_race_unit = seed % 3 ? LINE : 1u << seed % 10;
    m->coherence_race_hits = 1 + seed % 4;
    m->coherence_race_latency = seed % 4 * 7;
    m->coherence_race_queue = seed % 5;
    m->coherence_race_registers = seed % 2 ? 0 : 1u << seed / 2 % 8;
    m->chip_core_clock = 1400000;
    m->chip_network_clock = 1100000;
    m->chip_l2_clock = 700000;
    m->memory_channels = 2;
    m->l2_slices = 1 + seed % 2;
    m->network_cluster = m->package_chips == 1 && seed % 3 == 1 ? m->chip_sms / (m->memory_channels * m->l2_slices) : 0;
    m->sm_schedulers = 1 + seed % 2;
    m->sm_subcores = seed / 2 % 2;
    m->sm_rotate = seed / 4 % 2;
    m->sm_memory_queue = 2 + seed % 4;
    if (seed / 2 % 3 == 1)
        machine_word(m, sm_memory_stage, "collector");
    m->sm_fetch = seed / 3 % 4;
    m->sm_memory_tags = 8;
    m->sm_blocks = 3;
    m->l1_sets = 2;
    m->l1_ways = 2;
    m->l1_mshrs = 4;
    m->l1_merges = 2;
    m->l2_sets = 4;
    m->l2_ways = 4;
    m->l2_mshrs = 4;
    m->l2_merges = 2;
    m->l2_queue = 4;
    m->port_packets = 2 + seed % 3;
    m->port_cycles = 1 + seed % 8;
    m->l1_width = seed % 3 * 16;
    machine_word(m, l1_request, seed / 3 % 2 ? "sector" : "line");
    m->l2_port = seed / 3 % 3 * 32;
    m->l2_repeat = seed % 5 ? 1 : 3;
    m->l2_dirty = seed % 2 ? 100 : 30;
    machine_word(m, latency_from, seed % 2 ? "issue" : "operands");
    random_levels(m, protocol, seed / 4);
    random_agreement(m, seed / 5);
    pick_policies("none", WS_CACHE_IN_L3, 4, seed + 2, &m->l3_index, &m->l3_replacement);
    m->coherence_lease_cycles = 60;
    m->coherence_timestamp = seed % 3 ? 16 : 7; /* the short ones start again */
    m->chip_launch = seed % 2 * 13;
    m->chip_dispatch = seed % 3 * 7;
    machine_word(m, network_kind, networks[seed % (sizeof networks / sizeof *networks)]);
    machine_word(m, memory_controller, controllers[seed / 2 % (sizeof controllers / sizeof *controllers)]);
    pick_policies(protocol, WS_CACHE_IN_L1, m->l1_sets, seed, &m->l1_index, &m->l1_replacement);
    pick_policies(protocol, WS_CACHE_IN_L2, m->l2_sets, seed + 1, &m->l2_index, &m->l2_replacement);
    suit_the_l1(m);
    if (seed % 2)
        random_options(m, seed);
    random_knowledge(m, seed);
    pick(m, registers_file, seed);
    pick(m, sm_scheduler, seed);
    pick(m, shared_memory, seed / 2);
    pick(m, sm_atomics, seed / 2);
    if (strcmp(protocol, "none") && ws_warp_scheduler_ops_of(m->sm_scheduler)->evicted)
        machine_word(m, sm_scheduler, "gto"); /* their L1s do not tell */
    if (ws_atomic_owns(m) && m->package_chips > 1)
        machine_word(m, sm_atomics, "lab");
    if (strcmp(protocol, "none") && m->sm_atomics->in_l1)
        machine_word(m, sm_atomics, "lab"); /* their L1s keep no updates */
    if (ws_coherence_is_sequential(protocol) && ws_atomic_ops_of(m->sm_atomics)->state_size)
        machine_word(m, sm_atomics, "serial"); /* a buffer would be refused */
    if (m->sm_atomics == ws_atomic_kind_find("lab")) {
        static ws_given few[] = {{.name = "entries", .value = 2}}; /* one of two ways */
        m->atomics = (ws_machine_options){.list = few, .count = 1};
    }
    if (m->sm_atomics->in_l1)
        m->package_atomic_buffer = 0; /* what lines gave up has no operation */
    pick(m, chip_cta_scheduler, seed / 3);
}

static inline void compare(const ws_sim_sums *a, const ws_sim_sums *b)
{
    assert_memory_equal(a, b, offsetof(ws_sim_sums, greatest_timestamp) + sizeof a->greatest_timestamp);
    assert_memory_equal(&a->package, &b->package, sizeof a->package);
}

static inline ws_sim_sums run_whole(const ws_machine *m, const ws_sim_options *options, script *s, uint64_t slice)
{
    ws_sim *const sim = script_sim(m, options);
    ws_sim_sums sums;
    if (script_run(sim, s, slice))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    assert_int_equal(ws_memory_side_inside(ws_sim_memory_side(sim)), 0);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return sums;
}

/* A run up to cycle `at`, its state; then another machine goes on from there. */
static inline ws_sim_sums run_in_two(const ws_machine *m, unsigned seed, uint64_t at, bool *done)
{
    ws_bytes bytes = {0};
    ws_sim_sums sums;
    ws_sim *sim = script_sim(m, NULL);
    script *s = random_script(seed, 10, 96, 64, 20);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    assert_int_equal(ws_sim_run(sim, at, done), WS_OK);
    assert_int_equal(ws_sim_save(sim, &bytes), WS_OK);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);

    sim = script_sim(m, NULL);
    s = random_script(seed, 10, 96, 64, 20);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    ws_reader reader = ws_reader_of(&bytes);
    if (ws_sim_load(sim, &reader))
        fail_msg("%s", ws_message());
    assert_true(reader.next == reader.end && !reader.failed);
    for (bool end = false; !end;)
        if (ws_sim_run(sim, ws_sim_now(sim) + 1000, &end))
            fail_msg("%s", ws_message());
    ws_sim_sum(sim, &sums);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    ws_bytes_fini(&bytes);
    return sums;
}

/* Arguments of every program of laws: --more, for long scripts and all draws; --slow, for more machines also. */
static inline void sim_random_begin(int argc, char **argv)
{
    const bool slow = argc > 1 && strcmp(argv[1], "--slow") == 0;
    if (slow)
        seeds = 12;
    if (slow || (argc > 1 && strcmp(argv[1], "--more") == 0))
        thrift = 1;
}

#endif
