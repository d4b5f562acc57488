/* Laws that hold for every network of networks.def: nothing lost or doubled, Little's law, the same result for the same
 * calls, however time is cut into steps, and after a checkpoint; and what it says to bad options. */
#include "base/status.h"
#include "tests/unit/network_traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static ws_network *create(const char *name, uint32_t nodes, const ws_given *given, size_t count)
{
    ws_network *net;
    const int rc = ws_network_create(name, nodes, given, count, &net);
    if (rc)
        fail_msg("%s: %s", name, ws_message());
    return net;
}

/* A run with lazy receivers. Everything about it follows from the seed, not from how time is stepped. */
enum { NODES = 13, PACKETS = 4000 };
typedef struct run {
    gsl_rng *rng;
    uint32_t sent, received;
    uint64_t hash;
    uint8_t seen[PACKETS];
    ws_packet waiting; /* refused, to be tried again */
    bool has_waiting;
} run;

static ws_packet random_packet(run *r)
{
    return (ws_packet){.tag = r->sent,
                       .source = (uint32_t)gsl_rng_uniform_int(r->rng, NODES),
                       .destination = (uint32_t)gsl_rng_uniform_int(r->rng, NODES),
                       .bytes = 1 + (uint32_t)gsl_rng_uniform_int(r->rng, 200),
                       .kind = (uint32_t)gsl_rng_uniform_int(r->rng, WS_NETWORK_KINDS)};
}

static void offer(run *r, ws_network *net, int tries)
{
    for (; tries && r->sent < PACKETS; tries--) {
        if (!r->has_waiting)
            r->waiting = random_packet(r);
        r->has_waiting = !ws_network_inject(net, &r->waiting);
        if (r->has_waiting)
            return;
        r->sent++;
    }
}

static void receive(run *r, ws_network *net, uint32_t node)
{
    ws_packet p;
    assert_int_equal(ws_network_arrivals(net)[0] >> node & 1, 1);
    assert_true(ws_network_eject(net, node, &p));
    assert_int_equal(p.destination, node);
    assert_true(p.tag < r->sent);
    assert_int_equal(r->seen[p.tag]++, 0);
    assert_true(p.created <= p.entered && p.entered < p.delivered && p.delivered < ws_network_now(net));
    r->received++;
    r->hash = (r->hash ^ (p.tag + p.delivered * PACKETS + p.entered)) * 0x9e3779b97f4a7c15u;
}

/* At the times 0, 7, 14 ... packets are offered and one packet is taken from some of the nodes. */
static void run_to(run *r, ws_network *net, uint64_t until, bool one_by_one)
{
    while (ws_network_now(net) < until) {
        offer(r, net, 12);
        const uint64_t next = ws_network_now(net) + 7;
        while (one_by_one && ws_network_now(net) < next)
            ws_network_step(net, ws_network_now(net) + 1);
        ws_network_step(net, next);
        for (uint32_t n = 0; n < NODES; n++)
            if (ws_network_arrivals(net)[0] >> n & 1 && gsl_rng_uniform(r->rng) < 0.6)
                receive(r, net, n);
    }
}

static run start_run(unsigned long seed)
{
    run r = {.rng = gsl_rng_alloc(gsl_rng_mt19937)};
    gsl_rng_set(r.rng, seed);
    return r;
}

static void check_sums(const ws_network *net, const run *r)
{
    const ws_network_totals sum = ws_network_sum(net);
    assert_int_equal(r->received, PACKETS);
    assert_int_equal(sum.packets_in, PACKETS);
    assert_int_equal(sum.packets_out, PACKETS);
    assert_int_equal(sum.flits_in, sum.flits_out);
    assert_int_equal(sum.bytes_in, sum.bytes_out);
    assert_int_equal(ws_network_inside(net), 0);
    uint64_t to_nodes = 0, in = 0, out = 0, framed_in = 0, framed_out = 0;
    for (size_t i = 0; i < ws_network_channels(net); i++)
        to_nodes += ws_network_channel(net, i).to_node ? ws_network_channel(net, i).flits : 0;
    assert_int_equal(to_nodes, sum.flits_out);
    for (uint32_t n = 0; n < NODES; n++) {
        in += ws_network_node_totals(net, n)->flits_in;
        out += ws_network_node_totals(net, n)->flits_out;
        for (size_t f = 0; f < ws_network_frames(net); f++)
            for (uint32_t k = 0; k < WS_NETWORK_KINDS; k++) {
                framed_in += ws_network_frame_bytes(net, n, k, true, f);
                framed_out += ws_network_frame_bytes(net, n, k, false, f);
            }
    }
    assert_int_equal(in, sum.flits_in);
    assert_int_equal(out, sum.flits_out);
    assert_int_equal(framed_in, sum.bytes_in);
    assert_int_equal(framed_out, sum.bytes_out);
}

/* Small queues, so that back-pressure reaches the sources; frames so short that they are merged many times. */
static const ws_given tight[] = {
    {"flit_bytes", 16, NULL},   {"injection_flits", 6, NULL}, {"ejection_packets", 2, NULL},
    {"frame_cycles", 64, NULL}, {"frames", 4, NULL},
};
enum { TIGHT = sizeof tight / sizeof *tight, LONG_ENOUGH = 70000 };

static uint64_t whole_run(const char *name, bool one_by_one)
{
    ws_network *const net = create(name, NODES, tight, TIGHT);
    run r = start_run(5);
    run_to(&r, net, LONG_ENOUGH, one_by_one);
    assert_true(ws_network_sum(net).refused > 0);
    check_sums(net, &r);
    assert_true(ws_network_next_time(net) == WS_NEVER || ws_network_next_time(net) >= ws_network_now(net));
    gsl_rng_free(r.rng);
    ws_network_destroy(net);
    return r.hash;
}

static void packets_in_equal_packets_out(void **state)
{
    (void)state;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        const char *const name = ws_network_kind_at(i)->name;
        const uint64_t hash = whole_run(name, false);
        assert_int_equal(hash, whole_run(name, false));
        assert_int_equal(hash, whole_run(name, true)); /* skipped cycles were idle */
    }
}

typedef struct census {
    const run *run;
    uint32_t where[3];
} census;

static void count_packet(void *user, const ws_packet *packet, int where)
{
    census *const c = user;
    assert_true(packet->tag < c->run->sent && !c->run->seen[packet->tag]);
    c->where[where]++;
}

static void checkpoint_goes_on_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        const char *const name = ws_network_kind_at(i)->name;
        ws_network *net = create(name, NODES, tight, TIGHT);
        run r = start_run(5);
        run_to(&r, net, 1400, false);
        assert_true(ws_network_inside(net) >= 4);
        census c = {.run = &r};
        assert_int_equal(ws_network_each(net, count_packet, &c), WS_OK);
        assert_int_equal(c.where[0] + c.where[1] + c.where[2], ws_network_inside(net));
        assert_true(c.where[WS_PACKET_MOVING] + c.where[WS_PACKET_DELIVERED] > 0);
        ws_bytes bytes = {0};
        ws_network_save(net, &bytes);
        ws_network_destroy(net);
        net = create(name, NODES, tight, TIGHT);
        ws_reader reader = {bytes.data, bytes.data + bytes.length, false};
        assert_int_equal(ws_network_load(net, &reader), WS_OK);
        run_to(&r, net, LONG_ENOUGH, false);
        assert_int_equal(r.hash, whole_run(name, false));
        ws_network *const other = create(name, NODES, tight, TIGHT - 1);
        reader = (ws_reader){bytes.data, bytes.data + bytes.length, false};
        assert_int_equal(ws_network_load(other, &reader), WS_EINPUT);
        reader = (ws_reader){bytes.data, bytes.data + bytes.length / 2, false};
        assert_int_equal(ws_network_load(net, &reader), WS_EINPUT);
        ws_bytes_fini(&bytes);
        gsl_rng_free(r.rng);
        ws_network_destroy(net);
        ws_network_destroy(other);
    }
}

/* Mean number inside = rate through * mean time inside (Little, A Proof for the Queuing Formula L = lambda W, 1961). */
static void littles_law(void **state)
{
    (void)state;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        ws_network *net = create(ws_network_kind_at(i)->name, 16, NULL, 0);
        traffic load = {.nodes = 16,
                        .rate = 0.3,
                        .bytes = 32,
                        .warm_up = 2000,
                        .measure = 20000,
                        .give_up = 40000,
                        .seed = 3,
                        .destination = uniform_destination};
        traffic_result got = run_traffic(net, &load);
        if (!got.drained) { /* a medium that all share carries less */
            ws_network_destroy(net);
            net = create(ws_network_kind_at(i)->name, 16, NULL, 0);
            load.rate = 0.04;
            got = run_traffic(net, &load);
        }
        assert_true(got.drained);
        assert_float_equal(got.accepted / load.rate, 1, 0.03);
        /* A packet delivered in cycle t counts as inside until t + 1. */
        assert_float_equal(got.mean_inside / (got.accepted * 16 * (got.latency + 1)), 1, 0.03);
        ws_network_destroy(net);
    }
}

static void nothing_moves_in_an_empty_network(void **state)
{
    (void)state;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        ws_network *const net = create(ws_network_kind_at(i)->name, 9, NULL, 0);
        assert_true(ws_network_next_time(net) == WS_NEVER);
        ws_network_step(net, 1000000000000); /* idle cycles cost nothing */
        const ws_packet p = {.source = 2, .destination = 7, .bytes = 32};
        assert_true(ws_network_inject(net, &p));
        assert_in_range(ws_network_next_time(net), 1000000000000, 1000000000100); /* a token may have to come first */
        while (ws_network_next_time(net) != WS_NEVER)
            ws_network_step(net, ws_network_next_time(net) + 1);
        ws_packet got;
        assert_true(ws_network_eject(net, 7, &got));
        assert_false(ws_network_eject(net, 7, &got));
        assert_int_equal(got.created, 1000000000000);
        ws_network_destroy(net);
    }
}

static void frames_count_bytes(void **state)
{
    (void)state;
    const ws_given given[] = {{"frame_cycles", 100, NULL}, {"frames", 4, NULL}};
    ws_network *const net = create("crossbar", 4, given, 2);
    const uint64_t at[] = {0, 50, 150, 390};
    for (int i = 0; i < 4; i++) {
        ws_network_step(net, at[i]);
        const ws_packet p = {.source = 1, .destination = 2, .bytes = 40, .kind = 3};
        assert_true(ws_network_inject(net, &p));
    }
    ws_network_step(net, 396);
    assert_int_equal(ws_network_frames(net), 4);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 0), 80);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 1), 40);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 3), 40);
    assert_int_equal(ws_network_frame_bytes(net, 1, 2, true, 0), 0);
    assert_int_equal(ws_network_frame_bytes(net, 2, 3, false, 0), 80);
    assert_int_equal(ws_network_frame_bytes(net, 2, 3, false, 3), 40);
    ws_network_step(net, 700); /* frame 7 of 100: frames of 200 */
    const ws_packet p = {.source = 1, .destination = 2, .bytes = 40, .kind = 3};
    assert_true(ws_network_inject(net, &p));
    assert_int_equal(ws_network_frame_cycles(net), 200);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 0), 120);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 1), 40);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 2), 0);
    assert_int_equal(ws_network_frame_bytes(net, 1, 3, true, 3), 40);
    assert_int_equal(ws_network_frame_peak(net, 1, true), 80);
    assert_int_equal(ws_network_frame_peak(net, 2, false), 80);
    ws_network_destroy(net);
}

/* A way of many cycles carries a flit a cycle, as a short one does, though the node itself has room for few packets. */
static void a_long_way_carries_as_much(void **state)
{
    (void)state;
    enum { WAY = 300, SENT = 2000, ROOM = 4 };
    const ws_given given[] = {{"latency", WAY, NULL}, {"ejection_packets", ROOM, NULL}};
    unsigned ways = 0;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        if (!ws_option_find(ws_network_kind_at(i)->options, "latency"))
            continue;
        ws_network *const net = create(ws_network_kind_at(i)->name, 2, given, 2);
        assert_int_equal(ws_network_room(net), WAY - 1 + ROOM);
        uint64_t last = 0;
        for (uint32_t sent = 0, got = 0; got < SENT;) {
            const ws_packet p = {.tag = sent, .destination = 1, .bytes = 32};
            ws_packet out;
            sent += sent < SENT && ws_network_inject(net, &p);
            ws_network_step(net, ws_network_now(net) + 1);
            while (ws_network_eject(net, 1, &out)) {
                assert_int_equal(out.tag, got++);
                last = out.delivered;
            }
            assert_true(ws_network_now(net) < SENT + 2 * WAY);
        }
        assert_int_equal(last, SENT - 1 + WAY);
        ws_network_destroy(net);
        ways++;
    }
    assert_true(ways > 0);
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
        {"torus", 4, {{NULL, 0, NULL}}, "unknown network 'torus'; expected one of: mesh crossbar"},
        {"mesh", 0, {{NULL, 0, NULL}}, "0 nodes, expected 1 to 4096"},
        {"mesh", 4097, {{NULL, 0, NULL}}, "4097 nodes"},
        {"mesh", 4, {{"flit_bytes", 0, "a.ini:3:5"}}, "a.ini:3:5: mesh: flit_bytes = 0, expected 1 to 4096 bytes"},
        {"mesh", 4, {{"vcs", 13, NULL}}, "mesh: vcs = 13, expected 1 to 12"},
        {"mesh", 4, {{"vc_flits", 0, NULL}}, "vc_flits = 0"},
        {"mesh", 4, {{"speedup", 1, "b.ini:1:1"}}, "b.ini:1:1: mesh has no option speedup"},
        {"crossbar", 4, {{"vcs", 1, NULL}}, "crossbar has no option vcs"},
        {"crossbar", 4, {{"speedup", 5, NULL}}, "speedup = 5 exceeds the 4 inputs"},
        {"crossbar", 4, {{"latency", 2, NULL}, {"latency", 2, "c.ini:9:1"}}, "c.ini:9:1: latency is given twice"},
        {"mesh", 10, {{"width", 3, NULL}, {"height", 3, NULL}}, "fewer routers than there are nodes (10)"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_network *net;
        const size_t count = bad[i].given[0].name ? bad[i].given[1].name ? 2 : 1 : 0;
        assert_int_equal(ws_network_create(bad[i].network, bad[i].nodes, bad[i].given, count, &net), WS_EINPUT);
        assert_null(net);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
}

static void table_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        assert_non_null(ws_network_kind_at(i)->summary);
        assert_in_range(ws_network_kind_at(i)->medium, WS_MEDIUM_GRID, WS_MEDIUM_WRITERS); /* it says one */
        const ws_option *const options = ws_network_kind_at(i)->options;
        for (size_t o = 0; options[o].name; o++)
            assert_true(options[o].least <= options[o].fallback && options[o].fallback <= options[o].most);
    }
    assert_null(ws_network_kind_find("none"));
    ws_network_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_in_equal_packets_out),
        cmocka_unit_test(checkpoint_goes_on_the_same),
        cmocka_unit_test(littles_law),
        cmocka_unit_test(nothing_moves_in_an_empty_network),
        cmocka_unit_test(frames_count_bytes),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(table_is_complete),
        cmocka_unit_test(a_long_way_carries_as_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
