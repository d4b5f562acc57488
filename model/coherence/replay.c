/* replay.c - the controllers of all SMs and slices joined by nothing: who sends is answered at once. */
#include "model/coherence/replay.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/coherence/at_once_internal.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = offsetof(ws_coherence_message, data), PAYLOADS = WS_COHERENCE_WORDS + 1, WORD = 4 };

enum { TO_SM, TO_SLICE, TO_MEMORY };
#define DOWN   TO_SM
#define UP     TO_SLICE
#define MEMORY TO_MEMORY
static const uint8_t directions[] = {
#define MESSAGE(name, direction, fields, meaning) direction,
#include "model/coherence/messages.def"
#undef MESSAGE
};
#undef DOWN
#undef UP
#undef MEMORY

/* A message without its words. */
typedef struct head {
    _Alignas(8) uint8_t bytes[HEAD];
} head;

struct ws_coherence_replay {
    ws_coherence *c;
    ws_message_sizes sizes;
    uint32_t sms, slices, timestamp_bits;
    size_t l1_bytes, l2_bytes;
    uint8_t *l1s, *l2s, *hub; /* hub: NULL where slices share nothing */
    /* On the way, in the order sent; those behind one that a slice refused wait with it. */
    head *way;
    size_t first, last, room;
    /* Reads of DRAM, which are answered as soon as the slice's call returns; at most one for each request it keeps. */
    uint64_t *dram;
    size_t dram_count;
    bool is_waiting, failed; /* something in a slice waits for a time; no memory for a message */
    uint64_t next;           /* when it may go on, while is_waiting */
    bool short_way;          /* ws_at_once may be asked */
    ws_sent sent;
    uint64_t signature_bytes, signature_flits; /* of SYNC, whose sizes differ */
    uint64_t fences;
    bool logical;          /* leases are logical time */
    uint16_t epoch, began; /* of all slices: now, and when the launch began */
    uint64_t resets, past; /* of the launches before: resets because timestamps ran out, and how far time got */
    ws_coherence_ports ports;
};

static void *l1_at(const ws_coherence_replay *r, uint32_t sm)
{
    return r->l1s + sm * r->l1_bytes;
}

static void *l2_at(const ws_coherence_replay *r, uint32_t slice)
{
    return r->l2s + slice * r->l2_bytes;
}

static bool make_way(ws_coherence_replay *r)
{
    if (r->first) {
        memmove(r->way, r->way + r->first, (r->last - r->first) * sizeof *r->way);
        r->last -= r->first;
        r->first = 0;
        return true;
    }
    return WS_GROW(r->way, r->room, r->last, 1) == WS_OK;
}

static void add_signature(ws_coherence_replay *r, uint32_t runs)
{
    const uint32_t bytes = ws_message_bytes(r->c, WS_MESSAGE_SYNC, runs, &r->sizes);
    r->signature_bytes += bytes;
    r->signature_flits += ws_message_flits(bytes, &r->sizes);
}

static void port_send(void *context, const ws_coherence_message *m)
{
    ws_coherence_replay *const r = context;
    r->sent[m->type][m->mask ? __builtin_popcount(m->mask) : 0]++;
    if (m->type == WS_MESSAGE_SYNC)
        add_signature(r, m->rts);
    if (m->type == WS_MESSAGE_DRAM_READ)
        r->dram[r->dram_count++] = m->block;
    if (directions[m->type] == TO_MEMORY)
        return;
    if (r->last == r->room && !make_way(r)) {
        r->failed = true;
        return;
    }
    memcpy(&r->way[r->last++], m, HEAD);
}

static void port_complete(void *context, const ws_completion *completion)
{
    ws_coherence_replay *const r = context;
    r->fences += completion->kind == WS_REQUEST_FENCE;
}

/* --- Made and freed --- */

static bool allocate(ws_coherence_replay *r, const ws_coherence_config *config)
{
    r->l1_bytes = ws_l1_bytes(r->c);
    r->l2_bytes = ws_l2_bytes(r->c);
    r->l1s = malloc(r->l1_bytes * r->sms);
    r->l2s = malloc(r->l2_bytes * r->slices);
    r->dram = malloc((config->l2_queue + 1) * sizeof *r->dram);
    const size_t hub_bytes = ws_hub_bytes(r->c);
    r->hub = hub_bytes ? malloc(hub_bytes) : NULL;
    if (!r->l1s || !r->l2s || !r->dram || (hub_bytes && !r->hub))
        return false;
    ws_hub_init(r->c, r->hub);
    r->ports.hub = r->hub;
    for (uint32_t sm = 0; sm < r->sms; sm++)
        ws_l1_init(r->c, l1_at(r, sm), sm);
    for (uint32_t slice = 0; slice < r->slices; slice++)
        ws_l2_init(r->c, l2_at(r, slice), slice);
    return true;
}

int ws_coherence_replay_create(const ws_coherence_config *config, const ws_message_sizes *sizes,
                               ws_coherence_replay **out)
{
    *out = NULL;
    ws_coherence_config g = *config;
    g.words = 0;
    g.count = true;
    ws_coherence *c;
    if (g.chips > 1 && g.touched)
        return ws_fail(WS_EUNSUPPORTED, "a replay without time does not know the first chip to touch a page; set "
                                        "package.home to interleave, or simulate");
    const int rc = ws_coherence_create(&g, &c);
    if (rc)
        return rc;
    ws_coherence_replay *const r = calloc(1, sizeof *r);
    if (!r) {
        ws_coherence_destroy(c);
        return ws_fail(WS_EMEM, "coherence: no memory for a replay");
    }
    r->c = c;
    r->sizes = *sizes;
    r->sms = g.sms;
    r->slices = g.slices;
    r->short_way = ws_at_once_applies(c);
    r->timestamp_bits = g.timestamp_bits;
    r->logical = ws_coherence_is_logical(g.protocol);
    r->ports = (ws_coherence_ports){.context = r, .send = port_send, .complete = port_complete};
    if (!allocate(r, &g)) {
        ws_coherence_replay_destroy(r);
        return ws_fail(WS_EMEM, "coherence: no memory for the caches of a replay");
    }
    *out = r;
    return WS_OK;
}

void ws_coherence_replay_destroy(ws_coherence_replay *replay)
{
    if (!replay)
        return;
    ws_coherence_destroy(replay->c);
    free(replay->l1s);
    free(replay->l2s);
    free(replay->hub);
    free(replay->way);
    free(replay->dram);
    free(replay);
}

/* --- Messages --- */

/* DRAM answers before anything else moves, so a full queue of a slice never waits for itself. */
static int answer_dram(ws_coherence_replay *r, void *l2, uint64_t now)
{
    while (r->dram_count) {
        ws_coherence_message m;
        memset(&m, 0, HEAD);
        m.type = WS_MESSAGE_DRAM_FILL;
        m.block = r->dram[--r->dram_count];
        r->sent[WS_MESSAGE_DRAM_FILL][0]++;
        const int rc = ws_l2_message(r->c, l2, &m, now, &r->ports);
        if (rc)
            return rc;
    }
    return WS_OK;
}

/* What waits for no time waits for messages, which are on the way. */
static void note_waiting(ws_coherence_replay *r, const void *l2, uint64_t now)
{
    const uint64_t next = ws_l2_waiting(l2) ? ws_l2_next_time(r->c, l2, now) : WS_COHERENCE_NEVER;
    if (next == WS_COHERENCE_NEVER)
        return;
    r->next = r->is_waiting && r->next < next ? r->next : next;
    r->is_waiting = true;
}

/* A read of the message's own words never happens: none travel. */
static int deliver(ws_coherence_replay *r, const ws_coherence_message *m, uint64_t now)
{
    if (directions[m->type] == TO_SM)
        ws_l1_bring(r->c, l1_at(r, m->sm), m, r->hub);
    if (directions[m->type] == TO_SM)
        return ws_l1_message(r->c, l1_at(r, m->sm), m, now, &r->ports);
    void *const l2 = l2_at(r, ws_coherence_slice(r->c, m->block));
    int rc = ws_l2_message(r->c, l2, m, now, &r->ports);
    if (rc == WS_OK)
        rc = answer_dram(r, l2, now);
    note_waiting(r, l2, now);
    return rc;
}

/* Delivers what is on the way until nothing is, or a slice refuses. */
static int settle(ws_coherence_replay *r, uint64_t now)
{
    while (r->first != r->last) {
        ws_coherence_message m;
        memcpy(&m, &r->way[r->first], HEAD);
        const int rc = deliver(r, &m, now);
        if (rc < 0)
            return rc;
        if (rc > 0)
            break;
        r->first++;
    }
    if (r->first == r->last)
        r->first = r->last = 0;
    return r->failed ? ws_fail(WS_EMEM, "coherence: no memory for the messages of a replay") : WS_OK;
}

/* When the timestamps of a slice started again, those of the others do so, too (section V-D). */
static void follow_resets(ws_coherence_replay *r, uint32_t first)
{
    r->epoch = ws_l2_epoch(l2_at(r, first));
    for (uint32_t slice = 0; slice < r->slices; slice++)
        while (ws_l2_epoch(l2_at(r, slice)) != r->epoch)
            ws_l2_reset(r->c, l2_at(r, slice));
}

static int take_request(ws_coherence_replay *r, uint32_t sm, const ws_request *request, uint32_t slice, uint64_t now)
{
    if (r->short_way && ws_at_once(r->c, l1_at(r, sm), l2_at(r, slice), request, now, r->sent))
        return WS_OK;
    const int rc = ws_l1_access(r->c, l1_at(r, sm), request, now, &r->ports);
    return rc || r->first == r->last ? rc : settle(r, now);
}

int ws_coherence_replay_request(ws_coherence_replay *r, uint32_t sm, const ws_request *request, uint64_t now)
{
    if (r->is_waiting) {
        const int rc = ws_coherence_replay_advance(r, now);
        if (rc)
            return rc;
        if (r->first != r->last)
            return WS_COHERENCE_RETRY;
    }
    const uint32_t slice = ws_coherence_slice(r->c, request->block);
    const int rc = take_request(r, sm, request, slice, now);
    if (r->logical && ws_l2_epoch(l2_at(r, slice)) != r->epoch)
        follow_resets(r, slice);
    return rc;
}

int ws_coherence_replay_advance(ws_coherence_replay *r, uint64_t now)
{
    if (!r->is_waiting || now < r->next)
        return WS_OK;
    r->is_waiting = false;
    for (uint32_t slice = 0; slice < r->slices; slice++) {
        void *const l2 = l2_at(r, slice);
        if (!ws_l2_waiting(l2))
            continue;
        int rc = ws_l2_advance(r->c, l2, now, &r->ports);
        if (rc == WS_OK)
            rc = answer_dram(r, l2, now);
        if (rc)
            return rc;
        note_waiting(r, l2, now);
    }
    return settle(r, now);
}

uint64_t ws_coherence_replay_next_time(const ws_coherence_replay *r)
{
    return r->is_waiting ? r->next : WS_COHERENCE_NEVER;
}

uint64_t ws_coherence_replay_fence_time(const ws_coherence_replay *r, uint32_t sm, uint32_t warp)
{
    return ws_l1_gwct(r->c, l1_at(r, sm), warp);
}

/* How far logical time got in this launch, the range of each epoch that ended added. */
static uint64_t grown_ts(const ws_coherence_replay *r)
{
    const uint64_t range = (UINT64_C(1) << r->timestamp_bits) - 1;
    uint64_t most = 0;
    for (uint32_t slice = 0; slice < r->slices; slice++) {
        const void *const l2 = l2_at(r, slice);
        const uint64_t ts = (uint16_t)(ws_l2_epoch(l2) - r->began) * range + ws_l2_max_ts(l2);
        most = ts > most ? ts : most;
    }
    return most;
}

/* "The L1 is flushed and all timestamps are reset after each kernel" (section V-D). */
static void end_epoch(ws_coherence_replay *r)
{
    r->past += grown_ts(r);
    r->resets += (uint16_t)(r->epoch - r->began);
    ws_l2_reset(r->c, l2_at(r, 0));
    follow_resets(r, 0);
    r->began = r->epoch;
}

int ws_coherence_replay_flush(ws_coherence_replay *r, uint64_t now)
{
    if (r->first != r->last || r->is_waiting)
        return ws_fail(WS_EINPUT, "coherence: a launch ends while accesses wait");
    for (uint32_t sm = 0; sm < r->sms; sm++) {
        int rc = ws_l1_flush(r->c, l1_at(r, sm), &r->ports);
        if (rc == WS_OK)
            rc = settle(r, now);
        if (rc)
            return rc;
    }
    if (r->logical)
        end_epoch(r);
    if (r->hub)
        ws_hub_flush(r->c, r->hub);
    return WS_OK;
}

/* --- Results --- */

static void add_counts(ws_coherence_counts *into, const ws_coherence_counts *from)
{
    uint64_t *const a = (uint64_t *)into;
    const uint64_t *const b = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *a; i++)
        a[i] += b[i];
}

static void add_races(ws_race_counts *into, ws_race_counts from)
{
#define COUNT(name, meaning) into->name += from.name;
#include "model/coherence/race_counts.def"
#undef COUNT
}

static void sum_messages(const ws_coherence_replay *r, ws_coherence_traffic *out)
{
    for (unsigned type = 0; type < WS_MESSAGE_COUNT; type++) {
        for (unsigned words = 0; words < PAYLOADS && type == WS_MESSAGE_SYNC; words++)
            out->messages[type] += r->sent[type][words];
        if (type == WS_MESSAGE_SYNC) {
            out->bytes[type] = r->signature_bytes;
            out->flits[type] = r->signature_flits;
        }
        for (unsigned words = 0; words < PAYLOADS && type != WS_MESSAGE_SYNC; words++) {
            const uint32_t bytes = ws_message_bytes(r->c, (ws_message_type)type, words * WORD, &r->sizes);
            out->messages[type] += r->sent[type][words];
            out->bytes[type] += r->sent[type][words] * bytes;
            out->flits[type] += r->sent[type][words] * ws_message_flits(bytes, &r->sizes);
        }
        if (directions[type] == TO_MEMORY)
            continue;
        out->network_messages += out->messages[type];
        out->network_bytes += out->bytes[type];
        out->network_flits += out->flits[type];
    }
}

void ws_coherence_replay_sum(const ws_coherence_replay *r, ws_coherence_traffic *out)
{
    *out = (ws_coherence_traffic){.fences = r->fences, .waiting = r->last - r->first};
    sum_messages(r, out);
    for (uint32_t slice = 0; slice < r->slices; slice++)
        add_counts(&out->l2, ws_l2_counts(r->c, l2_at(r, slice)));
    if (r->logical) {
        out->resets = r->resets + (uint16_t)(r->epoch - r->began);
        out->last_ts = r->past + grown_ts(r);
    }
    if (r->hub)
        out->races = ws_hub_race_counts(r->c, r->hub);
    for (uint32_t sm = 0; sm < r->sms; sm++) {
        add_races(&out->races, ws_l1_race_counts(r->c, l1_at(r, sm)));
        add_counts(&out->l1, ws_l1_counts(r->c, l1_at(r, sm)));
        out->waiting += ws_l1_waiting(l1_at(r, sm));
    }
}
