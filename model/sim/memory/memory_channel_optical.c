/* memory_channel_optical.c - a channel of several stacks of memory behind links of light. Each stack is a sub-channel:
 * a ws_dram with banks and queues of its own. After Goswami, Power Performance Co-Optimization of Throughput
 * Architecture Using Emerging Technologies, 2013, chapter 4; where that is silent, docs/simulator.md says what was
 * chosen.
 *
 * - A few bits of an address, the preamble, say which stack it is in: those right above a burst (or `interleave`), so
 * that neighbours are in different ones. A burst keeps wavelengths for longer than it keeps anything else, so those of
 * a line should come on different ones.
 * - Commands: one a cycle for all stacks (sequential), given to the stack that had the last one as long as it has
 * another, then to the next; or one a cycle for each of them (concurrent). A stack refreshes by itself: nothing goes
 * over a link for it.
 * - Data: a link's wavelengths make lanes, and stack s has lane s modulo their number. A burst keeps its lane for bits
 * / (wavelengths x rate), which is no whole number of memory cycles: what follows begins within the cycle, so lanes may
 * be busy all the time.
 * - What was read waits in its stack (`replies`) until its lane is free. A write is not sent before its lane is.
 * - Times are those of the controller: stacks hear of everything a constant later, so that is added to what they
 * answer. */
#include "base/status.h"
#include "base/fifo.h"
#include "model/sim/memory/memory_channel_internal.h"
#include "model/machine/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_BITS = 8, KB_MB = 1000, PS_US = 1000000, PS_MS = 1000000000 };

enum {
    SUBCHANNELS,
    CONCURRENT,
    INTERLEAVE,
    NORTH,
    SOUTH,
    READ,
    WRITE,
    COMMAND,
    COMMAND_BITS,
    LINK,
    RATE,
    FLIGHT,
    CONVERT,
    OPTION_COUNT
};
static const ws_option options[] = {
    [SUBCHANNELS] = {"subchannels", "", 8, 1, 64,
                     "stacks of memory, each with banks and queues of its own; a power of two"},
    [CONCURRENT] = {"concurrent", "", 0, 0, 1,
                    "0: one scheduler, a command a cycle for all sub-channels in turns; 1: one for each of them"},
    [INTERLEAVE] = {"interleave", "bytes", 0, 0, 1 << 20,
                    "that follow one another in a sub-channel, before the next one has its turn; 0: a burst"},
    [NORTH] = {"north_wavelengths", "", 64, 1, 4096, "that carry what was read"},
    [SOUTH] = {"south_wavelengths", "", 32, 1, 4096, "that carry what is written"},
    [READ] = {"read_wavelengths", "", 8, 1, 4096, "of these for a read"},
    [WRITE] = {"write_wavelengths", "", 8, 1, 4096, "of these for a write"},
    [COMMAND] = {"command_wavelengths", "", 16, 1, 4096, "of a scheduler, for addresses and commands"},
    [COMMAND_BITS] = {"command_bits", "bits", 32, 1, 256,
                      "of an address with its command, besides those that say which sub-channel"},
    [LINK] = {"link_wavelengths", "", 64, 1, 4096, "that a link has room for"},
    [RATE] = {"wavelength_rate", "Mb/s", 10000, 1, 1000000, "of a wavelength: both edges of 5 GHz"},
    [FLIGHT] = {"flight", "ps", 610, 0, 1000000, "of light from the chip to a stack, and back"},
    [CONVERT] = {"convert", "ps", 200, 0, 1000000, "into light and out of it, at each end of a link"},
    [OPTION_COUNT] = {NULL, NULL, 0, 0, 0, NULL},
};

/* A time, or a duration: whole cycles of the memory clock and a fraction, whose denominator is that of its way. */
typedef struct moment {
    uint64_t whole, fraction;
} moment;

typedef struct lane {
    moment free;    /* from then on */
    moment carried; /* bursts, all together */
} lane;

/* Data in one direction. */
typedef struct way {
    uint32_t lanes;
    moment burst;
    uint64_t denominator;
} way;

typedef struct channel {
    uint64_t value[OPTION_COUNT];
    uint32_t stacks;
    uint32_t preamble; /* its lowest bit */
    way north, south;
    uint64_t delay; /* of a command, and of its answer: constant, in cycles */
    ws_dram_map map;
    ws_dram **stack;
    /* What changes, besides the stacks: */
    uint64_t now, busy_from, busy_until;
    uint32_t turn; /* the stack that is asked first */
    lane *reading, *writing;
    ws_fifo *coming; /* [lanes of the north link + 1]: when a read is there, tag; the last one of reads that never left
                        the controller */
    ws_dram_totals own; /* of these reads_out, latency_sum, latency_max, pending_cycles are counted here */
} channel;

/* --- Numbers --- */

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

static uint64_t ceiling(moment m)
{
    return m.whole + (m.fraction > 0);
}

static bool later(moment a, moment b)
{
    return a.whole > b.whole || (a.whole == b.whole && a.fraction > b.fraction);
}

static moment after(const way *w, moment m)
{
    const uint64_t fraction = m.fraction + w->burst.fraction;
    const bool carry = fraction >= w->denominator;
    return (moment){m.whole + w->burst.whole + carry, fraction - (carry ? w->denominator : 0)};
}

/* A burst takes bits / (wavelengths x rate) seconds, so bits x kHz / (wavelengths x Mb/s x 1000) cycles. */
static way way_of(const ws_dram_part *part, uint64_t wavelengths, uint64_t of_a_burst, uint64_t rate)
{
    const uint64_t cycles = (uint64_t)part->burst_bytes * BYTE_BITS * khz_of(part),
                   denominator = of_a_burst * rate * KB_MB;
    return (way){.lanes = (uint32_t)(wavelengths / of_a_burst),
                 .burst = {cycles / denominator, cycles % denominator},
                 .denominator = denominator};
}

/* Bits of each command wavelength, one after the other. */
static uint64_t command_edges(const uint64_t *v)
{
    return round_up(v[COMMAND_BITS] + log2_of(v[SUBCHANNELS]), v[COMMAND]);
}

static uint64_t delay_of(const ws_dram_part *part, const uint64_t *v)
{
    const uint64_t ps = 2 * v[FLIGHT] + 4 * v[CONVERT] + round_up(command_edges(v) * PS_US, v[RATE]);
    return round_up(ps * khz_of(part), PS_MS);
}

/* A stack as its controller sees it. The links bring one command at a time, whatever buses it has inside. A burst is
 * written when its last bit is there; as it may begin to move late in the command's cycle, one that is no whole number
 * of cycles is given one more. */
static ws_dram_part stack_part(const ws_dram_part *part, const uint64_t *v)
{
    const way south = way_of(part, v[SOUTH], v[WRITE], v[RATE]);
    const uint64_t last = ceiling(south.burst) + (south.burst.fraction > 0);
    ws_dram_part stack = *part;
    stack.command_buses = 1;
    if (last > stack.tCWL + stack.burst_cycles)
        stack.tCWL = (uint32_t)(last - stack.burst_cycles);
    return stack;
}

/* --- Is that a channel? --- */

__attribute__((format(printf, 4, 5))) static int refuse(const ws_machine *m, const uint64_t *v, int option,
                                                        const char *format, ...)
{
    const char *where = NULL;
    bool given = false;
    for (size_t i = 0; i < m->memory.count; i++)
        if (!strcmp(m->memory.list[i].name, options[option].name)) {
            where = m->memory.list[i].where;
            given = true;
        }
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ws_fail(WS_EINPUT, "%s%smemory.%s = %" PRIu64 "%s%s%s: %s", where ? where : "", where ? ": " : "",
                   options[option].name, v[option], *options[option].unit ? " " : "", options[option].unit,
                   given ? "" : " (default)", text);
}

static int check_lanes(const ws_machine *m, const uint64_t *v, int all, int each)
{
    if (v[all] % v[each])
        return refuse(m, v, each, "expected a divisor of memory.%s = %" PRIu64 ", which are divided among bursts",
                      options[all].name, v[all]);
    if (v[SUBCHANNELS] % (v[all] / v[each]))
        return refuse(m, v, all,
                      "%" PRIu64 " bursts at once of memory.%s = %" PRIu64
                      " do not divide among memory.subchannels = %" PRIu64,
                      v[all] / v[each], options[each].name, v[each], v[SUBCHANNELS]);
    return WS_OK;
}

static int check_options(const ws_machine *m, const ws_dram_part *part, const uint64_t *v)
{
    if (v[SUBCHANNELS] & (v[SUBCHANNELS] - 1))
        return refuse(m, v, SUBCHANNELS, "expected a power of two: bits of the address choose one");
    if (v[INTERLEAVE] & (v[INTERLEAVE] - 1))
        return refuse(m, v, INTERLEAVE, "expected a power of two");
    if (v[INTERLEAVE] && v[INTERLEAVE] < part->burst_bytes)
        return refuse(m, v, INTERLEAVE, "expected at least a burst of the part, %" PRIu32 " bytes", part->burst_bytes);
    int status = check_lanes(m, v, NORTH, READ);
    if (!status)
        status = check_lanes(m, v, SOUTH, WRITE);
    if (status)
        return status;
    if (v[NORTH] > v[LINK])
        return refuse(m, v, NORTH, "expected at most memory.link_wavelengths = %" PRIu64, v[LINK]);
    if (v[SOUTH] + v[COMMAND] > v[LINK])
        return refuse(m, v, SOUTH,
                      "with memory.command_wavelengths = %" PRIu64 " more than memory.link_wavelengths = %" PRIu64
                      ", which a link has room for",
                      v[COMMAND], v[LINK]);
    if (command_edges(v) * khz_of(part) > v[RATE] * KB_MB)
        return refuse(m, v, COMMAND,
                      "a command of %" PRIu64 " bits takes %" PRIu64
                      " ps, longer than a cycle of the memory clock, %" PRIu64 " ps: give more of them",
                      v[COMMAND_BITS] + log2_of(v[SUBCHANNELS]), round_up(command_edges(v) * PS_US, v[RATE]),
                      PS_MS / khz_of(part));
    return WS_OK;
}

/* What was given to the controllers of the stacks: all that is not the channel's. The caller frees *list. */
static int options_of_stacks(const ws_machine *m, ws_given **list, size_t *count)
{
    *count = 0;
    *list = calloc(m->memory.count + 1, sizeof **list);
    if (!*list)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    for (size_t i = 0; i < m->memory.count; i++) {
        size_t own = 0;
        while (options[own].name && strcmp(options[own].name, m->memory.list[i].name) != 0)
            own++;
        if (!options[own].name)
            (*list)[(*count)++] = m->memory.list[i];
    }
    return WS_OK;
}

static int check(const ws_machine *m, const ws_dram_part *part)
{
    uint64_t values[OPTION_COUNT];
    ws_given *given = NULL;
    size_t count;
    ws_dram *dram = NULL;
    ws_option_choose(options, m->memory.list, m->memory.count, values);
    int status = check_options(m, part, values);
    if (!status)
        status = options_of_stacks(m, &given, &count);
    if (!status)
        status = ws_dram_create(m->memory_controller, part, given, count, &dram);
    ws_dram_destroy(dram);
    free(given);
    return status;
}

static ws_memory_shape shape(const ws_machine *m, const ws_dram_part *part)
{
    uint64_t v[OPTION_COUNT];
    ws_option_choose(options, m->memory.list, m->memory.count, v);
    const way north = way_of(part, v[NORTH], v[READ], v[RATE]), south = way_of(part, v[SOUTH], v[WRITE], v[RATE]);
    const uint32_t stacks = (uint32_t)v[SUBCHANNELS];
    const uint64_t more =
        v[CONCURRENT] ? (stacks - 1) * v[COMMAND] : 0; /* of the schedulers besides the first, on links of their own */
    const double burst = (double)north.burst.whole + (double)north.burst.fraction / (double)north.denominator;
    return (ws_memory_shape){
        .parts = stacks,
        .peak_bytes = (double)(v[NORTH] + v[SOUTH]) * (double)v[RATE] * 1e6 / BYTE_BITS,
        .read_cycles = part->tRP + part->tRCDRD + part->tCL + part->burst_cycles + burst + (double)delay_of(part, v),
        .reads = {(uint32_t)v[NORTH], stacks / north.lanes, 1},
        .writes = {(uint32_t)v[SOUTH], 1, stacks / south.lanes},
        .commands = {(uint32_t)(v[COMMAND] + more), 1, v[CONCURRENT] ? 1 : stacks},
        .link_wavelengths = (uint32_t)v[LINK],
        .links = 2 + (uint32_t)round_up(more, v[LINK]),
        .command_bits = (uint32_t)v[COMMAND_BITS] + log2_of(stacks),
        .flight_ps = (double)v[FLIGHT],
    };
}

/* --- Making one --- */

static void destroy(void *memory)
{
    channel *const c = memory;
    if (!c)
        return;
    for (uint32_t i = 0; c->stack && i < c->stacks; i++)
        ws_dram_destroy(c->stack[i]);
    for (uint32_t i = 0; c->coming && i <= c->north.lanes; i++)
        ws_fifo_fini(&c->coming[i]);
    free(c->stack);
    free(c->coming);
    free(c->reading);
    free(c->writing);
    free(c);
}

static int create_stacks(channel *c, const ws_machine *m, const ws_dram_part *part)
{
    const ws_dram_part stack = stack_part(part, c->value);
    ws_given *given = NULL;
    size_t count;
    int status = options_of_stacks(m, &given, &count);
    for (uint32_t i = 0; i < c->stacks && !status; i++)
        status = ws_dram_create(m->memory_controller, &stack, given, count, &c->stack[i]);
    free(given);
    return status ? status : ws_dram_map_parse(ws_memory_channel_map(part), m->memory_part, part, 1, &c->map);
}

static int create(const ws_machine *m, const ws_dram_part *part, void **out)
{
    channel *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    const uint64_t *const v = c->value;
    ws_option_choose(options, m->memory.list, m->memory.count, c->value);
    c->stacks = (uint32_t)v[SUBCHANNELS];
    c->preamble = log2_of(v[INTERLEAVE] ? v[INTERLEAVE] : part->burst_bytes);
    c->north = way_of(part, v[NORTH], v[READ], v[RATE]);
    c->south = way_of(part, v[SOUTH], v[WRITE], v[RATE]);
    c->delay = delay_of(part, v);
    c->stack = calloc(c->stacks, sizeof *c->stack);
    c->reading = calloc(c->north.lanes, sizeof *c->reading);
    c->writing = calloc(c->south.lanes, sizeof *c->writing);
    c->coming = calloc(c->north.lanes + 1, sizeof *c->coming);
    const int status = c->stack && c->reading && c->writing && c->coming
                           ? create_stacks(c, m, part)
                           : ws_fail(WS_EMEM, "no memory for a memory channel");
    if (status) {
        destroy(c);
        return status;
    }
    *out = c;
    return WS_OK;
}

/* --- Requests come --- */

/* The bits of the preamble are left out of the address in the stack. */
static uint32_t stack_of(const channel *c, uint64_t address, uint64_t *within)
{
    const uint32_t at = c->preamble, bits = log2_of(c->stacks);
    *within = address >> (at + bits) << at | (address & (((uint64_t)1 << at) - 1));
    return (uint32_t)(address >> at) & (c->stacks - 1);
}

static bool has_room(const void *memory, uint64_t address, bool write)
{
    const channel *const c = memory;
    uint64_t within;
    return ws_dram_has_room(c->stack[stack_of(c, address, &within)], write);
}

/* Does a stack have a request, or a reply that has not begun to move? */
static bool stacks_wait(const channel *c)
{
    for (uint32_t i = 0; i < c->stacks; i++)
        if (ws_dram_inside(c->stack[i]))
            return true;
    return false;
}

static uint64_t busy_cycles(const channel *c)
{
    return (stacks_wait(c) || c->busy_until > c->now ? c->now : c->busy_until) - c->busy_from;
}

static bool push(void *memory, uint64_t address, bool write, uint64_t tag)
{
    channel *const c = memory;
    ws_dram_request request = {.tag = tag, .write = write};
    ws_dram *const stack = c->stack[stack_of(c, address, &request.address)];
    ws_dram_map_place(&c->map, request.address, &request.at);
    const bool begins = c->now > c->busy_until && !stacks_wait(c);
    if (!ws_dram_push(stack, &request))
        return false;
    if (begins) {
        c->own.pending_cycles += c->busy_until - c->busy_from;
        c->busy_from = c->busy_until = c->now;
    }
    return true;
}

/* --- Time passes --- */

static void pass(channel *c, uint64_t until)
{
    c->now = until;
    for (uint32_t i = 0; i < c->stacks; i++)
        ws_dram_wait(c->stack[i], until);
}

/* Takes the lane from `from` on, or as soon as it is free; returns when the last bit has moved. */
static moment take_lane(const way *w, lane *l, uint64_t from)
{
    const moment begin = {from, 0};
    l->free = after(w, later(l->free, begin) ? l->free : begin);
    l->carried = after(w, l->carried);
    return l->free;
}

static void begin_write(channel *c, uint32_t stack)
{
    const uint32_t number = stack & (c->south.lanes - 1);
    const moment end = take_lane(&c->south, &c->writing[number], c->now);
    c->busy_until = ceiling(end) > c->busy_until ? ceiling(end) : c->busy_until;
    for (uint32_t i = number; i < c->stacks; i += c->south.lanes)
        ws_dram_hold_writes(c->stack[i], end.whole);
}

/* A read is at the controller at `when`, and leaves its stack. False: no memory to keep it. */
static bool deliver(channel *c, uint32_t stack, uint32_t queue, uint64_t when)
{
    ws_dram_request r;
    if (ws_fifo_add(&c->coming[queue], when, ws_dram_front(c->stack[stack])->tag))
        return false;
    ws_dram_pop(c->stack[stack], &r);
    const uint64_t latency = when - r.arrived;
    c->own.latency_sum += latency;
    c->own.latency_max = latency > c->own.latency_max ? latency : c->own.latency_max;
    c->busy_until = when > c->busy_until ? when : c->busy_until;
    return true;
}

static const ws_dram_request *reply_now(const channel *c, uint32_t stack)
{
    const ws_dram_request *const r = ws_dram_front(c->stack[stack]);
    return r && r->finished <= c->now ? r : NULL;
}

/* Answered from the controller's own queue of writes: no light moves. */
static void answer_forwarded(channel *c, uint32_t stack)
{
    const ws_dram_request *r = reply_now(c, stack);
    while (r && r->forwarded && deliver(c, stack, c->north.lanes, c->now))
        r = reply_now(c, stack);
}

/* Of the stacks of a lane the one whose reply was there first, of several the lowest; or their number. */
static uint32_t first_reply(const channel *c, uint32_t number)
{
    uint32_t first = c->stacks;
    uint64_t since = WS_NEVER;
    for (uint32_t i = number; i < c->stacks; i += c->north.lanes) {
        const ws_dram_request *const r = reply_now(c, i);
        if (r && r->finished < since) {
            first = i;
            since = r->finished;
        }
    }
    return first;
}

/* What moves north from now on. */
static void send_replies(channel *c)
{
    for (uint32_t i = 0; i < c->stacks; i++)
        answer_forwarded(c, i);
    for (uint32_t number = 0; number < c->north.lanes; number++) {
        lane *const l = &c->reading[number];
        while (ceiling(l->free) <= c->now) {
            const uint32_t stack = first_reply(c, number);
            if (stack == c->stacks)
                break;
            lane taken = *l;
            const moment end = take_lane(&c->north, &taken, reply_now(c, stack)->finished);
            if (!deliver(c, stack, number, ceiling(end) + c->delay))
                return;
            *l = taken;
            answer_forwarded(c, stack);
        }
    }
}

/* When the first reply of a stack leaves it; WS_NEVER: it has none. */
static uint64_t reply_time(const channel *c, uint32_t stack)
{
    const ws_dram_request *const r = ws_dram_front(c->stack[stack]);
    if (!r)
        return WS_NEVER;
    const uint64_t free = r->forwarded ? 0 : ceiling(c->reading[stack & (c->north.lanes - 1)].free);
    return r->finished > free ? r->finished : free;
}

/* When a stack has something to do, or a reply leaves one. */
static uint64_t next_event(channel *c, uint64_t until)
{
    uint64_t next = WS_NEVER;
    for (uint32_t i = 0; i < c->stacks; i++) {
        const uint64_t due = ws_dram_due(c->stack[i], until), reply = reply_time(c, i),
                       sooner = due < reply ? due : reply;
        next = sooner < next ? sooner : next;
    }
    return next;
}

/* Whoever has used a shared lane is asked last; where there is one scheduler, whoever had a command is asked first
 * again. */
static void run_cycle(channel *c, uint64_t until)
{
    const uint64_t cycle = c->now;
    const uint32_t first = c->turn;
    const bool concurrent = c->value[CONCURRENT];
    bool may = true;
    for (uint32_t i = 0; i < c->stacks; i++) {
        const uint32_t stack = (first + i) & (c->stacks - 1);
        if (ws_dram_due(c->stack[stack], until) > cycle)
            continue;
        const uint32_t sent = ws_dram_turn(c->stack[stack], cycle, may);
        const bool write = sent & 1u << WS_DRAM_WRITE;
        if (write)
            begin_write(c, stack);
        if (sent && !concurrent) {
            may = false;
            c->turn = stack;
        } else if (write) {
            c->turn = (stack + 1) & (c->stacks - 1);
        }
    }
    pass(c, cycle + 1);
}

static void step(void *memory, uint64_t until)
{
    channel *const c = memory;
    while (c->now < until) {
        send_replies(c);
        const uint64_t next = next_event(c, until);
        if (next > c->now)
            pass(c, next < until ? next : until);
        else
            run_cycle(c, until);
    }
    send_replies(c);
}

/* The queue whose first read is there first; or their number. */
static uint32_t first_coming(const channel *c)
{
    uint32_t first = c->north.lanes + 1;
    uint64_t when = WS_NEVER;
    for (uint32_t i = 0; i <= c->north.lanes; i++)
        if (c->coming[i].count && ws_fifo_front(&c->coming[i]).when < when) {
            first = i;
            when = ws_fifo_front(&c->coming[i]).when;
        }
    return first;
}

static bool pop(void *memory, uint64_t *tag)
{
    channel *const c = memory;
    const uint32_t first = first_coming(c);
    if (first > c->north.lanes || ws_fifo_front(&c->coming[first]).when > c->now)
        return false;
    *tag = ws_fifo_front(&c->coming[first]).what;
    ws_fifo_drop(&c->coming[first]);
    c->own.reads_out++;
    return true;
}

/* A cycle n of the clock is over at the time n + 1: what happens at `when` is seen after step(when). */
static uint64_t before(const channel *c, uint64_t when)
{
    return when == WS_NEVER ? when : when > c->now ? when - 1 : c->now;
}

static uint64_t next_time(const void *memory)
{
    const channel *const c = memory;
    const uint32_t first = first_coming(c);
    uint64_t next = first > c->north.lanes ? WS_NEVER : before(c, ws_fifo_front(&c->coming[first]).when);
    for (uint32_t i = 0; i < c->stacks; i++) {
        const uint64_t stack = ws_dram_next_time(c->stack[i]), reply = before(c, reply_time(c, i));
        next = stack < next ? stack : next;
        next = reply < next ? reply : next;
    }
    return next;
}

static uint64_t inside(const void *memory)
{
    const channel *const c = memory;
    uint64_t count = 0;
    for (uint32_t i = 0; i < c->stacks; i++)
        count += ws_dram_inside(c->stack[i]);
    for (uint32_t i = 0; i <= c->north.lanes; i++)
        count += c->coming[i].count;
    return count;
}

/* --- Sums --- */

/* Cycles until now in which lanes carried something, rounded down. */
static uint64_t carried(const lane *lanes, uint32_t count, uint64_t now)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const lane *const l = &lanes[i];
        const bool moving = l->free.whole >= now;
        sum += l->carried.whole - (moving ? l->free.whole - now + (l->carried.fraction < l->free.fraction) : 0);
    }
    return sum;
}

/* The data bus is all lanes together: half of its wavelengths busy for two cycles are one cycle of it. */
static ws_dram_totals sum(const void *memory)
{
    const channel *const c = memory;
    ws_dram_totals totals = {0};
#define SUM(name, more)  totals.name += (more);
#define MOST(name, more) totals.name = totals.name > (more) ? totals.name : (more);
    for (uint32_t i = 0; i < c->stacks; i++) {
        const ws_dram_totals more = ws_dram_sum(c->stack[i]);
#define COUNT(name, combine, meaning) combine(name, more.name)
#include "model/sim/memory/dram_counts.def"
#undef COUNT
    }
#undef SUM
#undef MOST
    const uint64_t *const v = c->value;
    totals.reads_out = c->own.reads_out;
    totals.latency_sum = c->own.latency_sum;
    totals.latency_max = c->own.latency_max;
    totals.pending_cycles = c->own.pending_cycles + busy_cycles(c);
    totals.data_cycles = (carried(c->reading, c->north.lanes, c->now) * v[READ] +
                          carried(c->writing, c->south.lanes, c->now) * v[WRITE]) /
                         (v[NORTH] + v[SOUTH]);
    return totals;
}

/* --- Checkpoints --- */

static void save(const void *memory, ws_bytes *bytes)
{
    const channel *const c = memory;
    ws_bytes_add(bytes, c->value, sizeof c->value);
    const uint64_t numbers[] = {c->now, c->busy_from, c->busy_until, c->turn};
    ws_bytes_add(bytes, numbers, sizeof numbers);
    ws_bytes_add(bytes, &c->own, sizeof c->own);
    ws_bytes_add(bytes, c->reading, c->north.lanes * sizeof *c->reading);
    ws_bytes_add(bytes, c->writing, c->south.lanes * sizeof *c->writing);
    for (uint32_t i = 0; i <= c->north.lanes; i++)
        ws_fifo_save(&c->coming[i], bytes);
    for (uint32_t i = 0; i < c->stacks; i++)
        ws_dram_save(c->stack[i], bytes);
}

static bool take(ws_reader *reader, void *to, size_t size)
{
    const uint8_t *const from = ws_read_bytes(reader, size);
    if (from)
        memcpy(to, from, size);
    return from != NULL;
}

static int load(void *memory, ws_reader *reader)
{
    channel *const c = memory;
    uint64_t values[OPTION_COUNT], numbers[4];
    if (!take(reader, values, sizeof values) || memcmp(values, c->value, sizeof values) != 0)
        return ws_fail(
            WS_EINPUT,
            "the checkpoint is not of a memory channel with these links; resume with the configuration that wrote it");
    if (!take(reader, numbers, sizeof numbers) || !take(reader, &c->own, sizeof c->own) ||
        !take(reader, c->reading, c->north.lanes * sizeof *c->reading) ||
        !take(reader, c->writing, c->south.lanes * sizeof *c->writing) || numbers[3] >= c->stacks)
        return ws_fail(WS_EINPUT, "the checkpoint ends within a memory channel, or is damaged there");
    c->now = numbers[0];
    c->busy_from = numbers[1];
    c->busy_until = numbers[2];
    c->turn = (uint32_t)numbers[3];
    int status = WS_OK;
    for (uint32_t i = 0; i <= c->north.lanes && !status; i++)
        status = ws_fifo_load(&c->coming[i], reader);
    for (uint32_t i = 0; i < c->stacks && !status; i++)
        status = ws_dram_load(c->stack[i], reader);
    return status;
}

const ws_memory_channel_ops ws_memory_channel_optical = {
    .name = "optical",
    .summary = "stacks of memory behind links of light, sub-channels with wavelengths of their own",
    .options = options,
    .check = check,
    .create = create,
    .destroy = destroy,
    .shape = shape,
    .has_room = has_room,
    .push = push,
    .step = step,
    .pop = pop,
    .next_time = next_time,
    .inside = inside,
    .sum = sum,
    .save = save,
    .load = load,
};
