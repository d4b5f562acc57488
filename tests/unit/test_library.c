/* Does the C library do what the program does, and say what is wrong with what it is given? The example of
 * docs/library.md is built against an installation by tests/checks/check_installation.sh. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "library/warpscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file[] = "/tmp/warpscape-library-XXXXXX";
static const char scale_ptx[] = "docs/examples/scale.ptx";
enum { N = 100 };

static int make_place(void **state)
{
    (void)state;
    strcpy(strrchr(file, '-'), "-XXXXXX");
    const int fd = mkstemp(file);
    close(fd);
    return fd < 0 ? -1 : 0;
}

static int remove_place(void **state)
{
    (void)state;
    return unlink(file);
}

/* Code and a part of the message. */
static void expect(int status, int wanted, const char *part)
{
    assert_int_equal(status, wanted);
    if (!strstr(warpscape_message(), part))
        fail_msg("'%s' is not in '%s'", part, warpscape_message());
}

static warpscape_program *load(void)
{
    warpscape_program *program;
    assert_int_equal(warpscape_program_load(scale_ptx, &program), WARPSCAPE_OK);
    return program;
}

static int scale(warpscape_program *program, warpscape_recorder *recorder, float *x, unsigned n, unsigned blocks)
{
    float factor = 2;
    const warpscape_argument argument[] = {{WARPSCAPE_IN_OUT, x, n * sizeof *x},
                                           {WARPSCAPE_VALUE, &factor, sizeof factor},
                                           {WARPSCAPE_VALUE, &n, sizeof n}};
    const warpscape_launch launch = {
        .kernel = "scale", .grid = {blocks}, .block = {32}, .argument = argument, .arguments = 3};
    return warpscape_program_launch(program, &launch, recorder);
}

static void a_kernel_is_run_and_measured(void **state)
{
    (void)state;
    float x[N];
    for (unsigned i = 0; i < N; i++)
        x[i] = i;
    warpscape_program *const program = load();
    warpscape_recorder *recorder;
    assert_int_equal(scale(program, NULL, x, N, 4), WARPSCAPE_OK);
    assert_int_equal(warpscape_recorder_open(file, "mine", &recorder), WARPSCAPE_OK);
    assert_int_equal(scale(program, recorder, x, N, 4), WARPSCAPE_OK);
    assert_int_equal(scale(program, recorder, x, N, 4), WARPSCAPE_OK);
    assert_int_equal(warpscape_recorder_close(recorder, NULL), WARPSCAPE_OK);
    for (unsigned i = 0; i < N; i++)
        assert_true(x[i] == 8.0f * i);
    warpscape_program_free(program);

    warpscape_results *results;
    warpscape_frame *frame;
    assert_int_equal(warpscape_results_open(file, &results), WARPSCAPE_OK);
    assert_int_equal(warpscape_results_frame(results, WARPSCAPE_PER_LAUNCH, "all", &frame), WARPSCAPE_OK);
    assert_true(warpscape_frame_rows(frame) == 2 && warpscape_frame_labels(frame) == 4);
    assert_string_equal(warpscape_frame_label(frame, 1, 0), "mine");
    assert_string_equal(warpscape_frame_label(frame, 1, 1), "scale");
    assert_string_equal(warpscape_frame_label(frame, 1, 2), "2");
    /* 9 instructions and the branch for all 128 threads, 5 for the 100 that have an element. */
    const long total = warpscape_frame_find(frame, "I_total");
    assert_true(total >= 0 && warpscape_frame_value(frame, 0, total) == warpscape_frame_value(frame, 1, total));
    assert_true(warpscape_frame_value(frame, 0, total) == 128 * 10 + 100 * 5);
    assert_true(isnan(warpscape_frame_value(frame, 2, total)) && !warpscape_frame_label(frame, 2, 0));
    warpscape_frame_free(frame);
    assert_int_equal(warpscape_results_frame(results, WARPSCAPE_PER_KERNEL, "performance", &frame), WARPSCAPE_OK);
    assert_true(warpscape_frame_rows(frame) == 1 && warpscape_frame_columns(frame) == 42);
    warpscape_frame_free(frame);
    expect(warpscape_results_frame(results, WARPSCAPE_PER_KERNEL, "everything", &frame), WARPSCAPE_INPUT,
           "no metric set is called `everything`");
    assert_null(frame);
    expect(warpscape_results_frame(results, (warpscape_per)7, "all", &frame), WARPSCAPE_INPUT, "not 7");
    warpscape_results_close(results);
}

static void launches_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    float x[N] = {0};
    unsigned short small = 1;
    warpscape_program *const program = load();
    const warpscape_argument wrong[] = {
        {WARPSCAPE_IN_OUT, x, sizeof x}, {WARPSCAPE_VALUE, &small, sizeof small}, {WARPSCAPE_OUT, x, sizeof x}};
    warpscape_launch launch = {.kernel = "scale", .argument = wrong, .arguments = 2};
    expect(warpscape_program_launch(program, &launch, NULL), WARPSCAPE_INPUT,
           "kernel scale has 3 parameters, and 2 arguments are given");
    launch.arguments = 3;
    expect(warpscape_program_launch(program, &launch, NULL), WARPSCAPE_INPUT,
           "argument 2 has 2 bytes, and parameter factor 4");
    launch.kernel = "scala";
    expect(warpscape_program_launch(program, &launch, NULL), WARPSCAPE_NOT_FOUND, "scala");
    unsigned n = 2 * N; /* and memory for half */
    float factor = 2;
    const warpscape_argument beyond[] = {
        {WARPSCAPE_IN_OUT, x, sizeof x}, {WARPSCAPE_VALUE, &factor, sizeof factor}, {WARPSCAPE_VALUE, &n, sizeof n}};
    launch = (warpscape_launch){.kernel = "scale", .grid = {8}, .block = {32}, .argument = beyond, .arguments = 3};
    expect(warpscape_program_launch(program, &launch, NULL), WARPSCAPE_FAULT, "scale");
    assert_int_equal(scale(program, NULL, x, N, 4), WARPSCAPE_OK); /* it can be used further */
    launch.most_instructions = 5;
    expect(warpscape_program_launch(program, &launch, NULL), WARPSCAPE_LIMIT, "scale");
    warpscape_program_free(program);
    warpscape_program *none;
    expect(warpscape_program_load("nowhere.ptx", &none), WARPSCAPE_NOT_FOUND, "nowhere.ptx");
    assert_null(none);
    warpscape_program_free(NULL);
}

static void runs_that_failed_or_measured_nothing_do_not_count(void **state)
{
    (void)state;
    float x[N] = {0};
    warpscape_program *const program = load();
    warpscape_recorder *recorder;
    warpscape_results *results;
    warpscape_frame *frame;
    assert_int_equal(warpscape_recorder_open(file, "mine", &recorder), WARPSCAPE_OK);
    expect(warpscape_recorder_close(recorder, NULL), WARPSCAPE_NOT_FOUND, "no launch was measured");
    assert_int_equal(warpscape_recorder_open(file, "mine", &recorder), WARPSCAPE_OK);
    assert_int_equal(scale(program, recorder, x, N, 4), WARPSCAPE_OK);
    expect(warpscape_recorder_replay(recorder, scale_ptx), WARPSCAPE_INPUT, "scale.ptx");
    assert_int_equal(warpscape_recorder_close(recorder, "the trace is none"), WARPSCAPE_OK);
    assert_int_equal(warpscape_results_open(file, &results), WARPSCAPE_OK);
    assert_int_equal(warpscape_results_frame(results, WARPSCAPE_PER_KERNEL, "all", &frame), WARPSCAPE_OK);
    assert_int_equal(warpscape_frame_rows(frame), 0);
    warpscape_frame_free(frame);
    warpscape_results_close(results);
    expect(warpscape_recorder_open(file, "", &recorder), WARPSCAPE_INPUT, "needs a name");
    assert_int_equal(warpscape_recorder_close(NULL, NULL), WARPSCAPE_OK);
    warpscape_program_free(program);
}

/* Five points of two clusters. */
static warpscape_frame *points(void)
{
    static const double at[5][2] = {{0, 0}, {10, 10}, {1, 0}, {11, 10}, {0, 1}};
    static const char *const names[] = {"a", "b"};
    warpscape_frame *frame;
    assert_int_equal(warpscape_frame_create(5, 2, "point", &frame), WARPSCAPE_OK);
    for (size_t j = 0; j < 2; j++) {
        assert_int_equal(warpscape_frame_set_column(frame, j, names[j], "m", NULL), WARPSCAPE_OK);
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(warpscape_frame_set_value(frame, i, j, at[i][j]), WARPSCAPE_OK);
    }
    assert_int_equal(warpscape_frame_set_label(frame, 3, 0, "last"), WARPSCAPE_OK);
    return frame;
}

static void frames_are_compared(void **state)
{
    (void)state;
    warpscape_frame *const frame = points(), *scores, *values;
    size_t cluster[5], member[2];
    double weight[2];
    assert_int_equal(warpscape_cluster(frame, "ward", 2, cluster), WARPSCAPE_OK);
    assert_true(cluster[0] == 1 && cluster[2] == 1 && cluster[4] == 1 && cluster[1] == 2 && cluster[3] == 2);
    assert_int_equal(warpscape_subset(frame, "ward", 2, member, weight), WARPSCAPE_OK);
    assert_true(weight[0] == 3 && weight[1] == 2 && cluster[member[0]] == 1 && cluster[member[1]] == 2);
    assert_int_equal(warpscape_subset(frame, NULL, 2, member, weight), WARPSCAPE_OK);
    assert_true(fabs(weight[0] + weight[1] - 5) < 1e-9);
    /* Of two standardized columns with correlation r the eigenvalues are 1 + r and 1 - r. */
    assert_int_equal(warpscape_pca(frame, 1, 0, &scores, NULL, &values), WARPSCAPE_OK);
    const double r = warpscape_frame_value(values, 0, warpscape_frame_find(values, "eigenvalue")) - 1;
    assert_true(fabs(r - 117.6 / sqrt(125.2 * 112.8)) < 1e-12 && warpscape_frame_rows(scores) == 5);
    warpscape_frame_free(scores);
    warpscape_frame_free(values);
    expect(warpscape_cluster(frame, "wart", 2, cluster), WARPSCAPE_INPUT, "wart");
    expect(warpscape_cluster(frame, "ward", 6, cluster), WARPSCAPE_INPUT, "not 6");
    expect(warpscape_pca(frame, 1.5, 0, NULL, NULL, NULL), WARPSCAPE_INPUT, "not 1.5");
    expect(warpscape_frame_set_column(frame, 1, "a", NULL, NULL), WARPSCAPE_INPUT, "column 0 is called 'a' already");
    expect(warpscape_frame_set_value(frame, 5, 0, 1), WARPSCAPE_INPUT, "no row 5");
    assert_int_equal(warpscape_frame_set_value(frame, 0, 0, NAN), WARPSCAPE_OK);
    expect(warpscape_cluster(frame, "ward", 2, cluster), WARPSCAPE_INPUT, "frame");
    warpscape_frame_free(frame);
}

static void frames_are_written_and_read(void **state)
{
    (void)state;
    warpscape_frame *const frame = points(), *back;
    assert_int_equal(warpscape_frame_write(frame, file), WARPSCAPE_OK);
    assert_int_equal(warpscape_frame_read(file, &back), WARPSCAPE_OK);
    assert_true(warpscape_frame_rows(back) == 5 && warpscape_frame_columns(back) == 2 &&
                warpscape_frame_value(back, 3, 0) == 11);
    assert_string_equal(warpscape_frame_label_name(back, 0), "point");
    assert_string_equal(warpscape_frame_label(back, 3, 0), "last");
    assert_string_equal(warpscape_frame_unit(back, 1), "m");
    assert_string_equal(warpscape_frame_group(back, 1), "");
    assert_string_equal(warpscape_frame_column_name(back, 1), "b");
    warpscape_frame_free(back);
    warpscape_frame_free(frame);
    expect(warpscape_frame_read("nowhere.csv", &back), WARPSCAPE_IO, "nowhere.csv");
    assert_null(back);
    assert_true(*warpscape_version() != '\0');
}

int main(void)
{
#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
    const struct CMUnitTest tests[] = {PLACED(a_kernel_is_run_and_measured),
                                       PLACED(launches_that_do_not_fit_are_refused),
                                       PLACED(runs_that_failed_or_measured_nothing_do_not_count),
                                       PLACED(frames_are_compared), PLACED(frames_are_written_and_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
