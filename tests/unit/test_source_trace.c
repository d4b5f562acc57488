/* Does a launch of a trace need little memory however its warps part, and does it say all steps in order all the same?
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "collect/wst/wst_codec_internal.h"
#include "collect/trace/fanout.h"
#include "collect/wst/wst.h"
#include "model/sim/sm/source.h"
#include "tests/unit/synthetic_events.h"

#include <malloc.h>
#include <unistd.h>

enum { BLOCKS = 16, WARPS = 16, ACCESSES = 2000, PART = 250 };

/* An access in eight has a stride, the others no order at all. */
static uint64_t address_at(uint64_t block, uint32_t warp, uint32_t i, uint32_t lane)
{
    const uint64_t at = (block << 24) + (warp << 20) + i * 128;
    if (i % 8 == 0)
        return at + lane * 4;
    const uint64_t mixed = ((at + lane) * 0x9e3779b97f4a7c15u) >> 40;
    return mixed << 2;
}

static void deliver_part(ws_range *range, uint64_t block, uint32_t warp, uint32_t first)
{
    static uint64_t address[PART * WS_WARP];
    ws_event event[PART];
    for (uint32_t k = 0; k < PART; k++) {
        event[k] = (ws_event){.pc = 0,
                              .warp = (uint16_t)warp,
                              .count = 1,
                              .active = UINT32_MAX,
                              .exec = UINT32_MAX,
                              .kind = WS_EVENT_MEMORY,
                              .space = WS_SPACE_GLOBAL,
                              .addresses = k};
        for (uint32_t lane = 0; lane < WS_WARP; lane++)
            address[k * WS_WARP + lane] = address_at(block, warp, first + k, lane);
    }
    const ws_batch batch = {.block = block, .event = event, .events = PART, .address = address};
    assert_int_equal(ws_range_events(range, &batch), WS_OK);
}

/* Warps one after the other, each from its first instruction to its last. */
static void write_trace(const char *path)
{
    synthetic s;
    ws_trace_writer *writer;
    ws_fanout *fanout;
    ws_range *range;
    syn_init(&s, BLOCKS, WARPS * WS_WARP);
    syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    assert_int_equal(ws_trace_writer_create(path, NULL, &writer), WS_OK);
    const ws_sink *const sink = ws_trace_writer_sink(writer);
    assert_int_equal(ws_fanout_create(&sink, 1, &s.launch, &fanout), WS_OK);
    assert_int_equal(ws_range_open(fanout, 0, &range), WS_OK);
    for (uint64_t block = 0; block < BLOCKS; block++) {
        assert_int_equal(ws_range_block_begin(range, block), WS_OK);
        for (uint32_t warp = 0; warp < WARPS; warp++)
            for (uint32_t i = 0; i < ACCESSES; i += PART)
                deliver_part(range, block, warp, i);
        assert_int_equal(ws_range_block_end(range, block), WS_OK);
    }
    assert_int_equal(ws_range_close(range, BLOCKS), WS_OK);
    ws_fanout_destroy(fanout);
    assert_int_equal(ws_trace_writer_end(writer, WS_OK), WS_OK);
    assert_int_equal(ws_trace_writer_close(writer, 0, 0), WS_OK);
    syn_fini(&s);
}

static void take_all(ws_source *source, uint32_t slot, uint64_t block, uint32_t warp)
{
    ws_step step;
    bool found;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        assert_int_equal(source->ops->next(source, slot, warp, &step, &found), WS_OK);
        assert_true(found);
        for (uint32_t lane = 0; lane < WS_WARP; lane++)
            assert_int_equal(step.address[lane], address_at(block, warp, i, lane));
    }
    assert_int_equal(source->ops->next(source, slot, warp, &step, &found), WS_OK);
    assert_false(found);
}

static uint64_t bytes_in_use(void)
{
    const struct mallinfo2 about = mallinfo2();
    return about.uordblks + about.hblkhd;
}

/* The last warp of every block goes first, so that all others' steps wait: 130 MB of them as they are, beside the
 * chunks. */
static void memory_of_blocks_whose_warps_part(void **state)
{
    (void)state;
    enum { SHELF = 48, STORE = 48, OTHER = 24 }; /* MB: what source_trace.c allows itself */
    char path[] = "/tmp/warpscape-source-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    write_trace(path);
    ws_trace *trace;
    ws_source *source;
    assert_int_equal(ws_trace_open(path, &trace), WS_OK);
    const uint64_t before = bytes_in_use();
    assert_int_equal(ws_source_of_trace(trace, 0, BLOCKS, &source), WS_OK);
    for (uint32_t slot = 0; slot < BLOCKS; slot++) /* not in their order */
        assert_int_equal(source->ops->begin(source, slot, (slot * 5 + 3) % BLOCKS), WS_OK);
    for (uint32_t slot = 0; slot < BLOCKS; slot++)
        take_all(source, slot, (slot * 5 + 3) % BLOCKS, WARPS - 1);
    const uint64_t used = bytes_in_use() - before;
    if (used > (SHELF + STORE + OTHER) << 20)
        fail_msg("%llu bytes", (unsigned long long)used);
    for (uint32_t slot = 0; slot < BLOCKS; slot++) {
        for (uint32_t warp = 0; slot % 4 && warp + 1 < WARPS; warp++) /* some are given up */
            take_all(source, slot, (slot * 5 + 3) % BLOCKS, warp);
        source->ops->end(source, slot);
    }
    assert_int_equal(source->ops->begin(source, 2, 7), WS_OK); /* a slot that served another */
    for (uint32_t warp = 0; warp < WARPS; warp++)
        take_all(source, 2, 7, warp);
    source->ops->destroy(source);
    ws_trace_close(trace);
    unlink(path);
}

/* A segment takes as much as the reader takes. */
static void segments_are_full(void **state)
{
    (void)state;
    ws_wst_codec c = {.events = WS_WST_SEGMENT_EVENTS - 1,
                      .accesses = WS_WST_SEGMENT_ACCESSES - 1,
                      .values = WS_WST_SEGMENT_EVENTS - 1};
    assert_false(ws_wst_full(&c));
    c.events++;
    assert_true(ws_wst_full(&c));
    c.events--;
    c.accesses++;
    assert_true(ws_wst_full(&c));
    c.accesses--;
    c.values++;
    assert_true(ws_wst_full(&c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(segments_are_full),
                                       cmocka_unit_test(memory_of_blocks_whose_warps_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
