/* mshr.c - which blocks have reads in flight, and who waits for them? */
#include "model/sim/memory/plain_internal.h"

#include "base/status.h"

enum { NONE = WS_PLAIN_NOBODY };

static ws_plain_entry *entries_of(const ws_plain *p, const void *memory)
{
    return (ws_plain_entry *)((char *)memory + p->entries_at);
}

static ws_plain_waiter *waiters_of(const ws_plain *p, const void *memory)
{
    return (ws_plain_waiter *)((char *)memory + p->waiters_at);
}

static uint16_t *bucket_of(const ws_plain *p, const void *memory, uint64_t block)
{
    /* Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4. */
    const uint64_t hash = block * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    return (uint16_t *)((char *)memory + p->buckets_at) + (hash & (p->buckets - 1));
}

void ws_mshr_init(const ws_plain *p, void *memory)
{
    ws_plain_entry *const entries = entries_of(p, memory);
    for (uint32_t i = 0; i < p->mshrs; i++)
        entries[i].next = (uint16_t)(i + 1 < p->mshrs ? i + 1 : NONE);
    ws_plain_waiter *const waiters = waiters_of(p, memory);
    for (uint32_t i = 0; i < p->waiters; i++)
        waiters[i].next = (uint16_t)(i + 1 < p->waiters ? i + 1 : NONE);
    uint16_t *const buckets = (uint16_t *)((char *)memory + p->buckets_at);
    for (uint32_t i = 0; i < p->buckets; i++)
        buckets[i] = NONE;
}

ws_plain_entry *ws_mshr_find(const ws_plain *p, const void *memory, uint64_t block)
{
    ws_plain_entry *const entries = entries_of(p, memory);
    for (uint16_t i = *bucket_of(p, memory, block); i != NONE; i = entries[i].next)
        if (entries[i].block == block)
            return &entries[i];
    return NULL;
}

void ws_mshr_outdate(const ws_plain *p, void *memory)
{
    ws_plain_entry *const entries = entries_of(p, memory);
    const uint16_t *const buckets = (const uint16_t *)((const char *)memory + p->buckets_at);
    for (uint32_t b = 0; b < p->buckets; b++)
        for (uint16_t i = buckets[b]; i != NONE; i = entries[i].next)
            if (!entries[i].owns) /* the latest word comes with the line */
                entries[i].stale = entries[i].old = entries[i].pending;
}

int ws_mshr_room(const ws_plain *p, const void *memory, const ws_plain_entry *entry, uint32_t fetch, uint32_t wait)
{
    const ws_plain_head *const head = ws_plain_head_of(memory);
    if (head->reads + (uint32_t)__builtin_popcount(fetch) > p->mshrs)
        return WS_REFUSED_MSHR;
    for (uint32_t s = 0; entry && s < WS_PLAIN_SECTORS; s++)
        if ((wait & ~fetch) >> s & 1 && entry->waiting[s] >= p->merges)
            return WS_REFUSED_MERGE;
    return wait && head->free_waiter == NONE ? WS_REFUSED_MERGE : WS_OK;
}

static uint16_t take_waiter(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t need)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    const uint16_t index = head->free_waiter;
    ws_plain_waiter *const waiter = &waiters_of(p, memory)[index];
    head->free_waiter = waiter->next;
    head->waiters++;
    waiter->access = *access;
    waiter->next = NONE;
    waiter->need = (uint8_t)need;
    return index;
}

static void free_waiter(const ws_plain *p, void *memory, uint16_t index)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    waiters_of(p, memory)[index].next = head->free_waiter;
    waiters_of(p, memory)[index].need = 0;
    head->free_waiter = index;
    head->waiters--;
}

static ws_plain_entry *take_entry(const ws_plain *p, void *memory, uint64_t block)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    uint16_t *const bucket = bucket_of(p, memory, block);
    const uint16_t index = head->free_entry;
    ws_plain_entry *const entry = &entries_of(p, memory)[index];
    head->free_entry = entry->next;
    *entry = (ws_plain_entry){.block = block, .next = *bucket, .first = NONE, .last = NONE};
    *bucket = index;
    return entry;
}

static void free_entry(const ws_plain *p, void *memory, ws_plain_entry *entry)
{
    ws_plain_head *const head = ws_plain_head_of(memory);
    ws_plain_entry *const entries = entries_of(p, memory);
    const uint16_t index = (uint16_t)(entry - entries);
    uint16_t *link = bucket_of(p, memory, entry->block);
    while (*link != index)
        link = &entries[*link].next;
    *link = entry->next;
    entry->next = head->free_entry;
    head->free_entry = index;
}

ws_plain_entry *ws_mshr_add(const ws_plain *p, void *memory, const ws_plain_access *access, uint32_t fetch,
                            uint32_t wait)
{
    ws_plain_entry *entry = ws_mshr_find(p, memory, access->block);
    if (!entry)
        entry = take_entry(p, memory, access->block);
    entry->pending |= (uint8_t)fetch;
    ws_plain_head_of(memory)->reads += (uint32_t)__builtin_popcount(fetch);
    if (!wait)
        return entry;
    for (uint32_t s = 0; s < WS_PLAIN_SECTORS; s++)
        entry->waiting[s] += wait >> s & 1;
    const uint16_t index = take_waiter(p, memory, access, wait);
    if (entry->first == NONE)
        entry->first = index;
    else
        waiters_of(p, memory)[entry->last].next = index;
    entry->last = index;
    return entry;
}

const ws_plain_access *ws_mshr_first(const ws_plain *p, const void *memory, const ws_plain_entry *entry)
{
    return entry->first == NONE ? NULL : &waiters_of(p, memory)[entry->first].access;
}

uint32_t ws_mshr_written(const ws_plain *p, const void *memory, const ws_plain_entry *entry, uint32_t sectors)
{
    const ws_plain_waiter *const waiters = waiters_of(p, memory);
    uint32_t written = 0;
    for (uint16_t i = entry->first; i != NONE; i = waiters[i].next)
        if (waiters[i].access.kind != WS_REQUEST_LOAD)
            written |= waiters[i].access.mask & ws_plain_words(p, waiters[i].need & sectors);
    return written;
}

void ws_mshr_answer(const ws_plain *p, void *memory, ws_plain_entry *entry, uint32_t sectors, ws_plain_served *served,
                    void *context)
{
    ws_plain_waiter *const waiters = waiters_of(p, memory);
    entry->pending &= (uint8_t)~sectors;
    entry->stale &= (uint8_t)~sectors;
    entry->old &= (uint8_t)~sectors;
    entry->absent &= ~ws_plain_words(p, sectors);
    ws_plain_head_of(memory)->reads -= (uint32_t)__builtin_popcount(sectors);
    for (uint32_t s = 0; s < WS_PLAIN_SECTORS; s++)
        if (sectors >> s & 1)
            entry->waiting[s] = 0;
    uint16_t *link = &entry->first;
    entry->last = NONE;
    while (*link != NONE) {
        const uint16_t index = *link;
        ws_plain_waiter *const waiter = &waiters[index];
        waiter->need &= (uint8_t)~sectors;
        if (waiter->need) {
            entry->last = index;
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        const ws_plain_access access = waiter->access;
        free_waiter(p, memory, index);
        served(context, &access);
    }
    if (!entry->pending)
        free_entry(p, memory, entry);
}

uint16_t ws_plain_park(const ws_plain *p, void *memory, const ws_plain_access *access)
{
    if (ws_plain_head_of(memory)->free_waiter == NONE)
        return NONE;
    return take_waiter(p, memory, access, (1u << WS_PLAIN_SECTORS) - 1);
}

int ws_plain_unpark(const ws_plain *p, void *memory, uint16_t waiter, ws_plain_access *access)
{
    if (waiter >= p->waiters || !waiters_of(p, memory)[waiter].need)
        return ws_fail(WS_EVERIFY, "a cache got an answer for access %u, which does not wait", waiter);
    *access = waiters_of(p, memory)[waiter].access;
    free_waiter(p, memory, waiter);
    return WS_OK;
}
