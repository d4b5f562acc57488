/* readable.c - can this memory be read? Pointers and sizes in a fat binary come from a file, and may lie. */
#include "collect/fatbin/fatbin_internal.h"

#include "base/bounds.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE = 4096, AT_ONCE = 512 };

/* One byte of each of n pages; a page that cannot be read ends the transfer. */
static bool pages_readable(uintptr_t first, size_t n)
{
    char into[AT_ONCE];
    struct iovec page[AT_ONCE];
    for (size_t i = 0; i < n; i++)
        page[i] = (struct iovec){(void *)(first + i * PAGE), 1};
    const struct iovec local = {into, n};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, page, n, 0);
    if (got >= 0 || errno == EFAULT)
        return got == (ssize_t)n;
    /* Where that call is forbidden: at least mapped. */
    unsigned char resident[AT_ONCE];
    return mincore((void *)first, n * PAGE, resident) == 0;
}

bool ws_memory_readable(const void *at, uint64_t bytes)
{
    const uintptr_t begin = (uintptr_t)at;
    if (!begin || !ws_range_within(begin, bytes, UINTPTR_MAX))
        return false;
    if (!bytes)
        return true;
    const uintptr_t last = (begin + bytes - 1) / PAGE * PAGE;
    for (uintptr_t page = begin / PAGE * PAGE; page <= last;) {
        const uint64_t left = (last - page) / PAGE + 1;
        const size_t n = left < AT_ONCE ? (size_t)left : AT_ONCE;
        if (!pages_readable(page, n))
            return false;
        if (last - page < n * (uint64_t)PAGE)
            break;
        page += n * PAGE;
    }
    return true;
}
