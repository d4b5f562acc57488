/* test_grow.c - do arrays grow, keep what is in them, and refuse what cannot be? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

static void items_stay(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    uint64_t *item = NULL;
    size_t room = 0, count = 0, moves = 0;
    for (; count < MANY; count++) {
        const size_t before = room;
        assert_int_equal(WS_GROW(item, room, count, 1), WS_OK);
        assert_true(room > count);
        moves += room != before;
        item[count] = count * count;
    }
    for (size_t i = 0; i < count; i++)
        assert_true(item[i] == i * i);
    assert_true(moves < 20); /* it doubles */
    free(item);
}

/* As much as is asked for, at once; nothing for nothing. */
static void many_at_once(void **state)
{
    (void)state;
    char *item = NULL;
    uint32_t room = 0;
    const size_t nothing = 0;
    assert_int_equal(WS_GROW(item, room, 0, nothing), WS_OK);
    assert_null(item);
    assert_int_equal(WS_GROW(item, room, 0, 1000), WS_OK);
    assert_true(room >= 1000);
    memset(item, 'x', 1000);
    const uint32_t before = room;
    assert_int_equal(WS_GROW(item, room, 1000, before - 1000), WS_OK);
    assert_int_equal(room, before);
    assert_int_equal(WS_GROW(item, room, 1000, 100000), WS_OK);
    assert_true(room >= 101000 && item[999] == 'x');
    free(item);
}

/* Freed and set to NULL, an array begins anew, whatever its room was. */
static void begins_anew(void **state)
{
    (void)state;
    int *item = NULL;
    size_t room = 0;
    assert_int_equal(WS_GROW(item, room, 0, 100), WS_OK);
    free(item);
    item = NULL;
    assert_int_equal(WS_GROW(item, room, 0, 1), WS_OK);
    assert_non_null(item);
    item[room - 1] = 1;
    free(item);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    typedef struct big {
        char byte[1 << 16];
    } big;
    big *item = NULL;
    size_t room = 0;
    assert_int_equal(WS_GROW(item, room, 0, 1), WS_OK);
    big *const before = item;
    const size_t room_before = room;
    const size_t bad[] = {SIZE_MAX,
                          SIZE_MAX - 1,
                          SIZE_MAX / 2,
                          SIZE_MAX / sizeof(big),
                          SIZE_MAX / sizeof(big) + 1,
                          (size_t)PTRDIFF_MAX / sizeof(big)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(WS_GROW(item, room, 1, bad[i]), WS_EMEM);
        assert_string_equal(ws_message(), "out of memory");
        assert_ptr_equal(item, before);
        assert_int_equal(room, room_before);
    }
    free(item);
}

/* A number of eight bits holds a room of 255; then it is full, and not empty again. */
static void narrow_rooms(void **state)
{
    (void)state;
    int *item = NULL;
    uint8_t room = 0;
    for (unsigned count = 0; count < 255; count++) {
        assert_int_equal(WS_GROW(item, room, count, 1), WS_OK);
        assert_true(room > count);
        item[count] = (int)count;
    }
    assert_int_equal(room, 255);
    assert_int_equal(WS_GROW(item, room, 255, 1), WS_EMEM);
    assert_int_equal(item[254], 254);
    free(item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay),   cmocka_unit_test(many_at_once),
        cmocka_unit_test(begins_anew),  cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(narrow_rooms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
