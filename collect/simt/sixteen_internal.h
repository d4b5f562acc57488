/* sixteen_internal.h - atomic read, write and compare-and-swap of 16 bytes, safe with concurrent workers.
 *
 * Processors with AVX access aligned vectors atomically (Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 3, 9.1.1; AMD64 Architecture Programmer's Manual, volume 2, 7.3.2), and all of them have cmpxchg16b.
 * Other processors use a lock for both. So does ThreadSanitizer, which must see an order. */
#ifndef WS_SIXTEEN_INTERNAL_H
#define WS_SIXTEEN_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
typedef long long two __attribute__((vector_size(16)));

static inline bool has_sixteen(void)
{
    return __builtin_cpu_supports("avx");
}

static inline void move_sixteen(void *to, const void *from)
{
    two value;
    __asm__ volatile("movdqa %1, %0" : "=x"(value) : "m"(*(const two *)from));
    __asm__ volatile("movdqa %1, %0" : "=m"(*(two *)to) : "x"(value));
}

/* Stores `now` if the present value is `expected` or that is NULL; old: the previous value. */
static inline void swap_sixteen(void *at, const uint64_t now[2], const uint64_t *expected, uint64_t old[2])
{
    bool done = false;                /* initialised, because some analysers ignore writes by assembly */
    memcpy(old, at, 2 * sizeof *old); /* a guess, perhaps torn */
    do {
        const bool changes = !expected || (old[0] == expected[0] && old[1] == expected[1]);
        const uint64_t *const next = changes ? now : old;
        const uint64_t low = next[0], high = next[1];
        __asm__ volatile("lock cmpxchg16b %1"
                         : "=@ccz"(done), "+m"(*(two *)at), "+a"(old[0]), "+d"(old[1])
                         : "b"(low), "c"(high)
                         : "memory");
    } while (!done);
}
#else
static inline bool has_sixteen(void)
{
    return false;
}

static inline void move_sixteen(void *to, const void *from)
{
    memcpy(to, from, 16);
}

static inline void swap_sixteen(void *at, const uint64_t now[2], const uint64_t *expected, uint64_t old[2])
{
    memcpy(old, at, 2 * sizeof *old);
    if (!expected || (old[0] == expected[0] && old[1] == expected[1]))
        memcpy(at, now, 2 * sizeof *now);
}
#endif

#endif
