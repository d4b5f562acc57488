/* test_sim_laws.c - laws of every run of the cycle simulator: nothing is lost or counted twice. */
#include "sim_random.h"
#include "tests/unit/machine_word.h"

#include "collect/trace/update.h"

/* ------------------------------------------------------------------------------------------------ nothing is lost */

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
    assert_in_range(c->stores, d->messages[WS_MESSAGE_DRAM_WRITE] * (words ? 1 : sectors),
                    d->messages[WS_MESSAGE_DRAM_WRITE] * sectors);
    if (ws_machine_keeps_remote(m))
        assert_true(c->atomics >= d->messages[WS_MESSAGE_ATOMIC] -
                                      d->package.update_hits); /* what buffers of chips add up comes as one */
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
    assert_int_equal(c->update_misses,
                     c->update_evictions + c->update_mismatches + c->update_flushed + c->update_unsent);
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
    assert_true(c->load_store_more + c->load_store_mshr + c->load_store_line + c->load_store_port +
                    c->load_store_other <=
                c->load_store_busy);
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
            assert_in_range(d.reply.packets_in, d.request.packets_in + (m.network_cluster ? 0 : more),
                            d.request.packets_in + more);
        }
}

/* Rules that keep updates or own lines, on plain caches with hardly any room, whatever else the machine is. */
static void test_updates(void **state)
{
    (void)state;
    static const char *const rules[] = {"lab", "serialize", "phi", "owned"};
    enum { RULES = sizeof rules / sizeof *rules };
    for (unsigned seed = 0; seed < draws(12) * RULES; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        machine_word(&m, sm_atomics, rules[seed % RULES]);
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

/* Buffers of chips behind all rules of SMs that go with them: what comes leaves once, each operation is performed at
 * its home (the check counts), and the time is that of every cycle executed, and after a checkpoint. */
static void test_updates_of_chips(void **state)
{
    (void)state;
    static const char *const rules[] = {"serial", "combined", "buffered", "serialize", "lab"}, *const agreements[] = {
                                                                                                   "home", "boundary",
                                                                                                   "hmg"};
    enum { RULES = sizeof rules / sizeof *rules, AGREEMENTS = sizeof agreements / sizeof *agreements };
    uint64_t hits = 0, passed = 0, evictions = 0, followed = 0;
    for (unsigned seed = 2; seed < 2 + draws(24) * RULES; seed++) {
        ws_machine m;
        random_machine(&m, "none", seed);
        if (!ws_machine_keeps_remote(&m))
            continue;
        machine_word(&m, sm_atomics, rules[seed % RULES]);
        m.atomics.count = 0;
        machine_word(&m, package_coherence, agreements[seed / 2 % AGREEMENTS]);
        if (m.package_coherence->directories)
            machine_word(&m, l2_write, "through");
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

/* Whatever order a policy likes, on machines with much room and with little: each block once (the script sees to that),
 * and all of them. */
static void test_every_block_once(void **state)
{
    (void)state;
    static const uint32_t grids[][3] = {{1, 1, 1}, {37, 1, 1}, {1, 9, 3}, {5, 4, 2}, {2, 1, 11}};
    for (unsigned row = 0; ws_cta_scheduler_at(row); row++)
        for (unsigned i = 0; i < 3 * sizeof grids / sizeof *grids; i++) {
            const uint32_t *const grid = grids[i / 3];
            const uint32_t blocks = grid[0] * grid[1] * grid[2];
            ws_machine m;
            script_machine(&m, "none");
            m.chip_sms = (const uint32_t[]){1, 3, 16}[i % 3];
            m.sm_blocks = 1 + i % 4;
            m.chip_cta_scheduler = ws_cta_scheduler_at(row);
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

/* A source without values is refused by a register file that looks at them, with a way out. */
static void test_values_are_needed(void **state)
{
    (void)state;
    for (unsigned row = 0; ws_register_file_kind_at(row); row++) {
        ws_machine m;
        script_machine(&m, "none");
        machine_word(&m, registers_file, ws_register_file_kind_at(row)->name);
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
    for (unsigned row = 0; ws_shared_memory_kind_at(row); row++)
        for (unsigned width = 0; width < 2; width++) {
            const ws_shared_memory_kind *const kind = ws_shared_memory_kind_at(row);
            ws_machine m;
            script_machine(&m, "none");
            machine_word(&m, shared_memory, kind->name);
            m.shared = (ws_machine_options){.list = &given, .count = width && kind->wants_values};
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

/* ------------------------------------------------------------------------------------------------ what is held back,
 * and where lines are */

/* The same but for what a policy counts of its own predictions. */
static void compare_runs(ws_sim_sums a, ws_sim_sums b)
{
    a.sm.forecasts = a.sm.forecast_misses = a.sm.forecast_errors = a.sm.false_admissions = a.sm.false_blocks = 0;
    b.sm.forecasts = b.sm.forecast_misses = b.sm.forecast_errors = b.sm.false_admissions = b.sm.false_blocks = 0;
    compare(&a, &b);
}

/* A policy that holds nothing back is greedy, then oldest, cycle for cycle: nothing predicted to miss, a limit of all
 * warps of a scheduler or of the SM, all warps protected. */
static void test_nothing_held_is_gto(void **state)
{
    (void)state;
    static ws_given none[] = {{.name = "mode", .value = 0}, {.name = "smr", .value = 0}},
                    all[] = {{.name = "limit", .value = WS_SM_WARPS}, {.name = "scope", .value = 1}},
                    each[] = {{.name = "mode", .value = 3},
                              {.name = "first", .value = 64},
                              {.name = "least", .value = 64},
                              {.name = "most", .value = 64}};
    static const struct {
        const char *name;
        ws_machine_options given;
    } rows[] = {{"oaws", {.list = none, .count = 2}},
                {"swl", {.list = all, .count = 1}},
                {"swl", {.list = all, .count = 2}},
                {"oaws", {.list = each, .count = 4}}};
    for (unsigned seed = 0; seed < draws(16) * seeds; seed++) {
        ws_machine m;
        random_machine(&m, seed % 2 ? "none" : "bl", seed);
        machine_word(&m, sm_scheduler, "gto");
        const ws_sim_sums gto = run_whole(&m, NULL, random_script(seed, 10, 96, 64, 20), 1000);
        conserve_time(&gto);
        for (size_t i = seed % 2; i < sizeof rows / sizeof *rows; i += 2) {
            machine_word(&m, sm_scheduler, rows[i].name);
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
                step *const p = script_add(s, block, warp,
                                           i % 10 == 9     ? BARRIER
                                           : i % 3         ? USE
                                           : under(rng, 4) ? LOAD
                                                           : STORE,
                                           (uint64_t)under(rng, 40) * LINE);
                p->stride = (int64_t[]){4, 16, 32, 128}[under(rng, 4)];
                p->exec = i % 10 == 9 || under(rng, 2) ? p->exec : p->exec & (uint32_t)gsl_rng_get(rng);
            }
    gsl_rng_free(rng);
    return s;
}

/* Policies that hold loads back, with fewer MSHRs than what they predict: all programs end, MSHRs are not exceeded, and
 * it is the same with every cycle executed. */
static void test_held_loads_go(void **state)
{
    (void)state;
    static ws_given part[] = {{.name = "mode", .value = 0}, {.name = "smr", .value = 100}},
                    learned[] = {{.name = "clamp", .value = 1024}},
                    one[] = {{.name = "mode", .value = 3}, {.name = "first", .value = 1}, {.name = "most", .value = 2}},
                    loads[] = {{.name = "mode", .value = 2}, {.name = "first", .value = 1}},
                    small[] = {{.name = "capacity", .value = 1}}, tight[] = {{.name = "throttle", .value = 1024}},
                    aside[] = {{.name = "reexecute", .value = 3}}, lots[] = {{.name = "reexecute", .value = 64}};
    static const struct {
        const char *name;
        ws_machine_options given;
    } rows[] = {{"oaws", {.list = part, .count = 2}},    {"oaws", {.list = learned, .count = 1}},
                {"oaws", {.list = one, .count = 3}},     {"oaws", {.list = loads, .count = 2}},
                {"daws", {.list = small, .count = 1}},   {"ccws", {.list = tight, .count = 1}},
                {"mascar", {.list = aside, .count = 1}}, {"mascar", {.list = lots, .count = 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned seed = 0; seed < draws(6) * seeds; seed++) {
            ws_machine m;
            random_machine(&m, "none", seed);
            machine_word(&m, sm_scheduler, rows[i].name);
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

/* Plain caches of several chips, wherever their L2s keep lines and whatever is behind: nothing is lost, the same with
 * every cycle executed and after a checkpoint. */
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
        other = run_in_two(&m, seed, 1 + once.cycles * (seed % 8) / 8 + (seed % 8 == 7) * once.cycles / 9,
                           &done); /* the end, too */
        compare(&once, &other);
        conserve_levels(&m, &once);
        assert_int_equal(once.messages[WS_MESSAGE_READ], once.messages[WS_MESSAGE_FILL]);
        assert_int_equal(once.messages[WS_MESSAGE_WRITE], once.messages[WS_MESSAGE_ACK]);
        assert_int_equal(once.messages[WS_MESSAGE_ATOMIC], once.messages[WS_MESSAGE_ATOMIC_ACK]);
        assert_int_equal(once.messages[WS_MESSAGE_DRAM_READ], once.messages[WS_MESSAGE_DRAM_FILL]);
        assert_int_equal(once.memory.reads_in, once.memory.reads_out);
    }
}

int main(int argc, char **argv)
{
    sim_random_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conservation),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_every_block_once),
        cmocka_unit_test(test_caches_know_who_asks),
        cmocka_unit_test(test_values_are_needed),
        cmocka_unit_test(test_shared_memory_needs_values),
        cmocka_unit_test(test_little),
        cmocka_unit_test(test_nothing_held_is_gto),
        cmocka_unit_test(test_held_loads_go),
        cmocka_unit_test(test_updates_of_chips),
        cmocka_unit_test(test_levels_of_chips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
