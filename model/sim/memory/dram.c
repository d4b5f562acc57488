/* dram.c - the queues of a memory channel, its refreshes and its replies; which command goes out is the
 * controller's. */
#include "model/sim/memory/dram_timing_internal.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ws_dram_controller *const controllers[] = {
#define CONTROLLER(name, ...) &ws_dram_##name,
#include "model/machine/dram_controllers.def"
};

static const char names[] =
#define CONTROLLER(name, word, summary) " " word
#include "model/machine/dram_controllers.def"
    ;

/* --- Making one --- */

static void place(ws_dram *dram, ws_layout *layout)
{
    const ws_dram_part *const p = &dram->part;
    dram->head = ws_layout_take(layout, 1, sizeof *dram->head);
    dram->entries = ws_layout_take(layout, dram->plan.read_queue + dram->plan.write_queue, sizeof *dram->entries);
    dram->bank = ws_layout_take(layout, dram->banks, sizeof *dram->bank);
    dram->group = ws_layout_take(layout, p->ranks * p->bank_groups, sizeof *dram->group);
    dram->rank = ws_layout_take(layout, p->ranks, sizeof *dram->rank);
    dram->reply = ws_layout_take(layout, dram->plan.replies, sizeof *dram->reply);
    dram->state = ws_layout_take(layout, 1, dram->controller->state_size);
}

static void start(ws_dram *dram)
{
    const uint32_t entries = dram->plan.read_queue + dram->plan.write_queue;
    for (uint32_t i = 0; i < entries; i++)
        dram->entries[i].next = i + 1 < entries ? i + 1 : WS_NO_ENTRY;
    for (uint32_t b = 0; b < dram->banks; b++) {
        ws_dram_bank *const bank = &dram->bank[b];
        bank->open_row = WS_NO_ROW;
        for (int d = 0; d < WS_DRAM_DIRECTIONS; d++)
            bank->head[d] = bank->tail[d] = bank->hit[d] = WS_NO_ENTRY;
    }
    dram->head->wake = WS_NEVER;
    dram->head->next_refresh = dram->part.tREFI ? dram->part.tREFI / dram->part.ranks : WS_NEVER;
}

static int build(ws_dram *dram)
{
    ws_layout measure = {NULL, 0};
    place(dram, &measure);
    dram->memory_size = measure.used;
    dram->memory = calloc(1, measure.used);
    if (!dram->memory)
        return ws_fail(WS_EMEM, "memory channel: no %zu bytes for its queues", measure.used);
    ws_layout real = {dram->memory, 0};
    place(dram, &real);
    start(dram);
    return WS_OK;
}

int ws_dram_make(const ws_dram_plan *plan, const ws_dram_part *part, ws_dram **out)
{
    *out = NULL;
    ws_dram *const dram = calloc(1, sizeof *dram);
    if (!dram)
        return ws_fail(WS_EMEM, "memory channel: out of memory");
    dram->controller = controllers[plan->kind - ws_dram_controller_kinds];
    dram->plan = *plan;
    dram->part = *part;
    dram->banks = part->ranks * part->bank_groups * part->banks;
    dram->group_shift = (uint8_t)__builtin_ctz(part->banks);
    dram->rank_shift = (uint8_t)__builtin_ctz(part->banks * part->bank_groups);
    const int rc = build(dram);
    if (rc) {
        ws_dram_destroy(dram);
        return rc;
    }
    *out = dram;
    return WS_OK;
}

int ws_dram_create(const char *name, const ws_dram_part *part, const ws_given *given, size_t count, ws_dram **out)
{
    *out = NULL;
    ws_dram_plan plan;
    const ws_dram_controller_kind *const kind = ws_dram_controller_kind_find(name);
    if (!kind)
        return ws_fail(WS_EINPUT, "no memory controller is called '%s'; there are:%s", name, names);
    const int rc = ws_dram_plan_make(kind, given, count, &plan);
    return rc ? rc : ws_dram_make(&plan, part, out);
}

void ws_dram_destroy(ws_dram *dram)
{
    if (!dram)
        return;
    free(dram->memory);
    free(dram);
}

/* --- Requests come --- */

static uint32_t bank_index(const ws_dram *dram, const ws_dram_place *at)
{
    return (at->rank * dram->part.bank_groups + at->group) * dram->part.banks + at->bank;
}

/* A waiting write to the same address, or WS_NO_ENTRY. */
static uint32_t find_write(const ws_dram *dram, uint32_t bank, uint64_t address)
{
    uint32_t entry = dram->bank[bank].head[WS_DRAM_IN];
    while (entry != WS_NO_ENTRY && dram->entries[entry].request.address != address)
        entry = dram->entries[entry].next;
    return entry;
}

/* Replies are popped in the order of their data. Only one from the write queue can be earlier than those before it. */
static void reply(ws_dram *dram, const ws_dram_request *request, uint64_t finished)
{
    ws_dram_head *const h = dram->head;
    uint32_t at = h->reply_count++;
    for (; at; at--) {
        const ws_dram_request *const before = &dram->reply[(h->reply_first + at - 1) % dram->plan.replies];
        if (before->finished <= finished)
            break;
        dram->reply[(h->reply_first + at) % dram->plan.replies] = *before;
    }
    ws_dram_request *const slot = &dram->reply[(h->reply_first + at) % dram->plan.replies];
    *slot = *request;
    slot->finished = finished;
    const uint64_t latency = finished - request->arrived;
    h->totals.latency_sum += latency;
    h->totals.latency_max = latency > h->totals.latency_max ? latency : h->totals.latency_max;
}

bool ws_dram_has_room(const ws_dram *dram, bool write)
{
    return dram->head->count[write ? WS_DRAM_IN : WS_DRAM_OUT] <
           (write ? dram->plan.write_queue : dram->plan.read_queue);
}

/* Cycles with something to do: a stretch begins here if none is running. */
static void begin_pending(ws_dram_head *h)
{
    if (h->count[WS_DRAM_IN] || h->count[WS_DRAM_OUT] || h->now < h->busy_until)
        return;
    h->totals.pending_cycles += h->busy_until - h->busy_from;
    h->busy_from = h->busy_until = h->now;
}

static void enqueue(ws_dram *dram, const ws_dram_request *request, uint32_t b, int d)
{
    ws_dram_head *const h = dram->head;
    begin_pending(h);
    const uint32_t index = h->free_entry;
    ws_dram_entry *const entry = &dram->entries[index];
    h->free_entry = entry->next;
    *entry = (ws_dram_entry){.request = *request, .order = h->orders++, .next = WS_NO_ENTRY, .bank_index = b};
    entry->request.arrived = h->now;
    entry->request.finished = 0;
    entry->request.forwarded = false;
    ws_dram_bank *const bank = &dram->bank[b];
    if (bank->head[d] == WS_NO_ENTRY)
        bank->head[d] = index;
    else
        dram->entries[bank->tail[d]].next = index;
    bank->tail[d] = index;
    if (bank->hit[d] == WS_NO_ENTRY && request->at.row == bank->open_row)
        bank->hit[d] = index;
    h->waiting[d] |= (uint64_t)1 << b;
    h->count[d]++;
    h->wake = h->now;
    if (d == WS_DRAM_IN && !h->drain && h->count[d] >= dram->plan.write_high)
        h->drain = h->count[d] - dram->plan.write_low;
}

/* A read of what waits to be written has its data in the next cycle, unless replies are full. */
static bool forward(ws_dram *dram, const ws_dram_request *request)
{
    if (!ws_dram_can_reply(dram))
        return false;
    ws_dram_request copy = *request;
    copy.arrived = dram->head->now;
    copy.forwarded = true;
    dram->head->totals.reads_in++;
    dram->head->totals.forwarded++;
    reply(dram, &copy, dram->head->now + 1);
    return true;
}

bool ws_dram_push(ws_dram *dram, const ws_dram_request *request)
{
    ws_dram_totals *const totals = &dram->head->totals;
    const uint32_t b = bank_index(dram, &request->at);
    const uint32_t same = find_write(dram, b, request->address);
    if (same != WS_NO_ENTRY && request->write) {
        dram->entries[same].request.tag = request->tag;
        totals->writes_in++;
        totals->merged++;
        return true;
    }
    if (same != WS_NO_ENTRY && forward(dram, request))
        return true;
    if (same != WS_NO_ENTRY || !ws_dram_has_room(dram, request->write)) {
        totals->refused++;
        return false;
    }
    totals->reads_in += !request->write;
    totals->writes_in += request->write;
    enqueue(dram, request, b, request->write ? WS_DRAM_IN : WS_DRAM_OUT);
    return true;
}

const ws_dram_request *ws_dram_front(const ws_dram *dram)
{
    return dram->head->reply_count ? &dram->reply[dram->head->reply_first] : NULL;
}

bool ws_dram_pop(ws_dram *dram, ws_dram_request *request)
{
    ws_dram_head *const h = dram->head;
    if (!h->reply_count || dram->reply[h->reply_first].finished > h->now)
        return false;
    *request = dram->reply[h->reply_first];
    h->reply_first = (h->reply_first + 1) % dram->plan.replies;
    if (h->reply_count-- == dram->plan.replies)
        h->wake = h->now;
    h->totals.reads_out++;
    return true;
}

/* --- Commands go out --- */

static void tell(const ws_dram *dram, int command, uint32_t b, uint32_t row)
{
    if (!dram->see)
        return;
    const ws_dram_part *const p = &dram->part;
    dram->see(dram->user, &(ws_dram_command){.cycle = dram->head->now,
                                             .command = command,
                                             .rank = b / (p->bank_groups * p->banks),
                                             .group = b / p->banks % p->bank_groups,
                                             .bank = b % p->banks,
                                             .row = row});
}

/* The oldest request for the open row, from `entry` on. */
static uint32_t next_hit(const ws_dram *dram, uint32_t entry, uint32_t row)
{
    while (entry != WS_NO_ENTRY && dram->entries[entry].request.at.row != row)
        entry = dram->entries[entry].next;
    return entry;
}

static void open_row(ws_dram *dram, uint32_t b, uint32_t row)
{
    ws_dram_bank *const bank = &dram->bank[b];
    bank->open_row = row;
    bank->streak = 0;
    for (int d = 0; d < WS_DRAM_DIRECTIONS; d++)
        bank->hit[d] = next_hit(dram, bank->head[d], row);
    dram->head->totals.activates++;
}

static void close_row(ws_dram *dram, uint32_t b)
{
    ws_dram_bank *const bank = &dram->bank[b];
    bank->open_row = WS_NO_ROW;
    for (int d = 0; d < WS_DRAM_DIRECTIONS; d++)
        bank->hit[d] = WS_NO_ENTRY;
}

/* Takes a request out of its bank's queue and finds the next one for the open row. */
static void unlink_entry(ws_dram *dram, uint32_t b, int d, uint32_t index)
{
    ws_dram_bank *const bank = &dram->bank[b];
    ws_dram_entry *const entry = &dram->entries[index];
    uint32_t before = WS_NO_ENTRY;
    for (uint32_t e = bank->head[d]; e != index; e = dram->entries[e].next)
        before = e;
    if (before == WS_NO_ENTRY)
        bank->head[d] = entry->next;
    else
        dram->entries[before].next = entry->next;
    if (bank->tail[d] == index)
        bank->tail[d] = before;
    bank->hit[d] = next_hit(dram, entry->next, bank->open_row);
    ws_dram_head *const h = dram->head;
    if (bank->head[d] == WS_NO_ENTRY)
        h->waiting[d] &= ~((uint64_t)1 << b);
    h->count[d]--;
    entry->next = h->free_entry;
    h->free_entry = index;
}

static void column(ws_dram *dram, uint32_t b, int d, uint32_t index)
{
    const ws_dram_part *const p = &dram->part;
    ws_dram_head *const h = dram->head;
    h->totals.row_hits += dram->bank[b].streak++ > 0;
    h->totals.data_cycles += p->burst_cycles;
    const uint64_t done = h->now + (d == WS_DRAM_IN ? p->tCWL : p->tCL) + p->burst_cycles;
    h->busy_until = done > h->busy_until ? done : h->busy_until;
    if (d == WS_DRAM_OUT) {
        h->totals.reads++;
        reply(dram, &dram->entries[index].request, done);
    } else {
        h->totals.writes++;
        h->drain -= h->drain > 0;
    }
    unlink_entry(dram, b, d, index);
}

static void issue(ws_dram *dram, const ws_dram_choice *choice)
{
    const uint32_t b = choice->bank;
    const uint32_t row =
        choice->command == WS_DRAM_ACTIVATE ? dram->entries[choice->entry].request.at.row : dram->bank[b].open_row;
    tell(dram, choice->command, b, row);
    if (choice->command == WS_DRAM_ACTIVATE) {
        open_row(dram, b, row);
    } else if (choice->command == WS_DRAM_PRECHARGE) {
        close_row(dram, b);
        dram->head->totals.precharges++;
    } else {
        column(dram, b, choice->command == WS_DRAM_WRITE ? WS_DRAM_IN : WS_DRAM_OUT, choice->entry);
    }
    ws_dram_moved(dram, choice->command, b, dram->head->now);
}

/* --- Refresh: one rank after the other, each every tREFI --- */

/* Brings a rank that is due nearer to its refresh; true when a command went out, else *wake is when one may. */
static bool refresh_rank(ws_dram *dram, uint32_t r, uint64_t *wake)
{
    const uint32_t width = dram->part.bank_groups * dram->part.banks;
    bool all_closed = true;
    for (uint32_t b = r * width; b < (r + 1) * width; b++) {
        if (dram->bank[b].open_row == WS_NO_ROW)
            continue;
        all_closed = false;
        const uint64_t ready = ws_dram_ready(dram, WS_DRAM_PRECHARGE, b);
        if (ready <= dram->head->now) {
            tell(dram, WS_DRAM_PRECHARGE, b, dram->bank[b].open_row);
            close_row(dram, b);
            ws_dram_moved(dram, WS_DRAM_PRECHARGE, b, dram->head->now);
            return true;
        }
        *wake = ready < *wake ? ready : *wake;
    }
    const uint64_t ready = ws_dram_refresh_ready(dram, r);
    if (all_closed && ready <= dram->head->now) {
        tell(dram, WS_DRAM_REFRESH, r * width, 0);
        ws_dram_refreshed(dram, r, dram->head->now);
        dram->rank[r].refresh_due = 0;
        dram->head->totals.refreshes++;
        return true;
    }
    if (all_closed)
        *wake = ready < *wake ? ready : *wake;
    return false;
}

static bool refresh(ws_dram *dram, uint64_t *wake)
{
    for (uint32_t r = 0; r < dram->part.ranks; r++)
        if (dram->rank[r].refresh_due && refresh_rank(dram, r, wake))
            return true;
    return false;
}

static void refresh_comes_due(ws_dram *dram)
{
    ws_dram_head *const h = dram->head;
    if (h->now < h->next_refresh)
        return;
    dram->rank[h->next_rank].refresh_due = 1;
    h->next_rank = (h->next_rank + 1) % dram->part.ranks;
    h->next_refresh += dram->part.tREFI / dram->part.ranks;
    h->wake = h->now;
}

/* An idle channel with all rows closed refreshes on time: whole rounds over the ranks are counted, not executed. The
 * last two rounds before `until` are left to be executed. */
static void skip_idle_refreshes(ws_dram *dram, uint64_t until)
{
    ws_dram_head *const h = dram->head;
    const uint64_t round = (uint64_t)(dram->part.tREFI / dram->part.ranks) * dram->part.ranks;
    bool quiet = h->wake == WS_NEVER && h->next_refresh != WS_NEVER && until >= h->next_refresh + 3 * round &&
                 !h->count[WS_DRAM_IN] && !h->count[WS_DRAM_OUT];
    for (uint32_t b = 0; quiet && b < dram->banks; b++)
        quiet = dram->bank[b].open_row == WS_NO_ROW;
    if (!quiet)
        return;
    const uint64_t rounds = (until - h->next_refresh) / round - 2;
    h->totals.refreshes += rounds * dram->part.ranks;
    h->next_refresh += rounds * round;
}

/* --- Time --- */

/* Commands for requests, as many as the buses of the part carry in a cycle. Returns 1 << command of those that went
 * out; *wake: when to ask again. */
static uint32_t send_commands(ws_dram *dram, uint64_t *wake)
{
    ws_dram_head *const h = dram->head;
    for (bool again = true; again && (h->count[WS_DRAM_IN] || h->count[WS_DRAM_OUT]);) {
        const ws_dram_choice choice = dram->controller->choose(dram, dram->state);
        if (choice.command < 0) {
            *wake = choice.wake < *wake ? choice.wake : *wake;
            break;
        }
        issue(dram, &choice);
        *wake = h->now + 1;
        again = dram->part.command_buses > 1 && !h->sent; /* the other bus is free */
        h->sent |= 1u << choice.command;
    }
    const uint32_t sent = h->sent;
    h->sent = 0;
    return sent;
}

uint32_t ws_dram_turn(ws_dram *dram, uint64_t cycle, bool may)
{
    ws_dram_head *const h = dram->head;
    uint64_t wake = WS_NEVER;
    uint32_t sent = 0;
    h->now = cycle;
    refresh_comes_due(dram);
    if (refresh(dram, &wake))
        wake = cycle + 1;
    else if (may)
        sent = send_commands(dram, &wake);
    else if (h->count[WS_DRAM_IN] || h->count[WS_DRAM_OUT])
        wake = cycle + 1;
    h->wake = wake;
    h->now = cycle + 1;
    return sent;
}

uint64_t ws_dram_due(ws_dram *dram, uint64_t until)
{
    const ws_dram_head *const h = dram->head;
    skip_idle_refreshes(dram, until);
    const uint64_t next = h->wake < h->next_refresh ? h->wake : h->next_refresh;
    return next > h->now ? next : h->now;
}

void ws_dram_wait(ws_dram *dram, uint64_t until)
{
    ws_dram_head *const h = dram->head;
    h->now = until > h->now ? until : h->now;
}

void ws_dram_step(ws_dram *dram, uint64_t until)
{
    for (uint64_t cycle; (cycle = ws_dram_due(dram, until)) < until;)
        ws_dram_turn(dram, cycle, true);
    ws_dram_wait(dram, until);
}

void ws_dram_hold_writes(ws_dram *dram, uint64_t until)
{
    uint64_t *const from = &dram->head->writes_from;
    *from = until > *from ? until : *from;
}

uint64_t ws_dram_now(const ws_dram *dram)
{
    return dram->head->now;
}

uint64_t ws_dram_next_time(const ws_dram *dram)
{
    const ws_dram_head *const h = dram->head;
    uint64_t next = WS_NEVER;
    if (h->count[WS_DRAM_IN] || h->count[WS_DRAM_OUT]) {
        next = h->wake < h->next_refresh ? h->wake : h->next_refresh;
        next = next > h->now ? next : h->now;
    }
    if (!h->reply_count)
        return next;
    const uint64_t finished = dram->reply[h->reply_first].finished;
    return finished > h->now && finished - 1 < next ? finished - 1 : next;
}

uint64_t ws_dram_inside(const ws_dram *dram)
{
    return (uint64_t)dram->head->count[WS_DRAM_IN] + dram->head->count[WS_DRAM_OUT] + dram->head->reply_count;
}

void ws_dram_each(const ws_dram *dram, void (*see)(void *user, const ws_dram_request *request), void *user)
{
    for (uint32_t b = 0; b < dram->banks; b++)
        for (int d = 0; d < WS_DRAM_DIRECTIONS; d++)
            for (uint32_t e = dram->bank[b].head[d]; e != WS_NO_ENTRY; e = dram->entries[e].next)
                see(user, &dram->entries[e].request);
    for (uint32_t i = 0; i < dram->head->reply_count; i++)
        see(user, &dram->reply[(dram->head->reply_first + i) % dram->plan.replies]);
}

/* --- Sums --- */

ws_dram_totals ws_dram_sum(const ws_dram *dram)
{
    const ws_dram_head *const h = dram->head;
    ws_dram_totals totals = h->totals;
    const bool pending = h->count[WS_DRAM_IN] || h->count[WS_DRAM_OUT];
    totals.pending_cycles += (pending && h->now > h->busy_until ? h->now : h->busy_until) - h->busy_from;
    return totals;
}

double ws_dram_efficiency(const ws_dram *dram)
{
    const ws_dram_totals t = ws_dram_sum(dram);
    return t.pending_cycles ? (double)t.data_cycles / (double)t.pending_cycles : (double)NAN;
}

double ws_dram_row_locality(const ws_dram *dram)
{
    const ws_dram_totals *const t = &dram->head->totals;
    return t->activates ? (double)(t->reads + t->writes) / (double)t->activates : (double)NAN;
}

void ws_dram_watch(ws_dram *dram, void (*see)(void *user, const ws_dram_command *command), void *user)
{
    dram->see = see;
    dram->user = user;
}

/* --- Checkpoints --- */

static uint64_t part_signature(const ws_dram_part *part)
{
    uint64_t hash = (uint64_t)(part->clock_mhz * 1000);
#define FIELD(section, name, kind, least, most, fallback, meaning) hash = hash * 0x100000001b3u ^ part->name;
#include "model/machine/dram_part.def"
#undef FIELD
    return hash;
}

/* Of all options: common ones, own ones. */
static size_t value_count(const ws_dram *dram)
{
    return WS_DRAM_common_END + ws_option_count(dram->plan.kind->options);
}

static uint64_t value_at(const ws_dram *dram, size_t index)
{
    return index < WS_DRAM_common_END ? dram->plan.common[index] : dram->plan.own[index - WS_DRAM_common_END];
}

void ws_dram_save(const ws_dram *dram, ws_bytes *bytes)
{
    ws_bytes_add_text(bytes, dram->plan.kind->name);
    ws_bytes_add_varint(bytes, part_signature(&dram->part));
    for (size_t i = 0; i < value_count(dram); i++)
        ws_bytes_add_varint(bytes, value_at(dram, i));
    ws_bytes_add_varint(bytes, dram->memory_size);
    ws_bytes_add(bytes, dram->memory, dram->memory_size);
}

int ws_dram_load(ws_dram *dram, ws_reader *reader)
{
    size_t length = 0;
    const char *const name = ws_read_text(reader, &length);
    const char *const own = dram->plan.kind->name;
    bool same = name && length == strlen(own) && !memcmp(name, own, length);
    same = same && ws_read_varint(reader) == part_signature(&dram->part);
    for (size_t i = 0; same && i < value_count(dram); i++)
        same = ws_read_varint(reader) == value_at(dram, i);
    same = same && ws_read_varint(reader) == dram->memory_size;
    const uint8_t *const memory = same ? ws_read_bytes(reader, dram->memory_size) : NULL;
    if (!memory)
        return ws_fail(WS_EINPUT,
                       "the checkpoint is not of a memory channel %s with this part and these options; "
                       "resume with the configuration that wrote it",
                       own);
    memcpy(dram->memory, memory, dram->memory_size);
    return WS_OK;
}
