/* test_coalesced.c - what families share of an access is what each would work out for itself, in whatever order they
 * ask, and without room, too. */
#include "metrics/coalesced.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

enum { EVENTS = 60, ROUNDS = 200, ASKED = 6 };

static ws_event event[EVENTS];
static uint64_t address[EVENTS * WS_WARP];
static ws_instr instr[EVENTS];

/* Strides, broadcasts, scattered and falling addresses, some over the top of the address space; lanes at will. */
static void draw(gsl_rng *rng)
{
    for (unsigned i = 0; i < EVENTS; i++) {
        const uint64_t base = gsl_rng_uniform_int(rng, 8) ? gsl_rng_uniform_int(rng, 1 << 20) : UINT64_MAX - 200;
        const int64_t stride = (int64_t)gsl_rng_uniform_int(rng, 300) - 150;
        const bool scattered = gsl_rng_uniform_int(rng, 2);
        event[i] = (ws_event){.pc = i, .kind = WS_EVENT_MEMORY, .space = WS_SPACE_GLOBAL, .addresses = i, .count = 1};
        event[i].exec = gsl_rng_uniform_int(rng, 2) ? UINT32_MAX : (uint32_t)gsl_rng_uniform_int(rng, UINT32_MAX);
        instr[i] = (ws_instr){.bytes = (uint8_t)gsl_rng_uniform_int(rng, 34)};
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            address[i * WS_WARP + lane] =
                scattered ? base + gsl_rng_uniform_int(rng, 5000) : base + (uint64_t)(stride * (int64_t)lane);
    }
    event[7].exec = 0;
}

static void ask(const ws_batch *batch, unsigned i, bool lines)
{
    uint64_t own[WS_COALESCE_MAX], expected[WS_COALESCE_MAX];
    unsigned n;
    const uint64_t *const got =
        (lines ? ws_coalesced_lines : ws_coalesced_sectors)(batch, &event[i], &instr[i], own, &n);
    const unsigned m = ws_coalesce_blocks(address + (size_t)i * WS_WARP, event[i].exec, instr[i].bytes,
                                          lines ? WS_LINE_SHIFT : WS_SECTOR_SHIFT, expected);
    assert_int_equal(n, m);
    assert_memory_equal(got, expected, n * sizeof *got);
    assert_true(batch->room ? got != own : got == own);
}

static void is_what_each_would_find(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    ws_batch_room room = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const ws_batch batch = {.event = event, .events = EVENTS, .address = address, .room = round % 5 ? &room : NULL};
        draw(rng);
        room.used = 0;
        for (unsigned k = 0; k < ASKED * EVENTS; k++)
            ask(&batch, (unsigned)gsl_rng_uniform_int(rng, EVENTS), gsl_rng_uniform_int(rng, 2));
    }
    free(room.word);
    gsl_rng_free(rng);
}

/* The second one who asks gets the list of the first. */
static void is_worked_out_once(void **state)
{
    (void)state;
    uint64_t own[WS_COALESCE_MAX];
    unsigned n;
    ws_batch_room room = {0};
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const ws_batch batch = {.event = event, .events = EVENTS, .address = address, .room = &room};
    draw(rng);
    for (unsigned i = 0; i < EVENTS; i++)
        ws_coalesced_sectors(&batch, &event[i], &instr[i], own, &n),
            ws_coalesced_lines(&batch, &event[i], &instr[i], own, &n);
    const size_t used = room.used;
    for (unsigned i = 0; i < EVENTS; i++)
        ws_coalesced_lines(&batch, &event[i], &instr[i], own, &n),
            ws_coalesced_sectors(&batch, &event[i], &instr[i], own, &n);
    assert_int_equal(room.used, used);
    free(room.word);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_what_each_would_find),
        cmocka_unit_test(is_worked_out_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
