/* memory_channel_optical.c - a channel of several stacks of memory behind links of light. Each stack is a sub-channel:
 * a ws_dram with banks and queues of its own. After Goswami, Power Performance Co-Optimization of Throughput
 * Architecture Using Emerging Technologies, 2013, chapter 4; where that is silent, docs/simulator-memory.md says what
 * was chosen.
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
#include "model/machine/optical_channel.h"
#include "model/sim/memory/memory_channel_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct lane {
    ws_optical_time free;    /* from then on */
    ws_optical_time carried; /* bursts, all together */
} lane;

typedef struct channel {
    ws_optical_channel is;
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

static bool later(ws_optical_time a, ws_optical_time b)
{
    return a.whole > b.whole || (a.whole == b.whole && a.fraction > b.fraction);
}

static ws_optical_time after(const ws_optical_way *w, ws_optical_time m)
{
    const uint64_t fraction = m.fraction + w->burst.fraction;
    const bool carry = fraction >= w->denominator;
    return (ws_optical_time){m.whole + w->burst.whole + carry, fraction - (carry ? w->denominator : 0)};
}

/* A stack as its controller sees it. The links bring one command at a time, whatever buses it has inside. A burst is
 * written when its last bit is there; as it may begin to move late in the command's cycle, one that is no whole number
 * of cycles is given one more. */
static ws_dram_part stack_part(const ws_dram_part *part, const ws_optical_way *way)
{
    const uint64_t last = ws_optical_ceiling(way->burst) + (way->burst.fraction > 0);
    ws_dram_part stack = *part;
    stack.command_buses = 1;
    if (last > stack.tCWL + stack.burst_cycles)
        stack.tCWL = (uint32_t)(last - stack.burst_cycles);
    return stack;
}

/* --- Making one --- */

static void destroy(void *memory)
{
    channel *const c = memory;
    if (!c)
        return;
    for (uint32_t i = 0; c->stack && i < c->is.stacks; i++)
        ws_dram_destroy(c->stack[i]);
    for (uint32_t i = 0; c->coming && i <= c->is.north.lanes; i++)
        ws_fifo_fini(&c->coming[i]);
    free(c->stack);
    free(c->coming);
    free(c->reading);
    free(c->writing);
    free(c);
}

static int create_stacks(channel *c, const ws_machine *m, const ws_dram_part *part)
{
    const ws_dram_part stack = stack_part(part, &c->is.south);
    ws_dram_plan plan;
    int status = ws_memory_controller_plan(m, &plan);
    for (uint32_t i = 0; i < c->is.stacks && !status; i++)
        status = ws_dram_make(&plan, &stack, &c->stack[i]);
    return status ? status : ws_dram_map_parse(ws_memory_channel_map(part), NULL, part, 1, &c->map);
}

static int create(const ws_machine *m, const ws_dram_part *part, void **out)
{
    channel *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for a memory channel");
    c->is = ws_optical_channel_of(m, part);
    c->stack = calloc(c->is.stacks, sizeof *c->stack);
    c->reading = calloc(c->is.north.lanes, sizeof *c->reading);
    c->writing = calloc(c->is.south.lanes, sizeof *c->writing);
    c->coming = calloc(c->is.north.lanes + 1, sizeof *c->coming);
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
    const uint32_t at = c->is.preamble, bits = (uint32_t)__builtin_ctz(c->is.stacks);
    *within = address >> (at + bits) << at | (address & (((uint64_t)1 << at) - 1));
    return (uint32_t)(address >> at) & (c->is.stacks - 1);
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
    for (uint32_t i = 0; i < c->is.stacks; i++)
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
    for (uint32_t i = 0; i < c->is.stacks; i++)
        ws_dram_wait(c->stack[i], until);
}

/* Takes the lane from `from` on, or as soon as it is free; returns when the last bit has moved. */
static ws_optical_time take_lane(const ws_optical_way *w, lane *l, uint64_t from)
{
    const ws_optical_time begin = {from, 0};
    l->free = after(w, later(l->free, begin) ? l->free : begin);
    l->carried = after(w, l->carried);
    return l->free;
}

static void begin_write(channel *c, uint32_t stack)
{
    const uint32_t number = stack & (c->is.south.lanes - 1);
    const ws_optical_time end = take_lane(&c->is.south, &c->writing[number], c->now);
    c->busy_until = ws_optical_ceiling(end) > c->busy_until ? ws_optical_ceiling(end) : c->busy_until;
    for (uint32_t i = number; i < c->is.stacks; i += c->is.south.lanes)
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
    while (r && r->forwarded && deliver(c, stack, c->is.north.lanes, c->now))
        r = reply_now(c, stack);
}

/* Of the stacks of a lane the one whose reply was there first, of several the lowest; or their number. */
static uint32_t first_reply(const channel *c, uint32_t number)
{
    uint32_t first = c->is.stacks;
    uint64_t since = WS_NEVER;
    for (uint32_t i = number; i < c->is.stacks; i += c->is.north.lanes) {
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
    for (uint32_t i = 0; i < c->is.stacks; i++)
        answer_forwarded(c, i);
    for (uint32_t number = 0; number < c->is.north.lanes; number++) {
        lane *const l = &c->reading[number];
        while (ws_optical_ceiling(l->free) <= c->now) {
            const uint32_t stack = first_reply(c, number);
            if (stack == c->is.stacks)
                break;
            lane taken = *l;
            const ws_optical_time end = take_lane(&c->is.north, &taken, reply_now(c, stack)->finished);
            if (!deliver(c, stack, number, ws_optical_ceiling(end) + c->is.delay))
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
    const uint64_t free = r->forwarded ? 0 : ws_optical_ceiling(c->reading[stack & (c->is.north.lanes - 1)].free);
    return r->finished > free ? r->finished : free;
}

/* When a stack has something to do, or a reply leaves one. */
static uint64_t next_event(channel *c, uint64_t until)
{
    uint64_t next = WS_NEVER;
    for (uint32_t i = 0; i < c->is.stacks; i++) {
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
    const bool concurrent = c->is.value[WS_CHANNEL_optical_concurrent];
    bool may = true;
    for (uint32_t i = 0; i < c->is.stacks; i++) {
        const uint32_t stack = (first + i) & (c->is.stacks - 1);
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
            c->turn = (stack + 1) & (c->is.stacks - 1);
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
    uint32_t first = c->is.north.lanes + 1;
    uint64_t when = WS_NEVER;
    for (uint32_t i = 0; i <= c->is.north.lanes; i++)
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
    if (first > c->is.north.lanes || ws_fifo_front(&c->coming[first]).when > c->now)
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
    uint64_t next = first > c->is.north.lanes ? WS_NEVER : before(c, ws_fifo_front(&c->coming[first]).when);
    for (uint32_t i = 0; i < c->is.stacks; i++) {
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
    for (uint32_t i = 0; i < c->is.stacks; i++)
        count += ws_dram_inside(c->stack[i]);
    for (uint32_t i = 0; i <= c->is.north.lanes; i++)
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
    for (uint32_t i = 0; i < c->is.stacks; i++) {
        const ws_dram_totals more = ws_dram_sum(c->stack[i]);
#define COUNT(name, combine, meaning) combine(name, more.name)
#include "model/sim/memory/dram_counts.def"
#undef COUNT
    }
#undef SUM
#undef MOST
    const uint64_t *const v = c->is.value;
    totals.reads_out = c->own.reads_out;
    totals.latency_sum = c->own.latency_sum;
    totals.latency_max = c->own.latency_max;
    totals.pending_cycles = c->own.pending_cycles + busy_cycles(c);
    totals.data_cycles = (carried(c->reading, c->is.north.lanes, c->now) * v[WS_CHANNEL_optical_read_wavelengths] +
                          carried(c->writing, c->is.south.lanes, c->now) * v[WS_CHANNEL_optical_write_wavelengths]) /
                         (v[WS_CHANNEL_optical_north_wavelengths] + v[WS_CHANNEL_optical_south_wavelengths]);
    return totals;
}

/* --- Checkpoints --- */

static void save(const void *memory, ws_bytes *bytes)
{
    const channel *const c = memory;
    ws_bytes_add(bytes, c->is.value, sizeof c->is.value);
    const uint64_t numbers[] = {c->now, c->busy_from, c->busy_until, c->turn};
    ws_bytes_add(bytes, numbers, sizeof numbers);
    ws_bytes_add(bytes, &c->own, sizeof c->own);
    ws_bytes_add(bytes, c->reading, c->is.north.lanes * sizeof *c->reading);
    ws_bytes_add(bytes, c->writing, c->is.south.lanes * sizeof *c->writing);
    for (uint32_t i = 0; i <= c->is.north.lanes; i++)
        ws_fifo_save(&c->coming[i], bytes);
    for (uint32_t i = 0; i < c->is.stacks; i++)
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
    uint64_t values[WS_CHANNEL_optical_END], numbers[4];
    if (!take(reader, values, sizeof values) || memcmp(values, c->is.value, sizeof values) != 0)
        return ws_fail(
            WS_EINPUT,
            "the checkpoint is not of a memory channel with these links; resume with the configuration that wrote it");
    if (!take(reader, numbers, sizeof numbers) || !take(reader, &c->own, sizeof c->own) ||
        !take(reader, c->reading, c->is.north.lanes * sizeof *c->reading) ||
        !take(reader, c->writing, c->is.south.lanes * sizeof *c->writing) || numbers[3] >= c->is.stacks)
        return ws_fail(WS_EINPUT, "the checkpoint ends within a memory channel, or is damaged there");
    c->now = numbers[0];
    c->busy_from = numbers[1];
    c->busy_until = numbers[2];
    c->turn = (uint32_t)numbers[3];
    int status = WS_OK;
    for (uint32_t i = 0; i <= c->is.north.lanes && !status; i++)
        status = ws_fifo_load(&c->coming[i], reader);
    for (uint32_t i = 0; i < c->is.stacks && !status; i++)
        status = ws_dram_load(c->stack[i], reader);
    return status;
}

WS_MEMORY_CHANNEL(optical);
