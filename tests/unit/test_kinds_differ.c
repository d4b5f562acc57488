/* test_kinds_differ.c - no row of a kind of component is another one under a second name: of any two, some machine does
 * other things with one than with the other. The walk is over kinds.def, so a new row is held to it by itself. */
#include "sim_random.h"

#include "model/machine/kinds.h"
#include "model/sim/sim_activity.h"

enum { MOST_ROWS = 32, MOST_TRIES = 48 };

/* Indices are for different numbers of sets, replacements for different levels: test_cache.c and test_cache_policies.c
 * compare them where they meet. */
static bool is_of_caches(const ws_kind *kind)
{
    return !strcmp(kind->word, "index") || !strcmp(kind->word, "replacement");
}

typedef struct outcome {
    bool runs;
    ws_sim_sums sums;
    ws_activity activity;
} outcome;

/* The machine of this try with that row, and nothing else that only another row has. */
static void make(ws_machine *m, const ws_kind *kind, size_t row, unsigned seed)
{
    const char *const protocol = seed % 2 ? protocols[seed / 2 % PROTOCOLS] : "none";
    random_machine(m, protocol, seed);
    kind->take(m, row);
    m->l1.count = m->l2.count = m->atomics.count = 0;
    m->l1_bypass = 0;
    m->l1_bypass_mshr = 1;
    if (!strcmp(protocol, "none"))
        suit_the_l1(m);
    m->l1_sets = m->l2_sets = 8;
    m->l3_size = 4 * m->l3_ways * LINE;
}

/* Every second time fences are of a block; every seventh time there is one block, so other chips have no copies. */
static script *make_script(unsigned seed)
{
    static ws_instr narrow[sizeof script_instrs / sizeof *script_instrs];
    script *const s = random_script(seed, seed % 7 == 3 ? 1 : 6, 96, 64, 40);
    memcpy(narrow, script_instrs, sizeof narrow);
    for (size_t i = 0; i < s->launch.instrs; i++)
        if (narrow[i].fence)
            narrow[i].scope = WS_SCOPE_CTA;
    if (seed / 2 % 2)
        s->launch.instr = narrow;
    return s;
}

enum { LAUNCHES = 2 }; /* some rows only do something between launches */

static void try_row(const ws_kind *kind, size_t row, unsigned seed, outcome *out)
{
    ws_machine m;
    ws_sim *sim;
    memset(out, 0, sizeof *out);
    make(&m, kind, row, seed);
    if (script_create(&m, NULL, &sim))
        return;
    script *launch[LAUNCHES];
    for (unsigned i = 0; i < LAUNCHES; i++) {
        launch[i] = make_script(seed);
        if (script_run(sim, launch[i], 1000))
            fail_msg("%s", ws_message());
    }
    out->runs = true;
    ws_sim_sum(sim, &out->sums);
    ws_sim_activity(sim, &out->activity);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    for (unsigned i = 0; i < LAUNCHES; i++)
        launch[i]->source.ops->destroy(&launch[i]->source);
}

static bool differ(const outcome *a, const outcome *b)
{
    return memcmp(&a->sums, &b->sums, offsetof(ws_sim_sums, greatest_timestamp)) != 0 ||
           memcmp(&a->sums.package, &b->sums.package, sizeof a->sums.package) != 0 ||
           memcmp(&a->activity, &b->activity, sizeof a->activity) != 0;
}

static bool is_apart(const bool apart[MOST_ROWS][MOST_ROWS], size_t row, size_t rows)
{
    for (size_t k = 0; k < rows; k++)
        if (k != row && !apart[row > k ? row : k][row > k ? k : row])
            return false;
    return true;
}

static void rows_of(const ws_kind *kind)
{
    static outcome did[MOST_ROWS];
    bool apart[MOST_ROWS][MOST_ROWS] = {{false}};
    size_t rows = 0, left = 1;
    while (kind->name(rows))
        rows++;
    assert_true(rows <= MOST_ROWS);
    for (unsigned seed = 0; seed < MOST_TRIES && left; seed++) {
        left = 0;
        for (size_t i = 0; i < rows; i++)
            if (!is_apart(apart, i, rows))
                try_row(kind, i, seed, &did[i]);
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < i; k++) {
                apart[i][k] |= did[i].runs && did[k].runs && differ(&did[i], &did[k]);
                left += !apart[i][k];
            }
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < i; k++)
            if (!apart[i][k])
                fail_msg("%s.%s: %s does what %s does on every machine here", kind->section, kind->word, kind->name(i),
                         kind->name(k));
}

static void no_row_is_another(void **state)
{
    (void)state;
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        if (kind->summary && !is_of_caches(kind))
            rows_of(kind);
}

int main(int argc, char **argv)
{
    sim_random_begin(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_row_is_another)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
