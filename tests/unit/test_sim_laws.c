/* test_sim_laws.c - what holds of every run of the cycle simulator: nothing is lost, the result depends on nothing but the
 * launch and the machine, a run that was resumed ends as one that was not, and loads return what the protocol promises. */
#include "sim_script.h"

#include "collect/trace/update.h"
#include "model/cache/cache.h"
#include "model/load_class.h"
#include "model/sim/atomic.h"
#include "model/sim/cta_scheduler.h"
#include "model/sim/home.h"
#include "model/sim/kinds.h"
#include "model/sim/machine_internal.h"
#include "model/sim/memory_channel.h"
#include "model/sim/package_coherence.h"
#include "model/sim/register_file.h"
#include "model/sim/scheduler.h"
#include "model/sim/shared_memory.h"

#include <gsl/gsl_rng.h>
#include <string.h>

/* Every row of every table of policies is run: one that is added tomorrow, too. */
#define PROTOCOL(id, name) name,
static const char *const protocols[] = {"none",
#include "model/coherence/protocols.def"
};
#undef PROTOCOL
#define NAMES(name) #name,
#define NETWORK     NAMES
#define CONTROLLER  NAMES
static const char *const networks[] = {
#include "model/sim/networks.def"
};
static const char *const controllers[] = {
#include "model/sim/dram_controllers.def"
};
#undef NETWORK
#undef CONTROLLER
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, LINE = 128 };
#ifdef __SANITIZE_ADDRESS__
enum { SKIP = 2 }; /* laws that compare whole runs: with sanitizers, on every second protocol */
#else
enum { SKIP = 1 };
#endif
static unsigned seeds = 1; /* random machines and scripts for each protocol; --slow: more */

/* ------------------------------------------------------------------------------------------------ random launches */

static unsigned under(gsl_rng *rng, unsigned n)
{
    return (unsigned)gsl_rng_uniform_int(rng, n);
}

static step *add_random(script *s, uint32_t block, uint32_t warp, gsl_rng *rng, unsigned lines)
{
    static const uint32_t mix[] = {ADD,    USE,         FREE,         DIVIDE,     BRANCH,     FENCE,    LOAD,     LOAD2,
                                   LOAD,   LOAD2,       STORE,        STORE,      ATOMIC,     POLL,     VECTOR,   SHARED_LOAD,
                                   SHARED_STORE, LOCAL_LOAD, LOCAL_STORE, CONSTANT, PARAMETER, TEXTURE, SURFACE_STORE, REDUCE};
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
static script *random_script(unsigned seed, unsigned blocks, unsigned threads, unsigned steps, unsigned lines)
{
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

#define NAMES_OF(table, ops, at)               \
    static const char *table##_name(size_t i)  \
    {                                          \
        const ops *const row = at(i);          \
        return row ? row->name : NULL;         \
    }
NAMES_OF(scheduler, ws_warp_scheduler_ops, ws_warp_scheduler_at)
NAMES_OF(cta_scheduler, ws_cta_scheduler_ops, ws_cta_scheduler_at)
NAMES_OF(register_file, ws_register_file_ops, ws_register_file_at)
NAMES_OF(shared_memory, ws_shared_memory_ops, ws_shared_memory_at)
NAMES_OF(atomics, ws_atomic_ops, ws_atomic_at)
NAMES_OF(home, ws_home_ops, ws_home_at)
NAMES_OF(channel, ws_memory_channel_ops, ws_memory_channel_at)
#undef NAMES_OF

/* Row `which` of a table, counted round and round. */
static void pick(char *to, const char *(*name)(size_t index), unsigned which)
{
    size_t rows = 0;
    while (name(rows))
        rows++;
    strcpy(to, name(which % rows));
}

/* Half of them have several chips, with little room between them. */
static void random_package(ws_machine *m, unsigned seed)
{
    m->package_chips = seed % 4 < 2 ? 1 : seed % 4;
    m->chip_sms = m->package_chips == 1 ? 4 : 2;
    m->package_page = 4 * LINE;
    m->link_clock = 900000;
    m->link_queue = 1 + seed % 3;
    pick(m->link_kind, ws_network_name, seed / 4);
    pick(m->package_home, home_name, seed / 4);
    pick(m->memory_channel, channel_name, seed / 3);
    if (!strcmp(m->memory_channel, "optical") && seed / 9 % 2) {
        static ws_given links[] = {{.name = "concurrent", .value = 1}, {.name = "north_wavelengths", .value = 16}, {.name = "read_queue", .value = 3}};
        m->memory = (ws_machine_options){.list = links, .count = sizeof links / sizeof *links};
    }
    if (seed % 5 == 4)
        pick(m->reply_kind, ws_network_name, seed / 5);
}

/* Every second one has an L3, with few lines; plain L2s of several chips keep what their chips ask for, now and then. */
static void random_levels(ws_machine *m, const char *protocol, unsigned seed)
{
    static const char *const writes[] = {"back", "through", "evict"}, *const allocates[] = {"lazy", "fetch", "none"};
    m->l3_ways = 2;
    m->l3_size = seed % 2 ? 0 : 4 * m->l3_ways * LINE;
    m->l3_sector = seed % 3 ? 0 : 32;
    m->l3_mshrs = 4;
    m->l3_merges = 2;
    m->l3_queue = 1 + seed % 3;
    m->l3_latency = 1 + seed % 7;
    strcpy(m->l3_write, writes[seed / 2 % 3]);
    strcpy(m->l3_write_allocate, allocates[seed / 2 % 3 == 2 ? 2 : seed / 4 % 3]);
    strcpy(m->l2_side, !strcmp(protocol, "none") && seed % 3 != 1 ? "requester" : "memory");
}

/* How L2s of several chips agree, and what they keep of each other's lines. */
static void random_agreement(ws_machine *m, unsigned seed)
{
    size_t rows = 0;
    if (!ws_machine_keeps_remote(m))
        return;
    while (ws_package_coherence_at(rows))
        rows++;
    strcpy(m->package_coherence, ws_package_coherence_at(seed % rows)->name);
    m->package_remote_read = seed / 2 % 2;
    strcpy(m->package_remote_store, seed / 3 % 2 ? "back" : "through");
    if (ws_package_coherence_find(m->package_coherence)->directory)
        strcpy(m->l2_write, "through");
    m->package_atomic_buffer = seed / 5 % 3 * m->memory_channels * m->l2_slices; /* a line or two of a slice */
}

/* Is the replacement none for this level, WS_CACHE_IN_...? */
static bool is_elsewhere(const ws_cache_replacement *r, uint8_t place)
{
    return r->places && !(r->places & place);
}

/* Some index that is for so many sets, some replacement that goes with the protocol and the level. */
static void pick_policies(const char *protocol, uint8_t place, uint32_t sets, unsigned which, char *index, char *replacement)
{
    size_t rows[2] = {0};
    while (ws_cache_index_at(rows[0]))
        rows[0]++;
    while (ws_cache_replacement_at(rows[1]))
        rows[1]++;
    for (size_t at = which;; at++) {
        const char *const name = ws_cache_index_at(at % rows[0])->name;
        ws_cache cache;
        if (ws_cache_setup(&cache, &(ws_cache_choice){.index = name}, sets, 1, false))
            continue;
        strcpy(index, name);
        break;
    }
    size_t at = which;
    while (is_elsewhere(ws_cache_replacement_at(at % rows[1]), place) || (ws_cache_replacement_at(at % rows[1])->bypasses && strcmp(protocol, "none") != 0))
        at++;
    strcpy(replacement, ws_cache_replacement_at(at % rows[1])->name);
}

/* What the replacement of the L1 needs of the rest. */
static void suit_the_l1(ws_machine *m)
{
    if (!ws_cache_replacement_find(m->l1_replacement)->hears)
        return;
    strcpy(m->l2_replacement, ws_cache_replacement_telling()->name);
    strcpy(m->l1_allocate, "fill");
}

/* Values for some of the options of the L1's replacement, where they go together. */
static void random_options(ws_machine *m, unsigned seed)
{
    static ws_given given[WS_CACHE_OPTIONS];
    const ws_option *const options = ws_cache_replacement_find(m->l1_replacement)->options;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    m->l1 = (ws_machine_options){.list = given};
    for (const ws_option *o = options; o && o->name; o++) {
        const uint64_t span = o->most - o->least < 6 ? o->most - o->least : 6;
        if (under(rng, 2))
            given[m->l1.count++] = (ws_given){.name = o->name, .value = o->least + under(rng, (unsigned)span + 1)};
    }
    gsl_rng_free(rng);
    const ws_cache_choice choice = {.replacement = m->l1_replacement, .given = given, .count = m->l1.count};
    ws_cache cache;
    if (ws_cache_setup(&cache, &choice, m->l1_sets, m->l1_ways, false))
        m->l1.count = 0;
}

/* What is asked for of a block that is not kept, and what is told of loads. */
static void random_knowledge(ws_machine *m, unsigned seed)
{
    const bool bypasses = ws_machine_l1_bypasses(m) && !strcmp(m->l1_allocate, "miss");
    m->l1_bypass = bypasses && seed / 2 % 2 ? 4u << seed / 4 % 4 : 0;
    m->l1_classify = ws_machine_has_protocol(m) || seed % 3 ? 0 : 1u << seed % 12;
    m->l1_sharing = ws_machine_has_protocol(m) || seed % 5 < 3 ? 0 : 1u << seed % 12;
}

/* Small caches and queues, so that everything runs out of room now and then; clocks that do not divide one another. */
static void random_machine(ws_machine *m, const char *protocol, unsigned seed)
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
    strcpy(m->l1_request, seed / 3 % 2 ? "sector" : "line");
    m->l2_port = seed / 3 % 3 * 32;
    m->l2_dirty = seed % 2 ? 100 : 30;
    strcpy(m->latency_from, seed % 2 ? "issue" : "operands");
    random_levels(m, protocol, seed / 4);
    random_agreement(m, seed / 5);
    pick_policies("none", WS_CACHE_IN_L3, 4, seed + 2, m->l3_index, m->l3_replacement);
    m->coherence_lease_cycles = 60;
    m->coherence_timestamp = seed % 3 ? 16 : 7; /* the short ones start again */
    m->chip_launch = seed % 2 * 13;
    m->chip_dispatch = seed % 3 * 7;
    strcpy(m->network_kind, networks[seed % (sizeof networks / sizeof *networks)]);
    strcpy(m->memory_controller, controllers[seed / 2 % (sizeof controllers / sizeof *controllers)]);
    pick_policies(protocol, WS_CACHE_IN_L1, m->l1_sets, seed, m->l1_index, m->l1_replacement);
    pick_policies(protocol, WS_CACHE_IN_L2, m->l2_sets, seed + 1, m->l2_index, m->l2_replacement);
    suit_the_l1(m);
    if (seed % 2)
        random_options(m, seed);
    random_knowledge(m, seed);
    pick(m->registers_file, register_file_name, seed);
    pick(m->sm_scheduler, scheduler_name, seed);
    pick(m->shared_memory, shared_memory_name, seed / 2);
    pick(m->sm_atomics, atomics_name, seed / 2);
    if (strcmp(protocol, "none") && ws_warp_scheduler_find(m->sm_scheduler)->evicted)
        strcpy(m->sm_scheduler, "gto"); /* their L1s do not tell */
    if (ws_atomic_owns(m) && m->package_chips > 1)
        strcpy(m->sm_atomics, "lab");
    if (strcmp(protocol, "none") && ws_atomic_find(m->sm_atomics)->in_l1)
        strcpy(m->sm_atomics, "lab"); /* their L1s keep no updates */
    if (ws_coherence_is_sequential(protocol) && ws_atomic_find(m->sm_atomics)->state_size)
        strcpy(m->sm_atomics, "serial"); /* a buffer would be refused */
    if (!strcmp(m->sm_atomics, "lab")) {
        static ws_given few[] = {{.name = "entries", .value = 2}}; /* one of two ways */
        m->atomics = (ws_machine_options){.list = few, .count = 1};
    }
    if (ws_atomic_find(m->sm_atomics)->in_l1)
        m->package_atomic_buffer = 0; /* what lines gave up has no operation */
    pick(m->chip_cta_scheduler, cta_scheduler_name, seed / 3);
}

static void compare(const ws_sim_sums *a, const ws_sim_sums *b)
{
    assert_memory_equal(a, b, offsetof(ws_sim_sums, greatest_timestamp) + sizeof a->greatest_timestamp);
    assert_memory_equal(&a->package, &b->package, sizeof a->package);
}

static ws_sim_sums run_whole(const ws_machine *m, const ws_sim_options *options, script *s, uint64_t slice)
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

/* ------------------------------------------------------------------------------------------------ nothing is lost */

static uint64_t instructions_of(const script *s)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < s->launch.blocks * s->launch.warps_per_block; w++)
        for (size_t i = 0; i < s->warp[w].steps; i++)
            n += s->warp[w].step[i].run ? s->warp[w].step[i].run : 1;
    return n;
}

/* Each line that L2 slices read or wrote the L3 took, once, by its sectors; what it read it got, in whole bursts. */
static void conserve_levels(const ws_machine *m, const ws_sim_sums *d)
{
    const ws_cache_counts *const c = &d->l3;
    assert_int_equal(c->loads + c->stores + c->atomics, c->hits + c->misses + c->merged);
    if (!m->l3_size) {
        assert_int_equal(c->loads + c->stores + c->atomics, 0);
        return;
    }
    const uint64_t sectors = LINE / ws_machine_l3_sector(m), fewest = m->l2_sector == LINE ? sectors : 1;
    const bool words = !ws_machine_has_protocol(m); /* plain caches write words, the others lines */
    assert_in_range(c->loads, d->messages[WS_MESSAGE_DRAM_READ] * fewest, d->messages[WS_MESSAGE_DRAM_READ] * sectors);
    assert_in_range(c->stores, d->messages[WS_MESSAGE_DRAM_WRITE] * (words ? 1 : sectors), d->messages[WS_MESSAGE_DRAM_WRITE] * sectors);
    if (ws_machine_keeps_remote(m))
        assert_true(c->atomics >= d->messages[WS_MESSAGE_ATOMIC] - d->package.update_hits); /* what buffers of chips add up comes as one */
    else
        assert_int_equal(c->atomics, 0);
    assert_true(d->memory.reads <= c->misses * (LINE / 32));
    assert_true(c->hits + c->merged + c->misses > 0);
}

/* Each partial update that began leaves once: for want of room, for another operation, or at an ordering point. */
static void conserve_updates(const ws_sim_sums *d)
{
    const ws_sm_counts *const c = &d->sm;
    const ws_cache_counts *const l1 = &d->l1; /* that keeps updates in its lines */
    assert_int_equal(l1->update_misses, l1->update_evictions + l1->update_mismatches + l1->update_flushed);
    assert_int_equal(l1->update_messages, l1->update_misses);
    assert_true(l1->update_messages <= d->messages[WS_MESSAGE_ATOMIC]);
    assert_int_equal(c->update_misses, c->update_evictions + c->update_mismatches + c->update_flushed + c->update_unsent);
    assert_int_equal(c->update_messages, c->update_misses - c->update_unsent);
    assert_true(c->update_messages <= d->messages[WS_MESSAGE_ATOMIC]);
    const ws_package_counts *const p = &d->package; /* buffers of chips */
    assert_int_equal(p->update_requests, p->update_hits + p->update_misses + p->update_passed);
    assert_int_equal(p->update_misses, p->update_evictions + p->update_mismatches + p->update_flushed);
    assert_int_equal(p->update_messages, p->update_misses);
    assert_true(p->update_requests <= d->messages[WS_MESSAGE_ATOMIC]);
}

/* Lines of atomics are asked for, come, and are confirmed; who is asked for one answers. */
static void conserve_owners(const ws_machine *m, const ws_sim_sums *d)
{
    if (!ws_atomic_owns(m))
        return;
    const uint64_t *const n = d->messages;
    assert_int_equal(n[WS_MESSAGE_OWN], n[WS_MESSAGE_FILL_OWN]);
    assert_int_equal(n[WS_MESSAGE_OWN], n[WS_MESSAGE_TAKEN]);
    assert_int_equal(n[WS_MESSAGE_INVALIDATE], n[WS_MESSAGE_DATA] + n[WS_MESSAGE_NONE]);
    assert_int_equal(n[WS_MESSAGE_ACK], n[WS_MESSAGE_WRITE] + n[WS_MESSAGE_DATA] + n[WS_MESSAGE_PUT]);
    assert_int_equal(n[WS_MESSAGE_ATOMIC], 0);
    assert_true(d->l1.owned_misses >= n[WS_MESSAGE_OWN]);
}

/* What the load/store unit and the schedulers did is divided among its reasons, not counted twice. */
static void conserve_time(const ws_sim_sums *d)
{
    const ws_sm_counts *const c = &d->sm;
    assert_true(c->load_store_more + c->load_store_mshr + c->load_store_line + c->load_store_port + c->load_store_other <= c->load_store_busy);
    assert_true(c->load_store_busy <= c->busy_cycles);
    assert_true(c->load_store_only <= c->stall_load_store);
    assert_true(c->divergent_loads <= c->loads && c->divergent_latency <= c->load_latency);
    assert_true(c->divergent_occlusion <= c->divergent_latency);
    assert_true(c->coherent_occlusion <= c->load_latency - c->divergent_latency);
    assert_true(c->load_requests <= c->load_touches);
    uint64_t issues = 0, loads = 0, mshrs = 0;
    for (unsigned rank = 0; rank < WS_SM_WARPS; rank++) {
        issues += d->ranks.issues[rank];
        loads += d->ranks.loads[rank];
        mshrs += d->ranks.mshrs[rank];
    }
    assert_true(issues >= c->issued); /* some turns issue several */
    assert_int_equal(loads, c->divergent_loads);
    assert_true(mshrs <= c->load_requests);
}

static void test_conservation(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i++)
        for (unsigned seed = 0; seed < seeds; seed++) {
            ws_machine m;
            random_machine(&m, protocols[i], i + seed);
            script *const s = random_script(seed, 12, 96, 80, 12);
            const uint64_t instructions = instructions_of(s);
            const ws_sim_sums d = run_whole(&m, NULL, s, 1000);
            assert_int_equal(d.sm.warp_instructions, instructions);
            assert_int_equal(d.sm.ctas, 12);
            conserve_time(&d);
            assert_int_equal(d.request.packets_in, d.request.packets_out);
            assert_int_equal(d.reply.packets_in, d.reply.packets_out);
            assert_int_equal(d.request.bytes_in, d.request.bytes_out);
            assert_int_equal(d.memory.reads_in, d.memory.reads_out);
            assert_int_equal(d.messages[WS_MESSAGE_DRAM_READ], d.messages[WS_MESSAGE_DRAM_FILL]);
            assert_int_equal(d.messages[WS_MESSAGE_ATOMIC], d.messages[WS_MESSAGE_ATOMIC_ACK]);
            conserve_levels(&m, &d);
            conserve_updates(&d);
            conserve_owners(&m, &d);
            if (strcmp(protocols[i], "mesi") == 0 || ws_atomic_owns(&m))
                continue; /* its answers are many */
            assert_int_equal(d.messages[WS_MESSAGE_READ], d.messages[WS_MESSAGE_FILL] + d.messages[WS_MESSAGE_RENEW]);
            assert_int_equal(d.messages[WS_MESSAGE_WRITE], d.messages[WS_MESSAGE_ACK]);
            /* Where SMs share a node with slices, epochs may begin there or elsewhere. */
            const uint64_t more = d.messages[WS_MESSAGE_SYNC] + d.messages[WS_MESSAGE_CHECKED];
            assert_in_range(d.reply.packets_in, d.request.packets_in + (m.network_cluster ? 0 : more), d.request.packets_in + more);
        }
}

/* Rules that keep updates or own lines, on plain caches with hardly any room, whatever else the machine is. */
static void test_updates(void **state)
{
    (void)state;
    static const char *const rules[] = {"lab", "serialize", "phi", "owned"};
    enum { RULES = sizeof rules / sizeof *rules };
    for (unsigned seed = 0; seed < 12 * RULES; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        strcpy(m.sm_atomics, rules[seed % RULES]);
        m.atomics.count = 0;
        if (ws_atomic_owns(&m) && m.package_chips > 1) {
            m.package_chips = 1;
            m.chip_sms = 4;
        }
        script *const s = random_script(seed + 100, 6, 96, 64, 6);
        const uint64_t instructions = instructions_of(s);
        const ws_sim_sums d = run_whole(&m, &(ws_sim_options){.every_cycle = seed % 3 == 0}, s, 1000);
        assert_int_equal(d.sm.warp_instructions, instructions);
        conserve_updates(&d);
        conserve_owners(&m, &d);
        assert_true(ws_atomic_owns(&m) ? d.l1.owned_misses > 0 : d.sm.update_misses + d.l1.update_misses > 0);
    }
}

/* Updates of few lines, of two operations; now and then none of it is ordered beyond a block. */
static script *script_of_updates(unsigned seed)
{
    static ws_instr unordered[INSTRS + 8];
    script *const s = random_script(seed, 6, 96, 64, 6);
    memcpy(unordered, script_instrs, sizeof unordered);
    for (size_t i = 0; i < s->launch.instrs; i++)
        if (unordered[i].fence || ws_update_is_ordered(unordered[i].order, unordered[i].scope))
            unordered[i].scope = WS_SCOPE_CTA;
    if (seed % 7)
        s->launch.instr = unordered;
    return s;
}

/* Buffers of chips behind all rules of SMs that go with them: what comes leaves once, each operation is performed at its home (the check counts), and the time is that of
 * every cycle executed, and after a checkpoint. */
static void test_updates_of_chips(void **state)
{
    (void)state;
    static const char *const rules[] = {"serial", "combined", "buffered", "serialize", "lab"}, *const agreements[] = {"home", "boundary", "hmg"};
    enum { RULES = sizeof rules / sizeof *rules, AGREEMENTS = sizeof agreements / sizeof *agreements };
    uint64_t hits = 0, passed = 0, evictions = 0, followed = 0;
    for (unsigned seed = 2; seed < 2 + 24 * RULES; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        if (!ws_machine_keeps_remote(&m))
            continue;
        strcpy(m.sm_atomics, rules[seed % RULES]);
        m.atomics.count = 0;
        strcpy(m.package_coherence, agreements[seed / 2 % AGREEMENTS]);
        if (!strcmp(m.package_coherence, "hmg"))
            strcpy(m.l2_write, "through");
        m.package_atomic_buffer = (1 + seed % 3) * m.memory_channels * m.l2_slices;
        ws_sim *const sim = script_sim(&m, &(ws_sim_options){.every_cycle = seed % 3 == 0, .check = true});
        ws_sim_sums d, other;
        script *s = script_of_updates(seed);
        if (script_run(sim, s, 1000))
            fail_msg("seed %u: %s", seed, ws_message());
        ws_sim_sum(sim, &d);
        if (ws_sim_end(sim))
            fail_msg("seed %u: %s", seed, ws_message());
        followed += ws_memory_side_followed(ws_sim_memory_side(sim));
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
        conserve_updates(&d);
        conserve_levels(&m, &d);
        assert_int_equal(d.messages[WS_MESSAGE_ATOMIC], d.messages[WS_MESSAGE_ATOMIC_ACK]);
        hits += d.package.update_hits;
        passed += d.package.update_passed;
        evictions += d.package.update_evictions;
        other = run_whole(&m, &(ws_sim_options){.every_cycle = seed % 3 != 0}, script_of_updates(seed), 1000);
        compare(&d, &other);
    }
    assert_true(hits && passed && evictions && followed);
}

/* Whatever order a policy likes, on machines with much room and with little: each block once (the script sees to that), and
 * all of them. */
static void test_every_block_once(void **state)
{
    (void)state;
    static const uint32_t grids[][3] = {{1, 1, 1}, {37, 1, 1}, {1, 9, 3}, {5, 4, 2}, {2, 1, 11}};
    for (unsigned row = 0; cta_scheduler_name(row); row++)
        for (unsigned i = 0; i < 3 * sizeof grids / sizeof *grids; i++) {
            const uint32_t *const grid = grids[i / 3];
            const uint32_t blocks = grid[0] * grid[1] * grid[2];
            ws_machine m;
            script_machine(&m, "none");
            m.chip_sms = (const uint32_t[]){1, 3, 16}[i % 3];
            m.sm_blocks = 1 + i % 4;
            strcpy(m.chip_cta_scheduler, cta_scheduler_name(row));
            script *const s = script_make(blocks, 64);
            memcpy(s->launch.grid, grid, sizeof s->launch.grid);
            s->once = true;
            for (uint32_t block = 0; block < blocks; block++)
                for (unsigned k = 0; k <= block % 3; k++)
                    script_add(s, block, k % 2, k ? FREE : LOAD, block * 64);
            const ws_sim_sums d = run_whole(&m, NULL, s, 1000);
            assert_int_equal(d.sm.ctas, blocks);
        }
}

/* The least number of sets for which there are this index and this replacement; 0: none. */
static uint32_t sets_for(size_t index, size_t replacement)
{
    ws_cache cache;
    const ws_cache_choice choice = {.index = ws_cache_index_at(index)->name,
                                    .replacement = ws_cache_replacement_at(replacement)->name};
    for (uint32_t sets = 1; sets <= 1024; sets++)
        if (ws_cache_setup(&cache, &choice, sets, 2, false) == WS_OK)
            return sets;
    return 0;
}

/* A launch on caches of 64 lines whose sets are as few as the index allows. Copies that hold values are checked. */
static void run_caches(const char *protocol, size_t index, size_t replacement)
{
    ws_machine m;
    random_machine(&m, protocol, (unsigned)(index + replacement));
    m.chip_sms = 2;
    m.l1_sets = m.l2_sets = sets_for(index, replacement);
    assert_true(m.l1_sets > 0);
    m.l1_ways = m.l1_sets < 16 ? 16 / m.l1_sets : 1;
    m.l2_ways = 2 * m.l1_ways;
    strcpy(m.l1_index, ws_cache_index_at(index)->name);
    strcpy(m.l2_index, m.l1_index);
    const ws_cache_replacement *const r = ws_cache_replacement_at(replacement);
    strcpy(m.l1_replacement, is_elsewhere(r, WS_CACHE_IN_L1) ? "lru" : r->name);
    strcpy(m.l2_replacement, is_elsewhere(r, WS_CACHE_IN_L2) ? "lru" : r->name);
    suit_the_l1(&m);
    random_options(&m, (unsigned)(3 * index + replacement));
    random_knowledge(&m, (unsigned)(2 + index));
    const bool plain = strcmp(protocol, "none") == 0;
    const ws_sim_options options = {.check = !plain};
    if (!plain && ws_cache_replacement_at(replacement)->bypasses) {
        ws_sim *sim;
        assert_int_equal(ws_sim_create(&m, &options, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "keeps some blocks out of the cache"));
        return;
    }
    script *const s = random_script((unsigned)index, 4, 64, 24, 100);
    const uint64_t instructions = instructions_of(s);
    const ws_sim_sums d = run_whole(&m, &options, s, 1000);
    assert_int_equal(d.sm.warp_instructions, instructions);
    assert_int_equal(d.request.packets_in, d.request.packets_out);
    assert_int_equal(d.messages[WS_MESSAGE_DRAM_READ], d.messages[WS_MESSAGE_DRAM_FILL]);
    assert_int_equal(d.l1.loads + d.l1.stores + d.l1.atomics, d.l1.hits + d.l1.misses + d.l1.merged);
    assert_true(strcmp(protocol, "bl") == 0 || d.l1.evictions + (r->bypasses ? d.l1.bypassed : 0) > 0);
}

static void test_every_cache_with_every_protocol(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i += SKIP)
        for (size_t index = 0; ws_cache_index_at(index); index++)
            for (size_t replacement = index % SKIP; ws_cache_replacement_at(replacement); replacement += SKIP)
                run_caches(protocols[i], index, replacement);
}

static bool can_be_made(const ws_machine *m)
{
    ws_sim *sim;
    if (ws_sim_create(m, NULL, &sim)) {
        assert_true(strlen(ws_message()) > 20);
        return false;
    }
    ws_sim_destroy(sim);
    return true;
}

/* Is the row a replacement that this level cannot have? test_sharing_caches.c has that they are refused. */
static bool is_of_another_level(const ws_kind *kind, size_t row)
{
    const ws_cache_replacement *const r = strcmp(kind->word, "replacement") ? NULL : ws_cache_replacement_find(kind->name(row));
    return r && is_elsewhere(r, (uint8_t)(WS_CACHE_IN_L1 << (kind->section[1] - '1')));
}

/* Every row of every kind runs, with plain caches or under a protocol, or under both; where it is refused, a line says why. */
static void test_every_row(void **state)
{
    (void)state;
    static const char *const either[] = {"none", "gtsc-rc"};
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        for (size_t row = 0; kind->name(row); row++) {
            unsigned runs = 0;
            for (unsigned k = 0; k < 2 || (!runs && k < 32); k++) { /* what the rest is may not go with it */
                ws_machine m;
                random_machine(&m, either[k % 2], (unsigned)(i + row) + k / 2);
                strcpy((char *)ws_machine_word(&m, kind->row), kind->name(row));
                if (is_of_another_level(kind, row)) {
                    runs++;
                    continue;
                }
                if (k % 2 == 0)
                    suit_the_l1(&m);
                if (!strcmp(kind->section, "l1")) { /* what was chosen for another row */
                    m.l1.count = 0;
                    m.l1_bypass = 0;
                }
                if (!strcmp(kind->word, "atomics"))
                    m.atomics.count = 0;
                m.l3_size = 4 * m.l3_ways * LINE;
                if (!can_be_made(&m)) { /* some indices are only for so many sets */
                    m.l1_sets = m.l2_sets = 32;
                    m.l3_size = 32 * m.l3_ways * LINE;
                    if (!can_be_made(&m))
                        continue;
                }
                script *const s = random_script((unsigned)row, 4, 64, 16, 12);
                const uint64_t instructions = instructions_of(s);
                const ws_sim_sums d = run_whole(&m, NULL, s, 1000);
                assert_int_equal(d.sm.warp_instructions, instructions);
                assert_int_equal(d.request.packets_in, d.request.packets_out);
                runs++;
            }
            if (!runs)
                fail_msg("%s.%s = %s runs nowhere: %s", kind->section, kind->word, kind->name(row), ws_message());
        }
}

/* A source without values is refused by a register file that looks at them, with a way out. */
static void test_values_are_needed(void **state)
{
    (void)state;
    for (unsigned row = 0; ws_register_file_at(row); row++) {
        ws_machine m;
        script_machine(&m, "none");
        strcpy(m.registers_file, ws_register_file_at(row)->name);
        script *const s = script_make(1, 32);
        ws_source_ops blind = script_ops;
        blind.give_values = NULL;
        s->source.ops = &blind;
        script_add(s, 0, 0, ADD, 0);
        ws_sim *const sim = script_sim(&m, NULL);
        const bool wanted = ws_sim_looks_at_values(&m) != NULL;
        assert_int_equal(script_run(sim, s, 1000), wanted ? WS_EUNSUPPORTED : WS_OK);
        assert_true(!wanted || strstr(ws_message(), "run the launch live"));
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
}

/* So is one by shared memory that looks at them, and only then. */
static void test_shared_memory_needs_values(void **state)
{
    (void)state;
    ws_given given = {.name = "width", .value = 4};
    for (unsigned row = 0; ws_shared_memory_at(row); row++)
        for (unsigned width = 0; width < 2; width++) {
            const ws_shared_memory_ops *const ops = ws_shared_memory_at(row);
            ws_machine m;
            script_machine(&m, "none");
            strcpy(m.shared_memory, ops->name);
            m.shared = (ws_machine_options){.list = &given, .count = width && ops->wants_values};
            script *const s = script_make(1, 32);
            ws_source_ops blind = script_ops;
            blind.give_values = NULL;
            s->source.ops = &blind;
            script_add(s, 0, 0, SHARED_STORE, 0);
            ws_sim *const sim = script_sim(&m, NULL);
            assert_int_equal(script_run(sim, s, 1000), m.shared.count ? WS_EUNSUPPORTED : WS_OK);
            assert_true(!m.shared.count || strstr(ws_message(), "shared.memory"));
            ws_sim_destroy(sim);
            s->source.ops->destroy(&s->source);
        }
}

/* Little's law: instructions under way, summed over time, are their times, summed. */
static void test_little(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i++) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        script *const s = script_make(8, 128);
        for (uint32_t block = 0; block < 8; block++)
            for (uint32_t warp = 0; warp < 4; warp++)
                for (unsigned k = 0; k < 40; k++)
                    script_add(s, block, warp, k % 2 ? LOAD : LOAD2, (uint64_t)under(rng, 40) * LINE);
        gsl_rng_free(rng);
        const ws_sim_sums d = run_whole(&m, NULL, s, 1000);
        assert_int_equal(d.sm.loads, 8 * 4 * 40);
        if (ws_machine_runs_ahead(&m)) /* a load that ran ahead has its value before it is settled */
            assert_true(d.sm.load_latency <= d.sm.memory_tags);
        else
            assert_int_equal(d.sm.load_latency, d.sm.memory_tags);
        assert_true(d.sm.load_latency > d.sm.loads * 20);
    }
}

/* What caches are told of the instructions that ask: four warps of one block, the oldest of which ends first. */
typedef struct asked {
    unsigned requests, first_rank, last_rank; /* of the youngest warp */
} asked;

static void note_request(void *context, uint32_t sm, const ws_request *request, uint64_t now)
{
    asked *const seen = context;
    const ws_cache_who *const who = &request->who;
    (void)sm, (void)now;
    assert_true(who->pc == LOAD || who->pc == LOCAL_STORE);
    assert_int_equal(who->local, who->pc == LOCAL_STORE);
    assert_int_equal(who->lanes, who->pc == LOAD ? 8 : 32);
    assert_int_equal(who->lines, who->pc == LOAD ? 8 : 1);
    assert_true(who->line < who->lines);
    assert_true(who->rank < 4 && who->cta == 0);
    if (request->warp != 3)
        return;
    if (!seen->requests++)
        seen->first_rank = seen->last_rank = who->rank;
    assert_true(who->rank <= seen->last_rank); /* older ones end */
    assert_int_equal(who->line, who->pc == LOAD ? (seen->requests - 1) % 9 : 0);
    seen->last_rank = who->rank;
}

static void test_caches_know_who_asks(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "gtsc-rc");
    m.chip_sms = 1;
    asked seen = {0};
    const ws_sim_options options = {.record = note_request, .record_context = &seen};
    script *const s = script_make(1, 128);
    for (uint32_t warp = 0; warp < 4; warp++)
        for (unsigned k = 0; k < (warp ? 20 : 1); k++) {
            step *const load = script_add(s, 0, warp, LOAD, (uint64_t)(warp * 20 + k) * 8 * LINE);
            load->exec = 0xff;
            load->stride = LINE;
            script_add(s, 0, warp, LOCAL_STORE, 0)->stride = 0; /* words of lanes are neighbours */
        }
    run_whole(&m, &options, s, 1000);
    assert_int_equal(seen.requests, 20 * 9);
    assert_int_equal(seen.first_rank, 3);
    assert_true(seen.last_rank < 3);
}

/* ------------------------------------------------------------------------------------------------ always the same */

static void test_workers_and_slices(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i += 4) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        m.port_cycles = 16; /* few windows: threads that share a processor with others are slow to meet */
        const ws_sim_sums once = run_whole(&m, NULL, random_script(i, 6, 64, 32, 20), UINT32_MAX);
        for (unsigned workers = 2; workers <= 3; workers++) {
            const ws_sim_options options = {.workers = workers};
            const ws_sim_sums d = run_whole(&m, &options, random_script(i, 6, 64, 32, 20), UINT32_MAX);
            compare(&once, &d);
        }
        for (uint64_t slice = 1; slice < 1000; slice = slice * 5 + 2) {
            const ws_sim_sums d = run_whole(&m, NULL, random_script(i, 6, 64, 32, 20), slice);
            compare(&once, &d);
        }
    }
}

static void test_every_cycle(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i += SKIP)
        for (unsigned seed = 0; seed < seeds; seed++) {
            ws_machine m;
            random_machine(&m, protocols[i], i + seed);
            const ws_sim_options options = {.every_cycle = true};
            const ws_sim_sums skipped = run_whole(&m, NULL, random_script(seed, 6, 96, 48, 20), 1000);
            const ws_sim_sums stepped = run_whole(&m, &options, random_script(seed, 6, 96, 48, 20), 1000);
            compare(&skipped, &stepped);
        }
}

static ws_sim_sums run_in_two(const ws_machine *m, unsigned seed, uint64_t at, bool *done);

/* Every warp scheduler as it is, with its options at their least, with every second one at its least, all at their most: the same
 * with every cycle executed, on threads, and after a checkpoint. */
static void test_warp_schedulers(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true}, threads = {.workers = 2};
    for (unsigned row = 0; ws_warp_scheduler_at(row); row++)
        for (unsigned least = 0; least < 4; least++) {
            const ws_option *const options = ws_warp_scheduler_at(row)->options;
            if (least && !options[0].name)
                break;
            const bool plain = ws_warp_scheduler_at(row)->evicted || ws_warp_scheduler_at(row)->reexecutes;
            ws_given given[8];
            ws_machine m;
            random_machine(&m, row % 2 || plain ? "none" : "bl", 4 * row);
            m.port_cycles = 16;
            strcpy(m.sm_scheduler, scheduler_name(row));
            m.scheduler = (ws_machine_options){.list = given};
            for (size_t i = 0; least && options[i].name; i++)
                if (least == 3 || i % least == 0)
                    given[m.scheduler.count++] =
                        (ws_given){.name = options[i].name, .value = least == 3 ? options[i].most : options[i].least};
            const ws_sim_sums once = run_whole(&m, NULL, random_script(row, 10, 96, 64, 20), 1000);
            ws_sim_sums other = run_whole(&m, &stepped, random_script(row, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            other = run_whole(&m, &threads, random_script(row, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            bool done;
            other = run_in_two(&m, row, 1 + once.cycles / (2 + least), &done);
            compare(&once, &other);
        }
}

/* What caches that know who shares promise of every run: each line that was given up for another is of one kind, and P1 and P2 hold. */
static void check_tallies(const ws_machine *m, const ws_sim_sums *d)
{
    assert_int_equal(d->l1.broken + d->l2.broken, 0);
    if (ws_machine_plain_l1(m)->tallies & WS_CACHE_TALLY_LEFT)
        assert_int_equal(d->l1.left_private + d->l1.left_shared, d->l1.evictions);
    if (ws_machine_plain_l2(m)->tallies & WS_CACHE_TALLY_LEFT)
        assert_int_equal(d->l2.left_private + d->l2.left_shared, d->l2.evictions);
    assert_true(d->l1.left_dead <= d->l1.left_private);
    assert_true(d->l1.off <= d->l1.loads && d->l2.off <= d->l2.loads);
}

/* Caches that know who shares, and caches that turn off, under every CTA scheduler and with options at random: the same with every cycle
 * executed, on threads, and after a checkpoint. */
static void test_sharing_caches(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"sharing-l1", "sharing-l2"}, {"streaming", "streaming"}, {"lru", "sharing-l2"}, {"streaming", "sharing-l2"}};
    const ws_sim_options stepped = {.every_cycle = true}, threads = {.workers = 2};
    uint64_t bypassed = 0, shared = 0, dead = 0, off = 0;
    for (unsigned row = 0; cta_scheduler_name(row); row++)
        for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            ws_machine m;
            const unsigned seed = 4 * row + i;
            static ws_given short_periods[] = {{.name = "period", .value = 16}, {.name = "threshold", .value = 40}, {.name = "probe", .value = 2}}, units[] = {{.name = "unit", .value = 32}};
            random_machine(&m, "none", seed);
            m.port_cycles = 16;
            strcpy(m.chip_cta_scheduler, cta_scheduler_name(row));
            strcpy(m.l1_replacement, pairs[i][0]);
            strcpy(m.l2_replacement, pairs[i][1]);
            suit_the_l1(&m);
            random_options(&m, seed);
            if (!strcmp(pairs[i][1], "streaming"))
                m.l2 = (ws_machine_options){.list = short_periods, .count = 3};
            else if (row % 2)
                m.l2 = (ws_machine_options){.list = units, .count = 1};
            random_knowledge(&m, seed);
            const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            check_tallies(&m, &once);
            ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            other = run_whole(&m, &threads, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            bool done;
            other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
            compare(&once, &other);
            bypassed += once.l1.bypassed + once.l2.bypassed;
            shared += once.l1.left_shared + once.l2.left_shared + once.l2.made_shared;
            dead += once.l1.left_dead;
            off += once.l1.off + once.l2.off;
        }
    assert_true(bypassed && shared && dead && off);
}

/* The same but for what a policy counts of its own predictions. */
static void compare_runs(ws_sim_sums a, ws_sim_sums b)
{
    a.sm.forecasts = a.sm.forecast_misses = a.sm.forecast_errors = a.sm.false_admissions = a.sm.false_blocks = 0;
    b.sm.forecasts = b.sm.forecast_misses = b.sm.forecast_errors = b.sm.false_admissions = b.sm.false_blocks = 0;
    compare(&a, &b);
}

/* A policy that holds nothing back is greedy, then oldest, cycle for cycle: nothing predicted to miss, a limit of all warps
 * of a scheduler or of the SM, all warps protected. */
static void test_nothing_held_is_gto(void **state)
{
    (void)state;
    static ws_given none[] = {{.name = "mode", .value = 0}, {.name = "smr", .value = 0}}, all[] = {{.name = "limit", .value = WS_SM_WARPS}, {.name = "scope", .value = 1}},
                    each[] = {{.name = "mode", .value = 3}, {.name = "first", .value = 64}, {.name = "least", .value = 64}, {.name = "most", .value = 64}};
    static const struct {
        const char *name;
        ws_machine_options given;
    } rows[] = {{"oaws", {.list = none, .count = 2}}, {"swl", {.list = all, .count = 1}}, {"swl", {.list = all, .count = 2}}, {"oaws", {.list = each, .count = 4}}};
    for (unsigned seed = 0; seed < 16 * seeds; seed++) {
        ws_machine m;
        random_machine(&m, seed % 2 ? "none" : "bl", seed);
        strcpy(m.sm_scheduler, "gto");
        const ws_sim_sums gto = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        conserve_time(&gto);
        for (size_t i = seed % 2; i < sizeof rows / sizeof *rows; i += 2) {
            strcpy(m.sm_scheduler, rows[i].name);
            m.scheduler = rows[i].given;
            compare_runs(gto, run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000));
        }
        m.scheduler = (ws_machine_options){0};
    }
}

/* Blocks whose warps load many lines each, and wait for one another at barriers. */
static script *divergent_script(unsigned seed)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    script *const s = script_make(6, 128);
    for (uint32_t block = 0; block < 6; block++)
        for (uint32_t warp = 0; warp < 4; warp++)
            for (unsigned i = 0; i < 40; i++) {
                step *const p = script_add(s, block, warp, i % 10 == 9 ? BARRIER : i % 3 ? USE : under(rng, 4) ? LOAD : STORE, (uint64_t)under(rng, 40) * LINE);
                p->stride = (int64_t[]){4, 16, 32, 128}[under(rng, 4)];
                p->exec = i % 10 == 9 || under(rng, 2) ? p->exec : p->exec & (uint32_t)gsl_rng_get(rng);
            }
    gsl_rng_free(rng);
    return s;
}

/* Policies that hold loads back, with fewer MSHRs than what they predict: all programs end, MSHRs are not exceeded, and it is the
 * same with every cycle executed. */
static void test_held_loads_go(void **state)
{
    (void)state;
    static ws_given part[] = {{.name = "mode", .value = 0}, {.name = "smr", .value = 100}}, learned[] = {{.name = "clamp", .value = 1024}},
                    one[] = {{.name = "mode", .value = 3}, {.name = "first", .value = 1}, {.name = "most", .value = 2}}, loads[] = {{.name = "mode", .value = 2}, {.name = "first", .value = 1}},
                    small[] = {{.name = "capacity", .value = 1}},
                    tight[] = {{.name = "throttle", .value = 1024}}, aside[] = {{.name = "reexecute", .value = 3}}, lots[] = {{.name = "reexecute", .value = 64}};
    static const struct {
        const char *name;
        ws_machine_options given;
    } rows[] = {{"oaws", {.list = part, .count = 2}}, {"oaws", {.list = learned, .count = 1}}, {"oaws", {.list = one, .count = 3}}, {"oaws", {.list = loads, .count = 2}}, {"daws", {.list = small, .count = 1}},
                {"ccws", {.list = tight, .count = 1}}, {"mascar", {.list = aside, .count = 1}}, {"mascar", {.list = lots, .count = 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned seed = 0; seed < 6 * seeds; seed++) {
            ws_machine m;
            random_machine(&m, "none", seed);
            strcpy(m.sm_scheduler, rows[i].name);
            m.scheduler = rows[i].given;
            const ws_sim_options stepped = {.every_cycle = true};
            script *const s = divergent_script(seed);
            const uint64_t instructions = instructions_of(s);
            ws_sim *const sim = script_sim(&m, NULL);
            ws_sim_sums d;
            bool done = false;
            assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
            while (!done) {
                if (ws_sim_run(sim, ws_sim_now(sim) + 7, &done))
                    fail_msg("%s, seed %u: %s", rows[i].name, seed, ws_message());
                for (uint32_t n = 0; n < ws_sim_sms(sim); n++)
                    assert_true(ws_sm_reads(ws_sim_sm(sim, n)) <= m.l1_mshrs);
            }
            ws_sim_sum(sim, &d);
            assert_int_equal(d.sm.warp_instructions, instructions);
            assert_int_equal(d.l1.loads + d.l1.stores + d.l1.atomics, d.l1.hits + d.l1.misses + d.l1.merged);
            conserve_time(&d);
            ws_sim_end(sim);
            ws_sim_destroy(sim);
            s->source.ops->destroy(&s->source);
            const ws_sim_sums other = run_whole(&m, &stepped, divergent_script(seed), 1000);
            compare(&d, &other);
        }
}

/* Plain caches of several chips, wherever their L2s keep lines and whatever is behind: nothing is lost, the same with every cycle
 * executed and after a checkpoint. */
static void test_levels_of_chips(void **state)
{
    (void)state;
    for (unsigned seed = 2; seed < 20 + 16 * (seeds - 1); seed += seed % 4 == 3 ? 4 * SKIP - 1 : 1) {
        ws_machine m;
        random_machine(&m, "none", seed);
        assert_true(m.package_chips > 1);
        const ws_sim_options stepped = {.every_cycle = true};
        const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
        compare(&once, &other);
        bool done;
        other = run_in_two(&m, seed, 1 + once.cycles * (seed % 8) / 8 + (seed % 8 == 7) * once.cycles / 9, &done); /* the end, too */
        compare(&once, &other);
        conserve_levels(&m, &once);
        assert_int_equal(once.messages[WS_MESSAGE_READ], once.messages[WS_MESSAGE_FILL]);
        assert_int_equal(once.messages[WS_MESSAGE_WRITE], once.messages[WS_MESSAGE_ACK]);
        assert_int_equal(once.messages[WS_MESSAGE_ATOMIC], once.messages[WS_MESSAGE_ATOMIC_ACK]);
        assert_int_equal(once.messages[WS_MESSAGE_DRAM_READ], once.messages[WS_MESSAGE_DRAM_FILL]);
        assert_int_equal(once.memory.reads_in, once.memory.reads_out);
    }
}

/* The same on threads: few windows, as above, and a machine with both an L3 and L2s on the side of who asks. */
static void test_levels_on_threads(void **state)
{
    (void)state;
    const ws_sim_options threads = {.workers = 3};
    ws_machine m;
    random_machine(&m, "none", 10);
    assert_true(m.l3_size && ws_machine_keeps_remote(&m));
    m.port_cycles = 16;
    const ws_sim_sums once = run_whole(&m, NULL, random_script(1, 6, 64, 32, 20), UINT32_MAX);
    const ws_sim_sums other = run_whole(&m, &threads, random_script(1, 6, 64, 32, 20), UINT32_MAX);
    compare(&once, &other);
}

/* The loads of plain L1s, told apart: nothing is counted twice or not at all, whatever is remembered; and it changes nothing. */
static void check_loads(const ws_sim_sums *d)
{
    const ws_cache_counts *const c = &d->l1;
    const ws_sm_counts *const s = &d->sm;
    assert_int_equal(c->loads, c->load_hits + c->load_merged + c->cold + c->intra + c->inter + c->passed);
    assert_true(c->load_hits <= c->hits && c->load_merged <= c->merged && c->cold + c->intra + c->inter <= c->misses);
    assert_true(c->bypassed <= c->cold + c->intra + c->inter && c->lines_dead <= c->lines_left && c->evictions <= c->lines_left);
    const uint64_t coherent = s->coherent_0 + s->coherent_1 + s->coherent_2;
    const uint64_t divergent = s->divergent_0 + s->divergent_1 + s->divergent_2 + s->divergent_3_31 + s->divergent_32;
    assert_true(coherent + divergent > 0 && coherent + divergent <= s->loads);
    const uint64_t fewest = s->coherent_1 + 2 * s->coherent_2 + s->divergent_1 + 2 * s->divergent_2 + 3 * s->divergent_3_31 + 32 * s->divergent_32;
    assert_true(fewest <= s->load_touches);
    assert_true(s->coherent_partial <= s->coherent_1);
    assert_true(s->divergent_1 + s->divergent_2 <= s->divergent_partial && s->divergent_partial <= divergent - s->divergent_0);
}

static void test_loads_are_told_apart(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true};
    unsigned seen[WS_MISS_CLASSES] = {0}, bypassed = 0;
    for (unsigned row = 0; ws_cache_replacement_at(row); row++)
        for (unsigned seed = row; seed < row + 4; seed++) {
            ws_machine m;
            random_machine(&m, "none", seed);
            strcpy(m.l1_replacement, ws_cache_replacement_at(row)->name);
            strcpy(m.l1_allocate, seed % 4 == 3 ? "fill" : "miss");
            m.l1_sector = seed / 2 % 2 ? 32 : LINE;
            m.l1_mshrs = 8;
            m.port_packets = 6; /* a message for each sector, and one more */
            random_options(&m, seed);
            random_knowledge(&m, seed + 1);
            m.l1_classify = 0;
            ws_sim_sums without = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            m.l1_classify = seed % 3 ? 4096 : 3;
            const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
            check_loads(&once);
            assert_true(m.l1_classify == 3 || !once.l1.forgotten);
            seen[WS_MISS_COLD] += once.l1.cold > 0;
            seen[WS_MISS_INTRA] += once.l1.intra > 0;
            seen[WS_MISS_INTER] += once.l1.inter > 0;
            bypassed += once.l1.bypassed > 0;
            ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
            compare(&once, &other);
            bool done;
            other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
            compare(&once, &other);
            assert_int_equal(without.l1.load_hits + without.l1.cold + without.l1.lines_left, 0);
#define TAKE(name) without.l1.name = once.l1.name;
            TAKE(load_hits) TAKE(load_merged) TAKE(cold) TAKE(intra) TAKE(inter)
            TAKE(passed) TAKE(forgotten) TAKE(lines_left) TAKE(lines_dead)
#undef TAKE
            compare(&once, &without);
        }
    assert_true(seen[WS_MISS_COLD] && seen[WS_MISS_INTRA] && seen[WS_MISS_INTER] && bypassed);
}

/* What was followed of a launch, all of it. */
static void check_sharing(const ws_sim_sums *d, uint32_t sms)
{
    const ws_sharing_counts *const c = &d->sharing;
    assert_int_equal(c->launches, 1);
    assert_int_equal(c->ctas, d->sm.ctas);
    assert_true(c->cta_shortest * c->ctas <= c->cta_cycles && c->cta_cycles <= c->cta_longest * c->ctas && c->cta_longest <= d->cycles);
    /* The longest group is no shorter than the mean one, and no longer than all. */
    const uint64_t peak[] = {c->peak_8, c->peak_16, c->peak_row};
    for (size_t i = 0; i < sizeof peak / sizeof *peak; i++)
        assert_true(peak[i] + WS_CTA_SPREAD_SCALE / 2 >= c->ctas * WS_CTA_SPREAD_SCALE && peak[i] <= c->ctas * c->ctas * WS_CTA_SPREAD_SCALE + 1);
    const uint64_t by[] = {0, c->by_1, c->by_2, c->by_3, c->by_4, c->by_6, c->by_8, c->by_12, c->by_16, c->blocks};
    for (size_t i = 1; i < sizeof by / sizeof *by; i++)
        assert_true(by[i - 1] <= by[i]);
    assert_int_equal(c->by_1, c->blocks - c->shared_blocks);
    assert_true(c->blocks && c->shared_blocks <= c->blocks && c->blocks <= c->copies && c->copies <= c->blocks * sms);
    assert_int_equal(c->copies - c->shared_copies, c->blocks - c->shared_blocks);
    assert_true(c->shared_copies >= 2 * c->shared_blocks);
    assert_true(c->first_missed <= c->missed && c->first_missed <= c->copies && c->shared_missed <= c->missed && c->shared_merged <= c->merged);
    assert_true(c->missed + c->merged <= d->l1.loads && c->stay_hits + c->missed + c->merged <= d->l1.loads);
    assert_true(c->shared_near + c->shared_far <= c->stay_hits && c->busy_stays <= c->stays);
    assert_true(c->sampled_copies >= c->sampled_blocks && c->sampled_copies <= c->sampled_blocks * sms);
}

/* Blocks that are followed change nothing; a table that is too small has a sample of them, the same whatever is skipped and however often the run stops. */
static void test_sharing_follows(void **state)
{
    (void)state;
    const ws_sim_options stepped = {.every_cycle = true};
    unsigned thinned = 0;
    for (unsigned seed = 0; seed < 24 * seeds; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        m.l1_sector = LINE;
        m.l1_sharing = 0;
        ws_sim_sums without = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        m.l1_sharing = 4096;
        const ws_sim_sums whole = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        check_sharing(&whole, ws_machine_sms(&m));
        m.l1_sharing = seed % 2 ? 8 : 4096;
        const ws_sim_sums once = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        thinned += once.sharing.blocks != whole.sharing.blocks;
        assert_true(seed % 2 || !memcmp(&once, &whole, offsetof(ws_sim_sums, timestamp_resets)));
        ws_sim_sums other = run_whole(&m, &stepped, random_script(seed, 10, 96, 64, 20), 1000);
        compare(&once, &other);
        other = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 7);
        compare(&once, &other);
        bool done;
        other = run_in_two(&m, seed, 1 + once.cycles / 2, &done);
        compare(&once, &other);
        assert_int_equal(without.sharing.blocks + without.sharing.ctas, 0);
        without.sharing = once.sharing;
        compare(&once, &without);
    }
    assert_true(thinned);
}

/* A machine that has run a launch runs the next one; caches of L2 are warm then. */
static void test_two_launches(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PROTOCOLS; i++) {
        ws_machine m;
        script_machine(&m, protocols[i]);
        ws_sim *const sim = script_sim(&m, NULL);
        uint64_t misses = 0;
        for (unsigned launch = 0; launch < 2; launch++) {
            script *const s = script_make(2, 32);
            for (unsigned k = 0; k < 64; k++)
                script_add(s, k % 2, 0, LOAD, (uint64_t)k * LINE);
            ws_sim_sums sums;
            assert_int_equal(script_run(sim, s, 1000), WS_OK);
            ws_sim_sum(sim, &sums);
            assert_int_equal(sums.l2.misses - misses, launch ? 0 : 64);
            assert_int_equal(sums.sm.ctas, 2 * (launch + 1));
            misses = sums.l2.misses;
            ws_sim_end(sim);
            s->source.ops->destroy(&s->source);
        }
        ws_sim_destroy(sim);
    }
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

/* A run up to cycle `at`, its state; then another machine goes on from there. */
static ws_sim_sums run_in_two(const ws_machine *m, unsigned seed, uint64_t at, bool *done)
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

static void test_checkpoint(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned i = 0; i < PROTOCOLS; i += SKIP) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        m.l2_warm = 1;
        const ws_sim_sums whole = run_whole(&m, NULL, random_script(i, 10, 96, 64, 20), 1000);
        bool done = false;
        for (unsigned k = 0; k < 3 && !done; k++) {
            const ws_sim_sums parts = run_in_two(&m, i, 1 + under(rng, (unsigned)whole.cycles), &done);
            compare(&whole, &parts);
        }
    }
    gsl_rng_free(rng);
}

/* A state that ends early is refused wherever it ends; so is one of another machine. */
static void test_checkpoint_that_ends_early(void **state)
{
    (void)state;
    ws_machine m;
    bool done;
    ws_bytes bytes = {0};
    random_machine(&m, "gtsc-rc", 1);
    script *const s = random_script(1, 10, 96, 64, 20);
    ws_sim *sim = script_sim(&m, NULL);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    assert_int_equal(ws_sim_run(sim, 700, &done), WS_OK);
    assert_int_equal(ws_sim_save(sim, &bytes), WS_OK);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    for (size_t length = 0; length < bytes.length; length += 1 + bytes.length / 23) {
        ws_reader reader = {.next = bytes.data, .end = bytes.data + length};
        sim = script_sim(&m, NULL);
        assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
        assert_int_equal(ws_sim_load(sim, &reader), WS_EINPUT);
        ws_sim_destroy(sim);
    }
    m.l1_sets = 4;
    ws_reader reader = ws_reader_of(&bytes);
    sim = script_sim(&m, NULL);
    assert_int_equal(ws_sim_begin(sim, &s->source), WS_OK);
    assert_int_equal(ws_sim_load(sim, &reader), WS_EINPUT);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    ws_bytes_fini(&bytes);
}

/* ------------------------------------------------------------------------------------------------ what loads return */

static void test_check(void **state)
{
    (void)state;
    for (unsigned i = 1; i < PROTOCOLS; i++)
        for (unsigned seed = 0; seed < seeds; seed++) {
            ws_machine m;
            random_machine(&m, protocols[i], i + seed);
            m.l3_size = 4 * m.l3_ways * LINE;
            const ws_sim_options options = {.check = true};
            ws_sim *const sim = script_sim(&m, &options);
            script *const s = random_script(100 + seed, 12, 128, 60, 6);
            if (script_run(sim, s, 1000))
                fail_msg("%s, seed %u: %s", protocols[i], seed, ws_message());
            assert_true(ws_sim_checked(sim) > 500);
            ws_sim_end(sim);
            ws_sim_destroy(sim);
            s->source.ops->destroy(&s->source);
        }
}

/* Copies that nobody invalidates do not keep a stronger promise, and the check says so. */
static void test_check_finds_violations(void **state)
{
    (void)state;
    const ws_promise rule = WS_PROMISE_PHYSICAL;
    ws_machine m;
    random_machine(&m, "noncoherent", 0);
    const ws_sim_options options = {.check = true, .rule = &rule};
    ws_sim *const sim = script_sim(&m, &options);
    script *const s = random_script(100, 12, 128, 60, 6);
    assert_int_equal(script_run(sim, s, 1000), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "SM"));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

/* Values travel or do not: the machine does the same. */
static void test_check_changes_nothing(void **state)
{
    (void)state;
    for (unsigned i = 1; i < PROTOCOLS; i += SKIP) {
        ws_machine m;
        random_machine(&m, protocols[i], i);
        const ws_sim_options options = {.check = true};
        const ws_sim_sums without = run_whole(&m, NULL, random_script(i, 10, 96, 64, 20), 1000);
        const ws_sim_sums with = run_whole(&m, &options, random_script(i, 10, 96, 64, 20), 1000);
        compare(&without, &with);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--slow") == 0)
        seeds = 12;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conservation), cmocka_unit_test(test_every_row),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_every_block_once),
        cmocka_unit_test(test_every_cache_with_every_protocol),
        cmocka_unit_test(test_caches_know_who_asks),
        cmocka_unit_test(test_values_are_needed), cmocka_unit_test(test_shared_memory_needs_values),
        cmocka_unit_test(test_little),
        cmocka_unit_test(test_workers_and_slices),
        cmocka_unit_test(test_every_cycle),
        cmocka_unit_test(test_warp_schedulers),
        cmocka_unit_test(test_sharing_caches),
        cmocka_unit_test(test_nothing_held_is_gto),
        cmocka_unit_test(test_held_loads_go),
        cmocka_unit_test(test_updates_of_chips),
        cmocka_unit_test(test_levels_of_chips),
        cmocka_unit_test(test_levels_on_threads),
        cmocka_unit_test(test_loads_are_told_apart),
        cmocka_unit_test(test_sharing_follows),
        cmocka_unit_test(test_two_launches),
        cmocka_unit_test(test_checkpoint),
        cmocka_unit_test(test_checkpoint_that_ends_early),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_check_finds_violations),
        cmocka_unit_test(test_check_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
