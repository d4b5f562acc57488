/* race_ages.c - see race_ages.h. */
#include "model/mechanism/races/race_ages.h"

#include "base/status.h"
#include "model/access_order.h"
#include "model/mechanism/races/race_form.h"

#include <math.h>
#include <stdlib.h>

/* Of a copy, expected: the access of its SM at which it was fetched, the stores of its SM until then, loads since it
 * was fetched or checked. */
typedef struct youth {
    double fetched, stores, served;
} youth;

typedef struct copy {
    uint64_t line; /* + 1; 0: none */
    uint64_t used; /* access of the SM that used it last */
    youth known, random;
} copy;

typedef struct own {
    double began;                    /* what all others had put in when its signature was empty */
    double accesses, writes, forced; /* of the launch */
    double others, rate; /* epochs that it begins an access: by races and full signatures; by its stores, too */
} own;

struct ws_race_ages {
    uint32_t sms;
    double put; /* units that stores had, of all SMs */
    own *own;   /* [sms] */
};

typedef struct walk {
    const ws_race_ages_machine *machine;
    ws_race_ages *ages;
    copy *copies; /* [sms][sets][ways] */
    ws_race_aged *sum;
} walk;

int ws_race_ages_create(uint32_t sms, ws_race_ages **out)
{
    ws_race_ages *const a = *out = calloc(1, sizeof *a);
    if (a)
        *a = (ws_race_ages){.sms = sms, .own = calloc(sms, sizeof *a->own)};
    if (a && a->own)
        return WS_OK;
    free(a);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for the ages of copies");
}

void ws_race_ages_destroy(ws_race_ages *ages)
{
    if (ages)
        free(ages->own);
    free(ages);
}

/* ------------------------------------------------------------------------------------------------ epochs */

/* An interval ends: what the others put in filled it so many times. */
static void fill(const walk *w, own *o)
{
    const double full = floor((w->ages->put - o->began) / w->machine->capacity);
    o->began += full * w->machine->capacity;
    o->forced += full;
    w->sum->forced += full;
    w->sum->signatures += full;
    w->sum->entries += full * w->machine->capacity;
}

static void store(const walk *w, own *o)
{
    fill(w, o);
    w->sum->signatures += w->ages->put > o->began;
    w->sum->entries += w->ages->put - o->began;
    o->writes++;
    w->ages->put += w->machine->units;
    o->began = w->ages->put;
}

/* Whose epochs races begin is not known: everybody's alike. */
static void find_rates(const walk *w)
{
    const double races = w->machine->races / w->machine->sms;
    w->sum->signatures += w->machine->races;
    for (uint32_t sm = 0; sm < w->machine->sms; sm++) {
        own *const o = &w->ages->own[sm];
        fill(w, o);
        o->others = o->accesses > 0 ? (o->forced + races) / o->accesses : 0;
        o->rate = o->accesses > 0 ? o->others + o->writes / o->accesses : 0;
    }
}

static void walk_epochs(const walk *w, ws_access_order *order)
{
    ws_ordered_access a;
    for (uint32_t sm = 0; sm < w->machine->sms; sm++)
        w->ages->own[sm] = (own){.began = w->ages->put};
    while (ws_access_order_next(order, &a)) {
        own *const o = &w->ages->own[a.sm];
        o->accesses += a.kind != WS_LOG_FENCE;
        if (a.kind == WS_LOG_STORE || a.kind == WS_LOG_ATOMIC)
            store(w, o);
    }
    find_rates(w);
}

/* ------------------------------------------------------------------------------------------------ copies */

/* The copy of the line, or NULL; *oldest: the one to give up for it. */
static copy *find(const walk *w, uint32_t sm, uint64_t line, copy **oldest)
{
    const ws_race_ages_machine *const m = w->machine;
    copy *const set = w->copies + ((size_t)sm * m->sets + line % m->sets) * m->ways;
    *oldest = set;
    for (uint32_t i = 0; i < m->ways; i++) {
        if (set[i].line == line + 1)
            return &set[i];
        if (set[i].used < (*oldest)->used)
            *oldest = &set[i];
    }
    return NULL;
}

/* What a copy may be: `stores` of its SM and others at a rate began epochs since it was fetched. */
typedef struct odds {
    double expired, filtered;
} odds;

static odds odds_of(uint32_t depth, double stores, double rate, double age)
{
    const uint32_t certain = (uint32_t)fmin(stores, depth + 1.0);
    return (odds){.expired = ws_race_form_expired(depth, certain, rate, age),
                  .filtered = ws_race_form_filtered(depth, certain, rate, age)};
}

/* It stays as old as it is, or is fetched again: both to some part. */
static void grow_young(youth *y, odds is, const own *o)
{
    const double kept = 1 - is.expired;
    y->fetched = o->accesses - kept * (o->accesses - y->fetched);
    y->stores = o->writes - kept * (o->writes - y->stores);
    y->served = kept * (y->served + 1);
}

static void reuse(const walk *w, copy *c, const own *o)
{
    const odds known =
        odds_of(w->machine->depth, o->writes - c->known.stores, o->others, o->accesses - c->known.fetched);
    const odds random = odds_of(w->machine->depth, 0, o->rate, o->accesses - c->random.fetched);
    w->sum->expired += known.expired;
    w->sum->filtered += known.filtered;
    w->sum->random_expired += random.expired;
    w->sum->random_filtered += random.filtered;
    grow_young(&c->known, known, o);
    grow_young(&c->random, random, o);
    if (c->known.served < w->machine->hits + 1)
        return;
    w->sum->checks++;
    c->known = (youth){.fetched = o->accesses, .stores = o->writes};
}

static void load(const walk *w, const ws_ordered_access *a, const own *o)
{
    copy *oldest, *c = find(w, a->sm, a->line, &oldest);
    const youth young = {.fetched = o->accesses, .stores = o->writes};
    w->sum->loads++;
    if (c && !a->poll)
        reuse(w, c, o);
    else {
        w->sum->misses++;
        c = c ? c : oldest;
        *c = (copy){.line = a->line + 1, .known = young, .random = young};
    }
    c->used = (uint64_t)o->accesses;
}

/* A store changes the copy that is there, an atomic gives it up. */
static void write(const walk *w, const ws_ordered_access *a, own *o)
{
    copy *oldest, *const c = find(w, a->sm, a->line, &oldest);
    w->sum->writes++;
    o->writes++;
    if (c && a->kind == WS_LOG_ATOMIC)
        *c = (copy){0};
    else if (c)
        c->used = (uint64_t)o->accesses;
}

static void walk_copies(const walk *w, ws_access_order *order)
{
    ws_ordered_access a;
    for (uint32_t sm = 0; sm < w->machine->sms; sm++)
        w->ages->own[sm].accesses = w->ages->own[sm].writes = 0;
    while (ws_access_order_next(order, &a)) {
        own *const o = &w->ages->own[a.sm];
        if (a.kind == WS_LOG_FENCE)
            continue;
        o->accesses++;
        if (a.kind == WS_LOG_LOAD)
            load(w, &a, o);
        else
            write(w, &a, o);
    }
}

static int in_order(const walk *w, const ws_access_log *log, void (*walk_all)(const walk *w, ws_access_order *order))
{
    ws_access_order *order;
    const int status = ws_access_order_create(log, w->machine->sms, w->machine->residents, 1, &order);
    if (status)
        return status;
    walk_all(w, order);
    ws_access_order_destroy(order);
    return WS_OK;
}

int ws_race_ages_add(ws_race_ages *ages, const ws_access_log *log, const ws_race_ages_machine *m, ws_race_aged *sum)
{
    const walk w = {
        .machine = m, .ages = ages, .copies = calloc((size_t)m->sms * m->sets * m->ways, sizeof(copy)), .sum = sum};
    int status = w.copies ? in_order(&w, log, walk_epochs) : ws_fail(WS_EMEM, "no memory for the ages of copies");
    if (!status)
        status = in_order(&w, log, walk_copies);
    free(w.copies);
    return status;
}
