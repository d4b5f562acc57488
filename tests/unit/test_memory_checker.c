/* test_memory_checker.c - is a wrong value found, and is a right one let pass? Each message is made once. */
#include "model/sim/memory/memory_checker.h"

#include "base/status.h"

#include <string.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LOAD = WS_REQUEST_LOAD, STORE = WS_REQUEST_STORE, ATOMIC = WS_REQUEST_ATOMIC, BLOCK = 5 };

static ws_memory_checker *create(ws_promise rule)
{
    ws_memory_checker *g;
    assert_int_equal(ws_memory_checker_create(rule, 2, 4, 8, &g), 0);
    return g;
}

/* Word 1 of the block; returns the number stored. The tag is the kind. */
static uint32_t issue(ws_memory_checker *g, uint32_t sm, uint8_t kind, uint64_t now)
{
    ws_request r = {.kind = kind, .warp = 1, .tag = kind, .mask = 2, .block = BLOCK};
    assert_int_equal(ws_memory_checker_issue(g, sm, &r, now), 0);
    return r.data[1];
}

static int perform(ws_memory_checker *g, uint32_t sm, uint8_t kind, uint32_t time, uint64_t now, uint64_t expiry,
                   uint32_t old)
{
    const ws_coherence_message m = {.type = kind == ATOMIC ? WS_MESSAGE_ATOMIC_ACK : WS_MESSAGE_ACK,
                                    .sm = (uint16_t)sm,
                                    .warp = 1,
                                    .tag = kind,
                                    .wts = time,
                                    .rts = time,
                                    .block = BLOCK,
                                    .mask = kind == ATOMIC ? 2 : 0,
                                    .expiry = expiry,
                                    .data = {0, old}};
    return ws_memory_checker_perform(g, &m, now);
}

static int complete(ws_memory_checker *g, uint32_t sm, uint8_t kind, uint32_t time, uint64_t now, uint32_t value)
{
    const uint32_t data[WS_COHERENCE_WORDS] = {99, value};
    const ws_completion c = {.kind = kind,
                             .warp = 1,
                             .tag = kind,
                             .mask = 2,
                             .block = BLOCK,
                             .time = time,
                             .data = kind == STORE ? NULL : data};
    return ws_memory_checker_complete(g, sm, &c, now);
}

static uint32_t store(ws_memory_checker *g, uint32_t sm, uint32_t time, uint64_t now, uint64_t expiry)
{
    const uint32_t value = issue(g, sm, STORE, now);
    assert_int_equal(perform(g, sm, STORE, time, now, expiry, 0), 0);
    assert_int_equal(complete(g, sm, STORE, time, now, 0), 0);
    return value;
}

static int load(ws_memory_checker *g, uint32_t sm, uint32_t time, uint64_t now, uint32_t value)
{
    issue(g, sm, LOAD, now);
    return complete(g, sm, LOAD, time, now, value);
}

static void expect(int status, const char *part)
{
    assert_int_equal(status, WS_EVERIFY);
    if (!strstr(ws_message(), part))
        fail_msg("\"%s\" does not say \"%s\"", ws_message(), part);
}

static void logical(void **state)
{
    (void)state;
    ws_memory_checker *g = create(WS_PROMISE_LOGICAL);
    assert_int_equal(load(g, 0, 3, 0, 0), 0);
    const uint32_t a = store(g, 0, 5, 10, 0), b = store(g, 1, 9, 20, 0);
    assert_true(a && b && a != b);
    assert_int_equal(load(g, 0, 4, 30, 0), 0); /* long after, but at a time before */
    assert_int_equal(load(g, 0, 5, 30, a), 0);
    assert_int_equal(load(g, 1, 8, 30, a), 0);
    assert_int_equal(load(g, 1, 9, 30, b), 0);
    assert_int_equal(ws_memory_checker_checked(g), 5);
    expect(load(g, 1, 12, 30, a), "but the value then is 2, stored by warp 1 of SM 1 at time 0.9, cycle 20");
    expect(load(g, 1, 2, 30, b), "nothing was stored before");
    assert_int_equal(load(g, 1, 14, 30, b), 0);
    issue(g, 0, STORE, 40);
    expect(perform(g, 0, STORE, 13, 41, 0, 0), "has read the older value at 0.14");
    ws_memory_checker_destroy(g);
    g = create(WS_PROMISE_LOGICAL);
    store(g, 0, 5, 10, 0);
    issue(g, 1, STORE, 40);
    expect(perform(g, 1, STORE, 5, 41, 0, 0), "has already stored at 0.5");
    ws_memory_checker_destroy(g);
}

static void physical(void **state)
{
    (void)state;
    ws_memory_checker *const g = create(WS_PROMISE_PHYSICAL);
    const uint32_t a = store(g, 0, 0, 10, 0), b = store(g, 1, 0, 20, 50); /* a may be read until 50 */
    assert_int_equal(load(g, 0, 0, 49, a), 0);
    assert_int_equal(load(g, 0, 0, 49, b), 0);
    assert_int_equal(load(g, 0, 0, 50, b), 0);
    expect(load(g, 0, 0, 50, a), "but that was overwritten before by 2, stored by warp 1 of SM 1");
    expect(load(g, 0, 0, 12, 0), "overwritten before by 1");
    expect(load(g, 0, 0, 12, 77), "which was not stored there");
    const uint32_t c = issue(g, 1, STORE, 60);
    assert_int_equal(load(g, 1, 0, 61, c), 0); /* under way */
    ws_memory_checker_destroy(g);
}

/* Stores have places in one order; so have loads, and those of a warp do not go back. */
static void ordered(void **state)
{
    (void)state;
    ws_memory_checker *g = create(WS_PROMISE_ORDERED);
    const uint32_t a = store(g, 0, 3, 10, 0), b = store(g, 0, 7, 20, 0);
    assert_int_equal(load(g, 1, 0, 90, 0), 0); /* SM 1 may be late */
    assert_int_equal(load(g, 1, 0, 90, a), 0);
    expect(load(g, 1, 0, 90, 0), "but its warp comes behind the newer 1");
    expect(load(g, 0, 0, 90, a), "but its warp comes behind the newer 2");
    assert_int_equal(load(g, 0, 0, 90, b), 0);
    expect(load(g, 0, 0, 90, b + 1), "which was not stored there");
    ws_memory_checker_destroy(g);
    /* The warp of SM 1 has stored at 9 and then missed a store of place 5, which comes to light late. */
    g = create(WS_PROMISE_ORDERED);
    issue(g, 1, ATOMIC, 0);
    assert_int_equal(perform(g, 1, ATOMIC, 9, 1, 0, 0), 0);
    assert_int_equal(complete(g, 1, ATOMIC, 9, 1, 0), 0);
    assert_int_equal(load(g, 1, 0, 2, 1), 0);
    issue(g, 0, STORE, 3);
    expect(perform(g, 0, STORE, 5, 4, 0, 0), "is performed behind that of place 9");
    issue(g, 0, STORE, 3);
    expect(perform(g, 0, STORE, 9, 4, 0, 0), "is performed behind that of place 9");
    ws_memory_checker_destroy(g);
    g = create(WS_PROMISE_ORDERED);
    ws_request other = {.kind = STORE, .warp = 1, .tag = STORE, .mask = 4, .block = BLOCK};
    assert_int_equal(ws_memory_checker_issue(g, 1, &other, 0), 0);
    assert_int_equal(perform(g, 1, STORE, 9, 1, 0, 0), 0);
    const ws_completion done = {.kind = STORE, .warp = 1, .tag = STORE, .mask = 4, .block = BLOCK, .time = 9};
    assert_int_equal(ws_memory_checker_complete(g, 1, &done, 1), 0);
    assert_int_equal(load(g, 1, 0, 2, 0), 0);
    issue(g, 0, STORE, 3);
    expect(perform(g, 0, STORE, 5, 4, 0, 0), "has read the older value behind place 9");
    ws_memory_checker_destroy(g);
}

/* Of two loads of a warp the second is complete first; then the first, with the value before or after a store. */
static int overtaken(uint32_t second, uint32_t first)
{
    ws_memory_checker *const g = create(WS_PROMISE_ORDERED);
    ws_request later = {.kind = LOAD, .warp = 1, .tag = 9, .mask = 2, .block = BLOCK};
    issue(g, 1, LOAD, 0);
    assert_int_equal(ws_memory_checker_issue(g, 1, &later, 1), 0);
    assert_int_equal(store(g, 0, 5, 10, 0), 1);
    const uint32_t data[WS_COHERENCE_WORDS] = {99, second};
    const ws_completion c = {.kind = LOAD, .warp = 1, .tag = 9, .mask = 2, .block = BLOCK, .data = data};
    assert_int_equal(ws_memory_checker_complete(g, 1, &c, 20), 0);
    const int status = complete(g, 1, LOAD, 0, 21, first);
    ws_memory_checker_destroy(g);
    return status;
}

/* Accesses have their places in the order of the program, whichever is complete first. */
static void turns(void **state)
{
    (void)state;
    assert_int_equal(overtaken(0, 0), 0);
    assert_int_equal(overtaken(1, 0), 0);
    assert_int_equal(overtaken(1, 1), 0);
    expect(overtaken(0, 1), "but its warp comes behind the newer 1");
    /* A store that the detector took before what its warp had done. */
    ws_memory_checker *const g = create(WS_PROMISE_ORDERED);
    const uint32_t a = store(g, 0, 5, 10, 0);
    ws_request other = {.kind = STORE, .warp = 1, .tag = STORE, .mask = 4, .block = BLOCK};
    assert_int_equal(load(g, 1, 0, 20, a), 0);
    assert_int_equal(ws_memory_checker_issue(g, 1, &other, 20), 0);
    assert_int_equal(perform(g, 1, STORE, 4, 21, 0, 0), 0);
    const ws_completion done = {.kind = STORE, .warp = 1, .tag = STORE, .mask = 4, .block = BLOCK, .time = 4};
    expect(ws_memory_checker_complete(g, 1, &done, 22), "what its warp did before comes behind store 5");
    ws_memory_checker_destroy(g);
}

static void eventual(void **state)
{
    (void)state;
    ws_memory_checker *const g = create(WS_PROMISE_EVENTUAL);
    const uint32_t a = store(g, 0, 0, 10, 0), b = store(g, 0, 0, 20, 0);
    assert_int_equal(load(g, 1, 0, 90, 0), 0); /* SM 1 may be late */
    assert_int_equal(load(g, 1, 0, 90, a), 0);
    expect(load(g, 1, 0, 90, 0), "but its warp knows the newer 1");
    expect(load(g, 0, 0, 90, a), "but its warp knows the newer 2");
    assert_int_equal(load(g, 0, 0, 90, b), 0);
    expect(load(g, 0, 0, 90, b + 1), "which was not stored there");
    /* A cache that writes back: completed without L2; then it is its warp's. */
    const uint32_t c = issue(g, 0, STORE, 95);
    assert_int_equal(complete(g, 0, STORE, 0, 96, 0), 0);
    assert_int_equal(load(g, 0, 0, 97, c), 0);
    expect(load(g, 0, 0, 97, b), "but its warp knows the newer");
    ws_memory_checker_destroy(g);
}

static void atomics(void **state)
{
    (void)state;
    ws_memory_checker *const g = create(WS_PROMISE_PHYSICAL);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(issue(g, i & 1, ATOMIC, i), 1);
        assert_int_equal(perform(g, i & 1, ATOMIC, 0, i, 0, i), 0);
        assert_int_equal(complete(g, i & 1, ATOMIC, 0, i, i), 0);
    }
    assert_int_equal(load(g, 0, 0, 9, 3), 0);
    expect(load(g, 0, 0, 9, 2), "overwritten before");
    issue(g, 0, ATOMIC, 10);
    expect(perform(g, 0, ATOMIC, 0, 10, 0, 2), "finds 2 at cycle 10, but the value is 3");
    ws_memory_checker_destroy(g);
    ws_memory_checker *const h = create(WS_PROMISE_PHYSICAL);
    issue(h, 0, ATOMIC, 10);
    assert_int_equal(perform(h, 0, ATOMIC, 0, 10, 0, 0), 0);
    expect(complete(h, 0, ATOMIC, 0, 12, 4), "returns 4 at cycle 12, but L2 found 0");
    ws_memory_checker_destroy(h);
}

static void answers_to_nothing(void **state)
{
    (void)state;
    ws_memory_checker *const g = create(WS_PROMISE_PHYSICAL);
    expect(perform(g, 0, STORE, 0, 5, 0, 0), "that was not requested");
    expect(complete(g, 0, LOAD, 0, 5, 0), "that was not requested");
    issue(g, 0, STORE, 6);
    expect(complete(g, 0, STORE, 0, 7, 0), "before L2 performed it");
    issue(g, 0, LOAD, 8);
    ws_memory_checker_refused(g, 0);
    expect(complete(g, 0, LOAD, 0, 9, 0), "that was not requested");
    ws_request r = {.kind = LOAD, .warp = 4, .mask = 1};
    expect(ws_memory_checker_issue(g, 0, &r, 0), "2 SMs of 4 warps");
    r = (ws_request){.kind = LOAD, .mask = 1u << 8};
    expect(ws_memory_checker_issue(g, 0, &r, 0), "blocks of 8 words");
    r = (ws_request){.kind = WS_REQUEST_FENCE, .warp = 9};
    assert_int_equal(ws_memory_checker_issue(g, 0, &r, 0), 0);
    ws_memory_checker_destroy(g);
}

static void limits(void **state)
{
    (void)state;
    ws_memory_checker *g;
    assert_int_equal(ws_memory_checker_create(WS_PROMISE_LOGICAL, 1, 1, 33, &g), WS_EINPUT);
    ws_memory_checker_destroy(NULL);
    g = create(WS_PROMISE_LOGICAL);
    ws_memory_checker_set_token(g, UINT32_MAX - 1);
    assert_int_equal(store(g, 0, 1, 1, 0), UINT32_MAX - 1);
    ws_request r = {.kind = STORE, .mask = 2, .block = BLOCK};
    assert_int_equal(ws_memory_checker_issue(g, 0, &r, 0), WS_ELIMIT);
    assert_non_null(strstr(ws_message(), "which need a number each"));
    ws_memory_checker_destroy(g);
    /* 100 versions: the oldest are gone, a load of them is neither wrong nor counted. */
    g = create(WS_PROMISE_LOGICAL);
    uint32_t value[101];
    for (uint32_t t = 1; t <= 100; t++)
        value[t] = store(g, 0, t, t, 0);
    assert_int_equal(load(g, 0, 10, 200, 12345), 0);
    assert_int_equal(ws_memory_checker_checked(g), 0);
    assert_int_equal(load(g, 0, 37, 200, value[37]), 0);
    assert_int_equal(ws_memory_checker_checked(g), 1);
    expect(load(g, 0, 37, 200, value[38]), "the value then");
    ws_memory_checker_destroy(g);
    g = create(WS_PROMISE_PHYSICAL);
    for (uint32_t t = 1; t <= 100; t++)
        store(g, 0, 0, t, 0);
    expect(load(g, 0, 0, 200, 1), "overwritten before");
    ws_memory_checker_destroy(g);
}

/* No answer of L2 tells of a store: it is performed when it completes. */
static void owned(void **state)
{
    (void)state;
    ws_memory_checker *const g = create(WS_PROMISE_OWNED);
    const uint32_t first = issue(g, 0, STORE, 10);
    assert_int_equal(complete(g, 0, STORE, 0, 20, 0), 0);
    assert_int_equal(load(g, 1, 0, 30, first), 0);
    issue(g, 1, ATOMIC, 40);
    assert_int_equal(complete(g, 1, ATOMIC, 0, 50, first), 0);
    assert_int_equal(load(g, 0, 0, 60, first + 1), 0);
    assert_int_equal(ws_memory_checker_checked(g), 2);
    expect(load(g, 0, 0, 61, first), "overwritten before");
    issue(g, 1, ATOMIC, 70);
    expect(complete(g, 1, ATOMIC, 0, 80, first), "but the value is");
    ws_memory_checker_destroy(g);
}

static void rules(void **state)
{
    (void)state;
    assert_int_equal(ws_protocol_find("gtsc-rc")->promise, WS_PROMISE_LOGICAL);
    assert_int_equal(ws_protocol_find("tc-weak")->promise, WS_PROMISE_PHYSICAL);
    assert_int_equal(ws_protocol_find("bl")->promise, WS_PROMISE_PHYSICAL);
    assert_int_equal(ws_protocol_find("mesi")->promise, WS_PROMISE_OWNED);
    assert_int_equal(ws_protocol_find("drd-spec")->promise, WS_PROMISE_ORDERED);
    assert_int_equal(ws_protocol_find("vi")->promise, WS_PROMISE_EVENTUAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logical),
        cmocka_unit_test(physical),
        cmocka_unit_test(eventual),
        cmocka_unit_test(ordered),
        cmocka_unit_test(turns),
        cmocka_unit_test(atomics),
        cmocka_unit_test(answers_to_nothing),
        cmocka_unit_test(limits),
        cmocka_unit_test(owned),
        cmocka_unit_test(rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
