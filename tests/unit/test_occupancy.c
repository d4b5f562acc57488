/* test_occupancy.c - CTAs of an SM, beside NVIDIA's calculator, and the changes that admit one more. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/frame.h"
#include "base/status.h"
#include "model/machine/machine_declared.h"
#include "model/mechanism/occupancy/occupancy.h"

#include <string.h>

static ws_machine *read_machine(const char *name)
{
    ws_machine *machine = NULL;
    if (ws_machine_read("data", name, &machine))
        fail_msg("%s: %s", name, ws_message());
    return machine;
}

static void set(ws_machine *machine, const char *option, const char *value)
{
    if (ws_machine_set(machine, option, value))
        fail_msg("%s", ws_message());
}

/* tests/oracle/make_occupancy.c: five capabilities, random shapes; 0 for a CTA that no SM has room for. */
static void test_calculator(void **state)
{
    (void)state;
    enum { THREADS, REGISTERS, SHARED, CTAS };
    ws_frame *oracle = NULL;
    ws_machine *machine = NULL;
    const char *name = "";
    assert_int_equal(ws_frame_load("tests/oracle/occupancy.oracle.csv", &oracle), WS_OK);
    assert_true(oracle->rows > 0);
    for (size_t i = 0; i < oracle->rows; i++) {
        const double *const v = oracle->value + i * oracle->columns;
        if (strcmp(name, oracle->label[i * oracle->labels]) != 0) {
            ws_machine_destroy(machine);
            machine = read_machine(name = oracle->label[i * oracle->labels]);
        }
        const ws_occupancy_shape shape = {(uint32_t)v[THREADS], (uint32_t)v[REGISTERS], (uint64_t)v[SHARED]};
        ws_occupancy o;
        ws_occupancy_of(machine, &shape, &o);
        if (o.resident != (uint64_t)v[CTAS])
            fail_msg("%s: %u threads, %u registers, %llu bytes: %llu CTAs instead of %.0f", name, shape.threads,
                     shape.registers, (unsigned long long)shape.shared, (unsigned long long)o.resident, v[CTAS]);
    }
    ws_machine_destroy(machine);
    ws_frame_destroy(oracle);
}

/* A V100: 65536 registers, in units of 256 for a warp. With 256 threads of 40, 8 warps take 1280 each: 6 CTAs; 7 need
 * at most 65536 / 56 = 1170 for a warp, that is 1024, 32 for a thread. With 33 a warp takes as much as with 40. */
static void test_registers(void **state)
{
    (void)state;
    ws_machine *const m = read_machine("qv100");
    ws_occupancy o;
    ws_occupancy_of(m, &(ws_occupancy_shape){256, 40, 0}, &o);
    assert_int_equal(o.limit, WS_RESIDENT_registers);
    assert_int_equal(o.resident, 6);
    assert_int_equal(o.warps, 48);
    assert_true(o.ratio == 0.75);
    assert_int_equal(o.next_registers, 32);
    assert_int_equal(o.next_shared, 0);
    assert_int_equal(o.ctas[WS_RESIDENT_threads], 8);
    assert_true(o.ctas[WS_RESIDENT_shared] == UINT64_MAX);
    ws_occupancy_of(m, &(ws_occupancy_shape){256, 33, 0}, &o);
    assert_int_equal(o.resident, 6);
    set(m, "sm.register_unit", "1"); /* 1056 for a warp: 7.75 CTAs */
    ws_occupancy_of(m, &(ws_occupancy_shape){256, 33, 0}, &o);
    assert_int_equal(o.resident, 7);
    ws_machine_destroy(m);
}

/* 96 KB among CTAs of 20,000 bytes, 20,224 as allocated: 4; 5 need 19,660 at most, in units of 256 19,456. On a card
 * that takes 1 KB for each CTA, 100 KB hold 4, and 5 with 20,480 bytes less 1,024. */
static void test_shared(void **state)
{
    (void)state;
    ws_machine *m = read_machine("qv100");
    ws_occupancy o;
    ws_occupancy_of(m, &(ws_occupancy_shape){128, 16, 20000}, &o);
    assert_int_equal(o.limit, WS_RESIDENT_shared);
    assert_int_equal(o.resident, 4);
    assert_int_equal(o.next_shared, 19456);
    assert_int_equal(o.next_registers, 0);
    ws_machine_destroy(m);
    m = read_machine("rtx3090");
    ws_occupancy_of(m, &(ws_occupancy_shape){128, 16, 20000}, &o);
    assert_int_equal(o.resident, 4);
    assert_int_equal(o.next_shared, 19456);
    ws_machine_destroy(m);
}

/* CTAs of 32 threads: their places are scarce, 32 of 64 warps. Larger CTAs fill the SM; the nearest has 64 threads. */
static void test_threads(void **state)
{
    (void)state;
    ws_machine *const m = read_machine("qv100");
    ws_occupancy o;
    ws_occupancy_of(m, &(ws_occupancy_shape){32, 16, 0}, &o);
    assert_int_equal(o.limit, WS_RESIDENT_blocks);
    assert_true(o.ratio == 0.5);
    assert_int_equal(o.best_threads, 64);
    assert_true(o.best_ratio == 1);
    ws_occupancy_of(m, &(ws_occupancy_shape){1024, 255, 0}, &o); /* 8192 registers for a warp, 32 warps */
    assert_int_equal(o.resident, 0);
    assert_int_equal(o.limit, WS_RESIDENT_registers);
    ws_machine_destroy(m);
}

/* The values that are said to admit one more CTA do, and no larger ones. */
static void test_next(void **state)
{
    (void)state;
    ws_machine *const m = read_machine("rtx3090");
    for (uint32_t threads = 32; threads <= 1024; threads += 96)
        for (uint32_t registers = 16; registers <= 128; registers += 7)
            for (uint64_t shared = 0; shared <= 60000; shared += 12345) {
                ws_occupancy now, next, larger;
                ws_occupancy_of(m, &(ws_occupancy_shape){threads, registers, shared}, &now);
                if (now.next_registers) {
                    ws_occupancy_of(m, &(ws_occupancy_shape){threads, now.next_registers, shared}, &next);
                    ws_occupancy_of(m, &(ws_occupancy_shape){threads, now.next_registers + 1, shared}, &larger);
                    assert_true(next.resident > now.resident && larger.resident == now.resident);
                }
                if (now.next_shared) {
                    ws_occupancy_of(m, &(ws_occupancy_shape){threads, registers, now.next_shared}, &next);
                    ws_occupancy_of(m, &(ws_occupancy_shape){threads, registers, now.next_shared + 1}, &larger);
                    assert_true(next.resident > now.resident && larger.resident == now.resident);
                }
                ws_occupancy_of(m, &(ws_occupancy_shape){now.best_threads, registers, shared}, &next);
                assert_true(next.ratio == now.best_ratio && next.ratio >= now.ratio);
            }
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calculator), cmocka_unit_test(test_registers), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_next),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
