/* test_microbench.c - small kernels on simulated machines: they measure what the machine says of itself, and what is
 * published of a card is read with care. That no machine exceeds its card, tests/machines/machines.sh asks of each. */
#include "record/microbench/microbench.h"

#include "base/status.h"
#include "model/sim/memory/dram.h"
#include "model/machine/machine.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static ws_machine *machine(void)
{
    ws_machine *m;
    if (ws_machine_read("data", "rtx2060-mini", &m))
        fail_msg("%s", ws_message());
    return m;
}

static void set(ws_machine *m, const char *option, const char *value)
{
    if (ws_machine_set(m, option, value) || ws_machine_check(m))
        fail_msg("%s", ws_message());
}

static ws_frame *measure(const ws_machine *m, const char *groups)
{
    const ws_microbench_options how = {.groups = groups};
    ws_frame *frame;
    if (ws_microbench(m, &how, &frame))
        fail_msg("%s", ws_message());
    return frame;
}

static double value_of(const ws_frame *frame, const char *benchmark, const char *measured)
{
    for (size_t i = 0; i < frame->rows; i++)
        if (!strcmp(frame->label[i * frame->labels + 1], benchmark) &&
            !strcmp(frame->label[i * frame->labels + 2], measured))
            return frame->value[i * frame->columns];
    fail_msg("no row of %s, %s", benchmark, measured);
    return NAN;
}

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * expected))
        fail_msg("%g, expected %g", value, expected);
}

/* Results a cycle and SM. */
static double conversions(const ws_machine *m, uint32_t initiation)
{
    return 32.0 * (m->sm_conversions != WS_CONVERSIONS_SFU ? m->sm_sp_units : m->sm_sfu_units) / initiation;
}

/* Times and rates of units come out as they went in: latencies from issue to issue, and 32 lanes each initiation from
 * each unit. */
static void units(void **state)
{
    (void)state;
    ws_machine *const m = machine();
    set(m, "latency.from", "issue");
    for (int other = 0; other < 2; other++) {
        if (other) {
            set(m, "latency.fp_mad", "9");
            set(m, "initiation.fp_mad", "5");
            set(m, "latency.dp_add", "70");
            set(m, "initiation.dp_add", "7");
            set(m, "initiation.half", "16");
            set(m, "latency.shift", "11");
            set(m, "initiation.convert", "10");
            set(m, "initiation.dp_convert", "20");
        }
        ws_frame *const f = measure(m, "instruction");
        near(value_of(f, "fma.rn.f32", "latency"), m->latency_fp_mad, 0);
        near(value_of(f, "fma.rn.f32", "throughput"), 32.0 * m->sm_sp_units / m->initiation_fp_mad, 0.01);
        near(value_of(f, "add.f64", "latency"), m->latency_dp_add, 0);
        near(value_of(f, "add.f64", "throughput"), 32.0 * m->sm_dp_units / m->initiation_dp_add, 0.01);
        near(value_of(f, "sin.approx.f32", "throughput"), 32.0 * m->sm_sfu_units / m->initiation_sfu, 0.01);
        near(value_of(f, "fma.rn.f16x2", "throughput"), 64.0 * m->sm_sp_units / (other ? 16 : m->initiation_fp_mad),
             0.01);
        near(value_of(f, "shl.b32", "latency"), other ? 11 : m->latency_int_add, 0);
        near(value_of(f, "cvt.rn.f32.s32", "throughput"), conversions(m, m->initiation_convert), 0.01);
        near(value_of(f, "cvt.rn.f64.s64", "throughput"), 32.0 * m->sm_dp_units / m->initiation_dp_convert, 0.01);
        ws_frame_destroy(f);
    }
    ws_machine_destroy(m);
}

/* Each further word of a bank is a further cycle. */
static void conflicts(void **state)
{
    (void)state;
    ws_machine *const m = machine();
    ws_frame *const f = measure(m, "conflicts");
    const double two = value_of(f, "shared memory, 2 words of a bank", "latency");
    near(value_of(f, "shared memory, 8 words of a bank", "latency"), two + 6, 0);
    near(value_of(f, "shared memory, 32 words of a bank", "latency"), two + 30, 0);
    ws_frame_destroy(f);
    ws_machine_destroy(m);
}

/* A load of a line a lane takes the ports of the L1 in turns. */
static void lines(void **state)
{
    (void)state;
    static const char *const ports[] = {"1", "4"};
    ws_machine *const m = machine();
    for (unsigned i = 0; i < 2; i++) {
        set(m, "l1.ports", ports[i]);
        ws_frame *const f = measure(m, "conflicts");
        near(value_of(f, "L1, loads that hit, 32 lines", "throughput"), atof(ports[i]), 0.01);
        ws_frame_destroy(f);
    }
    ws_machine_destroy(m);
}

typedef struct capability {
    const char *number;
    double doubles, wide, other, lines;
} capability;

static const capability capabilities[] = {
#define CAPABILITY(number, doubles, wide, other, lines) {number, doubles, wide, other, lines},
#define CARD(name, number)
#define STUDY(name)
#include "tests/unit/unit_rates.def"
#undef CAPABILITY
#undef CARD
#undef STUDY
};

static const struct {
    const char *name, *capability; /* NULL: of a document */
} shipped[] = {
#define CAPABILITY(number, doubles, wide, other, lines)
#define CARD(name, number) {name, number},
#define STUDY(name)        {name, NULL},
#include "tests/unit/unit_rates.def"
#undef CAPABILITY
#undef CARD
#undef STUDY
};

enum { CAPABILITIES = sizeof capabilities / sizeof *capabilities, SHIPPED = sizeof shipped / sizeof *shipped };

static void compare_rate(const ws_machine *m, const char *what, double rate, double published)
{
    if (fabs(rate - published) > 1e-9)
        fail_msg("data/configs/%s.ini: %s: %g a cycle and SM, published are %g", m->name, what, rate, published);
}

static void compare_rates(const ws_machine *m, const capability *c)
{
    compare_rate(m, "additions of doubles", 32.0 * m->sm_dp_units / m->initiation_dp_add, c->doubles);
    compare_rate(m, "products of doubles", 32.0 * m->sm_dp_units / m->initiation_dp_mul, c->doubles);
    compare_rate(m, "multiply-adds of doubles", 32.0 * m->sm_dp_units / m->initiation_dp_mad, c->doubles);
    compare_rate(m, "conversions from and to 64 bits", 32.0 * m->sm_dp_units / m->initiation_dp_convert, c->wide);
    compare_rate(m, "other conversions", conversions(m, m->initiation_convert), c->other);
    if (c->lines)
        compare_rate(m, "lines of L1", m->l1_ports, c->lines);
}

/* Every shipped machine is of a card, whose published rates it has, or of a document. */
static void rates_are_those_of_the_card(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("data/configs/*.ini", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        ws_machine *m;
        size_t at = 0, c = 0;
        if (ws_machine_read("data", files.gl_pathv[i], &m))
            fail_msg("%s", ws_message());
        while (at < SHIPPED && strcmp(shipped[at].name, m->name))
            at++;
        if (at == SHIPPED)
            fail_msg("%s: expected a row of the card or document in tests/unit/unit_rates.def", files.gl_pathv[i]);
        while (c < CAPABILITIES && shipped[at].capability && strcmp(capabilities[c].number, shipped[at].capability))
            c++;
        assert_true(c < CAPABILITIES);
        if (shipped[at].capability)
            compare_rates(m, &capabilities[c]);
        ws_machine_destroy(m);
    }
    assert_int_equal(files.gl_pathc, SHIPPED);
    globfree(&files);
}

/* What is further away takes longer, and memory gives no more than its pins carry. */
static void levels(void **state)
{
    (void)state;
    ws_machine *const m = machine();
    ws_frame *const f = measure(m, "memory");
    const double l1 = value_of(f, "L1, hit", "latency"), l2 = value_of(f, "L2, hit", "latency");
    assert_true(value_of(f, "shared memory", "latency") <= l1 && l1 < l2 && l2 < value_of(f, "DRAM", "latency"));
    near(value_of(f, "shared memory, loads", "throughput"), 4.0 * m->shared_banks, 0.1);
    const double pins = 1e-9 * m->memory_channels * ws_dram_part_peak(&m->shape.part);
    const double loads = value_of(f, "DRAM, loads", "throughput");
    if (!(loads <= 1.02 * pins && loads > 0.5 * pins))
        fail_msg("%g GB/s of %g", loads, pins);
    ws_frame_destroy(f);
    ws_machine_destroy(m);
}

/* The same twice. */
static void again(void **state)
{
    (void)state;
    ws_machine *const m = machine();
    ws_frame *const one = measure(m, "atomics,order"), *const two = measure(m, "atomics,order");
    assert_int_equal(one->rows, two->rows);
    assert_memory_equal(one->value, two->value, one->rows * sizeof *one->value);
    for (size_t i = 0; i < one->rows; i++)
        assert_true(strcmp(one->label[i * one->labels], "atomics") == 0 ||
                    strcmp(one->label[i * one->labels], "order") == 0);
    ws_frame_destroy(one);
    ws_frame_destroy(two);
    ws_machine_destroy(m);
}

static void refused(const ws_machine *m, const char *groups, const char *published, const char *expected)
{
    char file[] = "/tmp/published.XXXXXX";
    ws_microbench_options how = {.groups = groups};
    ws_frame *frame;
    if (published) {
        const int fd = mkstemp(file);
        assert_int_equal(write(fd, published, strlen(published)), strlen(published));
        close(fd);
        how.published = file;
    }
    const int status = ws_microbench(m, &how, &frame);
    if (published)
        unlink(file);
    assert_true(status != WS_OK);
    assert_null(frame);
    if (!strstr(ws_message(), expected))
        fail_msg("`%s' does not say `%s'", ws_message(), expected);
}

static void bad_input(void **state)
{
    (void)state;
#define HEAD "# labels: 4\nbenchmark,measure,unit,source,value\n"
    ws_machine *const m = machine();
    refused(m, "elephants", NULL, "no group of microbenchmarks is called `elephants'; there are instruction, memory,");
    refused(m, "order,,launch", NULL, "is called `'");
    refused(m, "order", "# labels: 3\nbenchmark,measure,unit,value\n", "expected a column source");
    refused(m, "order", "# labels: 4\nbenchmark,measure,unit,source,cycles\n", "expected a column value");
    refused(m, "order", HEAD "add.s31,latency,cycles,me,4\n",
            ":3:1: expected a benchmark of this machine and its measure, found `add.s31', `latency'");
    refused(m, "order", HEAD "add.s32,latency,results/cycle/SM,me,4\n",
            ":3:1: expected the unit cycles, found `results/cycle/SM'");
    refused(m, "order", HEAD "add.s32,latency,cycles,me,4\nadd.s32,latency,cycles,you,4\n",
            ":4:1: latency of add.s32 is published in line 3 already");
    refused(m, "order", HEAD "add.s32,latency,cycles,me,four\n", ":3:");
    ws_machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),     cmocka_unit_test(conflicts),
        cmocka_unit_test(lines),     cmocka_unit_test(rates_are_those_of_the_card),
        cmocka_unit_test(levels),    cmocka_unit_test(again),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
