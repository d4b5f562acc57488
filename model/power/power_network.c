/* power_network.c - networks between SMs and L2: each bit passes routers, and wires as long as the chip makes them. A mesh has a channel
 * from each router to the next; a crossbar is one router in the middle. */
#include "model/power/power_internal.h"

#include "model/sim/network.h"

#include <math.h>
#include <string.h>

enum { BITS = 8, REQUEST = 0, REPLY = 1 };

/* A channel of a mesh of SMs and slices; of others half of the way across and half down, in and out of the middle. */
static double wire_m(const ws_power_build *b, bool mesh)
{
    const double side = ws_power_side_m(b);
    return mesh ? side / ceil(sqrt((double)b->machine->chip_sms + b->machine->memory_channels * b->machine->l2_slices)) : side;
}

static uint64_t option_of(const ws_machine_options *given, const char *name, uint64_t fallback)
{
    for (size_t i = 0; i < given->count; i++)
        if (!strcmp(given->list[i].name, name))
            return given->list[i].value;
    return fallback;
}

/* Of a channel: what [reply] says of the answers', else [network], else the option's own. */
static double flit_bits(const ws_machine *m, unsigned direction)
{
    static const char *const name = "flit_bytes";
    const ws_option *o = ws_network_common_options;
    while (strcmp(o->name, name) != 0)
        o++;
    const uint64_t requests = option_of(&m->network, name, o->fallback);
    return BITS * (double)(direction == REPLY ? option_of(&m->reply, name, requests) : requests);
}

static int add_direction(ws_power_build *b, unsigned direction, const char *kind)
{
    const bool mesh = !strcmp(kind, "mesh");
    const double way = wire_m(b, mesh), router = b->energies->network_router * 1e-12 * b->logic;
    const double bit = router + way * b->wire;
    if (!mesh)
        return ws_power_event(b, WS_COUNTER(network_bytes, direction), BITS * bit, "%g pJ/bit of a router and %.1f mm of wires",
                              router * 1e12, way * 1e3);
    const double flit = flit_bits(b->machine, direction);
    const int status = ws_power_event(b, WS_COUNTER(network_hops, direction), flit * bit,
                                      "%g bits of %g pJ of a router and %.1f mm of wires", flit, router * 1e12, way * 1e3);
    return status ? status
                  : ws_power_event(b, WS_COUNTER(network_flits, direction), flit * router, "%g bits of %g pJ: the last router",
                                   flit, router * 1e12);
}

int ws_power_add_network(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const bool same = !strcmp(m->reply_kind, "same");
    int status = add_direction(b, REQUEST, m->network_kind);
    if (!status)
        status = add_direction(b, REPLY, same ? m->network_kind : m->reply_kind);
    return status;
}
