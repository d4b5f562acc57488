/* test_overlap.c - does the detector find the races of random operations of streams, and no others? Held against a
 * reference that keeps every operation, every byte and the whole order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/check/overlap.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS = 4, EVENTS = 3, VARIABLES = 2, STEPS = 120, BYTES = 3000, ACCESSES = 3, MOST = STEPS * (ACCESSES + 2) };

static uint64_t below(uint64_t *random, uint64_t n)
{
    uint64_t z = (*random += UINT64_C(0x9e3779b97f4a7c15)); /* splitmix64 */
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % n;
}

/* ---- the reference ---- */

typedef struct order {
    bool of[STEPS]; /* operations that came before */
} order;

typedef struct past {
    unsigned operation;
    ws_overlap_access access;
    bool touched[BYTES];
} past;

typedef struct reference {
    order stream[STREAMS], event[EVENTS], left[VARIABLES], host, now;
    past past[MOST];
    unsigned pasts;
} reference;

static void join(order *to, const order *from)
{
    for (unsigned i = 0; i < STEPS; i++)
        to->of[i] |= from->of[i];
}

/* Does a new access race with one of the past? Its bytes are those of the last entry. */
static bool races(const reference *r, const past *new)
{
    for (unsigned i = 0; i < r->pasts; i++) {
        const past *const old = &r->past[i];
        const bool harmless = !(new->access.changes || (old->access.changes && !new->access.writes)) ||
                              (old->access.strong && new->access.strong);
        if (harmless || old->operation == new->operation || r->now.of[old->operation])
            continue;
        for (unsigned b = 0; b < BYTES; b++)
            if (old->touched[b] && new->touched[b])
                return true;
    }
    return false;
}

/* The bytes that an answer may name. */
static bool is_one(const reference *r, const past *new, const ws_overlap_other *other, uint64_t base)
{
    const uint64_t byte = other->address - base;
    for (unsigned i = 0; i < r->pasts; i++) {
        const past *const old = &r->past[i];
        if (old->access.actor == other->access.actor && old->access.pc == other->access.pc && byte < BYTES &&
            old->touched[byte] && new->touched[byte] && !r->now.of[old->operation])
            return true;
    }
    return false;
}

/* ---- random operations ---- */

typedef struct device {
    ws_overlap *o;
    ws_moment stream[STREAMS], event[EVENTS];
    uint32_t queue[STREAMS];
    uint64_t base;
    uint32_t pc;
    uint64_t random;
} device;

/* One access, of a lane or of a box. What an operation did before at the same bytes may stand for it, so a race is told
 * once at least. */
static void touch(device *d, reference *r, uint32_t actor, bool is_box, unsigned operation, unsigned *told,
                  unsigned *wanted)
{
    past *const new = &r->past[r->pasts];
    const unsigned kind = (unsigned)below(&d->random, 4);
    const bool strong = !is_box && !below(&d->random, 3);
    ws_overlap_other other = {0};
    *new = (past){.operation = operation,
                  .access = {.actor = actor,
                             .pc = ++d->pc,
                             .strong = strong,
                             .writes = kind > 1,
                             .changes = kind > 2,
                             .warp = 1,
                             .lane = 5}};
    bool found;
    if (is_box) {
        ws_box box = {
            .width = 1 + below(&d->random, 40), .rows = 1 + below(&d->random, 4), .slices = 1 + below(&d->random, 3)};
        box.pitch = box.width + below(&d->random, 3) * 16;
        box.slice = box.pitch * box.rows + below(&d->random, 20);
        const uint64_t at = below(&d->random, BYTES - box.slices * box.slice);
        box.address = d->base + at;
        for (unsigned z = 0; z < box.slices; z++)
            for (unsigned y = 0; y < box.rows; y++)
                memset(new->touched + at + z *box.slice + y *box.pitch, true, box.width);
        found = ws_overlap_see_box(d->o, &new->access, &box, &other);
    } else {
        const unsigned bytes = 1u << below(&d->random, 4);
        const uint64_t at = below(&d->random, 40) * 7 + below(&d->random, 3) * 1000;
        memset(new->touched + at, true, bytes);
        found = ws_overlap_see(d->o, &new->access, d->base + at, bytes, &other);
    }
    const bool is_race = races(r, new);
    if (found)
        assert_true(is_race && is_one(r, new, &other, d->base));
    *told += found;
    *wanted += is_race;
    r->pasts++;
}

static void operate(device *d, reference *r, unsigned s, unsigned number)
{
    const char what[] = "operation";
    const bool is_box = below(&d->random, 2);
    const unsigned variable = (unsigned)below(&d->random, VARIABLES);
    unsigned told = 0, wanted = 0;
    ws_overlap_begin(d->o, &d->stream[s], &d->queue[s], what, sizeof what, number);
    r->now = r->stream[s];
    join(&r->now, &r->host);
    const uint32_t actor = is_box ? ws_overlap_self(d->o) : ws_overlap_actor(d->o, malloc(4));
    for (unsigned i = 0; i < ACCESSES; i++) {
        if (!is_box && !below(&d->random, 12)) {
            ws_overlap_acquire(d->o, variable);
            join(&r->now, &r->left[variable]);
        }
        touch(d, r, actor, is_box, number, &told, &wanted);
    }
    assert_int_equal(told > 0, wanted > 0);
    r->now.of[number] = true;
    if (!is_box && !below(&d->random, 6)) {
        ws_overlap_release(d->o, variable);
        join(&r->left[variable], &r->now);
    }
    ws_overlap_end(d->o, &d->stream[s]);
    r->stream[s] = r->now;
}

static void run_one(uint64_t seed)
{
    device d = {.o = ws_overlap_create(), .base = 0x200000000000 + seed % 7, .random = seed << 32};
    reference *const r = calloc(1, sizeof *r);
    ws_overlap_watch(d.o);
    for (unsigned step = 0; step < STEPS; step++) {
        const unsigned s = (unsigned)below(&d.random, STREAMS), e = (unsigned)below(&d.random, EVENTS);
        switch (below(&d.random, 8)) {
        case 0: /* an event is recorded */
            ws_moment_fini(&d.event[e]);
            ws_overlap_join(d.o, &d.event[e], &d.stream[s]);
            r->event[e] = r->stream[s];
            break;
        case 1: /* ... and waited for */
            ws_overlap_join(d.o, &d.stream[s], &d.event[e]);
            join(&r->stream[s], &r->event[e]);
            break;
        case 2: /* the host waits: rarely for all */
            if (below(&d.random, 3))
                continue;
            ws_overlap_host_knows(d.o, &d.stream[s]);
            join(&r->host, &r->stream[s]);
            if (below(&d.random, 4))
                continue;
            ws_overlap_host_knows_all(d.o);
            for (unsigned i = 0; i < STEPS; i++)
                r->host.of[i] = true;
            for (unsigned i = step; i < STEPS; i++)
                r->host.of[i] = false;
            break;
        default:
            operate(&d, r, s, step);
        }
    }
    for (unsigned i = 0; i < STREAMS; i++)
        ws_moment_fini(&d.stream[i]);
    for (unsigned i = 0; i < EVENTS; i++)
        ws_moment_fini(&d.event[i]);
    ws_overlap_destroy(d.o);
    free(r);
}

static void test_random(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 100; seed++)
        run_one(seed);
}

/* Thousands of operations that nothing orders, each of a queue of its own: from then on what came before counts as
 * ordered, and nothing is told that is not. */
static void test_many_queues(void **unused)
{
    const ws_moment nothing = {NULL, 0};
    ws_overlap *const o = ws_overlap_create();
    ws_overlap_other other;
    unsigned found = 0;
    (void)unused;
    ws_overlap_watch(o);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t queue = 0;
        ws_moment end = {NULL, 0};
        ws_overlap_begin(o, &nothing, &queue, "", 1, i);
        const ws_overlap_access a = {.actor = ws_overlap_self(o), .writes = true, .changes = true};
        found += ws_overlap_see_box(o, &a, &(ws_box){.address = 4096, .width = 8, .rows = 1, .slices = 1}, &other);
        ws_overlap_end(o, &end);
        ws_moment_fini(&end);
    }
    assert_true(ws_overlap_watches(o));
    assert_int_equal(found, 4998); /* but the first, and the first after the queues were used up */
    ws_overlap_destroy(o);
}

/* What was freed is forgotten. */
static void test_forget(void **unused)
{
    const ws_moment nothing = {NULL, 0};
    ws_overlap *const o = ws_overlap_create();
    ws_overlap_other other;
    ws_moment end = {NULL, 0};
    uint32_t queue = 0, second = 0;
    (void)unused;
    assert_false(ws_overlap_watches(o));
    ws_overlap_watch(o);
    ws_overlap_begin(o, &nothing, &queue, "", 1, 1);
    const ws_overlap_access a = {.actor = ws_overlap_actor(o, malloc(1)), .writes = true, .changes = true};
    assert_false(ws_overlap_see(o, &a, 8192, 16, &other));
    assert_false(ws_overlap_see(o, &a, 16384, 4, &other));
    ws_overlap_end(o, &end);
    ws_overlap_forget(o, 8192, 16);
    ws_overlap_begin(o, &nothing, &second, "", 1, 2);
    const ws_overlap_access b = {.actor = ws_overlap_actor(o, malloc(1))};
    assert_false(ws_overlap_see(o, &b, 8192, 16, &other));
    assert_true(ws_overlap_see(o, &b, 16380, 8, &other));
    assert_int_equal(other.address, 16384);
    assert_string_equal(ws_overlap_operation(o, b.actor), "");
    assert_int_equal(ws_overlap_id(o, other.access.actor), 1);
    ws_overlap_end(o, &end);
    ws_moment_fini(&end);
    ws_overlap_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_many_queues),
                                       cmocka_unit_test(test_forget)};
    return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
