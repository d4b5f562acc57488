/* test_sim_rows.c - every row of every table of the cycle simulator runs, caches of every kind under protocols also. */
#include "sim_random.h"
#include "tests/unit/machine_word.h"

#include "model/machine/kinds.h"

/* The least number of sets for which there are this index and this replacement; 0: none. */
static uint32_t sets_for(size_t index, size_t replacement)
{
    ws_cache cache;
    const ws_cache_choice choice = {.index = ws_cache_index_at(index)->name,
                                    .replacement = ws_cache_replacement_at(replacement)->name};
    for (uint32_t sets = 1; sets <= 1024; sets++)
        if (ws_cache_setup(&cache, &choice, sets, 2, false) == WS_OK)
            return sets;
    return 0;
}

/* A launch on caches of 64 lines whose sets are as few as the index allows. Copies that hold values are checked. */
static void run_caches(const char *protocol, size_t index, size_t replacement)
{
    ws_machine m;
    random_machine(&m, protocol, (unsigned)(index + replacement));
    m.chip_sms = 2;
    m.l1_sets = m.l2_sets = sets_for(index, replacement);
    assert_true(m.l1_sets > 0);
    m.l1_ways = m.l1_sets < 16 ? 16 / m.l1_sets : 1;
    m.l2_ways = 2 * m.l1_ways;
    machine_word(&m, l1_index, ws_cache_index_at(index)->name);
    m.l2_index = m.l1_index;
    const ws_cache_replacement *const r = ws_cache_replacement_at(replacement);
    machine_word(&m, l1_replacement, is_elsewhere(r, WS_CACHE_IN_L1) ? "lru" : r->name);
    machine_word(&m, l2_replacement, is_elsewhere(r, WS_CACHE_IN_L2) ? "lru" : r->name);
    suit_the_l1(&m);
    random_options(&m, (unsigned)(3 * index + replacement));
    random_knowledge(&m, (unsigned)(2 + index));
    const bool plain = strcmp(protocol, "none") == 0;
    const ws_sim_options options = {.check = !plain};
    if (!plain && ws_cache_replacement_at(replacement)->bypasses) {
        ws_sim *sim;
        assert_int_equal(script_create(&m, &options, &sim), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "bypasses some blocks"));
        return;
    }
    script *const s = random_script((unsigned)index, 4, 64, 24, 100);
    const uint64_t instructions = instructions_of(s);
    const ws_sim_sums d = run_whole(&m, &options, s, 1000);
    assert_int_equal(d.sm.warp_instructions, instructions);
    assert_int_equal(d.request.packets_in, d.request.packets_out);
    assert_int_equal(d.messages[WS_MESSAGE_DRAM_READ], d.messages[WS_MESSAGE_DRAM_FILL]);
    assert_int_equal(d.l1.loads + d.l1.stores + d.l1.atomics, d.l1.hits + d.l1.misses + d.l1.merged);
    assert_true(strcmp(protocol, "bl") == 0 || d.l1.evictions + (r->bypasses ? d.l1.bypassed + d.l1.off : 0) > 0);
}

/* Every index with every replacement, each pair under some protocol; --more: under every one. */
static void test_every_cache_with_every_protocol(void **state)
{
    (void)state;
    const unsigned walks = PROTOCOLS / SKIP, apart = SKIP * thrift < walks ? SKIP * thrift : walks;
    for (unsigned i = 0; i < PROTOCOLS; i += SKIP)
        for (size_t index = 0; ws_cache_index_at(index); index++)
            for (size_t replacement = (index + i / SKIP) % apart; ws_cache_replacement_at(replacement);
                 replacement += apart)
                run_caches(protocols[i], index, replacement);
}

static bool can_be_made(const ws_machine *m)
{
    ws_sim *sim;
    if (script_create(m, NULL, &sim)) {
        assert_true(strlen(ws_message()) > 20);
        return false;
    }
    ws_sim_destroy(sim);
    return true;
}

/* Is the row a replacement that this level cannot have? test_sharing_caches.c has that they are refused. */
static bool is_of_another_level(const ws_kind *kind, size_t row)
{
    const ws_cache_replacement *const r =
        strcmp(kind->word, "replacement") ? NULL : ws_cache_replacement_find(kind->name(row));
    return r && is_elsewhere(r, (uint8_t)(WS_CACHE_IN_L1 << (kind->section[1] - '1')));
}

/* Every row of every kind runs, with plain caches or under a protocol, or under both; where it is refused, a line says
 * why. */
static void test_every_row(void **state)
{
    (void)state;
    static const char *const either[] = {"none", "gtsc-rc"};
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++)
        for (size_t row = 0; kind->name(row); row++) {
            unsigned runs = 0;
            const unsigned first = thrift > 1 ? (i + row) % 2 : 0, last = thrift > 1 ? first : 1; /* --more: both */
            for (unsigned k = first; k <= last || (!runs && k < 32); k++) { /* what the rest is may not go with it */
                ws_machine m;
                random_machine(&m, either[k % 2], (unsigned)(i + row) + k / 2);
                kind->take(&m, row);
                if (is_of_another_level(kind, row)) {
                    runs++;
                    continue;
                }
                if (k % 2 == 0)
                    suit_the_l1(&m);
                if (!strcmp(kind->section, "l1")) { /* what was chosen for another row */
                    m.l1.count = 0;
                    m.l1_bypass = 0;
                }
                if (!strcmp(kind->word, "atomics"))
                    m.atomics.count = 0;
                m.l3_size = 4 * m.l3_ways * LINE;
                if (!can_be_made(&m)) { /* some indices are only for so many sets */
                    m.l1_sets = m.l2_sets = 32;
                    m.l3_size = 32 * m.l3_ways * LINE;
                    if (!can_be_made(&m))
                        continue;
                }
                script *const s = random_script((unsigned)row, 4, 64, 16, 12);
                const uint64_t instructions = instructions_of(s);
                const ws_sim_sums d = run_whole(&m, NULL, s, 1000);
                assert_int_equal(d.sm.warp_instructions, instructions);
                assert_int_equal(d.request.packets_in, d.request.packets_out);
                runs++;
            }
            if (!runs)
                fail_msg("%s.%s = %s runs nowhere: %s", kind->section, kind->word, kind->name(row), ws_message());
        }
}

int main(int argc, char **argv)
{
    sim_random_begin(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cache_with_every_protocol),
        cmocka_unit_test(test_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
