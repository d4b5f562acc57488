/* test_chiplet_l2.c - directories of regions, and L2s under each policy: by hand, and against lists
 * that do it literally. */
#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/mechanism/chiplets/chiplet_l2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

/* ------------------------------------------------------------------------------------------------ by hand */

enum { ROOMY = 1024 };

/* Room for all, and no time. */
static ws_chiplet_l2_options options_of(uint32_t chiplets, uint64_t lines, ws_directory_options directory)
{
    return (ws_chiplet_l2_options){.chiplets = chiplets,
                                   .words = 16,
                                   .lines = lines,
                                   .slices = 1,
                                   .link_places = ROOMY,
                                   .slice = {.queue = ROOMY, .reads = ROOMY, .merges = ROOMY, .sends = ROOMY},
                                   .directory = directory,
                                   .header_bytes = 8,
                                   .flit_bytes = 32};
}

static ws_chiplet_l2 *make(const ws_chiplet_l2_options *o)
{
    ws_chiplet_l2 *l2;
    assert_int_equal(ws_chiplet_l2_create(o, &l2), WS_OK);
    return l2;
}

static ws_chiplet_l2 *l2_of(uint32_t chiplets, uint64_t lines, uint32_t region)
{
    const ws_chiplet_l2_options o = options_of(chiplets, lines, (ws_directory_options){64, 8, region});
    return make(&o);
}

/* When it is answered. */
static uint64_t ask_at(ws_chiplet_l2 *l2, uint32_t chiplet, uint32_t home, uint64_t line, uint32_t mask,
                       ws_chiplet_access kind, uint64_t now)
{
    const ws_chiplet_request r = {
        .chiplet = chiplet, .home = home, .mask = mask, .kind = kind, .line = line, .now = now};
    uint64_t ready;
    assert_int_equal(ws_chiplet_l2_access(l2, &r, &ready), WS_OK);
    return ready;
}

static void ask(ws_chiplet_l2 *l2, uint32_t chiplet, uint64_t line, ws_chiplet_access kind)
{
    ask_at(l2, chiplet, 0, line, 0xffff, kind, 0);
}

/* Two kernels, one chiplet, a thousand lines: all misses, half of them, and what the kernel before wrote is there. */
static void reuse_between_kernels(void **state)
{
    (void)state;
    for (unsigned writes = 0; writes < 2; writes++) {
        ws_chiplet_l2 *const l2 = l2_of(1, 4096, 4);
        for (unsigned kernel = 0; kernel < 2; kernel++) {
            ws_chiplet_l2_next(l2);
            ws_chiplet_l2_acquire(l2, WS_CHIPLET_BOUNDARY, 1);
            for (uint64_t line = 0; line < 1000; line++)
                ask(l2, 0, line, writes && !kernel ? WS_CHIPLET_STORE : WS_CHIPLET_LOAD);
            ws_chiplet_l2_release(l2, WS_CHIPLET_BOUNDARY, 1, false, NULL);
        }
        const ws_chiplet_counts boundary = ws_chiplet_l2_counts(l2, WS_CHIPLET_BOUNDARY),
                                cpcoh = ws_chiplet_l2_counts(l2, WS_CHIPLET_CPCOH),
                                ideal = ws_chiplet_l2_counts(l2, WS_CHIPLET_IDEAL);
        assert_int_equal(boundary.fetches, writes ? 1000 : 2000);
        assert_int_equal(boundary.flushed, writes ? 1000 : 0);
        assert_int_equal(ideal.fetches, writes ? 0 : 1000);
        assert_int_equal(cpcoh.fetches, ideal.fetches);
        assert_int_equal(cpcoh.kernel_hits, 1000);
        assert_int_equal(cpcoh.flushed, 0);
        ws_chiplet_l2_destroy(l2);
    }
}

/* Chiplet 1 has lines 0, 1 and 3 of a region of chiplet 0, which stores to line 2: three copies go, none of which was
 * stored to. */
static void region_of_four(void **state)
{
    (void)state;
    for (uint32_t region = 1; region <= 4; region += 3) {
        ws_chiplet_l2 *const l2 = l2_of(2, 4096, region);
        for (uint64_t line = 0; line < 4; line++)
            if (line != 2)
                ask(l2, 1, line, WS_CHIPLET_LOAD);
        ask(l2, 0, 2, WS_CHIPLET_STORE);
        const ws_chiplet_counts hmg = ws_chiplet_l2_counts(l2, WS_CHIPLET_HMG);
        assert_int_equal(hmg.invalidations, region == 4);
        assert_int_equal(hmg.invalidated, region == 4 ? 3 : 0);
        assert_int_equal(hmg.false_invalidated, region == 4 ? 3 : 0);
        ws_chiplet_l2_destroy(l2);
    }
}

/* A poll waits with a read of its line that is under way, which then leaves no copy; no copy serves it, in no chiplet
 * and no kernel. A read is over after 100 cycles, over the link after 140. */
static void polls_share_reads(void **state)
{
    (void)state;
    static const struct {
        uint32_t chiplet;
        uint64_t line, now, ready;
        ws_chiplet_access kind;
        enum { READS, WAITS, HITS } does;
        bool next; /* in another kernel */
    } asked[] = {
        {0, 5, 0, 100, WS_CHIPLET_POLL, READS, false},   {0, 5, 10, 100, WS_CHIPLET_POLL, WAITS, false},
        {0, 5, 20, 100, WS_CHIPLET_LOAD, WAITS, false},  {0, 5, 100, 200, WS_CHIPLET_LOAD, READS, false},
        {0, 5, 150, 200, WS_CHIPLET_LOAD, HITS, false},  {0, 5, 200, 200, WS_CHIPLET_LOAD, HITS, false},
        {0, 5, 201, 301, WS_CHIPLET_POLL, READS, false}, {0, 6, 210, 310, WS_CHIPLET_POLL, READS, false},
        {1, 5, 210, 350, WS_CHIPLET_POLL, READS, false}, {0, 5, 301, 301, WS_CHIPLET_LOAD, HITS, false},
        {0, 5, 0, 100, WS_CHIPLET_POLL, READS, true},
    };
    static const ws_chiplet_policy policies[] = {WS_CHIPLET_BOUNDARY, WS_CHIPLET_CPCOH, WS_CHIPLET_HMG};
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        ws_chiplet_l2_options o = options_of(2, 64, (ws_directory_options){64, 8, 1});
        uint64_t count[3] = {0};
        o.read_alloc = true;
        o.l3_cycles = 100;
        o.link_cycles = 20;
        o.pace = policies[p];
        ws_chiplet_l2 *const l2 = make(&o);
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            if (asked[i].next)
                ws_chiplet_l2_next(l2);
            assert_true(ask_at(l2, asked[i].chiplet, 0, asked[i].line, 1, asked[i].kind, asked[i].now) ==
                        asked[i].ready);
            count[asked[i].does]++;
            const ws_chiplet_counts n = ws_chiplet_l2_counts(l2, policies[p]);
            assert_int_equal(n.fetches, count[READS]);
            assert_int_equal(n.merged, count[WAITS]);
            assert_int_equal(n.hits, count[HITS]);
        }
        ws_chiplet_l2_destroy(l2);
    }
}

/* Twelve polls at once, of which a read answers three: six are answered by two reads, for the second read is as young
 * as those that came to the queue before it; it leaves a copy for the others. If they come when it has begun, each
 * three have a read. */
static void reads_answer_so_many(void **state)
{
    (void)state;
    for (unsigned late = 0; late < 2; late++) {
        ws_chiplet_l2_options o = options_of(1, 64, (ws_directory_options){64, 8, 1});
        o.slice.merges = 3;
        o.slice.queue = late ? 1 : ROOMY;
        o.l3_cycles = 100;
        ws_chiplet_l2 *const l2 = make(&o);
        for (unsigned i = 0; i < 12; i++)
            ask_at(l2, 0, 0, 5, 1, WS_CHIPLET_POLL, i);
        const ws_chiplet_counts n = ws_chiplet_l2_counts(l2, WS_CHIPLET_BOUNDARY);
        assert_int_equal(n.fetches, late ? 4 : 2);
        assert_int_equal(n.loads, 12);
        assert_int_equal(n.loads, n.fetches + n.merged + n.hits);
        ws_chiplet_l2_destroy(l2);
    }
}

/* What is in the way of a request: the one before it, a full queue, reads that may not begin, messages that have not
 * left; over the link, messages that have not arrived, whose places are taken. */
static void queues_take_time(void **state)
{
    (void)state;
    enum { ASKED = 8 };
    static const struct {
        uint32_t reads, sends, places, period, chiplet;
        uint64_t last; /* when the eighth of so many lines is there, all asked for at once */
    } rows[] = {
        {ROOMY, ROOMY, ROOMY, 0, 0, 100},      {ROOMY, ROOMY, ROOMY, 5, 0, 7 * 5 + 100},
        {2, ROOMY, ROOMY, 0, 0, 4 * 100},      {ROOMY, ROOMY, ROOMY, 0, 1, 140},
        {ROOMY, ROOMY, 1, 0, 1, 7 * 21 + 140}, {ROOMY, ROOMY, 2, 0, 1, 3 * 21 + 140},
        {ROOMY, 1, 1, 0, 1, 7 * 21 + 140},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ws_chiplet_l2_options o = options_of(2, 64, (ws_directory_options){64, 8, 1});
        uint64_t last = 0;
        o.slice = (ws_slice_shape){
            .queue = ROOMY, .reads = rows[i].reads, .merges = ROOMY, .sends = rows[i].sends, .period = rows[i].period};
        o.link_places = rows[i].places;
        o.l3_cycles = 100;
        o.link_cycles = 20;
        ws_chiplet_l2 *const l2 = make(&o);
        for (unsigned line = 0; line < ASKED; line++)
            last = ask_at(l2, rows[i].chiplet, 0, line, 1, WS_CHIPLET_LOAD, 0);
        assert_int_equal(last, rows[i].last);
        /* Behind messages that cannot leave, what the L2 has waits, too. */
        const uint64_t hit = ask_at(l2, 0, 0, 99, 1, WS_CHIPLET_STORE, 0);
        assert_int_equal(hit, rows[i].chiplet ? 0 : rows[i].period * ASKED + (rows[i].reads == 2 ? 3 * 100 : 0));
        ws_chiplet_l2_destroy(l2);
    }
}

/* The same loss without any store: the directory has no room. */
static void directory_evicts(void **state)
{
    (void)state;
    const ws_chiplet_l2_options o = options_of(2, 4096, (ws_directory_options){1, 1, 4});
    ws_chiplet_l2 *const l2 = make(&o);
    for (uint64_t line = 0; line < 4; line++)
        if (line != 2)
            ask(l2, 1, line, WS_CHIPLET_LOAD);
    ask(l2, 1, 4, WS_CHIPLET_LOAD);
    const ws_chiplet_counts hmg = ws_chiplet_l2_counts(l2, WS_CHIPLET_HMG);
    assert_int_equal(hmg.invalidations, 0);
    assert_int_equal(hmg.evictions, 1);
    assert_int_equal(hmg.invalidated, 3);
    assert_int_equal(hmg.false_invalidated, 3);
    ws_chiplet_l2_destroy(l2);
}

/* The rows of the directory's table. */
static void directory_rows(void **state)
{
    (void)state;
    const ws_directory_options o = {8, 8, 4};
    ws_directory *d, *again;
    assert_int_equal(ws_directory_create(&o, &d), WS_OK);
    assert_int_equal(ws_directory_store(d, 0, 0, 0).invalidate, 0); /* I: the home itself */
    assert_int_equal(ws_directory_load(d, 0, 0, 0).invalidate, 0);
    assert_int_equal(ws_directory_load(d, 0, 1, 0).invalidate, 0); /* I: remote load, V: another */
    assert_int_equal(ws_directory_load(d, 3, 2, 0).invalidate, 0);
    assert_int_equal(ws_directory_store(d, 1, 1, 0).invalidate, 1 << 2); /* V: remote store */
    assert_int_equal(ws_directory_store(d, 2, 3, 0).invalidate, 1 << 1);
    ws_bytes bytes = {0};
    ws_directory_save(d, &bytes);
    ws_reader reader = ws_reader_of(&bytes);
    assert_int_equal(ws_directory_create(&o, &again), WS_OK);
    assert_int_equal(ws_directory_restore(again, &reader), WS_OK);
    assert_int_equal(ws_directory_store(again, 0, 0, 0).invalidate, 1 << 3); /* V: the home itself */
    assert_int_equal(ws_directory_store(again, 0, 0, 0).invalidate, 0);
    bytes.length = 3;
    reader = ws_reader_of(&bytes);
    assert_int_equal(ws_directory_restore(again, &reader), WS_EINPUT);
    ws_bytes_fini(&bytes);
    ws_directory_destroy(d);
    ws_directory_destroy(again);
    assert_int_equal(ws_directory_create(&(ws_directory_options){10, 4, 4}, &d), WS_EINPUT);
    assert_int_equal(ws_directory_create(&(ws_directory_options){8, 4, 65}, &d), WS_EINPUT);
}

/* ------------------------------------------------------------------------------------------------ against lists */

enum { LINES = 40, ROOM = 12, CHIPS = 3, FULL = 0xf };

/* An L2 that does it literally: lines in order of use, with their words; what is beyond ROOM is written back and gone.
 */
typedef struct literal {
    struct {
        uint64_t line;
        uint32_t known, dirty;
    } at[LINES + 1];
    size_t lines;
    uint64_t fetches, written, hits;
} literal;

static void to_front(literal *l, uint64_t line)
{
    size_t i = 0;
    while (i < l->lines && l->at[i].line != line)
        i++;
    if (i == l->lines)
        memset(&l->at[l->lines++], 0, sizeof *l->at);
    l->at[i].line = line;
    for (; i; i--) {
        const __typeof__(l->at[0]) swap = l->at[i];
        l->at[i] = l->at[i - 1];
        l->at[i - 1] = swap;
    }
    if (l->lines > ROOM)
        l->written += l->at[--l->lines].dirty != 0;
}

static void literal_access(literal *l, uint64_t line, uint32_t mask, ws_chiplet_access kind)
{
    to_front(l, line);
    if (kind == WS_CHIPLET_STORE) {
        l->at[0].known |= mask;
        l->at[0].dirty |= mask;
    } else if (mask & ~l->at[0].known) {
        l->fetches++;
        l->at[0].known = FULL;
    } else
        l->hits++;
}

/* Empty lines still have their place: they were used. */
static void literal_acquire(literal *l)
{
    for (size_t i = 0; i < l->lines; i++)
        l->at[i].known = l->at[i].dirty;
}

static void literal_release(literal *l)
{
    for (size_t i = 0; i < l->lines; i++) {
        l->written += l->at[i].dirty != 0;
        l->at[i].dirty = 0;
    }
}

/* Random loads, stores and boundaries; three policies on one stack, each as a list of its own. */
static void against_lists(void **state)
{
    (void)state;
    static const ws_chiplet_policy policy[] = {WS_CHIPLET_BOUNDARY, WS_CHIPLET_CPCOH, WS_CHIPLET_IDEAL};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    ws_chiplet_l2_options o = options_of(CHIPS, ROOM, (ws_directory_options){8, 2, 4});
    literal(*list)[CHIPS] = calloc(3, sizeof *list);
    o.words = 4;
    o.read_alloc = o.store_back = true;
    ws_chiplet_l2 *const l2 = make(&o);
    for (unsigned step = 0; step < 30000; step++) {
        const uint32_t i = (uint32_t)gsl_rng_uniform_int(rng, CHIPS), which = (uint32_t)gsl_rng_uniform_int(rng, 3);
        if (!gsl_rng_uniform_int(rng, 40)) {
            const bool releases = gsl_rng_uniform_int(rng, 2);
            if (releases)
                ws_chiplet_l2_release(l2, policy[which], 1u << i, false, NULL);
            else
                ws_chiplet_l2_acquire(l2, policy[which], 1u << i);
            (releases ? literal_release : literal_acquire)(&list[which][i]);
            continue;
        }
        const uint64_t line = gsl_rng_uniform_int(rng, LINES) * gsl_rng_uniform_int(rng, 2);
        const uint32_t mask = 1 + (uint32_t)gsl_rng_uniform_int(rng, FULL);
        const ws_chiplet_access kind = gsl_rng_uniform_int(rng, 3) ? WS_CHIPLET_LOAD : WS_CHIPLET_STORE;
        ask_at(l2, i, (uint32_t)(line % CHIPS), line, mask, kind, step);
        for (unsigned p = 0; p < 3; p++)
            literal_access(&list[p][i], line, mask, kind);
    }
    for (unsigned p = 0; p < 3; p++) {
        literal sum = {0};
        ws_chiplet_l2_release(l2, policy[p], (1 << CHIPS) - 1, true, NULL);
        for (uint32_t i = 0; i < CHIPS; i++) {
            literal_release(&list[p][i]);
            sum.fetches += list[p][i].fetches;
            sum.hits += list[p][i].hits;
            sum.written += list[p][i].written;
        }
        const ws_chiplet_counts n = ws_chiplet_l2_counts(l2, policy[p]);
        assert_int_equal(n.fetches, sum.fetches);
        assert_int_equal(n.hits, sum.hits);
        assert_int_equal(n.loads, n.fetches + n.hits);
        assert_int_equal(n.flushed + n.victims, sum.written);
    }
    const ws_chiplet_counts hmg = ws_chiplet_l2_counts(l2, WS_CHIPLET_HMG);
    assert_int_equal(hmg.loads, hmg.fetches + hmg.hits);
    assert_int_equal(hmg.through, hmg.stores);
    assert_true(hmg.invalidated > hmg.false_invalidated && hmg.false_invalidated > 0);
    ws_chiplet_l2_destroy(l2);
    free(list);
    gsl_rng_free(rng);
}

/* What is at home elsewhere is not kept: each load asks its home, each store goes there. */
static void remote_passes(void **state)
{
    (void)state;
    ws_chiplet_l2 *const l2 = l2_of(2, 64, 4);
    for (unsigned k = 0; k < 3; k++) {
        ask(l2, 1, 7, WS_CHIPLET_LOAD);
        ask(l2, 1, 7, WS_CHIPLET_STORE);
    }
    const ws_chiplet_counts n = ws_chiplet_l2_counts(l2, WS_CHIPLET_CPCOH),
                            hmg = ws_chiplet_l2_counts(l2, WS_CHIPLET_HMG);
    assert_int_equal(n.remote_fetches, 3);
    assert_int_equal(n.remote_through, 3);
    /* 3 loads: a header, a line of 64 bytes with one; 3 stores: the line, and to SMs the acknowledgment. */
    assert_int_equal(n.l1_flits, 3 * (1 + 3) + 3 * (3 + 1));
    assert_int_equal(n.home_flits, 3 * (1 + 3) + 3 * 3);
    assert_int_equal(n.remote_flits, n.home_flits);
    assert_int_equal(n.flushed + n.victims, 0);
    assert_int_equal(hmg.remote_fetches, 1);
    assert_int_equal(hmg.remote_through, 3);
    ws_chiplet_l2_destroy(l2);
}

/* ------------------------------------------------------------------------------------------------ every policy */

/* What a policy did with the kernels below. */
typedef struct did {
    ws_chiplet_counts n;
    uint64_t acquires, releases;
} did;

enum { LINE = 64 };

/* Chiplets use the data of a kernel as its file says, one after the other: what is read and written is read first. */
static void use_data(ws_chiplet_l2 *l2, const ws_chiplet_kernel *k, uint32_t chiplets)
{
    for (uint32_t i = 0; i < chiplets; i++)
        for (size_t a = 0; a < k->arguments; a++) {
            const ws_address_range r = ws_chiplet_argument_range(k, &k->argument[a], i);
            for (uint64_t line = r.first / LINE; r.first <= r.last && line <= r.last / LINE; line++) {
                ask_at(l2, i, (uint32_t)(line % chiplets), line, 0xffff, WS_CHIPLET_LOAD, 0);
                if (k->argument[a].writes)
                    ask_at(l2, i, (uint32_t)(line % chiplets), line, 0xffff, WS_CHIPLET_STORE, 0);
            }
        }
}

static void operate(ws_chiplet_l2 *l2, ws_chiplet_policy p, uint32_t acquires, uint32_t releases, did *out)
{
    out->acquires += (uint64_t)__builtin_popcount(acquires);
    out->releases += (uint64_t)__builtin_popcount(releases);
    ws_chiplet_l2_acquire(l2, p, acquires);
    ws_chiplet_l2_release(l2, p, releases, false, NULL);
}

static void run_policies(const char *text, uint32_t chiplets, did out[WS_CHIPLET_POLICIES])
{
    const uint32_t everyone = (1u << chiplets) - 1;
    ws_cct_options table = ws_cct_defaults(chiplets);
    ws_chiplet_l2_options o = options_of(chiplets, 4096, (ws_directory_options){64, 8, 4});
    ws_chiplet_kernels kernels = {0};
    ws_cct *cct;
    o.read_alloc = o.store_back = true;
    table.strict = true;
    ws_chiplet_l2 *const l2 = make(&o);
    assert_int_equal(ws_cct_create(&table, &cct), WS_OK);
    assert_int_equal(ws_argument_file_parse("text", text, strlen(text), chiplets, &kernels), WS_OK);
    for (size_t k = 0; k < kernels.kernels; k++) {
        ws_cct_operations named;
        assert_int_equal(ws_cct_launch(cct, &kernels.kernel[k], &named), WS_OK);
        ws_chiplet_l2_next(l2);
        for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++) {
            const ws_cct_operations does = ws_chiplet_policy_of((ws_chiplet_policy)p)->launch(&named, everyone);
            operate(l2, (ws_chiplet_policy)p, does.acquires, does.releases, &out[p]);
        }
        use_data(l2, &kernels.kernel[k], chiplets);
        for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++)
            operate(l2, (ws_chiplet_policy)p, 0,
                    ws_chiplet_policy_of((ws_chiplet_policy)p)->launch(&named, everyone).end_releases, &out[p]);
    }
    const uint32_t left = ws_cct_finish(cct);
    for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++) {
        operate(l2, (ws_chiplet_policy)p, 0, ws_chiplet_policy_of((ws_chiplet_policy)p)->finish(left, everyone),
                &out[p]);
        out[p].n = ws_chiplet_l2_counts(l2, (ws_chiplet_policy)p);
    }
    ws_chiplet_kernels_fini(&kernels);
    ws_cct_destroy(cct);
    ws_chiplet_l2_destroy(l2);
}

/* A row of chiplet_policies.def that does what another one does is none. Chiplets write their halves, read them, read
 * each other's, and once more. Every policy sees all loads and stores, serves each load once, and writes everything
 * home by the end; it asks the table, operates or has directories as its row says. */
static void policies_differ(void **state)
{
    (void)state;
    static const char halves[] = "range 0 0x10000 0x107ff\nrange 1 0x10800 0x10fff\n",
                      crossed[] = "range 0 0x10800 0x10fff\nrange 1 0x10000 0x107ff\n";
    static const struct {
        const char *mode, *ranges;
    } steps[] = {{"rw", halves}, {"r", halves}, {"r", crossed}, {"rw", halves}, {"r", crossed}};
    char text[1024] = "";
    did all[WS_CHIPLET_POLICIES] = {{.acquires = 0}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "kernel k\ndata 0x10000 0x1000 %s\n%s", steps[i].mode,
                 steps[i].ranges);
    run_policies(text, 2, all);
    for (unsigned p = 0; p < WS_CHIPLET_POLICIES; p++) {
        const ws_chiplet_policy_ops *const ops = ws_chiplet_policy_of((ws_chiplet_policy)p);
        const ws_chiplet_counts *const n = &all[p].n;
        assert_true(*ops->name && *ops->summary);
        assert_int_equal(n->loads, 5 * 64); /* a line each, 32 in a half */
        assert_int_equal(n->stores, 2 * 64);
        assert_int_equal(n->loads, n->hits + n->fetches + n->merged);
        assert_true(n->flushed + n->victims + n->through >= 64);
        assert_int_equal(n->through, ops->directories ? n->stores : 0);
        assert_int_equal(n->invalidations > 0, ops->directories);
        if (ops->operates)
            assert_true(all[p].acquires && all[p].releases);
        else
            assert_int_equal(all[p].acquires, 0);
        for (unsigned k = 0; k < p; k++)
            if (!memcmp(&all[p], &all[k], sizeof all[p]))
                fail_msg("chiplet_policies.def: %s does what %s does", ops->name,
                         ws_chiplet_policy_of((ws_chiplet_policy)k)->name);
    }
    /* By hand: nothing stays for the next of five kernels; all that was read once stays; of the copies of the other's
     * half all are old in the last kernel, and no others. */
    assert_int_equal(all[WS_CHIPLET_BOUNDARY].n.fetches, 5 * 64);
    assert_int_equal(all[WS_CHIPLET_BOUNDARY].acquires + all[WS_CHIPLET_BOUNDARY].releases, 5 * 4);
    assert_int_equal(all[WS_CHIPLET_IDEAL].n.fetches, 2 * 64);
    assert_int_equal(all[WS_CHIPLET_CPCOH].n.fetches, 3 * 64);
    assert_int_equal(all[WS_CHIPLET_CPCOH].acquires, 2);
    assert_int_equal(all[WS_CHIPLET_CPCOH].releases, 2 * 2);
    assert_int_equal(all[WS_CHIPLET_HMG].n.fetches, 3 * 64);
}

/* The same of those of the simulator, whose memory side asks for nothing else: rows that answer alike are one. */
static void simulated_policies_differ(void **state)
{
    (void)state;
    const ws_cct_operations named[] = {{0}, {.acquires = 1, .releases = 2, .end_releases = 4}};
    for (size_t i = 0; ws_package_coherence_at(i); i++)
        for (size_t k = 0; k < i; k++) {
            const ws_chiplet_policy_ops *const a = ws_package_coherence_at(i), *const b = ws_package_coherence_at(k);
            bool differ = a->by_table != b->by_table || a->directories != b->directories || a->gives_up != b->gives_up;
            for (size_t n = 0; n < sizeof named / sizeof *named; n++) {
                const ws_cct_operations x = a->launch(&named[n], 7), y = b->launch(&named[n], 7);
                differ =
                    differ || x.acquires != y.acquires || x.releases != y.releases || x.end_releases != y.end_releases;
            }
            if (!differ)
                fail_msg("chiplet_policies.def: %s does what %s does", a->name, b->name);
            assert_ptr_not_equal(ws_package_coherence_find(a->name), b); /* names differ */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reuse_between_kernels), cmocka_unit_test(region_of_four),
        cmocka_unit_test(directory_evicts),      cmocka_unit_test(directory_rows),
        cmocka_unit_test(against_lists),         cmocka_unit_test(remote_passes),
        cmocka_unit_test(policies_differ),       cmocka_unit_test(simulated_policies_differ),
        cmocka_unit_test(polls_share_reads),     cmocka_unit_test(reads_answer_so_many),
        cmocka_unit_test(queues_take_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
