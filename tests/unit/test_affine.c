/* test_affine.c - addresses that follow from thread block, thread and turn, and addresses that do not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/unit/events.h"

#include "metrics/affine_fit.h"

extern const ws_metric ws_metric_affine;
static const ws_metric *const M = &ws_metric_affine;

enum { X = 16, Y = 8, GRID_X = 3, GRID_Y = 4, TURNS = 5 };

static script *launch_2d(void)
{
    script *const s = script_create(GRID_X * GRID_Y, X * Y);
    s->launch.grid[0] = GRID_X;
    s->launch.grid[1] = GRID_Y;
    s->launch.block[0] = X;
    s->launch.block[1] = Y;
    return s;
}

/* The access of a warp in its turn: base, and bytes by each number. `odd` moves one lane of one warp of one thread
 * block by so much. */
typedef struct rule {
    int64_t block_x, block_y, x, y, turn, odd;
} rule;

static void access_by(script *s, uint32_t pc, unsigned block, unsigned warp, unsigned turn, const rule *r)
{
    uint64_t address[WS_WARP];
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        const unsigned thread = warp * WS_WARP + lane;
        address[lane] =
            0x7f0000000000 +
            (uint64_t)(r->block_x * (int64_t)(block % GRID_X) + r->block_y * (int64_t)(block / GRID_X) +
                       r->x * (int64_t)(thread % X) + r->y * (int64_t)(thread / X) + r->turn * (int64_t)turn);
        address[lane] += block == 7 && warp == 1 && lane == 9 ? (uint64_t)r->odd : 0;
    }
    access_at(s, block, warp, pc, ALL_LANES, address);
}

static void check(const rule *r, double place, double turn)
{
    script *const s = launch_2d();
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    for (unsigned b = 0; b < GRID_X * GRID_Y; b++)
        for (unsigned w = 0; w < X * Y / WS_WARP; w++)
            for (unsigned t = 0; t < (r->turn ? TURNS : 1); t++)
                access_by(s, load, b, w, t, r);
    double *const v = measure(M, s);
    assert_column(M, v, "affine_instrs", place);
    assert_column(M, v, "affine_turn_instrs", turn);
    assert_column(M, v, "affine_accesses", place);
    assert_column(M, v, "affine_turn_accesses", turn);
    free(v);
    script_destroy(s);
}

static void kinds(void **unused)
{
    (void)unused;
    check(&(rule){.block_x = 64, .block_y = 4096, .x = 4, .y = 512}, 1, 1);
    check(&(rule){.block_x = -64, .block_y = 4096, .x = -4, .y = 0}, 1, 1);
    check(&(rule){0}, 1, 1);
    check(&(rule){.block_y = 4096, .x = 4, .y = 512, .turn = 64}, 0, 1);
    check(&(rule){.block_x = 64, .block_y = 4096, .x = 4, .y = 512, .odd = 4}, 0, 0);
    check(&(rule){.block_x = 64, .block_y = 4096, .x = 4, .y = 512, .turn = 8, .odd = 1}, 0, 0);
}

/* Two instructions: one by place, twice as often as one that looks up where to go. */
static void shares(void **unused)
{
    (void)unused;
    script *const s = launch_2d();
    const uint32_t load = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4),
                   indirect = memory(s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    memory(s, WS_SPACE_GLOBAL, WS_ACCESS_STORE, 4); /* never executed */
    for (unsigned b = 0; b < GRID_X * GRID_Y; b++)
        for (unsigned w = 0; w < 2; w++) {
            access_by(s, load, b, w, 0, &(rule){.x = 4, .block_x = 64});
            access_by(s, load, b, w, 0, &(rule){.x = 4, .block_x = 64});
            access_line(s, b, w, indirect, ALL_LANES, (b * 7919 % 97) * 128, 4);
        }
    double *const v = measure(M, s);
    assert_column(M, v, "affine_instrs", 1 / 2.0);
    assert_column(M, v, "affine_accesses", 2 / 3.0);
    free(v);
    script_destroy(s);
}

/* Slopes that are fractions, and numbers that depend on one another. */
static void fractions(void **unused)
{
    (void)unused;
    ws_affine_fit fit = {0};
    for (uint64_t i = 0; i < 10; i++)
        ws_affine_add(&fit,
                      (uint64_t[WS_AFFINE_WIDTH]){[0] = 1, [1] = 2 * i, [4] = 4 * i, [WS_AFFINE_X] = 3 * i + 100});
    assert_false(fit.failed);
    assert_true(ws_affine_without(&fit, 1) && ws_affine_without(&fit, 4)); /* either tells it */
    ws_affine_add(&fit, (uint64_t[WS_AFFINE_WIDTH]){[0] = 1, [1] = 2, [4] = 5, [WS_AFFINE_X] = 103});
    assert_false(fit.failed);
    ws_affine_add(&fit, (uint64_t[WS_AFFINE_WIDTH]){[0] = 1, [1] = 2, [4] = 7, [WS_AFFINE_X] = 104});
    assert_true(fit.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(shares),
        cmocka_unit_test(fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
