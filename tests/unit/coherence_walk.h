/* coherence_walk.h - every interleaving of small programs on two SMs, breadth first, so a counterexample is a
 * shortest one.
 *
 * A state is plain memory: the controllers, what is on the network, DRAM, what the warps have read, and the
 * history that the checks need. Requests of one SM stay in order; answers and DRAM are delivered in any order. */
#ifndef WS_TESTS_COHERENCE_WALK_H
#define WS_TESTS_COHERENCE_WALK_H

#include "base/status.h"
#include "model/coherence/coherence.h"
#include "model/coherence/race_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SMS = 2, WARPS = 2, BLOCKS = 2, WORDS = 2, OPS = 6, THREADS = SMS * WARPS, NET = 12, HISTORY = 10 };
enum {
    LOAD = WS_REQUEST_LOAD,
    STORE = WS_REQUEST_STORE,
    ATOMIC = WS_REQUEST_ATOMIC,
    FENCE = WS_REQUEST_FENCE,
    POLL = 9
};

/* Variables: block and word. X and Y lie in different blocks, x2 beside X. */
enum { X = 0, X2 = 1, Y = 2, Y2 = 3, VARIABLES = BLOCKS * WORDS };

typedef struct op {
    uint8_t kind, variable, value;
} op;

/* Thread t is warp t % WARPS of SM t / WARPS. */
typedef struct program {
    const char *name;
    op ops[THREADS][OPS];
    uint8_t length[THREADS];
    /* An outcome that must (or may) not be: all of these loads return these values. */
    struct {
        uint8_t thread, index, value;
    } outcome[4];
    uint8_t conditions;
} program;

typedef struct stamp {
    uint32_t epoch, time;
} stamp;

enum { PACKED = offsetof(ws_coherence_message, data) + WORDS * sizeof(uint32_t) };
typedef struct net_message {
    uint8_t bytes[PACKED]; /* a ws_coherence_message without the words that are not used; the type comes first */
} net_message;

typedef struct state {
    _Alignas(8) uint8_t next[THREADS], done[THREADS]; /* done: bit per operation */
    uint8_t floor[THREADS][OPS];                      /* versions of the word when the load was issued */
    uint32_t value[THREADS][OPS];
    stamp last[THREADS];
    /* Race detection: places in the order of stores. Of a warp, after which its next access comes; of
     * the latest version of a word, the last load of it. */
    uint8_t place[THREADS], seen[VARIABLES];
    uint8_t placed[THREADS], stored[THREADS][OPS]; /* operations that have a place; those of stores */
    uint32_t memory[BLOCKS][WORDS];
    uint8_t dram; /* bit b: a read of block b is in flight */
    uint8_t requests[SMS], replies[SMS];
    uint32_t now;
    struct {
        stamp at;
        uint32_t value;
    } history[VARIABLES][HISTORY];
    uint8_t versions[VARIABLES];
    stamp read[VARIABLES], written[BLOCKS]; /* latest load of a word, latest store to a block */
    net_message request[SMS][NET], reply[SMS][NET];
} state;

typedef struct node {
    uint32_t parent;
    uint16_t move;
} node;

typedef struct walk {
    ws_coherence *c;
    ws_coherence_config config;
    const program *program;
    int skew[SMS];                           /* added to the clock of an SM */
    uint32_t end_of_time;                    /* ticks happen up to here */
    bool evict_l1, sequential, logical, lax; /* lax: the protocol promises nothing; look at outcomes only */
    bool ordered;                            /* all accesses have one order, stores as the detector took them */
    bool write_back;                         /* stores are performed in L1s, one at a time has a copy to write */
    size_t limit;                            /* of states; more is a failure of the test */
    /* results */
    size_t early,
        refuted; /* race detection: how often in all moves a load had its value early, and had to be made again */
    size_t states, terminals, outcomes; /* outcomes: terminal states that show program->outcome */
    unsigned epochs;                    /* how often timestamps started again, at most */
    char violation[200];
    bool verbose;
    /* work */
    size_t l1_bytes, l2_bytes, hub_bytes, bytes;
    node *nodes;
    size_t capacity, *table, table_size, found; /* found: number of the state looked up last */
    struct edge {
        uint32_t from, to;
    } * edges; /* all moves, for the question whether the end can be reached from everywhere */
    size_t edge_count, edge_room;
    uint8_t *ends; /* bit: all programs are finished in this state, or can be */
    XXH128_hash_t *hashes;
    uint8_t *frontier[2], *scratch, *from_l2;
    size_t frontier_count[2], frontier_room[2];
    state *s; /* the state that a move changes */
    int sm;   /* whose port is used, -1 the bank's */
} walk;

static inline void *l1_of(const walk *w, state *s, int sm)
{
    return (uint8_t *)s + sizeof(state) + (size_t)sm * w->l1_bytes;
}

static inline void *l2_of(const walk *w, state *s)
{
    return (uint8_t *)s + sizeof(state) + SMS * w->l1_bytes;
}

static inline void *hub_of(const walk *w, state *s)
{
    return w->hub_bytes ? (uint8_t *)s + sizeof(state) + SMS * w->l1_bytes + w->l2_bytes : NULL;
}

#define VIOLATE(w, ...) \
    ((w)->violation[0] ? (void)0 : (void)snprintf((w)->violation, sizeof(w)->violation, __VA_ARGS__))

static inline int compare_stamps(stamp a, stamp b)
{
    return a.epoch != b.epoch ? (a.epoch < b.epoch ? -1 : 1) : (a.time > b.time) - (a.time < b.time);
}

static const char *const variable_names[] = {"X", "X2", "Y", "Y2"};

static inline const op *op_of(const walk *w, uint16_t tag)
{
    return &w->program->ops[tag / 16][tag % 16];
}

/* --- What the ports see --- */

/* Race detection. A load of a version comes behind its store and behind what its warp did before, and before the next
 * store of the word: the earliest such place is the best. */
static inline void order_load(walk *w, unsigned thread, const op *o, uint32_t value)
{
    state *const s = w->s;
    unsigned version = 0;
    for (unsigned i = 0; i < s->versions[o->variable]; i++)
        if (s->history[o->variable][i].value == value)
            version = i + 1;
    if (value && !version)
        VIOLATE(w, "order: SM%u warp %u reads %s = %u, which nobody has stored", thread / WARPS, thread % WARPS,
                variable_names[o->variable], value);
    uint32_t place = s->place[thread];
    if (version && s->history[o->variable][version - 1].at.time > place)
        place = s->history[o->variable][version - 1].at.time;
    if (version == s->versions[o->variable])
        s->seen[o->variable] = (uint8_t)(place > s->seen[o->variable] ? place : s->seen[o->variable]);
    else if (place >= s->history[o->variable][version].at.time)
        VIOLATE(w, "order: SM%u warp %u reads %s = %u behind store %u, but store %u overwrites it", thread / WARPS,
                thread % WARPS, variable_names[o->variable], value, place, s->history[o->variable][version].at.time);
    if (place > s->place[thread])
        s->place[thread] = (uint8_t)place;
}

static inline void order_store(walk *w, unsigned variable, uint32_t place)
{
    if (w->s->seen[variable] >= place)
        VIOLATE(w, "order: a load behind store %u has missed what store %u wrote to %s", w->s->seen[variable], place,
                variable_names[variable]);
    w->s->seen[variable] = 0;
}

static inline void store_performed(walk *w, const ws_coherence_message *m)
{
    const op *const o = op_of(w, m->tag);
    state *const s = w->s;
    const stamp at = {m->epoch, w->ordered ? m->rts : m->wts};
    if (w->ordered)
        order_store(w, o->variable, m->rts);
    if (w->logical) {
        if (compare_stamps(at, s->written[m->block]) <= 0)
            VIOLATE(w, "invariant 4: a store to block %u at %u.%u after one at %u.%u", (unsigned)m->block, at.epoch,
                    at.time, s->written[m->block].epoch, s->written[m->block].time);
        if (compare_stamps(at, s->read[o->variable]) < 0)
            VIOLATE(w, "invariant 5: %s is stored at time %u.%u, but a load at %u.%u has read the older value",
                    variable_names[o->variable], at.epoch, at.time, s->read[o->variable].epoch,
                    s->read[o->variable].time);
    }
    s->written[m->block] = at;
    const unsigned n = s->versions[o->variable];
    uint32_t old = n ? s->history[o->variable][n - 1].value : 0;
    if (o->kind == ATOMIC && m->data[o->variable % WORDS] != old)
        VIOLATE(w, "atomic: returns %u, the value is %u", m->data[o->variable % WORDS], old);
    s->history[o->variable][n].at = at;
    s->history[o->variable][n].value = o->kind == ATOMIC ? old + o->value : o->value;
    s->versions[o->variable]++;
}

/* A write-back L1 performs a store where it completes it. */
static inline void store_in_l1(walk *w, const ws_completion *completion)
{
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.tag = completion->tag;
    m.block = completion->block;
    if (completion->data)
        memcpy(m.data, completion->data, WORDS * sizeof(uint32_t));
    store_performed(w, &m);
}

static inline void walk_send(void *context, const ws_coherence_message *m)
{
    walk *const w = context;
    state *const s = w->s;
    if (m->type == WS_MESSAGE_DRAM_READ) {
        s->dram |= (uint8_t)(1u << m->block);
        return;
    }
    if (m->type == WS_MESSAGE_DRAM_WRITE) {
        memcpy(s->memory[m->block], m->data, sizeof s->memory[0]);
        return;
    }
    net_message n;
    memset(&n, 0, sizeof n);
    memcpy(n.bytes, m, offsetof(ws_coherence_message, data));
    const bool has_data = m->type == WS_MESSAGE_WRITE || m->type == WS_MESSAGE_ATOMIC || m->type == WS_MESSAGE_FILL ||
                          m->type == WS_MESSAGE_ATOMIC_ACK || m->type == WS_MESSAGE_FILL_OWN ||
                          m->type == WS_MESSAGE_PUT || m->type == WS_MESSAGE_DATA;
    if (has_data)
        memcpy(n.bytes + offsetof(ws_coherence_message, data), m->data, WORDS * sizeof(uint32_t));
    if (w->verbose)
        printf("      %s %s%u  block %s  wts %u rts %u warp_ts %u epoch %u expiry %u%s\n", ws_message_name(m->type),
               w->sm < 0 ? "to SM" : "from SM", m->sm, m->block ? "Y" : "X", m->wts, m->rts, m->warp_ts, m->epoch,
               (unsigned)m->expiry, m->type == WS_MESSAGE_ACK ? (m->match ? " match" : " mismatch") : "");
    if (w->sm >= 0) {
        if (s->requests[m->sm] == NET)
            VIOLATE(w, "the network is too small for this test");
        else
            s->request[m->sm][s->requests[m->sm]++] = n;
        return;
    }
    if (m->type == WS_MESSAGE_ACK || m->type == WS_MESSAGE_ATOMIC_ACK)
        store_performed(w, m);
    /* A multiset, kept sorted: which of two equal orders it came in makes no difference. */
    unsigned i = s->replies[m->sm];
    if (i == NET) {
        VIOLATE(w, "the network is too small for this test");
        return;
    }
    for (; i && memcmp(&s->reply[m->sm][i - 1], &n, sizeof n) > 0; i--)
        s->reply[m->sm][i] = s->reply[m->sm][i - 1];
    s->reply[m->sm][i] = n;
    s->replies[m->sm]++;
}

static inline void check_load(walk *w, unsigned thread, const op *o, unsigned index, stamp at, uint32_t value)
{
    state *const s = w->s;
    uint32_t expected = 0;
    unsigned version = 0;
    for (unsigned i = 0; i < s->versions[o->variable]; i++) {
        if (compare_stamps(s->history[o->variable][i].at, at) <= 0)
            expected = s->history[o->variable][i].value;
        if (s->history[o->variable][i].value == value)
            version = i + 1;
    }
    if (w->logical && value != expected)
        VIOLATE(w, "invariant 5: SM%u warp %u reads %s = %u at time %u.%u, but the value then is %u", thread / WARPS,
                thread % WARPS, variable_names[o->variable], value, at.epoch, at.time, expected);
    if (!w->logical && !w->lax && !w->ordered && (version < s->floor[thread][index] || (value && !version)))
        VIOLATE(w, "write atomicity: SM%u warp %u reads %s = %u, which was overwritten before the load was issued",
                thread / WARPS, thread % WARPS, variable_names[o->variable], value);
    if (compare_stamps(at, s->read[o->variable]) > 0)
        s->read[o->variable] = at;
}

/* Accesses of a warp get their places in the order of its program, whichever is complete first. */
static inline void order_done(walk *w, unsigned thread)
{
    state *const s = w->s;
    for (; s->done[thread] >> s->placed[thread] & 1; s->placed[thread]++) {
        const unsigned index = s->placed[thread], stored = s->stored[thread][index];
        const op *const o = &w->program->ops[thread][index];
        if (o->kind == LOAD || o->kind == POLL)
            order_load(w, thread, o, s->value[thread][index]);
        else if (stored && stored <= s->place[thread])
            VIOLATE(w, "order: operation %u of SM%u warp %u is store %u, but what came before is behind store %u",
                    index, thread / WARPS, thread % WARPS, stored, s->place[thread]);
        else if (stored)
            s->place[thread] = (uint8_t)stored;
    }
}

static inline void walk_complete(void *context, const ws_completion *completion)
{
    walk *const w = context;
    state *const s = w->s;
    const unsigned thread = completion->tag / 16, index = completion->tag % 16;
    const op *const o = op_of(w, completion->tag);
    const stamp at = {completion->epoch, w->ordered ? 0 : completion->time};
    if (completion->stage == WS_COMPLETE_PLACED)
        return;
    if (completion->stage == WS_COMPLETE_EARLY || completion->stage == WS_COMPLETE_REFUTED) {
        *(completion->stage == WS_COMPLETE_EARLY ? &w->early : &w->refuted) += 1;
        if (w->verbose)
            printf("      thread %u operation %u is %s\n", thread, index,
                   completion->stage == WS_COMPLETE_EARLY ? "early" : "refuted");
        return;
    }
    if (s->done[thread] >> index & 1)
        VIOLATE(w, "invariant 12: operation %u of thread %u completes twice", index, thread);
    s->done[thread] |= (uint8_t)(1u << index);
    if (w->ordered && completion->kind != WS_REQUEST_LOAD)
        s->stored[thread][index] = (uint8_t)completion->time;
    if (w->write_back && (completion->kind == WS_REQUEST_STORE || completion->kind == WS_REQUEST_ATOMIC))
        store_in_l1(w, completion);
    if (completion->kind == WS_REQUEST_LOAD) {
        s->value[thread][index] = completion->data[o->variable % WORDS];
        check_load(w, thread, o, index, at, s->value[thread][index]);
    } else if (completion->kind == WS_REQUEST_ATOMIC)
        s->value[thread][index] = completion->data[o->variable % WORDS];
    if (w->ordered)
        order_done(w, thread);
    if (completion->kind == WS_REQUEST_FENCE && s->done[thread] != (1u << (index + 1)) - 1)
        VIOLATE(w, "invariant 8: a fence of thread %u is reached before its earlier accesses", thread);
    if (w->logical && w->sequential && compare_stamps(at, s->last[thread]) < 0)
        VIOLATE(w, "invariant 6: thread %u goes back in time, %u.%u after %u.%u", thread, at.epoch, at.time,
                s->last[thread].epoch, s->last[thread].time);
    if (compare_stamps(at, s->last[thread]) > 0)
        s->last[thread] = at;
    if (w->verbose && completion->data)
        printf("      thread %u operation %u is complete at time %u.%u, value %u\n", thread, index, at.epoch, at.time,
               s->value[thread][index]);
    else if (w->verbose)
        printf("      thread %u operation %u is complete at time %u.%u\n", thread, index, at.epoch, at.time);
}

static const ws_coherence_ports *ports_of(walk *w, ws_coherence_ports *ports)
{
    *ports = (ws_coherence_ports){.context = w, .send = walk_send, .complete = walk_complete, .hub = hub_of(w, w->s)};
    return ports;
}

/* --- Invariants of a state --- */

static inline bool unlocked(const ws_line_view *v)
{
    return !v->stores && (!strcmp(ws_l1_state_name(v->state), "V") || !strcmp(ws_l1_state_name(v->state), "VR"));
}

static inline void check_copy(walk *w, int sm, unsigned block)
{
    state *const s = w->s;
    const void *const l2 = l2_of(w, s);
    const ws_line_view a = ws_l1_look(w->c, l1_of(w, s, sm), block), b = ws_l2_look(w->c, l2, block);
    if (!unlocked(&a) || ws_l1_epoch(l1_of(w, s, sm)) != ws_l2_epoch(l2))
        return;
    if (a.wts > a.rts)
        VIOLATE(w, "invariant 1: SM%d block %u has lease [%u, %u]", sm, block, a.wts, a.rts);
    if (a.rts > ws_l2_max_ts(l2))
        VIOLATE(w, "invariant 9: SM%d block %u has rts %u, L2 never gave more than %u", sm, block, a.rts,
                ws_l2_max_ts(l2));
    if (strcmp(ws_l2_state_name(b.state), "V")) {
        if (a.rts > ws_l2_mem_ts(l2))
            VIOLATE(w, "invariant 3: SM%d block %u has rts %u, it is not in L2 and mem_ts is %u", sm, block, a.rts,
                    ws_l2_mem_ts(l2));
        return;
    }
    if (a.wts > b.wts)
        VIOLATE(w, "invariant 2: SM%d block %u is of time %u, L2's of %u", sm, block, a.wts, b.wts);
    if (a.wts == b.wts && (a.rts > b.rts || memcmp(a.data, b.data, WORDS * sizeof *a.data)))
        VIOLATE(w, "invariant 2: SM%d block %u of time %u differs from L2's", sm, block, a.wts);
    if (a.wts < b.wts && a.rts >= b.wts && memcmp(a.data, b.data, WORDS * sizeof *a.data))
        VIOLATE(w, "invariant 2: SM%d block %u may be read until %u, L2 has other data since %u", sm, block, a.rts,
                b.wts);
}

static inline bool is_in(const char *states, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = states; (at = strstr(at, name)); at++)
        if ((at == states || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* One owner and nobody else, or readers who have what L2 has; what an L1 has is in L2. */
static inline void check_directory(walk *w)
{
    state *const s = w->s;
    for (unsigned block = 0; block < BLOCKS; block++) {
        const ws_line_view b = ws_l2_look(w->c, l2_of(w, s), block);
        const char *const bank = ws_l2_state_name(b.state);
        int owner = -1, reader = -1;
        for (int sm = 0; sm < SMS; sm++) {
            const ws_line_view a = ws_l1_look(w->c, l1_of(w, s, sm), block);
            const char *const name = ws_l1_state_name(a.state);
            const bool owns = is_in("E M", name), reads = is_in("S SM", name);
            if (owns && owner >= 0)
                VIOLATE(w, "one owner: SM%d and SM%d own block %u", owner, sm, block);
            owner = owns ? sm : owner;
            reader = reads ? sm : reader;
            if ((owns || reads) && is_in("I IV", bank))
                VIOLATE(w, "inclusion: SM%d has block %u, which is not in L2", sm, block);
            if (reads && is_in("VS VC VR", bank) && memcmp(a.data, b.data, WORDS * sizeof *a.data))
                VIOLATE(w, "same data: the copy of SM%d of block %u differs from L2's", sm, block);
        }
        if (owner >= 0 && reader >= 0)
            VIOLATE(w, "one owner: SM%d owns block %u while SM%d has a copy", owner, block, reader);
    }
}

static inline void check_state(walk *w)
{
    state *const s = w->s;
    if (w->write_back)
        check_directory(w);
    if (ws_l2_epoch(l2_of(w, s)) > w->epochs)
        w->epochs = ws_l2_epoch(l2_of(w, s));
    for (int sm = 0; sm < SMS; sm++) {
        unsigned reads = 0, in_flight = 0;
        for (unsigned block = 0; block < BLOCKS; block++) {
            const ws_line_view v = ws_l1_look(w->c, l1_of(w, s, sm), block);
            reads += v.reads;
            if (w->config.combine && v.reads > 1)
                VIOLATE(w, "invariant 12: SM%d has %u reads of block %u in flight", sm, v.reads, block);
            if (w->logical)
                check_copy(w, sm, block);
        }
        for (unsigned i = 0; i < s->requests[sm]; i++)
            in_flight += s->request[sm][i].bytes[0] == WS_MESSAGE_READ;
        for (unsigned i = 0; i < s->replies[sm]; i++)
            in_flight += s->reply[sm][i].bytes[0] == WS_MESSAGE_FILL || s->reply[sm][i].bytes[0] == WS_MESSAGE_RENEW;
        if (w->logical && in_flight > reads && w->config.closings == WS_CLOSE_DEFAULT)
            VIOLATE(w, "invariant 12: SM%d expects %u answers to reads, %u are on the network", sm, reads, in_flight);
        for (unsigned warp = 0; w->logical && warp < WARPS; warp++)
            if (ws_l1_epoch(l1_of(w, s, sm)) == ws_l2_epoch(l2_of(w, s)) &&
                ws_l1_warp_ts(w->c, l1_of(w, s, sm), warp) > ws_l2_max_ts(l2_of(w, s)) + (w->config.spin < 100))
                VIOLATE(w, "invariant 9: the time of warp %u of SM%d is beyond all that L2 gave", warp, sm);
    }
}

/* --- Moves --- */

enum { MOVE_ISSUE, MOVE_REQUEST, MOVE_REPLY, MOVE_DRAM, MOVE_EVICT, MOVE_EVICT_L2, MOVE_TICK, MOVE_KINDS };
enum { PER_KIND = 32 };

static inline int issue(walk *w, unsigned thread, const ws_coherence_ports *ports)
{
    state *const s = w->s;
    const unsigned index = s->next[thread];
    if (index >= w->program->length[thread])
        return WS_COHERENCE_RETRY;
    const op *const o = &w->program->ops[thread][index];
    ws_request a;
    memset(&a, 0, sizeof a);
    a.kind = o->kind == POLL ? WS_REQUEST_LOAD : o->kind;
    a.poll = o->kind == POLL;
    a.ahead = a.kind == WS_REQUEST_LOAD;
    a.warp = (uint16_t)(thread % WARPS);
    a.tag = (uint16_t)(thread * 16 + index);
    a.block = o->variable / WORDS;
    a.mask = 1u << o->variable % WORDS;
    a.data[o->variable % WORDS] = o->value;
    s->next[thread]++;
    s->floor[thread][index] = s->versions[o->variable];
    w->sm = (int)(thread / WARPS);
    return ws_l1_access(w->c, l1_of(w, s, w->sm), &a, s->now + (uint32_t)w->skew[w->sm], ports);
}

static inline ws_coherence_message unpacked(const net_message *n)
{
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    memcpy(&m, n, sizeof *n);
    return m;
}

static inline int deliver_request(walk *w, unsigned sm, const ws_coherence_ports *ports)
{
    state *const s = w->s;
    if (sm >= SMS || !s->requests[sm])
        return WS_COHERENCE_RETRY;
    const ws_coherence_message m = unpacked(&s->request[sm][0]);
    memmove(&s->request[sm][0], &s->request[sm][1], (size_t)(--s->requests[sm]) * sizeof(net_message));
    memset(&s->request[sm][s->requests[sm]], 0, sizeof(net_message));
    w->sm = -1;
    return ws_l2_message(w->c, l2_of(w, s), &m, s->now, ports);
}

static inline int deliver_reply(walk *w, unsigned which, const ws_coherence_ports *ports)
{
    state *const s = w->s;
    const unsigned sm = which / NET, i = which % NET;
    if (sm >= SMS || i >= s->replies[sm])
        return WS_COHERENCE_RETRY;
    const ws_coherence_message m = unpacked(&s->reply[sm][i]);
    memmove(&s->reply[sm][i], &s->reply[sm][i + 1], (size_t)(--s->replies[sm] - i) * sizeof(net_message));
    memset(&s->reply[sm][s->replies[sm]], 0, sizeof(net_message));
    w->sm = (int)sm;
    ws_l1_bring(w->c, l1_of(w, s, w->sm), &m, hub_of(w, s));
    return ws_l1_message(w->c, l1_of(w, s, w->sm), &m, s->now + (uint32_t)w->skew[sm], ports);
}

static inline int deliver_dram(walk *w, unsigned block, const ws_coherence_ports *ports)
{
    state *const s = w->s;
    if (block >= BLOCKS || !(s->dram >> block & 1))
        return WS_COHERENCE_RETRY;
    s->dram &= (uint8_t) ~(1u << block);
    ws_coherence_message m;
    memset(&m, 0, sizeof m);
    m.type = WS_MESSAGE_DRAM_FILL;
    m.block = block;
    memcpy(m.data, s->memory[block], sizeof s->memory[0]);
    w->sm = -1;
    return ws_l2_message(w->c, l2_of(w, s), &m, s->now, ports);
}

static inline int make_move(walk *w, unsigned move)
{
    ws_coherence_ports storage;
    const ws_coherence_ports *const ports = ports_of(w, &storage);
    const unsigned which = move % PER_KIND;
    w->sm = (int)(which / BLOCKS);
    switch (move / PER_KIND) {
    case MOVE_ISSUE:
        return which < THREADS ? issue(w, which, ports) : WS_COHERENCE_RETRY;
    case MOVE_REQUEST:
        return deliver_request(w, which, ports);
    case MOVE_REPLY:
        return deliver_reply(w, which, ports);
    case MOVE_DRAM:
        return deliver_dram(w, which, ports);
    case MOVE_EVICT:
        return w->evict_l1 && which < SMS * BLOCKS
                   ? ws_l1_evict(w->c, l1_of(w, w->s, (int)(which / BLOCKS)), which % BLOCKS, ports)
                   : WS_COHERENCE_RETRY;
    case MOVE_EVICT_L2:
        w->sm = -1;
        return which < BLOCKS ? ws_l2_evict(w->c, l2_of(w, w->s), which, w->s->now, ports) : WS_COHERENCE_RETRY;
    default:
        if (which)
            return WS_COHERENCE_RETRY;
        w->s->now++;
        w->sm = -1;
        return ws_l2_advance(w->c, l2_of(w, w->s), w->s->now, ports);
    }
}

static inline void print_move(const walk *w, state *s, unsigned move)
{
    const unsigned which = move % PER_KIND;
    switch (move / PER_KIND) {
    case MOVE_ISSUE: {
        const op *const o = &w->program->ops[which][s->next[which]];
        static const char *const kinds[] = {"load", "store", "atomic add", "fence"};
        printf("SM%u warp %u: %s %s %u\n", which / WARPS, which % WARPS, o->kind == POLL ? "poll" : kinds[o->kind],
               o->kind == FENCE ? "" : variable_names[o->variable], o->value);
        break;
    }
    case MOVE_REQUEST:
        printf("L2 receives the next request of SM%u: %s\n", which, ws_message_name(s->request[which][0].bytes[0]));
        break;
    case MOVE_REPLY:
        printf("SM%u receives %s\n", which / NET, ws_message_name(s->reply[which / NET][which % NET].bytes[0]));
        break;
    case MOVE_DRAM:
        printf("DRAM delivers block %s\n", which ? "Y" : "X");
        break;
    case MOVE_EVICT:
        printf("SM%u evicts block %s\n", which / BLOCKS, which % BLOCKS ? "Y" : "X");
        break;
    case MOVE_EVICT_L2:
        printf("L2 evicts block %s\n", which ? "Y" : "X");
        break;
    default:
        printf("time goes on to %u\n", s->now + 1);
    }
}

/* --- Breadth first --- */

/* How something came about makes no difference. */
static inline void forget_counts(const walk *w, state *s)
{
    if (!w->hub_bytes)
        return;
    ws_hub *const hub = hub_of(w, s);
    hub->counts = (ws_race_counts){0};
    for (int sm = 0; sm < SMS; sm++)
        ((ws_l1_race *)((char *)l1_of(w, s, sm) + w->c->l1_race))->counts = (ws_race_counts){0};
}

static inline void initial_state(walk *w, state *s)
{
    memset(s, 0, w->bytes);
    if (w->hub_bytes)
        ws_hub_init(w->c, hub_of(w, s));
    for (int sm = 0; sm < SMS; sm++)
        ws_l1_init(w->c, l1_of(w, s, sm), (uint32_t)sm);
    ws_l2_init(w->c, l2_of(w, s), 0);
    s->now = 8; /* so that a skewed clock is not before the beginning */
    for (int v = 0; v < VARIABLES; v++)
        s->read[v] = (stamp){0, 0};
}

static inline void *grown(void *memory, size_t bytes)
{
    void *const p = realloc(memory, bytes);
    if (!p)
        abort();
    return p;
}

/* True when the state is new; it gets the next number. */
static inline bool remember(walk *w, const state *s, uint32_t parent, unsigned move)
{
    const XXH128_hash_t h = XXH3_128bits(s, w->bytes);
    if (2 * (w->states + 1) > w->table_size) {
        const size_t size = w->table_size ? 2 * w->table_size : 1 << 12;
        w->table = grown(w->table, size * sizeof *w->table);
        memset(w->table, 0, size * sizeof *w->table);
        for (size_t i = 0; i < w->states; i++) {
            size_t at = w->hashes[i].low64 & (size - 1);
            while (w->table[at])
                at = (at + 1) & (size - 1);
            w->table[at] = i + 1;
        }
        w->table_size = size;
    }
    size_t at = h.low64 & (w->table_size - 1);
    for (; w->table[at]; at = (at + 1) & (w->table_size - 1))
        if (XXH128_isEqual(w->hashes[w->table[at] - 1], h)) {
            w->found = w->table[at] - 1;
            return false;
        }
    if (w->states == w->capacity) {
        w->capacity = w->capacity ? 2 * w->capacity : 1 << 12;
        w->nodes = grown(w->nodes, w->capacity * sizeof *w->nodes);
        w->hashes = grown(w->hashes, w->capacity * sizeof *w->hashes);
        w->ends = grown(w->ends, w->capacity);
        memset(w->ends + w->states, 0, w->capacity - w->states);
    }
    w->hashes[w->states] = h;
    w->nodes[w->states] = (node){parent, (uint16_t)move};
    w->found = w->states;
    w->table[at] = ++w->states;
    return true;
}

static inline void add_to_frontier(walk *w, int which, const state *s, uint32_t number)
{
    const size_t bytes = w->bytes + sizeof(uint64_t);
    if (w->frontier_count[which] == w->frontier_room[which]) {
        w->frontier_room[which] = w->frontier_room[which] ? 2 * w->frontier_room[which] : 256;
        w->frontier[which] = grown(w->frontier[which], w->frontier_room[which] * bytes);
    }
    uint8_t *const at = w->frontier[which] + w->frontier_count[which]++ * bytes;
    memcpy(at, s, w->bytes);
    memcpy(at + w->bytes, &number, sizeof number);
}

static inline bool shows_outcome(const walk *w, const state *s)
{
    for (unsigned i = 0; i < w->program->conditions; i++)
        if (s->value[w->program->outcome[i].thread][w->program->outcome[i].index] != w->program->outcome[i].value)
            return false;
    return w->program->conditions > 0;
}

/* Could the move do anything? Spares copying the state for those that cannot. */
static inline bool is_possible(const walk *w, const state *s, unsigned move)
{
    const unsigned which = move % PER_KIND;
    switch (move / PER_KIND) {
    case MOVE_ISSUE:
        return which < THREADS && s->next[which] < w->program->length[which];
    case MOVE_REQUEST:
        return which < SMS && s->requests[which];
    case MOVE_REPLY:
        return which / NET < SMS && which % NET < s->replies[which / NET];
    case MOVE_DRAM:
        return which < BLOCKS && (s->dram >> which & 1);
    case MOVE_EVICT:
        return w->evict_l1 && which < SMS * BLOCKS;
    case MOVE_EVICT_L2:
        return w->evict_l1 && which < BLOCKS;
    default:
        return !which && s->now < w->end_of_time;
    }
}

static inline bool is_finished(const walk *w, const state *s)
{
    for (unsigned t = 0; t < THREADS; t++)
        if (s->done[t] != (1u << w->program->length[t]) - 1)
            return false;
    for (unsigned sm = 0; sm < SMS; sm++)
        if (s->requests[sm] || s->replies[sm])
            return false;
    return !s->dram;
}

static inline void add_edge(walk *w, uint32_t from, uint32_t to)
{
    if (w->edge_count == w->edge_room) {
        w->edge_room = w->edge_room ? 2 * w->edge_room : 1 << 12;
        w->edges = grown(w->edges, w->edge_room * sizeof *w->edges);
    }
    w->edges[w->edge_count++] = (struct edge){from, to};
}

/* Invariant 11: from every state all programs can come to their end. Later edges come from later states, so going
 * backwards through them needs few rounds. */
static inline void check_progress(walk *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = w->edge_count; i-- > 0;)
            if (w->ends[w->edges[i].to] && !w->ends[w->edges[i].from]) {
                w->ends[w->edges[i].from] = 1;
                changed = true;
            }
    }
    for (size_t i = 0; i < w->states; i++)
        if (!w->ends[i]) {
            VIOLATE(w, "invariant 11: from here the programs never come to their end");
            w->nodes[0] = (node){(uint32_t)i, UINT16_MAX};
            return;
        }
}

/* Makes the move from that state; true when it was one that goes on. Evictions alone are no way on: who waits for
 * them waits for ever. */
static inline bool try_move(walk *w, const state *from, uint32_t number, unsigned move, int into)
{
    memcpy(w->scratch, from, w->bytes);
    w->s = (state *)w->scratch;
    const int rc = make_move(w, move);
    if (rc < 0)
        VIOLATE(w, "%s", ws_message());
    if (rc > 0)
        return false;
    check_state(w);
    forget_counts(w, w->s);
    if (remember(w, w->s, number, move))
        add_to_frontier(w, into, w->s, (uint32_t)(w->states - 1));
    add_edge(w, number, (uint32_t)w->found);
    if (w->violation[0])
        w->nodes[0] = (node){number, (uint16_t)move};
    return move / PER_KIND < MOVE_EVICT || move / PER_KIND == MOVE_TICK;
}

/* All moves of one state. Up to end_of_time a tick may come at any moment; afterwards only when nothing else can,
 * so that whoever waits for time gets it. */
static inline void expand(walk *w, const state *from, uint32_t number, int into)
{
    bool goes_on = false;
    for (unsigned move = 0; move < MOVE_KINDS * PER_KIND && !w->violation[0]; move++)
        if (is_possible(w, from, move))
            goes_on |= try_move(w, from, number, move, into);
    const bool finished = is_finished(w, from);
    w->ends[number] = finished;
    if (!goes_on && !finished && w->end_of_time > 8 && from->now < w->end_of_time + 40)
        goes_on = try_move(w, from, number, MOVE_TICK * PER_KIND, into);
    if (goes_on || w->violation[0])
        return;
    w->terminals++;
    if (!finished) {
        VIOLATE(w, "invariant 11: nothing can move, and not all accesses are complete");
        w->nodes[0] = (node){number, UINT16_MAX};
    }
    w->outcomes += shows_outcome(w, from);
}

static inline void print_counterexample(walk *w)
{
    uint16_t moves[512];
    size_t n = 0;
    if (w->nodes[0].move != UINT16_MAX)
        moves[n++] = w->nodes[0].move;
    for (uint32_t at = w->nodes[0].parent; at && n < 512; at = w->nodes[at].parent)
        moves[n++] = w->nodes[at].move;
    printf("%s, %s:\n", w->config.protocol, w->program->name);
    char kept[sizeof w->violation];
    memcpy(kept, w->violation, sizeof kept);
    w->s = (state *)w->scratch;
    initial_state(w, w->s);
    w->verbose = true;
    for (size_t i = n; i-- > 0;) {
        printf("  %2zu. ", n - i);
        print_move(w, w->s, moves[i]);
        make_move(w, moves[i]);
    }
    w->verbose = false;
    printf("  => %s\n", kept);
}

static inline void walk_fini(walk *w)
{
    free(w->nodes);
    free(w->edges);
    free(w->ends);
    free(w->hashes);
    free(w->table);
    free(w->frontier[0]);
    free(w->frontier[1]);
    free(w->scratch);
    ws_coherence_destroy(w->c);
}

static inline ws_coherence_config small_config(const char *protocol)
{
    return (ws_coherence_config){.protocol = protocol,
                                 .sms = SMS,
                                 .warps = WARPS,
                                 .words = WORDS,
                                 .l1_sets = 1,
                                 .l1_ways = 2,
                                 .l1_mshrs = 2,
                                 .l1_pending = 8,
                                 .l2_sets = 1,
                                 .l2_ways = 1,
                                 .l2_queue = 8,
                                 .slices = 1,
                                 .lease = 2,
                                 .timestamp_bits = 16,
                                 .spin = 100,
                                 .closings = WS_CLOSE_DEFAULT,
                                 .visibility = 1,
                                 .combine = true,
                                 .race = {.bits = 64,
                                          .depth = 1,
                                          .hashes = 2,
                                          .unit = WORDS * 4,
                                          .block = WORDS * 4,
                                          .capacity = 3,
                                          .hits = 4,
                                          .queue = 1,
                                          .slots = 3,
                                          .latency = 1,
                                          .ports = 1}};
}

/* Walks w->program; w->config and the options are set. 0, or -1 when there are more states than w->limit. */
static inline int walk_all(walk *w)
{
    if (ws_coherence_create(&w->config, &w->c)) {
        VIOLATE(w, "%s", ws_message());
        return -1;
    }
    w->logical = !strncmp(w->config.protocol, "gtsc", 4);
    w->sequential = strstr(w->config.protocol, "-sc") != NULL;
    w->logical &= !w->lax;
    w->ordered = ws_coherence_detects_races(w->config.protocol) && !w->lax;
    w->sequential |= w->ordered;
    w->write_back = !strcmp(w->config.protocol, "mesi");
    w->l1_bytes = ws_l1_bytes(w->c);
    w->l2_bytes = ws_l2_bytes(w->c);
    w->hub_bytes = ws_hub_bytes(w->c);
    w->bytes = sizeof(state) + SMS * w->l1_bytes + w->l2_bytes + w->hub_bytes;
    w->scratch = grown(NULL, w->bytes);
    state *const first = (state *)w->scratch;
    initial_state(w, first);
    remember(w, first, 0, 0);
    add_to_frontier(w, 0, first, 0);
    for (int from = 0; w->frontier_count[from] && !w->violation[0] && w->states < w->limit; from = !from) {
        for (size_t i = 0; i < w->frontier_count[from] && !w->violation[0] && w->states < w->limit; i++) {
            const uint8_t *const at = w->frontier[from] + i * (w->bytes + sizeof(uint64_t));
            uint32_t number;
            memcpy(&number, at + w->bytes, sizeof number);
            expand(w, (const state *)at, number, !from);
        }
        w->frontier_count[from] = 0;
    }
    if (!w->violation[0] && w->states < w->limit)
        check_progress(w);
    return w->states < w->limit ? 0 : -1;
}

#endif
