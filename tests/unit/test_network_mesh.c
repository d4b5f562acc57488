/* Times of the mesh by hand, the loads of its channels, and its curve against BookSim's.
 *
 * Reference: BookSim 2 (Jiang and others, A Detailed and Flexible Cycle-Accurate Network-on-Chip Simulator, 2013), mesh
 * k=8 n=2, dor, 4 virtual channels of 8 flits, islip allocators of one iteration, vc_alloc, sw_alloc, st_final, credit
 * delay 1, routing delay 0, uniform traffic, packets of one flit, seed 1: mean packet latency in cycles. */
#include "base/status.h"
#include "tests/unit/network_traffic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static ws_network *create(uint32_t nodes, const ws_given *given, size_t count)
{
    ws_network *net;
    const int rc = ws_network_create("mesh", nodes, given, count, &net);
    if (rc)
        fail_msg("%s", ws_message());
    return net;
}

/* The packet alone in the network: cycles from inject to delivery. */
static uint64_t alone(ws_network *net, uint32_t from, uint32_t to, uint32_t bytes)
{
    const ws_packet p = {.source = from, .destination = to, .bytes = bytes};
    ws_packet got;
    assert_true(ws_network_inject(net, &p));
    while (!ws_network_eject(net, to, &got))
        ws_network_step(net, ws_network_next_time(net) + 1);
    while (ws_network_next_time(net) != WS_NEVER) /* credits go home */
        ws_network_step(net, ws_network_next_time(net) + 1);
    return got.delivered - got.created;
}

static uint32_t routers_between(uint32_t width, uint32_t from, uint32_t to)
{
    return 1 + (uint32_t)abs((int)(from % width) - (int)(to % width)) +
           (uint32_t)abs((int)(from / width) - (int)(to / width));
}

static void alone_it_takes_four_cycles_a_router(void **state)
{
    (void)state;
    const ws_given given[] = {{"flit_bytes", 16, NULL}, {"width", 4, NULL}};
    ws_network *const net = create(12, given, 2);
    for (uint32_t from = 0; from < 12; from++)
        for (uint32_t to = 0; to < 12; to++)
            for (uint32_t flits = 1; flits <= 6; flits++)
                assert_int_equal(alone(net, from, to, flits * 16 - 3),
                                 4 * routers_between(4, from, to) + 2 + flits - 1);
    ws_network_destroy(net);
}

static void delays_add_up(void **state)
{
    (void)state;
    /* Each router: 3 to route, 1 + 1 in the allocators (the second in front of the switch), 2 switch, 5 link. */
    const ws_given given[] = {
        {"route_cycles", 3, NULL}, {"switch_cycles", 2, NULL}, {"link_cycles", 5, NULL}, {"credit_cycles", 4, NULL}};
    ws_network *const net = create(9, given, 4);
    assert_int_equal(alone(net, 0, 8, 32), 5 * (3 + 1 + 1 + 2 + 5) + 6);
    assert_int_equal(alone(net, 4, 4, 64), 12 + 6 + 1);
    ws_network_destroy(net);
}

/* A buffer of d flits and a credit that comes back after 6 cycles (3 forth, 3 back) carry d/6 flits a cycle, 1 at
 * most. */
static void credits_limit_the_rate(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth <= 8; depth++) {
        const ws_given given[] = {{"vcs", 1, NULL}, {"vc_flits", depth, NULL}, {"injection_flits", 1, NULL}};
        ws_network *const net = create(4, given, 3);
        const double cycles = (double)alone(net, 0, 3, 3000 * 32);
        assert_float_equal(3000 / cycles, depth < 6 ? depth / 6.0 : 1.0, 0.01);
        ws_network_destroy(net);
    }
}

/* 0 1 2     packets from 0 to 8 and from 2 to 6: first along the row, then down. */
static void channels_are_loaded_in_dimension_order(void **state)
{
    (void)state;
    ws_network *const net = create(9, NULL, 0);
    alone(net, 0, 8, 64);
    alone(net, 0, 8, 64);
    alone(net, 2, 6, 32);
    static const uint64_t flits[9][9] = {
        [0] = {[1] = 4, [3] = 1}, [1] = {[2] = 4, [0] = 1}, [2] = {[5] = 4, [1] = 1}, [5] = {[8] = 4},
        [3] = {[6] = 1},          [8] = {[8] = 4},          [6] = {[6] = 1},
    };
    assert_int_equal(ws_network_channels(net), 9 + 24);
    for (size_t i = 0; i < ws_network_channels(net); i++) {
        const ws_channel c = ws_network_channel(net, i);
        assert_int_equal(c.to_node, c.from == c.to);
        assert_int_equal(c.flits, flits[c.from][c.to]);
        assert_int_equal(c.packets, c.flits == 4 ? 2 : c.flits);
    }
    assert_int_equal(ws_network_max_channel_load(net), 2);
    ws_network_destroy(net);
}

/* Everybody sends long packets to one node through buffers of one flit: no cycle of waiting, so it all arrives. */
static void no_deadlock(void **state)
{
    (void)state;
    const ws_given given[] = {{"vcs", 1, NULL}, {"vc_flits", 1, NULL}, {"ejection_packets", 1, NULL}};
    for (unsigned long seed = 1; seed <= 3; seed++) {
        ws_network *const net = create(25, given, 3);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(rng, seed);
        uint32_t in = 0, out = 0;
        while (out < 3000) {
            assert_true(ws_network_now(net) < 2000000);
            const uint32_t to = gsl_rng_uniform(rng) < 0.3 ? 12 : (uint32_t)gsl_rng_uniform_int(rng, 25);
            const ws_packet p = {.source = (uint32_t)gsl_rng_uniform_int(rng, 25), .destination = to, .bytes = 32 * 9};
            in += in < 3000 && ws_network_inject(net, &p);
            ws_network_step(net, ws_network_now(net) + 1);
            ws_packet got;
            for (uint32_t n = 0; n < 25; n++)
                out += gsl_rng_uniform(rng) < 0.1 && ws_network_eject(net, n, &got);
        }
        assert_int_equal(ws_network_inside(net), 0);
        gsl_rng_free(rng);
        ws_network_destroy(net);
    }
}

/* Any mix of sizes, buffers and delays carries everything, and a lone packet takes what the delays add up to. */
static void any_configuration_carries_all(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < 60; k++) {
        const uint64_t width = 1 + gsl_rng_uniform_int(rng, 6), height = 1 + gsl_rng_uniform_int(rng, 6);
        const uint64_t route = gsl_rng_uniform_int(rng, 9), turn = 1 + gsl_rng_uniform_int(rng, 8);
        const uint64_t link = 1 + gsl_rng_uniform_int(rng, k % 2 ? 64 : 3);
        const ws_given given[] = {
            {"width", width, NULL},
            {"height", height, NULL},
            {"route_cycles", route, NULL},
            {"switch_cycles", turn, NULL},
            {"link_cycles", link, NULL},
            {"credit_cycles", gsl_rng_uniform_int(rng, 9), NULL},
            {"vcs", 1 + gsl_rng_uniform_int(rng, 12), NULL},
            {"vc_flits", 1 + gsl_rng_uniform_int(rng, 9), NULL},
            {"injection_flits", 1 + gsl_rng_uniform_int(rng, 20), NULL},
            {"ejection_packets", 1 + gsl_rng_uniform_int(rng, 4), NULL},
        };
        const uint32_t nodes = 1 + (uint32_t)gsl_rng_uniform_int(rng, width * height);
        ws_network *const net = create(nodes, given, sizeof given / sizeof *given);
        const uint32_t from = (uint32_t)gsl_rng_uniform_int(rng, nodes), to = (uint32_t)gsl_rng_uniform_int(rng, nodes);
        assert_int_equal(alone(net, from, to, 32),
                         routers_between((uint32_t)width, from, to) * (route + 2 + turn + link) + link + 1);
        uint32_t in = 0, out = 0;
        while (out < 400) {
            assert_true(ws_network_now(net) < 4000000);
            const ws_packet p = {.source = (uint32_t)gsl_rng_uniform_int(rng, nodes),
                                 .destination = (uint32_t)gsl_rng_uniform_int(rng, nodes),
                                 .bytes = 1 + (uint32_t)gsl_rng_uniform_int(rng, 400)};
            in += in < 400 && ws_network_inject(net, &p);
            ws_network_step(net, ws_network_now(net) + 1 + gsl_rng_uniform_int(rng, 3));
            ws_packet got;
            for (uint32_t n = 0; n < nodes; n++)
                out += gsl_rng_uniform(rng) < 0.5 && ws_network_eject(net, n, &got);
        }
        assert_int_equal(ws_network_inside(net), 0);
        assert_int_equal(ws_network_sum(net).flits_in, ws_network_sum(net).flits_out);
        while (ws_network_next_time(net) != WS_NEVER) /* all credits are home: a lone packet is as fast as before */
            ws_network_step(net, ws_network_next_time(net) + 1);
        assert_int_equal(alone(net, from, to, 32),
                         routers_between((uint32_t)width, from, to) * (route + 2 + turn + link) + link + 1);
        ws_network_destroy(net);
    }
    gsl_rng_free(rng);
}

static traffic_result measure(double rate, uint64_t measured)
{
    ws_network *const net = create(64, NULL, 0);
    const traffic load = {.nodes = 64,
                          .rate = rate,
                          .bytes = 32,
                          .warm_up = 3000,
                          .measure = measured,
                          .give_up = 3 * measured,
                          .seed = 1,
                          .destination = uniform_destination};
    const traffic_result got = run_traffic(net, &load);
    ws_network_destroy(net);
    return got;
}

static void curve_is_booksims(void **state)
{
    (void)state;
    static const struct {
        double rate, latency;
    } points[] = {{0.02, 27.08}, {0.10, 27.28}, {0.20, 27.84}, {0.30, 29.44}};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const traffic_result got = measure(points[i].rate, 6000);
        printf("rate %.2f: latency %.2f, BookSim %.2f\n", points[i].rate, got.latency, points[i].latency);
        assert_true(got.drained);
        assert_true(fabs(got.latency / points[i].latency - 1) < 0.02);
    }
}

/* Below saturation the mean latency stays under three times that of an empty network; above, what is accepted does not
 * follow what is offered. */
static void saturates_between_40_and_44_percent(void **state)
{
    (void)state;
    const traffic_result below = measure(0.40, 6000);
    assert_true(below.drained && below.latency < 3 * 27.0);
    const traffic_result above = measure(0.50, 6000);
    printf("offered 0.50: accepted %.3f\n", above.accepted);
    assert_true(above.latency > 3 * 27.0);
    assert_true(above.accepted > 0.40 && above.accepted < 0.44);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_takes_four_cycles_a_router),
        cmocka_unit_test(delays_add_up),
        cmocka_unit_test(credits_limit_the_rate),
        cmocka_unit_test(channels_are_loaded_in_dimension_order),
        cmocka_unit_test(no_deadlock),
        cmocka_unit_test(any_configuration_carries_all),
        cmocka_unit_test(curve_is_booksims),
        cmocka_unit_test(saturates_between_40_and_44_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
