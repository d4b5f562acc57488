/* shared_memory_hybrid.c - magnetic memory with a section of SRAM beside it: a cache that writes go into, or a memory
 * of its own.
 *
 * As a cache: a write goes into the section, nothing is fetched for it. Of a set the line goes that was written longest
 * ago; its words that were written go back to the magnetic banks, with `width` only where bits changed since those had
 * them. Reads of words that the section does not have go past it. What a block leaves is dropped: nobody reads it (what
 * else of that kind goes back is counted: `unread`). As a memory (`ram`) the section has the first words of each block,
 * an even share for each block that fits. With `gate` it is off in launches of whose instructions that access shared
 * memory fewer write: what a compiler knows of a kernel. With `final` what is given up counts as written to cells when
 * it is read from there, and never where that does not come: the most that marks of final updates can save. Lines take
 * the same time, and cells are taken to hold what they would hold without.
 *
 * Lines that one instruction gives up go back together: their banks are busy for as many passes as the most wanted of
 * them has words. Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies,
 * 2013, chapter 6. */
#include "model/sim/sm/shared_memory_internal.h"

#include "base/bits.h"
#include "model/coalesce_model.h"

#include <string.h>

enum {
    WORD = 4,
    LINE_WORDS = WS_SHARED_LINE / WORD,
    LINE = WS_SHARED_LINE,
    MOST_BANKS = 64,
    MOST_WORDS = 8 /* of a lane */,
    PERCENT = 100
};

/* A line: bit 4 w + b of `owned` is byte b of word w, which was written; with width also what magnetic cells hold of
 * it, and what it holds. */
typedef struct line {
    uint64_t tag, written; /* tag + 1, 0: none; `written`: when last, by the count of writes */
    uint8_t owned[LINE_WORDS];
    uint8_t cell[LINE], now[LINE];
} line;

typedef struct section {
    uint64_t writes;
    line line[];
} section;

enum { MOST_SLOTS = 32 };

/* What one instruction does besides. */
typedef struct outcome {
    bool from_section, from_cells, into_section, into_cells;
    bool back, change;          /* lines go back; in which a bit changes, or nobody looks */
    uint8_t wanted[MOST_BANKS]; /* words that go back to each bank */
} outcome;

static bool is_on(const ws_shared_setup *s)
{
    const uint64_t gate = s->values[WS_SHARED_hybrid_gate];
    return s->values[WS_SHARED_hybrid_size] &&
           (!gate || (s->text_accesses && (uint64_t)s->text_writes * PERCENT >= gate * s->text_accesses));
}

static uint64_t lines_of(const ws_shared_setup *s)
{
    return s->values[WS_SHARED_hybrid_ram] ? 0 : s->values[WS_SHARED_hybrid_size] / LINE;
}

/* Of the magnetic memory: each block's begin with one of their own. */
static size_t all_lines(const ws_shared_setup *s)
{
    return s->values[WS_SHARED_hybrid_ram] ? 0 : s->bytes / LINE + MOST_SLOTS;
}

/* Of a line that was given up, behind those of the section. */
typedef struct given_up {
    uint32_t unread;           /* words that nobody has read since */
    uint8_t parts[LINE_WORDS]; /* with `final`: what writing them to cells takes */
} given_up;

static size_t state_size(const ws_shared_setup *s)
{
    return sizeof(section) + (size_t)lines_of(s) * sizeof(line) + all_lines(s) * sizeof(given_up);
}

static given_up *given_up_of(section *c, const ws_shared_setup *s, uint64_t tag)
{
    return (given_up *)(c->line + lines_of(s)) + (tag - 1) % all_lines(s);
}

/* ------------------------------------------------------------------------------------------------ lines */

static uint64_t tag_of(const ws_shared_setup *s, unsigned slot, uint64_t address)
{
    const uint64_t lines = ((uint64_t)s->block_bytes + LINE - 1) / LINE;
    return slot * (lines ? lines : 1) + address / LINE + 1;
}

static line *set_of(section *c, const ws_shared_setup *s, uint64_t tag)
{
    const uint64_t sets = lines_of(s) / s->values[WS_SHARED_hybrid_ways];
    return &c->line[(tag - 1) % sets * s->values[WS_SHARED_hybrid_ways]];
}

static line *find_line(section *c, const ws_shared_setup *s, uint64_t tag)
{
    line *const set = set_of(c, s, tag);
    for (uint64_t way = 0; way < s->values[WS_SHARED_hybrid_ways]; way++)
        if (set[way].tag == tag)
            return &set[way];
    return NULL;
}

/* Of one word of `all`. */
static uint8_t parts_of_word(const ws_cells *c, const ws_value *all, unsigned word)
{
    ws_value v = *all;
    v.exec = UINT32_C(1) << word;
    return (uint8_t)(ws_cells_written(c, &v) * WS_CELLS_PARTS / WS_CELLS_WORD);
}

/* Words that were written go back. */
static void write_back(section *cache, line *l, const ws_shared_setup *s, const ws_shared_access *a, outcome *o)
{
    given_up *const to = given_up_of(cache, s, l->tag);
    const bool final = s->values[WS_SHARED_hybrid_final];
    ws_cells c;
    uint64_t before[WS_WARP] = {0}, after[WS_WARP] = {0};
    ws_value v = {.bytes = WORD, .before = before, .after = after};
    c = ws_shared_hybrid_cells(s->values);
    for (unsigned w = 0; w < LINE_WORDS; w++) {
        if (!l->owned[w])
            continue;
        v.exec |= 1u << w;
        memcpy(&before[w], l->cell + w * WORD, WORD);
        memcpy(&after[w], l->now + w * WORD, WORD);
        o->wanted[((l->tag - 1) * LINE_WORDS + w) % s->banks]++;
    }
    if (!v.exec)
        return;
    o->back = true;
    o->change |= !ws_cells_look(&c) || ws_cells_change(&v);
    a->did->shared_cell_writes[0] += final ? 0 : ws_popcount(v.exec);
    a->did->shared_cell_parts[0] += final ? 0 : ws_cells_written(&c, &v) * WS_CELLS_PARTS / WS_CELLS_WORD;
    a->did->shared_writebacks[0]++;
    a->did->shared_unread[0] += ws_popcount(to->unread & v.exec);
    to->unread |= v.exec;
    for (unsigned w = 0; final && w < LINE_WORDS; w++)
        if (v.exec >> w & 1)
            to->parts[w] = parts_of_word(&c, &v, w);
}

/* A word that the section does not have is read from cells. */
static void read_given_up(given_up *from, const ws_shared_setup *s, unsigned word, ws_activity *did)
{
    const uint32_t bit = UINT32_C(1) << word;
    if (from->unread & bit && s->values[WS_SHARED_hybrid_final]) {
        did->shared_cell_writes[0]++;
        did->shared_cell_parts[0] += from->parts[word];
    }
    from->unread &= ~bit;
}

/* The line for a write; one that is given up for it goes back. */
static line *claim_line(section *c, const ws_shared_setup *s, const ws_shared_access *a, uint64_t tag, outcome *o)
{
    line *const set = set_of(c, s, tag), *oldest = set;
    for (uint64_t way = 0; way < s->values[WS_SHARED_hybrid_ways]; way++) {
        if (set[way].tag == tag)
            return &set[way];
        if (set[way].written < oldest->written)
            oldest = &set[way];
    }
    if (oldest->tag)
        write_back(c, oldest, s, a, o);
    *oldest = (line){.tag = tag};
    return oldest;
}

/* Lines whose tags an instruction looks up, once each. */
static unsigned lines_touched(const ws_shared_setup *s, const ws_shared_access *a)
{
    uint64_t seen[WS_WARP * MOST_WORDS];
    unsigned n = 0;
    WS_EACH_LANE (lane, a->exec)
        for (uint64_t at = a->address[lane]; at < a->address[lane] + a->bytes; at += WORD) {
            const uint64_t tag = tag_of(s, a->slot, at);
            unsigned i = n;
            while (i && seen[i - 1] != tag)
                i--;
            if (!i)
                seen[n++] = tag;
        }
    return n;
}

/* ------------------------------------------------------------------------------------------------ a cache */

static void read_words(section *c, const ws_shared_setup *s, const ws_shared_access *a, outcome *o)
{
    uint64_t hits = 0, words = 0;
    WS_EACH_LANE (lane, a->exec)
        for (uint64_t at = a->address[lane]; at < a->address[lane] + a->bytes; at += WORD, words++) {
            const uint64_t tag = tag_of(s, a->slot, at);
            const line *const l = find_line(c, s, tag);
            const bool hit = l && l->owned[at % LINE / WORD];
            hits += hit;
            if (!hit)
                read_given_up(given_up_of(c, s, tag), s, at % LINE / WORD, a->did);
        }
    o->from_section |= hits > 0;
    o->from_cells |= hits < words;
    if (a->writes)
        return; /* an atomic counts as a write alone, as in SRAM */
    a->did->shared_section_reads[0] += hits;
    a->did->shared_cell_reads[0] += words - hits;
}

/* What cells hold of bytes that the line gets now, and what it holds. */
static void keep_bytes(line *l, uint64_t address, unsigned bytes, uint64_t before, uint64_t after)
{
    for (unsigned i = 0; i < bytes; i++) {
        const unsigned at = (address + i) % LINE;
        if (!(l->owned[at / WORD] >> at % WORD & 1))
            l->cell[at] = (uint8_t)(before >> 8 * i);
        l->now[at] = (uint8_t)(after >> 8 * i);
    }
}

static void own_bytes(line *l, uint64_t address, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        l->owned[(address + i) % LINE / WORD] |= (uint8_t)(1u << (address + i) % WORD);
}

static void keep_values(section *c, const ws_shared_setup *s, const ws_shared_access *a)
{
    for (uint32_t i = 0; i < a->values; i++) {
        const ws_value *const v = &a->value[i];
        if (!ws_shared_is_of(a, v))
            continue;
        WS_EACH_LANE (lane, v->exec & a->exec) {
            line *const l = find_line(c, s, tag_of(s, a->slot, v->address[lane]));
            if (l) /* else another lane's line took its place */
                keep_bytes(l, v->address[lane], v->bytes, v->before[lane], v->after[lane]);
        }
    }
}

static void write_words(section *c, const ws_shared_setup *s, const ws_shared_access *a, outcome *o)
{
    const unsigned piece = a->bytes < WORD ? a->bytes : WORD;
    WS_EACH_LANE (lane, a->exec)
        for (uint64_t at = a->address[lane]; at < a->address[lane] + a->bytes; at += WORD)
            claim_line(c, s, a, tag_of(s, a->slot, at), o)->written = ++c->writes;
    if (s->values[WS_SHARED_hybrid_width])
        keep_values(c, s, a);
    WS_EACH_LANE (lane, a->exec)
        for (uint64_t at = a->address[lane]; at < a->address[lane] + a->bytes; at += WORD) {
            line *const l = find_line(c, s, tag_of(s, a->slot, at));
            if (l)
                own_bytes(l, at, piece);
        }
    o->into_section = true;
    a->did->shared_section_writes[0] += ws_lane_words(ws_popcount(a->exec), a->bytes);
}

/* ------------------------------------------------------------------------------------------------ a memory */

/* Of each block so many bytes from its first on are in the section. */
static uint64_t share_of(const ws_shared_setup *s)
{
    return s->values[WS_SHARED_hybrid_size] / (s->blocks ? s->blocks : 1) / WORD * WORD;
}

/* The lanes that find their words there; lanes that reach beyond it do not. */
static uint32_t lanes_inside(const ws_shared_setup *s, const ws_shared_access *a)
{
    const uint64_t share = share_of(s);
    uint32_t inside = 0;
    WS_EACH_LANE (lane, a->exec)
        inside |= (uint32_t)(a->address[lane] + a->bytes <= share) << lane;
    return inside;
}

static ws_shared_time at_section(const ws_shared_setup *s, const ws_shared_access *a)
{
    ws_shared_setup sram = *s;
    sram.read = (uint32_t)s->values[WS_SHARED_hybrid_section_read];
    sram.write = (uint32_t)s->values[WS_SHARED_hybrid_section_write];
    return ws_shared_plain(&sram, a);
}

static ws_shared_time serve_as_ram(const ws_shared_setup *s, const ws_cells *c, const ws_shared_access *a)
{
    const uint32_t inside = lanes_inside(s, a);
    const uint64_t words = ws_lane_words(ws_popcount(inside), a->bytes);
    const ws_shared_time beside = at_section(s, a);
    *(a->writes ? a->did->shared_section_writes : a->did->shared_section_reads) += words;
    if (!(a->exec & ~inside))
        return beside;
    ws_shared_access rest = *a;
    rest.exec &= ~inside;
    const ws_shared_time t = ws_shared_magnetic(s, c, &rest);
    return (ws_shared_time){.busy = inside && beside.busy > t.busy ? beside.busy : t.busy,
                            .ready = inside && beside.ready > t.ready ? beside.ready : t.ready};
}

/* ------------------------------------------------------------------------------------------------ times */

static unsigned most_wanted(const outcome *o, unsigned banks)
{
    unsigned most = 0;
    for (unsigned i = 0; i < banks; i++)
        most = o->wanted[i] > most ? o->wanted[i] : most;
    return most;
}

static ws_shared_time time_of(const ws_shared_setup *s, const ws_cells *c, const ws_shared_access *a, const outcome *o)
{
    const ws_shared_time beside = at_section(s, a);
    ws_shared_time t = {.busy = o->into_section ? beside.busy : a->passes,
                        .ready = o->from_section || o->into_section ? beside.ready : 0};
    if (o->from_cells && a->passes - 1 + s->read > t.ready)
        t.ready = a->passes - 1 + s->read;
    if (!o->back)
        return t;
    const unsigned passes = most_wanted(o, s->banks);
    t.busy += passes + (o->change ? (ws_cells_look(c) ? passes : 0) + ws_shared_more(s->read, s->write) : 0);
    return t;
}

static ws_shared_time serve(void *state, const ws_shared_setup *s, const ws_shared_access *a)
{
    ws_cells c;
    outcome o = {0};
    c = ws_shared_hybrid_cells(s->values);
    if (!is_on(s))
        return ws_shared_magnetic(s, &c, a);
    if (s->values[WS_SHARED_hybrid_ram])
        return serve_as_ram(s, &c, a);
    a->did->shared_section_lookups[0] += lines_touched(s, a);
    if (a->reads)
        read_words(state, s, a, &o);
    if (a->writes)
        write_words(state, s, a, &o);
    return time_of(s, &c, a, &o);
}

static void end(void *state, const ws_shared_setup *s, unsigned slot, ws_activity *did)
{
    section *const c = state;
    const uint64_t first = tag_of(s, slot, 0), behind = tag_of(s, slot + 1, 0);
    for (uint64_t i = 0; i < lines_of(s); i++)
        if (c->line[i].tag >= first && c->line[i].tag < behind)
            c->line[i] = (line){0};
    for (uint64_t tag = first; tag < behind && all_lines(s); tag++) {
        given_up *const left = given_up_of(c, s, tag);
        did->shared_unread[0] += ws_popcount(left->unread);
        left->unread = 0;
    }
}

const ws_shared_memory_ops ws_shared_memory_hybrid = {
    .state_size = state_size,
    .access = serve,
    .end = end,
    .is_on = is_on,
};
