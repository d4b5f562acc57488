/* plain_setup.c - what a section of a configuration makes of a cache with sectors, and where things are in its memory.
 */
#include "model/sim/memory/plain_internal.h"

#include "base/status.h"
#include "model/sim/memory/miss_class.h"

#include <string.h>

enum { WORD_BYTES = 4 };

static int take_words(ws_plain *p, const ws_plain_section *s)
{
    p->on_fill = s->allocate == WS_L1_ALLOCATE_FILL;
    p->write = s->write;
    p->allocate = s->write_allocate;
    if (p->write == WS_WRITE_EVICT && p->allocate != WS_WRITE_ALLOCATE_NONE)
        return ws_fail(WS_EINPUT,
                       "[%s] write_allocate is %s, but with write evict a store leaves no copy: expected none", s->name,
                       ws_write_allocate_word(s->write_allocate));
    return WS_OK;
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

static int check_geometry(const ws_plain_section *s)
{
    if (!power_of_two(s->line))
        return ws_fail(WS_EINPUT, "[%s] line is %u, expected a power of two", s->name, s->line);
    if (!power_of_two(s->sector) || s->sector > s->line)
        return ws_fail(WS_EINPUT, "[%s] sector is %u, expected a power of two, at most a line of %u bytes", s->name,
                       s->sector, s->line);
    if (s->line / s->sector > WS_PLAIN_SECTORS || s->line > WS_COHERENCE_WORDS * WORD_BYTES)
        return ws_fail(WS_EINPUT,
                       "[%s] a line of %u bytes with sectors of %u; expected 128 bytes and 4 sectors at most", s->name,
                       s->line, s->sector);
    if (s->mshrs < s->line / s->sector)
        return ws_fail(WS_EINPUT, "[%s] mshrs is %u, expected at least one for each of the %u sectors of a line",
                       s->name, s->mshrs, s->line / s->sector);
    return WS_OK;
}

static size_t place(size_t *end, size_t count, size_t bytes)
{
    const size_t at = *end;
    *end = (at + count * bytes + 7) & ~(size_t)7;
    return at;
}

static void lay_out(ws_plain *p)
{
    for (uint32_t word = 0; word < p->words; word++)
        for (uint32_t sectors = 0; sectors < 1u << WS_PLAIN_SECTORS; sectors++)
            p->words_of[sectors] |= (sectors >> word / p->sector_words & 1) << word;
    p->buckets = 4;
    while (p->buckets < p->mshrs)
        p->buckets *= 2;
    size_t end = sizeof(ws_plain_head);
    p->tags_at = place(&end, p->tags.bytes, 1);
    p->lines_at = place(&end, (size_t)p->tags.sets * p->tags.ways, sizeof(ws_plain_line));
    p->owners_at =
        place(&end, (size_t)p->tags.sets * p->tags.ways, sizeof(uint8_t)); /* warps that brought what is there */
    p->entries_at = place(&end, p->mshrs, sizeof(ws_plain_entry));
    p->buckets_at = place(&end, p->buckets, sizeof(uint16_t));
    p->waiters_at = place(&end, p->waiters, sizeof(ws_plain_waiter));
    const size_t listed = p->most_dirty ? (size_t)p->tags.sets * p->tags.ways : 0;
    p->old_at = place(&end, listed, sizeof(uint32_t));
    p->listed_at = place(&end, listed, sizeof(bool));
    p->classes_at = place(&end, ws_miss_class_bytes(p->classes, &p->classes), 1);
    p->updates_at = place(&end, p->updates ? (size_t)p->tags.sets * p->tags.ways : 0, sizeof(ws_plain_updates));
    p->used_at = place(&end, p->classes ? (size_t)p->tags.sets * p->tags.ways : 0, sizeof(bool));
    p->bytes = end;
}

int ws_plain_setup(ws_plain *p, const ws_plain_section *s)
{
    memset(p, 0, sizeof *p);
    int rc = check_geometry(s);
    if (!rc)
        rc = take_words(p, s);
    if (rc)
        return rc;
    rc = ws_cache_setup(&p->tags, &s->choice, s->sets, s->ways, !p->on_fill);
    const ws_cache_replacement *const r = p->tags.replacement;
    if (!rc && r->suits_line)
        rc = r->suits_line(p->tags.values, s->line);
    if (rc)
        return ws_fail_context(rc, "[%s]", s->name);
    p->words = s->line / WORD_BYTES;
    p->sector_words = s->sector / WORD_BYTES;
    p->mshrs = s->mshrs;
    p->merges = s->merges;
    p->piece = s->piece / WORD_BYTES;
    p->apart = s->apart;
    p->classes = s->classify;
    p->updates = s->updates;
    p->waiters = s->waiters < WS_PLAIN_MOST ? s->waiters : WS_PLAIN_MOST;
    const uint64_t sectors = (uint64_t)s->sets * s->ways * (s->line / s->sector);
    p->most_dirty = s->most_dirty ? (uint32_t)((sectors * s->most_dirty + 99) / 100) : 0;
    lay_out(p);
    return WS_OK;
}
