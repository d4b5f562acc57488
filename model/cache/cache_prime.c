/* cache_prime.c - indices by a remainder, for strides that meet in a power of two.
 *
 * Kharbutli, Irwin, Solihin, Lee, "Using Prime Numbers for Cache Indexing to Eliminate Conflict Misses", HPCA 2004: the
 * remainder by a prime, and the displacement of a set by a multiple of the tag. Wang, "Mitigating GPU Memory Divergence
 * for Data-Intensive Applications", Auburn 2015, section 3.3, takes both by the largest prime below the number of sets,
 * the displacement of 2004 is by the number of sets itself. */
#include "model/cache/cache_internal.h"

#include "base/status.h"

uint32_t ws_prime_below(uint32_t limit)
{
    for (uint32_t n = limit - 1; limit && n > 1; n--) {
        uint32_t divisor = 2;
        while (divisor * divisor <= n && n % divisor)
            divisor++;
        if (divisor * divisor > n)
            return n;
    }
    return 0;
}

/* --- pmod --- */

enum { PRIME };

static bool modulo_prepare(ws_cache_plan *plan, const uint64_t *values)
{
    (void)values;
    plan->value[PRIME] = ws_prime_below(plan->sets);
    return plan->value[PRIME] != 0;
}

static uint32_t modulo_prime(const ws_cache_plan *plan, uint64_t block)
{
    return (uint32_t)(block % plan->value[PRIME]);
}

const ws_cache_index ws_cache_index_pmod = {
    .name = "pmod",
    .summary = "the block modulo the largest prime below the number of sets; the sets above it stay empty",
    .sets_needed = "at least 3, so that a prime is below",
    .spares = true,
    .prepare = modulo_prepare,
    .set_of = modulo_prime,
};

/* --- pdisp --- */

enum { MODULUS, FACTOR }; /* of the plan */
enum { MULTIPLIER, POWER };

static const ws_option displacement_options[] = {
    [MULTIPLIER] = {"multiplier", "", 7, 1, 65535, "of the bits above those of the index; no multiple of the modulus"},
    [POWER] = {"power", "", 0, 0, 1,
               "modulus: 0: the largest prime below the number of sets; 1: that number, with an odd multiplier"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static bool displacement_prepare(ws_cache_plan *plan, const uint64_t *values)
{
    plan->bits = (uint32_t)__builtin_ctz(plan->sets);
    plan->value[MODULUS] = values[POWER] ? plan->sets : ws_prime_below(plan->sets);
    plan->value[FACTOR] = values[MULTIPLIER];
    return (plan->sets & (plan->sets - 1)) == 0 && plan->value[MODULUS] > 1;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int displacement_configure(const ws_cache_plan *plan, const uint64_t *values)
{
    if (common_divisor(values[MULTIPLIER], plan->value[MODULUS]) == 1)
        return WS_OK;
    return ws_fail(WS_EINPUT, "multiplier is %llu, expected no common divisor with the modulus of index pdisp, %llu",
                   (unsigned long long)values[MULTIPLIER], (unsigned long long)plan->value[MODULUS]);
}

static uint32_t displace(const ws_cache_plan *plan, uint64_t block)
{
    const uint64_t modulus = plan->value[MODULUS], low = block & (plan->sets - 1);
    return (uint32_t)(((block >> plan->bits) % modulus * plan->value[FACTOR] + low) % modulus);
}

const ws_cache_index ws_cache_index_pdisp = {
    .name = "pdisp",
    .summary = "the lowest bits, plus a multiple of those above them, modulo a prime",
    .options = displacement_options,
    .sets_needed = "a power of two, with a prime below it: at least 4; with power 1 at least 2",
    .spares = true,
    .prepare = displacement_prepare,
    .configure = displacement_configure,
    .set_of = displace,
};
