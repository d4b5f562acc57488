/* optical_channel.c - see optical_channel.h. */
#include "model/machine/optical_channel.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BYTE_BITS = 8, KB_MB = 1000, PS_US = 1000000, PS_MS = 1000000000 };

static uint64_t khz_of(const ws_dram_part *part)
{
    return (uint64_t)(part->clock_mhz * KB_MB + 0.5);
}

static uint32_t log2_of(uint64_t power)
{
    return (uint32_t)__builtin_ctzll(power);
}

static uint64_t round_up(uint64_t number, uint64_t by)
{
    return (number + by - 1) / by;
}

/* A burst takes bits / (wavelengths x rate) seconds, so bits x kHz / (wavelengths x Mb/s x 1000) cycles. */
static ws_optical_way way_of(const ws_dram_part *part, uint64_t wavelengths, uint64_t of_a_burst, uint64_t rate)
{
    const uint64_t cycles = (uint64_t)part->burst_bytes * BYTE_BITS * khz_of(part),
                   denominator = of_a_burst * rate * KB_MB;
    return (ws_optical_way){.lanes = (uint32_t)(wavelengths / of_a_burst),
                            .burst = {cycles / denominator, cycles % denominator},
                            .denominator = denominator};
}

/* Bits of each command wavelength, one after the other. */
static uint64_t command_edges(const uint64_t *v)
{
    return round_up(v[WS_CHANNEL_optical_command_bits] + log2_of(v[WS_CHANNEL_optical_subchannels]),
                    v[WS_CHANNEL_optical_command_wavelengths]);
}

static uint64_t delay_of(const ws_dram_part *part, const uint64_t *v)
{
    const uint64_t ps = 2 * v[WS_CHANNEL_optical_flight] + 4 * v[WS_CHANNEL_optical_convert] +
                        round_up(command_edges(v) * PS_US, v[WS_CHANNEL_optical_wavelength_rate]);
    return round_up(ps * khz_of(part), PS_MS);
}

ws_optical_channel ws_optical_channel_of(const ws_machine *m, const ws_dram_part *part)
{
    ws_optical_channel c;
    const uint64_t *const v = c.value;
    ws_option_choose(m->memory_channel->options, m->memory.list, m->memory.count, c.value);
    c.stacks = (uint32_t)v[WS_CHANNEL_optical_subchannels];
    c.preamble = log2_of(v[WS_CHANNEL_optical_interleave] ? v[WS_CHANNEL_optical_interleave] : part->burst_bytes);
    c.north = way_of(part, v[WS_CHANNEL_optical_north_wavelengths], v[WS_CHANNEL_optical_read_wavelengths],
                     v[WS_CHANNEL_optical_wavelength_rate]);
    c.south = way_of(part, v[WS_CHANNEL_optical_south_wavelengths], v[WS_CHANNEL_optical_write_wavelengths],
                     v[WS_CHANNEL_optical_wavelength_rate]);
    c.delay = delay_of(part, v);
    return c;
}

/* --- Is that a channel? --- */

__attribute__((format(printf, 4, 5))) static int refuse(const ws_machine *m, const uint64_t *v, int option,
                                                        const char *format, ...)
{
    const ws_given *const given =
        ws_given_find(m->memory.list, m->memory.count, m->memory_channel->options[option].name);
    const char *const where = given ? given->where : NULL;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s%smemory.%s = %" PRIu64 "%s%s%s: %s", where ? where : "", where ? ": " : "",
                   m->memory_channel->options[option].name, v[option],
                   *m->memory_channel->options[option].unit ? " " : "", m->memory_channel->options[option].unit,
                   given ? "" : " (default)", text);
}

static int check_lanes(const ws_machine *m, const uint64_t *v, int all, int each)
{
    if (v[all] % v[each])
        return refuse(m, v, each, "expected a divisor of memory.%s = %" PRIu64 ", which are divided among bursts",
                      m->memory_channel->options[all].name, v[all]);
    if (v[WS_CHANNEL_optical_subchannels] % (v[all] / v[each]))
        return refuse(
            m, v, all,
            "%" PRIu64 " bursts at once of memory.%s = %" PRIu64 " do not divide among memory.subchannels = %" PRIu64,
            v[all] / v[each], m->memory_channel->options[each].name, v[each], v[WS_CHANNEL_optical_subchannels]);
    return WS_OK;
}

static int check_options(const ws_machine *m, const ws_dram_part *part, const uint64_t *v)
{
    if (v[WS_CHANNEL_optical_subchannels] & (v[WS_CHANNEL_optical_subchannels] - 1))
        return refuse(m, v, WS_CHANNEL_optical_subchannels, "expected a power of two: bits of the address choose one");
    if (v[WS_CHANNEL_optical_interleave] & (v[WS_CHANNEL_optical_interleave] - 1))
        return refuse(m, v, WS_CHANNEL_optical_interleave, "expected a power of two");
    if (v[WS_CHANNEL_optical_interleave] && v[WS_CHANNEL_optical_interleave] < part->burst_bytes)
        return refuse(m, v, WS_CHANNEL_optical_interleave, "expected at least a burst of the part, %" PRIu32 " bytes",
                      part->burst_bytes);
    int status = check_lanes(m, v, WS_CHANNEL_optical_north_wavelengths, WS_CHANNEL_optical_read_wavelengths);
    if (!status)
        status = check_lanes(m, v, WS_CHANNEL_optical_south_wavelengths, WS_CHANNEL_optical_write_wavelengths);
    if (status)
        return status;
    if (v[WS_CHANNEL_optical_north_wavelengths] > v[WS_CHANNEL_optical_link_wavelengths])
        return refuse(m, v, WS_CHANNEL_optical_north_wavelengths, "expected at most memory.link_wavelengths = %" PRIu64,
                      v[WS_CHANNEL_optical_link_wavelengths]);
    if (v[WS_CHANNEL_optical_south_wavelengths] + v[WS_CHANNEL_optical_command_wavelengths] >
        v[WS_CHANNEL_optical_link_wavelengths])
        return refuse(m, v, WS_CHANNEL_optical_south_wavelengths,
                      "with memory.command_wavelengths = %" PRIu64 " more than memory.link_wavelengths = %" PRIu64
                      ", the capacity of a link",
                      v[WS_CHANNEL_optical_command_wavelengths], v[WS_CHANNEL_optical_link_wavelengths]);
    if (command_edges(v) * khz_of(part) > v[WS_CHANNEL_optical_wavelength_rate] * KB_MB)
        return refuse(m, v, WS_CHANNEL_optical_command_wavelengths,
                      "a command of %" PRIu64 " bits takes %" PRIu64
                      " ps, longer than a cycle of the memory clock, %" PRIu64 " ps: give more of them",
                      v[WS_CHANNEL_optical_command_bits] + log2_of(v[WS_CHANNEL_optical_subchannels]),
                      round_up(command_edges(v) * PS_US, v[WS_CHANNEL_optical_wavelength_rate]), PS_MS / khz_of(part));
    return WS_OK;
}

int ws_optical_check(const ws_machine *m, const ws_dram_part *part)
{
    uint64_t values[WS_CHANNEL_optical_END];
    ws_dram_plan plan;
    ws_option_choose(m->memory_channel->options, m->memory.list, m->memory.count, values);
    const int status = check_options(m, part, values);
    return status ? status : ws_memory_controller_plan(m, &plan);
}

ws_memory_shape ws_optical_shape(const ws_machine *m, const ws_dram_part *part)
{
    const ws_optical_channel c = ws_optical_channel_of(m, part);
    const uint64_t *const v = c.value;
    const uint64_t more = v[WS_CHANNEL_optical_concurrent]
                              ? (c.stacks - 1) * v[WS_CHANNEL_optical_command_wavelengths]
                              : 0; /* of the schedulers besides the first, on links of their own */
    const double burst = (double)c.north.burst.whole + (double)c.north.burst.fraction / (double)c.north.denominator;
    return (ws_memory_shape){
        .parts = c.stacks,
        .peak_bytes = (double)(v[WS_CHANNEL_optical_north_wavelengths] + v[WS_CHANNEL_optical_south_wavelengths]) *
                      (double)v[WS_CHANNEL_optical_wavelength_rate] * 1e6 / BYTE_BITS,
        .read_cycles = part->tRP + part->tRCDRD + part->tCL + part->burst_cycles + burst + (double)c.delay,
        .reads = {(uint32_t)v[WS_CHANNEL_optical_north_wavelengths], c.stacks / c.north.lanes, 1},
        .writes = {(uint32_t)v[WS_CHANNEL_optical_south_wavelengths], 1, c.stacks / c.south.lanes},
        .commands = {(uint32_t)(v[WS_CHANNEL_optical_command_wavelengths] + more), 1,
                     v[WS_CHANNEL_optical_concurrent] ? 1 : c.stacks},
        .link_wavelengths = (uint32_t)v[WS_CHANNEL_optical_link_wavelengths],
        .links = 2 + (uint32_t)round_up(more, v[WS_CHANNEL_optical_link_wavelengths]),
        .command_bits = (uint32_t)v[WS_CHANNEL_optical_command_bits] + log2_of(c.stacks),
        .flight_ps = (double)v[WS_CHANNEL_optical_flight],
    };
}
