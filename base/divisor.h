/* divisor.h - division optimized for divisors that are powers of two. */
#ifndef WS_DIVISOR_H
#define WS_DIVISOR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_divisor {
    uint64_t by; /* not 0 */
    uint8_t shift;
    bool is_power;
} ws_divisor;

static inline ws_divisor ws_divisor_of(uint64_t by)
{
    return (ws_divisor){.by = by, .shift = (uint8_t)__builtin_ctzll(by), .is_power = (by & (by - 1)) == 0};
}

static inline uint64_t ws_quotient(const ws_divisor *d, uint64_t n)
{
    return d->is_power ? n >> d->shift : n / d->by;
}

static inline uint64_t ws_remainder(const ws_divisor *d, uint64_t n)
{
    return d->is_power ? n & (d->by - 1) : n % d->by;
}

#endif
