/* power_memory_light.c - links of light between the chip and its memory: lasers and rings whatever they carry, bits of
 * bursts and of commands. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
#include <math.h>

enum { BITS = 8 };

/* Light is there in the time that the channel takes for it, or in less. */
static int check_flight(const ws_power_build *b, double flight_ps, double least_ps)
{
    if (least_ps <= flight_ps)
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "memory.flight = %g ps, but light takes %.1f for [fibre] length and guide in %s: give memory.flight "
                   "= %.0f or more",
                   flight_ps, least_ps, b->machine->power_optics, ceil(least_ps));
}

static int add_bits(ws_power_build *b, const ws_optics_links *links, double burst, double command)
{
    const size_t commands[] = {WS_COUNTER(dram_activates, 0), WS_COUNTER(dram_precharges, 0)};
    const size_t bursts[] = {WS_COUNTER(dram_reads, 0), WS_COUNTER(dram_writes, 0)};
    const double fj = links->bit_j * 1e15;
    int status = WS_OK;
    for (size_t i = 0; i < sizeof commands / sizeof *commands && !status; i++)
        status =
            ws_power_event(b, commands[i], command * links->bit_j, "%g bits of a command, %g fJ each", command, fj);
    for (size_t i = 0; i < sizeof bursts / sizeof *bursts && !status; i++)
        status = ws_power_event(b, bursts[i], (burst + command) * links->bit_j,
                                "%g bits of data and %g of a command, %g fJ each", burst, command, fj);
    return status;
}

int ws_power_add_memory_light(ws_power_build *b)
{
    const ws_memory_shape shape = b->machine->shape.memory;
    ws_optics_links links;
    if (!shape.links)
        return WS_OK;
    const ws_optics_group groups[] = {{shape.reads.wavelengths, shape.reads.writers, shape.reads.readers},
                                      {shape.writes.wavelengths, shape.writes.writers, shape.writes.readers},
                                      {shape.commands.wavelengths, shape.commands.writers, shape.commands.readers}};
    const double channels = ws_machine_channels(b->machine);
    int status = ws_optics_links_of(b->optics, groups, sizeof groups / sizeof *groups, shape.link_wavelengths, &links);
    if (!status)
        status = check_flight(b, shape.flight_ps, links.flight_ps);
    if (!status)
        status = add_bits(b, &links, BITS * b->machine->shape.part.burst_bytes, shape.command_bits);
    if (!status)
        status = ws_power_leak(b, WS_WHILE_RUNNING, channels * links.laser_w,
                               "%g channels of %u links, %.1f dB from the laser to a detector", channels, shape.links,
                               links.loss_db);
    if (!status)
        status =
            ws_power_leak(b, WS_WHILE_RUNNING, channels * links.heating_w, "%g channels of %llu rings of %g uW/K, %g K",
                          channels, (unsigned long long)links.rings, b->optics->heating_uw_k, b->optics->span_k);
    return status;
}
