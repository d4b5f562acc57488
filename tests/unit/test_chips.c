/* test_chips.c - machines of several chips: where lines are at home, what crosses the link, and how long it takes;
 * channels of memory whose times are known. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "model/machine/home.h"
#include "model/sim/memory/memory_channel.h"
#include "model/sim/sim_activity.h"

#include <glob.h>
#include <gsl/gsl_rng.h>

enum { LINE = 128, PAGE = 4096, LINES = 2000 };

/* ------------------------------------------------------------------------------------------------ where lines are */

/* A line has one slice, and the slice's own number of it leads back to it; numbers have no gaps. */
static void test_slice_map(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned round = 0; round < 300; round++) {
        const uint32_t chips = 1 + (uint32_t)gsl_rng_uniform_int(rng, 5);
        const uint32_t slices = 1 + (uint32_t)gsl_rng_uniform_int(rng, 9);
        const uint32_t stripe = 1u << gsl_rng_uniform_int(rng, 4);
        const uint32_t page = 1 + (uint32_t)gsl_rng_uniform_int(rng, 70);
        const ws_slice_map map = ws_slice_map_make(chips, slices, stripe, page, false);
        uint64_t used[64] = {0}, greatest[64] = {0};
        for (uint64_t line = 0; line < LINES; line++) {
            const uint32_t slice = ws_slice_map_chip(&map, line) * slices + ws_slice_map_slice(&map, line);
            const uint64_t local = ws_slice_map_local(&map, line);
            assert_true(slice < chips * slices);
            assert_true(ws_slice_map_has(&map, slice, line));
            assert_true(ws_slice_map_line(&map, slice, local) == line);
            assert_true(chips * slices == 1 || !ws_slice_map_has(&map, (slice + 1) % (chips * slices), line));
            used[slice]++;
            greatest[slice] = local > greatest[slice] ? local : greatest[slice];
        }
        /* At the end of the lines a page and a stripe may be begun. */
        for (uint32_t i = 0; i < chips * slices; i++)
            assert_true(!used[i] || greatest[i] < used[i] + page + stripe);
    }
    gsl_rng_free(rng);
}

static uint32_t slice_of(ws_homes *homes, uint64_t line, uint32_t asking)
{
    uint32_t slice;
    assert_int_equal(ws_homes_slice(homes, line, asking, &slice), WS_OK);
    return slice;
}

/* A page stays with the chip that asked first, also in a checkpoint; interleaved pages do not care who asks. */
static void test_homes(void **state)
{
    (void)state;
    ws_homes first = ws_homes_of(ws_home_find("first-touch"), ws_slice_map_make(4, 2, 2, 32, true));
    ws_homes again = first, round = ws_homes_of(ws_home_find("interleave"), ws_slice_map_make(4, 2, 2, 32, false));
    for (uint64_t page = 0; page < 5000; page++)
        assert_int_equal(slice_of(&first, page * 32, (uint32_t)(page * 7 % 4)) / 2, page * 7 % 4);
    ws_bytes bytes = {0};
    ws_homes_save(&first, &bytes);
    ws_reader reader = ws_reader_of(&bytes);
    assert_int_equal(ws_homes_load(&again, &reader), WS_OK);
    for (uint64_t line = 0; line < 5000 * 32; line += 5) {
        assert_int_equal(slice_of(&first, line, 3), line / 32 * 7 % 4 * 2 + line / 2 % 2);
        assert_int_equal(slice_of(&again, line, 0), slice_of(&first, line, 1));
        assert_int_equal(slice_of(&round, line, 2) / 2, line / 32 % 4);
    }
    ws_bytes_fini(&bytes);
    ws_homes_fini(&first);
    ws_homes_fini(&again);
    ws_homes_fini(&round);
}

/* ------------------------------------------------------------------------------------------------ the link */

/* Two chips of one SM each; the memory's part has the clock of all. */
static void two_chips(ws_machine *m, const char *protocol, const char *home)
{
    script_machine(m, protocol);
    m->chip_sms = 1;
    m->package_chips = 2;
    m->package_page = PAGE;
    m->link_clock = m->chip_core_clock;
    machine_word(m, package_home, home);
}

typedef struct outcome {
    ws_sim_sums sums;
    ws_network_totals link[WS_DIRECTIONS];
    uint64_t at_slice[2]; /* accesses */
} outcome;

/* Block 0 runs on chip 0, block 1 on chip 1; each loads a line of each of its pages, which are every `stride`th from
 * `first`. */
static outcome load_pages(const ws_machine *m, uint64_t first, uint64_t stride)
{
    script *const s = script_make(2, 32);
    for (uint32_t block = 0; block < 2; block++)
        for (uint64_t i = 0; i < 20; i++) {
            script_add(s, block, 0, LOAD, ((first + block) % 2 + i * stride + 1000 * block) * PAGE);
            script_add(s, block, 0, USE, 0);
        }
    ws_sim *const sim = script_sim(m, NULL);
    outcome o;
    if (script_run(sim, s, 1000))
        fail_msg("%s", ws_message());
    ws_sim_sum(sim, &o.sums);
    const ws_memory_side *const side = ws_sim_memory_side(sim);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        o.link[d] = ws_network_sum(ws_memory_side_link(side, d));
    for (uint32_t i = 0; i < 2; i++)
        o.at_slice[i] = ws_memory_side_cache_counts(side, i).misses;
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
    return o;
}

/* What is at home crosses nothing; what is not crosses the link once each way, and the L2 of its home serves it. */
static void test_remote(void **state)
{
    (void)state;
    static const char *const protocols[] = {"none", "gtsc-rc", "tc-weak", "mesi"};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
        ws_machine m;
        two_chips(&m, protocols[i], "interleave");
        const outcome home = load_pages(&m, 0, 2), away = load_pages(&m, 1, 2);
        assert_int_equal(home.link[WS_REQUESTS].packets_in + home.link[WS_REPLIES].packets_in, 0);
        assert_int_equal(away.link[WS_REQUESTS].packets_in, away.sums.request.packets_in / 2);
        assert_int_equal(away.link[WS_REPLIES].packets_in, away.sums.reply.packets_in / 2);
        assert_int_equal(away.link[WS_REQUESTS].packets_in, home.sums.request.packets_in);
        assert_int_equal(away.link[WS_REQUESTS].bytes_in, home.sums.request.bytes_in);
        assert_int_equal(away.link[WS_REPLIES].bytes_out, home.sums.reply.bytes_in);
        assert_int_equal(home.at_slice[0] + home.at_slice[1], away.at_slice[0] + away.at_slice[1]);
        assert_true(away.sums.sm.load_latency > home.sums.sm.load_latency);
    }
}

/* Pages that are touched first by those who use them are at home there, wherever they are. */
static void test_first_touch(void **state)
{
    (void)state;
    ws_machine m;
    two_chips(&m, "gtsc-rc", "first-touch");
    for (uint64_t first = 0; first < 2; first++) {
        const outcome o = load_pages(&m, first, 2);
        assert_int_equal(o.link[WS_REQUESTS].packets_in, 0);
        assert_true(o.at_slice[0] == 20 && o.at_slice[1] == 20);
    }
}

/* A load that is alone takes a cycle longer each way for each cycle of the link's latency. */
static void test_link_latency(void **state)
{
    (void)state;
    ws_machine m;
    two_chips(&m, "none", "interleave");
    ws_given latency = {.name = "latency", .value = 1};
    m.link = (ws_machine_options){.list = &latency, .count = 1};
    const outcome one = load_pages(&m, 1, 2);
    latency.value = 101;
    const outcome more = load_pages(&m, 1, 2);
    assert_int_equal(more.sums.sm.load_latency - one.sums.sm.load_latency, one.sums.sm.loads * 2 * 100);
}

/* Links of the machines that come with the program carry lines, one after another, at the bytes a second that their
 * flits and clock say. */
static void test_links_carry(void **state)
{
    (void)state;
    enum { CYCLES = 20000 };
    glob_t found;
    unsigned links = 0;
    assert_int_equal(glob("data/configs/*.ini", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        ws_machine *m;
        assert_int_equal(ws_machine_read("data", found.gl_pathv[i], &m), WS_OK);
        ws_network *link = NULL;
        if (m->package_chips > 1) {
            const uint32_t times = ws_machine_has_protocol(m) ? 2 * ws_message_default_sizes.timestamp_bytes : 0;
            const ws_packet line = {.destination = 1,
                                    .bytes = ws_message_default_sizes.header_bytes + m->l2_line + times};
            assert_int_equal(
                ws_network_create(m->link_kind->name, m->package_chips, m->link.list, m->link.count, &link), WS_OK);
            while (ws_network_now(link) < CYCLES) {
                ws_packet out;
                ws_network_inject(link, &line);
                ws_network_step(link, ws_network_now(link) + 1);
                while (ws_network_eject(link, 1, &out))
                    continue;
            }
            const double carried = (double)ws_network_sum(link).bytes_out / CYCLES * m->link_clock * 1e3,
                         said = m->shape.link_bytes;
            printf("%s: %.4g bytes a second, said %.4g\n", m->name, carried, said);
            assert_true(carried > 0.97 * said && carried <= said);
            ws_network_destroy(link);
            links++;
        }
        ws_machine_destroy(m);
    }
    globfree(&found);
    assert_true(links > 0);
}

/* ------------------------------------------------------------------------------------------------ L2s on the side of
 * who asks */

/* Two chips whose L2s keep what their SMs ask for. Pages go round: even ones are at home on chip 0. */
static void two_sides(ws_machine *m, uint32_t l3_size)
{
    two_chips(m, "none", "interleave");
    machine_word(m, l2_side, "requester");
    m->l3_size = l3_size;
}

enum { L3_SIZE = 1 << 20, HERE = 0, THERE = PAGE }; /* pages of chip 0, of chip 1 */

/* Launches of two blocks, one a chip, on one machine; what the steps of each launch did is added up. */
typedef struct runner {
    ws_sim *sim;
    script *launch;
    ws_cache_counts at[2]; /* L2s, since the last launch */
    ws_sim_sums sums;
    ws_network_totals link[WS_DIRECTIONS];
} runner;

static runner start(const ws_machine *m)
{
    return (runner){.sim = script_sim(m, NULL), .launch = script_make(2, 32)};
}

static void add(runner *r, uint32_t chip, uint32_t instr, uint64_t address)
{
    script_add(r->launch, chip, 0, instr, address);
    if (instr == LOAD)
        script_add(r->launch, chip, 0, USE, 0);
}

/* What the launch did; then another one may be added to. */
static void run(runner *r)
{
    const runner before = *r;
    if (script_run(r->sim, r->launch, 1000))
        fail_msg("%s", ws_message());
    assert_int_equal(ws_memory_side_inside(ws_sim_memory_side(r->sim)), 0);
    ws_sim_end(r->sim);
    ws_sim_sum(r->sim, &r->sums);
    for (uint32_t i = 0; i < 2; i++)
        r->at[i] = ws_memory_side_cache_counts(ws_sim_memory_side(r->sim), i);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        r->link[d] = ws_network_sum(ws_memory_side_link(ws_sim_memory_side(r->sim), d));
    before.launch->source.ops->destroy(&before.launch->source);
    r->launch = script_make(2, 32);
}

static void stop(runner *r)
{
    r->launch->source.ops->destroy(&r->launch->source);
    ws_sim_destroy(r->sim);
}

/* A line of the other chip is in the L2 of who asked, crosses the link once a launch, and is given up at its end; a
 * line at home stays. */
static void test_requester_keeps(void **state)
{
    (void)state;
    for (uint32_t size = 0; size <= L3_SIZE; size += L3_SIZE) {
        ws_machine m;
        two_sides(&m, size);
        m.l1_enabled = 0;
        runner r = start(&m);
        for (unsigned launch = 1; launch <= 3; launch++) {
            for (unsigned k = 0; k < 5; k++) {
                add(&r, 0, LOAD, THERE);
                add(&r, 0, LOAD, HERE);
            }
            run(&r);
            assert_int_equal(r.at[0].misses, 1 + launch);
            assert_int_equal(r.at[0].hits, 10 * launch - (1 + launch));
            assert_int_equal(r.at[1].loads, 0);
            assert_int_equal(r.link[WS_REQUESTS].packets_in, launch);
            assert_int_equal(r.link[WS_REPLIES].packets_out, launch);
            assert_int_equal(r.link[WS_REQUESTS].bytes_in, launch * 8);
            assert_int_equal(r.link[WS_REPLIES].bytes_in, launch * (8 + LINE));
            /* The L3 has it from the second time on; without it memory is read again. */
            assert_int_equal(r.sums.l3.hits, size ? launch - 1 : 0);
            assert_int_equal(r.sums.messages[WS_MESSAGE_DRAM_READ], 1 + launch);
            const uint64_t bursts = LINE / m.shape.part.burst_bytes;
            assert_int_equal(r.sums.memory.reads, (size ? 2 : 1 + launch) * bursts);
        }
        stop(&r);
    }
}

/* Dirty lines reach their home when the launch ends, over the link where that is on the other chip. */
static void test_requester_writes_back(void **state)
{
    (void)state;
    for (uint32_t size = 0; size <= L3_SIZE; size += L3_SIZE) {
        ws_machine m;
        two_sides(&m, size);
        machine_word(&m, l2_write_allocate, "lazy");
        runner r = start(&m);
        add(&r, 0, STORE, THERE);
        add(&r, 0, STORE, HERE);
        run(&r);
        assert_int_equal(r.at[0].writebacks, 2);
        assert_int_equal(r.sums.messages[WS_MESSAGE_DRAM_WRITE], 2);
        assert_int_equal(r.link[WS_REQUESTS].packets_in, 1);
        assert_int_equal(r.link[WS_REQUESTS].bytes_in, 8 + LINE);
        assert_int_equal(r.link[WS_REPLIES].packets_in, 0);
        assert_int_equal(r.sums.l3.stores, size ? 2 : 0);
        /* The one that stayed is clean: nothing is left to write. */
        run(&r);
        assert_int_equal(r.at[0].writebacks, 2);
        stop(&r);
    }
}

/* What another chip wrote is not what a copy at home says: it is gone when the write has reached its home. */
static void test_requester_takes_copies(void **state)
{
    (void)state;
    ws_machine m;
    two_sides(&m, L3_SIZE);
    runner r = start(&m);
    add(&r, 1, LOAD, THERE); /* chip 1's own */
    run(&r);
    add(&r, 1, LOAD, THERE);
    run(&r);
    assert_int_equal(r.at[1].misses, 1);
    add(&r, 0, STORE, THERE);
    run(&r);
    add(&r, 1, LOAD, THERE);
    run(&r);
    assert_int_equal(r.at[1].misses, 2);
    stop(&r);
}

/* Atomics of all chips are performed at the home of the line, whether an L3 or memory is there, and leave no copy. */
static void test_requester_atomics(void **state)
{
    (void)state;
    for (uint32_t size = 0; size <= L3_SIZE; size += L3_SIZE) {
        ws_machine m;
        two_sides(&m, size);
        runner r = start(&m);
        for (uint32_t chip = 0; chip < 2; chip++) {
            add(&r, chip, LOAD, THERE);
            add(&r, chip, STORE, THERE);
            add(&r, chip, FENCE, 0);
            add(&r, chip, ATOMIC, THERE);
            add(&r, chip, FENCE, 0);
            add(&r, chip, LOAD, THERE);
        }
        run(&r);
        assert_int_equal(r.sums.messages[WS_MESSAGE_ATOMIC], 2);
        assert_int_equal(r.sums.messages[WS_MESSAGE_ATOMIC_ACK], 2);
        assert_int_equal(r.sums.l3.atomics, size ? 2 : 0);
        for (uint32_t chip = 0; chip < 2; chip++) {
            assert_int_equal(r.at[chip].atomics, 1);
            assert_in_range(r.at[chip].writebacks, 1, 2); /* the store, before the atomic */
        }
        /* Chip 0: the read, the write, the atomic, the read again, and nothing at the end. */
        assert_int_equal(r.link[WS_REQUESTS].packets_in, 4);
        assert_int_equal(r.link[WS_REPLIES].packets_in, 3);
        assert_true(size || r.sums.memory.writes >= 2 * 2);
        stop(&r);
    }
}

/* Volatile loads are answered by the home; with coherence.polls 0, by any copy. */
static void test_requester_polls(void **state)
{
    (void)state;
    for (uint32_t polls = 0; polls < 2; polls++) {
        ws_machine m;
        two_sides(&m, L3_SIZE);
        m.coherence_polls = polls;
        runner r = start(&m);
        for (unsigned k = 0; k < 5; k++) {
            add(&r, 0, POLL, THERE);
            script_add(r.launch, 0, 0, USE, 0);
        }
        run(&r);
        assert_int_equal(r.link[WS_REQUESTS].packets_in, polls ? 5 : 1);
        stop(&r);
    }
}

/* A page is touched by who reads a line of it that the host left in L2, too: it is at home there for the chip that
 * comes later. */
static void test_requester_first_touch(void **state)
{
    (void)state;
    ws_machine m;
    two_sides(&m, L3_SIZE);
    machine_word(&m, package_home, "first-touch");
    m.l2_warm = 1;
    runner r = start(&m);
    r.launch->launch.copied = &(ws_copy){.address = 0, .bytes = LINE};
    r.launch->launch.copies = 1;
    add(&r, 0, LOAD, 0);
    for (unsigned k = 1; k < 5; k++)
        add(&r, 1, LOAD, k * PAGE); /* its own, and time goes by */
    add(&r, 1, LOAD, LINE);
    run(&r);
    assert_int_equal(r.sums.l3.loads, 5); /* not the line that was copied */
    assert_int_equal(r.link[WS_REQUESTS].packets_in, 1);
    stop(&r);
}

/* ------------------------------------------------------------------------------------------------ L2s that agree */

/* A machine of two sides whose L2s agree that way; `arguments` NULL: nobody knows what launches use. */
static runner start_agreed(ws_machine *m, const char *coherence, const ws_chiplet_kernels *arguments)
{
    machine_word(m, package_coherence, coherence);
    machine_word(m, l2_write_allocate, "lazy");
    machine_word(m, chip_cta_scheduler, "partitioned");
    m->l1_enabled = 0;
    ws_sim *sim;
    const ws_sim_options options = {.arguments = arguments, .check = true};
    assert_int_equal(script_create(m, &options, &sim), WS_OK);
    return (runner){.sim = sim, .launch = script_make(2, 32)};
}

static runner start_agreeing(ws_machine *m, const char *coherence, const ws_chiplet_kernels *arguments)
{
    two_sides(m, L3_SIZE);
    return start_agreed(m, coherence, arguments);
}

/* All L2s are empty when a launch begins, and clean when it ends. */
static void test_boundaries(void **state)
{
    (void)state;
    ws_machine m;
    runner r = start_agreeing(&m, "boundary", NULL);
    for (unsigned launch = 1; launch <= 3; launch++) {
        for (unsigned k = 0; k < 5; k++)
            add(&r, 0, LOAD, HERE);
        add(&r, 0, STORE, HERE + LINE);
        add(&r, 1, STORE, HERE + 2 * LINE);
        run(&r);
        assert_int_equal(r.at[0].misses, launch + launch); /* the load, and the store that takes a line */
        assert_int_equal(r.sums.package.acquires, 2 * launch);
        assert_int_equal(r.sums.package.releases, 2 * launch);
        assert_int_equal(r.sums.package.flushed, 2 * launch);
        assert_int_equal(r.sums.package.remote, launch);
        assert_int_equal(r.sums.package.requests, 7 * launch);
    }
    stop(&r);
}

static void give(ws_chiplet_kernels *list, uint32_t chips, uint64_t base, bool writes)
{
    ws_chiplet_kernel *k;
    const ws_chiplet_argument a = {.whole = {base, base + PAGE - 1}, .writes = writes};
    assert_int_equal(ws_chiplet_kernels_add(list, "k", list->kernels, chips, &k), WS_OK);
    assert_int_equal(ws_chiplet_kernel_add(k, &a), WS_OK);
}

/* Launches have numbers, by which their arguments are found. */
static void run_numbered(runner *r, uint64_t number)
{
    r->launch->launch.sequence = number;
    run(r);
}

/* A page that one chip reads, the other writes, and the first reads again: example E8 of the table (test_cct.c), in a
 * machine. */
static void test_by_table(void **state)
{
    (void)state;
    static const struct {
        uint32_t chip, writes, acquires, releases;
    } rows[] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 0}, {1, 0, 1, 1}, {1, 1, 0, 0}};
    ws_chiplet_kernels arguments = {0};
    ws_package_counts expected = {0};
    ws_machine m;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        give(&arguments, 1u << rows[i].chip, HERE, rows[i].writes);
    ws_given latency = {.name = "latency", .value = 2000};
    two_sides(&m, L3_SIZE);
    m.package = (ws_machine_options){.list = &latency, .count = 1};
    runner r = start_agreed(&m, "cpcoh", &arguments);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add(&r, rows[i].chip, rows[i].writes ? STORE : LOAD, HERE);
        const uint64_t settled = r.sums.package.settled;
        run_numbered(&r, i);
        expected.acquires += rows[i].acquires;
        expected.releases += rows[i].releases;
        assert_int_equal(r.sums.package.acquires, expected.acquires);
        assert_int_equal(r.sums.package.releases, expected.releases);
        /* A row of the table is 31 cycles of 1.5 GHz; operations are, by that option, 2 us there and 2 us back, besides
         * what is written back. */
        const double row = 31 / 1.5e6 * m.chip_core_clock, both = 4e-3 * m.chip_core_clock;
        const double took = (double)(r.sums.package.settled - settled);
        if (rows[i].acquires + rows[i].releases)
            assert_true(took >= row + both - 1 && took < row + both + 2000);
        else
            assert_true(took >= row - 1 && took <= row + 1);
    }
    stop(&r);
    ws_chiplet_kernels_fini(&arguments);
}

/* An argument more of the last kernel of the list. */
static void give_more(ws_chiplet_kernels *list, uint64_t base, bool writes)
{
    const ws_chiplet_argument a = {.whole = {base, base + PAGE - 1}, .writes = writes};
    assert_int_equal(ws_chiplet_kernel_add(&list->kernel[list->kernels - 1], &a), WS_OK);
}

/* Chip 1 writes two pages; chip 0 reads one of them, for which chip 1 writes back both; then the other, for which
 * nothing has to be done, and finds what is new there. */
static void test_whole_cache(void **state)
{
    (void)state;
    ws_chiplet_kernels arguments = {0};
    ws_machine m;
    give(&arguments, 2, THERE, true);
    give_more(&arguments, THERE + 2 * PAGE, true);
    give(&arguments, 1, THERE, false);
    give(&arguments, 1, THERE + 2 * PAGE, false);
    runner r = start_agreeing(&m, "cpcoh", &arguments);
    add(&r, 1, STORE, THERE);
    add(&r, 1, STORE, THERE + 2 * PAGE);
    run_numbered(&r, 0);
    for (unsigned launch = 1; launch <= 2; launch++) {
        add(&r, 0, LOAD, THERE + 2 * PAGE * (launch - 1));
        run_numbered(&r, launch);
        assert_int_equal(r.sums.package.acquires, 0);
        assert_int_equal(r.sums.package.releases, 1);
        assert_int_equal(r.sums.package.flushed, 2);
    }
    stop(&r);
    ws_chiplet_kernels_fini(&arguments);
}

/* BabelStream's kernels on three arrays of two pages, the first of each on chip 0: sixteen launches without an
 * operation, or with 32 acquires and 32 releases. */
static void test_babel_stream(void **state)
{
    (void)state;
    enum { A = 1, B = 2, C = 4, ARRAYS = 3, STEPS = 5, LAUNCHES = 1 + 3 * STEPS };
    static const struct {
        unsigned reads, writes;
    } stream[STEPS] = {{A, C}, {C, B}, {A | B, C}, {B | C, A}, {A | B, 0}};
    static const char *const rules[] = {"boundary", "cpcoh"};
    for (unsigned k = 0; k < 2; k++) {
        ws_chiplet_kernels arguments = {0};
        ws_chiplet_kernel *kernel;
        ws_machine m;
        for (unsigned i = 0; i < LAUNCHES; i++) {
            assert_int_equal(ws_chiplet_kernels_add(&arguments, "k", i, 3, &kernel), WS_OK);
            for (unsigned n = 0; n < ARRAYS; n++) {
                const uint64_t base = n * 2 * PAGE;
                const bool writes = i ? stream[(i - 1) % STEPS].writes >> n & 1 : true,
                           reads = i && stream[(i - 1) % STEPS].reads >> n & 1;
                const ws_chiplet_argument a = {.whole = {base, base + 2 * PAGE - 1},
                                               .writes = writes,
                                               .ranged = true,
                                               .range = {{base, base + PAGE - 1}, {base + PAGE, base + 2 * PAGE - 1}}};
                if (writes || reads)
                    assert_int_equal(ws_chiplet_kernel_add(kernel, &a), WS_OK);
            }
        }
        runner r = start_agreeing(&m, rules[k], k ? &arguments : NULL);
        for (unsigned i = 0; i < LAUNCHES; i++) {
            for (unsigned n = 0; n < ARRAYS; n++)
                for (uint32_t chip = 0; chip < 2; chip++) {
                    if (i && stream[(i - 1) % STEPS].reads >> n & 1)
                        add(&r, chip, LOAD, n * 2 * PAGE + chip * PAGE);
                    if (!i || stream[(i - 1) % STEPS].writes >> n & 1)
                        add(&r, chip, STORE, n * 2 * PAGE + chip * PAGE);
                }
            run_numbered(&r, i);
        }
        assert_int_equal(r.sums.package.acquires, k ? 0 : 32);
        assert_int_equal(r.sums.package.releases, k ? 0 : 32);
        assert_int_equal(r.sums.package.remote, 0);
        assert_int_equal(r.sums.package.flushed,
                         k ? 0 : 2 * (ARRAYS + 3 * 4)); /* a line of each array and half that was written */
        stop(&r);
        ws_chiplet_kernels_fini(&arguments);
    }
}

/* What nobody knows is done as without a table. */
static void test_unknown_launches(void **state)
{
    (void)state;
    ws_machine m;
    runner r = start_agreeing(&m, "cpcoh", NULL);
    for (unsigned launch = 1; launch <= 3; launch++) {
        add(&r, launch % 2, STORE, HERE);
        add(&r, launch % 2, LOAD, THERE);
        run(&r);
        assert_int_equal(r.sums.package.acquires, 2 * launch);
        assert_int_equal(r.sums.package.releases, 2 * launch);
        assert_int_equal(r.sums.package.flushed, launch);
    }
    stop(&r);
}

/* Arguments that are not true: the line that chip 0 has is written by chip 1 in a launch that is said to read alone.
 * Versions tell. */
static void test_versions_tell(void **state)
{
    (void)state;
    for (unsigned lies = 0; lies < 2; lies++) {
        ws_chiplet_kernels arguments = {0};
        ws_machine m;
        give(&arguments, 1, HERE, false);
        give(&arguments, 2, HERE, !lies);
        give(&arguments, 1, HERE, false);
        runner r = start_agreeing(&m, "cpcoh", &arguments);
        add(&r, 0, LOAD, HERE);
        run_numbered(&r, 0);
        add(&r, 1, STORE, HERE);
        run_numbered(&r, 1);
        add(&r, 0, LOAD, HERE);
        r.launch->launch.sequence = 2;
        assert_int_equal(script_run(r.sim, r.launch, 1000), lies ? WS_EVERIFY : WS_OK);
        if (lies)
            assert_non_null(
                strstr(ws_message(),
                       "launch 3 loads address 0x0 on chip 0 as launch 0 left it; launch 2 has written it since"));
        ws_sim_end(r.sim);
        stop(&r);
        ws_chiplet_kernels_fini(&arguments);
    }
}

/* Chip 1 has lines 0, 1 and 3 of a region of chip 0, which stores to line 2: one message, three copies, none of them of
 * the line. With entries of one line nobody is told. */
static void test_directory(void **state)
{
    (void)state;
    for (uint64_t lines = 1; lines <= 4; lines += 3) {
        ws_machine with;
        ws_given given = {.name = "lines", .value = lines};
        two_sides(&with, L3_SIZE);
        with.package = (ws_machine_options){.list = &given, .count = 1};
        machine_word(&with, package_coherence, "hmg");
        machine_word(&with, l2_write, "through");
        with.l1_enabled = 0;
        ws_sim *sim;
        assert_int_equal(script_create(&with, &(ws_sim_options){.check = true}, &sim), WS_OK);
        runner r = {.sim = sim, .launch = script_make(2, 32)};
        for (uint64_t line = 0; line < 4; line++)
            if (line != 2)
                add(&r, 1, LOAD, HERE + line * LINE);
        run(&r);
        add(&r, 0, STORE, HERE + 2 * LINE);
        run(&r);
        assert_int_equal(r.sums.package.invalidations, lines == 4);
        assert_int_equal(r.sums.package.invalidated, lines == 4 ? 3 : 0);
        assert_int_equal(r.sums.package.false_invalidated, lines == 4 ? 3 : 0);
        for (uint64_t line = 0; line < 4; line++)
            add(&r, 1, LOAD, HERE + line * LINE);
        run(&r);
        assert_int_equal(r.at[1].misses, lines == 4 ? 3 + 4 : 3 + 1);
        stop(&r);
    }
}

/* Lines of the other chip are asked for again each time, and stores go there at once. */
static void test_remote_passes(void **state)
{
    (void)state;
    ws_machine m;
    two_sides(&m, L3_SIZE);
    m.package_remote_read = 0;
    machine_word(&m, package_remote_store, "through");
    m.l1_enabled = 0;
    runner r = start(&m);
    for (unsigned k = 0; k < 5; k++) {
        add(&r, 0, LOAD, THERE);
        add(&r, 0, LOAD, HERE);
    }
    add(&r, 0, STORE, THERE);
    run(&r);
    assert_int_equal(r.link[WS_REQUESTS].packets_in, 6);
    assert_int_equal(r.at[0].misses, 5 + 1 + 1);
    assert_int_equal(r.at[0].writebacks, 0);
    stop(&r);
}

/* Each chip runs one part of the grid, in order, whatever ends when. */
static void note_place(void *context, uint64_t cta, uint32_t sm, uint64_t ended)
{
    (void)ended;
    ((uint32_t *)context)[cta] = sm;
}

static void test_partitioned(void **state)
{
    (void)state;
    enum { CTAS = 37 };
    uint32_t at[CTAS];
    ws_machine m;
    two_chips(&m, "none", "interleave");
    m.chip_sms = 2;
    machine_word(&m, chip_cta_scheduler, "partitioned");
    ws_sim *sim;
    assert_int_equal(script_create(&m, &(ws_sim_options){.placed = note_place, .placed_context = at}, &sim), WS_OK);
    script *const s = script_make(CTAS, 32);
    for (uint32_t cta = 0; cta < CTAS; cta++)
        for (uint32_t k = 0; k < 1 + cta % 5; k++)
            script_add(s, cta, 0, LOAD, (uint64_t)cta * LINE + k * PAGE);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    for (uint64_t cta = 0; cta < CTAS; cta++)
        assert_int_equal(at[cta] / 2, ws_chiplet_of_block(cta, CTAS, 2));
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

/* With one chip there is one side: nothing at all is different, under any protocol. */
static void test_one_side(void **state)
{
    (void)state;
    static const char *const protocols[] = {"none", "gtsc-rc", "mesi"};
    for (size_t i = 0; i < 2 * sizeof protocols / sizeof *protocols; i++) {
        ws_sim_sums sums[2];
        for (unsigned side = 0; side < 2; side++) {
            ws_machine m;
            script_machine(&m, protocols[i / 2]);
            m.l3_size = i % 2 ? L3_SIZE : 0;
            machine_word(&m, l2_side, side ? "requester" : "memory");
            ws_sim *const sim = script_sim(&m, NULL);
            for (unsigned launch = 0; launch < 2; launch++) {
                script *const s = script_make(4, 64);
                for (uint32_t k = 0; k < 200; k++)
                    script_add(s, k % 4, k / 4 % 2, (const uint32_t[]){LOAD, STORE, LOAD2, ATOMIC, POLL}[k % 5],
                               k * k % 31 * LINE);
                if (script_run(sim, s, 1000))
                    fail_msg("%s", ws_message());
                ws_sim_end(sim);
                s->source.ops->destroy(&s->source);
            }
            memset(&sums[side], 0, sizeof sums[side]);
            ws_sim_sum(sim, &sums[side]);
            ws_sim_destroy(sim);
        }
        assert_memory_equal(&sums[0], &sums[1], offsetof(ws_sim_sums, greatest_timestamp));
    }
}

/* A protocol orders writes at one slice of each line, and says so. */
static void test_side_refused(void **state)
{
    (void)state;
    ws_machine m;
    ws_sim *sim;
    two_sides(&m, 0);
    machine_word(&m, coherence_protocol, "gtsc-rc");
    assert_int_equal(script_create(&m, NULL, &sim), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "gtsc-rc orders the writes of a line at its one slice"));
}

/* ------------------------------------------------------------------------------------------------ the L3 */

/* A miss of L2 takes as much longer as the L3's latency is, whether the L3 has the line or not. */
static void test_l3_latency(void **state)
{
    (void)state;
    uint64_t latency[2];
    for (unsigned more = 0; more < 2; more++) {
        ws_machine m;
        script_machine(&m, "none");
        m.l1_enabled = 0;
        m.l2_sets = m.l2_ways = 1;
        m.l3_size = L3_SIZE;
        m.l3_latency = 10 + 100 * more;
        script *const s = script_make(1, 32);
        for (unsigned k = 0; k < 12; k++) {
            script_add(s, 0, 0, LOAD, k % 3 * LINE); /* each puts the one before out of L2 */
            script_add(s, 0, 0, USE, 0);
        }
        ws_sim *const sim = script_sim(&m, NULL);
        assert_int_equal(script_run(sim, s, 1000), WS_OK);
        ws_sim_sums d;
        ws_sim_sum(sim, &d);
        assert_int_equal(d.l2.misses, 12);
        assert_int_equal(d.l3.misses, 3);
        assert_int_equal(d.l3.hits, 9);
        latency[more] = d.sm.load_latency;
        ws_sim_end(sim);
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
    assert_int_equal(latency[1] - latency[0], 12 * 100);
}

/* What the parts of the machine did adds up by instance: caches, networks of chips, the link, memory. */
static void test_activity_of_levels(void **state)
{
    (void)state;
    ws_machine m;
    two_sides(&m, L3_SIZE);
    runner r = start(&m);
    for (unsigned k = 0; k < 20; k++)
        add(&r, k % 2, k % 3 ? LOAD : STORE, k * LINE + k / 2 % 2 * PAGE);
    run(&r);
    ws_activity a;
    ws_sim_activity(r.sim, &a);
    const uint64_t bursts = LINE / m.shape.part.burst_bytes;
    assert_int_equal(a.cache_tag_accesses[WS_ACTIVITY_L3],
                     r.sums.messages[WS_MESSAGE_DRAM_READ] + r.sums.messages[WS_MESSAGE_DRAM_WRITE]);
    assert_int_equal(a.cache_hits[WS_ACTIVITY_L3], r.sums.l3.hits);
    assert_int_equal(a.cache_fills[WS_ACTIVITY_L2], r.sums.messages[WS_MESSAGE_DRAM_READ]);
    assert_int_equal(a.cache_fills[WS_ACTIVITY_L3] * bursts, a.dram_reads[0]);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++) {
        assert_true(r.link[d].packets_in > 0);
        assert_int_equal(a.network_packets[WS_DIRECTIONS + d], r.link[d].packets_in);
        assert_int_equal(a.network_bytes[WS_DIRECTIONS + d], r.link[d].bytes_in);
        assert_int_equal(a.network_hops[WS_DIRECTIONS + d],
                         r.link[d].flits_in); /* a crossbar has one channel a packet */
    }
    stop(&r);
}

/* ------------------------------------------------------------------------------------------------ a fixed channel */

/* Bursts that are there at once end one after the other on the bus, and each is read `latency` later. */
static void test_fixed_channel(void **state)
{
    (void)state;
    const ws_memory_channel_kind *const kind = ws_memory_channel_kind_find("fixed");
    const ws_memory_channel_ops *const ops = ws_memory_channel_ops_of(kind);
    ws_given given[] = {
        {.name = "latency_cycles", .value = 7}, {.name = "bus_bytes", .value = 24}, {.name = "bursts", .value = 5}};
    ws_machine m;
    script_machine(&m, "none");
    m.memory = (ws_machine_options){.list = given, .count = 3};
    ws_dram_part part = {.burst_bytes = 64, .clock_mhz = 1000}; /* 3 cycles */
    void *channel;
    m.memory_channel = kind;
    const ws_memory_shape shape = kind->shape(&m, &part);
    assert_int_equal(shape.parts, 1);
    assert_float_equal(shape.peak_bytes, 64e9 / 3, 1);
    assert_float_equal(shape.read_cycles, 3 + 7, 1e-9);
    assert_int_equal(ops->create(&m, &part, &channel), WS_OK);
    ops->step(channel, 10);
    for (uint64_t i = 0; i < 5; i++)
        assert_true(ops->push(channel, i * 64, i == 2, i)); /* the third is a write */
    assert_false(ops->has_room(channel, 0, false));
    assert_false(ops->push(channel, 0, false, 9));
    static const struct {
        uint64_t when, tag;
    } expected[] = {{10 + 3 + 7, 0}, {10 + 6 + 7, 1}, {10 + 12 + 7, 3}, {10 + 15 + 7, 4}};
    size_t at = 0;
    for (uint64_t now = 11; now < 60; now++) {
        uint64_t tag;
        const uint64_t next = ops->next_time(channel);
        ops->step(channel, now);
        while (ops->pop(channel, &tag)) {
            assert_true(at < sizeof expected / sizeof *expected);
            assert_int_equal(now, expected[at].when);
            assert_int_equal(tag, expected[at++].tag);
            assert_true(next < now);
        }
    }
    assert_int_equal(at, sizeof expected / sizeof *expected);
    const ws_dram_totals sum = ops->sum(channel);
    assert_int_equal(sum.reads, 4);
    assert_int_equal(sum.writes, 1);
    assert_int_equal(sum.data_cycles, 15);
    assert_int_equal(sum.pending_cycles, 15);
    assert_int_equal(sum.latency_sum, 10 + 13 + 19 + 22);
    assert_int_equal(ops->inside(channel), 0);
    assert_true(ops->next_time(channel) == WS_NEVER);
    ops->destroy(channel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_map),
        cmocka_unit_test(test_homes),
        cmocka_unit_test(test_remote),
        cmocka_unit_test(test_first_touch),
        cmocka_unit_test(test_link_latency),
        cmocka_unit_test(test_links_carry),
        cmocka_unit_test(test_fixed_channel),
        cmocka_unit_test(test_requester_keeps),
        cmocka_unit_test(test_requester_writes_back),
        cmocka_unit_test(test_requester_takes_copies),
        cmocka_unit_test(test_requester_atomics),
        cmocka_unit_test(test_requester_polls),
        cmocka_unit_test(test_requester_first_touch),
        cmocka_unit_test(test_boundaries),
        cmocka_unit_test(test_by_table),
        cmocka_unit_test(test_whole_cache),
        cmocka_unit_test(test_babel_stream),
        cmocka_unit_test(test_unknown_launches),
        cmocka_unit_test(test_versions_tell),
        cmocka_unit_test(test_directory),
        cmocka_unit_test(test_remote_passes),
        cmocka_unit_test(test_partitioned),
        cmocka_unit_test(test_one_side),
        cmocka_unit_test(test_side_refused),
        cmocka_unit_test(test_l3_latency),
        cmocka_unit_test(test_activity_of_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
