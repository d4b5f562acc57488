/* test_store_counters.c - counters as they are stored: packed and unpacked bit by bit, damaged, and of format 6. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bits.h"
#include "base/mix.h"
#include "tests/unit/store_runs.h"

#include <endian.h>
#include <math.h>

enum { MOST = 64 };

static ws_bytes packed(const double *counter, size_t n, int64_t *checksum)
{
    ws_bytes blob = {0};
    ws_store_encode(counter, n, &blob, checksum);
    assert_false(blob.failed);
    return blob;
}

static void expect_same(const ws_store *store, const double *counter, size_t n)
{
    double back[MOST];
    int64_t checksum;
    ws_bytes blob = packed(counter, n, &checksum);
    assert_true(blob.length <= n * sizeof *counter);
    assert_int_equal(ws_store_decode(store, blob.data, blob.length, checksum, n, back), WS_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(ws_f64_bits(back[i]) == ws_f64_bits(counter[i]));
    assert_int_equal(ws_store_check_counters(store, blob.data, blob.length, checksum, (int64_t)n), WS_OK);
    ws_bytes_fini(&blob);
}

static const double special[] = {0,      -0.0,       1,      -1,       0.5,       1e300,     0x1p52,
                                 0x1p53, 0x1p53 - 1, 0x1p64, INFINITY, -INFINITY, 0x1p-1074, 127};

static void values_keep_all_their_bits(void **state)
{
    (void)state;
    enum { SPECIALS = sizeof special / sizeof *special };
    const double nan_of_two_kinds[] = {NAN, ws_f64_from_bits(UINT64_C(0xfff8000000000123))};
    ws_store *const store = open_store();
    expect_same(store, special, 0);
    expect_same(store, special, SPECIALS);
    expect_same(store, nan_of_two_kinds, 2);
    for (uint64_t seed = 1; seed <= 500; seed++) {
        double counter[MOST];
        const size_t n = ws_hash(seed) % MOST + 1;
        for (size_t i = 0; i < n; i++) {
            const uint64_t draw = ws_hash(seed << 32 | i);
            counter[i] = draw % 3 == 0   ? 0
                         : draw % 3 == 1 ? special[draw / 3 % SPECIALS]
                                         : (double)(draw >> (draw / 3 % 64));
        }
        expect_same(store, counter, n);
    }
    ws_store_close(store);
}

/* Zeros are one token of one byte up to 31; 1 is one byte, 32 two; 0.5 a byte and itself. */
static void small_numbers_take_little_room(void **state)
{
    (void)state;
    const double row[] = {0, 0, 0, 0, 0, 0, 1, 32, 0.5};
    int64_t checksum;
    ws_bytes blob = packed(row, sizeof row / sizeof *row, &checksum);
    assert_int_equal(blob.length, 1 + 1 + 2 + 1 + 8);
    ws_bytes_fini(&blob);
    const double fractions[] = {0.1, 0.2}; /* nothing to gain: as they are */
    blob = packed(fractions, 2, &checksum);
    assert_int_equal(blob.length, sizeof fractions);
    assert_memory_equal(blob.data, fractions, __BYTE_ORDER == __LITTLE_ENDIAN ? sizeof fractions : 0);
    ws_bytes_fini(&blob);
}

static void damage_is_refused(void **state)
{
    (void)state;
    enum { N = 12 };
    const double counter[N] = {3, 0, 0, 0, 0.25, 7, 7, 1000, 0, 0, 1e9, -2};
    double back[N];
    int64_t checksum;
    ws_store *const store = open_store();
    ws_bytes blob = packed(counter, N, &checksum);
    for (size_t length = 0; length < blob.length; length++) /* cut off */
        assert_int_equal(ws_store_decode(store, blob.data, length, checksum, N, back), WS_EINPUT);
    for (size_t bit = 0; bit < 8 * blob.length; bit++) {
        blob.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_equal(ws_store_decode(store, blob.data, blob.length, checksum, N, back), WS_EINPUT);
        blob.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ws_bytes_add(&blob, "", 1); /* one more token, of no zeros */
    assert_int_equal(ws_store_decode(store, blob.data, blob.length, checksum, N, back), WS_EINPUT);
    blob.length--;
    assert_int_equal(ws_store_decode(store, blob.data, blob.length, checksum, N - 1, back), WS_EINPUT);
    assert_int_equal(ws_store_decode(store, blob.data, blob.length, checksum + 1, N, back), WS_EINPUT);
    assert_int_equal(ws_store_check_counters(store, blob.data, blob.length, checksum, -1), WS_EINPUT);
    assert_int_equal(ws_store_check_counters(store, blob.data, blob.length, checksum, INT64_MAX), WS_EINPUT);
    ws_bytes_fini(&blob);
    ws_store_close(store);
}

/* Writes the counters of the file as format 6 had them: little-endian doubles. */
static void make_format_6(const ws_store *store)
{
    static double counter[1 << 16];
    sqlite3_stmt *row, *update;
    assert_int_equal(sqlite3_prepare_v2(store->db,
                                        "SELECT c.id, c.checksum, c.data, f.counters FROM counter c"
                                        " JOIN family f ON f.id = c.family ORDER BY c.id",
                                        -1, &row, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(store->db, "UPDATE counter SET data = ?2 WHERE id = ?1", -1, &update, NULL),
                     SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        const size_t n = (size_t)sqlite3_column_int64(row, 3);
        assert_int_equal(ws_store_decode(store, sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2),
                                         sqlite3_column_int64(row, 1), n, counter),
                         WS_OK);
        for (size_t i = 0; i < n; i++)
            counter[i] = ws_f64_from_bits(htole64(ws_f64_bits(counter[i])));
        sqlite3_bind_int64(update, 1, sqlite3_column_int64(row, 0));
        sqlite3_bind_blob64(update, 2, counter, n * sizeof *counter, SQLITE_STATIC);
        assert_int_equal(sqlite3_step(update), SQLITE_DONE);
        sqlite3_reset(update);
    }
    sqlite3_finalize(row);
    sqlite3_finalize(update);
    sql("PRAGMA user_version=6");
}

static char *text_of(ws_store *store)
{
    ws_frame *const f = frame_of(store, WS_PER_LAUNCH, "all");
    char *text = NULL;
    size_t size;
    FILE *const out = open_memstream(&text, &size);
    assert_int_equal(ws_frame_write(f, out), WS_OK);
    fclose(out);
    ws_frame_destroy(f);
    return text;
}

static void a_file_of_format_6_is_read_and_continued(void **state)
{
    (void)state;
    ws_store *store = open_store();
    two_workloads(store);
    char *const packed_text = text_of(store);
    make_format_6(store);
    ws_store_close(store);
    store = open_store();
    char *const raw_text = text_of(store);
    assert_string_equal(raw_text, packed_text);
    const int64_t id = begin(store, "CC");
    assert_int_equal(add(store, id, "k", 0, 1), WS_OK);
    finish(store, id, "done");
    ws_frame *const f = frame_of(store, WS_PER_WORKLOAD, "study");
    assert_int_equal(f->rows, 3);
    ws_frame_destroy(f);
    ws_store_close(store);
    free(packed_text);
    free(raw_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(values_keep_all_their_bits, make_place, remove_place),
        cmocka_unit_test(small_numbers_take_little_room),
        cmocka_unit_test_setup_teardown(damage_is_refused, make_place, remove_place),
        cmocka_unit_test_setup_teardown(a_file_of_format_6_is_read_and_continued, make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
