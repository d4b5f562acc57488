/* test_event_check.c - a good stream of events passes; each broken promise is found, and named. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/trace/check.h"
#include "tests/unit/events.h"

enum { ADD, BRANCH = 3, TAKEN, MEET, LOAD, BAR, END };

/* Two warps, the second of 8 lanes; a loop body with a branch that parts lanes, an access, a barrier. */
static script *good(void)
{
    script *const s = script_create(1, 40);
    arithmetic(s, 3, WS_CLASS_INTEGER);
    conditional(s); /* with a guard */
    arithmetic(s, 2, WS_CLASS_INTEGER);
    memory(s, WS_SPACE_SHARED, WS_ACCESS_LOAD, 4);
    instr(s, (ws_instr){.opcode = "bar.sync", .cls = WS_CLASS_BARRIER});
    arithmetic(s, 1, WS_CLASS_OTHER);
    s->launch.shared_bytes = 128;
    run(s, 0, 0, ADD, 3, ALL_LANES);
    branch(s, 0, 0, BRANCH, ALL_LANES, 0xff);
    run(s, 0, 0, TAKEN, 1, 0xff);
    s->block[0].event[2].depth = 1;
    event(s, 0,
          (ws_event){.pc = BRANCH, .active = ALL_LANES, .exec = ALL_LANES, .section = 1, .kind = WS_EVENT_RECONVERGE});
    run(s, 0, 0, MEET, 1, ALL_LANES);
    access_line(s, 0, 0, LOAD, 0xffff, 0, 8);
    s->block[0].event[5].active = ALL_LANES;
    barrier(s, 0, 0, BAR);
    run(s, 0, 1, MEET, 1, 0xff);
    run(s, 0, 1, LOAD, 1, 0xff);
    s->block[0].event[8].exec = 0;
    barrier(s, 0, 1, BAR);
    s->block[0].event[9].active = s->block[0].event[9].exec = 0xff;
    run(s, 0, 0, END, 1, ALL_LANES);
    run(s, 0, 1, END, 1, 0xff);
    return s;
}

static int check(const script *s)
{
    const ws_sink *const sink = &ws_event_checker;
    void *const state = calloc(1, sink->state_size);
    assert_non_null(state);
    assert_int_equal(sink->init(state, &s->launch), WS_OK);
    assert_int_equal(sink->block_begin(state, &s->launch, 0), WS_OK);
    const ws_batch all = {.event = s->block[0].event, .events = s->block[0].events, .address = s->block[0].address};
    const int status = sink->events(state, &s->launch, &all);
    sink->fini(state);
    free(state);
    return status;
}

static void a_good_stream(void **state)
{
    (void)state;
    script *const s = good();
    if (check(s))
        fail_msg("%s", ws_message());
    script_destroy(s);
}

/* Which event is changed, and how. */
static void place(script *s)
{
    s->block[0].event[0].pc = 1000;
}
static void count(script *s)
{
    s->block[0].event[0].count = 100;
}
static void warp(script *s)
{
    s->block[0].event[7].warp = 2;
}
static void exec(script *s)
{
    s->block[0].event[2].exec = 0x1ff;
}
static void absent(script *s)
{
    s->block[0].event[7].active = 0x1ff;
}
static void nobody(script *s)
{
    s->block[0].event[0].active = s->block[0].event[0].exec = 0;
}
static void gap(script *s)
{
    s->block[0].event[0].count = 2;
    s->block[0].event[1].pc = BRANCH;
}
static void no_section(script *s)
{
    s->block[0].event[1].taken = 0;
}
static void other_branch(script *s)
{
    s->block[0].event[3].pc = ADD;
}
static void length(script *s)
{
    s->block[0].event[3].section = 2;
}
static void strangers(script *s)
{
    s->block[0].event[1].active = s->block[0].event[1].exec = 0xffff;
}
static void unconditional(script *s)
{
    s->instr[BRANCH].conditional = 0;
}
static void taken(script *s)
{
    s->block[0].event[1].exec = 1;
}
static void generic(script *s)
{
    s->block[0].event[5].space = WS_SPACE_GENERIC;
}
static void no_access(script *s)
{
    s->instr[LOAD].access = WS_ACCESS_NONE;
}
static void no_width(script *s)
{
    s->instr[LOAD].bytes = 0;
}
static void idle_lane(script *s)
{
    s->block[0].address[20] = 4;
}
static void beyond(script *s)
{
    s->launch.shared_bytes = 120;
}
static void in_a_run(script *s)
{
    s->block[0].event[4].count = 2;
    s->block[0].event[5] = s->block[0].event[4];
    s->block[0].event[5].pc = LOAD;
    s->block[0].event[5].count = 1;
    s->block[0].event[4].count = 1;
}
static void no_barrier(script *s)
{
    s->block[0].event[6].pc = END;
    s->block[0].event[6].active ^= 1;
    s->block[0].event[6].exec ^= 1;
}
static void number(script *s)
{
    s->block[0].event[6].barrier = 17;
}

static void twice(script *s)
{
    ws_event *const e = s->block[0].event;
    e[7] = e[6]; /* the first warp arrives again before the second did */
    e[7].active = e[7].exec = 0x7fffffff;
    e[6].active = e[6].exec = 0xffffffff;
}

static void broken_promises(void **state)
{
    (void)state;
    static const struct {
        void (*change)(script *s);
        const char *expected;
    } all[] = {
        {place, "an instruction of the table"},
        {count, "an instruction of the table"},
        {warp, "a warp that the CTA has"},
        {exec, "lanes that run among those of the path"},
        {absent, "these among those of the warp"},
        {nobody, "lanes that run among"},
        {gap, "the next instruction of the path"},
        {no_section, "an open section of this warp"},
        {other_branch, "an open section of this warp"},
        {length, "the instructions of a section"},
        {strangers, "only lanes that parted"},
        {unconditional, "conditional branches alone"},
        {taken, "one instruction of all lanes"},
        {generic, "a space that is resolved"},
        {no_access, "an instruction that accesses memory"},
        {no_width, "a width in bytes"},
        {idle_lane, "no address in a lane"},
        {beyond, "offsets within the shared"},
        {in_a_run, "an event of its own"},
        {no_barrier, "one barrier instruction"},
        {number, "a barrier of the 16"},
        {twice, "to arrive before another warp"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        script *const s = good();
        all[i].change(s);
        if (check(s) != WS_EINPUT || !strstr(ws_message(), all[i].expected))
            fail_msg("change %zu: expected \"%s\", got: %s", i, all[i].expected, ws_message());
        script_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_good_stream), cmocka_unit_test(broken_promises)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
