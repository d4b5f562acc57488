/* How L1 and shared memory divide the memory of an SM, and how rounds of L2 slices are scattered. */
#include "model/cache/slice_map.h"
#include "base/status.h"
#include "model/machine/carveout.h"
#include "model/machine/machine.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>

#include <cmocka.h>

enum { KB = 1024 };

static ws_machine *machine_of(const char *text)
{
    ws_machine *m;
    if (ws_machine_parse("data", "m.ini", text, strlen(text), &m))
        fail_msg("%s", ws_message());
    return m;
}

/* Volta: 128 KB; a launch gets the smallest size that it needs (CUDA C++ Programming Guide, 7.x). */
static void the_rest_is_for_the_l1(void **state)
{
    (void)state;
    ws_machine *const m =
        machine_of("[sm]\nshared = 96 KB\n[l1]\nsets = 4\nways = 256\nline = 128 bytes\nunified = 128 KB\n"
                   "shared = 0,8,16,32,64,96\n");
    static const struct {
        uint32_t needed, left; /* KB */
    } table[] = {{0, 128}, {1, 120}, {8, 120}, {9, 112}, {16, 112}, {17, 96}, {33, 64}, {64, 64}, {65, 32}, {96, 32}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(ws_carveout_ways(m, table[i].needed * KB), table[i].left * 2);
    assert_int_equal(ws_carveout_ways(m, 8 * KB + 1), 112 * 2);
    ws_machine_destroy(m);
    ws_machine *const fixed = machine_of("[l1]\nways = 7\n");
    assert_int_equal(ws_carveout_ways(fixed, 48 * KB), 7);
    ws_machine_destroy(fixed);
    ws_machine *const all =
        machine_of("[sm]\nshared = 64 KB\n[l1]\nsets = 4\nways = 128\nunified = 64 KB\nshared = 64\n");
    assert_int_equal(ws_carveout_ways(all, 0), 1); /* nothing is left: one way */
    ws_machine_destroy(all);
}

static void what_does_not_go_together_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } table[] = {
        {"[l1]\nshared = 8,4\n", "m.ini:2:10: l1.shared = 8,4: expected sizes in KB that grow"},
        {"[l1]\nshared = 8,,9\n", "m.ini:2:10: l1.shared = 8,,9: expected sizes in KB that grow"},
        {"[l1]\nshared = 8,\n", "m.ini:2:10: l1.shared = 8,: expected sizes in KB that grow"},
        {"[l1]\nunified = 64 KB\nshared = 0,16\n",
         "m.ini:3:10: l1.shared = 0,16: expected as last size at least sm.shared"},
        {"[l1]\nunified = 64 KB\nshared = 0,80\n",
         "m.ini:3:10: l1.shared = 0,80: expected as last size at least sm.shared"},
        {"[l1]\nunified = 64 KB\nshared = 0,48\n",
         "m.ini:2:11: l1.unified = 65536 bytes: expected the product of [l1] sets, ways and line, 16384 bytes"},
        {"[l1]\nsets = 4\nways = 128\nunified = 64 KB\nshared = 0,48\nflush = 0\n",
         "m.ini:6:9: l1.flush = 0: an L1 whose size changes"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        ws_machine *m;
        assert_int_equal(ws_machine_parse("data", "m.ini", table[i].text, strlen(table[i].text), &m), WS_EINPUT);
        if (strncmp(ws_message(), table[i].message, strlen(table[i].message)))
            fail_msg("%s\nexpected %s", ws_message(), table[i].message);
    }
}

/* Every line has one place, each slice has one stripe of a round, and strides of a power of two reach all slices. */
static void scattered_rounds(void **state)
{
    (void)state;
    static const uint32_t slices[] = {9, 16, 24, 32, 48, 64};
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        ws_slice_map map = ws_slice_map_make(1, slices[i], 2, 32, false);
        assert_true(ws_slice_map_scatter(&map));
        uint64_t seen = 0;
        for (uint64_t line = 0; line < 40000; line++) {
            const uint32_t slice = ws_slice_map_slice(&map, line);
            assert_true(slice < slices[i]);
            assert_true(ws_slice_map_has(&map, slice, line));
            assert_true(ws_slice_map_line(&map, slice, ws_slice_map_local(&map, line)) == line);
            seen = line % (2 * slices[i]) ? seen : 0;
            seen |= UINT64_C(1) << slice;
            if (line % (2 * slices[i]) == 2 * slices[i] - 1)
                assert_true(seen == (slices[i] == 64 ? UINT64_MAX : (UINT64_C(1) << slices[i]) - 1));
        }
        uint64_t reached = 0;
        for (uint64_t line = 0; line < 1 << 20; line += 2 * slices[i])
            reached |= UINT64_C(1) << ws_slice_map_slice(&map, line);
        assert_true(__builtin_popcountll(reached) == (int)slices[i]);
    }
    ws_slice_map few = ws_slice_map_make(1, 8, 2, 32, false), many = ws_slice_map_make(1, 65, 2, 32, false);
    assert_false(ws_slice_map_scatter(&few));
    assert_false(ws_slice_map_scatter(&many));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_is_for_the_l1),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(scattered_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
