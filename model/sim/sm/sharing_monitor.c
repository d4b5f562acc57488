/* sharing_monitor.c - see sharing_monitor.h. Entries in a row, found by an open hash table (Knuth, The Art of Computer
 * Programming 3, 6.4); SMs are put together by sorting. */
#include "model/sim/sm/sharing_monitor.h"

#include "base/mix.h"
#include "base/status.h"
#include "model/sim/sm/sm.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 16, MOST_LEVEL = 63, NEAR_CYCLES = 1000, BUSY_HITS = 4 };

/* A block that the SM used in this launch. */
typedef struct entry {
    uint64_t tag;    /* block + 1; 0: none */
    uint64_t filled; /* when it came into the L1 */
    uint32_t missed, merged, near, far;
    uint32_t stays, stay_hits, busy_stays; /* that are over */
    uint32_t hits;                         /* of the one that goes on */
    uint32_t here;                         /* it goes on */
    uint32_t first_missed;
} entry;

/* Places of entries by the hash of their tag, in an open table, and the entries as they came. */
struct ws_sharing_monitor {
    struct {
        uint64_t cta, began;
    } running[WS_SM_CTAS]; /* by slot */
    struct {
        uint64_t cta, cycles;
    } done[WS_SM_CTAS]; /* that ended and nobody took */
    uint64_t waiting;   /* of those */
    uint64_t ctas, cta_cycles, cta_shortest, cta_longest;
    uint64_t stores_sent, stores_abreast, storers_abreast, stores_most;
    uint32_t slots; /* a power of two */
    uint32_t room, used, level;
    uint32_t slot[]; /* [slots] 0: none, else 1 + the place; entries follow */
};

/* ------------------------------------------------------------------------------------------------ a table */

/* So many slots that half of them are free at least; so that entries are aligned, an even number. */
static uint32_t slots_for(uint32_t blocks)
{
    uint32_t slots = LEAST;
    while (slots < 2 * (uint64_t)blocks)
        slots *= 2;
    return slots;
}

static entry *entries(const ws_sharing_monitor *m)
{
    return (entry *)(void *)((char *)m + sizeof *m + m->slots * sizeof *m->slot);
}

size_t ws_sharing_bytes(uint32_t blocks)
{
    return sizeof(ws_sharing_monitor) + slots_for(blocks) * sizeof(uint32_t) + blocks * sizeof(entry);
}

void ws_sharing_begin(ws_sharing_monitor *m, uint32_t blocks)
{
    const uint32_t slots = slots_for(blocks);
    memset(m, 0, sizeof *m + slots * sizeof *m->slot);
    m->slots = slots;
    m->room = blocks;
    m->cta_shortest = UINT64_MAX;
}

static bool is_sampled(uint64_t hash, uint32_t level)
{
    return !level || !(hash >> (64 - level));
}

/* The tag's slot, or the empty one where it belongs. The low bits of the hash say where; the high ones whether at all.
 */
static uint32_t *find(ws_sharing_monitor *m, uint64_t tag, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (m->slots - 1);
    while (m->slot[at] && entries(m)[m->slot[at] - 1].tag != tag)
        at = (at + 1) & (m->slots - 1);
    return &m->slot[at];
}

/* Goes on with half of the blocks. */
static void thin(ws_sharing_monitor *m)
{
    entry *const e = entries(m);
    uint32_t kept = 0;
    m->level++;
    memset(m->slot, 0, m->slots * sizeof *m->slot);
    for (uint32_t i = 0; i < m->used; i++) {
        const uint64_t hash = ws_hash(e[i].tag);
        if (!is_sampled(hash, m->level))
            continue;
        e[kept] = e[i];
        *find(m, e[kept].tag, hash) = kept + 1;
        kept++;
    }
    m->used = kept;
}

/* The entry of a block that was used; NULL: it is not followed. */
static entry *known(ws_sharing_monitor *m, uint64_t block)
{
    const uint64_t hash = ws_hash(block + 1);
    const uint32_t place = is_sampled(hash, m->level) ? *find(m, block + 1, hash) : 0;
    return place ? &entries(m)[place - 1] : NULL;
}

/* The same; one that was not used yet gets one. */
static entry *entry_of(ws_sharing_monitor *m, uint64_t block)
{
    const uint64_t tag = block + 1, hash = ws_hash(tag);
    entry *const e = known(m, block);
    if (e)
        return e;
    while (m->used == m->room && is_sampled(hash, m->level) && m->level < MOST_LEVEL)
        thin(m);
    if (!is_sampled(hash, m->level) || m->used == m->room)
        return NULL;
    entries(m)[m->used] = (entry){.tag = tag};
    *find(m, tag, hash) = ++m->used;
    return &entries(m)[m->used - 1];
}

/* ------------------------------------------------------------------------------------------------ what happens */

void ws_sharing_load(ws_sharing_monitor *m, uint64_t block, ws_load_fate fate, uint64_t now)
{
    entry *const e = entry_of(m, block);
    if (!e)
        return;
    e->first_missed |= fate == WS_LOAD_MISSED && !e->missed;
    e->missed += fate == WS_LOAD_MISSED;
    e->merged += fate == WS_LOAD_MERGED;
    if (fate != WS_LOAD_HIT || !e->here)
        return; /* a hit of what was there before the launch says nothing */
    e->hits++;
    e->near += now - e->filled < NEAR_CYCLES;
    e->far += now - e->filled >= NEAR_CYCLES;
}

void ws_sharing_store(ws_sharing_monitor *m, uint64_t block)
{
    entry_of(m, block);
}

/* A sector that comes to others begins no new stay. */
void ws_sharing_filled(ws_sharing_monitor *m, uint64_t block, uint64_t now)
{
    entry *const e = known(m, block);
    if (!e || e->here)
        return;
    e->here = 1;
    e->hits = 0;
    e->filled = now;
}

static void end_stay(entry *e)
{
    e->stays += e->here;
    e->stay_hits += e->here ? e->hits : 0;
    e->busy_stays += e->here && e->hits > BUSY_HITS;
    e->here = 0;
}

void ws_sharing_left(ws_sharing_monitor *m, uint64_t block)
{
    entry *const e = known(m, block);
    if (e)
        end_stay(e);
}

void ws_sharing_stores(ws_sharing_monitor *m, uint32_t lines, uint32_t warps)
{
    m->stores_sent++;
    m->stores_abreast += lines;
    m->storers_abreast += warps;
    m->stores_most = lines > m->stores_most ? lines : m->stores_most;
}

void ws_sharing_cta_began(ws_sharing_monitor *m, unsigned slot, uint64_t cta, uint64_t now)
{
    m->running[slot].cta = cta;
    m->running[slot].began = now;
}

void ws_sharing_cta_ended(ws_sharing_monitor *m, unsigned slot, uint64_t now)
{
    const uint64_t cycles = now - m->running[slot].began;
    m->ctas++;
    m->cta_cycles += cycles;
    m->cta_shortest = cycles < m->cta_shortest ? cycles : m->cta_shortest;
    m->cta_longest = cycles > m->cta_longest ? cycles : m->cta_longest;
    if (m->waiting == WS_SM_CTAS)
        return; /* nobody asks */
    m->done[m->waiting].cta = m->running[slot].cta;
    m->done[m->waiting++].cycles = cycles;
}

bool ws_sharing_take_ended(ws_sharing_monitor *m, uint64_t *cta, uint64_t *cycles)
{
    if (!m->waiting)
        return false;
    *cta = m->done[--m->waiting].cta;
    *cycles = m->done[m->waiting].cycles;
    return true;
}

/* ------------------------------------------------------------------------------------------------ all SMs */

static int by_tag(const void *a, const void *b)
{
    const uint64_t x = (*(const entry *const *)a)->tag, y = (*(const entry *const *)b)->tag;
    return x < y ? -1 : x > y;
}

/* Entries of all SMs by block, those that every SM follows; `here`: only of blocks that are in the L1. The caller frees
 * it. */
static int gather(ws_sharing_monitor *const *monitor, uint32_t sms, bool here, entry ***out, size_t *count,
                  uint32_t *level)
{
    size_t room = 1;
    *level = 0;
    *count = 0;
    for (uint32_t i = 0; i < sms; i++) {
        room += monitor[i]->used;
        *level = monitor[i]->level > *level ? monitor[i]->level : *level;
    }
    *out = malloc(room * sizeof **out);
    if (!*out)
        return ws_fail(WS_EMEM, "no memory for the blocks that SMs share");
    for (uint32_t i = 0; i < sms; i++)
        for (uint32_t at = 0; at < monitor[i]->used; at++) {
            entry *const e = &entries(monitor[i])[at];
            if ((!here || e->here) && is_sampled(ws_hash(e->tag), *level))
                (*out)[(*count)++] = e;
        }
    qsort(*out, *count, sizeof **out, by_tag);
    return WS_OK;
}

/* How many from `first` on are of the same block. */
static size_t run_of(entry *const *e, size_t first, size_t count)
{
    size_t n = 1;
    while (first + n < count && e[first + n]->tag == e[first]->tag)
        n++;
    return n;
}

int ws_sharing_sample(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *counts)
{
    entry **list;
    size_t count;
    uint32_t level;
    const int status = gather(monitor, sms, true, &list, &count, &level);
    if (status)
        return status;
    const uint64_t scale = (uint64_t)1 << level;
    for (size_t i = 0; i < count; i += run_of(list, i, count))
        counts->sampled_blocks += scale;
    counts->sampled_copies += count * scale;
    free(list);
    return WS_OK;
}

/* How many blocks so many SMs at most used. */
static void add_users(ws_sharing_counts *c, uint64_t users, uint64_t scale)
{
    c->by_1 += users <= 1 ? scale : 0;
    c->by_2 += users <= 2 ? scale : 0;
    c->by_3 += users <= 3 ? scale : 0;
    c->by_4 += users <= 4 ? scale : 0;
    c->by_6 += users <= 6 ? scale : 0;
    c->by_8 += users <= 8 ? scale : 0;
    c->by_12 += users <= 12 ? scale : 0;
    c->by_16 += users <= 16 ? scale : 0;
}

static void add_entry(ws_sharing_counts *c, entry *e, bool shared, uint64_t scale)
{
    end_stay(e);
    c->missed += scale * e->missed;
    c->merged += scale * e->merged;
    c->first_missed += scale * e->first_missed;
    c->stays += scale * e->stays;
    c->stay_hits += scale * e->stay_hits;
    c->busy_stays += scale * e->busy_stays;
    if (!shared)
        return;
    c->shared_missed += scale * e->missed;
    c->shared_merged += scale * e->merged;
    c->shared_near += scale * e->near;
    c->shared_far += scale * e->far;
}

static void add_ctas(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *c)
{
    uint64_t ctas = 0, shortest = UINT64_MAX, longest = 0;
    for (uint32_t i = 0; i < sms; i++) {
        const ws_sharing_monitor *const m = monitor[i];
        ctas += m->ctas;
        c->cta_cycles += m->cta_cycles;
        shortest = m->cta_shortest < shortest ? m->cta_shortest : shortest;
        longest = m->cta_longest > longest ? m->cta_longest : longest;
    }
    c->ctas += ctas;
    c->cta_shortest += ctas ? ctas * shortest : 0;
    c->cta_longest += ctas * longest;
}

void ws_sharing_add_spread(const ws_cta_spread *spread, ws_sharing_counts *c)
{
    c->peak_8 += ws_cta_spread_peak(spread, WS_CTA_SPREAD_8);
    c->peak_16 += ws_cta_spread_peak(spread, WS_CTA_SPREAD_16);
    c->peak_row += ws_cta_spread_peak(spread, WS_CTA_SPREAD_ROW);
    c->peak_own += ws_cta_spread_peak(spread, WS_CTA_SPREAD_OWN);
}

static void add_stores(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *c)
{
    uint64_t sent = 0, most = 0;
    for (uint32_t i = 0; i < sms; i++) {
        const ws_sharing_monitor *const m = monitor[i];
        sent += m->stores_sent;
        c->stores_abreast += m->stores_abreast;
        c->storers_abreast += m->storers_abreast;
        most = m->stores_most > most ? m->stores_most : most;
    }
    c->stores_sent += sent;
    c->stores_most += sent * most;
}

int ws_sharing_collect(ws_sharing_monitor *const *monitor, uint32_t sms, ws_sharing_counts *c)
{
    entry **list;
    size_t count, n;
    uint32_t level;
    const int status = gather(monitor, sms, false, &list, &count, &level);
    if (status)
        return status;
    const uint64_t scale = (uint64_t)1 << level;
    for (size_t i = 0; i < count; i += n) {
        n = run_of(list, i, count);
        c->blocks += scale;
        c->copies += scale * n;
        c->shared_blocks += n > 1 ? scale : 0;
        c->shared_copies += n > 1 ? scale * n : 0;
        add_users(c, n, scale);
        for (size_t k = 0; k < n; k++)
            add_entry(c, list[i + k], n > 1, scale);
    }
    free(list);
    add_ctas(monitor, sms, c);
    add_stores(monitor, sms, c);
    c->launches++;
    return WS_OK;
}
