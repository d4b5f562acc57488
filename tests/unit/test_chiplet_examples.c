/* test_chiplet_examples.c - worked examples of kernels on two chiplets, as files say them: operations of every policy,
 * launch by launch, and what is left at the end.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5. test_cct.c has
 * the states of the table in the same examples, and test_chips.c machines that do what it says. */
#include "model/mechanism/chiplets/chiplet_prediction.h"
#include "model/machine/machine_choice.h"
#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4096 };

typedef struct operations {
    unsigned acquires, releases;
} operations;

/* A file on two chiplets, and one option of the machine (NULL: none). */
static ws_chiplet_prediction predict(const char *text, const char *option)
{
    const ws_machine_choice choice = {.config = "two-chiplets", .setting = &option, .settings = option != NULL};
    ws_chiplet_prediction p = {0};
    ws_chiplet_kernels kernels = {0};
    ws_machine *machine = NULL;
    if (ws_machine_choose(&choice, &machine) || ws_argument_file_parse("text", text, strlen(text), 2, &kernels) ||
        ws_chiplet_count(machine, &kernels, &p))
        fail_msg("%s", ws_message());
    ws_chiplet_kernels_fini(&kernels);
    ws_machine_destroy(machine);
    return p;
}

/* `cpcoh` of each launch, then at the end of the program. Boundary has both operations of both chiplets in each launch,
 * ideal none, and what is not done is elided. */
static void expect(const char *text, const char *option, const operations *cpcoh, size_t launches, unsigned left)
{
    ws_chiplet_prediction p = predict(text, option);
    ws_chiplet_sums all[WS_CHIPLET_POLICIES] = {{0}};
    unsigned done = left;
    assert_int_equal(p.launches, launches);
    for (size_t i = 0; i < launches; i++) {
        assert_true(p.launch[i].policy[WS_CHIPLET_CPCOH].acquires == cpcoh[i].acquires);
        assert_true(p.launch[i].policy[WS_CHIPLET_CPCOH].releases == cpcoh[i].releases);
        done += cpcoh[i].acquires + cpcoh[i].releases;
        for (unsigned k = 0; k < WS_CHIPLET_POLICIES; k++)
            ws_chiplet_sums_add(&all[k], &p.launch[i].policy[k]);
    }
    assert_true(p.end[WS_CHIPLET_CPCOH].releases == left && p.end[WS_CHIPLET_CPCOH].acquires == 0);
    assert_true(all[WS_CHIPLET_BOUNDARY].acquires == 2. * (double)launches &&
                all[WS_CHIPLET_BOUNDARY].releases == 2. * (double)launches);
    assert_true(all[WS_CHIPLET_IDEAL].acquires + all[WS_CHIPLET_IDEAL].releases == 0);
    ws_chiplet_sums_add(&all[WS_CHIPLET_CPCOH], &p.end[WS_CHIPLET_CPCOH]);
    const ws_chiplet_sums *const c = &all[WS_CHIPLET_CPCOH];
    assert_true(c->acquires + c->releases == done && c->everything == 4. * (double)launches);
    ws_chiplet_prediction_fini(&p);
}

/* Figure 5.6 with addresses: one release, of four acquires and four releases; without ranges two. */
static void moving_border(void **state)
{
    (void)state;
    static const char text[] = "kernel one\n"
                               "data 0x10000 0x10000 r\nrange 0 0x10000 0x17fff\nrange 1 0x18000 0x1ffff\n"
                               "data 0x20000 0x10000 rw\nrange 0 0x20000 0x27fff\nrange 1 0x28000 0x2ffff\n"
                               "kernel two\n"
                               "data 0x10000 0x10000 r\nrange 0 0x10000 0x17fff\nrange 1 0x18000 0x1ffff\n"
                               "data 0x20000 0x10000 r\nrange 0 0x20000 0x2bfff\nrange 1 0x2c000 0x2ffff\n"
                               "data 0x30000 0x10000 rw\nrange 0 0x30000 0x37fff\nrange 1 0x38000 0x3ffff\n";
    expect(text, NULL, (operations[]){{0, 0}, {0, 1}}, 2, 2);
    expect(text, "package.ranges=0", (operations[]){{0, 0}, {0, 2}}, 2, 2);
}

/* One data structure, used by one chiplet at a time: of 12 acquires and 12 releases two each, and the last of
 * chiplet 1. */
static void stale_path(void **state)
{
    (void)state;
    expect("kernel a\nchiplets 0\ndata 0x10000 0x10000 r\n"
           "kernel b\nchiplets 1\ndata 0x10000 0x10000 rw\n"
           "kernel c\nchiplets 0\ndata 0x10000 0x10000 r\n"
           "kernel d\nchiplets 0\ndata 0x10000 0x10000 rw\n"
           "kernel e\nchiplets 1\ndata 0x10000 0x10000 r\n"
           "kernel f\nchiplets 1\ndata 0x10000 0x10000 rw\n",
           NULL, (operations[]){{0, 0}, {0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 0}}, 6, 1);
}

/* Both chiplets write anywhere, then read anywhere. */
static void irregular(void **state)
{
    (void)state;
    static const char text[] = "kernel a\ndata 0x10000 0x10000 rw\nkernel b\ndata 0x10000 0x10000 r\n";
    expect(text, "package.strict=0", (operations[]){{0, 0}, {0, 2}}, 2, 0);
    expect(text, "package.strict=1", (operations[]){{0, 0}, {2, 2}}, 2, 0);
}

/* What a release for one array cleans of another needs none. */
static void whole_cache(void **state)
{
    (void)state;
    expect("kernel a\nchiplets 1\ndata 0x20000 0x10000 rw\ndata 0x40000 0x10000 rw\n"
           "kernel b\nchiplets 0\ndata 0x20000 0x10000 r\n"
           "kernel c\nchiplets 0\ndata 0x40000 0x10000 r\n",
           NULL, (operations[]){{0, 0}, {0, 1}, {0, 0}}, 3, 0);
}

static void add_halves(char *text, const char *name, char mode)
{
    const unsigned long base = 0x10000UL * (unsigned long)(1 + name[0] - 'A');
    char lines[256];
    snprintf(lines, sizeof lines, "data %lu 65536 %s\nrange 0 %lu %lu\nrange 1 %lu %lu\n", base,
             mode == 'w' ? "rw" : "r", base, base + 32767, base + 32768, base + 65535);
    assert_true(strlen(text) + strlen(lines) < 4 * MOST);
    strcat(text, lines);
}

/* BabelStream: init, then three times copy, mul, add, triad, dot, all in the same halves. 16 launches without an
 * operation, where boundary has 32 acquires and 32 releases; then both release. */
static void babel_stream(void **state)
{
    (void)state;
    enum { ROUNDS = 3, STEPS = 5 };
    static const char *const reads[STEPS] = {"A", "C", "AB", "BC", "AB"}, *const writes[STEPS] = {"C", "B", "C", "A",
                                                                                                  ""};
    char *const text = calloc(1, 4 * MOST);
    static const operations none[1 + ROUNDS * STEPS];
    assert_non_null(text);
    strcpy(text, "kernel init\n");
    for (const char *a = "ABC"; *a; a++)
        add_halves(text, a, 'w');
    for (unsigned i = 0; i < ROUNDS * STEPS; i++) {
        strcat(text, "kernel step\n");
        for (const char *a = reads[i % STEPS]; *a; a++)
            add_halves(text, a, 'r');
        for (const char *a = writes[i % STEPS]; *a; a++)
            add_halves(text, a, 'w');
    }
    expect(text, NULL, none, 1 + ROUNDS * STEPS, 2);
    ws_chiplet_prediction p = predict(text, NULL);
    double boundary = 0;
    for (size_t i = 0; i < p.launches; i++)
        boundary += p.launch[i].policy[WS_CHIPLET_BOUNDARY].acquires;
    assert_true(p.launches == 16 && boundary == 32);
    ws_chiplet_prediction_fini(&p);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_border), cmocka_unit_test(stale_path),   cmocka_unit_test(irregular),
        cmocka_unit_test(whole_cache),   cmocka_unit_test(babel_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
