/* test_activity.c - the currency of counters: rows cover it, sums and differences are of every row, a simulation's
 * stretches add up, and what an SM counts is what its units did. */
#include "sim_script.h"
#include "tests/unit/machine_word.h"

#include "model/sim/sim_activity.h"

enum { LINE = 128, COUNTERS = sizeof(ws_activity) / sizeof(uint64_t) };

static void test_rows(void **state)
{
    (void)state;
    size_t next = 0;
    ws_activity_row row;
    for (size_t i = 0; ws_activity_row_at(i, &row); i++) {
        assert_int_equal(row.at, next);
        assert_true(row.width > 0 && *row.unit && *row.meaning);
        next += row.width;
        for (size_t k = 0; row.instance && k < row.width; k++)
            assert_true(row.instance[k] && *row.instance[k]);
    }
    assert_int_equal(next, COUNTERS);
}

static void test_sums(void **state)
{
    (void)state;
    uint64_t counter[COUNTERS];
    ws_activity a, b, sum, difference;
    for (size_t i = 0; i < COUNTERS; i++)
        counter[i] = i * i + 1;
    memcpy(&a, counter, sizeof a);
    for (size_t i = 0; i < COUNTERS; i++)
        counter[i] = 1000 - i;
    memcpy(&b, counter, sizeof b);
    sum = a;
    ws_activity_add(&sum, &b);
    memcpy(counter, &sum, sizeof counter);
    for (size_t i = 0; i < COUNTERS; i++)
        assert_int_equal(counter[i], i * i + 1 + 1000 - i);
    ws_activity_subtract(&sum, &a, &difference);
    assert_memory_equal(&difference, &b, sizeof b);
}

/* Every counter is worked out by hand: two warps, one of them of 8 lanes. */
static void test_sm(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    machine_word(&m, registers_file, "banked");
    script *const s = script_make(1, 40);
    script_add(s, 0, 0, ADD, 0)->run = 2;            /* add, and the USE behind it */
    script_add(s, 0, 0, SHARED_LOAD, 0)->stride = 8; /* two words a bank */
    script_add(s, 0, 1, LOAD, 0)->stride = LINE;     /* 8 lines */
    script_add(s, 0, 1, USE, 0);
    ws_sim *const sim = script_sim(&m, NULL);
    ws_activity a;
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_activity(sim, &a);
    assert_int_equal(a.sm_ctas[0], 1);
    assert_int_equal(a.unit_instructions[WS_UNIT_SP], 3);
    assert_int_equal(a.unit_lanes[WS_UNIT_SP], 2 * 32 + 8);
    assert_int_equal(a.unit_busy_cycles[WS_UNIT_SP], 3 * m.initiation_int_add);
    assert_int_equal(a.unit_instructions[WS_UNIT_MEMORY], 2);
    assert_int_equal(a.registers_read_lanes[0], 3 * 32 + 2 * 8);
    assert_int_equal(a.registers_write_lanes[0], 3 * 32 + 2 * 8);
    /* Warp 0 writes 1, 4, 3 in banks of their number; warp 1 writes 3 and 4 one bank further. */
    assert_int_equal(a.registers_writes[1], 1);
    assert_int_equal(a.registers_writes[3], 1);
    assert_int_equal(a.registers_writes[4], 2);
    assert_int_equal(a.registers_writes[5], 1);
    assert_int_equal(a.shared_accesses[0], 1);
    assert_int_equal(a.shared_passes[0], 2);
    assert_int_equal(a.memory_transactions[0], 8);
    assert_int_equal(a.cache_tag_accesses[0], 8);
    assert_int_equal(a.cache_misses[0], 8);
    assert_int_equal(a.cache_fills[0], 8);
    assert_int_equal(a.cache_fills[WS_ACTIVITY_L2], 8);
    assert_int_equal(a.network_packets[WS_REQUESTS], 8);
    assert_int_equal(a.network_packets[WS_REPLIES], 8);
    assert_int_equal(a.dram_reads[0], 8 * LINE / m.shape.part.burst_bytes);
    assert_int_equal(a.sm_busy_cycles[0] + a.sm_idle_cycles[0], a.core_cycles[0] * m.chip_sms);
    ws_sim_end(sim);
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

static void test_report(void **state)
{
    (void)state;
    ws_activity a = {0};
    a.unit_lanes[WS_UNIT_SFU] = 7;
    ws_activity_report *report;
    ws_frame *frame;
    static const ws_activity_source sources[] = {WS_ACTIVITY_SIMULATION, WS_ACTIVITY_EVENTS};
    for (int replay = 0; replay < 2; replay++) {
        assert_int_equal(ws_activity_report_create(sources[replay], &report), WS_OK);
        assert_int_equal(ws_activity_report_add(report, "W", "k", 3, 10, 20, &a), WS_OK);
        assert_int_equal(ws_activity_report_frame(report, &frame), WS_OK);
        size_t found = 0, cycles = 0;
        for (size_t i = 0; i < frame->rows; i++) {
            found += frame->value[i * frame->columns + 2] == 7;
            cycles += !strcmp(frame->label[i * frame->labels + 5], "busy_cycles");
        }
        assert_int_equal(found, 1);
        assert_true(replay ? cycles == 0 : cycles > 0);
        ws_activity_report *back;
        ws_activity_stretch there;
        assert_int_equal(ws_activity_report_create(sources[replay], &back), WS_OK);
        assert_int_equal(ws_activity_report_read(back, frame), WS_OK);
        assert_true(ws_activity_report_at(back, 0, &there) && !ws_activity_report_at(back, 1, &there));
        ws_activity_report_at(back, 0, &there);
        assert_true(!strcmp(there.workload, "W") && !strcmp(there.kernel, "k") && there.launch == 3 &&
                    there.begin == 10 && there.cycles == 20);
        if (!replay)
            assert_memory_equal(there.did, &a, sizeof a);
        assert_int_equal(ws_frame_set_label(frame, 0, 5, "elephants"), WS_OK);
        assert_int_equal(ws_activity_report_read(back, frame), WS_EINPUT);
        ws_frame_destroy(frame);
        ws_activity_report_destroy(back);
        ws_activity_report_destroy(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_sm),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
