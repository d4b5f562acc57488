/* test_coherence_slices.c - do the protocols hold with several banks, in long random runs with tiny caches?
 *
 * Four SMs of four warps, two banks of two lines each, L1s of two lines, twelve blocks. Who moves next is drawn:
 * requests stay in order from one SM to one bank, answers and DRAM overtake each other, L1s and banks evict at any
 * moment. What a load may return is decided outside, from all stores in the order in which they are performed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/coherence/race_signature.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { SMS = 4, WARPS = 4, THREADS = SMS * WARPS, BANKS = 2, BLOCKS = 12, WORDS = 4, VARIABLES = BLOCKS * WORDS };
enum { OPS = 3000, NET = 256, STEPS = 2000000, NO_OP = UINT16_MAX };

/* What a load may return. */
typedef enum promise {
    AT_ITS_TIME, /* the latest store up to its logical time */
    CURRENT,     /* nothing that was overwritten before the load was issued */
    AFTER_FENCE, /* nothing older than what a fence made visible before the load was issued */
    IN_ORDER,    /* what one order of all accesses allows, in which stores stand as the race detector took them */
    SOME_STORE,  /* something that was stored there */
} promise;

typedef struct version {
    uint32_t value, epoch, time;
} version;

typedef struct op {
    uint8_t kind, thread;
    bool poll, early, placed, done; /* early: a load has its value, and may lose it again */
    uint16_t block, mask;
    uint32_t floor[WORDS];
    uint32_t data[WORDS], time; /* IN_ORDER: until the earlier ones of its warp are done */
} op;

typedef struct channel {
    ws_coherence_message messages[NET];
    uint32_t number[NET]; /* in the order of the sender */
    unsigned count;
} channel;

typedef struct machine {
    ws_coherence *c;
    promise promise;
    bool in_l1; /* stores are performed where they complete */
    gsl_rng *rng;
    void *l1[SMS], *l2[BANKS], *hub;
    channel up[SMS][BANKS], down[SMS], dram;
    uint32_t memory[BLOCKS][WORDS];
    uint64_t now, sent[WS_MESSAGE_COUNT];
    op ops[OPS];
    unsigned op_count, done_count;
    uint16_t next[THREADS]; /* drawn, not taken yet */
    version *history[VARIABLES];
    uint32_t versions[VARIABLES], visible[VARIABLES], own[THREADS][VARIABLES];
    version read[VARIABLES]; /* the latest time of a load */
    bool ahead;              /* loads need not wait for earlier accesses of their warp */
    uint32_t first[THREADS]; /* IN_ORDER: an operation of the warp before which all have their places; */
    bool in_turn;            /* slices get the requests of an SM in the order in which it sent them */
    uint32_t asked[SMS], taken[SMS];
    uint32_t place[THREADS],
        seen[VARIABLES]; /* IN_ORDER: where warps are; the last place of a load of a word's latest version */
    int sm, bank;        /* whose port is used; -1 the other kind's */
} machine;

static unsigned drawn(machine *w, unsigned below)
{
    return (unsigned)gsl_rng_uniform_int(w->rng, below);
}

static int compare(version a, version b)
{
    return a.epoch != b.epoch ? (a.epoch < b.epoch ? -1 : 1) : (a.time > b.time) - (a.time < b.time);
}

/* --- The memory outside --- */

static void perform(machine *w, const op *o, uint16_t tag, uint32_t epoch, uint32_t time, const uint32_t *old)
{
    for (unsigned i = 0; i < WORDS; i++) {
        if (!(o->mask >> i & 1))
            continue;
        const unsigned v = o->block * WORDS + i;
        const uint32_t before = w->history[v][w->versions[v] - 1].value;
        if (o->kind == WS_REQUEST_ATOMIC)
            assert_int_equal(old[i], before);
        version at = {.value = o->kind == WS_REQUEST_ATOMIC ? before + 1 : (uint32_t)(tag + 1) << 12};
        at.epoch = epoch;
        at.time = time;
        if (w->promise == AT_ITS_TIME) {
            assert_true(compare(at, w->history[v][w->versions[v] - 1]) > 0);
            assert_true(compare(at, w->read[v]) >= 0);
        }
        if (w->promise == IN_ORDER) {
            assert_true(time > w->history[v][w->versions[v] - 1].time);
            assert_true(time > w->seen[v]);
            w->seen[v] = 0;
        }
        w->history[v][w->versions[v]++] = at;
        w->own[o->thread][v] = w->versions[v] - 1;
    }
}

static uint32_t version_of(const machine *w, unsigned v, uint32_t value)
{
    uint32_t at = w->versions[v];
    while (at-- && w->history[v][at].value != value)
        ;
    return at;
}

/* A copy of a weak protocol shows a store of its own SM before L2 has performed it. */
static bool is_on_its_way(const machine *w, unsigned v, uint32_t value)
{
    const uint32_t tag = (value >> 12) - 1;
    return w->promise >= AFTER_FENCE && w->promise != IN_ORDER && tag < w->op_count &&
           w->ops[tag].kind == WS_REQUEST_STORE && w->ops[tag].block == v / WORDS &&
           (w->ops[tag].mask >> v % WORDS & 1) && !(value & 0xfff);
}

/* The earliest place behind the version's store and behind what the warp has done; it must be before the next store. */
static uint32_t place_load(machine *w, const op *o, unsigned v, uint32_t found)
{
    const uint32_t warp = w->place[o->thread], stored = w->history[v][found].time,
                   place = stored > warp ? stored : warp;
    if (found + 1 < w->versions[v])
        assert_true(place < w->history[v][found + 1].time);
    else if (place > w->seen[v])
        w->seen[v] = place;
    return place;
}

static void check_load(machine *w, const op *o, const ws_completion *done)
{
    uint32_t place = w->place[o->thread];
    const version at = {.epoch = done->epoch, .time = done->time};
    for (unsigned i = 0; i < WORDS; i++) {
        if (!(o->mask >> i & 1))
            continue;
        const unsigned v = o->block * WORDS + i;
        const uint32_t found = version_of(w, v, done->data[i]);
        if (found == UINT32_MAX && is_on_its_way(w, v, done->data[i]))
            continue;
        assert_true(found < w->versions[v]);
        assert_true(found >= o->floor[i]);
        if (w->promise == IN_ORDER) {
            const uint32_t own = place_load(w, o, v, found);
            place = own > place ? own : place;
        }
        if (w->promise != AT_ITS_TIME)
            continue;
        assert_true(compare(w->history[v][found], at) <= 0);
        assert_true(found + 1 == w->versions[v] || compare(w->history[v][found + 1], at) > 0);
        if (compare(at, w->read[v]) > 0)
            w->read[v] = at;
    }
    if (place > w->place[o->thread])
        w->place[o->thread] = place;
}

/* --- Ports --- */

static void add(channel *to, const ws_coherence_message *m)
{
    assert_true(to->count < NET);
    to->messages[to->count++] = *m;
}

static ws_coherence_message taken(channel *from, unsigned index)
{
    const ws_coherence_message m = from->messages[index];
    memmove(from->messages + index, from->messages + index + 1, (--from->count - index) * sizeof m);
    memmove(from->number + index, from->number + index + 1, (from->count - index) * sizeof *from->number);
    return m;
}

static void port_send(void *context, const ws_coherence_message *m)
{
    machine *const w = context;
    w->sent[m->type]++;
    if (m->type == WS_MESSAGE_DRAM_WRITE)
        memcpy(w->memory[m->block], m->data, sizeof w->memory[0]);
    else if (m->type == WS_MESSAGE_DRAM_READ)
        add(&w->dram, m);
    else if (w->sm >= 0) {
        channel *const to = &w->up[m->sm][ws_coherence_slice(w->c, m->block)];
        to->number[to->count] = w->asked[m->sm]++;
        add(to, m);
    } else {
        assert_int_equal(ws_coherence_slice(w->c, m->block), w->bank);
        if (m->type == WS_MESSAGE_ACK || m->type == WS_MESSAGE_ATOMIC_ACK)
            perform(w, &w->ops[m->tag], m->tag, m->epoch, w->promise == IN_ORDER ? m->rts : m->wts, m->data);
        add(&w->down[m->sm], m);
    }
}

/* What is done gets its place when the earlier ones of its warp have theirs. */
static void place_done(machine *w, op *o, const ws_completion *done)
{
    o->time = done->kind == WS_REQUEST_FENCE ? 0 : done->time;
    if (done->kind == WS_REQUEST_LOAD)
        memcpy(o->data, done->data, sizeof o->data);
    for (uint32_t tag = w->first[o->thread]; tag < w->op_count; tag++) {
        const op *const next = &w->ops[tag];
        if (next->thread != o->thread)
            continue;
        w->first[o->thread] = tag;
        if (!next->done || tag == w->next[o->thread])
            return;
        w->first[o->thread]++;
        if (next->kind == WS_REQUEST_LOAD)
            check_load(w, next, &(ws_completion){.data = next->data});
        else if (next->kind != WS_REQUEST_FENCE) {
            assert_true(next->time > w->place[o->thread]);
            w->place[o->thread] = next->time;
        }
    }
}

static void port_complete(void *context, const ws_completion *done)
{
    machine *const w = context;
    op *const o = &w->ops[done->tag];
    assert_false(o->done);
    if (done->stage == WS_COMPLETE_PLACED) {
        assert_true(w->in_turn && !o->early && !o->placed);
        o->placed = true;
        return;
    }
    assert_int_equal(done->placed, o->placed);
    if (done->stage == WS_COMPLETE_EARLY || done->stage == WS_COMPLETE_REFUTED) {
        assert_true(w->ahead && done->kind == WS_REQUEST_LOAD);
        assert_int_equal(o->early, done->stage == WS_COMPLETE_REFUTED);
        o->early = done->stage == WS_COMPLETE_EARLY;
        return;
    }
    assert_int_equal(o->early, done->stage == WS_COMPLETE_KEPT);
    o->done = true;
    w->done_count++;
    if (w->in_l1 && (done->kind == WS_REQUEST_STORE || done->kind == WS_REQUEST_ATOMIC))
        perform(w, o, done->tag, 0, 0, done->data);
    if (w->promise == IN_ORDER)
        place_done(w, o, done);
    else if (done->kind == WS_REQUEST_LOAD)
        check_load(w, o, done);
    for (unsigned v = 0; v < VARIABLES && done->kind == WS_REQUEST_FENCE; v++)
        if (w->own[o->thread][v] > w->visible[v])
            w->visible[v] = w->own[o->thread][v];
}

static ws_coherence_ports ports_of(machine *w, int sm, int bank)
{
    w->sm = sm;
    w->bank = bank;
    return (ws_coherence_ports){.context = w, .send = port_send, .complete = port_complete, .hub = w->hub};
}

/* --- Moves --- */

static void draw_op(machine *w, unsigned thread)
{
    const unsigned kind = drawn(w, 20);
    op *const o = &w->ops[w->op_count];
    o->thread = (uint8_t)thread;
    o->kind = kind < 11   ? WS_REQUEST_LOAD
              : kind < 17 ? WS_REQUEST_STORE
              : kind < 19 ? WS_REQUEST_ATOMIC
                          : WS_REQUEST_FENCE;
    o->poll = o->kind == WS_REQUEST_LOAD && drawn(w, 8) == 0;
    o->block = o->kind == WS_REQUEST_FENCE ? 0 : (uint16_t)(drawn(w, 3) ? drawn(w, BLOCKS / 3) : drawn(w, BLOCKS));
    o->mask = o->kind == WS_REQUEST_FENCE ? 0 : (uint16_t)(1 + drawn(w, (1u << WORDS) - 1));
    w->next[thread] = (uint16_t)w->op_count++;
}

static int issue(machine *w, unsigned thread)
{
    if (w->next[thread] == NO_OP && w->op_count == OPS)
        return WS_COHERENCE_RETRY;
    if (w->next[thread] == NO_OP)
        draw_op(w, thread);
    const uint16_t tag = w->next[thread];
    op *const o = &w->ops[tag];
    ws_request r = {.kind = o->kind,
                    .poll = o->poll,
                    .ahead = w->ahead && o->kind == WS_REQUEST_LOAD,
                    .warp = (uint16_t)(thread % WARPS),
                    .tag = tag};
    r.block = o->block;
    r.mask = o->mask;
    for (unsigned i = 0; i < WORDS; i++) {
        const unsigned v = o->block * WORDS + i;
        r.data[i] = o->kind == WS_REQUEST_ATOMIC ? 1 : (uint32_t)(tag + 1) << 12;
        o->floor[i] = w->promise == CURRENT ? w->versions[v] - 1 : w->promise == AFTER_FENCE ? w->visible[v] : 0;
    }
    const int sm = (int)(thread / WARPS);
    const ws_coherence_ports ports = ports_of(w, sm, -1);
    const int rc = ws_l1_access(w->c, w->l1[sm], &r, w->now, &ports);
    if (rc == WS_OK)
        w->next[thread] = NO_OP;
    return rc;
}

static int deliver_up(machine *w, unsigned sm, unsigned bank)
{
    channel *const from = &w->up[sm][bank];
    if (!from->count || (w->in_turn && from->number[0] != w->taken[sm]))
        return WS_COHERENCE_RETRY;
    const ws_coherence_ports ports = ports_of(w, -1, (int)bank);
    const int rc = ws_l2_message(w->c, w->l2[bank], &from->messages[0], w->now, &ports);
    if (rc == WS_OK) {
        taken(from, 0);
        w->taken[sm]++;
    }
    return rc;
}

static int deliver_down(machine *w, unsigned sm)
{
    channel *const from = &w->down[sm];
    if (!from->count)
        return WS_COHERENCE_RETRY;
    const ws_coherence_message m = taken(from, drawn(w, from->count));
    const ws_coherence_ports ports = ports_of(w, (int)sm, -1);
    ws_l1_bring(w->c, w->l1[sm], &m, w->hub);
    return ws_l1_message(w->c, w->l1[sm], &m, w->now, &ports);
}

static int deliver_dram(machine *w)
{
    if (!w->dram.count)
        return WS_COHERENCE_RETRY;
    ws_coherence_message m = taken(&w->dram, drawn(w, w->dram.count));
    m.type = WS_MESSAGE_DRAM_FILL;
    memcpy(m.data, w->memory[m.block], sizeof w->memory[0]);
    const uint32_t bank = ws_coherence_slice(w->c, m.block);
    const ws_coherence_ports ports = ports_of(w, -1, (int)bank);
    return ws_l2_message(w->c, w->l2[bank], &m, w->now, &ports);
}

static int evict_l1(machine *w, unsigned sm, unsigned block)
{
    const ws_coherence_ports ports = ports_of(w, (int)sm, -1);
    return ws_l1_evict(w->c, w->l1[sm], block, &ports);
}

static int evict_l2(machine *w, unsigned block)
{
    const uint32_t bank = ws_coherence_slice(w->c, block);
    const ws_coherence_ports ports = ports_of(w, -1, (int)bank);
    return ws_l2_evict(w->c, w->l2[bank], block, w->now, &ports);
}

static int pass_time(machine *w)
{
    w->now++;
    for (int bank = 0; bank < BANKS; bank++) {
        const ws_coherence_ports ports = ports_of(w, -1, bank);
        assert_int_equal(ws_l2_advance(w->c, w->l2[bank], w->now, &ports), WS_OK);
    }
    return WS_OK;
}

static void move(machine *w)
{
    const unsigned kind = drawn(w, 100);
    const int rc = kind < 25   ? issue(w, drawn(w, THREADS))
                   : kind < 55 ? deliver_up(w, drawn(w, SMS), drawn(w, BANKS))
                   : kind < 80 ? deliver_down(w, drawn(w, SMS))
                   : kind < 90 ? deliver_dram(w)
                   : kind < 93 ? evict_l1(w, drawn(w, SMS), drawn(w, BLOCKS))
                   : kind < 95 ? evict_l2(w, drawn(w, BLOCKS))
                               : pass_time(w);
    if (rc < 0)
        fail_msg("%s", ws_message());
}

static bool is_quiet(const machine *w)
{
    bool quiet = !w->dram.count;
    for (unsigned sm = 0; sm < SMS; sm++) {
        quiet = quiet && !w->down[sm].count && !ws_l1_waiting(w->l1[sm]);
        for (unsigned bank = 0; bank < BANKS; bank++)
            quiet = quiet && !w->up[sm][bank].count && !ws_l2_waiting(w->l2[bank]);
    }
    return quiet;
}

static void settle(machine *w)
{
    for (unsigned step = 0; !is_quiet(w); step++) {
        assert_true(step < STEPS);
        move(w);
    }
}

/* All changes come to memory once nobody keeps anything. */
static void check_memory(machine *w)
{
    for (unsigned sm = 0; sm < SMS; sm++) {
        const ws_coherence_ports ports = ports_of(w, (int)sm, -1);
        assert_int_equal(ws_l1_flush(w->c, w->l1[sm], &ports), WS_OK);
    }
    settle(w);
    w->now += 1000;
    for (unsigned block = 0; block < BLOCKS; block++)
        evict_l2(w, block);
    settle(w);
    for (unsigned block = 0; block < BLOCKS; block++)
        assert_int_equal(ws_l2_look(w->c, w->l2[ws_coherence_slice(w->c, block)], block).state, 0);
    for (unsigned v = 0; v < VARIABLES; v++)
        assert_int_equal(w->memory[v / WORDS][v % WORDS], w->history[v][w->versions[v] - 1].value);
}

static machine *make(const ws_coherence_config *g, promise p, unsigned seed)
{
    machine *const w = calloc(1, sizeof *w);
    assert_non_null(w);
    if (ws_coherence_create(g, &w->c))
        fail_msg("%s", ws_message());
    w->promise = p;
    w->in_turn = p == IN_ORDER;
    w->ahead = g->race.ahead && strcmp(g->protocol, "drd") != 0;
    w->in_l1 = !strcmp(g->protocol, "mesi");
    w->rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(w->rng, seed);
    w->hub = ws_hub_bytes(w->c) ? malloc(ws_hub_bytes(w->c)) : NULL;
    ws_hub_init(w->c, w->hub);
    for (unsigned sm = 0; sm < SMS; sm++) {
        w->l1[sm] = malloc(ws_l1_bytes(w->c));
        ws_l1_init(w->c, w->l1[sm], sm);
    }
    for (unsigned bank = 0; bank < BANKS; bank++) {
        w->l2[bank] = malloc(ws_l2_bytes(w->c));
        ws_l2_init(w->c, w->l2[bank], bank);
    }
    for (unsigned v = 0; v < VARIABLES; v++) {
        w->history[v] = calloc(OPS + 1, sizeof(version));
        w->versions[v] = 1;
    }
    memset(w->next, 0xff, sizeof w->next);
    return w;
}

static void drop(machine *w)
{
    for (unsigned sm = 0; sm < SMS; sm++)
        free(w->l1[sm]);
    for (unsigned bank = 0; bank < BANKS; bank++)
        free(w->l2[bank]);
    for (unsigned v = 0; v < VARIABLES; v++)
        free(w->history[v]);
    free(w->hub);
    gsl_rng_free(w->rng);
    ws_coherence_destroy(w->c);
    free(w);
}

static ws_coherence_config tiny(const char *protocol)
{
    ws_coherence_config g = ws_coherence_defaults;
    g.protocol = protocol;
    g.sms = SMS;
    g.warps = WARPS;
    g.words = WORDS;
    g.l1_sets = 1;
    g.l1_ways = g.l1_mshrs = 2;
    g.l1_pending = 6;
    g.l2_sets = 1;
    g.l2_ways = g.l2_queue = 2;
    g.slices = BANKS;
    g.lease = ws_coherence_is_physical(protocol) ? 12 : 3;
    g.spin = 4;
    g.race.bits = WS_SIGNATURE_LEAST_BITS;
    g.race.hashes = 2;
    g.race.block = WORDS * 4;
    g.race.unit = WORDS * 4;
    g.race.slots = 4;
    g.race.queue = 2;
    return g;
}

static machine *ran(const ws_coherence_config *g, promise p, unsigned seed)
{
    machine *const w = make(g, p, seed);
    for (unsigned step = 0; w->done_count < OPS; step++) {
        assert_true(step < STEPS); /* nobody waits for ever */
        move(w);
    }
    settle(w);
    check_memory(w);
    assert_int_equal(w->done_count, OPS);
    return w;
}

static void test_all(void **unused)
{
    (void)unused;
    static const struct {
        const char *protocol;
        promise promise;
    } rows[] = {
        {"bl", CURRENT},          {"noncoherent", SOME_STORE}, {"vi", SOME_STORE},       {"tc-strong", CURRENT},
        {"tc-weak", AFTER_FENCE}, {"gtsc-sc", AT_ITS_TIME},    {"gtsc-rc", AT_ITS_TIME}, {"mesi", CURRENT},
        {"drd", IN_ORDER},        {"drd-spec", IN_ORDER},      {"drd-ideal", IN_ORDER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned seed = 1; seed <= 4; seed++) {
            ws_coherence_config g = tiny(rows[i].protocol);
            g.stripe = seed % 2 + 1;
            drop(ran(&g, rows[i].promise, seed));
        }
    size_t protocols = 0;
    while (ws_coherence_protocol_name(protocols))
        protocols++;
    assert_int_equal(protocols, sizeof rows / sizeof *rows);
}

/* Whatever a slice predicts, from no cycles at all on: every event comes up. */
static void test_predicted_leases(void **unused)
{
    (void)unused;
    ws_coherence_counts all[2] = {{0}};
    for (unsigned seed = 0; seed < 16; seed++) {
        const bool weak = seed % 2;
        ws_coherence_config g = tiny(weak ? "tc-weak" : "tc-strong");
        g.count = true;
        g.lease = 12 * (seed / 2 % 2);
        g.private_stores = weak && seed / 4 % 2;
        g.prediction = (ws_lease_prediction){.on = true,
                                             .either = seed / 4 % 2,
                                             .expired = 1 + seed / 8 * 6,
                                             .evict = 5,
                                             .store = 7,
                                             .floor = seed / 8 * 10,
                                             .most = 12 + seed};
        machine *const w = ran(&g, weak ? AFTER_FENCE : CURRENT, seed + 1);
        for (unsigned bank = 0; bank < BANKS; bank++) {
            const ws_coherence_counts *const of = ws_l2_counts(w->c, w->l2[bank]);
            assert_true(ws_l2_lease(w->l2[bank]) <= g.prediction.most);
            assert_true(of->lease_cycles <= of->leases * g.prediction.most);
            all[weak].leases += of->leases;
            all[weak].lease_loads += of->lease_loads;
            all[weak].lease_evictions += of->lease_evictions;
            all[weak].lease_stores += of->lease_stores;
        }
        drop(w);
    }
    for (unsigned weak = 0; weak <= 1; weak++)
        assert_true(all[weak].leases && all[weak].lease_loads && all[weak].lease_evictions && all[weak].lease_stores);
}

static ws_race_counts races_of(const machine *w)
{
    ws_race_counts sum = ws_hub_race_counts(w->c, w->hub);
    for (unsigned sm = 0; sm < SMS; sm++) {
        const ws_race_counts of = ws_l1_race_counts(w->c, w->l1[sm]);
#define COUNT(name, meaning) sum.name += of.name;
#include "model/coherence/race_counts.def"
#undef COUNT
    }
    return sum;
}

/* Units, sizes, exact sets and filters; all that can happen does, and filters err on one side alone. */
static void test_races(void **unused)
{
    (void)unused;
    static const char *const protocols[] = {"drd", "drd-spec", "drd-ideal"};
    static const uint32_t units[] = {1, 4, 16, 64};
    ws_race_counts all = {0};
    for (unsigned seed = 0; seed < 48; seed++) {
        ws_coherence_config g = tiny(protocols[seed % 3]);
        g.race.unit = units[seed / 3 % 4];
        g.race.exact = seed / 12 % 2;
        g.race.capacity = seed / 24 ? 40 : 0;
        g.race.hits = 1 + seed % 5;
        g.race.depth = seed / 3 % 4;
        g.race.slots = 3 + seed % 3 > g.race.depth + 2 ? 3 + seed % 3 : g.race.depth + 2;
        g.race.shadow = true;
        g.race.ahead = seed / 3 % 2 || seed % 8 == 4;
        g.l1_ways = 2 + seed % 3;
        machine *const w = ran(&g, IN_ORDER, seed);
        const ws_race_counts of = races_of(w);
        assert_int_equal(of.missed, 0);
        if (g.race.exact || seed % 3 == 2)
            assert_int_equal(of.false_syncs + of.found_wrongly, 0);
        if (seed % 3 != 1)
            assert_int_equal(of.speculative, 0);
        for (unsigned sm = 0; sm < SMS; sm++) {
            const uint32_t knows = ws_l1_race_epoch(w->c, w->l1[sm]), is = ws_hub_race_epoch(w->c, w->hub, sm);
            assert_true(g.race.depth ? knows == is
                                     : knows <= is); /* without signatures it hears with its next answer */
        }
        assert_int_equal(of.signatures, w->sent[WS_MESSAGE_SYNC]);
        assert_int_equal(of.store_syncs, w->sent[WS_MESSAGE_WRITE] + w->sent[WS_MESSAGE_ATOMIC]);
#define COUNT(name, meaning) all.name += of.name;
#include "model/coherence/race_counts.def"
#undef COUNT
        drop(w);
    }
#define COUNT(name, meaning) \
    if (!strcmp(#name, "missed") ? all.name != 0 : !all.name) \
        fail_msg("%s: %llu", #name, (unsigned long long)all.name);
#include "model/coherence/race_counts.def"
#undef COUNT
}

/* The news of a reset reaches the other bank with the requests. */
static void test_resets(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 4; seed++) {
        ws_coherence_config g = tiny(seed % 2 ? "gtsc-sc" : "gtsc-rc");
        g.timestamp_bits = 5;
        machine *const w = ran(&g, AT_ITS_TIME, seed);
        assert_true(ws_l2_epoch(w->l2[0]) > 5);
        assert_true(ws_l2_epoch(w->l2[1]) > 5);
        drop(w);
    }
}

/* All kinds of messages came up, and none of another protocol. */
static void test_mesi_messages(void **unused)
{
    (void)unused;
    const ws_coherence_config g = tiny("mesi");
    machine *const w = ran(&g, CURRENT, 5);
    for (unsigned type = 0; type < WS_MESSAGE_COUNT; type++) {
        const bool others = type == WS_MESSAGE_WRITE || type == WS_MESSAGE_ATOMIC || type == WS_MESSAGE_RENEW ||
                            type == WS_MESSAGE_ACK || type == WS_MESSAGE_ATOMIC_ACK || type == WS_MESSAGE_DRAM_FILL ||
                            type == WS_MESSAGE_SYNC || type == WS_MESSAGE_CHECKED;
        if (others ? w->sent[type] > 0 : w->sent[type] < 5)
            fail_msg("%s was sent %u times", ws_message_name(type), (unsigned)w->sent[type]);
    }
    assert_int_equal(w->sent[WS_MESSAGE_FILL_OWN] + w->sent[WS_MESSAGE_GRANT], w->sent[WS_MESSAGE_TAKEN]);
    assert_int_equal(w->sent[WS_MESSAGE_READ] + w->sent[WS_MESSAGE_OWN],
                     w->sent[WS_MESSAGE_FILL] + w->sent[WS_MESSAGE_FILL_OWN] + w->sent[WS_MESSAGE_GRANT] +
                         w->sent[WS_MESSAGE_BUSY]);
    assert_int_equal(w->sent[WS_MESSAGE_INVALIDATE] + w->sent[WS_MESSAGE_FETCH],
                     w->sent[WS_MESSAGE_NONE] + w->sent[WS_MESSAGE_CLEAN] + w->sent[WS_MESSAGE_DATA]);
    drop(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_predicted_leases), cmocka_unit_test(test_resets),
        cmocka_unit_test(test_races), cmocka_unit_test(test_mesi_messages),
    };
    return cmocka_run_group_tests_name("coherence_banks", tests, NULL, NULL);
}
