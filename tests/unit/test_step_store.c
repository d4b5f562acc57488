/* Do steps come back as they were, in order, from memory and from the file, and does the file shrink? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "model/sim/step_store.h"
#include "tests/unit/synthetic_events.h"

enum { CHAINS = 3, PARTS = 40, EVENTS = 50 };

static uint64_t place_of(uint32_t chain, uint32_t part, uint32_t k, uint32_t lane)
{
    return (((uint64_t)chain << 40) + ((uint64_t)part << 20) + k * 0x9e3779b9u * (lane + 1)) & ~UINT64_C(3);
}

static void put(ws_step_store *store, ws_trace_packer *packer, uint32_t chain, uint32_t part, ws_step_chain *to)
{
    ws_trace_pack_begin(packer);
    for (uint32_t k = 0; k < EVENTS; k++) {
        uint64_t address[WS_WARP];
        const ws_event event = {.pc = 0,
                                .warp = (uint16_t)chain,
                                .count = 1,
                                .active = UINT32_MAX,
                                .exec = UINT32_MAX,
                                .kind = WS_EVENT_MEMORY,
                                .space = WS_SPACE_GLOBAL};
        for (uint32_t lane = 0; lane < WS_WARP; lane++)
            address[lane] = place_of(chain, part, k, lane);
        ws_trace_pack(packer, &event, address);
    }
    assert_int_equal(ws_step_store_put(store, packer, to), WS_OK);
}

static void get(ws_step_store *store, ws_trace_packer *packer, uint32_t chain, uint32_t part, ws_step_chain *from)
{
    ws_batch batch;
    assert_int_equal(ws_step_store_get(store, packer, from, &batch), WS_OK);
    assert_int_equal(batch.events, EVENTS);
    for (uint32_t k = 0; k < EVENTS; k++) {
        const uint64_t *const address = WS_ADDRESSES(&batch, &batch.event[k]);
        assert_int_equal(batch.event[k].warp, chain);
        for (uint32_t lane = 0; lane < WS_WARP; lane++)
            assert_int_equal(address[lane], place_of(chain, part, k, lane));
    }
}

/* Chains take turns, some parts are read before others are there, and what is left is forgotten. */
static void steps_with(uint64_t bound, bool filed, bool remembered)
{
    synthetic s;
    ws_step_store *store;
    ws_trace_packer *packer;
    ws_step_chain chain[CHAINS] = {0};
    uint64_t memory, file;
    syn_init(&s, 1, CHAINS * WS_WARP);
    syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    assert_int_equal(ws_step_store_create(&s.launch, bound, &store), WS_OK);
    assert_int_equal(ws_step_store_lend(store, &packer), WS_OK);
    for (uint32_t part = 0; part < PARTS; part++)
        for (uint32_t c = 0; c < CHAINS; c++) {
            put(store, packer, c, part, &chain[c]);
            if (part % 4 == 3)
                get(store, packer, c, part / 4, &chain[c]);
        }
    ws_step_store_count(store, &memory, &file);
    assert_int_equal(file > 0, filed);
    assert_int_equal(memory > 0, remembered);
    assert_true(memory <= bound);
    for (uint32_t part = PARTS / 4; part < PARTS; part++)
        for (uint32_t c = 0; c + 1 < CHAINS; c++)
            get(store, packer, c, part, &chain[c]);
    ws_step_store_forget(store, &chain[CHAINS - 1]);
    ws_step_store_count(store, &memory, &file);
    assert_int_equal(memory + file, 0);
    put(store, packer, 0, 1, &chain[0]); /* from the beginning of the file again */
    get(store, packer, 0, 1, &chain[0]);
    ws_step_store_return(store, packer);
    ws_step_store_destroy(store);
    syn_fini(&s);
}

static void steps_in_memory(void **state)
{
    (void)state;
    steps_with(UINT64_MAX, false, true);
}

static void steps_in_the_file(void **state)
{
    (void)state;
    steps_with(0, true, false);
}

static void steps_in_both(void **state)
{
    (void)state;
    steps_with(100000, true, true);
}

/* A folder that is not there: the steps cannot be kept, and the message says where that was. */
static void no_place_for_the_file(void **state)
{
    (void)state;
    synthetic s;
    ws_step_store *store;
    ws_trace_packer *packer;
    ws_step_chain chain = {0};
    char *const before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    syn_init(&s, 1, WS_WARP);
    syn_memory_instr(&s, WS_SPACE_GLOBAL, WS_ACCESS_LOAD, 4);
    assert_int_equal(ws_step_store_create(&s.launch, 0, &store), WS_OK);
    assert_int_equal(ws_step_store_lend(store, &packer), WS_OK);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    ws_trace_pack_begin(packer);
    const uint64_t address[WS_WARP] = {0};
    ws_trace_pack(packer,
                  &(ws_event){.count = 1, .active = 1, .exec = 1, .kind = WS_EVENT_MEMORY, .space = WS_SPACE_GLOBAL},
                  address);
    assert_int_equal(ws_step_store_put(store, packer, &chain), WS_EIO);
    assert_non_null(strstr(ws_message(), "/nowhere/at/all"));
    assert_null(chain.first);
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    ws_step_store_return(store, packer);
    ws_step_store_destroy(store);
    syn_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_in_memory), cmocka_unit_test(steps_in_the_file),
                                       cmocka_unit_test(steps_in_both), cmocka_unit_test(no_place_for_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
