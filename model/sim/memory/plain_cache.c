/* plain_cache.c - lines with sectors: what hits, what is read and written below, what is given up? */
#include "model/sim/memory/plain_internal.h"

#include "base/status.h"
#include "model/sim/memory/miss_class.h"

#include <string.h>

/* --- Where things are --- */

static void *tags_of(const ws_plain *p, const void *memory)
{
    return (char *)memory + p->tags_at;
}

static ws_plain_line *line_at(const ws_plain *p, const void *memory, uint32_t line)
{
    return (ws_plain_line *)((char *)memory + p->lines_at) + line;
}

static ws_plain_updates *updates_at(const ws_plain *p, const void *memory, uint32_t line)
{
    return (ws_plain_updates *)((char *)memory + p->updates_at) + line;
}

void ws_plain_init(const ws_plain *p, void *memory)
{
    memset(memory, 0, p->bytes);
    ws_cache_init(&p->tags, tags_of(p, memory));
    ws_mshr_init(p, memory);
}

int ws_plain_resize(ws_plain *p, const ws_plain_section *section, uint32_t ways)
{
    ws_plain_section other = *section;
    other.ways = ways;
    return ws_plain_setup(p, &other);
}

void ws_plain_begin_anew(const ws_plain *p, void *memory)
{
    const ws_cache_counts counts = ws_plain_head_of(memory)->counts;
    ws_plain_init(p, memory);
    ws_plain_head_of(memory)->counts = counts;
}

uint32_t ws_plain_sectors(const ws_plain *p, uint32_t mask)
{
    uint32_t sectors = 0;
    for (uint32_t s = 0; s < WS_PLAIN_SECTORS; s++)
        sectors |= (uint32_t)((mask & p->words_of[1u << s]) != 0) << s;
    return sectors;
}

/* --- Who made what leave --- */

static ws_left_block *left_blocks(const ws_plain *p, const void *memory)
{
    return (ws_left_block *)((char *)memory + p->classes_at);
}

static bool *used_at(const ws_plain *p, const void *memory, uint32_t line)
{
    return (bool *)((char *)memory + p->used_at) + line;
}

static void note_left(const ws_plain *p, void *memory, uint64_t block, uint32_t life)
{
    if (p->classes)
        ws_plain_head_of(memory)->counts.forgotten +=
            ws_miss_class_note(left_blocks(p, memory), p->classes, block, life);
}

/* A line is left. */
static void count_left(const ws_plain *p, void *memory, uint32_t line)
{
    if (!p->classes)
        return;
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    bool *const used = used_at(p, memory, line);
    counts->lines_left++;
    counts->lines_dead += !*used;
    *used = false;
}

/* Sectors of a load that are served, wait for others' reads, and are asked for. */
static void classify(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t hits, uint32_t merged,
                     uint32_t fetch)
{
    if (!p->classes || access->kind != WS_REQUEST_LOAD)
        return;
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    counts->load_hits += (uint32_t)__builtin_popcount(hits);
    counts->load_merged += (uint32_t)__builtin_popcount(merged);
    if (!fetch)
        return;
    const ws_miss_class of = ws_miss_class_of(left_blocks(p, memory), p->classes, access->block, access->who.life);
    uint64_t *const to = of == WS_MISS_COLD ? &counts->cold : of == WS_MISS_INTRA ? &counts->intra : &counts->inter;
    *to += (uint32_t)__builtin_popcount(fetch);
}

void ws_plain_count_passed(const ws_plain *p, void *memory, uint32_t sectors)
{
    if (p->classes)
        ws_plain_head_of(memory)->counts.passed += (uint32_t)__builtin_popcount(sectors);
}

static void add_tally(ws_cache_counts *counts, const ws_cache_tally *tally)
{
    counts->left_private += tally->left_private;
    counts->left_shared += tally->left_shared;
    counts->left_dead += tally->left_dead;
    counts->made_shared += tally->made_shared;
    counts->broken += tally->broken;
    counts->off += tally->off;
}

ws_cache_counts ws_plain_counts(const ws_plain *p, const void *memory)
{
    ws_cache_counts counts = ws_plain_head_of(memory)->counts;
    const ws_cache_tally *const tally = ws_cache_tally_of(&p->tags, tags_of(p, memory));
    if (tally)
        add_tally(&counts, tally);
    return counts;
}

void ws_plain_forget(const ws_plain *p, void *memory)
{
    ws_cache_tally *const tally = ws_cache_tally_of(&p->tags, tags_of(p, memory));
    if (tally) {
        add_tally(&ws_plain_head_of(memory)->counts, tally);
        *tally = (ws_cache_tally){0};
    }
    memset(left_blocks(p, memory), 0, p->classes * sizeof(ws_left_block));
}

/* The number of warps that the replacement protects, when a divergent load leaves. */
static void count_protected(const ws_plain *p, void *memory, const ws_plain_access *access)
{
    const ws_cache_who *const who = &access->who;
    if (!p->tags.replacement->protects || who->line + 1 < who->lines ||
        ws_load_class_of(who->lines) != WS_LOAD_DIVERGENT)
        return;
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    counts->protected_warps += ws_cache_protects(&p->tags, tags_of(p, memory));
    counts->protected_loads++;
}

/* --- Dirty words --- */

static void list_as_dirty(const ws_plain *p, void *memory, uint32_t line)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    uint32_t *const ring = (uint32_t *)((char *)memory + p->old_at);
    bool *const listed = (bool *)((char *)memory + p->listed_at);
    if (listed[line])
        return;
    listed[line] = true;
    ring[(head->first_old + head->old++) % (p->tags.sets * p->tags.ways)] = line;
}

/* All changes of dirty words come by here. */
static void set_dirty(const ws_plain *p, void *memory, uint32_t line, uint32_t words)
{
    ws_plain_line *const l = line_at(p, memory, line);
    if (p->most_dirty) {
        ws_plain_head_of(memory)->dirty += ws_plain_touched(p, words) - ws_plain_touched(p, l->dirty);
        if (words)
            list_as_dirty(p, memory, line);
    }
    l->dirty = words;
}

/* --- Updates --- */

/* What leaves is counted by the caller's reason. */
static uint32_t take_updates(const ws_plain *p, void *memory, uint32_t line, uint64_t *reason)
{
    if (!p->updates)
        return 0;
    ws_plain_updates *const u = updates_at(p, memory, line);
    const uint32_t words = u->words;
    if (u->code != WS_PLAIN_OWNED) {
        *reason += words != 0;
        ws_plain_head_of(memory)->counts.update_messages += words != 0;
    }
    *u = (ws_plain_updates){0};
    return words;
}

bool ws_plain_is_owned(const ws_plain *p, const void *memory, uint32_t line)
{
    return p->updates && updates_at(p, memory, line)->code == WS_PLAIN_OWNED;
}

bool ws_plain_take_updates(const ws_plain *p, void *memory, uint32_t line, ws_plain_result *result)
{
    *result = (ws_plain_result){0};
    if (!ws_cache_holds(&p->tags, tags_of(p, memory), line, &result->evicted))
        return false;
    result->updates = take_updates(p, memory, line, &ws_plain_head_of(memory)->counts.update_flushed);
    return result->updates != 0;
}

/* --- A block as it is --- */

typedef struct view {
    ws_plain_entry *entry; /* or NULL */
    uint32_t line;         /* or WS_CACHE_NONE */
    uint32_t touched;      /* sectors that the access touches; of these: */
    uint32_t readable;     /* all words are known */
    uint32_t there;        /* some word is known */
    uint32_t covered;      /* the access has all words */
    uint32_t pending;      /* a read is in flight */
} view;

static view look(const ws_plain *p, const void *memory, const ws_plain_access *access)
{
    view v = {.entry = ws_mshr_find(p, memory, access->block),
              .line = ws_cache_find(&p->tags, tags_of(p, memory), access->block),
              .touched = ws_plain_sectors(p, access->mask)};
    const uint32_t known = v.line == WS_CACHE_NONE ? 0 : line_at(p, memory, v.line)->known;
    for (uint32_t s = 0; s < WS_PLAIN_SECTORS; s++) {
        if (!(v.touched >> s & 1))
            continue;
        const uint32_t words = ws_plain_words(p, 1u << s);
        v.readable |= (uint32_t)((known & words) == words) << s;
        v.there |= (uint32_t)((known & words) != 0) << s;
        v.covered |= (uint32_t)((access->mask & words) == words) << s;
    }
    if (v.entry)
        v.pending = v.entry->pending & v.touched;
    return v;
}

_Static_assert((int)WS_CACHE_LOAD == (int)WS_REQUEST_LOAD && (int)WS_CACHE_STORE == (int)WS_REQUEST_STORE &&
                   (int)WS_CACHE_ATOMIC == (int)WS_REQUEST_ATOMIC,
               "kinds pass through");

/* `waits`: some words that the access wants are not there. */
static ws_cache_use use_of(const ws_plain_access *access, bool waits)
{
    return (ws_cache_use){.block = access->block,
                          .mask = access->mask,
                          .sm = access->sm,
                          .warp = access->warp,
                          .kind = access->kind,
                          .waits = waits,
                          .who = access->who};
}

static void touch(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t line, bool waits)
{
    if (p->classes)
        *used_at(p, memory, line) = true;
    if (p->tags.quick) {
        ws_cache_touch_quick(&p->tags, tags_of(p, memory), line);
        return;
    }
    const ws_cache_use use = use_of(access, waits);
    ws_cache_touch(&p->tags, tags_of(p, memory), line, &use);
}

static bool empty_line(const ws_plain *p, void *memory, uint32_t line, bool replaced, ws_plain_result *result)
{
    uint64_t block;
    if (!ws_cache_holds(&p->tags, tags_of(p, memory), line, &block))
        return false;
    ws_plain_line *const l = line_at(p, memory, line);
    result->evicted = block;
    result->dirty = l->dirty;
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    result->owned = ws_plain_is_owned(p, memory, line);
    result->updates = take_updates(p, memory, line, replaced ? &counts->update_evictions : &counts->update_flushed);
    counts->writebacks += ws_plain_touched(p, l->dirty);
    set_dirty(p, memory, line, 0);
    l->known = 0;
    count_left(p, memory, line);
    ws_cache_drop(&p->tags, tags_of(p, memory), line,
                  (ws_cache_end){.replaced = replaced, .dirty = result->dirty != 0});
    return true;
}

bool ws_plain_holds(const ws_plain *p, const void *memory, uint32_t line, uint64_t *block)
{
    return ws_cache_holds(&p->tags, tags_of(p, memory), line, block);
}

void ws_plain_keep_dirty(const ws_plain *p, void *memory, uint32_t line)
{
    uint64_t block;
    ws_plain_result r;
    if (!ws_plain_holds(p, memory, line, &block))
        return;
    ws_plain_line *const l = line_at(p, memory, line);
    l->known = l->dirty;
    if (!l->known)
        empty_line(p, memory, line, false, &r);
}

bool ws_plain_has(const ws_plain *p, const void *memory, const ws_plain_access *access)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), access->block);
    return line != WS_CACHE_NONE && !(access->mask & ~line_at(p, memory, line)->known);
}

bool ws_plain_empty(const ws_plain *p, void *memory, uint32_t line, ws_plain_result *result)
{
    return empty_line(p, memory, line, false, result);
}

/* Puts the block into that line, and what the line held into the result. */
static void replace(const ws_plain *p, void *memory, const ws_cache_use *use, uint32_t line, ws_plain_result *result)
{
    uint8_t *const owner = (uint8_t *)memory + p->owners_at + line;
    result->replaced = empty_line(p, memory, line, true, result);
    result->owner = *owner;
    *owner = (uint8_t)use->warp;
    if (result->replaced) {
        ws_plain_head_of(memory)->counts.evictions++;
        note_left(p, memory, result->evicted, use->who.life);
    }
    ws_cache_put(&p->tags, tags_of(p, memory), line, use);
}

/* A line that waits for a read stays where it is. */
static void lock(const ws_plain *p, void *memory, const ws_plain_entry *entry, uint32_t line)
{
    if (!p->on_fill && line != WS_CACHE_NONE)
        ws_cache_lock(&p->tags, tags_of(p, memory), line, entry && (entry->pending & ~entry->stale));
}

int ws_plain_refuse(void *memory, int reason)
{
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    counts->refused_line += reason == WS_REFUSED_LINE;
    counts->refused_mshr += reason == WS_REFUSED_MSHR;
    counts->refused_merge += reason == WS_REFUSED_MERGE;
    counts->refused_other += reason == WS_REFUSED;
    return reason;
}

/* --- Accesses --- */

/* What an access needs before it can be taken. */
typedef struct plan {
    uint32_t fetch, wait; /* sectors to read; that the access waits for */
    bool line;            /* a line for it */
    uint32_t chosen;      /* that line; WS_CACHE_BYPASS: it gets none */
    bool apart;           /* ... and the access waits for an answer of its own */
} plan;

static uint32_t choose_line(const ws_plain *p, const void *memory, const ws_plain_access *access)
{
    const ws_cache_use use = use_of(access, true);
    return access->passes ? WS_CACHE_BYPASS : ws_cache_choose(&p->tags, tags_of(p, memory), &use, NULL);
}

/* A load that gets no line, and shares no read: it needs no MSHR. */
static bool goes_apart(const ws_plain *p, const void *memory, const ws_plain_access *access, const view *v,
                       const plan *needs)
{
    return p->apart && access->kind == WS_REQUEST_LOAD && needs->line && v->line == WS_CACHE_NONE && !v->entry &&
           choose_line(p, memory, access) == WS_CACHE_BYPASS;
}

static int prepare(const ws_plain *p, const void *memory, const ws_plain_access *access, const view *v, plan *needs)
{
    needs->chosen = v->line;
    needs->apart = goes_apart(p, memory, access, v, needs);
    if (needs->apart) {
        needs->chosen = WS_CACHE_BYPASS;
        return ws_mshr_room(p, memory, NULL, 0, needs->wait);
    }
    const int rc = ws_mshr_room(p, memory, v->entry, needs->fetch, needs->wait);
    if (rc || !needs->line || v->line != WS_CACHE_NONE)
        return rc;
    needs->chosen = choose_line(p, memory, access);
    return needs->chosen == WS_CACHE_NONE ? WS_REFUSED_LINE : WS_OK;
}

static void take_line(const ws_plain *p, void *memory, const ws_plain_access *access, const view *v, plan *needs,
                      ws_plain_result *result)
{
    if (v->line != WS_CACHE_NONE) {
        touch(p, memory, access, v->line, needs->wait != 0);
        return;
    }
    if (!(needs->line | needs->fetch | needs->wait))
        return;
    const ws_cache_use use = use_of(access, true);
    ws_cache_miss(&p->tags, tags_of(p, memory), &use);
    if (!needs->line)
        return;
    if (needs->chosen == WS_CACHE_BYPASS)
        ws_cache_pass(&p->tags, tags_of(p, memory), &use);
    else
        replace(p, memory, &use, needs->chosen, result);
}

/* The words of the pieces that the mask touches. */
static uint32_t pieces_of(const ws_plain *p, uint32_t mask)
{
    const uint32_t piece = p->piece < 32 ? (1u << p->piece) - 1 : UINT32_MAX;
    uint32_t words = 0;
    for (uint32_t first = 0; first < p->words; first += p->piece)
        words |= mask >> first & piece ? piece << first : 0;
    return words;
}

/* Sectors of a block that is not kept: it leaves with the access that wanted it. */
static void count_bypassed(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t sectors)
{
    ws_plain_head_of(memory)->counts.bypassed +=
        access->kind == WS_REQUEST_LOAD ? (uint32_t)__builtin_popcount(sectors) : 0;
    note_left(p, memory, access->block, access->who.life);
}

static void start_reads(const ws_plain *p, void *memory, const ws_plain_access *access, const plan *needs,
                        ws_plain_result *result)
{
    if (!(needs->fetch | needs->wait))
        return;
    if (needs->apart) {
        result->apart = true;
        result->waiter = ws_plain_park(p, memory, access);
        result->fetch = p->piece ? pieces_of(p, access->mask) : ws_plain_words(p, needs->fetch);
        count_bypassed(p, memory, access, needs->fetch);
        return;
    }
    ws_plain_entry *const entry = ws_mshr_add(p, memory, access, needs->fetch, needs->wait);
    if (needs->chosen == WS_CACHE_BYPASS) {
        entry->stale |= (uint8_t)needs->fetch;
        entry->absent |= p->piece && access->kind == WS_REQUEST_LOAD
                             ? ws_plain_words(p, needs->fetch) & ~pieces_of(p, access->mask)
                             : 0;
        count_bypassed(p, memory, access, needs->fetch);
    } else {
        lock(p, memory, entry, needs->chosen);
    }
    result->fetch = ws_plain_words(p, needs->fetch) & ~entry->absent;
}

static void count(uint64_t *kind, ws_cache_counts *counts, uint32_t touched, uint32_t hits, uint32_t merged)
{
    const uint32_t all = (uint32_t)__builtin_popcount(touched), hit = (uint32_t)__builtin_popcount(hits),
                   waits = (uint32_t)__builtin_popcount(merged);
    *kind += all;
    counts->hits += hit;
    counts->merged += waits;
    counts->misses += all - hit - waits;
}

/* Words that change what is stored: into the copy, below, or both. */
static void write_words(const ws_plain *p, void *memory, uint32_t line, uint32_t words, bool keep,
                        ws_plain_result *result)
{
    ws_plain_line *const l = line == WS_CACHE_NONE ? NULL : line_at(p, memory, line);
    if (l)
        l->known |= words;
    if (l)
        set_dirty(p, memory, line, keep ? l->dirty | words : l->dirty & ~words);
    if (l && keep)
        return;
    result->write |= words;
}

static bool keeps(const ws_plain *p)
{
    return p->write == WS_WRITE_BACK || p->write == WS_WRITE_LOCAL_BACK;
}

/* Most loads find all they want: no need to look for reads in flight. */
static bool is_readable(const ws_plain *p, void *memory, const ws_plain_access *access, uint64_t *kind)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), access->block);
    if (access->kind != WS_REQUEST_LOAD || line == WS_CACHE_NONE)
        return false;
    const uint32_t sectors = ws_plain_sectors(p, access->mask);
    if (ws_plain_words(p, sectors) & ~line_at(p, memory, line)->known)
        return false;
    count(kind, &ws_plain_head_of(memory)->counts, sectors, sectors, 0);
    classify(p, memory, access, sectors, 0, 0);
    touch(p, memory, access, line, false);
    return true;
}

static int read_sectors(const ws_plain *p, void *memory, const ws_plain_access *access, uint64_t *kind,
                        ws_plain_result *result)
{
    *result = (ws_plain_result){0};
    if (is_readable(p, memory, access, kind)) {
        result->done = true;
        return WS_OK;
    }
    const view v = look(p, memory, access);
    if (v.entry && (v.entry->absent & access->mask))
        return ws_plain_refuse(memory, WS_REFUSED_MERGE);
    plan needs = {.wait = v.touched & ~v.readable, .fetch = v.touched & ~v.readable & ~v.pending};
    if (v.entry && (v.entry->old & needs.wait))
        return ws_plain_refuse(memory, WS_REFUSED);
    needs.line = needs.fetch && !p->on_fill;
    const int rc = prepare(p, memory, access, &v, &needs);
    if (rc)
        return ws_plain_refuse(memory, rc);
    count(kind, &ws_plain_head_of(memory)->counts, v.touched, v.readable, needs.wait & ~needs.fetch);
    classify(p, memory, access, v.readable, needs.wait & ~needs.fetch, needs.fetch);
    take_line(p, memory, access, &v, &needs, result);
    start_reads(p, memory, access, &needs, result);
    result->done = !needs.wait;
    if (access->kind == WS_REQUEST_ATOMIC && v.readable)
        write_words(p, memory, v.line, access->mask & ws_plain_words(p, v.readable), keeps(p), result);
    return WS_OK;
}

int ws_plain_load(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    const int rc = read_sectors(p, memory, access, &ws_plain_head_of(memory)->counts.loads, result);
    if (!rc)
        count_protected(p, memory, access);
    return rc;
}

int ws_plain_atomic(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    return read_sectors(p, memory, access, &ws_plain_head_of(memory)->counts.atomics, result);
}

static int pass_store(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    const view v = look(p, memory, access);
    count(&counts->stores, counts, v.touched, 0, 0);
    counts->updates += (uint32_t)__builtin_popcount(v.there);
    if (v.line != WS_CACHE_NONE) /* what is stored now needs no writing back */
        set_dirty(p, memory, v.line, line_at(p, memory, v.line)->dirty & ~access->mask);
    ws_plain_give_up(p, memory, access, result);
    result->write = access->mask;
    result->done = true;
    return WS_OK;
}

/* Sectors that a store puts into a line as they are, and those that it has to read. */
static plan plan_store(const ws_plain *p, const view *v, bool keep, uint32_t *placed)
{
    const uint32_t missing = v->touched & ~v->there & ~v->pending;
    plan needs = {0};
    *placed = v->there;
    if (p->allocate == WS_WRITE_ALLOCATE_LAZY)
        *placed |= missing;
    if (p->allocate == WS_WRITE_ALLOCATE_FETCH) {
        *placed |= missing & v->covered;
        needs.fetch = missing & ~v->covered;
    }
    if (keep && p->allocate != WS_WRITE_ALLOCATE_NONE)
        needs.wait = needs.fetch | (v->pending & ~v->there);
    needs.line = (*placed & missing) || (needs.fetch && !p->on_fill);
    return needs;
}

int ws_plain_store(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_store_way way,
                   ws_plain_result *result)
{
    *result = (ws_plain_result){0};
    if (way == WS_PLAIN_PASS)
        return pass_store(p, memory, access, result);
    const bool keep = way == WS_PLAIN_KEEP;
    const view v = look(p, memory, access);
    uint32_t placed;
    plan needs = plan_store(p, &v, keep, &placed);
    const int rc = prepare(p, memory, access, &v, &needs);
    if (rc)
        return ws_plain_refuse(memory, rc);
    if (needs.chosen == WS_CACHE_BYPASS) {
        needs.fetch = needs.wait = 0;
        placed = v.there;
    }
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    count(&counts->stores, counts, v.touched, keep ? v.there : 0, needs.wait & ~needs.fetch);
    counts->updates += keep ? 0 : (uint32_t)__builtin_popcount(v.there);
    take_line(p, memory, access, &v, &needs, result);
    start_reads(p, memory, access, &needs, result);
    /* When a part has to go down, all of it does: it has one answer. */
    const bool below = !keep || (v.touched & ~placed & ~needs.wait);
    const uint32_t line = needs.chosen == WS_CACHE_BYPASS ? v.line : needs.chosen;
    if (placed)
        write_words(p, memory, line, access->mask & ws_plain_words(p, placed), !below, result);
    if (below)
        result->write = access->mask;
    result->done = !needs.wait;
    return WS_OK;
}

uint32_t ws_plain_clean(const ws_plain *p, void *memory, uint64_t block, uint32_t mask)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), block);
    if (line == WS_CACHE_NONE)
        return 0;
    ws_plain_line *const l = line_at(p, memory, line);
    const uint32_t dirty = l->dirty & ws_plain_words(p, ws_plain_sectors(p, mask));
    set_dirty(p, memory, line, l->dirty & ~dirty);
    ws_plain_head_of(memory)->counts.writebacks += ws_plain_touched(p, dirty);
    return dirty;
}

bool ws_plain_clean_oldest(const ws_plain *p, void *memory, ws_plain_result *result)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    *result = (ws_plain_result){0};
    while (p->most_dirty && head->dirty > p->most_dirty && !result->dirty) {
        const uint32_t line = ((const uint32_t *)((const char *)memory + p->old_at))[head->first_old];
        head->first_old = (head->first_old + 1) % (p->tags.sets * p->tags.ways);
        head->old--;
        ((bool *)((char *)memory + p->listed_at))[line] = false;
        if (line_at(p, memory, line)->dirty && ws_plain_holds(p, memory, line, &result->evicted))
            result->dirty = ws_plain_clean(p, memory, result->evicted, UINT32_MAX >> (32 - p->words));
    }
    return result->dirty != 0;
}

void ws_plain_give_up(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    *result = (ws_plain_result){0};
    const uint32_t sectors = ws_plain_sectors(p, access->mask);
    ws_plain_entry *const entry = ws_mshr_find(p, memory, access->block);
    if (entry)
        entry->stale |= entry->pending & (uint8_t)sectors;
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), access->block);
    if (line == WS_CACHE_NONE)
        return;
    result->evicted = access->block;
    result->dirty = ws_plain_clean(p, memory, access->block, access->mask);
    result->owned = ws_plain_is_owned(p, memory, line);
    result->updates = take_updates(p, memory, line, &ws_plain_head_of(memory)->counts.update_flushed);
    ws_plain_line *const l = line_at(p, memory, line);
    l->known &= ~ws_plain_words(p, sectors);
    lock(p, memory, entry, line);
    if (l->known || (!p->on_fill && entry && (entry->pending & ~entry->stale)))
        return;
    count_left(p, memory, line);
    note_left(p, memory, access->block, access->who.life);
    ws_cache_drop(&p->tags, tags_of(p, memory), line, (ws_cache_end){.dirty = result->dirty != 0});
}

void ws_plain_give_up_line(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    ws_plain_access all = *access;
    all.mask = UINT32_MAX >> (32 - p->words);
    ws_plain_give_up(p, memory, &all, result);
}

bool ws_plain_is_off(const ws_plain *p, const void *memory)
{
    return ws_cache_is_off(&p->tags, tags_of(p, memory));
}

void ws_plain_miss(const ws_plain *p, void *memory, const ws_plain_access *access)
{
    const ws_cache_use use = use_of(access, true);
    ws_cache_miss(&p->tags, tags_of(p, memory), &use);
}

void ws_plain_invalidate(const ws_plain *p, void *memory)
{
    ws_mshr_outdate(p, memory);
    for (uint32_t line = 0; line < p->tags.sets * p->tags.ways; line++) {
        uint64_t block;
        ws_plain_line *const l = line_at(p, memory, line);
        if (!ws_plain_holds(p, memory, line, &block) || ws_plain_is_owned(p, memory, line))
            continue;
        const ws_plain_entry *const entry = ws_mshr_find(p, memory, block);
        l->known = l->dirty;
        lock(p, memory, entry, line);
        if (l->known || (p->updates && updates_at(p, memory, line)->words) ||
            (entry && (entry->pending & ~entry->stale)))
            continue;
        ws_plain_head_of(memory)->counts.invalidated++;
        count_left(p, memory, line);
        ws_cache_drop(&p->tags, tags_of(p, memory), line, (ws_cache_end){0});
    }
}

/* The update joins those of its line, or is the first of its code. */
static void keep_update(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t code, uint32_t line,
                        ws_plain_result *result)
{
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    ws_plain_updates *const u = updates_at(p, memory, line);
    if (u->words && u->code != code) {
        result->evicted = access->block;
        result->updates = take_updates(p, memory, line, &counts->update_mismatches);
    }
    *(u->words ? &counts->update_hits : &counts->update_misses) += 1;
    u->words |= access->mask;
    u->code = code;
}

int ws_plain_update(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t code, bool fetch,
                    ws_plain_result *result)
{
    *result = (ws_plain_result){.done = true};
    const view v = look(p, memory, access);
    plan needs = {.line = v.line == WS_CACHE_NONE, .fetch = fetch ? v.touched & ~v.readable & ~v.pending : 0};
    const int rc = prepare(p, memory, access, &v, &needs);
    if (rc)
        return ws_plain_refuse(memory, rc);
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    const bool bypasses = needs.chosen == WS_CACHE_BYPASS;
    const ws_plain_updates *const u = v.line == WS_CACHE_NONE ? NULL : updates_at(p, memory, v.line);
    count(&counts->atomics, counts, v.touched, u && u->words && u->code == code ? v.touched : 0, 0);
    needs.fetch = bypasses ? 0 : needs.fetch;
    take_line(p, memory, access, &v, &needs, result);
    start_reads(p, memory, access, &needs, result);
    if (!bypasses) {
        keep_update(p, memory, access, code, needs.chosen, result);
        return WS_OK;
    }
    counts->update_misses++;
    counts->update_evictions++;
    counts->update_messages++;
    result->write = access->mask;
    return WS_OK;
}

/* Sectors of all of a line. */
static uint32_t all_sectors(const ws_plain *p)
{
    return ws_plain_sectors(p, UINT32_MAX >> (32 - p->words));
}

int ws_plain_own(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    *result = (ws_plain_result){0};
    view v = look(p, memory, access);
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    if (v.line != WS_CACHE_NONE && ws_plain_is_owned(p, memory, v.line) && v.readable == v.touched) {
        count(&counts->atomics, counts, v.touched, v.touched, 0);
        counts->owned_hits++;
        touch(p, memory, access, v.line, false);
        result->done = true;
        return WS_OK;
    }
    if (v.entry && !v.entry->owns) /* data of it are on their way */
        return ws_plain_refuse(memory, WS_REFUSED_MERGE);
    plan needs = {.fetch = v.entry ? 0 : all_sectors(p), .wait = v.touched, .line = !v.entry && !p->on_fill};
    const int rc = prepare(p, memory, access, &v, &needs);
    if (rc)
        return ws_plain_refuse(memory, rc);
    count(&counts->atomics, counts, v.touched, 0, needs.fetch ? 0 : v.touched);
    counts->owned_misses++;
    if (!v.entry && v.line != WS_CACHE_NONE) /* a copy that is not owned: its words come again */
        line_at(p, memory, v.line)->known = 0;
    take_line(p, memory, access, &v, &needs, result);
    start_reads(p, memory, access, &needs, result);
    ws_mshr_find(p, memory, access->block)->owns = true;
    return WS_OK;
}

bool ws_plain_owned(const ws_plain *p, void *memory, uint64_t block)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), block);
    if (line == WS_CACHE_NONE)
        return false;
    *updates_at(p, memory, line) = (ws_plain_updates){.words = UINT32_MAX >> (32 - p->words), .code = WS_PLAIN_OWNED};
    return true;
}

bool ws_plain_disown(const ws_plain *p, void *memory, uint64_t block, ws_plain_result *result)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), block);
    *result = (ws_plain_result){0};
    return line != WS_CACHE_NONE && ws_plain_is_owned(p, memory, line) && empty_line(p, memory, line, false, result);
}

void ws_plain_pass_atomic(const ws_plain *p, void *memory, const ws_plain_access *access, ws_plain_result *result)
{
    ws_cache_counts *const counts = &ws_plain_head_of(memory)->counts;
    count(&counts->atomics, counts, ws_plain_sectors(p, access->mask), 0, 0);
    ws_plain_give_up(p, memory, access, result);
}

/* --- Fills --- */

/* The line for these sectors of the entry, or WS_CACHE_NONE when no copy is kept. */
static uint32_t line_for(const ws_plain *p, void *memory, const ws_plain_entry *entry, uint32_t sectors, uint8_t note,
                         ws_plain_result *result)
{
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), entry->block);
    if (line != WS_CACHE_NONE || !(sectors & ~entry->stale))
        return line;
    const ws_plain_access *const first = ws_mshr_first(p, memory, entry);
    ws_cache_use use = first ? use_of(first, false) : (ws_cache_use){.block = entry->block};
    use.note = note;
    const uint32_t chosen = ws_cache_choose(&p->tags, tags_of(p, memory), &use, NULL);
    if (chosen == WS_CACHE_BYPASS)
        ws_cache_pass(&p->tags, tags_of(p, memory), &use);
    if (chosen == WS_CACHE_BYPASS && first)
        count_bypassed(p, memory, first, sectors);
    if (chosen == WS_CACHE_BYPASS || chosen == WS_CACHE_NONE)
        return WS_CACHE_NONE;
    replace(p, memory, &use, chosen, result);
    return chosen;
}

int ws_plain_fill(const ws_plain *p, void *memory, uint64_t block, uint32_t mask, uint8_t note, ws_plain_result *result,
                  ws_plain_served *served, void *context)
{
    *result = (ws_plain_result){0};
    ws_plain_entry *const entry = ws_mshr_find(p, memory, block);
    const uint32_t sectors = ws_plain_sectors(p, mask);
    if (!entry || !sectors || (sectors & ~(uint32_t)entry->pending))
        return ws_fail(WS_EVERIFY, "a cache got words %#x of block %llu, which it did not request", mask,
                       (unsigned long long)block);
    const uint32_t kept = sectors & ~(uint32_t)entry->stale;
    const uint32_t line = line_for(p, memory, entry, sectors, note, result);
    if (line != WS_CACHE_NONE)
        line_at(p, memory, line)->known |= ws_plain_words(p, kept);
    const uint32_t written = ws_mshr_written(p, memory, entry, sectors);
    write_words(p, memory, line, written & ws_plain_words(p, kept), keeps(p), result);
    result->write |= written & ~ws_plain_words(p, kept);
    const uint32_t left = entry->pending & ~sectors & ~(uint32_t)entry->stale;
    if (!p->on_fill && line != WS_CACHE_NONE)
        ws_cache_lock(&p->tags, tags_of(p, memory), line, left != 0);
    result->done = true;
    ws_mshr_answer(p, memory, entry, sectors, served, context);
    return WS_OK;
}

uint8_t ws_plain_note(const ws_plain *p, const void *memory, uint64_t block)
{
    if (!p->tags.replacement->tell)
        return 0;
    const uint32_t line = ws_cache_find(&p->tags, tags_of(p, memory), block);
    return line == WS_CACHE_NONE ? 0 : ws_cache_tell(&p->tags, tags_of(p, memory), line);
}
