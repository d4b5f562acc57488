/* test_live_simulation.c - launches that run while they are simulated: clocks, machines that are given up, cooperative
 * launches, limits, and waiting that ends. */
#include "base/status.h"
#include "record/simulate/live_simulation.h"
#include "record/simulate/live_source.h"
#include "model/machine/machine_choice.h"
#include "collect/cuda/recorder.h"
#include "model/sim/sim_activity.h"
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define ENTRY \
    ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n" \
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"

/* Both clocks before and after a load whose value is needed. */
static const char clocks[] =
    HEADER ENTRY "mov.u64 %rd2, %clock64;\nmov.u64 %rd3, %globaltimer;\nld.global.u32 %r3, [%rd1+4096];\nmembar.gl;\n"
                 "bar.sync 0;\nmov.u64 %rd4, %clock64;\nmov.u64 %rd5, %globaltimer;\nst.global.u64 [%rd1], %rd2;\n"
                 "st.global.u64 [%rd1+8], %rd3;\nst.global.u64 [%rd1+16], %rd4;\nst.global.u64 [%rd1+24], %rd5;\n"
                 "ret;\n}\n";

/* Block 1 waits for a flag that block 0 raises after a while, and notes how often it looked. */
static const char waits[] =
    HEADER ENTRY "mov.u32 %r4, 0;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WORK;\nWAIT:\nadd.u32 %r4, %r4, 1;\n"
                 "ld.volatile.global.u32 %r3, [%rd1];\nsetp.eq.u32 %p2, %r3, 0;\n@%p2 bra WAIT;\n"
                 "st.global.u32 [%rd1+4], %r4;\nret;\nWORK:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p3, %r4, 4000;\n"
                 "@%p3 bra WORK;\nst.volatile.global.u32 [%rd1], 7;\nret;\n}\n";

/* A wild store where the first word is not zero. */
static const char faults[] =
    HEADER ENTRY "ld.global.u32 %r3, [%rd1];\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 st.global.u32 [%rd1+1073741824], %r3;\n"
                 "st.global.u32 [%rd1+4], 5;\nret;\n}\n";

static const char endless[] = HEADER ENTRY "L:\nbra L;\n}\n";

enum { WORDS = 2048 };

typedef struct fixture {
    ws_machine *machine;
    ws_simulation *simulation;
    ws_live_simulation live;
    ws_launch_simulator simulator;
    ws_module *module;
    ws_device *device;
    ws_image *image;
    ws_kernel *kernel;
    uint64_t out[1];
} fixture;

static void check(int status)
{
    if (status)
        fail_msg("%s", ws_message());
}

static void open_on(fixture *f, const char *text, ws_simulation_options options, const char *file)
{
    const char *const setting[] = {"chip.launch=5000", file};
    const ws_machine_choice choice = {.config = "gtsc", .protocol = "bl", .setting = setting, .settings = 2};
    *f = (fixture){0};
    options.live = true;
    check(ws_machine_choose(&choice, &f->machine));
    check(ws_simulation_create(f->machine, &options, &f->simulation));
    f->live = (ws_live_simulation){.simulation = f->simulation, .workload = "test"};
    f->simulator = (ws_launch_simulator){.simulate = ws_live_simulate, .context = &f->live};
    check(ws_ptx_parse("test.ptx", text, strlen(text), &f->module));
    check(ws_device_create(&(ws_device_options){.workers = 1, .memory_bytes = 1 << 24}, &f->device));
    check(ws_image_load(f->device, f->module, &f->image));
    check(ws_image_kernel(f->image, "k", &f->kernel));
    check(ws_device_alloc(f->device, 4ull * WORDS, &f->out[0]));
}

static void open_kernel(fixture *f, const char *text, ws_simulation_options options)
{
    open_on(f, text, options, "registers.file=banked");
}

static void close_kernel(fixture *f)
{
    ws_device_destroy(f->device);
    ws_module_destroy(f->module);
    ws_simulation_destroy(f->simulation);
    ws_machine_destroy(f->machine);
}

static void *words(const fixture *f)
{
    void *const at = ws_device_pointer(f->device, f->out[0], 4ull * WORDS);
    assert_non_null(at);
    return at;
}

static int launch(fixture *f, uint32_t grid, uint32_t block, bool cooperative)
{
    const ws_run run = {.grid = {grid, 1, 1},
                        .block = {block, 1, 1},
                        .params = f->out,
                        .cooperative = cooperative,
                        .simulator = &f->simulator};
    return ws_kernel_run(f->kernel, &run, NULL);
}

static double value_of(const ws_frame *frame, size_t row, const char *column)
{
    const long at = ws_frame_find_column(frame, column);
    assert_true(at >= 0);
    return frame->value[row * frame->columns + (size_t)at];
}

/* ---- clocks ---- */

static void test_clocks_follow_the_machine(void **unused)
{
    (void)unused;
    fixture f;
    open_kernel(&f, clocks, (ws_simulation_options){0});
    check(launch(&f, 1, 1, false));
    const uint64_t *const w = words(&f);
    assert_true(w[0] >= 5000); /* chip.launch */
    assert_true(w[2] >= w[0] + f.machine->l2_latency);
    assert_true(w[2] < ws_simulation_now(f.simulation));
    for (int i = 0; i < 4; i += 2) /* a cycle of 1.4 GHz */
        assert_int_equal(w[i + 1], (uint64_t)((double)w[i] * (1e6 / 1.4e6)));
    const uint64_t before = w[2];
    check(launch(&f, 1, 1, false));
    assert_true(w[0] > before + 5000);
    check(ws_kernel_run(f.kernel, &(ws_run){.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = f.out}, NULL));
    assert_true(w[2] < 32); /* without a simulator: instructions */
    close_kernel(&f);
}

/* ---- waiting ---- */

static void test_spinning_ends(void **unused)
{
    (void)unused;
    fixture f;
    open_kernel(&f, waits, (ws_simulation_options){.check = true});
    check(launch(&f, 2, 1, false));
    const uint32_t *const w = words(&f);
    assert_int_equal(w[0], 7);
    assert_true(w[1] > 10 && w[1] < 4000); /* a look takes longer than a turn of the other loop */
    assert_true(ws_sim_checked(ws_simulation_sim(f.simulation)) >= w[1]);
    close_kernel(&f);
}

static void test_limit_of_cycles(void **unused)
{
    (void)unused;
    fixture f;
    ws_frame *frame;
    open_kernel(&f, endless, (ws_simulation_options){.max_cycles = 6001});
    assert_int_equal(launch(&f, 1, 32, false), WS_ELIMIT);
    assert_non_null(strstr(ws_message(), "more than 6001 cycles"));
    check(ws_simulation_frame(f.simulation, &frame));
    assert_int_equal(frame->rows, 1);
    assert_string_equal(frame->label[3], "limit");
    assert_in_range((uint64_t)value_of(frame, 0, "cycles"), 6001, 6001 + f.machine->port_cycles);
    ws_frame_destroy(frame);
    close_kernel(&f);
}

/* ---- launches that do not end ---- */

static void test_a_launch_after_a_fault(void **unused)
{
    (void)unused;
    static const char *const ends[] = {"done", "failed", "done", "incomplete"};
    fixture f;
    ws_frame *frame;
    open_kernel(&f, faults, (ws_simulation_options){.check = true});
    uint32_t *const w = words(&f);
    check(launch(&f, 4, 64, false));
    const uint64_t first = ws_simulation_now(f.simulation);
    w[0] = 1;
    assert_int_equal(launch(&f, 4, 64, false), WS_EFAULT);
    assert_non_null(strstr(ws_message(), "test.ptx:"));
    assert_true(ws_simulation_now(f.simulation) > first);
    w[0] = w[1] = 0;
    check(launch(&f, 4, 64, false));
    assert_int_equal(w[1], 5);
    check(ws_simulation_frame(f.simulation, &frame));
    assert_int_equal(frame->rows, 4);
    double cycles = 0, instructions = 0;
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(frame->label[i * frame->labels + 3], ends[i]);
        assert_true(value_of(frame, i, "cycles") > 0);
        cycles += i < 3 ? value_of(frame, i, "cycles") : 0;
        instructions += i < 3 ? value_of(frame, i, "warp_instructions") : 0;
    }
    /* The total is that of all machines. */
    assert_true(value_of(frame, 3, "cycles") == cycles);
    assert_true(value_of(frame, 3, "warp_instructions") == instructions);
    assert_true(value_of(frame, 2, "warp_instructions") == value_of(frame, 0, "warp_instructions"));
    ws_frame_destroy(frame);
    close_kernel(&f);
}

/* Gives a launch up after some cycles and begins it again on the same machine. */
static int give_up(void *context, ws_stepper *stepper, const ws_launch *of)
{
    ws_sim *const sim = context;
    ws_source *source;
    bool done;
    (void)of;
    check(ws_source_of_stepper(stepper, ws_sim_slots(ws_sim_machine(sim)), &source));
    check(ws_sim_begin(sim, source));
    check(ws_sim_run(sim, 6000, &done));
    assert_false(done);
    check(ws_sim_end(sim));
    const int status = ws_sim_begin(sim, source);
    source->ops->destroy(source);
    return status;
}

static void test_a_machine_that_was_given_up(void **unused)
{
    (void)unused;
    fixture f;
    open_kernel(&f, endless, (ws_simulation_options){0});
    f.simulator = (ws_launch_simulator){.simulate = give_up, .context = ws_simulation_sim(f.simulation)};
    assert_int_equal(launch(&f, 1, 32, false), WS_EVERIFY);
    assert_non_null(strstr(ws_message(), "did not end"));
    close_kernel(&f);
}

/* ---- all blocks at once ---- */

static void test_cooperative_launches_fit_or_not(void **unused)
{
    (void)unused;
    fixture f;
    ws_frame *frame;
    open_kernel(&f, faults, (ws_simulation_options){0});
    check(launch(&f, 16 * 8, 32, true)); /* blocks of 16 SMs */
    assert_int_equal(launch(&f, 16 * 8 + 1, 32, true), WS_EINPUT);
    assert_string_equal(ws_message(), "kernel k: a cooperative launch of 129 blocks; gtsc has room for 128 at the same "
                                      "time, 8 on each of 16 SMs ([sm] blocks is short)");
    check(launch(&f, 16 * 1, 1024, true));
    assert_int_equal(launch(&f, 16 * 1 + 1, 1024, true), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "1 on each of 16 SMs ([sm] threads is short)"));
    check(launch(&f, 16 * 8 + 1, 32, false)); /* else they come one after the other */
    check(ws_simulation_frame(f.simulation, &frame));
    assert_int_equal(frame->rows, 3 + 1); /* what was refused has none */
    ws_frame_destroy(frame);
    close_kernel(&f);
}

/* ---- programs ---- */

static void expect_refused(const char *name, const char *value, const char *message)
{
    ws_recorder *recorder;
    ws_recorder_options options;
    setenv("WARPSCAPE_SIMULATE", "gtsc", 1);
    setenv(name, value, 1);
    assert_int_not_equal(ws_recorder_open(&recorder, &options), WS_OK);
    if (!strstr(ws_message(), message))
        fail_msg("%s", ws_message());
    unsetenv(name);
    unsetenv("WARPSCAPE_SIMULATE");
}

static void test_environment(void **unused)
{
    (void)unused;
    static const char path[] = "test_live_simulation.rows";
    ws_recorder *recorder;
    ws_recorder_options options;
    ws_frame *frame;
    expect_refused("WARPSCAPE_SIMULATE", "nosuch", "there is no configuration nosuch");
    expect_refused("WARPSCAPE_SIMULATE_PROTOCOL", "nosuch", "coherence.protocol = nosuch");
    expect_refused("WARPSCAPE_SIMULATE_SET", "l1.ways=8\n\nl1.ways", "lines of OPTION=VALUE");
    expect_refused("WARPSCAPE_SIMULATE_MAX_CYCLES", "some", "expected a number of cycles, got 'some'");
    expect_refused("WARPSCAPE_INTERLEAVE", "1", "unset one");
    setenv("WARPSCAPE_SIMULATE", "gtsc", 1);
    setenv("WARPSCAPE_SIMULATE_PROTOCOL", "none", 1);
    setenv("WARPSCAPE_SIMULATE_SET", "l1.ways=8", 1);
    setenv("WARPSCAPE_SIMULATE_ROWS", path, 1);
    setenv("WARPSCAPE_WORKLOAD", "NAME", 1);
    check(ws_recorder_open(&recorder, &options));
    ws_run run = {0};
    fixture f;
    open_kernel(&f, faults, (ws_simulation_options){0});
    check(ws_recorder_before(recorder, f.kernel, &run));
    assert_ptr_equal(run.simulator->simulate, ws_live_simulate);
    const ws_live_simulation *const live = run.simulator->context;
    assert_string_equal(live->workload, "NAME");
    assert_int_equal(ws_simulation_machine(live->simulation)->l1_ways, 8);
    assert_string_equal(ws_machine_protocol(ws_simulation_machine(live->simulation)), "none");
    run.grid[0] = run.grid[1] = run.grid[2] = run.block[0] = run.block[1] = run.block[2] = 1;
    run.params = f.out;
    check(ws_kernel_run(f.kernel, &run, NULL));
    check(ws_recorder_close(recorder, &(ws_copied){0}, 0));
    close_kernel(&f);
    check(ws_frame_load(path, &frame));
    assert_int_equal(frame->rows, 1);
    assert_string_equal(frame->label[0], "NAME");
    assert_string_equal(frame->label[1], "k");
    ws_frame_destroy(frame);
    unlink(path);
    static const char *const names[] = {"", "_PROTOCOL", "_SET", "_ROWS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        snprintf(name, sizeof name, "WARPSCAPE_SIMULATE%s", names[i]);
        unsetenv(name);
    }
    unsetenv("WARPSCAPE_WORKLOAD");
}

/* Lanes that write registers, bit by bit worked out; `more` stands between a start and an end that are the same, and
 * that keep %r1 to %r3 alive: variables that are not may share a register. */
typedef struct bits {
    uint64_t written, changed; /* of all banks */
} bits;

static bits bits_of(const char *more, const char *file, uint64_t *cycles)
{
    char text[2048];
    fixture f;
    ws_activity did;
    bits sum = {0};
    snprintf(text, sizeof text, "%s%s%s", HEADER ENTRY "mov.u32 %r3, 0;\n", more,
             "add.u32 %r6, %r1, %r2;\nst.global.u32 [%rd1+8], %r6;\nst.global.u32 [%rd1+4], %r3;\nret;\n}\n");
    open_on(&f, text, (ws_simulation_options){0}, file);
    ((uint32_t *)words(&f))[0] = 7;
    check(launch(&f, 1, 32, false));
    ws_sim_activity(ws_simulation_sim(f.simulation), &did);
    *cycles = did.core_cycles[0];
    for (int bank = 0; bank < WS_ACTIVITY_BANKS; bank++) {
        sum.written += did.registers_written_bits[bank];
        sum.changed += did.registers_changed_bits[bank];
    }
    close_kernel(&f);
    return sum;
}

static void test_register_files_see_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bits, flips; /* of the warp */
    } cases[] = {
        {"mov.u32 %r3, 255;\n", 32 * 32, 32 * 8},
        {"mov.u32 %r3, 0;\n", 32 * 32, 0},
        {"xor.b32 %r3, %r3, 5;\nxor.b32 %r3, %r3, 1;\n", 2 * 32 * 32, 32 * 3},
        {"mov.u64 %rd2, 1023;\n", 32 * 64, 32 * 10},
        {"xor.b32 %r3, %r3, %r1;\n", 32 * 32, 80}, /* bits of 0 .. 31 */
        {"xor.b32 %r3, %r3, %r1;\nxor.b32 %r3, %r3, %r1;\n", 2 * 32 * 32, 2 * 80},
        {"ld.global.u32 %r4, [%rd1];\n", 32 * 32, 32 * 3}, /* 0 becomes 7 */
        {"ld.global.u32 %r4, [%rd1];\nld.global.u32 %r4, [%rd1];\n", 2 * 32 * 32, 32 * 3},
        {"setp.lt.u32 %p1, %r1, 8;\n@%p1 mov.u32 %r3, 1;\n", 8 * 32, 8}, /* predicates are not reported */
        {"setp.lt.u32 %p1, %r1, 8;\n@%p1 ld.global.u32 %r4, [%rd1];\n", 8 * 32, 8 * 3},
    };
    uint64_t cycles;
    const bits without = bits_of("", "registers.file=differential", &cycles);
    assert_true(without.written > 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bits with = bits_of(cases[i].text, "registers.file=differential", &cycles);
        if (with.written - without.written != cases[i].bits || with.changed - without.changed != cases[i].flips)
            fail_msg("%s: %llu bits, %llu flips", cases[i].text, (unsigned long long)(with.written - without.written),
                     (unsigned long long)(with.changed - without.changed));
    }
    assert_int_equal(bits_of("mov.u32 %r3, 255;\n", "registers.file=banked", &cycles).written, 0);
    /* A chain of writes that change nothing is faster than one that does. */
    uint64_t same, other;
    bits_of("add.u32 %r3, %r3, 0;\nadd.u32 %r3, %r3, 0;\nadd.u32 %r3, %r3, 0;\nadd.u32 %r3, %r3, 0;\n",
            "registers.file=differential", &same);
    bits_of("add.u32 %r3, %r3, 1;\nadd.u32 %r3, %r3, 1;\nadd.u32 %r3, %r3, 1;\nadd.u32 %r3, %r3, 1;\n",
            "registers.file=differential", &other);
    assert_true(other > same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clocks_follow_the_machine),
        cmocka_unit_test(test_spinning_ends),
        cmocka_unit_test(test_limit_of_cycles),
        cmocka_unit_test(test_a_launch_after_a_fault),
        cmocka_unit_test(test_a_machine_that_was_given_up),
        cmocka_unit_test(test_cooperative_launches_fit_or_not),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_register_files_see_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
