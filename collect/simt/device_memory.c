/* device_memory.c - the device's address space: which addresses are allocated, and the heap of device malloc.
 *
 * One region of address space is reserved at a fixed place and pages appear when touched, so a device address is a host
 * address, and is the same in every run. The lowest gap that fits is taken, with at least GAP_BYTES between neighbours
 * so that running past an end never lands in the next one.
 *
 * A device may also place allocations as GPUs do, in pages of 2 MiB: up to 1 MiB they are pieces at multiples of 512
 * bytes that share pages, larger ones begin pages. Other than on a GPU nobody's memory lies on both sides of each, a
 * pad: an eighth of its size, so that a row of a matrix fits, between 512 bytes and 64 KiB. A page that holds a byte of
 * an allocation or its pads is mapped: what kernels do there outside allocations can be done, in memory that is
 * nobody's, and leaves no trace in what is allocated later. */
#include "collect/simt/simt_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ALIGN_BYTES = 256,
    GAP_BYTES = 256,
    HEAP_ALIGN_BYTES = 16,
    FREED_REMEMBERED = 64,
    NEAR_BYTES = 2 << 20,   /* an allocation this close is worth a word */
    GUARD_BYTES = 64 << 10, /* a vector, or a warp's consecutive words, may begin at the fence */
    PAGE_BYTES = 2 << 20,
    PIECE_BYTES = 512,
    LARGEST_PIECE = 1 << 20,
    LEAST_PAD = PIECE_BYTES,
    MOST_PAD = 64 << 10,
    PAD_SHARE = 8,
    KEPT_BYTES = 128 << 10, /* freed memory of more goes back to the system when its pages are no longer mapped */
    ALIGNED_TRIES = 16 /* gaps that are looked at for a place at a page, before one is taken that has room anyway */
};
#define MOST_BYTES ((uint64_t)WS_DEVICE_MOST_GIB << 30) /* half of the distance between devices */

struct memory {
    region region;
    uint64_t bytes;          /* of the region, that may be allocated, with the window of constants */
    ground ground;           /* how addresses of the region become addresses of the host */
    spans constants, global; /* what is allocated of the region */
    spans registered;        /* memory of the host */
    spans claims;            /* pages: allocations of `global` with their pads */
    _Atomic uint8_t *dirty;  /* [pages of the region] 1: outside allocations there may be something else than zeros;
                                NULL: not in pages */
    uint64_t used;
    span freed[FREED_REMEMBERED]; /* ring of the latest, for messages */
    size_t freed_count;
    span heap; /* empty until the first device malloc */
    uint64_t heap_bytes;
    spans heap_taken;
    pthread_mutex_t heap_lock;
};

/* ThreadSanitizer has its shadow where devices have their places, and leaves the lowest 512 GiB to the program. */
#ifdef __SANITIZE_THREAD__
#define FIRST_BASE 0x2000000000u
#define BASE_STEP  0x2000000000u
#else
#define FIRST_BASE MEMORY_BASE
#define BASE_STEP  0x10000000000u
#endif

/* The whole window that the fence leaves, or, where limits forbid that, what may be allocated; guard pages behind both.
 */
static int reserve(memory *m, uint64_t base, uint64_t bytes, bool low)
{
    uint64_t window = 1;
    while (window < bytes)
        window *= 2;
    if (!low && base % window) /* the fence would leave a part of the base in an address */
        return ws_fail(WS_EMEM, "no place for %llu MiB at a multiple of their window",
                       (unsigned long long)(bytes >> 20));
    /* In 32 bits there is no room for windows at even places: there the fence leaves the lowest 4 GiB. */
    m->ground = low ? (ground){0, UINT32_MAX} : (ground){(uintptr_t)base, window - 1};
    m->bytes = bytes;
    const uint64_t room = region_room_behind_device();
    const int status = low ? WS_EMEM : region_reserve(&m->region, base, window, GUARD_BYTES, room);
    return status ? region_reserve(&m->region, base, bytes, GUARD_BYTES, room) : WS_OK;
}

_Static_assert(FIRST_BASE % PAGE_BYTES == 0 && MEMORY_LOW_BASE % PAGE_BYTES == 0 &&
                   CONST_WINDOW_BYTES % PAGE_BYTES == 0,
               "pages are those of addresses");

static int make_pages(memory *m)
{
    m->dirty = calloc(m->region.bytes / PAGE_BYTES + 1, sizeof *m->dirty);
    if (!m->dirty)
        return ws_fail(WS_EMEM, "no memory for a device");
    /* Pads are no part of what may be allocated: they lie in the rest of the window. */
    spans_init(&m->claims, m->region.base + CONST_WINDOW_BYTES, m->region.base + m->region.bytes, PIECE_BYTES, 0);
    return WS_OK;
}

int memory_create(uint64_t bytes, uint64_t heap_bytes, bool low, bool pages, memory **out)
{
    memory *m = calloc(1, sizeof *m);
    if (!m)
        return ws_fail(WS_EMEM, "no memory for a device");
    /* Further devices of a process take the places behind the first; addresses then repeat from run to run as well. */
    const uint64_t step = low ? 0x04000000u : BASE_STEP;
    const int places = low ? 24 : 64;
    uint64_t base = low ? MEMORY_LOW_BASE : FIRST_BASE;
    int status = WS_EMEM;
    if (bytes > MOST_BYTES)
        status = ws_fail(WS_EMEM, "no device has more than %d GiB of memory", WS_DEVICE_MOST_GIB);
    for (int i = 0; i < places && status && bytes <= MOST_BYTES; i++, base += step)
        status = reserve(m, base, bytes + CONST_WINDOW_BYTES, low);
    if (status) {
        free(m);
        return ws_fail_context(status, "device memory; ask for less");
    }
    base = m->region.base;
    spans_init(&m->constants, base, base + CONST_WINDOW_BYTES, ALIGN_BYTES, GAP_BYTES);
    spans_init(&m->global, base + CONST_WINDOW_BYTES, base + m->bytes, ALIGN_BYTES, GAP_BYTES);
    spans_init(&m->registered, 0, UINT64_MAX, 1, 0);
    m->heap_bytes = heap_bytes;
    pthread_mutex_init(&m->heap_lock, NULL);
    status = pages ? make_pages(m) : WS_OK;
    if (status)
        memory_destroy(m);
    else
        *out = m;
    return status;
}

void memory_destroy(memory *m)
{
    if (!m)
        return;
    region_release(&m->region);
    pthread_mutex_destroy(&m->heap_lock);
    spans_fini(&m->constants);
    spans_fini(&m->global);
    spans_fini(&m->registered);
    spans_fini(&m->heap_taken);
    spans_fini(&m->claims);
    free(m->dirty);
    free(m);
}

ground memory_ground(const memory *m)
{
    return m->ground;
}

/* ---- pages ---- */

static uint64_t page_of(uint64_t address)
{
    return address / PAGE_BYTES * PAGE_BYTES;
}

static uint64_t pad_of(uint64_t bytes)
{
    const uint64_t pad = spans_round_up(bytes / PAD_SHARE, PIECE_BYTES);
    return pad < LEAST_PAD ? LEAST_PAD : pad > MOST_PAD ? MOST_PAD : pad;
}

static span claim_of(const span *s)
{
    const uint64_t pad = pad_of(s->high - s->low);
    return (span){.low = s->low - pad, .high = s->high + pad};
}

/* Where in the gaps so many bytes with their pads can begin at a multiple of `align`. */
static bool find_place(const memory *m, uint64_t bytes, uint64_t align, uint64_t *at)
{
    const uint64_t pad = pad_of(bytes), need = bytes + 2 * pad;
    uint64_t gap, room, from = 0;
    for (unsigned i = 0; i < ALIGNED_TRIES; i++, from = gap + 1) {
        if (!spans_room(&m->claims, need, from, &gap, &room))
            return false;
        *at = spans_round_up(gap + pad, align);
        if (*at - gap - pad <= room - need)
            return true;
    }
    if (!spans_room(&m->claims, need + align, from, &gap, &room))
        return false;
    *at = spans_round_up(gap + pad, align);
    return true;
}

static bool take_pages(memory *m, uint64_t bytes, uint64_t *at, bool *full)
{
    span ignored;
    *full = bytes > m->bytes - CONST_WINDOW_BYTES || m->used > m->bytes - CONST_WINDOW_BYTES - bytes ||
            !find_place(m, bytes, bytes > LARGEST_PIECE ? PAGE_BYTES : PIECE_BYTES, at);
    if (*full)
        return false;
    const span is = {.low = *at, .high = *at + bytes}, claim = claim_of(&is);
    if (!spans_insert(&m->claims, claim))
        return false;
    if (spans_insert(&m->global, is))
        return true;
    spans_remove(&m->claims, claim.low, &ignored);
    return false;
}

/* Whether the page holds a byte of an allocation or its pads. Allocations and pads do not overlap, so the neighbours
 * tell. */
static bool is_mapped(const memory *m, uint64_t page)
{
    span s;
    return (spans_before(&m->global, page + PAGE_BYTES - 1, &s) && claim_of(&s).high > page) ||
           (spans_after(&m->global, page + PAGE_BYTES - 1, &s) && claim_of(&s).low < page + PAGE_BYTES);
}

/* Of the pages that hold bytes of [low, high). */
static void set_dirty(memory *m, uint64_t low, uint64_t high, bool dirty)
{
    for (uint64_t i = (low - m->region.base) / PAGE_BYTES; i <= (high - 1 - m->region.base) / PAGE_BYTES; i++)
        atomic_store_explicit(&m->dirty[i], dirty, memory_order_relaxed);
}

static bool is_dirty(const memory *m, uint64_t low, uint64_t high)
{
    for (uint64_t i = (low - m->region.base) / PAGE_BYTES; i <= (high - 1 - m->region.base) / PAGE_BYTES; i++)
        if (atomic_load_explicit(&m->dirty[i], memory_order_relaxed))
            return true;
    return false;
}

/* The allocation is gone. What lies in pages that stay mapped can still be read there until somebody else gets it, as
 * on a GPU. */
static void leave_pages(memory *m, const span *was)
{
    const span claim = claim_of(was);
    span ignored;
    uint64_t low = page_of(claim.low), high = spans_round_up(claim.high, PAGE_BYTES);
    spans_remove(&m->claims, claim.low, &ignored);
    set_dirty(m, low, high, true);
    if (was->high - was->low < KEPT_BYTES)
        return;
    low += is_mapped(m, low) ? PAGE_BYTES : 0;
    high -= high > low && is_mapped(m, high - PAGE_BYTES) ? PAGE_BYTES : 0;
    if (low >= high)
        return;
    region_clear(low, high < m->region.open ? high : m->region.open);
    set_dirty(m, low, high, false);
}

bool memory_has_stray(memory *m, uint64_t address, uint64_t bytes)
{
    const uint64_t first = m->region.base + CONST_WINDOW_BYTES;
    span s;
    if (!m->dirty || address < first || !ws_range_within(address, bytes, m->region.open) ||
        memory_heap_contains(m, address) || (spans_after(&m->global, address, &s) && s.low - address < bytes))
        return false;
    for (uint64_t page = page_of(address), left = address - page + bytes;; page += PAGE_BYTES, left -= PAGE_BYTES) {
        if (!is_mapped(m, page))
            return false;
        if (left <= PAGE_BYTES)
            break;
    }
    set_dirty(m, address, address + bytes, true);
    return true;
}

/* ---- allocations ---- */

/* Space for an allocation. The next owner finds zeros: what was freed is cleared then, and in pages what strays left
 * now. */
static int open_place(memory *m, const spans *from, uint64_t low, uint64_t high)
{
    const bool pages = m->dirty && from == &m->global;
    const uint64_t end = pages ? spans_round_up(high + pad_of(high - low), PAGE_BYTES) : high;
    const int status = region_open(&m->region, end);
    if (!status && pages && is_dirty(m, low, high))
        region_clear(low, high);
    return status;
}

static void forget(memory *m, spans *from, uint64_t address)
{
    span was, ignored;
    if (spans_remove(from, address, &was) && m->dirty && from == &m->global)
        spans_remove(&m->claims, claim_of(&was).low, &ignored);
}

/* *address changes only when there is an allocation: it is what callers free. */
static int allocate(memory *m, spans *from, uint64_t bytes, uint64_t *address)
{
    bool full;
    uint64_t at;
    if (bytes == 0)
        return ws_fail(WS_EINPUT, "an allocation needs at least one byte");
    if (!(m->dirty && from == &m->global ? take_pages(m, bytes, &at, &full) : spans_take(from, bytes, &at, &full))) {
        if (full && from == &m->constants)
            return ws_fail(WS_EMEM,
                           "constant memory is full: no place for %llu bytes, variables may have %llu together",
                           (unsigned long long)bytes, (unsigned long long)(from->high - from->low));
        return full ? ws_fail(WS_EMEM, "device memory is full: no place for %llu bytes, %llu of %llu in use",
                              (unsigned long long)bytes, (unsigned long long)m->used,
                              (unsigned long long)(from->high - from->low))
                    : ws_fail(WS_EMEM, "no memory for the table of allocations");
    }
    const int status = open_place(m, from, at, at + bytes);
    if (status) {
        forget(m, from, at);
        return status;
    }
    m->used += bytes;
    *address = at;
    return WS_OK;
}

int memory_alloc(memory *m, uint64_t bytes, uint64_t *address)
{
    return allocate(m, &m->global, bytes, address);
}

int memory_alloc_const(memory *m, uint64_t bytes, uint64_t *address)
{
    return allocate(m, &m->constants, bytes, address);
}

bool memory_is_const(const memory *m, uint64_t address)
{
    return address - m->region.base < CONST_WINDOW_BYTES;
}

/* Where an address would be allocated; NULL: nowhere in the device's region. */
static spans *home_of(memory *m, uint64_t address)
{
    return address - m->region.base >= m->region.bytes ? NULL
           : memory_is_const(m, address)               ? &m->constants
                                                       : &m->global;
}

int memory_register(memory *m, uint64_t address, uint64_t bytes, bool read_only)
{
    span s;
    if (!bytes || !ws_range_within(address, bytes, UINT64_MAX) || address < MEMORY_LOW_BASE)
        return ws_fail(WS_EINPUT, "cannot register %llu bytes at 0x%llx", (unsigned long long)bytes,
                       (unsigned long long)address);
    const uint64_t last = address + bytes - 1;
    const bool meets = (spans_before(&m->registered, last, &s) && s.high > address) || home_of(m, address) ||
                       home_of(m, last) || ws_range_between(m->region.base, m->region.bytes, address, last);
    if (meets)
        return ws_fail(WS_EINPUT, "a part of the %llu bytes at 0x%llx is device memory or registered already",
                       (unsigned long long)bytes, (unsigned long long)address);
    return spans_insert(&m->registered, (span){address, address + bytes, .read_only = read_only, .host = true})
               ? WS_OK
               : ws_fail(WS_EMEM, "no memory for the table of allocations");
}

int memory_unregister(memory *m, uint64_t address)
{
    span s;
    if (!spans_remove(&m->registered, address, &s))
        return ws_fail(WS_EINPUT, "no registered memory begins at 0x%llx", (unsigned long long)address);
    m->freed[m->freed_count++ % FREED_REMEMBERED] = s;
    return WS_OK;
}

int memory_free(memory *m, uint64_t address)
{
    span s;
    spans *const home = home_of(m, address);
    if (!home || !spans_remove(home, address, &s))
        return ws_fail(WS_EINPUT, "address 0x%llx is not the start of an allocation", (unsigned long long)address);
    m->used -= s.high - s.low;
    m->freed[m->freed_count++ % FREED_REMEMBERED] = s;
    if (m->dirty && home == &m->global)
        leave_pages(m, &s);
    else
        region_clear(s.low, s.high); /* the next owner finds zeros */
    return WS_OK;
}

bool memory_find(const memory *m, uint64_t address, span *out)
{
    const spans *const home = home_of((memory *)m, address);
    return spans_find(home ? home : &m->registered, address, out);
}

/* The live allocations on both sides of an address that is in none; lows of 0 where there is none. */
static void neighbours(const memory *m, uint64_t address, span *before, span *after)
{
    const spans *const all[] = {&m->constants, &m->global, &m->registered};
    *before = *after = (span){.low = 0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        span s;
        if (spans_before(all[i], address, &s) && s.low > before->low)
            *before = s;
        if (spans_after(all[i], address, &s) && (!after->low || s.low < after->low))
            *after = s;
    }
}

void memory_describe(const memory *m, uint64_t address, uint64_t bytes, char *text, size_t size)
{
    const size_t kept = m->freed_count < FREED_REMEMBERED ? m->freed_count : FREED_REMEMBERED;
    span s;
    if (memory_find(m, address, &s)) {
        if (memory_heap_contains(m, address))
            snprintf(text, size, "not inside a live allocation of device malloc");
        else
            snprintf(text, size, "%llu bytes reach past the end of the allocation 0x%llx of %llu bytes",
                     (unsigned long long)bytes, (unsigned long long)s.low, (unsigned long long)(s.high - s.low));
        return;
    }
    span pad;
    const bool padded = m->dirty && spans_find(&m->claims, address, &pad);
    for (size_t i = 0; i < kept && !padded; i++) {
        const span *f = &m->freed[(m->freed_count - 1 - i) % FREED_REMEMBERED];
        if (address >= f->low && address < f->high) {
            snprintf(text, size, "inside the allocation 0x%llx of %llu bytes, which was freed",
                     (unsigned long long)f->low, (unsigned long long)(f->high - f->low));
            return;
        }
    }
    span left, right;
    neighbours(m, address, &left, &right);
    const uint64_t behind = left.low ? address - left.high : UINT64_MAX;
    const uint64_t before = right.low ? right.low - address : UINT64_MAX;
    const span *const near = behind <= before ? &left : &right;
    if (behind > NEAR_BYTES && before > NEAR_BYTES)
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

int memory_heap_resize(memory *m, uint64_t bytes)
{
    if (m->heap.low)
        return ws_fail(WS_EBUSY, "the heap of device malloc is in use and keeps its size");
    m->heap_bytes = bytes;
    return WS_OK;
}

uint64_t memory_heap_size(const memory *m)
{
    return m->heap_bytes;
}

uint64_t memory_heap_alloc(memory *m, uint64_t bytes)
{
    uint64_t at = 0;
    bool full;
    pthread_mutex_lock(&m->heap_lock);
    if (bytes > 0 && m->heap.low && !spans_take(&m->heap_taken, bytes, &at, &full))
        at = 0;
    pthread_mutex_unlock(&m->heap_lock);
    return at;
}

bool memory_heap_free(memory *m, uint64_t address)
{
    span s;
    pthread_mutex_lock(&m->heap_lock);
    const bool ok = spans_remove(&m->heap_taken, address, &s);
    pthread_mutex_unlock(&m->heap_lock);
    return ok;
}

bool memory_heap_contains(const memory *m, uint64_t address)
{
    return address >= m->heap.low && address < m->heap.high;
}

bool memory_heap_find(memory *m, uint64_t address, span *out)
{
    pthread_mutex_lock(&m->heap_lock);
    const bool found = spans_find(&m->heap_taken, address, out);
    pthread_mutex_unlock(&m->heap_lock);
    return found;
}

int memory_heap_prepare(memory *m)
{
    if (m->heap.low)
        return WS_OK;
    uint64_t at;
    const int status = memory_alloc(m, m->heap_bytes, &at);
    if (status)
        return ws_fail_context(status, "heap of device malloc");
    m->heap = (span){.low = at, .high = at + m->heap_bytes};
    spans_init(&m->heap_taken, m->heap.low, m->heap.high, HEAP_ALIGN_BYTES, HEAP_ALIGN_BYTES);
    return WS_OK;
}
