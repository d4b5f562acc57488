/* directory_l1.c - the write-back L1 of an SM under a directory: stores are done in the copy once it is the only one.
 *
 * At most one request of an SM for a block is in flight. Messages of the slice may overtake each other; those that ask
 * for something are answered exactly once in every state. */
#include "model/coherence/directory_internal.h"
#include "model/coherence/l1_memory_internal.h"

#include "base/status.h"

#include <assert.h>
#include <string.h>

typedef struct step {
    const ws_coherence *c;
    ws_l1 *l1;
    ws_l1_line *line; /* of `block`; NULL while there is none */
    uint64_t block;
    const ws_coherence_ports *ports;
    ws_pending *entry;      /* the access that is looked at */
    const uint32_t *stored; /* its data, of a store or atomic */
    const ws_coherence_message *message;
    bool done;     /* the access is complete */
    bool replaced; /* the line makes room for another block */
} step;

/* --- Lines --- */

static void drop_line(step *s, bool dirty)
{
    release_line(s->c, s->l1, s->line, (ws_cache_end){.replaced = s->replaced, .dirty = dirty});
    s->line = NULL;
}

static bool is_asking(uint8_t state)
{
    return state == L1_IV || state == L1_IVD || state == L1_IM || state == L1_SM;
}

static bool has_copy(const ws_l1_line *of)
{
    return of && (of->state == L1_S || of->state == L1_SM || of->state == L1_E || of->state == L1_M);
}

static bool is_owner(const ws_l1_line *of)
{
    return of && (of->state == L1_E || of->state == L1_M);
}

/* --- Accesses that wait --- */

static void complete(step *s, const ws_pending *entry, const uint32_t *data)
{
    const ws_completion completion = {.kind = entry->kind,
                                      .warp = entry->warp,
                                      .tag = entry->tag,
                                      .mask = entry->mask,
                                      .block = entry->block,
                                      .data = data};
    s->ports->complete(s->ports->context, &completion);
    s->done = true;
}

/* --- Actions --- */

typedef void action(step *s);

static void send(step *s, uint8_t type, const ws_pending *entry, const uint32_t *data)
{
    ws_coherence_message m;
    memset(&m, 0, offsetof(ws_coherence_message, data));
    m.type = type;
    m.sm = s->l1->sm;
    m.block = s->block;
    m.has_copy = type == WS_MESSAGE_OWN && has_copy(s->line);
    if (entry) {
        m.warp = entry->warp;
        m.tag = entry->tag;
    }
    if (data)
        memcpy(m.data, data, block_bytes(s->c));
    s->ports->send(s->ports->context, &m);
}

static void send_read(step *s)
{
    s->entry->attached = s->entry->first = true;
    send(s, WS_MESSAGE_READ, s->entry, NULL);
}

static void send_own(step *s)
{
    s->entry->attached = s->entry->first = true;
    send(s, WS_MESSAGE_OWN, s->entry, NULL);
}

static void send_again(step *s)
{
    const ws_pending asked = {.warp = s->message->warp, .tag = s->message->tag};
    const bool owns = s->line->state == L1_IM || s->line->state == L1_SM;
    send(s, owns ? WS_MESSAGE_OWN : WS_MESSAGE_READ, &asked, NULL);
}

static void join(step *s)
{
    s->entry->attached = true;
}

static void park(step *s)
{
    (void)s; /* it stays in the list, without a request to wait for */
}

static void hit(step *s)
{
    use_line(s->c, s->l1, s->line, s->entry);
    complete(s, s->entry, data_of(s->c, s->l1, s->line));
}

static void perform(step *s)
{
    const ws_pending *const entry = s->entry;
    uint32_t *const data = data_of(s->c, s->l1, s->line);
    uint32_t old[WS_COHERENCE_WORDS];
    memcpy(old, data, block_bytes(s->c));
    for (uint32_t i = 0; i < s->c->config.words; i++)
        if (entry->mask >> i & 1)
            data[i] = entry->kind == WS_REQUEST_ATOMIC ? data[i] + s->stored[i] : s->stored[i];
    /* What was fetched for an access is no new use of its line. */
    if (s->message && s->message->type != WS_MESSAGE_GRANT && entry->first)
        renew_line(s->c, s->l1, s->line);
    else
        use_line(s->c, s->l1, s->line, entry);
    complete(s, entry, entry->kind == WS_REQUEST_ATOMIC ? old : NULL);
}

static void install(step *s)
{
    memcpy(data_of(s->c, s->l1, s->line), s->message->data, block_bytes(s->c));
}

/* In the order they came. Data that are not kept are those of the message. */
static void serve_all(step *s)
{
    for (size_t i = 0; i < s->l1->pending_count;) {
        ws_pending *const entry = &pending_of(s->c, s->l1)[i];
        if (entry->block != s->block || !entry->attached) {
            i++;
            continue;
        }
        s->entry = entry;
        s->stored = aside_of(s->c, s->l1, i);
        if (entry->kind != WS_REQUEST_LOAD)
            perform(s);
        else
            complete(s, entry, has_copy(s->line) ? data_of(s->c, s->l1, s->line) : s->message->data);
        drop_pending(s->c, s->l1, i);
    }
}

static void send_taken(step *s)
{
    send(s, WS_MESSAGE_TAKEN, NULL, NULL);
}

static void send_none(step *s)
{
    send(s, WS_MESSAGE_NONE, NULL, NULL);
}

static void send_clean(step *s)
{
    send(s, WS_MESSAGE_CLEAN, NULL, NULL);
}

static void send_data(step *s)
{
    send(s, WS_MESSAGE_DATA, NULL, data_of(s->c, s->l1, s->line));
}

static void put(step *s)
{
    ws_coherence_counts *const counts = counts_at(s->c, s->l1, s->c->l1_counts);
    if (counts)
        counts->writebacks++;
    send(s, WS_MESSAGE_PUT, NULL, data_of(s->c, s->l1, s->line));
}

static action *const actions[L1_ACTIONS] = {
    [DO_hit] = hit,   [DO_send_read] = send_read, [DO_join] = join,
    [DO_park] = park, [DO_install] = install,     [DO_serve_all] = serve_all,
#define ACTION(name, meaning) [DO_##name] = name,
#include "model/coherence/l1_directory_actions.def"
#undef ACTION
};

/* --- Transitions --- */

static int happen(step *s, int event);

static int make_room(step *s)
{
    const ws_cache_use use = use_of(s->l1, s->block, s->entry, true);
    ws_l1_line *const way = choose_line(s->c, s->l1, &use);
    if (!way)
        return WS_COHERENCE_NO_LINE;
    if (way->state != L1_I) {
        ws_coherence_counts *const counts = counts_at(s->c, s->l1, s->c->l1_counts);
        if (counts)
            counts->evictions++;
        step evict = {.c = s->c, .l1 = s->l1, .line = way, .block = way->block, .ports = s->ports, .replaced = true};
        const int rc = happen(&evict, ON_EVICT);
        if (rc)
            return rc;
    }
    name_line(s->c, s->l1, way, &use);
    s->line = way;
    return WS_OK;
}

/* A line that is given up is there while the actions run. A copy that is asked for exclusively is there as well. */
static int happen(step *s, int event)
{
    const uint8_t state = s->line ? s->line->state : L1_I;
    const ws_row *const row = s->c->l1[state][event];
    if (!row)
        return ws_l1_no_row(s->c, s->l1, state, event);
    if (is_asking(row->next) && !is_asking(state) && s->l1->reading >= s->c->config.l1_mshrs)
        return WS_COHERENCE_NO_MSHR;
    if (!s->line && row->next != L1_I) {
        const int rc = make_room(s);
        if (rc)
            return rc;
    }
    s->l1->reading += is_asking(row->next);
    s->l1->reading -= is_asking(state);
    if (s->line && row->next != L1_I) {
        s->line->state = row->next;
        if (row->next == L1_IM && state == L1_SM)
            memset(data_of(s->c, s->l1, s->line), 0, block_bytes(s->c));
    }
    for (int i = 0; i < ROW_ACTIONS && row->actions[i]; i++)
        actions[row->actions[i]](s);
    if (s->line && row->next == L1_I)
        drop_line(s, state == L1_M);
    return WS_OK;
}

static int access_event(const step *s)
{
    if (s->entry->kind == WS_REQUEST_LOAD)
        return has_copy(s->line) ? ON_LOAD : ON_MISS;
    return s->entry->kind == WS_REQUEST_STORE ? ON_STORE : ON_UPDATE;
}

/* Accesses that wait for no message look whether they can go on. Those of one block stay in order. */
static int look_again(step *s)
{
    for (size_t i = 0; i < s->l1->pending_count;) {
        ws_pending *const entry = &pending_of(s->c, s->l1)[i];
        s->done = false;
        if (!entry->attached) {
            s->entry = entry;
            s->block = entry->block;
            s->stored = aside_of(s->c, s->l1, i);
            s->line = find_line(s->c, s->l1, s->block);
            const int rc = happen(s, access_event(s));
            if (rc < 0)
                return rc;
        }
        if (s->done)
            drop_pending(s->c, s->l1, i);
        else
            i++;
    }
    return WS_OK;
}

/* --- Calls from outside --- */

/* One instruction of a warp is in flight; its accesses to one block, too, keep their order. */
static bool must_wait(const ws_coherence *c, const ws_l1 *l1, const ws_request *access)
{
    const ws_pending *const list = pending_of(c, l1);
    for (uint32_t i = 0; i < l1->pending_count; i++)
        if (list[i].warp == access->warp &&
            (list[i].tag != access->tag || access->kind == WS_REQUEST_FENCE ||
             (list[i].block == access->block && (list[i].kind != access->kind || access->kind == WS_REQUEST_ATOMIC))))
            return true;
    return false;
}

/* Once an access, when it is taken: how it went at first sight. */
static void count_access(ws_coherence_counts *counts, const step *s)
{
    const uint8_t kind = s->entry->kind;
    *(kind == WS_REQUEST_LOAD ? &counts->loads : kind == WS_REQUEST_STORE ? &counts->stores : &counts->atomics) += 1;
    *(s->done ? &counts->hits : s->entry->first ? &counts->misses : &counts->merged) += 1;
}

static int take_access(const ws_coherence *c, ws_l1 *l1, const ws_request *access, const ws_coherence_ports *ports)
{
    assert(access->warp < c->config.warps);
    if (must_wait(c, l1, access))
        return WS_COHERENCE_RETRY;
    ws_pending entry = pending_from(access);
    step s = {.c = c, .l1 = l1, .block = access->block, .ports = ports, .entry = &entry, .stored = access->data};
    if (access->kind == WS_REQUEST_FENCE) {
        complete(&s, &entry, NULL);
        return WS_OK;
    }
    s.line = find_line(c, l1, access->block);
    const bool at_once = access->kind == WS_REQUEST_LOAD ? has_copy(s.line) : is_owner(s.line);
    if (!at_once && l1->pending_count == c->config.l1_pending)
        return WS_COHERENCE_NO_ROOM;
    const int rc = happen(&s, access_event(&s));
    if (rc)
        return rc;
    if (c->config.count)
        count_access(counts_at(c, l1, c->l1_counts), &s);
    if (s.done)
        return WS_OK;
    if (access->kind != WS_REQUEST_LOAD)
        memcpy(aside_of(c, l1, l1->pending_count), access->data, block_bytes(c));
    pending_of(c, l1)[l1->pending_count++] = entry;
    return WS_OK;
}

int ws_directory_l1_access(const ws_coherence *c, void *l1, const ws_request *access, const ws_coherence_ports *ports)
{
    return count_refusal(c, l1, take_access(c, l1, access, ports));
}

int ws_directory_l1_message(const ws_coherence *c, void *l1, const ws_coherence_message *message,
                            const ws_coherence_ports *ports)
{
    static const struct {
        uint8_t type, event;
    } events[] = {
        {WS_MESSAGE_FILL, ON_FILL}, {WS_MESSAGE_FILL_OWN, ON_FILL_OWN},     {WS_MESSAGE_GRANT, ON_GRANT},
        {WS_MESSAGE_BUSY, ON_BUSY}, {WS_MESSAGE_INVALIDATE, ON_INVALIDATE}, {WS_MESSAGE_FETCH, ON_FETCH},
    };
    step s = {.c = c, .l1 = l1, .block = message->block, .ports = ports, .message = message};
    s.line = find_line(c, l1, message->block);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        if (events[i].type == message->type) {
            const int rc = happen(&s, events[i].event);
            return rc ? rc : look_again(&s);
        }
    return ws_fail(WS_EVERIFY, "coherence %s: SM %u: a message %s", c->protocol->name, s.l1->sm,
                   ws_message_name((ws_message_type)message->type));
}

int ws_directory_l1_evict(const ws_coherence *c, void *l1, uint64_t block, const ws_coherence_ports *ports)
{
    step s = {.c = c, .l1 = l1, .line = find_line(c, l1, block), .block = block, .ports = ports};
    if (!s.line || !c->l1[s.line->state][ON_EVICT])
        return WS_COHERENCE_RETRY;
    return happen(&s, ON_EVICT);
}

int ws_directory_l1_flush(const ws_coherence *c, void *memory, const ws_coherence_ports *ports)
{
    ws_l1 *const l1 = memory;
    if (l1->reading || l1->pending_count)
        return WS_COHERENCE_RETRY;
    const size_t lines = (size_t)c->config.l1_sets * c->config.l1_ways;
    for (size_t i = 0; i < lines; i++) {
        ws_l1_line *const at = &lines_of(c, l1)[i];
        if (at->state == L1_I)
            continue;
        step s = {.c = c, .l1 = l1, .line = at, .block = at->block, .ports = ports};
        const int rc = happen(&s, ON_FLUSH);
        if (rc)
            return rc;
    }
    return WS_OK;
}

ws_line_view ws_directory_l1_look(const ws_coherence *c, const void *l1, uint64_t block)
{
    const ws_l1_line *const at = find_line(c, l1, block);
    if (!at)
        return (ws_line_view){.state = L1_I};
    return (ws_line_view){
        .state = at->state, .reads = is_asking(at->state), .dirty = at->state == L1_M, .data = data_of(c, l1, at)};
}
