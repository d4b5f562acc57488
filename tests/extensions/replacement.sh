# A replacement policy: docs/adding-simulator.md.
test=tests/unit/test_cache_policies.c
change model/cache/cache_replacements.def '$a REPLACEMENT( toy )'
fails 'ws_cache_replacement_toy' build
add model/cache/cache_toy.c <<'TOY'
/* cache_toy.c - a toy: new lines are the next to go. */
#include "model/cache/cache_internal.h"

static void insert(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    (void)use;
    ws_chain_put(set->chain, set->ways, way, 0);
}

const ws_cache_replacement ws_cache_replacement_toy = {
    .name = "toy",
    .summary = "as lru, but new lines are the next to go",
    .chain = true,
    .renews = true,
    .insert = insert,
};
TOY
fails 'toy does what lru does' unit cache_policies
change model/cache/cache_toy.c 's/way, 0\)/way, set->ways)/'
fails 'toy has no model' unit cache_policies
change $test \
    's/^    bool first_in;/    bool never;\n&/' \
    's/second && !is_lucky\(m\)/second \&\& (m->never || !is_lucky(m))/' \
    's/^    \{\.name = "dip"/    {.name = "toy", .model = {.bimodal = true}},\n&/'
fails 'published_policies_do_as_their_models' unit cache_policies
change $test 's/"toy", .model = \{/&.never = true, /'
passes unit cache_policies
fails 'docs/simulator*.md does not say what l1.replacement = toy is' unit kinds
change docs/simulator-memory.md '$a The replacement `toy` is one.'
passes unit kinds
passes check rows
passes build
