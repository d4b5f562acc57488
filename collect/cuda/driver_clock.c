/* driver_clock.c - when would this have happened on the device? Simulated time, in picoseconds since the library was
 * loaded.
 *
 * Work is executed when its call is made, in the order of the calls; what it would have taken follows from what it did,
 * and from how many warps a multiprocessor held that could do it at the same time.
 * Its place in time follows from its stream, from events, and from who else uses the multiprocessors or the link: a
 * piece of work starts at the first moment that its stream allows and from which on the units it needs are free. */
#include "collect/cuda/driver_internal.h"

#define TIMING(name, value, unit, source) static const double name = value;
#include "collect/cuda/cuda_timing.def"
#undef TIMING

#define PS_PER_NS     1000.0
#define PS_PER_SECOND 1e12

/* ------------------------------------------------------------------------------------------------ how long */

static double attribute(CUdevice_attribute which)
{
    return ws_device_attribute(which);
}

static uint64_t in_ps(double amount, double per_second)
{
    return (uint64_t)(amount * (PS_PER_SECOND / per_second) + 0.5);
}

static double memory_bytes_per_second(void)
{
    return attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1e3 * TRANSFERS_PER_CLOCK *
           attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8;
}

/* What a warp needs from its first instruction to its last: cycles of its multiprocessor's scheduler and of its
 * multiprocessor's share of the memory, where it queues behind others, and cycles in which it just waits. */
typedef struct demand {
    double issue, memory, latency;
} demand;

/* How long do so many warps take that a multiprocessor holds at the same time? As customers of a closed network: two
 * queues, and a delay beside which the others are served. Mean value analysis: Reiser, Lavenberg, Mean-Value Analysis
 * of Closed Multichain Queuing Networks, JACM 27 (1980), for one chain. With few warps that is the latency of one, with
 * many the work of all at the busier queue (the roofline of Williams, Waterman, Patterson, 2009), and less than both
 * together in between. */
static double cycles_of_warps(const demand *d, uint64_t warps)
{
    double at_issue = 0, at_memory = 0, cycles = 0; /* at: customers on average */
    for (uint64_t n = 1; n <= warps; n++) {
        const double issue = d->issue * (1 + at_issue), memory = d->memory * (1 + at_memory);
        cycles = issue + memory + d->latency;
        at_issue = cycles > 0 ? (double)n * issue / cycles : 0;
        at_memory = cycles > 0 ? (double)n * memory / cycles : 0;
    }
    return cycles;
}

/* Blocks that all multiprocessors hold at the same time: as many as they can, or the last, spread over them evenly. The
 * busiest one counts; memory bandwidth is the device's as a whole. */
static double cycles_of_wave(const ws_kernel_work *w, uint64_t blocks, unsigned sms)
{
    const double all = (double)w->blocks * (double)w->warps, instructions = (double)w->instructions / all;
    const double bytes_per_cycle = memory_bytes_per_second() / (attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * 1e3);
    const uint64_t most = (blocks + sms - 1) / sms;
    const double sharers = (double)blocks / (double)most;
    const demand d = {.issue = instructions / ISSUE_PER_CLOCK,
                      .memory = (double)w->bytes / all * sharers / bytes_per_cycle,
                      .latency = instructions * (DEPENDENT_CYCLES - 1) + (double)w->waits / all * MEMORY_CYCLES};
    return cycles_of_warps(&d, most * w->warps);
}

/* Blocks go to different multiprocessors as long as there are any, and then as others end. */
ws_cost ws_cost_of_kernel(const ws_kernel_work *w)
{
    const unsigned sms = (unsigned)attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    const unsigned used = w->blocks < sms ? (unsigned)w->blocks : sms;
    const uint64_t wave = (w->resident ? w->resident : 1) * sms, waves = w->blocks / wave, rest = w->blocks % wave;
    const double cycles =
        (waves ? (double)waves * cycles_of_wave(w, wave, sms) : 0) + (rest ? cycles_of_wave(w, rest, sms) : 0);
    return (ws_cost){WS_PART_SMS, used, in_ps(cycles, attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * 1e3)};
}

ws_cost ws_cost_of_copy(ws_part part, uint64_t bytes)
{
    if (part == WS_PART_SMS) /* inside the device: each byte is read and written */
        return (ws_cost){part, (unsigned)attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                         in_ps(2.0 * (double)bytes, memory_bytes_per_second())};
    return (ws_cost){part, 1, part == WS_PART_NONE ? 0 : in_ps((double)bytes, LINK_BYTES_PER_SECOND)};
}

ws_cost ws_cost_of_fill(uint64_t bytes)
{
    return (ws_cost){WS_PART_SMS, (unsigned)attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                     in_ps((double)bytes, memory_bytes_per_second())};
}

uint64_t ws_clock_launch_ps(void)
{
    return (uint64_t)(LAUNCH_NS * PS_PER_NS);
}

uint64_t ws_clock_next_ps(void)
{
    return (uint64_t)(NEXT_NS * PS_PER_NS);
}

uint64_t ws_clock_node_ps(void)
{
    return (uint64_t)(NODE_NS * PS_PER_NS);
}

/* ------------------------------------------------------------------------------------------------ who is busy when */

/* What follows closely on work with the same needs is joined to it, so a stream's queue is one span. */
static ws_timeline *timeline(ws_part part)
{
    return &ws_the_driver.timeline[part];
}

static unsigned capacity_of(ws_part part)
{
    return part == WS_PART_SMS ? (unsigned)attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) : 1;
}

/* Units in use at a moment. */
static unsigned used_at(ws_part part, uint64_t when)
{
    unsigned used = 0;
    for (unsigned i = 0; i < timeline(part)->n; i++) {
        const ws_busy *const b = &timeline(part)->span[i];
        used += b->begin <= when && when < b->end ? b->units : 0;
    }
    return used;
}

/* The number of units in use rises only where a span begins. */
static bool fits(ws_part part, unsigned units, uint64_t begin, uint64_t length)
{
    const unsigned most = capacity_of(part) - units;
    if (used_at(part, begin) > most)
        return false;
    for (unsigned i = 0; i < timeline(part)->n; i++) {
        const uint64_t at = timeline(part)->span[i].begin;
        if (at > begin && at - begin < length && used_at(part, at) > most)
            return false;
    }
    return true;
}

/* The first end of a span after `when`; UINT64_MAX when there is none. */
static uint64_t next_end(ws_part part, uint64_t when)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < timeline(part)->n; i++) {
        const uint64_t end = timeline(part)->span[i].end;
        if (end > when && end < first)
            first = end;
    }
    return first;
}

static void forget_first(ws_part part)
{
    unsigned first = 0;
    for (unsigned i = 1; i < timeline(part)->n; i++)
        if (timeline(part)->span[i].end < timeline(part)->span[first].end)
            first = i;
    if (timeline(part)->floor < timeline(part)->span[first].end)
        timeline(part)->floor = timeline(part)->span[first].end;
    timeline(part)->span[first] = timeline(part)->span[--timeline(part)->n];
}

static void occupy(ws_part part, unsigned units, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < timeline(part)->n; i++) {
        ws_busy *const b = &timeline(part)->span[i];
        if (b->units == units && b->end <= begin && begin - b->end <= ws_clock_next_ps() &&
            (b->end == begin || fits(part, units, b->end, begin - b->end))) {
            b->end = end;
            return;
        }
    }
    if (timeline(part)->n == WS_BUSY_SPANS)
        forget_first(part);
    timeline(part)->span[timeline(part)->n++] = (ws_busy){begin, end, units};
}

uint64_t ws_clock_place(const ws_cost *cost, uint64_t ready)
{
    if (cost->part == WS_PART_NONE || !cost->length || !cost->units)
        return ready + cost->length;
    uint64_t begin = ready > timeline(cost->part)->floor ? ready : timeline(cost->part)->floor;
    while (!fits(cost->part, cost->units, begin, cost->length))
        begin = next_end(cost->part, begin);
    occupy(cost->part, cost->units, begin, begin + cost->length);
    return begin + cost->length;
}

/* ------------------------------------------------------------------------------------------------ the host's clock */

/* The host's own work takes no simulated time. A thread's clock stands at the end of the last thing it waited for; a
 * thread that is new begins where the furthest one is. */
static _Thread_local struct {
    uint64_t now;
    bool started;
} host;

uint64_t ws_clock_host(void)
{
    if (!host.started)
        host.now = ws_the_driver.host_latest;
    host.started = true;
    return host.now;
}

void ws_clock_wait_until(uint64_t when)
{
    if (when > ws_clock_host())
        host.now = when;
    if (host.now > ws_the_driver.host_latest)
        ws_the_driver.host_latest = host.now;
}
