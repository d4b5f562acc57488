/* test_cct.c - which L2s write back and give up copies before a kernel: worked examples, and random kernels over a
 * memory that knows versions. */
#include "base/status.h"
#include "model/chiplets/cct.h"
#include "tests/unit/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

/* ------------------------------------------------------------------------------------------------ by hand */

enum { PAGE = 0x1000, ARRAY = 0x10000, A = 0x10000, B = 0x20000, C = 0x30000, Z = 0x40000, ALL = UINT32_MAX };

typedef struct launch {
    ws_chiplet_kernels list;
    ws_chiplet_kernel *kernel;
} launch;

static launch kernel_on(uint32_t scheduled)
{
    launch l = {0};
    assert_int_equal(ws_chiplet_kernels_add(&l.list, "k", 0, scheduled, &l.kernel), WS_OK);
    return l;
}

static ws_address_range part(uint64_t first, uint64_t bytes)
{
    return (ws_address_range){first, first + bytes - 1};
}

/* An array of ARRAY bytes; each chiplet uses what range() says of it. */
static void with(launch *l, uint64_t base, bool writes, ws_address_range zero, ws_address_range one)
{
    const ws_chiplet_argument a = {.whole = part(base, ARRAY), .writes = writes, .ranged = true, .range = {zero, one}};
    assert_int_equal(ws_chiplet_kernel_add(l->kernel, &a), WS_OK);
}

static void halves(launch *l, uint64_t base, bool writes)
{
    with(l, base, writes, part(base, ARRAY / 2), part(base + ARRAY / 2, ARRAY / 2));
}

static void whole(launch *l, uint64_t base, bool writes)
{
    const ws_chiplet_argument a = {.whole = part(base, ARRAY), .writes = writes};
    assert_int_equal(ws_chiplet_kernel_add(l->kernel, &a), WS_OK);
}

static ws_cct *table_of(const ws_cct_options *options)
{
    ws_cct *c;
    assert_int_equal(ws_cct_create(options, &c), WS_OK);
    return c;
}

static ws_cct *table(void)
{
    const ws_cct_options o = ws_cct_defaults(2);
    return table_of(&o);
}

static ws_cct_operations run(ws_cct *c, launch *l)
{
    ws_cct_operations o;
    assert_int_equal(ws_cct_launch(c, l->kernel, &o), WS_OK);
    ws_chiplet_kernels_fini(&l->list);
    return o;
}

static void expect(const ws_cct_operations o, uint32_t acquires, uint32_t releases)
{
    assert_int_equal(o.acquires, acquires);
    assert_int_equal(o.releases, releases);
}

static const char *letters_of(ws_cct_state state)
{
    static const char *const letters[] = {
#define STATE(name, bits, letters, meaning) [bits] = (letters),
#include "model/chiplets/cct_states.def"
#undef STATE
    };
    return letters[state];
}

static void expect_state(const ws_cct *c, uint64_t base, const char *zero, const char *one)
{
    const ws_cct_row *row;
    const size_t rows = ws_cct_rows(c, &row);
    for (size_t i = 0; i < rows; i++)
        if (row[i].whole.first == base) {
            assert_string_equal(letters_of(row[i].state[0]), zero);
            assert_string_equal(letters_of(row[i].state[1]), one);
            return;
        }
    fail_msg("no row of %#llx", (unsigned long long)base);
}

/* Dalmia 2023, figure 5.6, with addresses: what B needs when its border moves. */
static void moving_border(void **state)
{
    (void)state;
    for (unsigned ranges = 0; ranges < 2; ranges++) {
        ws_cct_options o = ws_cct_defaults(2);
        o.ranges = ranges;
        ws_cct *const c = table_of(&o);
        launch k = kernel_on(3);
        halves(&k, A, false);
        halves(&k, B, true);
        expect(run(c, &k), 0, 0);
        expect_state(c, A, "V", "V");
        expect_state(c, B, "D", "D");
        k = kernel_on(3);
        halves(&k, A, false);
        with(&k, B, false, part(B, 0xC000), part(B + 0xC000, 0x4000));
        halves(&k, C, true);
        expect(run(c, &k), 0, ranges ? 2 : 3);
        expect_state(c, A, "V", "V");
        expect_state(c, B, ranges ? "D" : "V", "V");
        expect_state(c, C, "D", "D");
        ws_cct_destroy(c);
    }
}

/* One data structure, used by one chiplet at a time. */
static void stale_path(void **state)
{
    (void)state;
    static const struct {
        uint32_t chiplet, writes, acquires, releases;
        const char *zero, *one;
    } rows[] = {{0, 0, 0, 0, "V", "NP"}, {1, 1, 0, 0, "S", "D"}, {0, 0, 1, 2, "V", "V"},
                {0, 1, 0, 0, "D", "S"},  {1, 0, 2, 1, "V", "V"}, {1, 1, 0, 0, "S", "D"}};
    ws_cct *const c = table();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        launch k = kernel_on(1u << rows[i].chiplet);
        whole(&k, A, rows[i].writes);
        expect(run(c, &k), rows[i].acquires, rows[i].releases);
        expect_state(c, A, rows[i].zero, rows[i].one);
    }
    assert_int_equal(ws_cct_finish(c), 2);
    assert_int_equal(ws_cct_finish(c), 0);
    ws_cct_destroy(c);
}

/* Both chiplets write anywhere in the array. */
static void strict_knob(void **state)
{
    (void)state;
    for (unsigned strict = 0; strict < 2; strict++) {
        ws_cct_options o = ws_cct_defaults(2);
        o.strict = strict;
        ws_cct *const c = table_of(&o);
        launch k = kernel_on(3);
        whole(&k, A, true);
        expect(run(c, &k), 0, 0);
        k = kernel_on(3);
        whole(&k, A, false);
        expect(run(c, &k), strict ? 3 : 0, 3);
        expect_state(c, A, "V", "V");
        k = kernel_on(3);
        whole(&k, A, false);
        expect(run(c, &k), 0, 0);
        ws_cct_destroy(c);
    }
}

/* A release for one array cleans the other, too. */
static void whole_cache(void **state)
{
    (void)state;
    ws_cct *const c = table();
    launch k = kernel_on(2);
    whole(&k, Z, true);
    whole(&k, B, true);
    expect(run(c, &k), 0, 0);
    k = kernel_on(1);
    whole(&k, B, false);
    expect(run(c, &k), 0, 2);
    expect_state(c, B, "V", "V");
    expect_state(c, Z, "NP", "V");
    k = kernel_on(1);
    whole(&k, Z, false);
    expect(run(c, &k), 0, 0);
    ws_cct_destroy(c);
}

/* Kernels that go on where they were: nothing to do until the end. Three times as long, nothing more; without ranges
 * the software has to say so. */
static void babel_stream(void **state)
{
    (void)state;
    enum { COPY, MUL, ADD, TRIAD, DOT, STEPS };
    for (unsigned ranges = 0; ranges < 2; ranges++)
        for (unsigned rounds = 3; rounds <= 9; rounds += 6) {
            ws_cct_options o = ws_cct_defaults(2);
            o.ranges = ranges;
            ws_cct *const c = table_of(&o);
            launch k = kernel_on(3);
            for (unsigned i = 0; i < 3; i++)
                halves(&k, A + i * ARRAY, true);
            expect(run(c, &k), 0, 0);
            for (unsigned step = 0; step < rounds * STEPS; step++) {
                static const struct {
                    uint64_t reads[2], writes;
                } of[STEPS] = {{{A, 0}, C}, {{C, 0}, B}, {{A, B}, C}, {{B, C}, A}, {{A, B}, 0}};
                k = kernel_on(3);
                for (unsigned i = 0; i < 2; i++)
                    if (of[step % STEPS].reads[i])
                        halves(&k, of[step % STEPS].reads[i], false);
                if (of[step % STEPS].writes)
                    halves(&k, of[step % STEPS].writes, true);
                for (size_t i = 0; i < k.kernel->arguments; i++)
                    k.kernel->argument[i].identical = true;
                expect(run(c, &k), 0, 0);
            }
            assert_int_equal(ws_cct_finish(c), 3);
            ws_cct_destroy(c);
        }
}

/* One chiplet: kernels that use the same lines again. */
static void one_chiplet(void **state)
{
    (void)state;
    for (unsigned writes = 0; writes < 2; writes++) {
        const ws_cct_options o = ws_cct_defaults(1);
        ws_cct *const c = table_of(&o);
        for (unsigned i = 0; i < 2; i++) {
            launch k = kernel_on(1);
            whole(&k, A, writes && !i);
            expect(run(c, &k), 0, 0);
        }
        assert_int_equal(ws_cct_finish(c), writes);
        ws_cct_destroy(c);
    }
}

/* The size of the source's table. */
static void table_size(void **state)
{
    (void)state;
    assert_int_equal(WS_CCT_ROWS * WS_CCT_ROW_BYTES, 1600);
    const ws_cct_options o = ws_cct_defaults(4);
    assert_int_equal(o.rows, 64);
    assert_int_equal(o.arguments, 8);
    assert_int_equal((8 << 20) / 64, 131072);
    /* A state is two bits, so of four chiplets eight. */
#define STATE(name, bits, letters, meaning) assert_true((bits) < 1 << 2);
#include "model/chiplets/cct_states.def"
#undef STATE
    assert_int_equal(o.chiplets * 2, 8);
}

/* ------------------------------------------------------------------------------------------------ room */

/* Ten data structures of a kernel: the nearest become one, those without a gap first. */
static void ten_arguments(void **state)
{
    (void)state;
    ws_cct *const c = table();
    launch k = kernel_on(1);
    uint64_t at = A;
    for (unsigned i = 0; i < 10; i++) {
        const ws_chiplet_argument a = {.whole = part(at, 0x100), .writes = i == 4};
        assert_int_equal(ws_chiplet_kernel_add(k.kernel, &a), WS_OK);
        at += 0x100 + (i == 3 ? 0 : i == 6 ? 0x100 : 0x1000);
    }
    const ws_cct_operations o = run(c, &k);
    const ws_cct_row *row;
    assert_int_equal(ws_cct_rows(c, &row), 8);
    assert_int_equal(o.merged, 2);
    assert_int_equal(o.looked_up, 8);
    assert_int_equal(row[3].whole.last - row[3].whole.first + 1, 0x200);
    assert_int_equal(row[3].state[0], WS_CCT_DIRTY);
    assert_int_equal(row[5].whole.last - row[5].whole.first + 1, 0x300);
    assert_int_equal(row[5].state[0], WS_CCT_VALID);
    ws_cct_destroy(c);
}

/* Rows of which there is no room for all; a dirty and a stale one that become one are written back and stale. */
static void full_table(void **state)
{
    (void)state;
    ws_cct_options o = ws_cct_defaults(2);
    o.rows = 2;
    o.arguments = 1;
    ws_cct *const c = table_of(&o);
    launch k = kernel_on(1);
    whole(&k, A, false);
    expect(run(c, &k), 0, 0);
    k = kernel_on(2);
    whole(&k, A, true);
    expect(run(c, &k), 0, 0); /* A: S, D */
    k = kernel_on(1);
    whole(&k, B, true);
    expect(run(c, &k), 0, 0); /* B: D, NP */
    k = kernel_on(2);
    whole(&k, Z, false);
    const ws_cct_operations done = run(c, &k); /* A and B touch: chiplet 0 is dirty and stale */
    expect(done, 0, 1);
    assert_int_equal(done.merged, 1);
    expect_state(c, A, "S", "D");
    ws_cct_destroy(c);
}

static void bad_options(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        ws_cct_options o = ws_cct_defaults(2);
        ws_cct *c;
        (i < 2   ? &o.chiplets
         : i < 4 ? &o.rows
         : i < 6 ? &o.arguments
                 : &o.granule)[0] = (const uint32_t[]){0, 17, 1, 5000, 0, 64, 0, 96}[i];
        assert_int_equal(ws_cct_create(&o, &c), WS_EINPUT);
    }
}

/* Every block has one chiplet, chunks are in order and even. */
static void partition(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= WS_CHIPLETS_MOST; n++)
        for (uint64_t blocks = 1; blocks < 100; blocks++) {
            uint64_t count[WS_CHIPLETS_MOST] = {0};
            uint32_t before = 0, scheduled = 0;
            for (uint64_t b = 0; b < blocks; b++) {
                const uint32_t at = ws_chiplet_of_block(b, blocks, n);
                assert_in_range(at, before, n - 1);
                assert_in_range(b, ws_chiplet_first_block(at, blocks, n),
                                ws_chiplet_first_block(at + 1, blocks, n) - 1);
                before = at;
                scheduled |= 1u << at;
                count[at]++;
            }
            assert_int_equal(scheduled, ws_chiplet_schedule(blocks, n));
            for (uint32_t i = 0; i < n; i++)
                assert_in_range(count[i], blocks / n, blocks / n + 1);
        }
}

/* ------------------------------------------------------------------------------------------------ a memory that knows
 * versions */

enum { LINES = 64, WORDS = 4, WORD = 4, LINE = WORDS * WORD, CHIPS = 4, FULL = (1 << WORDS) - 1, ARRAYS = 10 };

/* Everything that a chiplet's L2 holds, without bounds. */
typedef struct copy {
    uint32_t known, dirty; /* words */
    uint32_t version[WORDS];
} copy;

typedef struct machine {
    bool read_alloc, store_back; /* copies of lines of other chiplets: of what is read, of what is stored */
    uint32_t chiplets, home[LINES];
    uint32_t memory[LINES][WORDS], latest[LINES][WORDS], versions;
    copy l2[CHIPS][LINES];
    unsigned loads, old;
} machine;

static void write_back(machine *m, uint32_t i, uint32_t line)
{
    copy *const c = &m->l2[i][line];
    for (uint32_t w = 0; w < WORDS; w++)
        if (c->dirty >> w & 1)
            m->memory[line][w] = c->version[w];
    c->dirty = 0;
}

static void acquire_l2(machine *m, uint32_t i)
{
    for (uint32_t l = 0; l < LINES; l++)
        m->l2[i][l].known = m->l2[i][l].dirty;
}

/* Whole lines stay, clean. */
static void release_l2(machine *m, uint32_t i, bool empties)
{
    for (uint32_t l = 0; l < LINES; l++) {
        write_back(m, i, l);
        if (empties || m->l2[i][l].known != FULL)
            m->l2[i][l].known = 0;
    }
}

static void load(machine *m, uint32_t i, uint32_t line, uint32_t w)
{
    copy *const c = &m->l2[i][line];
    uint32_t version = m->memory[line][w];
    if (c->known >> w & 1)
        version = c->version[w];
    else if (m->home[line] == i || m->read_alloc) {
        for (uint32_t k = 0; k < WORDS; k++)
            if (!(c->dirty >> k & 1))
                c->version[k] = m->memory[line][k];
        c->known = FULL;
    }
    m->loads++;
    m->old += version != m->latest[line][w];
}

static void store(machine *m, uint32_t i, uint32_t line, uint32_t w)
{
    copy *const c = &m->l2[i][line];
    const uint32_t version = m->latest[line][w] = ++m->versions;
    if (m->home[line] == i || m->store_back) {
        c->known |= 1u << w;
        c->dirty |= 1u << w;
        c->version[w] = version;
        return;
    }
    m->memory[line][w] = version;
    if (c->known >> w & 1)
        c->version[w] = version;
}

static void operate(machine *m, uint32_t acquires, uint32_t releases, bool empties)
{
    for (uint32_t i = 0; i < m->chiplets; i++)
        if (acquires >> i & 1)
            acquire_l2(m, i);
    for (uint32_t i = 0; i < m->chiplets; i++)
        if (releases >> i & 1)
            release_l2(m, i, empties);
}

/* An access of a kernel: of which words, and by whom, is drawn so that nobody reads or writes what another chiplet
 * writes. */
typedef struct access {
    uint32_t chiplet, line, word;
    bool writes;
} access;

typedef struct program {
    gsl_rng *rng;
    ws_address_range array[ARRAYS]; /* they may share lines */
    access access[2 * LINES * WORDS];
    size_t accesses;
} program;

static uint32_t draw(program *p, uint32_t below)
{
    return (uint32_t)gsl_rng_uniform_int(p->rng, below);
}

static void lay_out(program *p)
{
    uint32_t at = 0;
    for (unsigned i = 0; i < ARRAYS; i++) {
        const uint32_t words = 1 + draw(p, LINES * WORDS / ARRAYS - 3);
        p->array[i] = part(at * WORD, words * WORD);
        at += words + draw(p, 3);
    }
}

/* Each word that is used at all: read by some, or written by one that may read it, too. */
static void use_array(program *p, ws_chiplet_kernel *k, ws_address_range array, uint32_t chiplets)
{
    ws_chiplet_argument a = {.whole = array, .writes = draw(p, 2), .ranged = draw(p, 4)};
    const uint32_t style = draw(p, 3);
    for (uint32_t i = 0; i < chiplets; i++)
        a.range[i] = WS_NO_ADDRESSES;
    const uint64_t words = (array.last - array.first + 1) / WORD;
    for (uint64_t n = 0; n < words; n++) {
        const uint64_t address = array.first + n * WORD;
        const uint32_t own = style ? ws_chiplet_of_block(n, words, chiplets) : draw(p, chiplets);
        const bool written = a.writes && draw(p, 3) == 0;
        for (uint32_t i = 0; i < chiplets; i++) {
            const bool reads = (i == own || (!written && style != 1)) && draw(p, 2);
            if (!(k->scheduled >> i & 1) || (!reads && !(written && i == own)))
                continue;
            p->access[p->accesses++] =
                (access){i, (uint32_t)(address / LINE), (uint32_t)(address % LINE / WORD), written && i == own};
            a.range[i] = ws_range_hull(a.range[i], part(address, WORD));
        }
    }
    assert_int_equal(ws_chiplet_kernel_add(k, &a), WS_OK);
}

static void evict_something(program *p, machine *m)
{
    const uint32_t i = draw(p, m->chiplets), line = draw(p, LINES);
    write_back(m, i, line);
    m->l2[i][line].known = 0;
}

static void run_accesses(program *p, machine *m)
{
    for (size_t n = p->accesses; n-- > 0;) { /* in any order */
        const size_t pick = draw(p, (uint32_t)n + 1);
        const access a = p->access[pick];
        p->access[pick] = p->access[n];
        (a.writes ? store : load)(m, a.chiplet, a.line, a.word);
        if (!draw(p, 20))
            evict_something(p, m);
    }
}

/* Loads of old versions in random programs with such a table; *loads: of how many. */
static unsigned count_old(ws_cct_options o, bool read_alloc, bool store_back, unsigned long seed, unsigned *loads)
{
    program p = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    machine *const m = calloc(1, sizeof *m);
    gsl_rng_set(p.rng, seed);
    *m = (machine){.read_alloc = read_alloc, .store_back = store_back, .chiplets = o.chiplets};
    for (uint32_t l = 0; l < LINES; l++)
        m->home[l] = draw(&p, o.chiplets);
    lay_out(&p);
    ws_cct *const c = table_of(&o);
    for (unsigned n = 0; n < 60; n++) {
        launch k = kernel_on(1 + draw(&p, (1u << o.chiplets) - 1));
        ws_cct_operations done;
        p.accesses = 0;
        for (unsigned i = 0; i < ARRAYS; i++)
            if (!draw(&p, 3))
                use_array(&p, k.kernel, p.array[i], o.chiplets);
        k.kernel->known = draw(&p, 10);
        assert_int_equal(ws_cct_launch(c, k.kernel, &done), WS_OK);
        operate(m, done.acquires, done.releases, o.release_empties);
        run_accesses(&p, m);
        operate(m, 0, done.end_releases, o.release_empties);
        ws_chiplet_kernels_fini(&k.list);
    }
    operate(m, 0, ws_cct_finish(c), o.release_empties);
    for (uint32_t l = 0; l < LINES; l++) /* the host sees what was written last */
        for (uint32_t w = 0; w < WORDS; w++)
            m->old += m->memory[l][w] != m->latest[l][w];
    const unsigned old = m->old;
    *loads += m->loads;
    ws_cct_destroy(c);
    gsl_rng_free(p.rng);
    free(m);
    return old;
}

typedef struct setting {
    uint32_t granule, rows, arguments;
    bool ranges, strict, empties;
} setting;

static unsigned old_of(const setting *s, unsigned kinds)
{
    unsigned old = 0, loads = 0;
    for (unsigned long seed = 1; seed <= rounds_of(150); seed++) {
        ws_cct_options o = ws_cct_defaults(2 + (uint32_t)(seed % 3));
        o.granule = s->granule;
        o.rows = s->rows;
        o.arguments = s->arguments;
        o.ranges = s->ranges;
        o.strict = s->strict;
        o.release_empties = s->empties;
        for (unsigned kind = 0; kind < 4; kind++)
            if (kinds >> kind & 1)
                old += count_old(o, kind & 1, kind & 2, seed, &loads);
    }
    assert_true(loads > 60 * rounds_of(150));
    return old;
}

/* With `strict` no load gets what was overwritten before its kernel, wherever lines are kept, however small the table
 * is. */
static void no_old_values(void **state)
{
    (void)state;
    static const setting settings[] = {{LINE, 64, 8, true, true, false},  {LINE, 3, 2, true, true, false},
                                       {LINE, 64, 8, false, true, false}, {LINE, 64, 8, true, true, true},
                                       {64, 5, 1, true, true, false},     {LINE, 2, 1, false, true, true}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_int_equal(old_of(&settings[i], 0xf), 0);
}

/* What the published rules leave open is found: copies of chiplets that wrote together, and lines that ranges do not
 * know of. */
static void known_gaps(void **state)
{
    (void)state;
    assert_true(old_of(&(setting){LINE, 64, 8, true, false, false}, 0xf) > 0);
    assert_true(old_of(&(setting){WORD, 64, 8, true, true, false}, 0xf) > 0);
}

/* Each chiplet reads a page beyond its half of one array and writes its half of the other; then the arrays change
 * places. */
static unsigned run_halo(bool read_alloc, bool strict, unsigned *releases)
{
    enum { PAGES = 8, PAGE_LINES = 4, HALF = PAGES / 2 * PAGE_LINES, KERNELS = 6 };
    ws_cct_options o = ws_cct_defaults(2);
    o.strict = strict;
    o.granule = LINE;
    machine *const m = calloc(1, sizeof *m);
    *m = (machine){.read_alloc = read_alloc, .chiplets = 2};
    for (uint32_t l = 0; l < LINES; l++)
        m->home[l] = l % (2 * HALF) >= HALF; /* both arrays: halves */
    ws_cct *const c = table_of(&o);
    for (unsigned n = 0; n < KERNELS; n++) {
        const uint32_t from = n % 2 * 2 * HALF, to = 2 * HALF - from;
        launch k = kernel_on(3);
        ws_cct_operations done;
        const ws_chiplet_argument in = {.whole = part(from * LINE, 2 * HALF * LINE),
                                        .ranged = true,
                                        .range = {part(from * LINE, (HALF + PAGE_LINES) * LINE),
                                                  part((from + HALF - PAGE_LINES) * LINE, (HALF + PAGE_LINES) * LINE)}};
        const ws_chiplet_argument out = {
            .whole = part(to * LINE, 2 * HALF * LINE),
            .ranged = true,
            .writes = true,
            .range = {part(to * LINE, HALF * LINE), part((to + HALF) * LINE, HALF * LINE)}};
        assert_int_equal(ws_chiplet_kernel_add(k.kernel, &in), WS_OK);
        assert_int_equal(ws_chiplet_kernel_add(k.kernel, &out), WS_OK);
        assert_int_equal(ws_cct_launch(c, k.kernel, &done), WS_OK);
        releases[n] = (unsigned)__builtin_popcount(done.releases);
        operate(m, done.acquires, done.releases, false);
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t l = 0; l < HALF + PAGE_LINES; l++)
                for (uint32_t w = 0; w < WORDS; w++)
                    load(m, i, from + (i ? HALF - PAGE_LINES : 0) + l, w);
            for (uint32_t l = 0; l < HALF; l++)
                for (uint32_t w = 0; w < WORDS; w++)
                    store(m, i, to + i * HALF + l, w);
        }
        ws_chiplet_kernels_fini(&k.list);
    }
    const unsigned old = m->old;
    ws_cct_destroy(c);
    free(m);
    return old;
}

static void halo(void **state)
{
    (void)state;
    unsigned releases[6];
    assert_int_equal(run_halo(false, false, releases), 0); /* no copies of lines of the other chiplet: as published */
    assert_int_equal(releases[0], 0);
    for (unsigned n = 1; n < 6; n++)
        assert_int_equal(releases[n], 2);
    assert_true(run_halo(true, false, releases) > 0);
    assert_int_equal(run_halo(true, true, releases), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_border), cmocka_unit_test(stale_path),    cmocka_unit_test(strict_knob),
        cmocka_unit_test(whole_cache),   cmocka_unit_test(babel_stream),  cmocka_unit_test(one_chiplet),
        cmocka_unit_test(table_size),    cmocka_unit_test(ten_arguments), cmocka_unit_test(full_table),
        cmocka_unit_test(bad_options),   cmocka_unit_test(partition),     cmocka_unit_test(no_old_values),
        cmocka_unit_test(known_gaps),    cmocka_unit_test(halo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
