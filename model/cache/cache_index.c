/* cache_index.c - to which set does a block belong? Block numbers are addresses divided by the size of a line. */
#include "model/cache/cache_internal.h"

#include "base/set_index.h"

static bool power_of_two(ws_cache_plan *plan, const uint64_t *values)
{
    (void)values;
    plan->bits = (uint32_t)__builtin_ctz(plan->sets);
    return (plan->sets & (plan->sets - 1)) == 0;
}

/* A division can often be spared. */
static bool any_sets(ws_cache_plan *plan, const uint64_t *values)
{
    plan->low = power_of_two(plan, values);
    return true;
}

static uint32_t linear(const ws_cache_plan *plan, uint64_t block)
{
    return (uint32_t)(block % plan->sets);
}

const ws_cache_index ws_cache_index_linear = {
    .name = "linear",
    .low_bits = true,
    .summary = "the block modulo the number of sets",
    .sets_needed = "at least 1",
    .prepare = any_sets,
    .set_of = linear,
};

static uint32_t exclusive_or(const ws_cache_plan *plan, uint64_t block)
{
    return ws_set_xor(block, plan->bits);
}

const ws_cache_index ws_cache_index_xor = {
    .name = "xor",
    .summary = "the lowest bits, and as many above them, one by one",
    .sets_needed = "a power of two",
    .prepare = power_of_two,
    .set_of = exclusive_or,
};

static bool fermi_sets(ws_cache_plan *plan, const uint64_t *values)
{
    return power_of_two(plan, values) && (plan->sets == 32 || plan->sets == 64);
}

static uint32_t fermi(const ws_cache_plan *plan, uint64_t block)
{
    return ws_set_fermi(block, plan->bits);
}

const ws_cache_index ws_cache_index_fermi = {
    .name = "fermi",
    .summary = "the hash of NVIDIA's Fermi",
    .sets_needed = "32 or 64",
    .prepare = fermi_sets,
    .set_of = fermi,
};

/* Rau, "Pseudo-Randomly Interleaved Memory", ISCA 1991: the block's bits are a polynomial over GF(2), the set is its
 * remainder by an irreducible polynomial. Polynomials, and how many bits of the block enter, are those of GPGPU-Sim 4.2
 * (Khairy and others, "Accel-Sim", ISCA 2020), which has them for these numbers of sets alone. */
static const struct {
    uint32_t sets, polynomial, bits;
} polynomials[] = {
    {16, 19, 17}, /* x^4 + x + 1 */
    {32, 37, 20}, /* x^5 + x^2 + 1 */
    {64, 67, 25}, /* x^6 + x + 1 */
};

/* value[i]: the bits of a block that bit i of its set adds up. */
static void prepare_rows(ws_cache_plan *plan, uint32_t polynomial, uint32_t bits)
{
    uint32_t remainder = 1; /* of x^bit */
    for (uint32_t bit = 0; bit < bits; bit++) {
        for (uint32_t i = 0; i < plan->bits; i++)
            plan->value[i] |= (uint64_t)(remainder >> i & 1) << bit;
        remainder <<= 1;
        if (remainder & plan->sets)
            remainder ^= polynomial;
    }
}

static bool polynomial_sets(ws_cache_plan *plan, const uint64_t *values)
{
    for (size_t i = 0; i < sizeof polynomials / sizeof *polynomials; i++) {
        if (polynomials[i].sets != plan->sets)
            continue;
        power_of_two(plan, values);
        prepare_rows(plan, polynomials[i].polynomial, polynomials[i].bits);
        return true;
    }
    return false;
}

static uint32_t remainder_of(const ws_cache_plan *plan, uint64_t block)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < plan->bits; i++)
        set |= (uint32_t)__builtin_parityll(block & plan->value[i]) << i;
    return set;
}

const ws_cache_index ws_cache_index_ipoly = {
    .name = "ipoly",
    .summary = "the remainder by an irreducible polynomial",
    .sets_needed = "16, 32 or 64",
    .prepare = polynomial_sets,
    .set_of = remainder_of,
};
