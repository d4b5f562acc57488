/* memory.c - the device's address space: which addresses are allocated, and the heap of device malloc.
 *
 * One region of address space is reserved at a fixed place and pages appear when touched, so a device address is a host
 * address, and is the same in every run. Allocations stand in an array sorted by address; the lowest gap that fits is
 * taken, with at least GAP_BYTES between neighbours so that running past an end never lands in the next one. */
#include "collect/simt/simt_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN_BYTES = 256, GAP_BYTES = 256, HEAP_ALIGN_BYTES = 16, FREED_REMEMBERED = 64 };

/* Sorted, disjoint spans. */
typedef struct table {
    span *item;
    size_t n, capacity;
} table;

struct memory {
    uint64_t base, bytes, used;
    table live;
    span freed[FREED_REMEMBERED]; /* ring of the latest, for messages */
    size_t freed_count;
    span heap; /* empty until the first device malloc */
    uint64_t heap_bytes;
    table heap_live;
    pthread_mutex_t heap_lock;
};

/* Index of the first item whose low is above address. */
static size_t table_above(const table *t, uint64_t address)
{
    size_t first = 0, last = t->n;
    while (first < last) {
        const size_t middle = (first + last) / 2;
        if (t->item[middle].low <= address)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static bool table_find(const table *t, uint64_t address, span *out)
{
    const size_t i = table_above(t, address);
    if (i == 0 || address >= t->item[i - 1].high)
        return false;
    if (out)
        *out = t->item[i - 1];
    return true;
}

static bool table_insert(table *t, span s)
{
    if (t->n == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 64;
        span *item = realloc(t->item, capacity * sizeof *item);
        if (!item)
            return false;
        t->item = item;
        t->capacity = capacity;
    }
    const size_t i = table_above(t, s.low);
    memmove(t->item + i + 1, t->item + i, (t->n - i) * sizeof *t->item);
    t->item[i] = s;
    t->n++;
    return true;
}

static bool table_remove(table *t, uint64_t low, span *out)
{
    const size_t i = table_above(t, low);
    if (i == 0 || t->item[i - 1].low != low)
        return false;
    *out = t->item[i - 1];
    memmove(t->item + i - 1, t->item + i, (t->n - i) * sizeof *t->item);
    t->n--;
    return true;
}

static uint64_t round_up(uint64_t x, uint64_t unit)
{
    return (x + unit - 1) / unit * unit;
}

/* Lowest place in [low, high) for `bytes` with a gap behind it; 0 when there is none. */
static uint64_t table_place(const table *t, uint64_t low, uint64_t high, uint64_t bytes, uint64_t align, uint64_t gap)
{
    uint64_t at = low;
    for (size_t i = 0; i <= t->n && at < high; i++) {
        const uint64_t limit = i < t->n && t->item[i].low < high ? t->item[i].low : high;
        if (limit >= at && limit - at >= bytes && limit - at - bytes >= gap)
            return at;
        if (i < t->n && t->item[i].high > low)
            at = round_up(t->item[i].high + gap, align);
    }
    return 0;
}

int memory_create(uint64_t bytes, uint64_t heap_bytes, bool low, memory **out)
{
    memory *m = calloc(1, sizeof *m);
    if (!m)
        return ws_fail(WS_EMEM, "no memory for a device");
    /* Further devices of a process take the places behind the first; addresses then repeat from run to run as well. */
    bytes += CONST_WINDOW_BYTES;
    const uint64_t step = low ? 0x04000000u : 0x10000000000u;
    const int places = low ? 24 : 64;
    void *at = MAP_FAILED;
    uint64_t base = low ? MEMORY_LOW_BASE : MEMORY_BASE;
    for (int i = 0; i < places && at == MAP_FAILED; i++, base += step)
        at = mmap((void *)(uintptr_t)base, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED) {
        free(m);
        return ws_fail(WS_EMEM, "cannot reserve %llu MiB of address space for device memory: %s; ask for less",
                       (unsigned long long)(bytes >> 20), strerror(errno));
    }
    m->base = (uint64_t)(uintptr_t)at;
    m->bytes = bytes;
    m->heap_bytes = heap_bytes;
    pthread_mutex_init(&m->heap_lock, NULL);
    *out = m;
    return WS_OK;
}

void memory_destroy(memory *m)
{
    if (!m)
        return;
    munmap((void *)(uintptr_t)m->base, m->bytes);
    pthread_mutex_destroy(&m->heap_lock);
    free(m->live.item);
    free(m->heap_live.item);
    free(m);
}

/* Allocates in [low, high), a part of the region. */
static int allocate(memory *m, uint64_t low, uint64_t high, uint64_t bytes, uint64_t *address)
{
    if (bytes == 0)
        return ws_fail(WS_EINPUT, "an allocation needs at least one byte");
    const uint64_t at = bytes <= high - low ? table_place(&m->live, low, high, bytes, ALIGN_BYTES, GAP_BYTES) : 0;
    if (!at)
        return ws_fail(WS_EMEM, "device memory is full: no place for %llu bytes, %llu of %llu in use",
                       (unsigned long long)bytes, (unsigned long long)m->used, (unsigned long long)(high - low));
    if (!table_insert(&m->live, (span){.low = at, .high = at + bytes}))
        return ws_fail(WS_EMEM, "no memory for the table of allocations");
    m->used += bytes;
    *address = at;
    return WS_OK;
}

int memory_alloc(memory *m, uint64_t bytes, uint64_t *address)
{
    return allocate(m, m->base + CONST_WINDOW_BYTES, m->base + m->bytes, bytes, address);
}

int memory_alloc_const(memory *m, uint64_t bytes, uint64_t *address)
{
    return allocate(m, m->base, m->base + CONST_WINDOW_BYTES, bytes, address);
}

bool memory_is_const(const memory *m, uint64_t address)
{
    return address - m->base < CONST_WINDOW_BYTES;
}

/* Of the device's region, and not memory of the host that was registered. */
static bool is_ours(const memory *m, uint64_t address)
{
    return address - m->base < m->bytes;
}

int memory_register(memory *m, uint64_t address, uint64_t bytes, bool read_only)
{
    const uint64_t end = address + bytes;
    if (!bytes || end < address || address < MEMORY_LOW_BASE)
        return ws_fail(WS_EINPUT, "cannot register %llu bytes at 0x%llx", (unsigned long long)bytes,
                       (unsigned long long)address);
    const size_t i = table_above(&m->live, address);
    const bool meets = (i > 0 && m->live.item[i - 1].high > address) || (i < m->live.n && m->live.item[i].low < end) ||
                       is_ours(m, address) || is_ours(m, end - 1);
    if (meets)
        return ws_fail(WS_EINPUT, "a part of the %llu bytes at 0x%llx is device memory or registered already",
                       (unsigned long long)bytes, (unsigned long long)address);
    return table_insert(&m->live, (span){address, end, read_only})
               ? WS_OK
               : ws_fail(WS_EMEM, "no memory for the table of allocations");
}

int memory_unregister(memory *m, uint64_t address)
{
    span s;
    if (is_ours(m, address) || !table_remove(&m->live, address, &s))
        return ws_fail(WS_EINPUT, "no registered memory begins at 0x%llx", (unsigned long long)address);
    m->freed[m->freed_count++ % FREED_REMEMBERED] = s;
    return WS_OK;
}

int memory_free(memory *m, uint64_t address)
{
    span s;
    if (!is_ours(m, address) || !table_remove(&m->live, address, &s))
        return ws_fail(WS_EINPUT, "address 0x%llx is not the start of an allocation", (unsigned long long)address);
    m->used -= s.high - s.low;
    m->freed[m->freed_count++ % FREED_REMEMBERED] = s;
    /* The next owner finds zeros, and the pages go back to the system. */
    const uint64_t page = 4096, first = round_up(s.low, page), last = s.high / page * page;
    if (first < last) {
        madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
        memset((void *)(uintptr_t)s.low, 0, first - s.low);
        memset((void *)(uintptr_t)last, 0, s.high - last);
    } else {
        memset((void *)(uintptr_t)s.low, 0, s.high - s.low);
    }
    return WS_OK;
}

bool memory_find(const memory *m, uint64_t address, span *out)
{
    return table_find(&m->live, address, out);
}

void memory_describe(const memory *m, uint64_t address, uint64_t bytes, char *text, size_t size)
{
    const size_t kept = m->freed_count < FREED_REMEMBERED ? m->freed_count : FREED_REMEMBERED;
    span s;
    if (memory_find(m, address, &s)) {
        if (heap_contains(m, address))
            snprintf(text, size, "not inside a live allocation of device malloc");
        else
            snprintf(text, size, "%llu bytes reach past the end of the allocation 0x%llx of %llu bytes",
                     (unsigned long long)bytes, (unsigned long long)s.low, (unsigned long long)(s.high - s.low));
        return;
    }
    for (size_t i = 0; i < kept; i++) {
        const span *f = &m->freed[(m->freed_count - 1 - i) % FREED_REMEMBERED];
        if (address >= f->low && address < f->high) {
            snprintf(text, size, "inside the allocation 0x%llx of %llu bytes, which was freed",
                     (unsigned long long)f->low, (unsigned long long)(f->high - f->low));
            return;
        }
    }
    const size_t i = table_above(&m->live, address);
    const uint64_t behind = i > 0 ? address - m->live.item[i - 1].high : UINT64_MAX;
    const uint64_t before = i < m->live.n ? m->live.item[i].low - address : UINT64_MAX;
    const span *near = i > 0 && behind <= before ? &m->live.item[i - 1] : i < m->live.n ? &m->live.item[i] : NULL;
    if (!near || (behind > (1u << 20) && before > (1u << 20)))
        snprintf(text, size, "not inside any allocation");
    else if (near->low > address)
        snprintf(text, size, "%llu bytes before the allocation 0x%llx of %llu bytes", (unsigned long long)before,
                 (unsigned long long)near->low, (unsigned long long)(near->high - near->low));
    else
        snprintf(text, size, "%llu bytes behind the end of the allocation 0x%llx of %llu bytes",
                 (unsigned long long)behind, (unsigned long long)near->low,
                 (unsigned long long)(near->high - near->low));
}

uint64_t memory_used(const memory *m)
{
    return m->used;
}

uint64_t memory_total(const memory *m)
{
    return m->bytes - CONST_WINDOW_BYTES;
}

int heap_resize(memory *m, uint64_t bytes)
{
    if (m->heap.low)
        return ws_fail(WS_EBUSY, "the heap of device malloc is in use and keeps its size");
    m->heap_bytes = bytes;
    return WS_OK;
}

uint64_t heap_size(const memory *m)
{
    return m->heap_bytes;
}

uint64_t heap_alloc(memory *m, uint64_t bytes)
{
    uint64_t at = 0;
    pthread_mutex_lock(&m->heap_lock);
    if (bytes > 0 && bytes <= m->heap_bytes && m->heap.low) {
        at = table_place(&m->heap_live, m->heap.low, m->heap.high, bytes, HEAP_ALIGN_BYTES, HEAP_ALIGN_BYTES);
        if (at && !table_insert(&m->heap_live, (span){.low = at, .high = at + bytes}))
            at = 0;
    }
    pthread_mutex_unlock(&m->heap_lock);
    return at;
}

bool heap_free(memory *m, uint64_t address)
{
    span s;
    pthread_mutex_lock(&m->heap_lock);
    const bool ok = table_remove(&m->heap_live, address, &s);
    pthread_mutex_unlock(&m->heap_lock);
    return ok;
}

bool heap_contains(const memory *m, uint64_t address)
{
    return address >= m->heap.low && address < m->heap.high;
}

bool heap_find(memory *m, uint64_t address, span *out)
{
    pthread_mutex_lock(&m->heap_lock);
    const bool found = table_find(&m->heap_live, address, out);
    pthread_mutex_unlock(&m->heap_lock);
    return found;
}

int heap_prepare(memory *m)
{
    if (m->heap.low)
        return WS_OK;
    uint64_t at;
    const int status = memory_alloc(m, m->heap_bytes, &at);
    if (status)
        return ws_fail_context(status, "heap of device malloc");
    m->heap = (span){.low = at, .high = at + m->heap_bytes};
    return WS_OK;
}
