/* cache_fup.c - an index that is a permutation of the lanes of a warp, whatever power of two is between them.
 *
 * Full permutation: Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", Auburn 2015,
 * section 3.2.2. The bits in which the lines of a warp can differ (28 of them for 16 GB of lines of 128 bytes) are cut
 * into four groups, three of them as wide as the index and the fourth with what is left at the top; the groups are
 * added bit by bit. A fourth group that is wider than the index is brought to its width by the remainder by a prime:
 * the largest one below the number of sets, which the document leaves open. Strides that are no powers of two can
 * defeat it: 33 lines do. */
#include "model/cache/cache_internal.h"

enum { FEATURES };             /* options */
enum { TOP, PRIME, TOP_MASK }; /* of the plan: first bit of the fourth group; 0: no remainder */
enum { GROUPS = 4, MOST_BITS = 64 };

static const ws_option options[] = {
    [FEATURES] =
        {"features", "bits", 28, 4, 56,
         "of the block in which lines of a load can differ; fewer than four times the bits of the index count as that"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static bool prepare(ws_cache_plan *plan, const uint64_t *values)
{
    plan->bits = (uint32_t)__builtin_ctz(plan->sets);
    if ((plan->sets & (plan->sets - 1)) || plan->sets < 4 || GROUPS * plan->bits > MOST_BITS)
        return false;
    const bool wide = values[FEATURES] > GROUPS * plan->bits;
    const uint64_t all = wide ? values[FEATURES] : GROUPS * plan->bits;
    plan->value[TOP] = (GROUPS - 1) * plan->bits;
    plan->value[PRIME] = wide ? ws_prime_below(plan->sets) : 0;
    plan->value[TOP_MASK] = (UINT64_C(1) << (all - plan->value[TOP])) - 1;
    return true;
}

static uint32_t permute(const ws_cache_plan *plan, uint64_t block)
{
    const uint64_t top = block >> plan->value[TOP] & plan->value[TOP_MASK];
    const uint64_t folded = plan->value[PRIME] ? top % plan->value[PRIME] : top;
    return (uint32_t)((block ^ block >> plan->bits ^ block >> 2 * plan->bits ^ folded) & (plan->sets - 1));
}

const ws_cache_index ws_cache_index_fup = {
    .name = "fup",
    .summary = "four groups of bits added one by one: lanes that are a power of two apart have a set each",
    .options = options,
    .sets_needed = "a power of two, 4 to 65536",
    .prepare = prepare,
    .set_of = permute,
};
