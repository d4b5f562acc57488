/* driver_virtual.c - virtual memory management: ranges of addresses, memory without an address, and one put into the
 * other.
 *
 * Memory is a file without a name (memfd), so it can have several addresses, and another process can be given it.
 * Kernels may touch a range from cuMemSetAccess on: mappings side by side that they may touch are one allocation to the
 * engine, as they are to a program that copies across them. All of it belongs to the process and needs no context. */
#include "collect/cuda/driver_internal.h"

#include "base/bounds.h"
#include "base/grow.h"
#include "base/status.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRANULARITY ((uint64_t)2 << 20) /* of the vendor's devices since compute capability 6.0 */
#ifdef __SANITIZE_THREAD__
#define FIRST_PLACE   0x7000000000u /* the last of what ThreadSanitizer leaves to programs; see device_memory.c */
#define END_OF_PLACES 0x8000000000u
#else
#define FIRST_PLACE   0x300000000000u     /* behind all places of devices: addresses are the same in every run */
#define END_OF_PLACES ((uint64_t)1 << 47) /* of what a process has */
#endif
#define PLACES_STEP ((uint64_t)1 << 30) /* when somebody else is there */
#define MOST_BYTES  ((uint64_t)1 << 46) /* a half of what a process has */
enum { PLACES = 4096 };
enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL }; /* who has the file cannot take memory away */

struct ws_physical {
    ws_handle handle;
    bool listed; /* the program can name it */
    int file;
    uint64_t bytes;
    CUmemAllocationProp prop;
    unsigned holds, mappings;
};

typedef struct mapping {
    uint64_t at, bytes;
    ws_physical *memory;
    CUmemAccess_flags access;
} mapping;

struct ws_reservation {
    uint64_t at, bytes;
    mapping *mapping; /* in the order of addresses */
    size_t mappings, mapping_room;
    ws_reservation *next; /* in the order of addresses */
};

static bool is_multiple(uint64_t x)
{
    return x % GRANULARITY == 0;
}

/* ------------------------------------------------------------------------------------------------ addresses */

static bool reserve_at(uint64_t at, uint64_t bytes)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return mmap((void *)(uintptr_t)at, bytes, PROT_NONE, how, -1, 0) == (void *)(uintptr_t)at;
}

/* The lowest place that is free; what lies behind the end of a range belongs to nobody. No alignment is so large that
 * sums of it and of addresses of the host were too large. */
static uint64_t find_place(uint64_t bytes, uint64_t alignment)
{
    uint64_t at = (FIRST_PLACE + alignment - 1) / alignment * alignment;
    for (const ws_reservation *r = ws_the_driver.reservations; r; r = r->next) {
        if (ws_range_within(at, bytes + GRANULARITY, r->at))
            break;
        if (!ws_range_within(r->at, r->bytes + GRANULARITY, at))
            at = (r->at + r->bytes + GRANULARITY + alignment - 1) / alignment * alignment;
    }
    const uint64_t step = alignment > PLACES_STEP ? alignment : PLACES_STEP;
    for (int i = 0; i < PLACES && ws_range_within(at, bytes, END_OF_PLACES); i++, at += step) {
        if (reserve_at(at, bytes))
            return at;
    }
    return 0;
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags)
{
    WS_ENTER_DRIVER();
    const uint64_t step = alignment > GRANULARITY ? alignment : GRANULARITY;
    if (!address || !bytes || !is_multiple(bytes) || alignment & (alignment - 1) || wish % step || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > MOST_BYTES || step > MOST_BYTES) /* as driver 580 answers */
        return bytes > MOST_BYTES ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
    ws_reservation *const r = calloc(1, sizeof *r);
    const uint64_t at = !r ? 0 : wish && reserve_at(wish, bytes) ? wish : find_place(bytes, step);
    if (!at) {
        free(r);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    r->at = at;
    r->bytes = bytes;
    ws_reservation **place = &ws_the_driver.reservations;
    while (*place && (*place)->at < at)
        place = &(*place)->next;
    r->next = *place;
    *place = r;
    *address = at;
    return CUDA_SUCCESS;
}

static uint64_t end_of(const ws_reservation *r)
{
    return r->at + r->bytes; /* memory of this process: does not wrap */
}

static ws_reservation *reservation_of(uint64_t address, uint64_t bytes)
{
    for (ws_reservation *r = ws_the_driver.reservations; r; r = r->next) {
        if (ws_range_between(address, bytes, r->at, end_of(r)) && address < end_of(r))
            return r;
    }
    return NULL;
}

static void free_reservation(ws_reservation *r)
{
    ws_reservation **place = &ws_the_driver.reservations;
    while (*place != r)
        place = &(*place)->next;
    *place = r->next;
    munmap((void *)(uintptr_t)r->at, r->bytes);
    free(r->mapping);
    free(r);
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
    WS_ENTER_DRIVER();
    ws_reservation *const r = reservation_of(address, bytes);
    if (!r || r->at != address || r->bytes != bytes || r->mappings)
        return CUDA_ERROR_INVALID_VALUE;
    free_reservation(r);
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ memory */

static ws_physical *physical_of(CUmemGenericAllocationHandle handle)
{
    return ws_handle_find((const void *)(uintptr_t)handle, WS_HANDLE_PHYSICAL);
}

static void list_physical(ws_physical *p)
{
    p->holds++;
    if (!p->listed)
        ws_handle_add(&p->handle, (uintptr_t)p, WS_HANDLE_PHYSICAL, NULL);
    p->listed = true;
}

/* Gone when nobody can name it and it has no address. */
static void drop_physical(ws_physical *p)
{
    if (!p->holds && p->listed) {
        ws_handle_remove(&p->handle);
        p->listed = false;
    }
    if (p->holds || p->mappings)
        return;
    ws_the_driver.physical_bytes -= p->bytes;
    close(p->file);
    free(p);
}

/* Memory behind a file, which it takes over. */
static CUresult make_physical(int file, uint64_t bytes, const CUmemAllocationProp *prop,
                              CUmemGenericAllocationHandle *handle)
{
    ws_physical *const p = file < 0 ? NULL : calloc(1, sizeof *p);
    if (!p) {
        if (file >= 0)
            close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    p->file = file;
    p->bytes = bytes;
    p->prop = *prop;
    ws_the_driver.physical_bytes += bytes;
    list_physical(p);
    *handle = (uintptr_t)p;
    return CUDA_SUCCESS;
}

static CUresult check_prop(const CUmemAllocationProp *prop)
{
    if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED || prop->location.type == CU_MEM_LOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE || prop->allocFlags.compressionType ||
        prop->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_NOT_SUPPORTED;
    return prop->location.id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags option)
{
    WS_ENTER_DRIVER();
    if (!granularity || (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED))
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = check_prop(prop);
    if (!result)
        *granularity = GRANULARITY;
    return result;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
                     unsigned long long flags)
{
    WS_ENTER_DRIVER();
    if (!handle || !bytes || !is_multiple(bytes) || flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_prop(prop);
    const ws_device *const device = result ? NULL : ws_driver_device(&result);
    if (!device)
        return result;
    if (bytes > ws_memory_available(device))
        return CUDA_ERROR_OUT_OF_MEMORY;
    const int file = memfd_create("warpscape device memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && (ftruncate(file, (off_t)bytes) || fcntl(file, F_ADD_SEALS, SEALS))) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    return make_physical(file, bytes, prop, handle);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    WS_ENTER_DRIVER();
    ws_physical *const p = physical_of(handle);
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    p->holds--;
    drop_physical(p);
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
    WS_ENTER_DRIVER();
    const ws_physical *const p = physical_of(handle);
    if (!prop || !p)
        return CUDA_ERROR_INVALID_VALUE;
    *prop = p->prop;
    return CUDA_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------ other processes */

CUresult cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags)
{
    WS_ENTER_DRIVER();
    const ws_physical *const p = physical_of(handle);
    if (!shareable || !p || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
        !(p->prop.requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR))
        return CUDA_ERROR_INVALID_VALUE;
    const int file = dup(p->file);
    if (file < 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    *(int *)shareable = file;
    return CUDA_SUCCESS;
}

/* The descriptor stays the program's. Ours are sealed and have a size of ours. */
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                        CUmemAllocationHandleType type)
{
    WS_ENTER_DRIVER();
    const int file = (int)(intptr_t)shareable;
    const CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    struct stat facts;
    if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
        return CUDA_ERROR_INVALID_VALUE;
    if (fstat(file, &facts) || fcntl(file, F_GET_SEALS) != SEALS || facts.st_size <= 0 ||
        !is_multiple((uint64_t)facts.st_size))
        return CUDA_ERROR_UNKNOWN; /* as driver 580 answers */
    return make_physical(fcntl(file, F_DUPFD_CLOEXEC, 0), (uint64_t)facts.st_size, &prop, handle);
}

/* ------------------------------------------------------------------------------------------------ mappings */

static const mapping *mapping_of(uint64_t address)
{
    const ws_reservation *const r = reservation_of(address, 1);
    for (size_t i = 0; r && i < r->mappings; i++) {
        if (address >= r->mapping[i].at && address - r->mapping[i].at < r->mapping[i].bytes)
            return &r->mapping[i];
    }
    return NULL;
}

/* Mappings first to *end - 1 are those of the range, whole and side by side. False when it cuts through one, or none is
 * there. */
static bool find_range(const ws_reservation *r, uint64_t address, uint64_t bytes, bool whole, size_t *first,
                       size_t *end)
{
    uint64_t covered = 0;
    *first = 0;
    while (*first < r->mappings && r->mapping[*first].at < address)
        ++*first;
    for (*end = *first; *end < r->mappings && r->mapping[*end].at - address < bytes; ++*end)
        covered += r->mapping[*end].bytes;
    if (*first && !ws_range_within(r->mapping[*first - 1].at, r->mapping[*first - 1].bytes, address))
        return false;
    const mapping *const last = *end > *first ? &r->mapping[*end - 1] : NULL;
    return last && ws_range_within(last->at - address, last->bytes, bytes) && (!whole || covered == bytes);
}

static bool is_open(const mapping *m)
{
    return m->access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

/* Where the stretch of mappings with the same rights ends that begins with mapping i. */
static size_t end_of_stretch(const ws_reservation *r, size_t i)
{
    const mapping *const m = r->mapping;
    size_t end = i + 1;
    while (end < r->mappings && m[end].access == m[i].access && m[end - 1].at + m[end - 1].bytes == m[end].at)
        end++;
    return end;
}

/* The engine forgets what it knows of the range. */
static void close_range_of(const ws_reservation *r)
{
    for (size_t i = 0; i < r->mappings; i++) {
        ws_allocation *const a = ws_handle_find((const void *)(uintptr_t)r->mapping[i].at, WS_HANDLE_MEMORY);
        if (a && a->mapped)
            ws_allocation_release(a);
    }
}

static CUresult open_stretch(const mapping *first, const mapping *last)
{
    const uint64_t at = first->at, bytes = last->at + last->bytes - at;
    const bool read_only = first->access == CU_MEM_ACCESS_FLAGS_PROT_READ;
    ws_allocation *const a = calloc(1, sizeof *a);
    if (!a || ws_device_register(ws_the_driver.device, at, bytes, read_only)) {
        free(a);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *a = (ws_allocation){.bytes = bytes, .registered = true, .mapped = true};
    ws_handle_add(&a->handle, (uintptr_t)at, WS_HANDLE_MEMORY, NULL);
    return CUDA_SUCCESS;
}

/* The engine learns the open stretches of the range. A device that is not there yet learns of all when it comes. */
static CUresult open_range_of(const ws_reservation *r)
{
    CUresult result = CUDA_SUCCESS;
    for (size_t i = 0, end; ws_the_driver.device && !result && i < r->mappings; i = end) {
        end = end_of_stretch(r, i);
        if (is_open(&r->mapping[i]))
            result = open_stretch(&r->mapping[i], &r->mapping[end - 1]);
    }
    return result;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    WS_ENTER_DRIVER();
    ws_reservation *const r = reservation_of(address, bytes);
    ws_physical *const p = physical_of(handle);
    size_t at = 0;
    if (!r || !p || !bytes || !is_multiple(bytes) || !is_multiple(address) || offset || bytes > p->bytes || flags)
        return CUDA_ERROR_INVALID_VALUE;
    while (at < r->mappings && ws_range_within(r->mapping[at].at, r->mapping[at].bytes, address))
        at++;
    if (at < r->mappings && !ws_range_within(address, bytes, r->mapping[at].at))
        return CUDA_ERROR_INVALID_VALUE;
    if (WS_GROW(r->mapping, r->mapping_room, r->mappings, 1))
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (mmap((void *)(uintptr_t)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, p->file, 0) == MAP_FAILED)
        return CUDA_ERROR_OUT_OF_MEMORY;
    memmove(r->mapping + at + 1, r->mapping + at, (r->mappings - at) * sizeof *r->mapping);
    r->mapping[at] = (mapping){address, bytes, p, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    r->mappings++;
    p->mappings++;
    return CUDA_SUCCESS;
}

/* Takes the mappings out; their addresses stay reserved. */
static void unmap(ws_reservation *r, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        mapping *const m = &r->mapping[i];
        if (mmap((void *)(uintptr_t)m->at, m->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                 -1, 0) == MAP_FAILED)
            mprotect((void *)(uintptr_t)m->at, m->bytes, PROT_NONE);
        m->memory->mappings--;
        drop_physical(m->memory);
    }
    memmove(r->mapping + first, r->mapping + end, (r->mappings - end) * sizeof *r->mapping);
    r->mappings -= end - first;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
    WS_ENTER_DRIVER();
    ws_reservation *const r = reservation_of(address, bytes);
    size_t first, end;
    if (!r || !bytes || !is_multiple(bytes) || !find_range(r, address, bytes, false, &first, &end))
        return CUDA_ERROR_INVALID_VALUE;
    close_range_of(r);
    unmap(r, first, end);
    return open_range_of(r);
}

static CUresult check_access(const CUmemAccessDesc *desc, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
            return desc[i].location.type == CU_MEM_LOCATION_TYPE_INVALID ? CUDA_ERROR_INVALID_VALUE
                                                                         : CUDA_ERROR_NOT_SUPPORTED;
        if (desc[i].location.id)
            return CUDA_ERROR_INVALID_DEVICE;
        if (desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
            desc[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* The host's part of the rights; the engine keeps kernels to theirs. */
static int protection_of(CUmemAccess_flags access)
{
    return access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
           : access == CU_MEM_ACCESS_FLAGS_PROT_READ    ? PROT_READ
                                                        : PROT_NONE;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *desc, size_t count)
{
    WS_ENTER_DRIVER();
    ws_reservation *const r = reservation_of(address, bytes);
    size_t first, end;
    if (!r || !bytes || !desc || !count || !find_range(r, address, bytes, true, &first, &end))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_access(desc, count);
    if (result)
        return result;
    const CUmemAccess_flags access = desc[count - 1].flags;
    if (mprotect((void *)(uintptr_t)address, bytes, protection_of(access)))
        return CUDA_ERROR_OUT_OF_MEMORY;
    close_range_of(r);
    for (size_t i = first; i < end; i++)
        r->mapping[i].access = access;
    return open_range_of(r);
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address)
{
    WS_ENTER_DRIVER();
    const mapping *const m = mapping_of(address);
    if (!flags || !location || !m || location->type != CU_MEM_LOCATION_TYPE_DEVICE || location->id)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = m->access;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
    WS_ENTER_DRIVER();
    const mapping *const m = mapping_of((uintptr_t)address);
    if (!handle || !m)
        return CUDA_ERROR_INVALID_VALUE;
    list_physical(m->memory);
    *handle = (uintptr_t)m->memory;
    return CUDA_SUCCESS;
}

bool ws_virtual_where(uint64_t address, char *text, size_t size)
{
    const ws_reservation *const r = reservation_of(address, 1);
    const mapping *const m = mapping_of(address);
    if (m && !is_open(m))
        snprintf(text, size,
                 "in the %llu bytes of memory that are mapped at 0x%llx without rights to them "
                 "(cuMemSetAccess)",
                 (unsigned long long)m->bytes, (unsigned long long)m->at);
    else if (r && !m)
        snprintf(text, size,
                 "in the %llu bytes of addresses that are reserved at 0x%llx, where no memory is mapped "
                 "(cuMemMap)",
                 (unsigned long long)r->bytes, (unsigned long long)r->at);
    return r && (!m || !is_open(m));
}

/* The engine's device goes, with the last context, and comes, when it is needed; what is here outlives it. */
void ws_virtual_close(void)
{
    for (const ws_reservation *r = ws_the_driver.reservations; r; r = r->next)
        close_range_of(r);
}

CUresult ws_virtual_open(void)
{
    CUresult result = CUDA_SUCCESS;
    for (const ws_reservation *r = ws_the_driver.reservations; r && !result; r = r->next)
        result = open_range_of(r);
    return result;
}
