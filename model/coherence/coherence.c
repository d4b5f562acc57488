/* coherence.c - which protocols are there, does a configuration make sense, and where lies what in a controller? */
#include "model/coherence/race_internal.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* Tabbakh, Qian, Annavaram 2018, section VI; block of 128 bytes, queue and MSHR sizes, lease 10 are our choice. */
const ws_coherence_config ws_coherence_defaults = {
    .protocol = "gtsc-rc",
    .sms = 16,
    .warps = 48,
    .words = 32,
    .l1_sets = 32,
    .l1_ways = 4,
    .l1_mshrs = 32,
    .l1_pending = 512,
    .l2_sets = 128,
    .l2_ways = 8,
    .l2_queue = 64,
    .slices = 8,
    .lease = 10,
    .timestamp_bits = 16,
    .spin = 100,
    .closings = WS_CLOSE_DEFAULT,
    .visibility = 1,
    .combine = true,
    /* Tabbakh 2018, chapter 4: the signature and the unit that it settles on, four loads of a copy. The queue, the
     * slots and the latency are our choice. */
    .race = {.bits = 4096,
             .hashes = 6,
             .unit = 128,
             .block = 128,
             .hits = 4,
             .depth = 1,
             .queue = 32,
             .slots = 8,
             .latency = 20,
             .ports = 1,
             .shadow = true,
             .wire = WS_RACE_WIRE_RUNS},
};

static const ws_protocol *const protocols[] = {
#define PROTOCOL(identifier, name) &ws_protocol_##identifier,
#include "model/coherence/protocols.def"
#undef PROTOCOL
};
enum { PROTOCOLS = sizeof protocols / sizeof *protocols, MOST_LEASE = 1 << 29 };

const ws_protocol *ws_protocol_at(size_t index)
{
    return index < PROTOCOLS ? protocols[index] : NULL;
}

const char *ws_coherence_protocol_name(size_t index)
{
    return index < PROTOCOLS ? protocols[index]->name : NULL;
}

const ws_protocol *ws_protocol_find(const char *name)
{
    for (size_t i = 0; i < PROTOCOLS; i++)
        if (!strcmp(protocols[i]->name, name))
            return protocols[i];
    return NULL;
}

/* The same; one that is nothing for a name that is none. */
static const ws_protocol *protocol_of(const char *name)
{
    static const ws_protocol none = {.promise = WS_PROMISE_EVENTUAL};
    const ws_protocol *const protocol = ws_protocol_find(name);
    return protocol ? protocol : &none;
}

const char *ws_coherence_protocol_summary(const char *name)
{
    return protocol_of(name)->summary;
}

bool ws_coherence_is_sequential(const char *name)
{
    return protocol_of(name)->sequential;
}

bool ws_coherence_is_physical(const char *name)
{
    return protocol_of(name)->lease == WS_LEASE_PHYSICAL;
}

bool ws_coherence_is_logical(const char *name)
{
    return protocol_of(name)->lease == WS_LEASE_LOGICAL;
}

bool ws_coherence_detects_races(const char *name)
{
    return protocol_of(name)->race;
}

bool ws_coherence_races_stall(const char *name)
{
    return protocol_of(name)->race == WS_RACE_STALLS;
}

static int check_ranges(const ws_coherence_config *g)
{
    const struct {
        const char *name;
        uint32_t value, least, most;
    } ranges[] = {
        {"sms", g->sms, 1, 4096},
        {"warps", g->warps, 1, 1024},
        {"words", g->words, 0, WS_COHERENCE_WORDS},
        {"l1_sets", g->l1_sets, 1, 1u << 16},
        {"l1_ways", g->l1_ways, 1, WS_CACHE_MOST_WAYS},
        {"l1_mshrs", g->l1_mshrs, 1, 1u << 16},
        {"l1_pending", g->l1_pending, 1, 1u << 15},
        {"l2_sets", g->l2_sets, 1, 1u << 20},
        {"l2_ways", g->l2_ways, 1, WS_CACHE_MOST_WAYS},
        {"l2_queue", g->l2_queue, 1, 1u << 15},
        {"slices", g->slices, 1, 1u << 12},
        {"lease", g->lease, 0, MOST_LEASE},
        {"timestamp_bits", g->timestamp_bits, 2, 31},
        {"visibility", g->visibility, 1, 2},
        {"spin", g->spin, 1, UINT32_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most)
            return ws_fail(WS_EINPUT, "coherence: %s is %u, expected %u to %u", ranges[i].name, ranges[i].value,
                           ranges[i].least, ranges[i].most);
    return WS_OK;
}

static int check_config(const ws_coherence_config *g, const ws_protocol **protocol)
{
    *protocol = g->protocol ? ws_protocol_find(g->protocol) : NULL;
    if (!*protocol)
        return ws_fail(WS_EINPUT, "coherence: no protocol '%s'; protocols.def has %s and others",
                       g->protocol ? g->protocol : "", protocols[0]->name);
    if (!(*protocol)->promise)
        return ws_fail(WS_EVERIFY, "coherence: protocol %s does not state its promise", (*protocol)->name);
    const int rc = check_ranges(g);
    if (rc)
        return rc;
    if (g->chips > 1 && g->slices % g->chips)
        return ws_fail(WS_EINPUT, "coherence: slices is %u, expected as many for each of %u chips", g->slices,
                       g->chips);
    if (g->closings & ~(uint32_t)WS_CLOSE_ALL)
        return ws_fail(WS_EINPUT, "coherence: closings has bits that mean nothing: %#x",
                       g->closings & ~(uint32_t)WS_CLOSE_ALL);
    if (g->prediction.on && (*protocol)->lease != WS_LEASE_PHYSICAL)
        return ws_fail(WS_EINPUT, "coherence: lengths of leases in physical time are predicted; %s has none",
                       (*protocol)->name);
    if (g->prediction.on && (g->prediction.most < g->lease || g->prediction.most > MOST_LEASE))
        return ws_fail(WS_EINPUT, "coherence: prediction.most is %u, expected %u (lease) to %d", g->prediction.most,
                       g->lease, MOST_LEASE);
    if (g->private_stores && ((*protocol)->lease != WS_LEASE_PHYSICAL || (*protocol)->strong_writes))
        return ws_fail(WS_EINPUT, "coherence: private_stores is a rule of tc-weak; no fence of %s waits for leases",
                       (*protocol)->name);
    if ((*protocol)->lease != WS_LEASE_LOGICAL && g->visibility != 1)
        return ws_fail(WS_EINPUT, "coherence: visibility 2 is a choice of G-TSC; %s has only 1", (*protocol)->name);
    if ((*protocol)->race && g->chips > 1)
        return ws_fail(WS_EINPUT, "coherence: the detector of %s serves all slices of one chip, and there are %u chips",
                       (*protocol)->name, g->chips);
    if (((*protocol)->directory || (*protocol)->race) && !g->combine)
        return ws_fail(WS_EINPUT,
                       "coherence: %s always combines the requests of an SM for a block; combine cannot be off",
                       (*protocol)->name);
    /* After a reset a line has rts 1 + lease; a load at the end of that, or a store behind it, must fit. */
    if ((*protocol)->lease == WS_LEASE_LOGICAL && 2 * (uint64_t)g->lease + 2 > (UINT64_C(1) << g->timestamp_bits) - 1)
        return ws_fail(WS_EINPUT, "coherence: a lease of %u does not fit timestamps of %u bits, which need 2 lease + 2",
                       g->lease, g->timestamp_bits);
    return WS_OK;
}

static void index_rows(ws_coherence *c)
{
    const ws_protocol *const p = c->protocol;
    for (size_t i = 0; i < p->l1_rows; i++)
        c->l1[p->l1[i].state][p->l1[i].event] = &p->l1[i];
    for (size_t i = 0; i < p->l2_rows; i++)
        c->l2[p->l2[i].state][p->l2[i].event] = &p->l2[i];
    for (size_t i = 0; p->lease == WS_LEASE_LOGICAL && i < ws_gtsc_open_count; i++)
        if (!closed(c, ws_gtsc_open[i].without))
            c->l1[ws_gtsc_open[i].row.state][ws_gtsc_open[i].row.event] = &ws_gtsc_open[i].row;
    for (size_t i = 0; i < p->open_rows; i++)
        if (!closed(c, p->open[i].without))
            c->l2[p->open[i].row.state][p->open[i].row.event] = &p->open[i].row;
}

static void index_hits(ws_coherence *c)
{
    for (unsigned state = 0; state < L1_STATES; state++) {
        const ws_row *const row = c->l1[state][ON_LOAD];
        c->plain_hit[state] = row && row->next == state && row->actions[0] == DO_hit && !row->actions[1] &&
                              state != L1_IV && state != L1_IVD && state != L1_VW && state != L1_VRW;
    }
}

static void index_blocks(ws_coherence *c)
{
    const ws_coherence_config *const g = &c->config;
    c->map = ws_slice_map_make(g->chips ? g->chips : 1, g->slices / (g->chips ? g->chips : 1),
                               g->stripe ? g->stripe : 1, g->page ? g->page : 1, g->touched);
    if (g->scattered)
        ws_slice_map_scatter(&c->map);
}

uint32_t ws_coherence_slice(const ws_coherence *c, uint64_t block)
{
    return ws_slice_map_chip(&c->map, block) * c->map.slices + ws_slice_map_slice(&c->map, block);
}

/* The next `count` things of `bytes` each; all begin at multiples of 8. */
static size_t place(size_t *end, size_t count, size_t bytes)
{
    const size_t at = (*end + 7) & ~(size_t)7;
    *end = (at + count * bytes + 7) & ~(size_t)7;
    return at;
}

/* What race detection keeps in an L1, and beside the slices. */
static void lay_out_race(ws_coherence *c, size_t *l1_end)
{
    const ws_race_config *const r = &c->config.race;
    if (!c->protocol->race)
        return;
    c->l1_race = place(l1_end, 1, sizeof(ws_l1_race));
    c->l1_signatures = place(l1_end, r->slots, sizeof(uint64_t) + c->signature.bytes);
    c->l1_speculative = place(l1_end, r->queue, sizeof(ws_speculative));
    size_t end = sizeof(ws_hub) + c->config.sms * sizeof(ws_hub_sm);
    c->hub_parts = place(&end, r->together ? (size_t)c->config.sms * c->config.warps : 0, sizeof(uint16_t));
    c->hub_signatures = place(&end, (size_t)c->config.sms * r->slots, c->signature.bytes);
    c->hub_bytes = end;
}

static void lay_out(ws_coherence *c)
{
    const ws_coherence_config *const g = &c->config;
    const size_t lines = (size_t)g->l1_sets * g->l1_ways;
    const size_t block = g->words * sizeof(uint32_t);
    size_t end = sizeof(ws_l1);
    c->l1_warps = place(&end, g->warps, sizeof(ws_warp_state));
    c->l1_tags = place(&end, c->l1_cache.bytes, 1);
    c->l1_lines = place(&end, lines, sizeof(ws_l1_line));
    c->l1_data = place(&end, lines, block);
    c->l1_pending = place(&end, g->l1_pending, sizeof(ws_pending));
    c->l1_aside = place(&end, c->sets_aside ? g->l1_pending : 0, block);
    c->l1_counts = place(&end, g->count, sizeof(ws_coherence_counts));
    lay_out_race(c, &end);
    c->l1_bytes = end;
    const size_t l2_lines = (size_t)g->l2_sets * g->l2_ways;
    c->message_bytes = (offsetof(ws_coherence_message, data) + block + 7) & ~(size_t)7;
    end = sizeof(ws_l2);
    c->l2_tags = place(&end, c->l2_cache.bytes, 1);
    c->l2_lines = place(&end, l2_lines, sizeof(ws_l2_line));
    c->l2_data = place(&end, l2_lines, block);
    c->l2_queue = place(&end, g->l2_queue, c->message_bytes);
    c->l2_directory = place(&end, c->protocol->directory ? l2_lines : 0, ws_directory_bytes(g->sms));
    c->l2_counts = place(&end, g->count, sizeof(ws_coherence_counts));
    c->l2_bytes = end;
}

static int set_up_race(ws_coherence *c)
{
    const ws_race_config *const r = &c->config.race;
    if (!c->protocol->race)
        return WS_OK;
    if (r->slots < r->depth + 2)
        return ws_fail(
            WS_EINPUT,
            "coherence: %s compares with %u signatures and keeps %u; expected two more than it compares with",
            c->protocol->name, r->depth, r->slots);
    if (r->slots < 3 || r->slots > 1024 || r->queue > 1024 || !r->hits || r->hits > UINT16_MAX || !r->ports)
        return ws_fail(
            WS_EINPUT,
            "coherence: %s with %u signatures of an SM, a queue of %u, %u loads of a copy and %u ports; expected 3 to "
            "1024, at most 1024, 1 to %d, and at least 1",
            c->protocol->name, r->slots, r->queue, r->hits, r->ports, UINT16_MAX);
    const bool exact = r->exact || c->protocol->race == WS_RACE_IDEAL;
    const int rc = ws_signature_setup(&c->signature, &(ws_signature_choice){.bits = r->bits,
                                                                            .hashes = r->hashes,
                                                                            .unit = r->unit,
                                                                            .block = r->block,
                                                                            .capacity = r->capacity,
                                                                            .filter = !exact,
                                                                            .exact = exact || r->shadow});
    return rc ? ws_fail_context(rc, "coherence: %s", c->protocol->name) : WS_OK;
}

/* The only place that says which policy goes with which protocol. */
static int set_up_cache(const ws_protocol *protocol, const char *section, const ws_cache_choice *choice, uint32_t sets,
                        uint32_t ways, ws_cache *cache)
{
    const int rc = ws_cache_setup(cache, choice, sets, ways, false);
    if (rc)
        return ws_fail_context(rc, "[%s]", section);
    if (cache->replacement->bypasses)
        return ws_fail(WS_EINPUT,
                       "[%s] replacement is %s, which bypasses some blocks; an access without a line has no row in %s: "
                       "choose another replacement, or [coherence] protocol none",
                       section, cache->replacement->name, protocol->name);
    return WS_OK;
}

static int set_up_caches(ws_coherence *c)
{
    ws_coherence_config *const g = &c->config;
    int rc = set_up_cache(c->protocol, "l1", &g->l1_choice, g->l1_sets, g->l1_ways, &c->l1_cache);
    if (!rc)
        rc = set_up_cache(c->protocol, "l2", &g->l2_choice, g->l2_sets, g->l2_ways, &c->l2_cache);
    g->l1_choice = g->l2_choice = (ws_cache_choice){0}; /* who made the configuration owns its words */
    return rc;
}

int ws_coherence_create(const ws_coherence_config *config, ws_coherence **out)
{
    *out = NULL;
    const ws_protocol *protocol;
    int rc = check_config(config, &protocol);
    if (rc)
        return rc;
    ws_coherence *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "coherence: no memory for the tables");
    c->config = *config;
    c->config.protocol = protocol->name;
    c->protocol = protocol;
    c->max_ts = (uint32_t)((UINT64_C(1) << config->timestamp_bits) - 1);
    if (protocol->race == WS_RACE_IDEAL)
        c->config.race.wire = WS_RACE_WIRE_HEADER; /* checks cost nothing */
    c->config.race.ahead &= protocol->race == WS_RACE_SPECULATES || protocol->race == WS_RACE_IDEAL;
    c->sets_aside = config->visibility == 2 || c->config.race.ahead || c->protocol->directory;
    rc = set_up_race(c);
    if (!rc)
        rc = set_up_caches(c);
    if (rc) {
        free(c);
        return rc;
    }
    index_rows(c);
    index_hits(c);
    index_blocks(c);
    lay_out(c);
    *out = c;
    return WS_OK;
}

void ws_coherence_destroy(ws_coherence *coherence)
{
    free(coherence);
}

size_t ws_l1_bytes(const ws_coherence *coherence)
{
    return coherence->l1_bytes;
}

size_t ws_l2_bytes(const ws_coherence *coherence)
{
    return coherence->l2_bytes;
}

/* --- Names --- */

static const char *const l1_states[] = {
#define STATE(name, meaning) #name,
#include "model/coherence/l1_states.def"
#undef STATE
};
static const char *const l1_events[] = {
#define EVENT(name, meaning) #name,
#include "model/coherence/l1_events.def"
#undef EVENT
};
static const char *const l1_actions[] = {
    NULL,
#define ACTION(name, meaning) #name,
#include "model/coherence/l1_actions.def"
#include "model/coherence/l1_directory_actions.def"
#undef ACTION
};
static const char *const l2_states[] = {
#define STATE(name, meaning) #name,
#include "model/coherence/l2_states.def"
#undef STATE
};
static const char *const l2_events[] = {
#define EVENT(name, meaning) #name,
#include "model/coherence/l2_events.def"
#undef EVENT
};
static const char *const l2_actions[] = {
    NULL,
#define ACTION(name, meaning) #name,
#include "model/coherence/l2_actions.def"
#include "model/coherence/l2_directory_actions.def"
#undef ACTION
};

const char *ws_l1_state_name(uint8_t state)
{
    return state < L1_STATES ? l1_states[state] : "?";
}

const char *ws_l2_state_name(uint8_t state)
{
    return state < L2_STATES ? l2_states[state] : "?";
}

bool ws_coherence_l1_row(const ws_coherence *coherence, size_t index, ws_transition *row)
{
    if (index >= coherence->protocol->l1_rows)
        return false;
    const ws_row *const r = &coherence->protocol->l1[index];
    *row = (ws_transition){.state = l1_states[r->state], .event = l1_events[r->event], .next = l1_states[r->next]};
    for (int i = 0; i < ROW_ACTIONS; i++)
        row->actions[i] = l1_actions[r->actions[i]];
    return true;
}

bool ws_coherence_l2_row(const ws_coherence *coherence, size_t index, ws_transition *row)
{
    if (index >= coherence->protocol->l2_rows)
        return false;
    const ws_row *const r = &coherence->protocol->l2[index];
    *row = (ws_transition){.state = l2_states[r->state], .event = l2_events[r->event], .next = l2_states[r->next]};
    for (int i = 0; i < ROW_ACTIONS; i++)
        row->actions[i] = l2_actions[r->actions[i]];
    return true;
}
