/* chips.c - on a machine of several chiplets, what does a launch find in L2 that others left, and what lies elsewhere?
 *
 * The measures of P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 5, which has
 * no formulas for most of them. The grid is cut into as many runs of thread blocks as there are chiplets (chips.def);
 * what they touch, in which lines and pages, is in touched_pages.h. Requests are lines of 64 bytes that accesses of
 * warps to global memory touch, as if there were no L1; an atomic reads and writes. Chiplets do their thread blocks in
 * step: the first to use a page is the one whose block has the lowest number in its run, of two the lower chiplet.
 *
 * What L2s have from launches before is asked of one L2 for all, and of one for each chiplet, to which its own blocks'
 * requests come. There it is asked twice: as if the L2 kept all that its chiplet asks for (what the study's public code
 * does), and only lines of pages at home there (what its text says: what a chiplet reads of others is not kept, what it
 * writes there goes through). Nobody takes copies away: without invalidation is what is asked.
 *
 * Homes, and what an L2 has, stay from launch to launch. With --sample only launches that are measured take part. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesce.h"
#include "metrics/data_ranges.h"
#include "metrics/touched_pages.h"

#include <stdlib.h>

typedef enum home_rule { FIRST_TOUCH, HASHED } home_rule;

typedef struct chips {
    unsigned chiplets;
    home_rule home;
} chips;

static const chips machine[] = {
#define CHIPS(name, chiplets_, home_) {.chiplets = chiplets_, .home = home_},
#include "metrics/chips.def"
#undef CHIPS
};
enum {
#define CHIPS(name, chiplets, home) ON_##name,
#include "metrics/chips.def"
#undef CHIPS
    MACHINES
};
#define CHIPS(name, chiplets, home) \
    _Static_assert((chiplets) <= WS_GRID_PARTS && ((chiplets) & ((chiplets)-1)) == 0, \
                   #name " chiplets are made of parts");
#include "metrics/chips.def"
#undef CHIPS

enum { REGION_LINES = 4 }; /* of HMG's directory: an entry for so many lines (section 5.4) */
#define HIGH_REUSE 0.15    /* the study's class of moderate to high reuse: above 15 % of requests */

#define GROUP      "chips"
#define COUNTERS(ONE, MANY) \
    ONE(requests, SUM) \
    ONE(followed, SUM) \
    MANY(missed, SUM, WS_L2_SIZES) \
    MANY(found, SUM, WS_L2_SIZES) \
    ONE(launch_lines, MAX) \
    ONE(new_lines, SUM) \
    ONE(pages_again, SUM) \
    ONE(pages_same, SUM) \
    ONE(launches, SUM) \
    ONE(structures, SUM) \
    ONE(structures_most, MAX) \
    ONE(written, SUM) \
    ONE(apart, SUM) \
    MANY(own_found, SUM, MACHINES) \
    MANY(own_missed, SUM, MACHINES) \
    MANY(home_found, SUM, MACHINES) \
    MANY(chiplet_found, SUM, WS_GRID_PARTS) \
    MANY(chiplet_requests, SUM, WS_GRID_PARTS) \
    MANY(remote, SUM, MACHINES) \
    MANY(remote_lines, SUM, MACHINES) \
    MANY(chiplets, SUM, MACHINES) \
    MANY(dirty, SUM, MACHINES) \
    MANY(dirty_most, MAX, MACHINES) \
    MANY(shared, SUM, MACHINES) \
    MANY(lost, SUM, MACHINES) \
    MANY(lost_lines, SUM, MACHINES)
#define L2       "an L2 of 8, 16, 32 MB"
#define ORDER    "exact for thread blocks one after the other; NA from a launch on that touches more than 512 MB."
#define ON_CHIPS "on two chiplets, on four, on four with hashed homes"
#define COLUMNS(ONE, MANY) \
    MANY(reuse, WS_L2_SIZES, "ratio", \
         "Share of the requests that find in " L2 \
         " what launches before left, and would not if launches began with an " \
         "empty one: the miss rate with less the one without invalidation; " ORDER) \
    MANY(reuse_misses, WS_L2_SIZES, "ratio", \
         "The same as a share of the misses of launches that begin with an empty one; " ORDER) \
    MANY(own_reuse, MACHINES, "ratio", \
         "The same of an L2 of 8 MB on each chiplet, which keeps what its own blocks ask for, as a share of all " \
         "requests, " ON_CHIPS "; " ORDER) \
    MANY(own_reuse_misses, MACHINES, "ratio", \
         "The same as a share of the misses of launches that begin with empty ones, " ON_CHIPS "; " ORDER) \
    MANY(home_reuse, MACHINES, "ratio", \
         "As own_reuse, but an L2 keeps only lines of pages at home on its chiplet, " ON_CHIPS "; " ORDER) \
    MANY(high_reuse, MACHINES, "", \
         "1 where home_reuse is above 15 %, the class of moderate to high reuse; else 0, low, " ON_CHIPS "; " ORDER) \
    MANY(chiplet_reuse, WS_GRID_PARTS, "ratio", \
         "As home_reuse: of the requests of each of the four chiplets of the machine with first touch; " ORDER) \
    MANY(fill, WS_L2_SIZES, "ratio", \
         "Bytes of the 64-byte lines that launches touch, each counted once, over those of " L2 "; exact.") \
    ONE(launch_bytes, "bytes", "Bytes of the 64-byte lines that a launch touches (largest launch); exact.") \
    ONE(structures, "structures", \
        "Data structures that a launch uses, mean over launches that use global memory; a guess from ranges of " \
        "instructions.") \
    ONE(structures_max, "structures", "Most data structures that a launch uses; a guess from ranges of instructions.") \
    ONE(structures_written, "ratio", "Share of these that the launch writes; a guess from ranges of instructions.") \
    ONE(structures_apart, "ratio", \
        "Share of these in which the quarters of the grid use ranges from lowest to highest line that do not " \
        "overlap; a guess " \
        "from ranges of instructions.") \
    ONE(same_parts, "ratio", \
        "Share of the pages of 4 KB of a launch that launches before touched, too, whose last one did so from the " \
        "same quarters " \
        "of its grid; exact.") \
    MANY(remote, MACHINES, "ratio", \
         "Share of the requests to pages that are at home on another chiplet, " ON_CHIPS "; exact.") \
    MANY(remote_touches, MACHINES, "instr", \
         "Requests of a chiplet in a launch to a line that is at home elsewhere, mean, " ON_CHIPS "; exact.") \
    MANY(dirty, MACHINES, "lines", \
         "Lines that a chiplet has written at home when a launch ends, at most those of its L2, mean over chiplets " \
         "and launches, " ON_CHIPS "; exact.") \
    MANY(dirty_max, MACHINES, "lines", "Most such lines of a chiplet, " ON_CHIPS "; exact.") \
    MANY(lost, MACHINES, "ratio", \
         "Share of the groups of four lines that a chiplet touches away from their home in a launch in which another " \
         "one writes a " \
         "line that it did not touch, " ON_CHIPS "; exact.") \
    MANY(lost_lines, MACHINES, "lines", \
         "Lines of such a group that the chiplet touched and nobody else wrote, mean: invalidated without " \
         "need, " ON_CHIPS "; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* What is known of a page from launches before. */
typedef struct known_page {
    uint64_t touched;       /* lines */
    uint8_t home[MACHINES]; /* chiplet */
    uint8_t parts;          /* of the grid, that the last launch touched it from: bits */
    bool known;
} known_page;

typedef struct memory {
    ws_lru l2;
    ws_lru own[MACHINES][WS_GRID_PARTS], at_home[MACHINES][WS_GRID_PARTS]; /* of chiplets */
    ws_table page;                                                         /* number -> known_page */
    bool begun;
    bool lost; /* a launch had too many lines: what the L2 has is not known from then on */
} memory;

typedef struct state {
    ws_touched_pages pages;
    ws_data_ranges ranges;
    memory *memory; /* of the program; NULL: nobody keeps one */
    unsigned part;  /* of the thread block that runs, and its number there */
    uint64_t place;
} state;

static void begin(memory *m)
{
    if (m->begun)
        return;
    m->begun = true;
    m->page = WS_TABLE(known_page);
    ws_lru_init(&m->l2, WS_L2_MOST_LINES);
    for (unsigned i = 0; i < MACHINES; i++)
        for (unsigned chiplet = 0; chiplet < WS_GRID_PARTS; chiplet++) {
            ws_lru_init(&m->own[i][chiplet], WS_L2_LINES);
            ws_lru_init(&m->at_home[i][chiplet], WS_L2_LINES);
        }
}

static void forget(void *p)
{
    memory *const m = p;
    ws_table_fini(&m->page);
    ws_lru_fini(&m->l2);
    for (unsigned i = 0; i < MACHINES; i++)
        for (unsigned chiplet = 0; chiplet < WS_GRID_PARTS; chiplet++) {
            ws_lru_fini(&m->own[i][chiplet]);
            ws_lru_fini(&m->at_home[i][chiplet]);
        }
}

static void attach(void *p, void *context)
{
    ((state *)p)->memory = context;
}

static int init(void *p, const ws_launch *launch)
{
    ws_touched_pages_init(&((state *)p)->pages);
    return ws_data_ranges_init(&((state *)p)->ranges, launch);
}

/* The thread block with which a part of the grid begins; all parts are as long, but for one block. */
static uint64_t begin_of(const ws_launch *launch, unsigned part)
{
    return launch->blocks * part / WS_GRID_PARTS;
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    s->part = (unsigned)((WS_GRID_PARTS * (block + 1) - 1) / launch->blocks);
    s->place = block - begin_of(launch, s->part);
    return WS_OK;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        uint64_t line[WS_COALESCE_MAX];
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL)
            continue;
        const unsigned n =
            ws_coalesce_blocks(WS_ADDRESSES(batch, ev), ev->exec, ws_event_bytes(launch, ev), WS_PAGE_LINE_SHIFT, line);
        ws_data_ranges_use(&s->ranges, ev->pc, s->part, line, n);
        for (unsigned k = 0; k < n && !status; k++)
            status = ws_touched_pages_use(&s->pages, line[k], s->part, s->place,
                                          launch->instr[ev->pc].access != WS_ACCESS_LOAD);
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    ws_data_ranges_join(&((state *)into)->ranges, &((const state *)from)->ranges, launch);
    return ws_touched_pages_append(&((state *)into)->pages, &((const state *)from)->pages);
}

static void fini(void *p)
{
    ws_touched_pages_fini(&((state *)p)->pages);
    ws_data_ranges_fini(&((state *)p)->ranges);
}

/* ---------------------------------------------------------------------------------------------------------- homes */

/* Parts that a chiplet has. */
static unsigned parts_of(const chips *m)
{
    return WS_GRID_PARTS / m->chiplets;
}

static unsigned first_toucher(const chips *m, const ws_launch *launch, const ws_page *page)
{
    uint64_t least = UINT64_MAX;
    unsigned home = 0;
    for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
        const unsigned chiplet = part / parts_of(m);
        const uint64_t place = begin_of(launch, part) - begin_of(launch, chiplet * parts_of(m)) + page->first[part];
        if (page->first[part] && place < least) {
            least = place;
            home = chiplet;
        }
    }
    return home;
}

static unsigned hashed_home(const chips *m, uint64_t number)
{
    unsigned home = 0;
    for (; number; number /= m->chiplets)
        home ^= (unsigned)(number % m->chiplets);
    return home;
}

static unsigned home_of(const chips *m, const ws_launch *launch, uint64_t number, const ws_page *page)
{
    return m->home == HASHED ? hashed_home(m, number) : first_toucher(m, launch, page);
}

/* ------------------------------------------------------------------------------------------- a page on a machine */

/* A page as chiplets see it. */
typedef struct view {
    uint64_t touched[WS_GRID_PARTS], written[WS_GRID_PARTS], requests[WS_GRID_PARTS];
} view;

static view view_of(const chips *m, const ws_page *page)
{
    view v = {0};
    for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
        const unsigned chiplet = part / parts_of(m);
        v.touched[chiplet] |= page->touched[part];
        v.written[chiplet] |= page->written[part];
        v.requests[chiplet] += page->requests[part];
    }
    return v;
}

static unsigned bits(uint64_t mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

/* Groups of lines that a chiplet has from elsewhere, and loses by what others write besides. */
static void count_lost(uint64_t held, uint64_t written, unsigned i, counters *c)
{
    for (; held; held >>= REGION_LINES, written >>= REGION_LINES) {
        const uint64_t group = (1u << REGION_LINES) - 1, lines = held & group, others = written & group;
        if (!lines)
            continue;
        c->shared[i]++;
        if (others & ~lines) {
            c->lost[i]++;
            c->lost_lines[i] += bits(lines & ~others);
        }
    }
}

static void count_page(const chips *m, const ws_page *page, unsigned home, unsigned i, uint64_t dirty[WS_GRID_PARTS],
                       counters *c)
{
    const view v = view_of(m, page);
    dirty[home] += bits(v.written[home]);
    for (unsigned chiplet = 0; chiplet < m->chiplets; chiplet++) {
        uint64_t others = 0;
        if (chiplet == home)
            continue;
        for (unsigned k = 0; k < m->chiplets; k++)
            others |= k == chiplet ? 0 : v.written[k];
        c->remote[i] += (double)v.requests[chiplet];
        c->remote_lines[i] += bits(v.touched[chiplet]);
        count_lost(v.touched[chiplet], others, i, c);
    }
}

static void count_dirty(const chips *m, const uint64_t dirty[WS_GRID_PARTS], unsigned i, counters *c)
{
    for (unsigned chiplet = 0; chiplet < m->chiplets; chiplet++) {
        const double lines = (double)(dirty[chiplet] < WS_L2_LINES ? dirty[chiplet] : WS_L2_LINES);
        c->dirty[i] += lines;
        c->dirty_most[i] = fmax(c->dirty_most[i], lines);
    }
    c->chiplets[i] += m->chiplets;
}

/* ------------------------------------------------------------------------------------------------- launch by launch */

static void meet(known_page *known, const ws_launch *launch, uint64_t number, const ws_page *page, counters *c)
{
    uint64_t touched = 0;
    uint8_t parts = 0;
    for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
        touched |= page->touched[part];
        parts |= (uint8_t)((page->touched[part] != 0) << part);
    }
    for (unsigned i = 0; i < MACHINES && !known->known; i++)
        known->home[i] = (uint8_t)home_of(&machine[i], launch, number, page);
    c->pages_again += known->known;
    c->pages_same += known->known && known->parts == parts;
    c->new_lines += bits(touched & ~known->touched);
    c->launch_lines += bits(touched);
    known->touched |= touched;
    known->parts = parts;
    known->known = true;
}

static int count_pages(memory *m, const ws_touched_pages *pages, const ws_launch *launch, counters *c)
{
    uint64_t dirty[MACHINES][WS_GRID_PARTS] = {{0}}, number;
    for (size_t slot = 0; ws_table_next(&pages->page, &slot, &number); slot++) {
        const ws_page *const page = ws_table_value(&pages->page, slot);
        known_page *const known = ws_table_put(&m->page, number);
        if (!known)
            return WS_EMEM;
        meet(known, launch, number, page, c);
        for (unsigned i = 0; i < MACHINES; i++)
            count_page(&machine[i], page, known->home[i], i, dirty[i], c);
        for (unsigned part = 0; part < WS_GRID_PARTS; part++)
            c->chiplet_requests[part] += (double)page->requests[part];
    }
    for (unsigned i = 0; i < MACHINES; i++)
        count_dirty(&machine[i], dirty[i], i, c);
    return WS_OK;
}

_Static_assert(WS_GRID_PARTS == 4, "chiplet_reuse has a chiplet of four for each part");

/* Is a page at home there? Pages of the launch are known when that is asked. */
typedef struct asked_home {
    const memory *memory;
    unsigned machine, chiplet;
} asked_home;

static bool is_at_home(void *context, uint64_t page)
{
    const asked_home *const a = context;
    const known_page *const known = ws_table_find(&a->memory->page, page);
    return known && known->home[a->machine] == a->chiplet;
}

static int count_chiplet(memory *m, const ws_touched_pages *pages, unsigned i, unsigned chiplet, counters *c)
{
    asked_home asked = {m, i, chiplet};
    const unsigned parts = parts_of(&machine[i]);
    ws_l2_view ask = {.from = chiplet * parts, .parts = parts, .context = &asked};
    ws_l2_uses own, at_home;
    int status = ws_touched_pages_follow(pages, &ask, &m->own[i][chiplet], &own);
    ask.keeps = is_at_home;
    if (!status)
        status = ws_touched_pages_follow(pages, &ask, &m->at_home[i][chiplet], &at_home);
    if (status)
        return status;
    c->own_found[i] += (double)own.found[0];
    c->own_missed[i] += (double)(own.firsts + own.missed[0]);
    c->home_found[i] += (double)at_home.found[0];
    if (i == ON_four) /* a chiplet for each part */
        c->chiplet_found[chiplet] = (double)at_home.found[0];
    return WS_OK;
}

/* A launch had too much: what L2s have is not known any more. */
static void lose_reuse(counters *c)
{
    c->followed = NAN;
    for (unsigned i = 0; i < WS_L2_SIZES; i++)
        c->missed[i] = c->found[i] = NAN;
    for (unsigned i = 0; i < MACHINES; i++)
        c->own_found[i] = c->own_missed[i] = c->home_found[i] = NAN;
    for (unsigned i = 0; i < WS_GRID_PARTS; i++)
        c->chiplet_found[i] = NAN;
}

/* After count_pages: homes are known. */
static int count_reuse(memory *m, const ws_touched_pages *pages, counters *c)
{
    ws_l2_uses uses;
    m->lost |= pages->overflowed;
    if (m->lost) {
        lose_reuse(c);
        return WS_OK;
    }
    int status = ws_touched_pages_follow(pages, &(ws_l2_view){.parts = WS_GRID_PARTS}, &m->l2, &uses);
    for (unsigned i = 0; i < MACHINES && !status; i++)
        for (unsigned chiplet = 0; chiplet < machine[i].chiplets && !status; chiplet++)
            status = count_chiplet(m, pages, i, chiplet, c);
    if (status)
        return status;
    c->followed = c->requests;
    for (unsigned i = 0; i < WS_L2_SIZES; i++) {
        c->missed[i] = (double)(uses.firsts + uses.missed[i]);
        c->found[i] = (double)uses.found[i];
    }
    return WS_OK;
}

static int count_structures(const ws_data_ranges *ranges, const ws_launch *launch, counters *c)
{
    ws_data_structures n;
    const int status = ws_data_ranges_count(ranges, launch, &n);
    if (status)
        return status;
    c->launches = n.all > 0;
    c->structures = c->structures_most = (double)n.all;
    c->written = (double)n.written;
    c->apart = (double)n.apart;
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    memory own = {0}, *const m = s->memory ? s->memory : &own;
    *c = (counters){.requests = (double)s->pages.requests};
    begin(m);
    int status = count_pages(m, &s->pages, launch, c);
    if (!status)
        status = count_reuse(m, &s->pages, c);
    if (!status)
        status = count_structures(&s->ranges, launch, c);
    if (m == &own)
        forget(m);
    return status;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    *v = (columns){
        .launch_bytes = c->launch_lines * (1 << WS_PAGE_LINE_SHIFT),
        .structures = ws_ratio(c->structures, c->launches, NAN),
        .structures_max = c->launches > 0 ? c->structures_most : NAN,
        .structures_written = ws_ratio(c->written, c->structures, NAN),
        .structures_apart = ws_ratio(c->apart, c->structures, NAN),
        .same_parts = ws_ratio(c->pages_same, c->pages_again, NAN),
    };
    for (unsigned i = 0; i < WS_L2_SIZES; i++) {
        v->reuse[i] = ws_ratio(c->found[i], c->followed, NAN);
        v->reuse_misses[i] = ws_ratio(c->found[i], c->missed[i], NAN);
        v->fill[i] = c->new_lines / ((double)WS_L2_LINES * (1u << i));
    }
    for (unsigned i = 0; i < WS_GRID_PARTS; i++)
        v->chiplet_reuse[i] = ws_ratio(c->chiplet_found[i], c->chiplet_requests[i], NAN);
    for (unsigned i = 0; i < MACHINES; i++) {
        v->own_reuse[i] = ws_ratio(c->own_found[i], c->followed, NAN);
        v->own_reuse_misses[i] = ws_ratio(c->own_found[i], c->own_missed[i], NAN);
        v->home_reuse[i] = ws_ratio(c->home_found[i], c->followed, NAN);
        v->high_reuse[i] = isnan(v->home_reuse[i]) ? NAN : v->home_reuse[i] > HIGH_REUSE;
        v->remote[i] = ws_ratio(c->remote[i], c->requests, NAN);
        v->remote_touches[i] = ws_ratio(c->remote[i], c->remote_lines[i], NAN);
        v->dirty[i] = ws_ratio(c->dirty[i], c->chiplets[i], NAN);
        v->dirty_max[i] = c->dirty_most[i];
        v->lost[i] = ws_ratio(c->lost[i], c->shared[i], NAN);
        v->lost_lines[i] = ws_ratio(c->lost_lines[i], c->lost[i], NAN);
    }
}

const ws_metric ws_metric_chips = {
    .sink = {.name = GROUP,
             .wants = WS_WANT_MEMORY,
             .state_size = sizeof(state),
             .attach = attach,
             .init = init,
             .block_begin = block_begin,
             .events = events,
             .merge = merge,
             .fini = fini},
    .set = "synchronization",
    .question =
        "On a machine of several chiplets, what does a launch find in L2 that others left, and what lies elsewhere?",
    .counters = counter_table,
    .columns = column_table,
    .memory_size = sizeof(memory),
    .forget = forget,
    .finish = finish,
    .emit = emit,
};
