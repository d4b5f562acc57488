/* race_detector.c - who has stored what since an SM's epoch began? One for all slices, beside them.
 *
 * What a request does here it does when it comes to its slice. From then on the requests for its block keep their
 * order, so whatever it waits for, its data are those of this moment: all requests of all slices have one order, in
 * which each epoch of an SM has its place. */
#include "model/coherence/race_internal.h"

#include <string.h>

static ws_hub_sm *sm_of(const void *hub, uint32_t sm)
{
    return (ws_hub_sm *)((char *)hub + sizeof(ws_hub)) + sm;
}

/* The signature with which an epoch begins. That of the next one grows. */
static void *signature_of(const ws_coherence *c, const void *hub, uint32_t sm, uint32_t epoch)
{
    const uint32_t slots = c->config.race.slots;
    return (char *)hub + c->hub_signatures + ((size_t)sm * slots + epoch % slots) * c->signature.bytes;
}

static void *growing(const ws_coherence *c, const void *hub, uint32_t sm)
{
    return signature_of(c, hub, sm, sm_of(hub, sm)->epoch + 1);
}

size_t ws_hub_bytes(const ws_coherence *c)
{
    return c->hub_bytes;
}

void ws_hub_init(const ws_coherence *c, void *hub)
{
    if (!c->hub_bytes)
        return;
    memset(hub, 0, c->hub_bytes);
    for (uint32_t sm = 0; sm < c->config.sms; sm++)
        *sm_of(hub, sm) = (ws_hub_sm){.epoch = 1, .empty = true};
}

uint64_t ws_hub_delay(const ws_coherence *c, const void *memory, uint64_t now)
{
    const ws_hub *const hub = memory;
    return c->hub_bytes && hub->ready > now ? hub->ready - now : 0;
}

ws_race_counts ws_hub_race_counts(const ws_coherence *c, const void *hub)
{
    return c->hub_bytes ? ((const ws_hub *)hub)->counts : (ws_race_counts){0};
}

uint32_t ws_hub_race_epoch(const ws_coherence *c, const void *hub, uint32_t sm)
{
    return c->hub_bytes ? sm_of(hub, sm)->epoch : 0;
}

void ws_l1_bring(const ws_coherence *c, void *memory, const ws_coherence_message *m, const void *hub)
{
    if (!c->hub_bytes || m->type != WS_MESSAGE_SYNC)
        return;
    /* It was kept for as many epochs as there are slots; later the L1 does without. */
    const uint32_t slots = c->config.race.slots, latest = sm_of(hub, m->sm)->epoch;
    if (latest + 1 >= m->wts + slots)
        return;
    uint8_t *const at = race_slot(c, memory, m->wts);
    const uint64_t name = race_slot_name(m->wts, false);
    memcpy(at, &name, sizeof name);
    ws_signature_copy(&c->signature, at + sizeof name, signature_of(c, hub, m->sm, m->wts));
}

void ws_hub_flush(const ws_coherence *c, void *hub)
{
    for (uint32_t sm = 0; c->hub_bytes && sm < c->config.sms; sm++) {
        ws_signature_clear(&c->signature, growing(c, hub, sm));
        sm_of(hub, sm)->epoch++;
        sm_of(hub, sm)->empty = true;
        ws_signature_clear(&c->signature, growing(c, hub, sm));
    }
}

/* --- Epochs --- */

static void send_sync(uint32_t sm, uint32_t epoch, uint64_t block, uint32_t bytes, const ws_coherence_ports *ports)
{
    ws_hub *const hub = ports->hub;
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = WS_MESSAGE_SYNC;
    m.sm = (uint16_t)sm;
    m.block = block;
    m.wts = epoch;
    m.rts = bytes;
    hub->counts.signatures++;
    ports->send(ports->context, &m);
}

/* The SM's epoch ends; what grew goes to it. */
static void begin_epoch(const ws_coherence *c, uint32_t sm, uint64_t block, const ws_coherence_ports *ports)
{
    ws_hub *const hub = ports->hub;
    ws_hub_sm *const of = sm_of(hub, sm);
    const void *const signature = growing(c, hub, sm);
    const uint32_t bytes = c->config.race.wire == WS_RACE_WIRE_RUNS
                               ? ws_signature_run_bytes(&c->signature, ws_signature_bits_set(&c->signature, signature))
                               : 0;
    hub->counts.entries += ws_signature_count(signature);
    of->empty = !ws_signature_count(signature);
    of->epoch++;
    ws_signature_clear(&c->signature, growing(c, hub, sm));
    if (!of->empty && c->config.race.depth)
        send_sync(sm, of->epoch, block, bytes, ports);
}

/* --- Requests --- */

/* A warp has one instruction under way, so its stores are counted without a name for it. */
static bool is_last_part(const ws_coherence *c, const ws_coherence_message *m, void *hub)
{
    if (!c->config.race.together || m->type != WS_MESSAGE_WRITE)
        return true;
    uint16_t *const parts = (uint16_t *)((char *)hub + c->hub_parts) + (size_t)m->sm * c->config.warps + m->warp;
    if (++*parts < m->rts)
        return false;
    *parts = 0;
    return true;
}

static void note_store(const ws_coherence *c, ws_coherence_message *m, const ws_coherence_ports *ports)
{
    ws_hub *const hub = ports->hub;
    for (uint32_t sm = 0; sm < c->config.sms; sm++) {
        if (sm == m->sm)
            continue;
        void *const signature = growing(c, hub, sm);
        hub->counts.detector_writes += ws_signature_insert(&c->signature, signature, m->block, m->mask);
        if (!ws_signature_is_full(&c->signature, signature))
            continue;
        hub->counts.forced_syncs++;
        begin_epoch(c, sm, m->block, ports);
    }
    if (!is_last_part(c, m, hub)) {
        m->note |= WS_RACE_PART;
        return;
    }
    hub->counts.store_syncs++;
    begin_epoch(c, m->sm, m->block, ports);
}

static bool look_up(const ws_coherence *c, ws_hub *hub, const ws_coherence_message *m, uint32_t words, bool *wrongly)
{
    const ws_signature_answer a = ws_signature_test(&c->signature, growing(c, hub, m->sm), m->block, words);
    hub->counts.detector_reads += a.units;
    hub->counts.missed += a.really_in && !a.in;
    *wrongly = a.in && !a.really_in;
    return a.in;
}

/* The answer brings the whole block, which hits of the epoch read without asking: words of it that are news spoil the
 * copy. */
static void find_news(const ws_coherence *c, ws_hub *hub, ws_coherence_message *m)
{
    const uint32_t others = race_all_words(c) & ~m->rts;
    bool wrongly;
    if (others && c->config.race.unit < c->config.race.block && look_up(c, hub, m, others, &wrongly))
        m->note |= WS_RACE_PARTIAL;
}

static void note_read(const ws_coherence *c, ws_coherence_message *m, const ws_coherence_ports *ports)
{
    ws_hub *const hub = ports->hub;
    bool wrongly;
    hub->counts.probes++;
    if (!look_up(c, hub, m, m->rts, &wrongly)) {
        find_news(c, hub, m);
        return;
    }
    hub->counts.race_syncs++;
    hub->counts.false_syncs += wrongly;
    begin_epoch(c, m->sm, m->block, ports);
}

/* A copy that was good when the epoch began, of a block that nobody has stored to since. */
static bool copy_is_good(const ws_coherence *c, const ws_coherence_message *m, ws_hub *hub)
{
    bool wrongly;
    if (m->wts != sm_of(hub, m->sm)->epoch || look_up(c, hub, m, race_all_words(c), &wrongly))
        return false;
    hub->counts.probes++;
    return true;
}

static void answer_with(const ws_coherence_message *to, uint8_t type, const ws_coherence_ports *ports)
{
    ws_coherence_message m;
    memcpy(&m, to, offsetof(ws_coherence_message, data));
    m.type = type;
    m.mask = 0;
    m.poll = false;
    ports->send(ports->context, &m);
}

void race_arrive(const ws_coherence *c, ws_coherence_message *m, uint64_t now, const ws_coherence_ports *ports,
                 bool *renewed)
{
    ws_hub *const hub = ports->hub;
    const uint32_t width = c->config.race.ports;
    const uint64_t turn = now * width > hub->free ? now * width : hub->free;
    const bool ideal = c->protocol->race == WS_RACE_IDEAL;
    hub->free = ideal ? 0 : turn + 1;
    hub->ready = ideal ? 0 : turn / width + c->config.race.latency;
    *renewed = false;
    m->note = 0;
    if (m->type != WS_MESSAGE_READ) {
        hub->order++;
        note_store(c, m, ports);
    } else if (m->wts && copy_is_good(c, m, hub))
        *renewed = true;
    else
        note_read(c, m, ports);
    m->wts = sm_of(hub, m->sm)->epoch;
    m->rts = hub->order;
    m->note |= sm_of(hub, m->sm)->empty ? WS_RACE_EMPTY : 0;
    if (*renewed)
        answer_with(m, WS_MESSAGE_RENEW, ports);
    else if (c->protocol->race == WS_RACE_STALLS)
        race_tell(c, m, ports);
}

void race_tell(const ws_coherence *c, ws_coherence_message *kept, const ws_coherence_ports *ports)
{
    const bool wanted = c->protocol->race != WS_RACE_IDEAL || c->config.race.ahead;
    if (!wanted || kept->note & WS_RACE_TOLD)
        return;
    answer_with(kept, WS_MESSAGE_CHECKED, ports);
    kept->note |= WS_RACE_TOLD;
}

void race_leave(const ws_coherence_ports *ports)
{
    ((ws_hub *)ports->hub)->ready = 0;
}
