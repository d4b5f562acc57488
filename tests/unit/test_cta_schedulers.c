/* test_cta_schedulers.c - who gets which block: schedulers of CTAs against orders worked out by hand, and what a
 * machine tells them. */
#include "sim_script.h"

#include "model/placement/cta_scheduler.h"

#include <stdio.h>

/* A launch on four SMs, as a test says it is. */
typedef struct chip {
    uint32_t grid[3];
    ws_cta_sm sm[4];
    ws_cta_set left;
    uint64_t memory[32], values[4];
    ws_cta_scheduler s;
} chip;

static const ws_cta_scheduler_ops *give_out(chip *c, const char *name, uint32_t x, uint32_t y, uint32_t z)
{
    const ws_cta_scheduler_ops *const ops = ws_cta_scheduler_find(name);
    assert_non_null(ops);
    *c = (chip){.grid = {x, y, z}};
    assert_true(ops->state_size(4) <= sizeof c->memory);
    assert_int_equal(ws_cta_set_fill(&c->left, (uint64_t)x * y * z), WS_OK);
    c->s = (ws_cta_scheduler){
        .state = c->memory,
        .values = c->values,
        .view = {.grid = c->grid, .ctas = c->left.left, .left = &c->left, .sm = c->sm, .sms = 4, .chips = 1}};
    for (unsigned i = 0; i < 4; i++)
        c->sm[i].room = 1;
    return ops;
}

/* The policy's choices while there are some, as "SM:block ..."; each takes room. */
static void choices(const ws_cta_scheduler_ops *ops, chip *c, char *out)
{
    ws_cta_choice choice;
    *out = 0;
    while (c->left.left && ops->choose(&c->s, &choice)) {
        assert_true(choice.sm < 4 && c->sm[choice.sm].room && ws_cta_set_has(&c->left, choice.cta));
        assert_int_equal(ws_cta_set_take(&c->left, choice.cta), WS_OK);
        c->sm[choice.sm].room--;
        c->sm[choice.sm].warps += 2;
        out += sprintf(out, "%u:%llu ", choice.sm, (unsigned long long)choice.cta);
    }
}

static void blocks_to_sms(void **state)
{
    (void)state;
    chip c;
    char text[256];
    const ws_cta_scheduler_ops *ops = give_out(&c, "round-robin", 100, 1, 1);
    c.sm[0].room = c.sm[1].room = c.sm[3].room = 2;
    c.sm[2].room = 0;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:1 3:2 0:3 1:4 3:5 ");
    c.sm[1].room = c.sm[0].room = 1; /* the turn is SM 0's */
    choices(ops, &c, text);
    assert_string_equal(text, "0:6 1:7 ");
    ws_cta_set_fini(&c.left);

    ops = give_out(&c, "least-used", 100, 1, 1);
    c.sm[0].warps = 4;
    c.sm[1].warps = c.sm[3].warps = 3;
    c.sm[1].room = 2;
    c.sm[2].room = 0;
    choices(ops, &c, text);
    assert_string_equal(text, "1:0 3:1 0:2 1:3 ");
    ws_cta_set_fini(&c.left);
}

static void blocks_by_column(void **state)
{
    (void)state;
    chip c;
    char text[256];
    const ws_cta_scheduler_ops *const ops = give_out(&c, "column", 3, 2, 2);
    for (unsigned i = 0; i < 4; i++)
        c.sm[i].room = 3;
    choices(ops, &c, text); /* x = 0: blocks 0, 3 of z = 0, 6, 9 of z = 1 */
    assert_string_equal(text, "0:0 1:3 2:6 3:9 0:1 1:4 2:7 3:10 0:2 1:5 2:8 3:11 ");
    ws_cta_set_fini(&c.left);
    /* A trace that ends behind block 4. */
    give_out(&c, "column", 3, 2, 1);
    assert_int_equal(ws_cta_set_fill(&c.left, 5), WS_OK);
    c.s.view.ctas = 5;
    c.sm[0].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:3 2:1 3:4 0:2 ");
    ws_cta_set_fini(&c.left);
}

static void blocks_in_chunks(void **state)
{
    (void)state;
    chip c;
    char text[256];
    /* Rows of 3: SM 0 has room for one and a part, the others for one each. */
    const ws_cta_scheduler_ops *const ops = give_out(&c, "chunked", 3, 5, 1);
    c.sm[0].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:3 2:6 3:9 0:1 ");
    c.sm[2].room = 3; /* the rest of its row, then the last row */
    choices(ops, &c, text);
    assert_string_equal(text, "2:7 2:8 2:12 ");
    c.sm[0].room = c.sm[1].room = 3; /* no row is left: the rest of their own */
    choices(ops, &c, text);
    assert_string_equal(text, "0:2 1:4 1:5 ");
    ws_cta_set_fini(&c.left);
    /* The last chunks, as soon as they are fewer than SMs, go block by block: of 5 chunks of 2 the last three. */
    give_out(&c, "chunked", 10, 1, 1);
    c.values[0] = 2;
    c.values[1] = 1;
    for (unsigned i = 0; i < 4; i++)
        c.sm[i].room = 2;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:2 0:1 1:3 2:4 3:5 2:6 3:7 ");
    ws_cta_set_fini(&c.left);
    /* ... which for one row is all of it. */
    give_out(&c, "chunked", 6, 1, 1);
    c.values[1] = 1;
    c.sm[0].room = 3;
    choices(ops, &c, text);
    assert_string_equal(text, "0:0 1:1 2:2 3:3 0:4 0:5 ");
    ws_cta_set_fini(&c.left);
}

/* --- what a machine tells --- */

static struct {
    unsigned starts, ends;
    uint64_t order[16], ended[16];
    bool gives_none;
} seen;

static size_t no_state(uint32_t sms)
{
    (void)sms;
    return 0;
}

/* From the end of the grid to its start, one at a time on each SM. */
static bool choose_last(const ws_cta_scheduler *s, ws_cta_choice *choice)
{
    for (uint32_t sm = 0; sm < s->view.sms && !seen.gives_none; sm++) {
        if (s->view.sm[sm].ctas)
            continue;
        assert_true(s->view.resident(s->view.of, sm, 0) == WS_NO_CTA);
        *choice = (ws_cta_choice){.cta = s->view.left->left - 1, .sm = sm};
        return true;
    }
    return false;
}

static void note_started(const ws_cta_scheduler *s, uint64_t block, uint32_t sm)
{
    assert_true(s->view.resident(s->view.of, sm, 0) == block);
    assert_int_equal(s->view.sm[sm].ctas, 1);
    seen.order[seen.starts++] = block;
}

static void note_ended(const ws_cta_scheduler *s, uint64_t block, uint32_t sm)
{
    assert_int_equal(s->view.sm[sm].ctas, 0);
    seen.ended[seen.ends++] = block;
}

static const ws_cta_scheduler_ops backwards = {
    .name = "backwards", .state_size = no_state, .choose = choose_last, .started = note_started, .ended = note_ended};

static void a_machine_tells_of_blocks(void **state)
{
    (void)state;
    ws_machine m;
    script_machine(&m, "none");
    const ws_sim_options options = {.cta = &backwards};
    script *const s = script_make(7, 32);
    for (uint32_t block = 0; block < 7; block++)
        for (unsigned i = 0; i < 20; i++)
            script_add(s, block, 0, FREE, 0);
    memset(&seen, 0, sizeof seen);
    ws_sim *sim = script_sim(&m, &options);
    assert_int_equal(script_run(sim, s, 1000), WS_OK);
    ws_sim_destroy(sim);
    assert_int_equal(seen.starts, 7);
    assert_int_equal(seen.ends, 7);
    for (unsigned i = 0; i < 7; i++)
        assert_true(seen.order[i] == 6 - i && seen.ended[i] == 6 - i);
    /* One that gives out none is named, not waited for. */
    seen.gives_none = true;
    sim = script_sim(&m, &options);
    assert_int_equal(script_run(sim, s, 1000), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "cta_scheduler starts none of the blocks that are left"));
    ws_sim_destroy(sim);
    s->source.ops->destroy(&s->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_to_sms),
        cmocka_unit_test(blocks_by_column),
        cmocka_unit_test(blocks_in_chunks),
        cmocka_unit_test(a_machine_tells_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
