/* The bus against times worked out by hand: one packet at a time, sources in turn, a group in one transfer. */
#include "sim_script.h"

#include "tests/unit/network_traffic.h"
#include "tests/unit/machine_word.h"

static ws_network *create(uint32_t nodes, const ws_given *given, size_t count)
{
    ws_network *net;
    if (ws_network_create("bus", nodes, given, count, &net))
        fail_msg("%s", ws_message());
    return net;
}

static uint64_t delivered_at(ws_network *net, uint32_t node, uint64_t tag)
{
    ws_packet got;
    assert_true(ws_network_eject(net, node, &got));
    assert_int_equal(got.tag, tag);
    return got.delivered;
}

static void alone_it_takes_latency_and_flits(void **state)
{
    (void)state;
    for (uint32_t latency = 1; latency <= 5; latency += 2) {
        const ws_given given[] = {{"latency", latency, NULL}};
        ws_network *const net = create(6, given, 1);
        for (uint32_t flits = 1; flits <= 4; flits++) {
            const ws_packet p = {.tag = flits, .source = 5, .destination = flits, .bytes = flits * 32};
            const uint64_t begin = ws_network_now(net);
            assert_true(ws_network_inject(net, &p));
            ws_network_step(net, begin + 100);
            assert_int_equal(delivered_at(net, flits, flits) - begin, latency + flits - 1);
        }
        ws_network_destroy(net);
    }
}

/* Three sources of which one has two packets: they take turns, and the bus is never idle. */
static void sources_take_turns(void **state)
{
    (void)state;
    ws_network *const net = create(4, NULL, 0);
    const ws_packet sent[] = {{.tag = 1, .source = 0, .destination = 3, .bytes = 96},
                              {.tag = 2, .source = 0, .destination = 3, .bytes = 32},
                              {.tag = 3, .source = 1, .destination = 3, .bytes = 64},
                              {.tag = 4, .source = 2, .destination = 3, .bytes = 32}};
    for (int i = 0; i < 4; i++)
        assert_true(ws_network_inject(net, &sent[i]));
    ws_network_step(net, 20);
    assert_int_equal(delivered_at(net, 3, 1), 3); /* cycles 0-2 */
    assert_int_equal(delivered_at(net, 3, 3), 5); /* 3-4 */
    assert_int_equal(delivered_at(net, 3, 4), 6); /* 5 */
    assert_int_equal(delivered_at(net, 3, 2), 7);
    assert_int_equal(ws_network_sum(net).flit_moves, 7);
    ws_network_destroy(net);
}

/* To every other node in one transfer; what says something else, or comes from somebody else, takes its own. */
static void a_group_is_one_transfer(void **state)
{
    (void)state;
    enum { NODES = 40 };
    ws_network *const net = create(NODES, NULL, 0);
    for (uint32_t node = 1; node < NODES; node++) {
        const ws_packet p = {.tag = node, .source = 0, .destination = node, .bytes = 32, .group = 7};
        assert_true(ws_network_inject(net, &p));
    }
    const ws_packet other = {.tag = 100, .source = 0, .destination = 5, .bytes = 32, .group = 8};
    assert_true(ws_network_inject(net, &other));
    ws_network_step(net, 50);
    for (uint32_t node = 1; node < NODES; node++)
        assert_int_equal(delivered_at(net, node, node), 1);
    assert_int_equal(delivered_at(net, 5, 100), 2);
    assert_int_equal(ws_network_sum(net).flit_moves, 2);
    assert_int_equal(ws_network_sum(net).flits_out, NODES);
    ws_network_destroy(net);
}

/* A node without room is left behind; the rest of the group does not wait for it. */
static void a_full_node_comes_later(void **state)
{
    (void)state;
    const ws_given given[] = {{"ejection_packets", 1, NULL}};
    ws_network *const net = create(4, given, 1);
    const ws_packet before = {.tag = 9, .source = 3, .destination = 2, .bytes = 32};
    assert_true(ws_network_inject(net, &before));
    ws_network_step(net, 5);
    for (uint32_t node = 1; node <= 2; node++) {
        const ws_packet p = {.tag = node, .source = 0, .destination = node, .bytes = 32, .group = 1};
        assert_true(ws_network_inject(net, &p));
    }
    ws_network_step(net, 10);
    assert_int_equal(delivered_at(net, 1, 1), 6);
    assert_true(ws_network_next_time(net) == WS_NEVER);
    assert_int_equal(delivered_at(net, 2, 9), 1);
    ws_network_step(net, 20);
    assert_int_equal(delivered_at(net, 2, 2), 11);
    ws_network_destroy(net);
}

/* However many nodes there are, they get one flit a cycle together. */
static void all_share_one_flit_a_cycle(void **state)
{
    (void)state;
    for (uint32_t nodes = 4; nodes <= 64; nodes *= 4) {
        ws_network *const net = create(nodes, NULL, 0);
        const traffic load = {.nodes = nodes,
                              .rate = 2.0 / nodes,
                              .bytes = 32,
                              .warm_up = 1000,
                              .measure = 10000,
                              .give_up = 12000,
                              .seed = 5,
                              .destination = uniform_destination};
        const traffic_result got = run_traffic(net, &load);
        assert_float_equal(got.accepted * nodes, 1, 0.02);
        ws_network_destroy(net);
    }
}

/* A directory that takes the copies of many SMs away says it once. */
static void invalidations_are_broadcast(void **state)
{
    (void)state;
    enum { SMS = 8 };
    uint64_t moves[2], invalidations[2];
    for (int bus = 0; bus < 2; bus++) {
        ws_machine m;
        script_machine(&m, "mesi");
        m.chip_sms = SMS;
        machine_word(&m, reply_kind, bus ? "bus" : "crossbar");
        script *const s = script_make(SMS, 32);
        for (uint32_t block = 0; block < SMS; block++) {
            script_add(s, block, 0, LOAD, 0);
            script_add(s, block, 0, USE, 0);
            for (unsigned i = 0; i < 400; i++)
                script_add(s, block, 0, DIVIDE, 0); /* until all have it */
        }
        script_add(s, 0, 0, STORE, 0);
        ws_sim *const sim = script_sim(&m, NULL);
        assert_int_equal(script_run(sim, s, 10000), WS_OK);
        ws_sim_sums sums;
        ws_sim_sum(sim, &sums);
        invalidations[bus] = sums.messages[WS_MESSAGE_INVALIDATE];
        moves[bus] = sums.reply.flits_in - sums.reply.flit_moves;
        ws_sim_end(sim);
        ws_sim_destroy(sim);
        s->source.ops->destroy(&s->source);
    }
    assert_int_equal(invalidations[0], SMS - 1);
    assert_int_equal(invalidations[1], SMS - 1);
    assert_int_equal(moves[0], 0);
    assert_int_equal(moves[1], SMS - 2); /* one of them moved */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_takes_latency_and_flits), cmocka_unit_test(sources_take_turns),
        cmocka_unit_test(a_group_is_one_transfer),          cmocka_unit_test(a_full_node_comes_later),
        cmocka_unit_test(all_share_one_flit_a_cycle),       cmocka_unit_test(invalidations_are_broadcast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
