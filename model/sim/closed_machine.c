/* closed_machine.c - from options of a machine to the few numbers of a closed form. */
#include "model/sim/closed_machine.h"

#include "base/status.h"
#include "model/sim/decode.h"
#include "model/sim/memory_channel.h"
#include "model/sim/memory_level.h"

#include <math.h>
#include <string.h>

/* ROW_BURSTS: as the median of twelve kernels of Rodinia, Parboil and CUDA's samples on the machine qv100. */
enum { LATENCY_ROUTER = 4, LATENCY_ENDS = 2, KHZ = 1000, ROW_BURSTS = 12 };

/* One way through the empty network: docs/simulator.md. Uniform traffic on a mesh makes (width + height) / 3 hops. */
static double network_cycles(const ws_machine *m, double *hops)
{
    *hops = 1;
    if (strcmp(m->network_kind, "mesh") != 0)
        return 1;
    *hops = 2 * ceil(sqrt(ws_machine_nodes(m))) / 3;
    return LATENCY_ROUTER * (*hops + 1) + LATENCY_ENDS;
}

/* Distances of profiles are those in sets by the low bits, where the line used longest ago goes. What an index of the L2 does
 * for its few conflicts is not seen. */
static int check_caches(const ws_machine *m)
{
    const struct {
        const char *option, *is, *expected;
    } words[] = {{"[l1] index", m->l1_index, "linear"},
                 {"[l1] replacement", m->l1_replacement, "lru"},
                 {"[l2] replacement", m->l2_replacement, "lru"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].is, words[i].expected) != 0)
            return ws_fail(WS_EUNSUPPORTED,
                           "configuration %s: %s is %s; profiles tell what hits with %s alone: choose that, or replay a "
                           "trace (--tier 2)",
                           m->name, words[i].option, words[i].is, words[i].expected);
    return WS_OK;
}

int ws_closed_machine_of(const ws_machine *m, const char *protocol, ws_closed_machine *out)
{
    ws_dram_part part;
    ws_memory_shape memory_shape;
    *out = (ws_closed_machine){.sizes = ws_message_default_sizes};
    if (m->l1_line != WS_LOG_LINE)
        return ws_fail(WS_EUNSUPPORTED, "configuration %s: [l1] line is %u; profiles have lines of %d bytes", m->name,
                       m->l1_line, WS_LOG_LINE);
    if (!m->coherence_polls)
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: [coherence] polls is 0; profiles do not tell which copies would serve volatile "
                       "loads; leave it at 1, or replay a trace (--tier 2)",
                       m->name);
    int status = check_caches(m);
    if (!status)
        status = ws_coherent_config(m, false, &out->coherence);
    if (!status)
        status = ws_machine_part(m, &part);
    if (!status)
        status = ws_memory_shape_of(m, &memory_shape);
    if (status)
        return status;
    const double core = m->chip_core_clock, network = core / m->chip_network_clock, l2 = core / m->chip_l2_clock;
    const double memory = core / (KHZ * part.clock_mhz);
    out->coherence.protocol = protocol;
    out->sizes.block_bytes = m->l2_line;
    out->threads = m->sm_threads;
    out->blocks = m->sm_blocks;
    out->registers = m->sm_registers;
    out->shared_bytes = m->sm_shared;
    out->issue = (double)m->sm_schedulers * m->sm_issue;
    out->l1_ports = m->l1_ports;
    out->slices = ws_machine_slices(m);
    out->network_flits = 1 / network;
    out->memory_bytes = ws_machine_channels(m) * memory_shape.peak_bytes / (KHZ * core);
    out->l1_cycles = m->l1_latency;
    out->l1_sector = ws_machine_has_protocol(m) ? m->l1_line : m->l1_sector;
    out->l2_sector = ws_machine_has_protocol(m) ? m->l2_line : m->l2_sector;
    const double answer = ceil((double)(out->sizes.header_bytes + out->l2_sector) / out->sizes.flit_bytes);
    out->l2_cycles = 2 * (m->port_cycles + network * network_cycles(m, &out->hops)) + network * (answer - 1) + l2 * m->l2_latency;
    out->instruction_cycles = m->latency_int_add;
    out->launch_cycles = m->chip_launch;
    out->row_bursts = ROW_BURSTS;
    out->shared_passes = (double)m->shared_banks / WS_WORK_BANKS;
    ws_decode_operations(m, out->unit_cycles, out->unit);
    out->aging = true;
    out->memory_cycles = memory * (m->memory_latency + memory_shape.read_cycles);
    return WS_OK;
}
