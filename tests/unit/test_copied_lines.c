/* Lines that the host wrote: how long they are in L2. */
#include "base/status.h"
#include "collect/trace/copies.h"
#include "model/sim/memory/memory_image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = 0xff };

static void sectors_count_by_themselves(void **state)
{
    (void)state;
    ws_copied_lines c = ws_copied_lines_of(4);
    assert_false(ws_copied_lines_take(&c, 7, 0, ALL));
    assert_int_equal(ws_copied_lines_add(&c, 7, 0x0f), WS_OK);
    assert_int_equal(ws_copied_lines_add(&c, 8, ALL), WS_OK);
    assert_false(ws_copied_lines_take(&c, 7, 0xf0, ALL)); /* the other half */
    assert_true(ws_copied_lines_take(&c, 7, 0x03, ALL));
    assert_true(ws_copied_lines_take(&c, 7, 0x0c, ALL));
    assert_false(ws_copied_lines_take(&c, 7, 0x0c, ALL)); /* the cache has it now */
    assert_true(ws_copied_lines_take(&c, 8, 0, ALL));
    assert_int_equal(c.lines, 0);
    ws_copied_lines_fini(&c);
}

/* The newest are there, less what has been read since. */
static void there_is_room_for_so_many(void **state)
{
    (void)state;
    enum { MOST = 16 };
    ws_copied_lines c = ws_copied_lines_of(MOST);
    for (uint64_t l = 0; l < 100; l++)
        assert_int_equal(ws_copied_lines_add(&c, l, ALL), WS_OK);
    assert_int_equal(c.lines, MOST);
    for (uint64_t l = 0; l < 5; l++)
        assert_false(ws_copied_lines_take(&c, l, 0, ALL)); /* five that push out five */
    for (uint64_t l = 84; l < 89; l++)
        assert_false(ws_copied_lines_take(&c, l, 0, ALL));
    assert_int_equal(c.lines, MOST - 10);
    for (uint64_t l = 94; l < 100; l++)
        assert_true(ws_copied_lines_take(&c, l, 0, ALL));
    assert_int_equal(c.lines, 0);
    ws_copied_lines_fini(&c);
}

/* Random writes and reads, beside a list that is searched. */
static void as_a_list(void **state)
{
    (void)state;
    enum { MOST = 40, LINES = 100, STEPS = 20000 };
    ws_copied_lines c = ws_copied_lines_of(MOST);
    uint64_t list[LINES], count = 0, read = 0, seed = 5;
    for (unsigned k = 0; k < STEPS; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint64_t line = (seed >> 33) % LINES;
        size_t at = 0;
        while (at < count && list[at] != line)
            at++;
        const bool is_known = at < count;
        if (is_known)
            memmove(list + at, list + at + 1, (--count - at) * sizeof *list);
        if (seed >> 60 < 6) {
            assert_int_equal(ws_copied_lines_add(&c, line, ALL), WS_OK);
            list[count++] = line;
        } else {
            const bool is_there = ws_copied_lines_take(&c, line, 0, ALL);
            assert_int_equal(is_there, is_known);
            read += count || is_known;
        }
        while (count && count + read > MOST)
            memmove(list, list + 1, --count * sizeof *list);
        if (!count)
            read = 0;
        assert_int_equal(c.lines, count);
        if (k % 1000 == 999) { /* and it goes on as saved */
            ws_bytes bytes = {0};
            ws_copied_lines_save(&c, &bytes);
            ws_copied_lines again = ws_copied_lines_of(MOST);
            ws_reader reader = {.next = bytes.data, .end = bytes.data + bytes.length};
            assert_int_equal(ws_copied_lines_load(&again, &reader), WS_OK);
            assert_true(reader.next == reader.end && !reader.failed);
            ws_copied_lines_fini(&c);
            c = again;
            ws_bytes_fini(&bytes);
        }
    }
    assert_true(c.room < 4 * LINES); /* what does not count any more is forgotten */
    ws_copied_lines_fini(&c);
}

static void ranges(void **state)
{
    (void)state;
    ws_copies c = {0};
    assert_int_equal(ws_copies_add(&c, 100, 0), WS_OK);
    assert_int_equal(c.count, 0);
    assert_int_equal(ws_copies_add(&c, 100, 20), WS_OK);
    assert_int_equal(ws_copies_add(&c, 120, 5), WS_OK);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.list[0].bytes, 25);
    for (uint64_t i = 0; i < 2 * WS_COPIES_MOST; i++)
        assert_int_equal(ws_copies_add(&c, 1000 + 10 * i, 1), WS_OK);
    assert_true(c.count <= WS_COPIES_MOST && c.count >= WS_COPIES_MOST / 2);
    assert_true(c.list[c.count - 1].address == 1000 + 10 * (2 * (uint64_t)WS_COPIES_MOST - 1)); /* the newest */
    ws_copies_fini(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_count_by_themselves),
        cmocka_unit_test(there_is_room_for_so_many),
        cmocka_unit_test(as_a_list),
        cmocka_unit_test(ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
