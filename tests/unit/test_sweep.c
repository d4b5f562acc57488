/* Sweeps: what is run and in which order, what is kept, and the frame of it, with an executor that only writes files.
 */
#include "base/status.h"
#include "record/sweep/executor.h"
#include "record/sweep/point_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static void write_file(const char *of, const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", of, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The folder of a point as a run leaves it. */
static void leave(const ws_sweep *sweep, size_t point, const char *state, const char *out)
{
    char path[2048], status[512];
    snprintf(path, sizeof path, "%s/points/%s", ws_sweep_folder(sweep), ws_sweep_plan(sweep)->point[point].key);
    mkdir(path, 0777);
    snprintf(status, sizeof status,
             "state = %s\nexit = 0\nsignal = 0\nseconds = 2\ncpu_seconds = 3\npeak_bytes = %zu\ndisk_bytes = 10\n"
             "host = h\nversion = 1\nwhen = 2026-01-01T00:00:00Z\n",
             state, 1000 + point);
    write_file(path, "out.csv", out);
    write_file(path, "log", "begin\nthe last\nTry `x'\n");
    write_file(path, "status", status);
}

static size_t ran[16], runs; /* points in the order in which they came */
static size_t bad = SIZE_MAX;

static int pretend(ws_sweep *sweep, const size_t *point, size_t points, const ws_sweep_request *request)
{
    assert_int_equal(request->jobs, 3);
    for (size_t i = 0; i < points; i++) {
        char out[128];
        snprintf(out, sizeof out, "# labels: 1\nname,a,b\nr0,%zu,1\nr1,%zu,2\n", point[i], 10 * point[i]);
        leave(sweep, point[i], point[i] == bad ? "failed" : "done", out);
        ran[runs++] = point[i];
        ws_sweep_idle(sweep, "note");
        ws_sweep_ended(sweep, point[i]);
    }
    return WS_OK;
}
static const ws_executor pretender = {.name = "pretender", .summary = "writes files", .run = pretend};

static ws_plan *plan_of(const char *text)
{
    ws_plan *plan;
    if (ws_plan_parse("p.ini", text, strlen(text), &plan) || ws_plan_lay_out(plan))
        fail_msg("%s", ws_message());
    return plan;
}

static ws_sweep *sweep_of(const ws_plan *plan)
{
    ws_sweep *sweep;
    if (ws_sweep_open(plan, folder, WS_SWEEP_MAKE, &sweep))
        fail_msg("%s", ws_message());
    return sweep;
}

static ws_sweep_tally run(ws_sweep *sweep, const bool *wanted, bool retry)
{
    ws_sweep_tally tally;
    runs = 0;
    const ws_sweep_request request = {.wanted = wanted, .retry = retry, .executor = &pretender, .jobs = 3};
    assert_int_equal(ws_sweep_run(sweep, &request, &tally), WS_OK);
    return tally;
}

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/sweepXXXXXX");
    bad = SIZE_MAX;
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    ws_point_remove_folder(folder);
    return access(folder, F_OK) ? 0 : -1;
}

static const char two_blocks[] = "[points first]\ncommand = suite run --db {db} {w}\nw = A B\n"
                                 "[points second]\ncommand = sim {first.db} {n}\nn = 1 2\nrows = all\n";
static const bool all[16] = {true, true, true, true, true, true};

/* What others need comes first; what is done is not run again; what failed bars others until it is run again. */
static void stages(void **state)
{
    (void)state;
    ws_plan *const plan = plan_of(two_blocks);
    assert_int_equal(plan->points, 6);
    bad = 1;
    ws_sweep *sweep = sweep_of(plan);
    ws_sweep_tally tally = run(sweep, all, false);
    assert_int_equal(runs, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(ran[i], i); /* A, B; both of A */
    assert_int_equal(tally.done, 3);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.missing, 2);
    assert_int_equal(tally.barred, 2);
    char line[64];
    ws_sweep_last_line(sweep, 1, line, sizeof line);
    assert_string_equal(line, "the last");
    const ws_point_estimate e = ws_sweep_estimate(sweep, 1);
    assert_int_equal(e.measured, 2);
    assert_float_equal(e.seconds, 2, 0);
    assert_float_equal(e.peak_bytes, 1003, 0);
    ws_sweep_close(sweep);
    sweep = sweep_of(plan);
    assert_int_equal(ws_sweep_result(sweep, 0)->state, WS_POINT_DONE);
    assert_int_equal(ws_sweep_result(sweep, 1)->state, WS_POINT_FAILED);
    run(sweep, all, false);
    assert_int_equal(runs, 0);
    bad = SIZE_MAX;
    bool wanted[6] = {[5] = true};
    ws_sweep_want_needed(sweep, wanted);
    assert_true(wanted[1] && !wanted[0]);
    tally = run(sweep, wanted, true);
    assert_int_equal(runs, 2);
    assert_int_equal(ran[0], 1);
    assert_int_equal(ran[1], 5);
    assert_int_equal(tally.done, 2);
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

static void frames(void **state)
{
    (void)state;
    ws_plan *const plan = plan_of(two_blocks);
    ws_sweep *const sweep = sweep_of(plan);
    ws_frame *f;
    run(sweep, all, false);
    assert_int_equal(ws_sweep_frame(sweep, all, &f), WS_OK);
    assert_int_equal(f->rows, 2 + 4 * 2);
    assert_int_equal(f->labels, 4);
    assert_string_equal(f->label_names[0], "points");
    assert_string_equal(f->label_names[3], "name");
    assert_string_equal(f->label[2 * 4 + 2], "1");
    assert_string_equal(f->label[3 * 4 + 3], "r1");
    const size_t a = (size_t)ws_frame_find_column(f, "a");
    assert_float_equal(f->value[1 * f->columns + a], 10, 0); /* the last row of point 1 */
    assert_float_equal(f->value[2 * f->columns + a], 2, 0);
    ws_frame_destroy(f);
    leave(sweep, 5, "done", "# labels: 1\nname,a\nx,word\n");
    assert_int_equal(ws_sweep_frame(sweep, all, &f), WS_EINPUT);
    assert_null(f);
    leave(sweep, 5, "done", "# column a unit=J\nname,a\nx,1\n");
    assert_int_equal(ws_sweep_frame(sweep, all, &f), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "the column a is in 'J', and in ''"));
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

/* Sums, by a weight too; a missing cell makes a missing sum; a plan without axes. */
static void sums(void **state)
{
    (void)state;
    ws_plan *const plan = plan_of("[plan]\ncommand = sim x\nrows = sum s");
    ws_sweep *const sweep = sweep_of(plan);
    ws_frame *f;
    leave(sweep, 0, "done",
          "# column w unit=W\n# column s unit=s\n# column r unit=bytes/s\n# column j unit=J\n"
          "name,w,s,gap,r,j\na,3,2,1,1,7\nb,5,10,NA,2,8\n");
    assert_int_equal(ws_sweep_look(sweep, 0)->state, WS_POINT_DONE);
    assert_int_equal(ws_sweep_frame(sweep, all, &f), WS_OK);
    assert_int_equal(f->rows, 1);
    assert_float_equal(f->value[0], 2, 0); /* point.rows */
    assert_float_equal(f->value[1], 56, 0);
    assert_string_equal(f->column[1].unit, "J");
    assert_float_equal(f->value[2], 12, 0);
    assert_true(isnan(f->value[3]));
    assert_float_equal(f->value[4], 22, 0);
    assert_string_equal(f->column[4].unit, "bytes");
    assert_float_equal(f->value[5], 15, 0);
    assert_string_equal(f->column[5].unit, "J");
    assert_string_equal(f->label[0], "p");
    ws_frame_destroy(f);
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

/* Points with the same words are one; a torn status is none; what killed processes left is removed. */
static void folders(void **state)
{
    (void)state;
    char path[512], host[64] = "";
    ws_plan *const plan = plan_of("[plan]\ncommand = sim {a}\n[axis a]\nx = 1\ny = 1\nz = 2");
    ws_sweep *const sweep = sweep_of(plan);
    assert_int_equal(ws_sweep_first(sweep, 1), 0);
    assert_int_equal(ws_sweep_find(sweep, plan->point[2].key), 2);
    assert_int_equal(ws_sweep_find(sweep, "0123"), SIZE_MAX);
    const ws_sweep_tally tally = run(sweep, all, false);
    assert_int_equal(runs, 2);
    assert_int_equal(tally.done, 3);
    snprintf(path, sizeof path, "%s/points/%s", folder, plan->point[2].key);
    write_file(path, "status", "state = done\nexit = 0\nseco");
    assert_int_equal(ws_sweep_look(sweep, 2)->state, WS_POINT_MISSING);
    gethostname(host, sizeof host - 1);
    static const struct {
        const char *host;
        long pid;
        bool other; /* left for who knows better */
    } left[] = {{NULL, 4194305, false}, {"elsewhere", 1, true}, {NULL, 1, true}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof path, "%s/points/.%s.%s.%ld", folder, plan->point[2].key,
                 left[i].host ? left[i].host : host, left[i].pid);
        mkdir(path, 0777);
        write_file(path, "log", "x");
        ws_sweep_clean(sweep, false);
        assert_int_equal(!access(path, F_OK), left[i].other);
        ws_sweep_clean(sweep, true);
        assert_int_equal(!access(path, F_OK), !left[i].host && left[i].other);
    }
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

static void executors(void **state)
{
    (void)state;
    for (const char *const *name = ws_executor_names; *name; name++) {
        const ws_executor *const e = ws_executor_find(*name);
        assert_non_null(e);
        assert_string_equal(e->name, *name);
        assert_true(e->run && *e->summary);
    }
    assert_null(ws_executor_find("pretender"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stages, begin, end), cmocka_unit_test_setup_teardown(frames, begin, end),
        cmocka_unit_test_setup_teardown(sums, begin, end), cmocka_unit_test_setup_teardown(folders, begin, end),
        cmocka_unit_test(executors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
