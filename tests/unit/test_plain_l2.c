/* A slice of the plain L2 step by step: answers, traffic of DRAM, order, which blocks are its own. */
#include "tests/unit/plain_level.h"
#include "tests/unit/machine_word.h"

#define ALL 0xffffffffu

static void open_slice(level *v, const char *write, const char *write_allocate)
{
    level_defaults(v);
    machine_word(&v->machine, l2_write, write);
    machine_word(&v->machine, l2_write_allocate, write_allocate);
    v->machine.l2_sector = 32;
    v->machine.memory_channels = v->machine.l2_slices = 1;
    level_open_l2(v, 0);
}

static int tell(level *v, ws_message_type type, uint16_t tag, uint64_t block, uint32_t mask)
{
    const ws_coherence_message m = {
        .type = (uint8_t)type, .sm = 2, .warp = 5, .id = 11, .unit = 1, .tag = tag, .block = block, .mask = mask};
    const ws_coherence_ports ports = level_ports(v);
    return v->l2.ops->message(v->l2.shared, v->memory, &m, 0, &ports);
}

static void dram(level *v, uint64_t block, uint32_t mask)
{
    const ws_coherence_message *const m = level_expect(v, WS_MESSAGE_DRAM_READ, block, mask);
    assert_int_equal(tell(v, WS_MESSAGE_DRAM_FILL, m->tag, block, mask), WS_OK);
}

static ws_cache_counts counts(const level *v)
{
    return v->l2.ops->counts(v->l2.shared, v->memory);
}

static uint32_t waiting(const level *v)
{
    return v->l2.ops->waiting(v->l2.shared, v->memory);
}

static void reads_are_merged_and_answered_with_what_they_asked_for(void **state)
{
    (void)state;
    level v;
    open_slice(&v, "back", "fetch");
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 1, 4, 0xff), WS_OK);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 2, 4, 0xff00ff), WS_OK);
    const ws_coherence_message first = *level_expect(&v, WS_MESSAGE_DRAM_READ, 4, 0xff);
    dram(&v, 4, 0xff0000);
    level_expect_nothing(&v);
    assert_int_equal(tell(&v, WS_MESSAGE_DRAM_FILL, 0, 4, first.mask), WS_OK);
    const ws_coherence_message *m = level_expect(&v, WS_MESSAGE_FILL, 4, 0xff);
    assert_int_equal(m->tag, 1);
    m = level_expect(&v, WS_MESSAGE_FILL, 4, 0xff00ff);
    assert_true(m->tag == 2 && m->sm == 2 && m->warp == 5 && m->id == 11 && m->unit == 1);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 3, 4, 0xff), WS_OK);
    level_expect(&v, WS_MESSAGE_FILL, 4, 0xff);
    level_expect_nothing(&v);
    const ws_cache_counts c = counts(&v);
    assert_true(c.loads == 4 && c.misses == 2 && c.merged == 1 && c.hits == 1);
    assert_int_equal(tell(&v, WS_MESSAGE_DRAM_FILL, 0, 4, 0xff), WS_EVERIFY);
    assert_int_equal(tell(&v, WS_MESSAGE_FILL, 0, 4, 0xff), WS_EVERIFY);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 0, 4, 0), WS_EVERIFY);
    level_close(&v);
}

/* Reads blocks of the same set until the one of the test must be gone. */
static void push_out(level *v, uint32_t sets, uint32_t ways)
{
    for (uint32_t i = 1; i <= ways; i++) {
        assert_int_equal(tell(v, WS_MESSAGE_READ, 0, 4 + (uint64_t)i * sets, 0xff), WS_OK);
        if (v->sends > v->seen_sends + 1) /* what the line had to say goes first */
            return;
        dram(v, 4 + (uint64_t)i * sets, 0xff);
        level_expect(v, WS_MESSAGE_FILL, 4 + (uint64_t)i * sets, 0xff);
    }
}

static void stores_are_kept_and_written_once(void **state)
{
    (void)state;
    level v;
    static const char *const rules[] = {"fetch", "lazy"};
    for (int i = 0; i < 2; i++) {
        open_slice(&v, "back", rules[i]);
        assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 1, 4, 0x1ff), WS_OK);
        if (i == 0) /* sector 1 is read first */
            dram(&v, 4, 0xff00);
        level_expect(&v, WS_MESSAGE_ACK, 4, 0x1ff);
        assert_int_equal(tell(&v, WS_MESSAGE_READ, 2, 4, 0xffff), WS_OK);
        if (i == 1) /* sector 1 is read now */
            dram(&v, 4, 0xff00);
        level_expect(&v, WS_MESSAGE_FILL, 4, 0xffff);
        level_expect_nothing(&v);
        push_out(&v, v.machine.l2_sets, v.machine.l2_ways);
        level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x1ff);
        assert_int_equal(counts(&v).writebacks, 2);
        assert_int_equal(counts(&v).evictions, 1);
        level_close(&v);
    }
}

static void stores_that_are_not_kept_go_to_dram(void **state)
{
    (void)state;
    level v;
    static const struct {
        const char *write, *allocate;
        bool copy; /* after a store to a copy */
    } rules[] = {{"through", "none", true}, {"evict", "none", false}};
    for (int i = 0; i < 2; i++) {
        open_slice(&v, rules[i].write, rules[i].allocate);
        assert_int_equal(tell(&v, WS_MESSAGE_READ, 1, 4, 0xff), WS_OK);
        dram(&v, 4, 0xff);
        level_expect(&v, WS_MESSAGE_FILL, 4, 0xff);
        assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 2, 4, 0x3), WS_OK);
        level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x3);
        level_expect(&v, WS_MESSAGE_ACK, 4, 0x3);
        assert_int_equal(tell(&v, WS_MESSAGE_READ, 3, 4, 0xff), WS_OK);
        level_expect(&v, rules[i].copy ? WS_MESSAGE_FILL : WS_MESSAGE_DRAM_READ, 4, 0xff);
        level_close(&v);
    }
    open_slice(&v, "back", "none"); /* only a hit is kept */
    assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 2, 4, 0x3), WS_OK);
    level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x3);
    level_expect(&v, WS_MESSAGE_ACK, 4, 0x3);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 1, 4, 0xff), WS_OK);
    dram(&v, 4, 0xff);
    level_expect(&v, WS_MESSAGE_FILL, 4, 0xff);
    assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 2, 4, 0x3), WS_OK);
    level_expect(&v, WS_MESSAGE_ACK, 4, 0x3);
    level_expect_nothing(&v);
    level_close(&v);
}

static void atomics_read_then_write(void **state)
{
    (void)state;
    level v;
    static const char *const writes[] = {"back", "through"};
    for (int i = 0; i < 2; i++) {
        open_slice(&v, writes[i], i ? "none" : "fetch");
        assert_int_equal(tell(&v, WS_MESSAGE_ATOMIC, 1, 4, 0x2), WS_OK);
        dram(&v, 4, 0xff);
        level_expect(&v, WS_MESSAGE_ATOMIC_ACK, 4, 0x2);
        if (i)
            level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x2);
        assert_int_equal(tell(&v, WS_MESSAGE_ATOMIC, 2, 4, 0x4), WS_OK);
        if (i)
            level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x4);
        level_expect(&v, WS_MESSAGE_ATOMIC_ACK, 4, 0x4);
        level_expect_nothing(&v);
        assert_true(counts(&v).atomics == 2 && counts(&v).hits == 1 && counts(&v).misses == 1);
        if (!i) {
            push_out(&v, v.machine.l2_sets, v.machine.l2_ways);
            level_expect(&v, WS_MESSAGE_DRAM_WRITE, 4, 0x6);
        }
        level_close(&v);
    }
}

/* One MSHR; requests behind the one that waits for it stay in order, and a full queue says no. */
static void requests_wait_in_order(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    v.machine.l2_mshrs = 1;
    v.machine.l2_merges = 1;
    v.machine.l2_queue = 3;
    v.machine.memory_channels = 1;
    level_open_l2(&v, 0);
    for (uint16_t tag = 0; tag < 4; tag++)
        assert_int_equal(tell(&v, WS_MESSAGE_READ, tag, tag / 2, ALL), WS_OK);
    const ws_cache_counts before = counts(&v);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 9, 9, ALL), WS_REFUSED);
    assert_int_equal(counts(&v).refused_other, before.refused_other + 1);
    assert_int_equal(waiting(&v), 1 + 1 + 3);
    dram(&v, 0, ALL); /* 0 is answered, 1 hits, 2 goes to DRAM, 3 finds no room to merge */
    level_expect(&v, WS_MESSAGE_FILL, 0, ALL);
    assert_int_equal(level_expect(&v, WS_MESSAGE_FILL, 0, ALL)->tag, 1);
    dram(&v, 1, ALL);
    assert_int_equal(level_expect(&v, WS_MESSAGE_FILL, 1, ALL)->tag, 2);
    assert_int_equal(level_expect(&v, WS_MESSAGE_FILL, 1, ALL)->tag, 3);
    level_expect_nothing(&v);
    assert_int_equal(waiting(&v), 0);
    assert_true(counts(&v).refused_merge > 0);
    assert_null(v.l2.ops->advance); /* time alone changes nothing */
    assert_true(v.l2.ops->next_time(v.l2.shared, v.memory, NULL, 100) == WS_COHERENCE_NEVER);
    level_close(&v);
}

/* 6 slices, stripes of 2 lines: the slice's blocks fill all its sets, and come back with their own numbers. */
static void a_slice_numbers_its_blocks_without_gaps(void **state)
{
    (void)state;
    for (uint32_t slice = 0; slice < 6; slice++) {
        level v;
        level_defaults(&v);
        v.machine.memory_channels = 3;
        v.machine.l2_slices = 2;
        v.machine.l2_sets = 4;
        v.machine.l2_ways = 1;
        level_open_l2(&v, slice);
        assert_int_equal(tell(&v, WS_MESSAGE_READ, 0, (slice + 1) % 6 * 2, ALL), WS_EVERIFY);
        for (uint32_t n = 0; n < 4; n++) {
            const uint64_t block = n / 2 * 12 + slice * 2 + n % 2;
            assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 0, block, ALL), WS_OK);
            level_expect(&v, WS_MESSAGE_ACK, block, ALL);
        }
        assert_int_equal(counts(&v).evictions, 0);
        const uint64_t next = 2 * 12 + slice * 2;
        assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 0, next, ALL), WS_OK);
        level_expect(&v, WS_MESSAGE_DRAM_WRITE, slice * 2, ALL);
        level_expect(&v, WS_MESSAGE_ACK, next, ALL);
        level_close(&v);
    }
}

static void bad_machines_are_refused(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l2_write, "local-back");
    assert_int_equal(ws_plain_l2_create(&v.machine, &v.l2), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l2] write is local-back"));
    level_defaults(&v);
    v.machine.l2_stripe = 64;
    assert_int_equal(ws_plain_l2_create(&v.machine, &v.l2), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l2] stripe is 64"));
    level_defaults(&v);
    machine_word(&v.machine, l2_index, "ipoly");
    assert_int_equal(ws_plain_l2_create(&v.machine, &v.l2), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l2]: index ipoly is not defined for 128 sets"));
}

/* When more of the sectors are dirty than may be, the line that has been so for longest is written, and read there
 * still. */
static void the_oldest_is_cleaned(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l2_write, "back");
    machine_word(&v.machine, l2_write_allocate, "lazy");
    v.machine.l2_sector = 32;
    v.machine.memory_channels = v.machine.l2_slices = 1;
    v.machine.l2_sets = 4;
    v.machine.l2_ways = 4;
    v.machine.l2_dirty = 25; /* 16 of 64 sectors */
    level_open_l2(&v, 0);
    for (uint64_t block = 0; block < 9; block++) {
        assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 1, block, 0xffff), WS_OK);
        level_expect(&v, WS_MESSAGE_ACK, block, 0xffff);
        if (block == 8)
            level_expect(&v, WS_MESSAGE_DRAM_WRITE, 0, 0xffff);
    }
    assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 1, 1, 0xff), WS_OK); /* dirty it is: nothing more */
    level_expect(&v, WS_MESSAGE_ACK, 1, 0xff);
    assert_int_equal(tell(&v, WS_MESSAGE_READ, 2, 0, 0xffff), WS_OK);
    level_expect(&v, WS_MESSAGE_FILL, 0, 0xffff);
    assert_int_equal(tell(&v, WS_MESSAGE_WRITE, 3, 0, 0xff), WS_OK);
    level_expect(&v, WS_MESSAGE_ACK, 0, 0xff);
    level_expect(&v, WS_MESSAGE_DRAM_WRITE, 1, 0xffff); /* the oldest now, with what it had first */
    level_expect_nothing(&v);
    assert_int_equal(counts(&v).writebacks, 4);
    assert_int_equal(counts(&v).evictions, 0);
    level_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_merged_and_answered_with_what_they_asked_for),
        cmocka_unit_test(stores_are_kept_and_written_once),
        cmocka_unit_test(the_oldest_is_cleaned),
        cmocka_unit_test(stores_that_are_not_kept_go_to_dram),
        cmocka_unit_test(atomics_read_then_write),
        cmocka_unit_test(requests_wait_in_order),
        cmocka_unit_test(a_slice_numbers_its_blocks_without_gaps),
        cmocka_unit_test(bad_machines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
