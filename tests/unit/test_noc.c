/* Closed forms of networks: times worked out by hand, laws, and the simulator's networks at a few loads. */
#include "base/status.h"
#include "model/noc/noc.h"
#include "model/noc/noc_internal.h"
#include "model/sim/network/network_drive.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/machine/noc_machine.h"
#include "model/sim/network/noc_measured.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 16, MOST_FLOWS = NODES * NODES };

static const ws_noc_shape sixteen = {.nodes = NODES,
                                     .ejection = 8,
                                     .window = 1,
                                     .width = 4,
                                     .height = 4,
                                     .vc_flits = 8,
                                     .router = 4,
                                     .ends = 2,
                                     .credit = 6,
                                     .latency = 1,
                                     .speedup = 1,
                                     .loop = 5,
                                     .convert = 1,
                                     .rounds = true};

typedef struct load {
    ws_noc_flow flow[MOST_FLOWS];
    size_t flows;
} load;

static void add(load *l, uint32_t from, uint32_t to, uint32_t flits, double rate)
{
    l->flow[l->flows++] = (ws_noc_flow){from, to, flits, rate};
}

/* A flit a cycle of each source. */
static load uniform(uint32_t flits)
{
    load l = {.flows = 0};
    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t b = 0; b < NODES; b++)
            if (a != b)
                add(&l, a, b, flits, 1.0 / flits / (NODES - 1));
    return l;
}

/* Nodes 3, 7, 11, 15 are memory: as many flits a cycle as there are of them, to them or from them. */
static load few(uint32_t flits, bool replies)
{
    load l = {.flows = 0};
    for (uint32_t a = 0; a < NODES; a++)
        for (uint32_t b = 3; b < NODES; b += 4)
            if (a % 4 != 3)
                add(&l, replies ? b : a, replies ? a : b, flits, 1.0 / flits / 12);
    return l;
}

static void scale(load *l, double times)
{
    for (size_t i = 0; i < l->flows; i++)
        l->flow[i].rate *= times;
}

static ws_noc_traffic traffic_of(const load *l, double dispersion)
{
    return (ws_noc_traffic){.flow = l->flow, .flows = l->flows, .dispersion = dispersion};
}

static ws_noc_result solve(const char *kind, const ws_noc_shape *shape, const load *l, ws_noc_time *each)
{
    const ws_noc_traffic t = traffic_of(l, 1);
    ws_noc_result r;
    if (ws_noc_solve(kind, shape, &t, each, &r))
        fail_msg("%s", ws_message());
    return r;
}

static double saturation(const char *kind, const load *l)
{
    const ws_noc_traffic t = traffic_of(l, 1);
    double times;
    if (ws_noc_saturation(kind, &sixteen, &t, &times))
        fail_msg("%s", ws_message());
    return times;
}

/* --- By hand --- */

static double alone(const char *kind, const ws_noc_shape *shape, uint32_t from, uint32_t to, uint32_t flits,
                    double *token)
{
    load l = {.flows = 0};
    ws_noc_time time;
    add(&l, from, to, flits, 1e-12);
    solve(kind, shape, &l, &time);
    *token = time.token;
    return ws_noc_sum(&time);
}

/* As tests/unit/test_network_light.c has them of the simulator; of the token half a loop comes on top, less half a
 * cycle. */
static void a_packet_alone_takes_what_it_takes_in_the_simulator(void **state)
{
    (void)state;
    ws_noc_shape eight = sixteen;
    double token;
    assert_float_equal(alone("swmr", &sixteen, 3, 9, 2, &token), 1 + 2 - 1 + 2 + 1, 1e-6);
    assert_float_equal(alone("swmr", &sixteen, 9, 3, 2, &token), 1 + 2 - 1 + 4 + 1, 1e-6);
    assert_float_equal(alone("swmr", &sixteen, 5, 5, 2, &token), 2, 1e-6);
    assert_float_equal(alone("mwsr", &sixteen, 3, 9, 2, &token), 2 + 1 + 2 - 1 + 2 + 1, 1e-6);
    assert_float_equal(token, (5 - 1) / 2.0, 1e-6);
    eight.nodes = eight.loop = 8;
    assert_float_equal(alone("mwsr", &eight, 3, 0, 2, &token) - token, 11 - 3, 1e-6);
    assert_float_equal(token, (8 - 1) / 2.0, 1e-6);
    assert_float_equal(alone("mwsr", &eight, 6, 6, 4, &token), 4, 1e-6);
    assert_float_equal(alone("crossbar", &sixteen, 0, 1, 5, &token), 1 + 5 - 1, 1e-6);
    assert_float_equal(alone("bus", &sixteen, 0, 1, 5, &token), 1 + 5 - 1, 1e-6);
    assert_float_equal(alone("mesh", &sixteen, 0, 15, 3, &token), 4 * 7 + 2 + 3 - 1, 1e-6);
    assert_float_equal(alone("mesh", &sixteen, 5, 5, 1, &token), 4 + 2, 1e-6);
}

/* M/D/1: load x service / (2 (1 - load)); M/M/1; batches of two, of which the second waits for the first. */
static void a_queue_is_what_textbooks_have(void **state)
{
    (void)state;
    const noc_queue fixed = {0.1, 5, 25, 1}, exponential = {0.05, 10, 200, 1}, none = {0, 5, 25, 1},
                    full = {0.2, 5, 25, 1};
    assert_float_equal(noc_queue_wait(&fixed), 0.5 * 5 / (2 * 0.5), 1e-9);
    assert_float_equal(noc_queue_wait(&exponential), 0.5 * 10 / (1 - 0.5), 1e-9);
    assert_float_equal(noc_queue_wait(&none), 0, 0);
    assert_true(isinf(noc_queue_wait(&full)));
    const noc_queue batches = {1e-9, 5, 25, 2}; /* of always two */
    assert_float_equal(noc_queue_wait(&batches), 2.5, 1e-6);
}

/* Erlang C of one server is its load; of 2 servers and load 1: 1/3. M/M/c. */
static void servers_are_what_textbooks_have(void **state)
{
    (void)state;
    assert_float_equal(noc_erlang_c(0.3, 1), 0.3, 1e-12);
    assert_float_equal(noc_erlang_c(1, 2), 1 / 3.0, 1e-12);
    assert_float_equal(noc_servers_wait(0.1, 10, 200, 2, false), 1 / 3.0 * 10 / (2 - 1), 1e-9);
    assert_float_equal(noc_servers_wait(0.1, 5, 25, 1, false), 0.5 * 5 / (2 * 0.5), 1e-9);
    assert_true(isinf(noc_servers_wait(0.2, 10, 100, 2, false)));
}

/* One source: its queue is M/D/1 of its flits with a channel of its own, and nobody's token is away. */
static void one_source_of_a_channel_of_its_own_is_a_queue(void **state)
{
    (void)state;
    load l = {.flows = 0};
    ws_noc_time time;
    add(&l, 2, 9, 4, 0.15);
    const ws_noc_result r = solve("swmr", &sixteen, &l, &time);
    assert_float_equal(time.queue, 0.6 * 4 / (2 * 0.4), 0.01);
    assert_float_equal(r.utilization, 0.6, 1e-9);
    assert_float_equal(r.busiest, 0.6, 1e-9);
}

/* Two flows that cross one channel of a mesh: 0 -> 2 and 1 -> 2 share that from router 1 to 2, and the way out. Each
 * waits at both for the other's load alone: for one flit load / 2 / (1 - load of both), the channel between routers
 * carrying 0.86 of a flit a cycle. */
static void a_channel_of_a_mesh_is_a_queue(void **state)
{
    (void)state;
    load l = {.flows = 0};
    ws_noc_time time[2];
    add(&l, 0, 2, 1, 0.2);
    add(&l, 1, 2, 1, 0.1);
    const ws_noc_result r = solve("mesh", &sixteen, &l, time);
    assert_float_equal(time[0].token, 0.1 / 2 / (1 - 0.3 / 0.86), 1e-9); /* at the way out both come from router 1 */
    assert_float_equal(time[1].token, 0.2 / 2 / (1 - 0.3 / 0.86), 1e-9);
    assert_float_equal(r.utilization, (0.2 + 0.3 + 0.3) / 3, 1e-9);
    assert_float_equal(r.busiest, 0.3 / 0.86, 1e-9);
}

/* Two sources of a bus, packets of 4 flits at 0.05 a cycle and of 2 at 0.1: one M/G/1 of load 0.4, which waits (0.05 x
 * 16 + 0.1 x 4) / 2 / (1 - 0.4) (Pollaczek and Khinchin). */
static void a_bus_is_a_queue(void **state)
{
    (void)state;
    load l = {.flows = 0};
    ws_noc_time time[2];
    add(&l, 0, 3, 4, 0.05);
    add(&l, 5, 3, 2, 0.1);
    const ws_noc_result r = solve("bus", &sixteen, &l, time);
    for (size_t i = 0; i < 2; i++) {
        assert_float_equal(time[i].token, 1, 1e-9);
        assert_float_equal(time[i].queue, 0, 1e-9);
        assert_float_equal(time[i].serialization, i ? 1 : 3, 1e-9);
    }
    assert_float_equal(r.utilization, 0.4, 1e-9);
    assert_float_equal(r.latency, 1 + (0.05 * 3 + 0.1 * 1) / 0.15 + 1, 1e-9);
}

/* The same two to one output of a crossbar, each from an input of its own: a first packet waits for the rest of the
 * other's in the output, 0.2 and 0.4 cycles on average, and for one of the other that was there before it: w0 = 0.2 +
 * 0.2 w1, w1 = 0.4 + 0.2 w0. To outputs of their own none waits. */
static void inputs_of_a_crossbar_wait_for_each_other(void **state)
{
    (void)state;
    load l = {.flows = 0}, apart = {.flows = 0};
    ws_noc_time time[2];
    add(&l, 0, 3, 4, 0.05);
    add(&l, 5, 3, 2, 0.1);
    const ws_noc_result r = solve("crossbar", &sixteen, &l, time);
    assert_float_equal(time[0].token, 0.28 / 0.96, 1e-6);
    assert_float_equal(time[1].token, 0.4 + 0.2 * 0.28 / 0.96, 1e-6);
    assert_float_equal(r.busiest, 0.4, 1e-9);
    add(&apart, 0, 3, 4, 0.05);
    add(&apart, 5, 7, 2, 0.1);
    solve("crossbar", &sixteen, &apart, time);
    assert_float_equal(time[0].token + time[1].token, 0, 1e-9);
    assert_float_equal(time[0].queue, 0.05 * 16 / (2 * (1 - 0.2)), 1e-9); /* behind its own: M/D/1 */
}

/* --- Laws --- */

static void channels_carry_what_comes(void **state)
{
    (void)state;
    static const char *const kinds[] = {"crossbar", "mwsr", "swmr"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        load l = uniform(2);
        scale(&l, 0.06);
        assert_float_equal(solve(kinds[k], &sixteen, &l, NULL).utilization, 0.06, 1e-9);
    }
    load l = uniform(2);
    scale(&l, 0.01);
    assert_float_equal(solve("bus", &sixteen, &l, NULL).utilization, 0.01 * NODES, 1e-9);
}

static void latency_rises_with_load(void **state)
{
    (void)state;
    const char *kind;
    for (size_t k = 0; (kind = ws_noc_name(k)); k++) {
        const load whole = uniform(3);
        const double most = saturation(kind, &whole);
        double before = 0;
        for (int step = 1; step <= 19; step++) {
            load l = whole;
            scale(&l, most * step / 20);
            const double now = solve(kind, &sixteen, &l, NULL).latency;
            assert_true(now > before && isfinite(now));
            before = now;
        }
        load l = whole;
        scale(&l, 30 * most);
        assert_true(isinf(solve(kind, &sixteen, &l, NULL).latency));
    }
}

/* The mean is that of flows, weighted by packets; parts add up. */
static void flows_make_the_mean(void **state)
{
    (void)state;
    const char *kind;
    for (size_t k = 0; (kind = ws_noc_name(k)); k++) {
        load l = few(5, true);
        ws_noc_time each[MOST_FLOWS];
        scale(&l, 0.3 * saturation(kind, &l));
        const ws_noc_result r = solve(kind, &sixteen, &l, each);
        double sum = 0;
        for (size_t i = 0; i < l.flows; i++)
            sum += ws_noc_sum(&each[i]) / (double)l.flows;
        assert_float_equal(sum, r.latency, 1e-6);
        assert_float_equal(ws_noc_sum(&r.mean), r.latency, 1e-9);
        assert_true(r.busiest > 0 && r.busiest < 1);
    }
}

static void batches_wait_longer(void **state)
{
    (void)state;
    const char *kind;
    for (size_t k = 0; (kind = ws_noc_name(k)); k++) {
        load l = uniform(2);
        ws_noc_result one, four;
        scale(&l, 0.5 * saturation(kind, &l));
        const ws_noc_traffic smooth = traffic_of(&l, 1), bursts = traffic_of(&l, 4);
        assert_int_equal(ws_noc_solve(kind, &sixteen, &smooth, NULL, &one), WS_OK);
        assert_int_equal(ws_noc_solve(kind, &sixteen, &bursts, NULL, &four), WS_OK);
        assert_true(four.latency > one.latency + 1);
    }
}

/* The machines of the study, at the load that the mesh carries easily: channels of one's own before tokens before
 * routers. */
static void light_is_faster_than_routers(void **state)
{
    (void)state;
    static const char *const machines[] = {"photonic-swmr", "photonic-mwsr", "photonic-electrical"};
    for (unsigned direction = 0; direction < 2; direction++) {
        double before = 0;
        for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
            ws_machine *m;
            ws_noc_flow *flow;
            ws_noc_traffic t = {.dispersion = 1};
            ws_noc_result r;
            double share;
            if (ws_machine_read("data", machines[i], &m))
                fail_msg("%s", ws_message());
            const char *const kind = m->shape.network[direction].kind->name;
            const ws_noc_shape shape = ws_noc_machine_shape(m, direction);
            const ws_noc_messages messages = {ws_noc_machine_bytes(m, direction), 0.3};
            assert_int_equal(ws_noc_machine_flows(m, direction, &messages, 1, NULL, &flow, &t.flows, &share), WS_OK);
            assert_float_equal(share, 15 / 16.0, 1e-12);
            t.flow = flow;
            assert_int_equal(ws_noc_solve(kind, &shape, &t, NULL, &r), WS_OK);
            assert_true(r.latency > before);
            before = r.latency;
            free(flow);
            ws_machine_destroy(m);
        }
    }
}

/* A source of SWMR sends a flit a cycle at most, a mesh's channel 0.95 of that (of 0.86 between routers), a bus 0.98 in
 * all; the rest waits. With less, all goes. */
static void what_is_too_much_waits(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double most; /* flits a cycle from node 0 to 3 */
    } expected[] = {{"swmr", 1}, {"bus", 0.98}, {"mesh", 0.95 * 0.86}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        load l = {.flows = 0};
        double carried[NODES];
        ws_noc_result r;
        add(&l, 0, 3, 4, 0.5);
        const ws_noc_traffic t = traffic_of(&l, 1);
        assert_int_equal(ws_noc_carry(expected[i].kind, &sixteen, &t, carried, NULL, &r), WS_OK);
        assert_float_equal(carried[0], expected[i].most / 2, 0.01);
        assert_true(isfinite(r.latency));
        scale(&l, 0.1);
        assert_int_equal(ws_noc_carry(expected[i].kind, &sixteen, &t, carried, NULL, &r), WS_OK);
        assert_float_equal(carried[0], 1, 1e-9);
    }
}

/* Where all goes, what may be carried is no other question: times are finite and those of ws_noc_solve, of every form;
 * and a mesh's source that keeps its channel for 4 cycles a packet waits as M/D/1 does. */
static void what_goes_as_a_whole_waits_as_without_a_limit(void **state)
{
    (void)state;
    for (size_t k = 0; ws_noc_name(k); k++) {
        load l = {.flows = 0};
        double carried[NODES];
        ws_noc_time with[2], without[2];
        ws_noc_result r;
        add(&l, 0, 3, 4, 0.01);
        add(&l, 5, 3, 4, 0.005);
        const ws_noc_traffic t = traffic_of(&l, 1);
        solve(ws_noc_name(k), &sixteen, &l, without);
        assert_int_equal(ws_noc_carry(ws_noc_name(k), &sixteen, &t, carried, with, &r), WS_OK);
        assert_float_equal(carried[0], 1, 1e-9);
        assert_float_equal(carried[5], 1, 1e-9);
        assert_true(isfinite(r.latency));
        for (size_t i = 0; i < 2; i++) {
            assert_true(isfinite(with[i].queue));
            assert_float_equal(with[i].queue, without[i].queue, 1e-9);
            assert_float_equal(ws_noc_sum(&with[i]), ws_noc_sum(&without[i]), 1e-9);
        }
        if (!strcmp(ws_noc_name(k), "mesh"))
            assert_float_equal(with[0].queue, 0.01 * 4 * 4 / (2 * (1 - 0.01 * 4)), 1e-9);
    }
}

/* Tokens carry less than any source could: what goes is what the simulator carries when its sources always have
 * something to send, 16 packets of a flit in 1 + 1 + 5 cycles at the very most. */
static void tokens_carry_what_they_can(void **state)
{
    (void)state;
    load l = uniform(1);
    double carried[NODES], sum = 0;
    ws_noc_result r;
    const ws_noc_traffic t = traffic_of(&l, 1);
    assert_int_equal(ws_noc_carry("mwsr", &sixteen, &t, carried, NULL, &r), WS_OK);
    for (uint32_t n = 0; n < NODES; n++)
        sum += carried[n];
    assert_in_range((int)(1000 * sum), 1000, 16000 / 7);
}

/* --- Machines --- */

static ws_machine *machine(const char *name)
{
    ws_machine *m;
    if (ws_machine_read("data", name, &m))
        fail_msg("%s", ws_message());
    return m;
}

/* 16 clusters of 4 SMs: one in 16 messages stays. Weights are products; what a slice gets is its share of all but its
 * own cluster's. */
static void flows_are_those_of_nodes(void **state)
{
    (void)state;
    ws_machine *const m = machine("photonic-swmr");
    const ws_noc_messages messages = {136, 2};
    double sm[64] = {[5] = 1}, slice[16] = {[1] = 1, [2] = 3}, share;
    const ws_noc_spread spread = {sm, slice};
    ws_noc_flow *flow;
    size_t flows;
    assert_int_equal(ws_noc_machine_flows(m, 0, &messages, 1, &spread, &flow, &flows, &share), WS_OK);
    assert_int_equal(flows, 1); /* SM 5 is in cluster 1, whose slice needs no network */
    assert_int_equal(flow[0].from, 1);
    assert_int_equal(flow[0].to, 2);
    assert_int_equal(flow[0].flits, 5);
    assert_float_equal(flow[0].rate, 2 * 3 / 4.0, 1e-12);
    assert_float_equal(share, 3 / 4.0, 1e-12);
    free(flow);
    assert_int_equal(ws_noc_machine_flows(m, 1, &messages, 1, &spread, &flow, &flows, &share), WS_OK);
    assert_int_equal(flow[0].from, 2); /* the answer */
    free(flow);
    sm[5] = 0;
    assert_int_equal(ws_noc_machine_flows(m, 0, &messages, 1, &spread, &flow, &flows, &share), WS_EINPUT);
    ws_machine_destroy(m);
}

/* Ports 8 core cycles each way, L2 60; the network of 5 GHz against cores of 2: 0.4 cycles each. A request is light for
 * 2 + 2 cycles on average, an answer of 64 bytes, 2 flits, for one more, each for 15 of 16 messages; a token adds 1.
 * Channels are 32 bytes wide; twice that leaves one flit. */
static void profiles_see_light(void **state)
{
    (void)state;
    static const struct {
        const char *name, *width;
        double cycles;
    } expected[] = {{"photonic-swmr", "32 bytes", 16 + 60 + 0.4 * 15 / 16 * (4 + 5)},
                    {"photonic-mwsr", "32 bytes", 16 + 60 + 0.4 * 15 / 16 * (5 + 6)},
                    {"photonic-swmr", "64 bytes", 16 + 60 + 0.4 * 15 / 16 * (4 + 4)}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ws_machine *const m = machine(expected[i].name);
        ws_closed_machine c;
        assert_int_equal(ws_machine_set(m, "network.flit_bytes", expected[i].width) || ws_machine_check(m), WS_OK);
        if (ws_closed_machine_of(m, "gtsc-rc", &c))
            fail_msg("%s", ws_message());
        assert_float_equal(c.l2_cycles, expected[i].cycles, 1e-3);
        assert_int_equal(c.sizes.flit_bytes, strtol(expected[i].width, NULL, 10));
        const bool token = !strcmp(expected[i].name, "photonic-mwsr");
        assert_true(token ? c.network_flits < 0.75 * 2.5
                          : c.network_flits > 0.8 * 2.5); /* flits a core cycle and port */
        ws_machine_destroy(m);
    }
}

/* --- The simulator --- */

/* What was driven through a network is found in its statistics: packets of reads from node 1 to 2, from 1 to 3 twice as
 * many bytes arrive. */
static void measured_flows_are_those_that_were(void **state)
{
    (void)state;
    ws_machine *const m = machine("photonic-swmr");
    const ws_network_flow flow[] = {{1, 2, 8, 0.1}, {1, 3, 8, 0.2}, {4, 2, 8, 0.1}};
    const ws_network_load_plan plan = {
        .flow = flow, .flows = 3, .batch = 1, .warm_up = 0, .measure = 40000, .give_up = 50000, .seed = 5};
    ws_network *net;
    ws_network_measured got;
    ws_noc_flow *found;
    ws_noc_measured fluid;
    size_t flows = 0;
    double from_one = 0;
    if (ws_noc_machine_network(m, 0, &net) || ws_network_drive(net, &plan, &got) ||
        ws_noc_measured_flows(m, 0, net, &found, &flows) || ws_noc_measure(m, 0, net, &fluid))
        fail_msg("%s", ws_message());
    for (size_t i = 0; i < flows; i++) {
        assert_int_equal(found[i].flits, 1);
        from_one += found[i].from == 1 ? found[i].rate : 0;
    }
    assert_float_equal(from_one, 0.3, 0.01);
    assert_float_equal(fluid.simulated, got.latency, 0.01);
    assert_float_equal(fluid.predicted, fluid.simulated, 0.05 * fluid.simulated);
    assert_float_equal(fluid.backlog, 0, 0.01);
    free(found);
    ws_network_destroy(net);
    ws_machine_destroy(m);
}

static double simulate_with(const char *kind, const ws_given *given, size_t count, const load *l, double batch)
{
    ws_network *net;
    ws_network_measured got;
    ws_network_flow flow[MOST_FLOWS];
    for (size_t i = 0; i < l->flows; i++)
        flow[i] = (ws_network_flow){l->flow[i].from, l->flow[i].to, l->flow[i].flits * 32, l->flow[i].rate};
    const ws_network_load_plan plan = {.flow = flow,
                                       .flows = l->flows,
                                       .batch = batch,
                                       .warm_up = 3000,
                                       .measure = 12000,
                                       .give_up = 60000,
                                       .seed = 3};
    if (ws_network_create(kind, NODES, given, count, &net) || ws_network_drive(net, &plan, &got))
        fail_msg("%s", ws_message());
    ws_network_destroy(net);
    if (!got.drained)
        fail_msg("%s does not carry what its closed form says", kind);
    return got.latency;
}

static double simulate(const char *kind, const load *l, double batch)
{
    return simulate_with(kind, NULL, 0, l, batch);
}

static void hold(const char *kind, const char *pattern, const load *whole, double part)
{
    load l = *whole;
    scale(&l, part * saturation(kind, whole));
    const double predicted = solve(kind, &sixteen, &l, NULL).latency, simulated = simulate(kind, &l, 1);
    if (fabs(predicted / simulated - 1) > 0.10)
        fail_msg("%s, %s at %.0f %% of saturation: %.2f cycles, simulated %.2f", kind, pattern, 100 * part, predicted,
                 simulated);
}

static void forms_are_within_a_tenth_of_the_simulator(void **state)
{
    (void)state;
    static const double parts[] = {0.1, 0.4, 0.7};
    const load pattern[] = {uniform(1), uniform(4), few(1, false), few(5, true)};
    static const char *const name[] = {"uniform, 1 flit", "uniform, 4 flits", "many to few, 1 flit",
                                       "few to many, 5 flits"};
    const char *kind;
    for (size_t k = 0; (kind = ws_noc_name(k)); k++)
        for (size_t p = 0; p < sizeof pattern / sizeof *pattern; p++)
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
                hold(kind, name[p], &pattern[p], parts[i]);
}

/* Tokens where each source has a queue for each reader, and keeps them for several packets: at loads that one packet a
 * token carries. */
static void queues_for_each_reader_are_within_a_tenth(void **state)
{
    (void)state;
    static const double parts[] = {0.1, 0.4, 0.7};
    const load pattern[] = {uniform(1), uniform(4), few(1, false), few(5, true)};
    for (uint32_t packets = 1; packets <= 16; packets *= 4)
        for (size_t p = 0; p < sizeof pattern / sizeof *pattern; p++)
            for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
                const ws_given given[] = {{"window", NODES, NULL}, {"packets", packets, NULL}};
                ws_noc_shape shape = sixteen;
                double times;
                load l = pattern[p];
                shape.window = NODES;
                const ws_noc_traffic whole = traffic_of(&pattern[p], 1);
                assert_int_equal(ws_noc_saturation("mwsr", &shape, &whole, &times), WS_OK);
                shape.packets = packets;
                scale(&l, parts[i] * times);
                const ws_noc_traffic t = traffic_of(&l, 1);
                ws_noc_result r;
                assert_int_equal(ws_noc_solve("mwsr", &shape, &t, NULL, &r), WS_OK);
                const double simulated = simulate_with("mwsr", given, 2, &l, 1);
                if (fabs(r.latency / simulated - 1) > 0.10)
                    fail_msg("pattern %zu, %u packets a token, %.0f %% of saturation: %.2f cycles, simulated %.2f", p,
                             packets, 100 * parts[i], r.latency, simulated);
            }
}

/* Every network that the simulator has, has a closed form. */
static void every_network_has_a_form(void **state)
{
    (void)state;
    const char *kind;
    size_t forms = 0;
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        kind = ws_network_kind_at(i)->name;
        double token;
        assert_true(alone(kind, &sixteen, 0, 1, 1, &token) > 0);
        forms++;
    }
    assert_null(ws_noc_name(forms));
}

static void bad_loads_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        ws_noc_flow flow;
        double dispersion;
        const char *message;
    } bad[] = {
        {"torus", {0, 1, 1, 0.1}, 1, "no closed form of a network 'torus'"},
        {"mesh", {0, 16, 1, 0.1}, 1, "packets from node 0 to node 16, but there are 16 nodes"},
        {"swmr", {0, 1, 0, 0.1}, 1, "of 0 flits"},
        {"swmr", {0, 1, 1, -0.1}, 1, "-0.1 packets a cycle"},
        {"swmr", {0, 1, 1, NAN}, 1, "nan packets a cycle"},
        {"bus", {0, 1, 1, 0}, 1, "no packets"},
        {"mwsr", {0, 1, 1, 0.1}, 0.5, "dispersion of 0.5, expected 1 or more"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const ws_noc_traffic t = {&bad[i].flow, 1, bad[i].dispersion};
        ws_noc_result r;
        assert_int_equal(ws_noc_solve(bad[i].kind, &sixteen, &t, NULL, &r), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_alone_takes_what_it_takes_in_the_simulator),
        cmocka_unit_test(a_queue_is_what_textbooks_have),
        cmocka_unit_test(servers_are_what_textbooks_have),
        cmocka_unit_test(one_source_of_a_channel_of_its_own_is_a_queue),
        cmocka_unit_test(a_channel_of_a_mesh_is_a_queue),
        cmocka_unit_test(a_bus_is_a_queue),
        cmocka_unit_test(inputs_of_a_crossbar_wait_for_each_other),
        cmocka_unit_test(channels_carry_what_comes),
        cmocka_unit_test(latency_rises_with_load),
        cmocka_unit_test(flows_make_the_mean),
        cmocka_unit_test(batches_wait_longer),
        cmocka_unit_test(light_is_faster_than_routers),
        cmocka_unit_test(what_is_too_much_waits),
        cmocka_unit_test(what_goes_as_a_whole_waits_as_without_a_limit),
        cmocka_unit_test(tokens_carry_what_they_can),
        cmocka_unit_test(flows_are_those_of_nodes),
        cmocka_unit_test(profiles_see_light),
        cmocka_unit_test(measured_flows_are_those_that_were),
        cmocka_unit_test(forms_are_within_a_tenth_of_the_simulator),
        cmocka_unit_test(queues_for_each_reader_are_within_a_tenth),
        cmocka_unit_test(every_network_has_a_form),
        cmocka_unit_test(bad_loads_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
