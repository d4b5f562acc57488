/* power_network.c - networks between SMs and L2: each bit passes routers, and wires as long as the chip makes them. A
 * mesh has a channel from each router to the next; a crossbar is one router in the middle. Before a crossbar of light
 * is what a router has, too: a queue and who is next. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
#include "model/machine/network_kind.h"

#include <math.h>

enum { BITS = 8, MESH_PORTS = 5 };

/* A channel of a mesh of SMs and slices; of others half of the way across and half down, in and out of the middle. */
static double wire_m(const ws_power_build *b, bool mesh)
{
    const double side = ws_power_side_m(b);
    return mesh ? side / ceil(sqrt(ws_machine_nodes(b->machine))) : side;
}

/* A router of a mesh keeps flits at each port; a crossbar is a switch alone, before light there is none. Queues of
 * nodes stand before all of them. */
static double transistors_of(const ws_power_build *b, unsigned direction)
{
    const ws_network_plan *const network = &b->machine->shape.network[direction];
    const ws_network_medium medium = network->kind->medium;
    const double bits = BITS * (double)network->flit_bytes, nodes = network->nodes, chips = b->machine->package_chips;
    const double flip_flop = b->energies->logic_flipflop, crossing = b->energies->logic_crossing;
    if (medium == WS_MEDIUM_SWITCH)
        return chips * nodes * nodes * bits * crossing;
    if (medium != WS_MEDIUM_GRID)
        return 0;
    const double flits = (double)network->vcs * network->vc_flits;
    return chips * nodes * bits * MESH_PORTS * (flits * flip_flop + MESH_PORTS * crossing);
}

double ws_power_router_transistors(const ws_power_build *b)
{
    return transistors_of(b, WS_REQUESTS) + transistors_of(b, WS_REPLIES);
}

static int add_direction(ws_power_build *b, unsigned direction)
{
    const ws_network_plan *const network = &b->machine->shape.network[direction];
    const bool mesh = network->kind->medium == WS_MEDIUM_GRID;
    const double way = wire_m(b, mesh), router = b->energies->network_router * 1e-12 * b->logic;
    const double bit = router + way * b->wire;
    bool light;
    ws_optics_crossbar crossbar;
    const int status = ws_power_light(b, direction, &light, &crossbar);
    if (status || light)
        return status ? status
                      : ws_power_event(b, WS_COUNTER(network_bytes, direction), BITS * router,
                                       "%g pJ/bit of a router before the light", router * 1e12);
    if (!mesh)
        return ws_power_event(b, WS_COUNTER(network_bytes, direction), BITS * bit,
                              "%g pJ/bit of a router and %.1f mm of wires", router * 1e12, way * 1e3);
    const double flit = BITS * (double)network->flit_bytes;
    const int passed =
        ws_power_event(b, WS_COUNTER(network_hops, direction), flit * bit,
                       "%g bits of %g pJ of a router and %.1f mm of wires", flit, router * 1e12, way * 1e3);
    return passed ? passed
                  : ws_power_event(b, WS_COUNTER(network_flits, direction), flit * router,
                                   "%g bits of %g pJ: the last router", flit, router * 1e12);
}

int ws_power_add_network(ws_power_build *b)
{
    const double transistors = ws_power_router_transistors(b);
    int status = add_direction(b, WS_REQUESTS);
    if (!status)
        status = add_direction(b, WS_REPLIES);
    return status || transistors <= 0 ? status
                                      : ws_power_leak(b, WS_WHILE_RUNNING, ws_power_transistors_leakage(b, transistors),
                                                      "%.3g transistors of routers", transistors);
}
