/* Crossbars of light against times worked out by hand, the token rule literally, and what channels and tokens can
 * carry. */
#include "sim_script.h"

#include "tests/unit/network_traffic.h"

static ws_network *create(const char *name, uint32_t nodes, const ws_given *given, size_t count)
{
    ws_network *net;
    if (ws_network_create(name, nodes, given, count, &net))
        fail_msg("%s", ws_message());
    return net;
}

static void inject(ws_network *net, uint64_t tag, uint32_t from, uint32_t to, uint32_t flits)
{
    const ws_packet p = {.tag = tag, .source = from, .destination = to, .bytes = flits * 32};
    assert_true(ws_network_inject(net, &p));
}

static uint64_t delivered_at(ws_network *net, uint32_t node, uint64_t tag)
{
    ws_packet got;
    assert_true(ws_network_eject(net, node, &got));
    assert_int_equal(got.tag, tag);
    return got.delivered;
}

/* 16 nodes, 5 cycles around: from 3 to 9 are 6 steps, 6 * 5 / 16 = 1.9 cycles; from 9 to 3 are 10, 3.1. */
static void light_takes_time_with_distance(void **state)
{
    (void)state;
    ws_network *const net = create("swmr", 16, NULL, 0);
    inject(net, 1, 3, 9, 2);
    inject(net, 2, 9, 3, 2);
    inject(net, 3, 5, 5, 2);
    ws_network_step(net, 30);
    assert_int_equal(delivered_at(net, 9, 1), 1 + 2 - 1 + 2 + 1);
    assert_int_equal(delivered_at(net, 3, 2), 1 + 2 - 1 + 4 + 1);
    assert_int_equal(delivered_at(net, 5, 3), 2); /* to itself: no light */
    assert_int_equal(ws_network_sum(net).flit_moves, 4);
    ws_network_destroy(net);
}

/* Four writers reach a node at once; a writer sends one packet after the other. */
static void many_reach_a_node_at_once(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 16, NULL}, {"convert", 0, NULL}};
    ws_network *const net = create("swmr", 16, given, 2);
    for (uint32_t n = 1; n <= 4; n++)
        inject(net, n, n, 8, 3);
    inject(net, 5, 4, 9, 3);
    ws_network_step(net, 30);
    for (uint32_t n = 4; n >= 1; n--) /* flight 8 - n: the nearest first */
        assert_int_equal(delivered_at(net, 8, n), 3 - 1 + 8 - n);
    assert_int_equal(delivered_at(net, 9, 5), 3 + 3 - 1 + 5);
    ws_network_destroy(net);
}

/* 8 nodes, 8 cycles around. The token of node 0 leaves it in cycle 0 and passes node n in cycle n. */
static const ws_given eight[] = {{"loop", 8, NULL}, {"convert", 1, NULL}};

static void who_the_token_passes_takes_it(void **state)
{
    (void)state;
    ws_network *const net = create("mwsr", 8, eight, 2);
    inject(net, 1, 5, 0, 2);
    inject(net, 2, 3, 0, 2);
    inject(net, 3, 6, 0, 2);
    ws_network_step(net, 100);
    /* 3 takes it in cycle 3; its last flit is light in cycle 5, five steps from 0, and there in 10, in the node in 11.
     * The token is behind it, in cycle 11, leaves, and passes 5 in 16; that packet arrives in 16 + 1 + 1 + 3 + 1, the
     * token in 22; 6 takes it in 28. */
    assert_int_equal(delivered_at(net, 0, 2), 11);
    assert_int_equal(delivered_at(net, 0, 1), 22);
    assert_int_equal(delivered_at(net, 0, 3), 28 + 1 + 1 + 2 + 1);
    ws_network_destroy(net);
}

/* One that asks when the token is by waits for its next turn; long idle times are whole turns. */
static void a_token_goes_around(void **state)
{
    (void)state;
    ws_network *const net = create("mwsr", 8, eight, 2);
    ws_network_step(net, 6);
    inject(net, 1, 4, 0, 1); /* passed in cycle 4: again in 12 */
    ws_network_step(net, 40);
    assert_int_equal(delivered_at(net, 0, 1), 12 + 1 + 0 + 4 + 1);
    /* Back in cycle 12 + 1 + 1 + 4 = 18; passes node 7 in 25 + 8 n. */
    const uint64_t late = 18 + 7 + 8 * 1000000007ull;
    ws_network_step(net, late);
    inject(net, 2, 7, 0, 1);
    ws_network_step(net, late + 20);
    assert_int_equal(delivered_at(net, 0, 2), late + 1 + 0 + 1 + 1);
    ws_network_destroy(net);
}

/* Tokens of two nodes: one that sends lets the other token pass. */
static void a_node_takes_one_token_at_a_time(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 8, NULL}, {"convert", 1, NULL}, {"window", 2, NULL}};
    ws_network *const net = create("mwsr", 8, given, 3);
    inject(net, 1, 2, 0, 4); /* token 0 is here in cycle 2, token 1 in cycle 1 */
    inject(net, 2, 2, 1, 4);
    ws_network_step(net, 100);
    assert_int_equal(delivered_at(net, 1, 2), 1 + 1 + 3 + 7 + 1);
    /* Sends in cycles 1-4, asks again in 5; token 0 comes by in 10. */
    assert_int_equal(delivered_at(net, 0, 1), 10 + 1 + 3 + 6 + 1);
    ws_network_destroy(net);
}

/* Packets a source gets through when 1, 2 and 3 always want to send to 0. */
static void share(uint64_t rounds, uint64_t got[8])
{
    const ws_given given[] = {{"loop", 8, NULL}, {"rounds", rounds, NULL}};
    ws_network *const net = create("mwsr", 8, given, 2);
    memset(got, 0, 8 * sizeof *got);
    for (uint64_t cycle = 0; cycle < 6000; cycle++) {
        for (uint32_t n = 1; n <= 3; n++) {
            const ws_packet p = {.source = n, .destination = 0, .bytes = 32};
            ws_network_inject(net, &p);
        }
        ws_network_step(net, cycle + 1);
        for (ws_packet p; ws_network_eject(net, 0, &p);)
            got[p.source]++;
    }
    ws_network_destroy(net);
}

/* The first behind the reader has it all. In rounds each has its turn, and a turn of nobody ends a round: 1, 2, 3 and
 * around. A packet keeps the token from its taker to the reader, convert + 1 + flight, and it goes back to the next
 * taker: 8 + 2 cycles each, and 8 more for the turn of nobody. */
static void rounds_give_each_a_turn(void **state)
{
    (void)state;
    uint64_t got[8];
    share(0, got);
    assert_in_range(got[1], 6000 / 10 - 1, 6000 / 10);
    assert_int_equal(got[2] + got[3], 0);
    share(1, got);
    for (int n = 1; n <= 3; n++)
        assert_in_range(got[n], 6000 / 38 - 1, 6000 / 38 + 1);
}

/* Two places at the node, one of them the token's: the third packet waits until one is taken. */
static void no_token_without_room(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 8, NULL}, {"convert", 1, NULL}, {"ejection_packets", 2, NULL}};
    ws_network *const net = create("mwsr", 8, given, 3);
    for (uint32_t n = 1; n <= 3; n++)
        inject(net, n, n, 0, 1);
    ws_network_step(net, 200);
    assert_int_equal(ws_network_next_time(net), WS_NEVER);
    assert_int_equal(ws_network_sum(net).packets_in - ws_network_inside(net), 0);
    assert_int_equal(delivered_at(net, 0, 1), 1 + 1 + 7 + 1);
    delivered_at(net, 0, 2);
    ws_network_step(net, 400);
    assert_int_equal(delivered_at(net, 0, 3), 200 + 3 + 1 + 5 + 1); /* let go in cycle 200 */
    ws_network_destroy(net);
}

/* A node with three packets of two flits keeps the token of cycle 3 for two of them: they are light in cycles 3 to 6,
 * the token is back in 7 + 1 + 5. Nobody takes it until it has gone around; the third goes in 24. */
static void packets_follow_one_another(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 8, NULL}, {"convert", 1, NULL}, {"packets", 2, NULL}};
    ws_network *const net = create("mwsr", 8, given, 3);
    for (uint32_t tag = 1; tag <= 3; tag++)
        inject(net, tag, 3, 0, 2);
    ws_network_step(net, 100);
    assert_int_equal(delivered_at(net, 0, 1), 3 + 1 + 1 + 5 + 1);
    assert_int_equal(delivered_at(net, 0, 2), 5 + 1 + 1 + 5 + 1);
    assert_int_equal(delivered_at(net, 0, 3), 24 + 1 + 1 + 5 + 1);
    ws_network_destroy(net);
}

/* Two places at the node: with the first packet's taken by the token, one more follows it, not two. */
static void packets_follow_where_there_is_room(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 8, NULL}, {"packets", 8, NULL}, {"ejection_packets", 2, NULL}};
    ws_network *const net = create("mwsr", 8, given, 3);
    for (uint32_t tag = 1; tag <= 3; tag++)
        inject(net, tag, 3, 0, 2);
    ws_network_step(net, 100);
    delivered_at(net, 0, 1);
    delivered_at(net, 0, 2);
    assert_int_equal(ws_network_inside(net), 1);
    ws_network_step(net, 200);
    assert_in_range(delivered_at(net, 0, 3), 100 + 3, 100 + 3 + 8 + 1 + 1 + 5 + 1);
    ws_network_destroy(net);
}

static void keep_line(void *user, const char *line)
{
    snprintf(user, 200, "%s", line);
}

static void a_lost_token_is_named(void **state)
{
    (void)state;
    const ws_given given[] = {{"loop", 8, NULL}, {"lose", 4, NULL}};
    ws_network *const net = create("mwsr", 8, given, 2);
    char line[200] = "";
    inject(net, 1, 4, 3, 1);
    inject(net, 2, 4, 3, 1);
    inject(net, 3, 6, 3, 1);
    inject(net, 4, 6, 1, 1);
    ws_network_step(net, 1000);
    delivered_at(net, 3, 1);
    assert_int_equal(ws_network_next_time(net), WS_NEVER);
    assert_int_equal(ws_network_inside(net), 3);
    ws_network_explain(net, keep_line, line);
    assert_string_equal(line, "the token of node 3 was lost when node 4 took it in cycle 1; 2 nodes wait for it");
    ws_network_destroy(net);
}

/* Flits a cycle that reach node 0 when `sources` always want to send packets of `flits` flits to it. */
static double carried(const char *name, uint32_t sources, uint32_t flits, uint64_t packets)
{
    const ws_given given[] = {
        {"loop", 8, NULL}, {"ejection_packets", 64, NULL}, {"rounds", 0, NULL}, {"packets", packets, NULL}};
    ws_network *const net = create(name, 8, given, strcmp(name, "mwsr") ? 2 : 4);
    uint64_t got = 0;
    enum { CYCLES = 20000 };
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        for (uint32_t n = 1; n <= sources; n++)
            while (ws_network_has_room(net, n, flits * 32))
                inject(net, 0, n, 0, flits);
        ws_network_step(net, cycle + 1);
        for (ws_packet p; ws_network_eject(net, 0, &p);)
            got += flits;
    }
    ws_network_destroy(net);
    return (double)got / CYCLES;
}

/* A token goes around once a packet, whoever took it: flits / (convert + flits + loop), or once a few: n flits /
 * (convert + n flits + loop). Channels of writers add up. */
static void what_a_channel_carries(void **state)
{
    (void)state;
    for (uint32_t flits = 1; flits <= 8; flits *= 2) {
        assert_float_equal(carried("mwsr", 7, flits, 1), flits / (1.0 + flits + 8), 0.001);
        assert_float_equal(carried("mwsr", 1, flits, 1), flits / (1.0 + flits + 8), 0.001);
        assert_float_equal(carried("mwsr", 7, flits, 4), 4 * flits / (1.0 + 4 * flits + 8), 0.001);
    }
    assert_float_equal(carried("swmr", 1, 4, 1), 1, 0.001);
    assert_float_equal(carried("swmr", 5, 4, 1), 5, 0.004);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        uint32_t nodes;
        ws_given given[2];
        const char *message;
    } bad[] = {
        {"mwsr",
         4,
         {{"flit_bytes", 20, NULL}},
         "flit_bytes = 20 is 160 bits, which do not fill waveguides of wavelengths = 64"},
        {"swmr",
         4,
         {{"wavelengths", 48, NULL}},
         "flit_bytes = 32 is 256 bits, which do not fill waveguides of wavelengths = 48"},
        {"mwsr",
         80,
         {{NULL, 0, NULL}},
         "80 nodes need a token each, but arbitration = 1 with wavelengths = 64 have 64; give arbitration = 2 or more"},
        {"mwsr",
         4,
         {{"ejection_packets", 1, NULL}},
         "ejection_packets = 1, but a token keeps one place at its node; give 2 or more"},
        {"mwsr", 4, {{"lose", 5, NULL}}, "lose = 5 exceeds the 4 tokens"},
        {"swmr", 4, {{"rounds", 1, "a.ini:2:3"}}, "a.ini:2:3: swmr has no option rounds"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_network *net;
        assert_int_equal(
            ws_network_create(bad[i].network, bad[i].nodes, bad[i].given, bad[i].given[0].name ? 1 : 0, &net),
            WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_takes_time_with_distance),
        cmocka_unit_test(many_reach_a_node_at_once),
        cmocka_unit_test(who_the_token_passes_takes_it),
        cmocka_unit_test(a_token_goes_around),
        cmocka_unit_test(a_node_takes_one_token_at_a_time),
        cmocka_unit_test(rounds_give_each_a_turn),
        cmocka_unit_test(no_token_without_room),
        cmocka_unit_test(packets_follow_one_another),
        cmocka_unit_test(packets_follow_where_there_is_room),
        cmocka_unit_test(a_lost_token_is_named),
        cmocka_unit_test(what_a_channel_carries),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
