/* memory_checker.c - did every load return a value that the memory model allows?
 *
 * Each word has its versions in the order in which L2 performed them. A store gives each word a number of its own; an
 * atomic gives the value before plus 1, so its values need not be unique. Where a version is looked for by its value,
 * the latest with it counts: then less is found, and nothing wrong is reported.
 *
 * Of a word the latest KEPT versions are known. A load that needs an older one is not checked and not counted. */
#include "model/sim/memory/memory_checker.h"

#include "base/grow.h"
#include "base/status.h"
#include "base/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 };

typedef struct version {
    uint64_t order;   /* of the word's versions: 1, 2, ... */
    uint64_t visible; /* to all from this cycle on */
    uint64_t at;      /* cycle in which L2 performed it */
    uint32_t value, time;
    uint16_t epoch, sm, warp;
} version;

typedef struct word {
    version *version; /* the latest, oldest first */
    uint32_t count, room;
    uint64_t versions;
    uint32_t read_time; /* of its latest load, logical; ordered: of its latest version, in the order of stores */
    uint16_t read_epoch, read_sm, read_warp;
} word;

/* An access between issue and completion. */
typedef struct access {
    uint64_t block, issued;
    uint32_t mask;
    uint16_t warp, tag;
    uint8_t kind;
    bool performed;
    bool done, local;           /* ordered: complete, and waits for its turn; of a word that one thread has */
    uint32_t instruction, time; /* ordered: of the warp; a store's place in the order of stores, */
    uint32_t place;             /* a local load's: behind which it comes */
    /* Stores: tokens; atomics: increments, then the old values; completed loads: the values. */
    uint32_t data[WS_COHERENCE_WORDS];
    uint64_t floor[WS_COHERENCE_WORDS]; /* eventual: the version that the warp knew when it asked; of stores, theirs */
} access;

typedef struct list {
    access *access; /* in the order of issue */
    uint32_t count, room;
} list;

/* Where a warp is: its accesses get their places in the order of its program, whichever is complete first. */
typedef struct turn {
    uint32_t issued, placed; /* instructions: the last one issued, the last one that has a place */
    uint32_t begin, place;   /* in the order of stores: where that one began, where the next one begins */
    uint16_t tag, open;      /* of the last one issued; its accesses that are not complete */
} turn;

struct ws_memory_checker {
    ws_promise promise;
    uint32_t sms, warps, words;
    uint32_t token; /* the next one */
    uint64_t checked;
    list *sm;
    ws_table index; /* block * 32 + word -> number in `word`, plus 1 */
    word *word;
    size_t word_count, word_room;
    turn *turn;    /* ordered: [sms * warps] */
    ws_table seen; /* eventual: word number, SM and warp -> the latest version that it stored or read */
};

/* ------------------------------------------------------------------------------------------------ tables */

/* 0: there is none. */
static uint64_t number_of(const ws_table *numbers, uint64_t key)
{
    const uint64_t *const number = ws_table_find(numbers, key);
    return number ? *number : 0;
}

static int set_number(ws_table *numbers, uint64_t key, uint64_t number)
{
    uint64_t *const place = ws_table_put(numbers, key);
    if (!place)
        return ws_fail(WS_EMEM, "no memory to check loads of %zu words", numbers->used);
    *place = number;
    return WS_OK;
}

static int find_word(ws_memory_checker *g, uint64_t block, unsigned i, size_t *number)
{
    const uint64_t key = block * WS_COHERENCE_WORDS + i, known = number_of(&g->index, key);
    *number = (size_t)known - 1;
    if (known)
        return WS_OK;
    int rc = WS_GROW(g->word, g->word_room, g->word_count, 1);
    if (rc)
        return rc;
    rc = set_number(&g->index, key, g->word_count + 1);
    if (rc)
        return rc;
    *number = g->word_count++;
    memset(&g->word[*number], 0, sizeof *g->word);
    return WS_OK;
}

static uint64_t seen_key(const ws_memory_checker *g, size_t number, uint32_t sm, uint32_t warp)
{
    return ((uint64_t)number * g->sms + sm) * g->warps + warp;
}

/* The warp knows the version: nothing older may come. */
static int note_seen(ws_memory_checker *g, size_t number, uint32_t sm, uint32_t warp, uint64_t order)
{
    const uint64_t key = seen_key(g, number, sm, warp);
    if (g->promise != WS_PROMISE_EVENTUAL || order <= number_of(&g->seen, key))
        return WS_OK;
    return set_number(&g->seen, key, order);
}

static const version *latest_of(const word *w)
{
    return w->count ? &w->version[w->count - 1] : NULL;
}

/* ------------------------------------------------------------------------------------------------ life */

int ws_memory_checker_create(ws_promise promise, uint32_t sms, uint32_t warps, uint32_t words, ws_memory_checker **out)
{
    *out = NULL;
    if (!sms || !warps || !words || words > WS_COHERENCE_WORDS)
        return ws_fail(WS_EINPUT,
                       "checking loads: %u SMs, %u warps, %u words in a block; expected at least 1 of each and "
                       "at most %d words",
                       sms, warps, words, WS_COHERENCE_WORDS);
    ws_memory_checker *const g = calloc(1, sizeof *g);
    list *const lists = calloc(sms, sizeof *lists);
    turn *const turns = calloc((size_t)sms * warps, sizeof *turns);
    if (!g || !lists || !turns) {
        free(g);
        free(lists);
        free(turns);
        return ws_fail(WS_EMEM, "no memory to check loads");
    }
    *g = (ws_memory_checker){.promise = promise, .sms = sms, .warps = warps, .words = words, .token = 1, .sm = lists};
    g->turn = turns;
    g->index = g->seen = WS_TABLE(uint64_t);
    *out = g;
    return WS_OK;
}

void ws_memory_checker_destroy(ws_memory_checker *checker)
{
    if (!checker)
        return;
    for (uint32_t i = 0; i < checker->sms; i++)
        free(checker->sm[i].access);
    for (size_t i = 0; i < checker->word_count; i++)
        free(checker->word[i].version);
    free(checker->sm);
    free(checker->turn);
    free(checker->word);
    ws_table_fini(&checker->index);
    ws_table_fini(&checker->seen);
    free(checker);
}

uint64_t ws_memory_checker_checked(const ws_memory_checker *checker)
{
    return checker->checked;
}

uint32_t ws_memory_checker_value(const ws_memory_checker *checker, uint64_t block, unsigned i)
{
    const uint64_t known = number_of(&checker->index, block * WS_COHERENCE_WORDS + i);
    const version *const last = known ? latest_of(&checker->word[known - 1]) : NULL;
    return last ? last->value : 0;
}

void ws_memory_checker_set_token(ws_memory_checker *checker, uint32_t token)
{
    checker->token = token;
}

/* ------------------------------------------------------------------------------------------------ issue */

static int check_names(const ws_memory_checker *g, uint32_t sm, uint32_t warp, uint32_t mask)
{
    if (sm < g->sms && warp < g->warps && (g->words == 32 || !(mask >> g->words)))
        return WS_OK;
    return ws_fail(WS_EVERIFY,
                   "an access of warp %u of SM %u with words %#x; there are %u SMs of %u warps, blocks of %u "
                   "words",
                   warp, sm, mask, g->sms, g->warps, g->words);
}

static int give_tokens(ws_memory_checker *g, ws_request *request)
{
    for (unsigned i = 0; i < g->words; i++) {
        if (!(request->mask >> i & 1))
            continue;
        if (request->kind == WS_REQUEST_ATOMIC) {
            request->data[i] = request->summed ? request->data[i] : 1;
            continue;
        }
        if (g->token == UINT32_MAX)
            return ws_fail(WS_ELIMIT,
                           "checking loads: more than %u stored words, which need a number each; run without the "
                           "check, or a smaller input",
                           UINT32_MAX - 1);
        request->data[i] = g->token++;
    }
    return WS_OK;
}

/* Accesses of one instruction come one after the other. Of those that come when the ones before are complete it makes
 * no difference whether they are its own. */
static uint32_t instruction_of(turn *t, const ws_request *request)
{
    if (t->tag != request->tag || !t->open) {
        t->issued++;
        t->open = 0;
    }
    t->tag = request->tag;
    t->open++;
    return t->issued;
}

static void close_access(ws_memory_checker *g, uint32_t sm, const access *a)
{
    turn *const t = &g->turn[sm * g->warps + a->warp];
    t->open -= a->instruction == t->issued;
}

int ws_memory_checker_issue(ws_memory_checker *checker, uint32_t sm, ws_request *request, uint64_t now)
{
    if (request->kind == WS_REQUEST_FENCE)
        return WS_OK;
    int rc = check_names(checker, sm, request->warp, request->mask);
    if (!rc && request->kind != WS_REQUEST_LOAD)
        rc = give_tokens(checker, request);
    if (rc)
        return rc;
    list *const l = &checker->sm[sm];
    rc = WS_GROW(l->access, l->room, l->count, 1);
    if (rc)
        return rc;
    access *const a = &l->access[l->count];
    *a = (access){.block = request->block,
                  .issued = now,
                  .mask = request->mask,
                  .warp = request->warp,
                  .tag = request->tag,
                  .kind = request->kind,
                  .local = request->who.local,
                  .instruction = instruction_of(&checker->turn[sm * checker->warps + request->warp], request)};
    for (unsigned i = 0; i < checker->words; i++) {
        if (!(request->mask >> i & 1))
            continue;
        size_t number;
        rc = find_word(checker, request->block, i, &number);
        if (rc)
            return rc;
        const version *const last = latest_of(&checker->word[number]);
        if (a->local && last && last->time > a->place)
            a->place = last->time;
        if (request->kind == WS_REQUEST_LOAD)
            a->floor[i] = number_of(&checker->seen, seen_key(checker, number, sm, request->warp));
        else
            a->data[i] = request->data[i];
    }
    l->count++;
    return WS_OK;
}

static void take_away(list *l, access *a)
{
    const size_t behind = (size_t)(l->access + l->count - (a + 1));
    memmove(a, a + 1, behind * sizeof *a);
    l->count--;
}

void ws_memory_checker_refused(ws_memory_checker *checker, uint32_t sm)
{
    if (sm >= checker->sms || !checker->sm[sm].count)
        return;
    list *const l = &checker->sm[sm];
    close_access(checker, sm, &l->access[--l->count]);
}

/* ------------------------------------------------------------------------------------------------ perform */

static int compare(uint16_t epoch, uint32_t time, uint16_t other_epoch, uint32_t other_time)
{
    if (epoch != other_epoch)
        return epoch < other_epoch ? -1 : 1;
    return (time > other_time) - (time < other_time);
}

static int add_version(word *w, version v)
{
    if (w->count == KEPT) {
        memmove(w->version, w->version + 1, (KEPT - 1) * sizeof *w->version);
        w->count--;
    }
    const int rc = WS_GROW(w->version, w->room, w->count, 1);
    if (rc)
        return rc;
    v.order = ++w->versions;
    w->version[w->count++] = v;
    return WS_OK;
}

/* In logical time a store comes behind the stores before it and behind all loads that did not see it. */
static int check_store_time(const word *w, uint64_t block, unsigned i, const version *v)
{
    const version *const last = latest_of(w);
    if (last && compare(v->epoch, v->time, last->epoch, last->time) <= 0)
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64 " word %u: the store of warp %u of SM %u is at time %u.%u, but warp %u of "
                       "SM %u has already stored at %u.%u",
                       block, i, v->warp, v->sm, v->epoch, v->time, last->warp, last->sm, last->epoch, last->time);
    if (compare(v->epoch, v->time, w->read_epoch, w->read_time) < 0)
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64 " word %u: the store of warp %u of SM %u is at time %u.%u, but warp %u of "
                       "SM %u has read the older value at %u.%u",
                       block, i, v->warp, v->sm, v->epoch, v->time, w->read_warp, w->read_sm, w->read_epoch,
                       w->read_time);
    return WS_OK;
}

/* The race detector saw it behind all stores that have an answer for the word, and no load that missed it may have come
 * behind it. */
static int check_store_place(word *w, uint64_t block, unsigned i, const version *v)
{
    const version *const last = latest_of(w);
    if (last && v->time <= last->time)
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64
                       " word %u: the store of warp %u of SM %u has place %u in the order of stores, but is performed "
                       "behind that of place %u",
                       block, i, v->warp, v->sm, v->time, last->time);
    if (w->read_time >= v->time)
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64
                       " word %u: the store of warp %u of SM %u has place %u in the order of stores, but warp %u of "
                       "SM %u has read the older value behind place %u",
                       block, i, v->warp, v->sm, v->time, w->read_warp, w->read_sm, w->read_time);
    w->read_time = 0;
    return WS_OK;
}

/* Where plain caches write back, L2 may not know the latest value. */
static int check_old(const ws_memory_checker *g, const word *w, uint64_t block, unsigned i, const version *v,
                     uint32_t old)
{
    const version *const last = latest_of(w);
    const uint32_t expected = last ? last->value : 0;
    if (g->promise == WS_PROMISE_EVENTUAL || old == expected)
        return WS_OK;
    return ws_fail(WS_EVERIFY,
                   "block %#" PRIx64 " word %u: the atomic of warp %u of SM %u finds %u at cycle %" PRIu64
                   ", but the value is %u",
                   block, i, v->warp, v->sm, old, v->at, expected);
}

static int perform(ws_memory_checker *g, access *a, version v, const uint32_t *old)
{
    a->performed = true;
    for (unsigned i = 0; i < g->words; i++) {
        if (!(a->mask >> i & 1))
            continue;
        size_t number;
        int rc = find_word(g, a->block, i, &number);
        word *const w = &g->word[number];
        v.value = a->data[i];
        if (!rc && old) {
            rc = check_old(g, w, a->block, i, &v, old[i]);
            v.value = old[i] + a->data[i];
            a->data[i] = old[i];
        }
        if (!rc && g->promise == WS_PROMISE_LOGICAL)
            rc = check_store_time(w, a->block, i, &v);
        if (!rc && g->promise == WS_PROMISE_ORDERED)
            rc = check_store_place(w, a->block, i, &v);
        if (!rc)
            rc = add_version(w, v);
        if (rc)
            return rc;
        a->floor[i] = w->versions;
    }
    return WS_OK;
}

int ws_memory_checker_perform(ws_memory_checker *checker, const ws_coherence_message *answer, uint64_t now)
{
    const bool atomic = answer->type == WS_MESSAGE_ATOMIC_ACK;
    const uint8_t kind = atomic ? WS_REQUEST_ATOMIC : WS_REQUEST_STORE;
    const int rc = check_names(checker, answer->sm, answer->warp, atomic ? answer->mask : 0);
    if (rc)
        return rc;
    list *const l = &checker->sm[answer->sm];
    for (uint32_t i = 0; i < l->count; i++) {
        access *const a = &l->access[i];
        if (a->performed || a->kind != kind || a->tag != answer->tag || a->block != answer->block ||
            a->warp != answer->warp || (atomic && a->mask != answer->mask))
            continue;
        const version v = {.visible = answer->expiry > now ? answer->expiry : now,
                           .at = now,
                           .time = checker->promise == WS_PROMISE_ORDERED ? answer->rts : answer->wts,
                           .epoch = answer->epoch,
                           .sm = answer->sm,
                           .warp = answer->warp};
        return perform(checker, a, v, atomic ? answer->data : NULL);
    }
    if (checker->promise == WS_PROMISE_EVENTUAL)
        return WS_OK; /* a dirty line that a plain cache writes back */
    return ws_fail(WS_EVERIFY,
                   "block %#" PRIx64 ": L2 performs %s of warp %u of SM %u at cycle %" PRIu64 " that was not requested",
                   answer->block, atomic ? "an atomic" : "a store", answer->warp, answer->sm, now);
}

/* ------------------------------------------------------------------------------------------------ complete */

static bool is_physical(const ws_memory_checker *g)
{
    return g->promise == WS_PROMISE_PHYSICAL || g->promise == WS_PROMISE_OWNED;
}

/* Is the value that of a store under way? */
static bool is_under_way(const ws_memory_checker *g, uint64_t block, unsigned i, uint32_t value)
{
    for (uint32_t sm = 0; sm < g->sms; sm++)
        for (uint32_t j = 0; j < g->sm[sm].count; j++) {
            const access *const a = &g->sm[sm].access[j];
            if (a->kind == WS_REQUEST_STORE && !a->performed && a->block == block && a->mask >> i & 1 &&
                a->data[i] == value)
                return true;
        }
    return false;
}

/* Who reads what: the start of all messages about loads. */
typedef struct reading {
    uint64_t block, issued, now, floor;
    uint32_t sm, value;
    unsigned word;
    const ws_completion *completion;
} reading;

static int report(const reading *r, const char *why, const version *v)
{
    if (!v)
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64 " word %u: warp %u of SM %u reads %u at time %u.%u, cycles %" PRIu64
                       " to %" PRIu64 ", %s",
                       r->block, r->word, r->completion->warp, r->sm, r->value, r->completion->epoch,
                       r->completion->time, r->issued, r->now, why);
    return ws_fail(WS_EVERIFY,
                   "block %#" PRIx64 " word %u: warp %u of SM %u reads %u at time %u.%u, cycles %" PRIu64 " to %" PRIu64
                   ", %s %u, stored by warp %u of SM %u at time %u.%u, cycle %" PRIu64 ", seen by all from %" PRIu64,
                   r->block, r->word, r->completion->warp, r->sm, r->value, r->completion->epoch, r->completion->time,
                   r->issued, r->now, why, v->value, v->warp, v->sm, v->epoch, v->time, v->at, v->visible);
}

static int check_logical(word *w, const reading *r, bool *checked)
{
    const ws_completion *const c = r->completion;
    uint32_t i = w->count;
    while (i && compare(w->version[i - 1].epoch, w->version[i - 1].time, c->epoch, c->time) > 0)
        i--;
    *checked = i || w->versions == w->count;
    if (*checked && r->value != (i ? w->version[i - 1].value : 0))
        return i ? report(r, "but the value then is", &w->version[i - 1])
                 : report(r, "but nothing was stored before", NULL);
    if (compare(c->epoch, c->time, w->read_epoch, w->read_time) > 0) {
        w->read_epoch = c->epoch;
        w->read_time = c->time;
        w->read_sm = (uint16_t)r->sm;
        w->read_warp = c->warp;
    }
    return WS_OK;
}

/* The latest version with the value; *found false: there is none among those that are kept. */
static uint64_t order_of(const word *w, uint32_t value, bool *found)
{
    for (uint32_t i = w->count; i; i--)
        if (w->version[i - 1].value == value) {
            *found = true;
            return w->version[i - 1].order;
        }
    *found = !value && w->versions == w->count;
    return 0;
}

/* The first version behind `order` that counts against a load that returns `order`, NULL when there is none. */
static const version *newer(const ws_memory_checker *g, const word *w, const reading *r, uint64_t order)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const version *const v = &w->version[i];
        if (v->order > order && (is_physical(g) ? v->visible <= r->issued : v->order <= r->floor))
            return v;
    }
    return NULL;
}

static int check_order(ws_memory_checker *g, size_t number, const reading *r, bool *checked)
{
    const word *const w = &g->word[number];
    bool found;
    const uint64_t order = order_of(w, r->value, &found);
    *checked = true;
    if (!found && is_under_way(g, r->block, r->word, r->value))
        return WS_OK;
    const bool all = w->versions == w->count;
    if (!found && all)
        return report(r, "which was not stored there", NULL);
    const version *const against = newer(g, w, r, order);
    if (against)
        return report(r, is_physical(g) ? "but that was overwritten before by" : "but its warp knows the newer",
                      against);
    *checked = found;
    return found ? note_seen(g, number, r->sm, r->completion->warp, order) : WS_OK;
}

/* A load has the earliest place behind the store that it sees and behind what its warp did before; the next store of
 * the word must come later. So all accesses have one order, in which those of each warp stand as it made them. */
static int check_place(ws_memory_checker *g, size_t number, const reading *r, uint32_t *place, bool *checked)
{
    word *const w = &g->word[number];
    uint32_t i = w->count;
    while (i && w->version[i - 1].value != r->value)
        i--;
    *checked = i || w->versions == w->count;
    if (!*checked)
        return WS_OK;
    if (!i && r->value)
        return report(r, "which was not stored there", NULL);
    if (i && w->version[i - 1].time > *place)
        *place = w->version[i - 1].time;
    if (i < w->count)
        return *place < w->version[i].time ? WS_OK : report(r, "but its warp comes behind the newer", &w->version[i]);
    if (*place <= w->read_time)
        return WS_OK;
    w->read_time = *place;
    w->read_sm = (uint16_t)r->sm;
    w->read_warp = r->completion->warp;
    return WS_OK;
}

/* `place`: of a load in one order of all accesses, where it may be at the earliest, then where it is. */
static int check_load(ws_memory_checker *g, uint32_t sm, const access *a, const ws_completion *c, uint64_t now,
                      uint32_t *place)
{
    const uint32_t begin = *place;
    bool all = true;
    for (unsigned i = 0; i < g->words; i++) {
        if (!(a->mask >> i & 1))
            continue;
        size_t number;
        int rc = find_word(g, a->block, i, &number);
        if (rc)
            return rc;
        const reading r = {.block = a->block,
                           .issued = a->issued,
                           .now = now,
                           .floor = a->floor[i],
                           .sm = sm,
                           .value = c->data[i],
                           .word = i,
                           .completion = c};
        bool checked;
        uint32_t own = begin;
        rc = g->promise == WS_PROMISE_LOGICAL   ? check_logical(&g->word[number], &r, &checked)
             : g->promise == WS_PROMISE_ORDERED ? check_place(g, number, &r, &own, &checked)
                                                : check_order(g, number, &r, &checked);
        if (rc)
            return rc;
        *place = own > *place ? own : *place;
        all &= checked;
    }
    g->checked += all;
    return WS_OK;
}

/* An access that is complete, and all of the earlier ones of its warp are. */
static int take_turn(ws_memory_checker *g, uint32_t sm, const access *a, uint64_t now)
{
    turn *const t = &g->turn[sm * g->warps + a->warp];
    if (t->placed != a->instruction && !a->local) {
        t->placed = a->instruction;
        t->begin = t->place;
    }
    uint32_t place = a->local ? a->place : t->begin;
    if (a->kind == WS_REQUEST_LOAD) {
        const ws_completion c = {
            .kind = a->kind, .warp = a->warp, .tag = a->tag, .mask = a->mask, .block = a->block, .data = a->data};
        const int rc = check_load(g, sm, a, &c, now, &place);
        if (rc)
            return rc;
    } else if (a->time <= t->begin && !a->local) {
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64 ": %s of warp %u of SM %u is store %u in the order of all, but what its warp "
                       "did before comes behind store %u",
                       a->block, a->kind == WS_REQUEST_ATOMIC ? "an atomic" : "a store", a->warp, sm, a->time,
                       t->begin);
    } else {
        place = a->time;
    }
    if (!a->local && place > t->place)
        t->place = place;
    return WS_OK;
}

/* The first access of the warp that is complete, and is not behind one of another instruction that is not; NULL: none.
 */
static access *next_turn(list *l, uint32_t warp)
{
    const access *first = NULL;
    for (access *a = l->access; a < l->access + l->count; a++) {
        if (a->warp != warp || (a->local && !a->done))
            continue;
        if (!a->local && first && a->instruction != first->instruction)
            continue;
        first = first || a->local ? first : a;
        if (a->done)
            return a;
    }
    return NULL;
}

static int take_turns(ws_memory_checker *g, uint32_t sm, uint32_t warp, uint64_t now)
{
    int rc = WS_OK;
    for (access *a; !rc && (a = next_turn(&g->sm[sm], warp));) {
        rc = take_turn(g, sm, a, now);
        take_away(&g->sm[sm], a);
    }
    return rc;
}

/* A store or atomic: it is performed, and an atomic brings what L2 found. */
static int check_done(ws_memory_checker *g, uint32_t sm, access *a, const ws_completion *c, uint64_t now)
{
    if (!a->performed && g->promise != WS_PROMISE_OWNED &&
        (g->promise != WS_PROMISE_EVENTUAL || a->kind == WS_REQUEST_ATOMIC))
        return ws_fail(WS_EVERIFY,
                       "block %#" PRIx64 ": %s of warp %u of SM %u completes at cycle %" PRIu64
                       " before L2 performed it",
                       a->block, a->kind == WS_REQUEST_ATOMIC ? "an atomic" : "a store", a->warp, sm, now);
    if (!a->performed) { /* by a cache that writes back */
        const version v = {.visible = now, .at = now, .sm = (uint16_t)sm, .warp = a->warp};
        const int rc = perform(g, a, v, a->kind == WS_REQUEST_ATOMIC ? c->data : NULL);
        if (rc)
            return rc;
    }
    a->time = c->time;
    for (unsigned i = 0; i < g->words; i++) {
        if (!(a->mask >> i & 1))
            continue;
        if (a->kind == WS_REQUEST_ATOMIC && c->data && c->data[i] != a->data[i])
            return ws_fail(WS_EVERIFY,
                           "block %#" PRIx64 " word %u: an atomic of warp %u of SM %u returns %u at cycle %" PRIu64
                           ", but L2 found %u",
                           a->block, i, a->warp, sm, c->data[i], now, a->data[i]);
        size_t number;
        int rc = find_word(g, a->block, i, &number);
        if (!rc)
            rc = note_seen(g, number, sm, a->warp, a->floor[i]);
        if (rc)
            return rc;
    }
    return WS_OK;
}

int ws_memory_checker_complete(ws_memory_checker *checker, uint32_t sm, const ws_completion *completion, uint64_t now)
{
    if (completion->kind == WS_REQUEST_FENCE)
        return WS_OK;
    int rc = check_names(checker, sm, completion->warp, completion->mask);
    if (rc)
        return rc;
    list *const l = &checker->sm[sm];
    for (uint32_t i = 0; i < l->count; i++) {
        access *const a = &l->access[i];
        if (a->kind != completion->kind || a->tag != completion->tag || a->block != completion->block ||
            a->warp != completion->warp || a->mask != completion->mask || a->done)
            continue;
        uint32_t place = 0;
        if (a->kind != WS_REQUEST_LOAD)
            rc = check_done(checker, sm, a, completion, now);
        else if (checker->promise == WS_PROMISE_ORDERED)
            memcpy(a->data, completion->data, checker->words * sizeof *a->data);
        else if (completion->data)
            rc = check_load(checker, sm, a, completion, now, &place);
        a->done = true;
        close_access(checker, sm, a);
        if (checker->promise == WS_PROMISE_ORDERED)
            return rc ? rc : take_turns(checker, sm, a->warp, now);
        take_away(l, a);
        return rc;
    }
    return ws_fail(WS_EVERIFY,
                   "block %#" PRIx64 ": an access of warp %u of SM %u completes at cycle %" PRIu64
                   " that was not requested, or for the second time",
                   completion->block, completion->warp, sm, now);
}
