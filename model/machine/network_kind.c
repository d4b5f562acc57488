/* network_kind.c - see network_kind.h. */
#include "model/machine/network_rows.h"

#include "base/status.h"
#include "model/machine/kind_rows.h"

#include <inttypes.h>

enum { MOST_NODES = 4096, BYTE_BITS = 8, ALLOCATIONS = 2 };

static uint32_t square_root_up(uint32_t nodes)
{
    uint32_t side = 1;
    while (side * side < nodes)
        side++;
    return side;
}

/* As model/sim/network/network_mesh.c has it: a head is routed, allocated twice, switched, and goes over the link; a
 * credit comes back over the link and counts later. */
static int settle_grid(ws_network_plan *p)
{
    const uint64_t *const v = p->own;
    p->width = v[WS_NETWORK_mesh_width] ? (uint32_t)v[WS_NETWORK_mesh_width] : square_root_up(p->nodes);
    p->height = v[WS_NETWORK_mesh_height] ? (uint32_t)v[WS_NETWORK_mesh_height] : (p->nodes + p->width - 1) / p->width;
    p->vcs = (uint32_t)v[WS_NETWORK_mesh_vcs];
    p->vc_flits = (uint32_t)v[WS_NETWORK_mesh_vc_flits];
    const uint32_t through = (uint32_t)v[WS_NETWORK_mesh_switch_cycles],
                   link = (uint32_t)v[WS_NETWORK_mesh_link_cycles];
    p->router_cycles = (uint32_t)v[WS_NETWORK_mesh_route_cycles] + ALLOCATIONS + through + link;
    p->end_cycles = link + 1;
    p->credit_cycles = through + 2 * link + (uint32_t)v[WS_NETWORK_mesh_credit_cycles] + 2;
    const uint32_t routers = p->width * p->height;
    if (routers > MOST_NODES)
        return ws_fail(WS_EINPUT,
                       "network mesh: width = %" PRIu32 " times height = %" PRIu32 " is more than %d routers", p->width,
                       p->height, MOST_NODES);
    return routers < p->nodes ? ws_fail(WS_EINPUT,
                                        "network mesh: width = %" PRIu32 " times height = %" PRIu32
                                        " has fewer routers than there are nodes (%" PRIu32 "); enlarge one of them",
                                        p->width, p->height, p->nodes)
                              : WS_OK;
}

static int settle_switch(ws_network_plan *p)
{
    p->latency = (uint32_t)p->own[WS_NETWORK_crossbar_latency];
    p->speedup = (uint32_t)p->own[WS_NETWORK_crossbar_speedup];
    p->window = (uint32_t)p->own[WS_NETWORK_crossbar_window];
    p->room += p->latency - 1;
    return p->speedup > p->nodes
               ? ws_fail(WS_EINPUT,
                         "network crossbar: speedup = %" PRIu32 " exceeds the %" PRIu32 " inputs; give that or less",
                         p->speedup, p->nodes)
               : WS_OK;
}

static int settle_wires(ws_network_plan *p)
{
    p->latency = (uint32_t)p->own[WS_NETWORK_bus_latency];
    p->room += p->latency - 1;
    return WS_OK;
}

_Static_assert((int)WS_NETWORK_swmr_wavelengths == WS_NETWORK_mwsr_wavelengths, "networks of light begin alike");

static int settle_light(ws_network_plan *p)
{
    const uint32_t bits = p->flit_bytes * BYTE_BITS;
    p->loop = (uint32_t)p->own[WS_NETWORK_swmr_loop];
    p->convert = (uint32_t)p->own[WS_NETWORK_swmr_convert];
    p->wavelengths = (uint32_t)p->own[WS_NETWORK_swmr_wavelengths];
    p->window = (uint32_t)p->own[WS_NETWORK_swmr_window];
    return bits % p->wavelengths ? ws_fail(WS_EINPUT,
                                           "network %s: flit_bytes = %" PRIu32 " is %" PRIu32
                                           " bits, which do not fill waveguides of wavelengths = %" PRIu32
                                           "; give a multiple, or other wavelengths",
                                           p->kind->name, p->flit_bytes, bits, p->wavelengths)
                                 : WS_OK;
}

static int settle_readers(ws_network_plan *p)
{
    const uint64_t *const v = p->own;
    p->packets = (uint32_t)v[WS_NETWORK_mwsr_packets];
    p->rounds = v[WS_NETWORK_mwsr_rounds];
    const uint64_t wavelengths = v[WS_NETWORK_mwsr_wavelengths], tokens = v[WS_NETWORK_mwsr_arbitration] * wavelengths;
    if (p->nodes > tokens)
        return ws_fail(WS_EINPUT,
                       "network mwsr: %" PRIu32 " nodes need a token each, but arbitration = %" PRIu64
                       " with wavelengths = %" PRIu64 " have %" PRIu64 "; give arbitration = %" PRIu64 " or more",
                       p->nodes, v[WS_NETWORK_mwsr_arbitration], wavelengths, tokens,
                       (p->nodes + wavelengths - 1) / wavelengths);
    if (p->room < 2)
        return ws_fail(WS_EINPUT,
                       "network mwsr: ejection_packets = %" PRIu32
                       ", but a token keeps one place at its node; give 2 or more",
                       p->room);
    if (v[WS_NETWORK_mwsr_lose] > p->nodes)
        return ws_fail(WS_EINPUT, "network mwsr: lose = %" PRIu64 " exceeds the %" PRIu32 " tokens",
                       v[WS_NETWORK_mwsr_lose], p->nodes);
    return settle_light(p);
}

/* clang-format off */
#define COMMON(name) const ws_option ws_network_common_options[] = {
#define NETWORK(name, word, summary, ...) static const ws_option options_##name[] = {
#define OPTION(network, name, ...) {#name, __VA_ARGS__},
#define END(network) {NULL, NULL, 0, 0, 0, NULL}}; \
    _Static_assert((int)WS_NETWORK_##network##_END <= WS_NETWORK_OPTIONS, "more options than a plan has room for");
/* clang-format on */
#include "model/machine/networks.def"

#define NETWORK(name, word, summary, ...) {word, summary, options_##name, __VA_ARGS__},
const ws_network_kind ws_network_kinds[] = {
#include "model/machine/networks.def"
};

WS_KIND_ROWS(network_kind, ws_network_kinds)

int ws_network_plan_make(const ws_network_kind *kind, uint32_t nodes, const ws_given *given, size_t count,
                         ws_network_plan *out)
{
    *out = (ws_network_plan){.kind = kind, .nodes = nodes};
    if (nodes < 1 || nodes > MOST_NODES)
        return ws_fail(WS_EINPUT, "network %s: %" PRIu32 " nodes, expected 1 to %d", kind->name, nodes, MOST_NODES);
    int rc = ws_option_resolve(kind->name, ws_network_common_options, kind->options, given, count, out->common);
    if (!rc)
        rc = ws_option_resolve(kind->name, kind->options, ws_network_common_options, given, count, out->own);
    if (rc)
        return rc;
    out->flit_bytes = (uint32_t)out->common[WS_NETWORK_common_flit_bytes];
    out->room = (uint32_t)out->common[WS_NETWORK_common_ejection_packets];
    return kind->settle(out);
}
