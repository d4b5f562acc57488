/* The crossbar against closed forms: what a queue per input can carry, and how long packets wait at an output. */
#include "base/status.h"
#include "tests/unit/network_traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static ws_network *create(uint32_t nodes, const ws_given *given, size_t count)
{
    ws_network *net;
    const int rc = ws_network_create("crossbar", nodes, given, count, &net);
    if (rc)
        fail_msg("%s", ws_message());
    return net;
}

static void alone_it_takes_latency_and_flits(void **state)
{
    (void)state;
    for (uint32_t latency = 1; latency <= 5; latency += 2) {
        const ws_given given[] = {{"latency", latency, NULL}};
        ws_network *const net = create(6, given, 1);
        for (uint32_t flits = 1; flits <= 4; flits++) {
            const ws_packet p = {.source = 5, .destination = flits, .bytes = flits * 32};
            ws_packet got;
            assert_true(ws_network_inject(net, &p));
            ws_network_step(net, ws_network_now(net) + 100);
            assert_true(ws_network_eject(net, flits, &got));
            assert_int_equal(got.delivered - got.created, latency + flits - 1);
        }
        ws_network_destroy(net);
    }
}

/* Two packets of 3 flits from two inputs to output 0, then one behind the first to the idle output 1. */
static void schedule_by_hand(void **state)
{
    (void)state;
    ws_network *const net = create(3, NULL, 0);
    const ws_packet sent[] = {{.tag = 1, .source = 1, .destination = 0, .bytes = 96},
                              {.tag = 2, .source = 2, .destination = 0, .bytes = 96},
                              {.tag = 3, .source = 2, .destination = 1, .bytes = 32}};
    for (int i = 0; i < 3; i++)
        assert_true(ws_network_inject(net, &sent[i]));
    ws_network_step(net, 20);
    /* 1 moves in cycles 0-2, 2 in 3-5; 3 waits behind 2 (head of line) until 6. Last flits arrive a cycle later. */
    static const uint64_t delivered[] = {3, 6, 7};
    static const uint32_t node[] = {0, 0, 1};
    for (int i = 0; i < 3; i++) {
        ws_packet got;
        assert_true(ws_network_eject(net, node[i], &got));
        assert_int_equal(got.tag, i + 1);
        assert_int_equal(got.delivered, delivered[i]);
    }
    ws_network_destroy(net);
}

/* With a window of two, 3 goes before 2; 4 stays behind 2, which has the same way. */
static void what_is_behind_may_go_first(void **state)
{
    (void)state;
    const ws_given given[] = {{"window", 3, NULL}};
    ws_network *const net = create(3, given, 1);
    const ws_packet sent[] = {{.tag = 1, .source = 1, .destination = 0, .bytes = 96},
                              {.tag = 2, .source = 2, .destination = 0, .bytes = 96},
                              {.tag = 4, .source = 2, .destination = 0, .bytes = 32},
                              {.tag = 3, .source = 2, .destination = 1, .bytes = 32},
                              {.tag = 5, .source = 2, .destination = 2, .bytes = 32}};
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        assert_true(ws_network_inject(net, &sent[i]));
    ws_network_step(net, 20);
    /* 1 moves in cycles 0-2, 3 in 0, 5 in 1 (it is among the first three then), 2 in 3-5, 4 in 6. */
    static const struct {
        uint32_t node, tag, delivered;
    } known[] = {{0, 1, 3}, {0, 2, 6}, {0, 4, 7}, {1, 3, 1}, {2, 5, 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ws_packet got;
        assert_true(ws_network_eject(net, known[i].node, &got));
        assert_int_equal(got.tag, known[i].tag);
        assert_int_equal(got.delivered, known[i].delivered);
    }
    assert_int_equal(ws_network_sum(net).packets_out, 5);
    const ws_packet again = {.source = 2, .destination = 1, .bytes = 32}; /* the queue is whole */
    ws_packet got;
    assert_true(ws_network_inject(net, &again));
    ws_network_step(net, 40);
    assert_true(ws_network_eject(net, 1, &got));
    ws_network_destroy(net);
}

/* Packets a cycle and node when every input always has as many as fit. */
static double saturated_of(uint32_t nodes, uint64_t speedup, uint64_t window, uint64_t cycles)
{
    const ws_given given[] = {{"speedup", speedup, NULL}, {"ejection_packets", 4096, NULL}, {"window", window, NULL}};
    ws_network *const net = create(nodes, given, 3);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 11);
    uint64_t before = 0;
    for (uint64_t cycle = 0; cycle < cycles + 500; cycle++) {
        for (uint32_t n = 0; n < nodes; n++) {
            ws_packet p = {.source = n, .bytes = 32}, got;
            while (ws_network_has_room(net, n, 32)) {
                p.destination = (uint32_t)gsl_rng_uniform_int(rng, nodes);
                ws_network_inject(net, &p);
            }
            while (ws_network_eject(net, n, &got))
                continue;
        }
        before = cycle == 500 ? ws_network_sum(net).packets_out : before;
        ws_network_step(net, cycle + 1);
    }
    const double out = (double)(ws_network_sum(net).packets_out - before);
    gsl_rng_free(rng);
    ws_network_destroy(net);
    return out / (double)cycles / nodes;
}

static double saturated(uint32_t nodes, uint64_t speedup, uint64_t cycles)
{
    return saturated_of(nodes, speedup, 1, cycles);
}

/* Karol, Hluchyj, Morgan 1987, table II: windows of 1 to 8 packets, 16 nodes. Their inputs offer one packet after the
 * other, in rounds; ours offer all at once and outputs choose in turn, which carries somewhat more. */
static void windows_undo_part_of_it(void **state)
{
    (void)state;
    static const double carried[] = {0.60, 0.71, 0.77, 0.81, 0.84, 0.86, 0.87, 0.88};
    double last = 0;
    for (uint64_t window = 1; window <= 8; window++) {
        const double got = saturated_of(16, 1, window, 8000);
        printf("window %d: %.4f, known %.2f\n", (int)window, got, carried[window - 1]);
        assert_true(got > last);
        assert_float_equal(got, carried[window - 1], 0.035);
        last = got;
    }
}

/* Karol, Hluchyj, Morgan 1987, table I: one queue per input, 2, 4, 8 nodes; 2 - sqrt(2) for many. */
static void head_of_line_blocking(void **state)
{
    (void)state;
    static const struct {
        uint32_t nodes;
        double carried, tolerance;
    } known[] = {{2, 0.7500, 0.01}, {4, 0.6553, 0.01}, {8, 0.6184, 0.01}, {64, 0.5858, 0.01}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double got = saturated(known[i].nodes, 1, known[i].nodes < 64 ? 40000 : 5000);
        printf("%u nodes: %.4f, known %.4f\n", known[i].nodes, got, known[i].carried);
        assert_float_equal(got, known[i].carried, known[i].tolerance);
    }
}

/* Oie, Murata, Kubota, Miyahara, Effect of Speedup in Nonblocking Packet Switch, 1989: outputs that take 2, 3, 4
 * packets at once, many nodes. Their queues at the outputs are endless, and so is what is ejected here. */
static void speedup_undoes_it(void **state)
{
    (void)state;
    static const double carried[] = {0.885, 0.976, 0.996};
    for (uint64_t speedup = 2; speedup <= 4; speedup++) {
        const double got = saturated(64, speedup, 5000);
        printf("speedup %d: %.4f, known %.3f\n", (int)speedup, got, carried[speedup - 2]);
        assert_float_equal(got, carried[speedup - 2], 0.01);
    }
}

/* Karol and others, equation (2): a port for every input. Wait at an output: (N-1)/N * p / (2 (1-p)) cycles. */
static void output_queues_wait_as_known(void **state)
{
    (void)state;
    for (int i = 4; i <= 8; i += 2) {
        const double p = i / 10.0;
        const ws_given given[] = {{"speedup", 16, NULL}, {"ejection_packets", 1024, NULL}};
        ws_network *const net = create(16, given, 2);
        const traffic load = {.nodes = 16,
                              .rate = p,
                              .bytes = 32,
                              .warm_up = 1000,
                              .measure = 40000,
                              .give_up = 60000,
                              .seed = 2,
                              .destination = uniform_destination};
        const traffic_result got = run_traffic(net, &load);
        const double known = 15.0 / 16 * p / (2 * (1 - p));
        printf("load %.1f: wait %.3f, known %.3f\n", p, got.latency - 1, known);
        assert_true(got.drained);
        assert_float_equal(got.latency - 1, known, 0.05 * known);
        ws_network_destroy(net);
    }
}

static void inputs_take_turns(void **state)
{
    (void)state;
    const ws_given given[] = {{"injection_flits", 4, NULL}};
    ws_network *const net = create(5, given, 1);
    uint64_t got[5] = {0};
    for (uint64_t cycle = 0; cycle < 4000; cycle++) {
        for (uint32_t n = 0; n < 4; n++) {
            const ws_packet p = {.source = n, .destination = 4, .bytes = 32};
            ws_network_inject(net, &p);
        }
        ws_network_step(net, cycle + 1);
        ws_packet p;
        while (ws_network_eject(net, 4, &p))
            got[p.source]++;
    }
    for (int n = 0; n < 4; n++)
        assert_in_range(got[n], 999, 1000);
    assert_int_equal(ws_network_channel(net, 5 + 4).packets, ws_network_max_channel_load(net));
    ws_network_destroy(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_takes_latency_and_flits), cmocka_unit_test(schedule_by_hand),
        cmocka_unit_test(what_is_behind_may_go_first),      cmocka_unit_test(head_of_line_blocking),
        cmocka_unit_test(windows_undo_part_of_it),          cmocka_unit_test(speedup_undoes_it),
        cmocka_unit_test(output_queues_wait_as_known),      cmocka_unit_test(inputs_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
