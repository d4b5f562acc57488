/* A plain L1 step by step: what it sends, when it completes, what it refuses, what it counts. */
#include "tests/unit/plain_level.h"
#include "tests/unit/machine_word.h"

#include "collect/trace/instr.h"

#define ALL 0xffffffffu

static int ask(level *v, ws_request r)
{
    const ws_coherence_ports ports = level_ports(v);
    return v->l1.ops->request(v->l1.shared, v->memory, &r, 0, &ports);
}

static int load(level *v, uint16_t tag, uint64_t block, uint32_t mask)
{
    return ask(v, (ws_request){.kind = WS_REQUEST_LOAD, .warp = 1, .tag = tag, .block = block, .mask = mask});
}

static int store(level *v, uint16_t tag, uint64_t block, uint32_t mask)
{
    return ask(v, (ws_request){.kind = WS_REQUEST_STORE, .warp = 1, .tag = tag, .block = block, .mask = mask});
}

static int answer(level *v, const ws_coherence_message *to, ws_message_type type)
{
    ws_coherence_message m = *to;
    m.type = type;
    const ws_coherence_ports ports = level_ports(v);
    return v->l1.ops->message(v->l1.shared, v->memory, &m, 0, &ports);
}

static void fill(level *v, uint64_t block, uint32_t asked)
{
    assert_int_equal(answer(v, level_expect(v, WS_MESSAGE_READ, block, asked), WS_MESSAGE_FILL), WS_OK);
}

static ws_cache_counts counts(const level *v)
{
    return v->l1.ops->counts(v->l1.shared, v->memory);
}

static void open_sectored(level *v)
{
    v->machine.l1_sector = 32;
    level_open_l1(v, ws_plain_l1_create);
}

static void loads_fetch_the_sectors_they_touch(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    open_sectored(&v);
    assert_int_equal(load(&v, 7, 5, 0x00010001), WS_OK);
    const ws_coherence_message *const m = &v.sent[0];
    assert_int_equal(m->sm, 3);
    assert_int_equal(m->tag, 7);
    fill(&v, 5, 0x00ff00ff);
    level_expect_done(&v, WS_REQUEST_LOAD, 7, 5, 0x00010001);
    assert_int_equal(load(&v, 8, 5, ALL), WS_OK); /* two sectors are there */
    fill(&v, 5, 0xff00ff00);
    level_expect_done(&v, WS_REQUEST_LOAD, 8, 5, ALL);
    assert_int_equal(load(&v, 9, 5, ALL), WS_OK); /* a hit completes during the call */
    level_expect_done(&v, WS_REQUEST_LOAD, 9, 5, ALL);
    level_expect_nothing(&v);
    const ws_cache_counts c = counts(&v);
    assert_int_equal(c.loads, 2 + 4 + 4);
    assert_int_equal(c.misses, 4);
    assert_int_equal(c.hits, 6);
    level_close(&v);
    level_defaults(&v);
    level_open_l1(&v, ws_plain_l1_create);
    assert_int_equal(load(&v, 1, 5, 0x00010001), WS_OK); /* without sectors: the line, one access */
    fill(&v, 5, ALL);
    assert_int_equal(counts(&v).misses, 1);
    level_close(&v);
}

static void loads_share_a_read_up_to_a_bound(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    v.machine.l1_merges = 3;
    v.machine.l1_mshrs = 4;
    open_sectored(&v);
    for (uint16_t tag = 0; tag < 3; tag++)
        assert_int_equal(load(&v, tag, 9, 0xff), WS_OK);
    assert_int_equal(load(&v, 3, 9, 0xff), WS_REFUSED_MERGE);
    assert_int_equal(load(&v, 3, 9, 0xffff), WS_REFUSED_MERGE); /* all or nothing */
    assert_int_equal(load(&v, 3, 9, 0xff00), WS_OK);            /* another sector, another read */
    assert_int_equal(load(&v, 4, 10, 0xffffff), WS_REFUSED_MSHR);
    assert_int_equal(load(&v, 4, 10, 0xffff), WS_OK);
    assert_int_equal(v.l1.ops->waiting(v.l1.shared, v.memory), 5 + 4);
    fill(&v, 9, 0xff);
    for (uint16_t tag = 0; tag < 3; tag++)
        level_expect_done(&v, WS_REQUEST_LOAD, tag, 9, 0xff);
    fill(&v, 9, 0xff00);
    fill(&v, 10, 0xffff);
    level_expect_done(&v, WS_REQUEST_LOAD, 3, 9, 0xff00);
    level_expect_done(&v, WS_REQUEST_LOAD, 4, 10, 0xffff);
    level_expect_nothing(&v);
    const ws_cache_counts c = counts(&v);
    assert_int_equal(c.merged, 2);
    assert_int_equal(c.misses, 4);
    assert_int_equal(c.refused_merge, 2);
    assert_int_equal(c.refused_mshr, 1);
    assert_int_equal(v.l1.ops->waiting(v.l1.shared, v.memory), 0);
    level_close(&v);
}

/* A load that waits for two reads is done with the second. */
static void a_load_may_wait_for_two_reads(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    open_sectored(&v);
    assert_int_equal(load(&v, 1, 9, 0xff), WS_OK);
    assert_int_equal(load(&v, 2, 9, 0xffff), WS_OK);
    const ws_coherence_message first = *level_expect(&v, WS_MESSAGE_READ, 9, 0xff);
    const ws_coherence_message second = *level_expect(&v, WS_MESSAGE_READ, 9, 0xff00);
    assert_int_equal(answer(&v, &second, WS_MESSAGE_FILL), WS_OK);
    level_expect_nothing(&v);
    assert_int_equal(answer(&v, &first, WS_MESSAGE_FILL), WS_OK);
    level_expect_done(&v, WS_REQUEST_LOAD, 1, 9, 0xff);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 9, 0xffff);
    assert_int_equal(answer(&v, &first, WS_MESSAGE_FILL), WS_EVERIFY); /* nobody asked */
    assert_int_equal(answer(&v, &first, WS_MESSAGE_ACK), WS_EVERIFY);
    level_close(&v);
}

static void lines_are_reserved_at_the_miss_or_taken_at_the_fill(void **state)
{
    (void)state;
    level v;
    for (int on_fill = 0; on_fill < 2; on_fill++) {
        level_defaults(&v);
        v.machine.l1_sets = v.machine.l1_ways = 1;
        machine_word(&v.machine, l1_allocate, on_fill ? "fill" : "miss");
        level_open_l1(&v, ws_plain_l1_create);
        assert_int_equal(load(&v, 1, 1, ALL), WS_OK);
        assert_int_equal(load(&v, 2, 2, ALL), on_fill ? WS_OK : WS_REFUSED_LINE);
        assert_int_equal(counts(&v).refused_line, !on_fill);
        fill(&v, 1, ALL);
        if (!on_fill)
            assert_int_equal(load(&v, 2, 2, ALL), WS_OK);
        /* The old line goes when the new one comes: at the miss, at the fill. */
        assert_int_equal(counts(&v).evictions, !on_fill);
        fill(&v, 2, ALL);
        assert_int_equal(counts(&v).evictions, 1);
        assert_int_equal(load(&v, 3, 2, ALL), WS_OK);
        assert_int_equal(counts(&v).hits, 1);
        level_close(&v);
    }
}

/* --- Stores --- */

static void open_writing(level *v, const char *write, const char *write_allocate)
{
    level_defaults(v);
    machine_word(&v->machine, l1_write, write);
    machine_word(&v->machine, l1_write_allocate, write_allocate);
    open_sectored(v);
}

static void through_updates_and_evict_gives_up(void **state)
{
    (void)state;
    level v;
    for (int evict = 0; evict < 2; evict++) {
        open_writing(&v, evict ? "evict" : "through", "none");
        assert_int_equal(load(&v, 1, 4, 0xff), WS_OK);
        fill(&v, 4, 0xff);
        assert_int_equal(store(&v, 2, 4, 0x0f), WS_OK);
        assert_int_equal(store(&v, 3, 5, 0x0f), WS_OK);
        const ws_coherence_message one = *level_expect(&v, WS_MESSAGE_WRITE, 4, 0x0f);
        const ws_coherence_message two = *level_expect(&v, WS_MESSAGE_WRITE, 5, 0x0f);
        level_expect_done(&v, WS_REQUEST_LOAD, 1, 4, 0xff);
        level_expect_nothing(&v); /* a store is done when its answer is there */
        assert_int_equal(answer(&v, &two, WS_MESSAGE_ACK), WS_OK);
        assert_int_equal(answer(&v, &one, WS_MESSAGE_ACK), WS_OK);
        level_expect_done(&v, WS_REQUEST_STORE, 3, 5, 0x0f);
        level_expect_done(&v, WS_REQUEST_STORE, 2, 4, 0x0f);
        assert_int_equal(counts(&v).stores, 2);
        assert_int_equal(counts(&v).misses, 3);
        assert_int_equal(counts(&v).updates, 1);
        assert_int_equal(load(&v, 4, 4, 0xff), WS_OK);
        assert_int_equal(counts(&v).hits, !evict);
        level_close(&v);
    }
}

static void a_store_through_may_bring_or_keep_a_copy(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "through", "fetch");
    assert_int_equal(store(&v, 1, 4, 0x0fff), WS_OK); /* sector 0 is whole, sector 1 is not */
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x0fff);
    assert_int_equal(load(&v, 2, 4, 0xff00), WS_OK); /* shares the store's read */
    fill(&v, 4, 0xff00);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 4, 0xff00);
    assert_int_equal(load(&v, 3, 4, 0xffff), WS_OK);
    level_expect_done(&v, WS_REQUEST_LOAD, 3, 4, 0xffff);
    assert_int_equal(counts(&v).merged, 1);
    level_close(&v);
    open_writing(&v, "through", "lazy");
    assert_int_equal(store(&v, 1, 4, 0x0fff), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x0fff);
    assert_int_equal(load(&v, 2, 4, 0xffff), WS_OK); /* whole sectors can be read, others are fetched then */
    fill(&v, 4, 0xff00);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 4, 0xffff);
    level_expect_nothing(&v);
    level_close(&v);
}

static void dirty_words_go_down_once(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l1_write, "back");
    machine_word(&v.machine, l1_write_allocate, "lazy");
    v.machine.l1_sets = v.machine.l1_ways = 1;
    open_sectored(&v);
    assert_int_equal(store(&v, 1, 4, 0x1), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0x1); /* at once, nothing sent */
    assert_int_equal(store(&v, 2, 4, 0x80000000), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 2, 4, 0x80000000);
    assert_int_equal(load(&v, 3, 5, 0xff), WS_OK);
    const ws_coherence_message back = *level_expect(&v, WS_MESSAGE_WRITE, 4, 0x80000001);
    fill(&v, 5, 0xff);
    level_expect_done(&v, WS_REQUEST_LOAD, 3, 5, 0xff);
    assert_int_equal(v.l1.ops->waiting(v.l1.shared, v.memory), 1);
    assert_int_equal(answer(&v, &back, WS_MESSAGE_ACK), WS_OK); /* nobody waits for it */
    level_expect_nothing(&v);
    assert_int_equal(v.l1.ops->waiting(v.l1.shared, v.memory), 0);
    assert_int_equal(store(&v, 4, 5, 0x2), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 4, 5, 0x2);
    const ws_coherence_ports ports = level_ports(&v);
    assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 5, 0x2);
    assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
    level_expect_nothing(&v);
    const ws_cache_counts c = counts(&v);
    assert_int_equal(c.evictions, 1);
    assert_int_equal(c.writebacks, 3);
    assert_int_equal(c.hits, 1);
    assert_int_equal(c.misses, 3);
    level_close(&v);
}

static void a_store_that_fetches_waits(void **state)
{
    (void)state;
    level v;
    for (int on_fill = 0; on_fill < 2; on_fill++) {
        level_defaults(&v);
        machine_word(&v.machine, l1_allocate, on_fill ? "fill" : "miss");
        machine_word(&v.machine, l1_write, "back");
        machine_word(&v.machine, l1_write_allocate, "fetch");
        open_sectored(&v);
        assert_int_equal(store(&v, 1, 4, 0xff), WS_OK); /* a whole sector needs no read */
        level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0xff);
        assert_int_equal(store(&v, 2, 4, 0x0100), WS_OK);
        assert_int_equal(store(&v, 3, 4, 0x0200), WS_OK);
        level_expect(&v, WS_MESSAGE_READ, 4, 0xff00);
        assert_int_equal(counts(&v).merged, 1);
        assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = 1}), WS_REFUSED);
        assert_int_equal(answer(&v, &v.sent[0], WS_MESSAGE_FILL), WS_OK);
        level_expect_done(&v, WS_REQUEST_STORE, 2, 4, 0x0100);
        level_expect_done(&v, WS_REQUEST_STORE, 3, 4, 0x0200);
        const ws_coherence_ports ports = level_ports(&v);
        assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
        level_expect(&v, WS_MESSAGE_WRITE, 4, 0x03ff);
        level_close(&v);
    }
    open_writing(&v, "back", "none"); /* what misses goes down */
    assert_int_equal(store(&v, 1, 4, 0xff), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0xff);
    level_expect_nothing(&v);
    assert_int_equal(load(&v, 2, 4, 0xff), WS_OK);
    fill(&v, 4, 0xff);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 4, 0xff);
    assert_int_equal(store(&v, 3, 4, 0x3), WS_OK); /* what hits stays */
    level_expect_done(&v, WS_REQUEST_STORE, 3, 4, 0x3);
    assert_int_equal(store(&v, 4, 4, 0xff02), WS_OK); /* a part misses: all goes down, with one answer */
    assert_int_equal(answer(&v, level_expect(&v, WS_MESSAGE_WRITE, 4, 0xff02), WS_MESSAGE_ACK), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 4, 4, 0xff02);
    const ws_coherence_ports ports = level_ports(&v);
    assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x1);
    level_close(&v);
}

static void local_memory_may_stay(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "local-back", "lazy");
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_STORE, .who.local = true, .block = 4, .mask = 0x3}),
                     WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 0, 4, 0x3);
    assert_int_equal(store(&v, 1, 6, 0x3), WS_OK); /* passes by, leaves nothing */
    level_expect(&v, WS_MESSAGE_WRITE, 6, 0x3);
    const ws_coherence_ports ports = level_ports(&v);
    assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x3);
    level_expect_nothing(&v);
    level_close(&v);
}

/* A dirty line that a store gives up sends what the store does not bring itself. */
static void evict_keeps_the_rest(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "local-back", "lazy");
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_STORE, .who.local = true, .block = 4, .mask = 0x13}),
                     WS_OK);
    assert_int_equal(store(&v, 1, 4, 0x3), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x10);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x3);
    assert_int_equal(counts(&v).writebacks, 1);
    level_close(&v);
}

/* With sectors that go by themselves a store is a message for each, and done with the last of them. */
static void stores_by_sectors(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l1_request, "sector");
    open_sectored(&v);
    assert_int_equal(store(&v, 1, 4, 0xf3f0), WS_OK);
    const ws_coherence_message one = *level_expect(&v, WS_MESSAGE_WRITE, 4, 0xf0);
    const ws_coherence_message two = *level_expect(&v, WS_MESSAGE_WRITE, 4, 0xf300);
    level_expect_nothing(&v);
    assert_int_equal(answer(&v, &one, WS_MESSAGE_ACK), WS_OK);
    level_expect_nothing(&v);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = one.warp}), WS_REFUSED);
    assert_int_equal(answer(&v, &two, WS_MESSAGE_ACK), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0xf300);
    assert_int_equal(counts(&v).stores, 2);
    level_close(&v);
}

/* --- Fences --- */

static int fence(level *v, uint8_t scope)
{
    return ask(v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = 2, .tag = 60, .scope = scope});
}

/* A fence beyond the block gives up what is here, and what is on its way: that serves who waits for it, and nobody who
 * comes later. */
static void a_fence_gives_copies_up(void **state)
{
    (void)state;
    for (int fill_late = 0; fill_late < 2; fill_late++) {
        level v;
        level_defaults(&v);
        machine_word(&v.machine, l1_fence, "invalidate");
        machine_word(&v.machine, l1_allocate, fill_late ? "fill" : "miss");
        open_sectored(&v);
        assert_int_equal(load(&v, 1, 5, 0x1), WS_OK);
        fill(&v, 5, 0xff);
        level_expect_done(&v, WS_REQUEST_LOAD, 1, 5, 0x1);
        assert_int_equal(fence(&v, WS_SCOPE_CTA), WS_OK); /* within the block: all stays */
        level_expect_done(&v, WS_REQUEST_FENCE, 60, 0, 0);
        assert_int_equal(load(&v, 2, 5, 0x1), WS_OK);
        level_expect_done(&v, WS_REQUEST_LOAD, 2, 5, 0x1);
        assert_int_equal(load(&v, 3, 6, 0x1), WS_OK);
        const ws_coherence_message old = *level_expect(&v, WS_MESSAGE_READ, 6, 0xff);
        assert_int_equal(fence(&v, WS_SCOPE_GPU), WS_OK);
        level_expect_done(&v, WS_REQUEST_FENCE, 60, 0, 0);
        assert_int_equal(load(&v, 4, 5, 0x1), WS_OK);
        fill(&v, 5, 0xff); /* asked for again, and kept */
        level_expect_done(&v, WS_REQUEST_LOAD, 4, 5, 0x1);
        assert_int_equal(load(&v, 5, 5, 0x1), WS_OK);
        level_expect_done(&v, WS_REQUEST_LOAD, 5, 5, 0x1);
        assert_int_equal(load(&v, 6, 6, 0x2), WS_REFUSED); /* not by what was read before the fence */
        assert_int_equal(load(&v, 7, 6, 0x100), WS_OK);    /* another sector is new */
        assert_int_equal(answer(&v, &old, WS_MESSAGE_FILL), WS_OK);
        level_expect_done(&v, WS_REQUEST_LOAD, 3, 6, 0x1);
        assert_int_equal(load(&v, 6, 6, 0x2), WS_OK);
        fill(&v, 6, 0xff00);
        level_expect_done(&v, WS_REQUEST_LOAD, 7, 6, 0x100);
        fill(&v, 6, 0xff);
        level_expect_done(&v, WS_REQUEST_LOAD, 6, 6, 0x2);
        assert_int_equal(load(&v, 8, 6, 0x101), WS_OK);
        level_expect_done(&v, WS_REQUEST_LOAD, 8, 6, 0x101);
        level_expect_nothing(&v);
        const ws_cache_counts c = counts(&v);
        assert_int_equal(c.invalidated, fill_late ? 1 : 2);
        assert_int_equal(c.loads, c.hits + c.misses + c.merged);
        assert_int_equal(v.l1.ops->waiting(v.l1.shared, v.memory), 0);
        level_close(&v);
    }
}

/* Dirty words of local memory are nobody else's. */
static void a_fence_leaves_dirty_words(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l1_fence, "invalidate");
    machine_word(&v.machine, l1_write, "local-back");
    machine_word(&v.machine, l1_write_allocate, "lazy");
    open_sectored(&v);
    assert_int_equal(
        ask(&v, (ws_request){.kind = WS_REQUEST_STORE, .warp = 1, .tag = 1, .block = 4, .mask = 0x3, .who.local = 1}),
        WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0x3);
    assert_int_equal(fence(&v, WS_SCOPE_GPU), WS_OK);
    level_expect_done(&v, WS_REQUEST_FENCE, 60, 0, 0);
    assert_int_equal(
        v.l1.ops->flush(v.l1.shared, v.memory, 0,
                        &(ws_coherence_ports){.context = &v, .send = level_send, .complete = level_complete}),
        WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x3);
    assert_int_equal(counts(&v).invalidated, 0);
    level_close(&v);
}

/* --- Past the copy --- */

static void atomics_are_performed_in_l2(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "back", "lazy");
    assert_int_equal(store(&v, 1, 4, 0x3), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0x3);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_ATOMIC, .warp = 2, .tag = 9, .block = 4, .mask = 1}),
                     WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x3);
    const ws_coherence_message m = *level_expect(&v, WS_MESSAGE_ATOMIC, 4, 1);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = 2}), WS_REFUSED);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = 1, .tag = 5}), WS_OK);
    level_expect_done(&v, WS_REQUEST_FENCE, 5, 0, 0);
    assert_int_equal(load(&v, 2, 4, 0x1), WS_OK);
    level_expect(&v, WS_MESSAGE_READ, 4, 0xff); /* the copy is gone */
    assert_int_equal(answer(&v, &m, WS_MESSAGE_ATOMIC_ACK), WS_OK);
    level_expect_done(&v, WS_REQUEST_ATOMIC, 9, 4, 1);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_FENCE, .warp = 2}), WS_OK);
    assert_int_equal(counts(&v).refused_other, 1);
    level_close(&v);
}

/* A copy that is on its way when an atomic passes serves who waits, and is not kept. */
static void a_copy_on_its_way_is_given_up_too(void **state)
{
    (void)state;
    level v;
    for (int on_fill = 0; on_fill < 2; on_fill++) {
        level_defaults(&v);
        machine_word(&v.machine, l1_allocate, on_fill ? "fill" : "miss");
        open_sectored(&v);
        assert_int_equal(load(&v, 1, 4, 0xff), WS_OK);
        const ws_request add = {.kind = WS_REQUEST_ATOMIC, .block = 4, .mask = 1};
        assert_int_equal(ask(&v, add), WS_OK);
        fill(&v, 4, 0xff);
        level_expect_done(&v, WS_REQUEST_LOAD, 1, 4, 0xff);
        level_expect(&v, WS_MESSAGE_ATOMIC, 4, 1);
        assert_int_equal(load(&v, 2, 4, 0xff), WS_OK);
        level_expect(&v, WS_MESSAGE_READ, 4, 0xff);
        level_expect_nothing(&v);
        level_close(&v);
    }
}

/* A line is reserved until the last of its reads is answered. */
static void a_line_waits_for_all_its_sectors(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    v.machine.l1_sets = v.machine.l1_ways = 1;
    open_sectored(&v);
    assert_int_equal(load(&v, 1, 4, 0xff), WS_OK);
    assert_int_equal(load(&v, 2, 4, 0xff00), WS_OK);
    fill(&v, 4, 0xff);
    assert_int_equal(load(&v, 3, 5, 0xff), WS_REFUSED_LINE);
    fill(&v, 4, 0xff00);
    assert_int_equal(load(&v, 3, 5, 0xff), WS_OK);
    level_close(&v);
}

/* An atomic gives the copy up for which a store waits: what was stored goes down when the rest is there. */
static void a_store_without_its_line_goes_down(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "back", "fetch");
    assert_int_equal(store(&v, 1, 4, 0x3), WS_OK);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_ATOMIC, .tag = 2, .block = 4, .mask = 0x4}), WS_OK);
    fill(&v, 4, 0xff);
    level_expect(&v, WS_MESSAGE_ATOMIC, 4, 0x4);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0x3);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0x3);
    const ws_coherence_ports ports = level_ports(&v);
    assert_int_equal(v.l1.ops->flush(v.l1.shared, v.memory, 0, &ports), WS_OK);
    level_expect_nothing(&v);
    level_close(&v);
}

static void who_was_served_makes_room_to_merge(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    v.machine.l1_merges = 2;
    open_sectored(&v);
    for (uint16_t tag = 0; tag < 2; tag++)
        assert_int_equal(load(&v, tag, 4, 0xff), WS_OK);
    assert_int_equal(load(&v, 2, 4, 0xff00), WS_OK);
    assert_int_equal(ask(&v, (ws_request){.kind = WS_REQUEST_ATOMIC, .block = 4, .mask = 1}), WS_OK);
    fill(&v, 4, 0xff); /* not kept */
    for (uint16_t tag = 3; tag < 5; tag++)
        assert_int_equal(load(&v, tag, 4, 0xff), WS_OK);
    assert_int_equal(load(&v, 5, 4, 0xff), WS_REFUSED_MERGE);
    level_close(&v);
}

static void polls_ask_l2(void **state)
{
    (void)state;
    level v;
    open_writing(&v, "back", "lazy");
    assert_int_equal(store(&v, 1, 4, 0xff), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 1, 4, 0xff);
    for (uint16_t tag = 2; tag < 4; tag++)
        assert_int_equal(
            ask(&v, (ws_request){.kind = WS_REQUEST_LOAD, .poll = true, .tag = tag, .block = 4, .mask = 0x1}), WS_OK);
    level_expect(&v, WS_MESSAGE_WRITE, 4, 0xff); /* first what L2 does not know */
    const ws_coherence_message one = *level_expect(&v, WS_MESSAGE_READ, 4, 0xff);
    const ws_coherence_message two = *level_expect(&v, WS_MESSAGE_READ, 4, 0xff);
    assert_int_equal(answer(&v, &two, WS_MESSAGE_FILL), WS_OK);
    level_expect_done(&v, WS_REQUEST_LOAD, 3, 4, 0x1);
    assert_int_equal(answer(&v, &two, WS_MESSAGE_FILL), WS_EVERIFY);
    assert_int_equal(answer(&v, &one, WS_MESSAGE_FILL), WS_OK);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 4, 0x1);
    assert_int_equal(counts(&v).misses, 3);
    level_close(&v);
}

static void an_l1_that_is_off_keeps_nothing(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    v.machine.l1_enabled = 0;
    open_sectored(&v);
    for (uint16_t tag = 0; tag < 2; tag++) {
        assert_int_equal(load(&v, tag, 4, 0xf), WS_OK);
        fill(&v, 4, 0xff);
        level_expect_done(&v, WS_REQUEST_LOAD, tag, 4, 0xf);
    }
    assert_int_equal(store(&v, 2, 4, 0xf), WS_OK);
    assert_int_equal(answer(&v, level_expect(&v, WS_MESSAGE_WRITE, 4, 0xf), WS_MESSAGE_ACK), WS_OK);
    level_expect_done(&v, WS_REQUEST_STORE, 2, 4, 0xf);
    assert_int_equal(counts(&v).misses, 3);
    level_close(&v);
}

/* --- Textures and constants --- */

static void short_lines_are_parts_of_lines_of_l2(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    level_open_l1(&v, ws_plain_constant_create); /* 64 bytes, L2 128 */
    assert_int_equal(load(&v, 1, 7, 0x1), WS_OK);
    assert_int_equal(load(&v, 2, 6, 0x8000), WS_OK);
    assert_int_equal(load(&v, 3, 8, 0x1), WS_REFUSED_MSHR);
    fill(&v, 3, 0xffff0000);
    level_expect_done(&v, WS_REQUEST_LOAD, 1, 7, 0x1);
    fill(&v, 3, 0x0000ffff);
    level_expect_done(&v, WS_REQUEST_LOAD, 2, 6, 0x8000);
    assert_int_equal(store(&v, 4, 7, 0x1), WS_EVERIFY);
    assert_int_equal(load(&v, 4, 7, 0x10000), WS_EVERIFY); /* no such word */
    level_close(&v);
    level_defaults(&v);
    level_open_l1(&v, ws_plain_texture_create);
    assert_int_equal(load(&v, 1, 7, 0x1), WS_OK);
    fill(&v, 7, ALL);
    level_expect_done(&v, WS_REQUEST_LOAD, 1, 7, 0x1);
    level_close(&v);
}

static void bad_machines_are_refused(void **state)
{
    (void)state;
    level v;
    level_defaults(&v);
    machine_word(&v.machine, l1_write, "evict");
    machine_word(&v.machine, l1_write_allocate, "lazy");
    assert_int_equal(ws_plain_l1_create(&v.machine, &v.l1), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "[l1] write_allocate is lazy"));
    const struct {
        uint32_t line, sector, mshrs, sets;
        const char *index;
    } numbers[] = {{96, 32, 8, 32, "linear"},  {128, 24, 8, 32, "linear"}, {64, 128, 8, 32, "linear"},
                   {128, 32, 3, 32, "linear"}, {64, 64, 8, 32, "linear"},  {128, 128, 8, 24, "xor"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        level_defaults(&v);
        v.machine.l1_line = numbers[i].line;
        v.machine.l1_sector = numbers[i].sector;
        v.machine.l1_mshrs = numbers[i].mshrs;
        v.machine.l1_sets = numbers[i].sets;
        machine_word(&v.machine, l1_index, numbers[i].index);
        assert_int_equal(ws_plain_l1_create(&v.machine, &v.l1), WS_EINPUT);
        assert_non_null(strstr(ws_message(), "[l1]"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_fetch_the_sectors_they_touch),
        cmocka_unit_test(loads_share_a_read_up_to_a_bound),
        cmocka_unit_test(a_load_may_wait_for_two_reads),
        cmocka_unit_test(lines_are_reserved_at_the_miss_or_taken_at_the_fill),
        cmocka_unit_test(through_updates_and_evict_gives_up),
        cmocka_unit_test(a_store_through_may_bring_or_keep_a_copy),
        cmocka_unit_test(dirty_words_go_down_once),
        cmocka_unit_test(a_store_that_fetches_waits),
        cmocka_unit_test(local_memory_may_stay),
        cmocka_unit_test(evict_keeps_the_rest),
        cmocka_unit_test(stores_by_sectors),
        cmocka_unit_test(a_fence_gives_copies_up),
        cmocka_unit_test(a_fence_leaves_dirty_words),
        cmocka_unit_test(atomics_are_performed_in_l2),
        cmocka_unit_test(a_copy_on_its_way_is_given_up_too),
        cmocka_unit_test(a_line_waits_for_all_its_sectors),
        cmocka_unit_test(a_store_without_its_line_goes_down),
        cmocka_unit_test(who_was_served_makes_room_to_merge),
        cmocka_unit_test(polls_ask_l2),
        cmocka_unit_test(an_l1_that_is_off_keeps_nothing),
        cmocka_unit_test(short_lines_are_parts_of_lines_of_l2),
        cmocka_unit_test(bad_machines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
