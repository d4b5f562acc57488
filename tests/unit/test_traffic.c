/* Which kind of access is a message, and what does a network's use come to in short? */
#include "base/status.h"
#include "model/sim/sm/sm.h"
#include "model/sim/network/traffic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test(name)

static ws_traffic_kind kind_of(ws_message_type type, unsigned unit, uint64_t address)
{
    const ws_coherence_message m = {.type = (uint8_t)type, .unit = (uint8_t)unit};
    return ws_traffic_kind_of(&m, address);
}

/* A request and its answer are of one kind. */
static void messages_have_the_kind_of_their_access(void **state)
{
    (void)state;
    static const struct {
        ws_message_type type;
        ws_traffic_kind global, local;
    } rows[] = {
        {WS_MESSAGE_READ, WS_TRAFFIC_global_read, WS_TRAFFIC_local_read},
        {WS_MESSAGE_FILL, WS_TRAFFIC_global_read, WS_TRAFFIC_local_read},
        {WS_MESSAGE_RENEW, WS_TRAFFIC_global_read, WS_TRAFFIC_local_read},
        {WS_MESSAGE_OWN, WS_TRAFFIC_global_read, WS_TRAFFIC_local_read},
        {WS_MESSAGE_FILL_OWN, WS_TRAFFIC_global_read, WS_TRAFFIC_local_read},
        {WS_MESSAGE_WRITE, WS_TRAFFIC_global_write, WS_TRAFFIC_local_write},
        {WS_MESSAGE_ACK, WS_TRAFFIC_global_write, WS_TRAFFIC_local_write},
        {WS_MESSAGE_PUT, WS_TRAFFIC_global_write, WS_TRAFFIC_local_write},
        {WS_MESSAGE_DATA, WS_TRAFFIC_global_write, WS_TRAFFIC_local_write},
        {WS_MESSAGE_ATOMIC, WS_TRAFFIC_global_atomic, WS_TRAFFIC_local_write},
        {WS_MESSAGE_ATOMIC_ACK, WS_TRAFFIC_global_atomic, WS_TRAFFIC_local_write},
        {WS_MESSAGE_INVALIDATE, WS_TRAFFIC_control, WS_TRAFFIC_control},
        {WS_MESSAGE_NONE, WS_TRAFFIC_control, WS_TRAFFIC_control},
        {WS_MESSAGE_GRANT, WS_TRAFFIC_control, WS_TRAFFIC_control},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(kind_of(rows[i].type, WS_SM_DATA, 4096), rows[i].global);
        assert_int_equal(kind_of(rows[i].type, WS_SM_DATA, WS_LOCAL_BASE - 64), rows[i].global);
        assert_int_equal(kind_of(rows[i].type, WS_SM_DATA, WS_LOCAL_BASE), rows[i].local);
    }
}

/* The upper half of the unit says which part of a line is meant; the kind does not hang on it. */
static void read_only_caches_have_their_own(void **state)
{
    (void)state;
    assert_int_equal(kind_of(WS_MESSAGE_READ, WS_SM_TEXTURE | 3 << 4, 4096), WS_TRAFFIC_texture_read);
    assert_int_equal(kind_of(WS_MESSAGE_FILL, WS_SM_TEXTURE, 4096), WS_TRAFFIC_texture_read);
    assert_int_equal(kind_of(WS_MESSAGE_READ, WS_SM_CONSTANT | 1 << 4, 4096), WS_TRAFFIC_constant_read);
    assert_int_equal(kind_of(WS_MESSAGE_FILL, WS_SM_CONSTANT, 4096), WS_TRAFFIC_constant_read);
}

/* A crossbar with frames of 100 cycles. */
static ws_network *make_network(void)
{
    const ws_given given[] = {{"frame_cycles", 100, NULL}, {"flit_bytes", 32, NULL}};
    ws_network *net;
    assert_int_equal(ws_network_create("crossbar", 4, given, 2, &net), WS_OK);
    assert_int_equal(ws_network_nodes(net), 4);
    assert_int_equal(ws_network_frame_first(net), 100);
    return net;
}

static void send(ws_network *net, uint32_t source, uint32_t destination, uint32_t bytes, uint64_t until)
{
    const ws_packet packet = {.source = source, .destination = destination, .bytes = bytes};
    ws_packet arrived;
    assert_true(ws_network_inject(net, &packet));
    ws_network_step(net, until);
    assert_true(ws_network_eject(net, destination, &arrived));
}

static void nothing_sent_is_no_use(void **state)
{
    (void)state;
    ws_network *const net = make_network();
    ws_traffic_use use = ws_traffic_use_of(net);
    assert_true(use.peak == 0 && use.mean == 0 && use.channel_load == 0);
    ws_network_step(net, 1000);
    use = ws_traffic_use_of(net);
    assert_true(use.peak == 0 && use.mean == 0 && use.channel_load == 0);
    ws_network_destroy(net);
}

/* Node 0 sends 40 bytes to node 1 and 80 to node 2 in the first frame, 60 to node 2 in the third of four: its peak is
 * 120 bytes in 100 cycles, its mean 180 in 400. Its own channel carried three packets. */
static void peak_and_mean_are_those_of_one_node(void **state)
{
    (void)state;
    ws_network *const net = make_network();
    send(net, 0, 1, 40, 20);
    send(net, 0, 2, 80, 250);
    send(net, 0, 2, 60, 400);
    const ws_traffic_use use = ws_traffic_use_of(net);
    assert_true(use.peak > 1.2 - 1e-9 && use.peak < 1.2 + 1e-9);
    assert_true(use.mean > 0.45 - 1e-9 && use.mean < 0.45 + 1e-9);
    assert_int_equal(use.channel_load, 3);
    ws_network_destroy(net);
}

/* The whole time is shorter than a frame: its cycles count. */
static void a_short_run_is_not_diluted(void **state)
{
    (void)state;
    ws_network *const net = make_network();
    send(net, 3, 1, 40, 20);
    const ws_traffic_use use = ws_traffic_use_of(net);
    assert_true(use.peak > 2 - 1e-9 && use.peak < 2 + 1e-9);
    assert_true(use.mean > 2 - 1e-9 && use.mean < 2 + 1e-9);
    ws_network_destroy(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_have_the_kind_of_their_access),
        TEST(read_only_caches_have_their_own),
        TEST(nothing_sent_is_no_use),
        TEST(peak_and_mean_are_those_of_one_node),
        TEST(a_short_run_is_not_diluted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
