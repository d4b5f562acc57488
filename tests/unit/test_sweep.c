/* Sweeps: what is run and in which order, what is kept, and the frame of it, with an executor that only writes files.
 */
#include "base/status.h"
#include "record/sweep/executor.h"
#include "record/sweep/last_line.h"
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
static const ws_executor pretender = {.name = "pretender", .run = pretend};

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
    if (ws_sweep_open(plan, folder, WS_SWEEP_READ, &sweep) || ws_sweep_make(sweep))
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

/* A row of a further frame stands in each row of a point. */
static void rows_with_outputs(void **state)
{
    (void)state;
    char path[512];
    ws_plan *const plan = plan_of("[plan]\ncommand = sim --power {power} x\nrows = all\noutputs = power");
    ws_sweep *const sweep = sweep_of(plan);
    ws_frame *f;
    leave(sweep, 0, "done", "name,a\nx,1\ny,2\nz,3\n");
    snprintf(path, sizeof path, "%s/points/%s", folder, plan->point[0].key);
    write_file(path, "power.csv", "name,w,v\np,4,5\nq,6,7\n");
    ws_sweep_look(sweep, 0);
    assert_int_equal(ws_sweep_frame(sweep, all, &f), WS_OK);
    assert_int_equal(f->rows, 3);
    const size_t a = (size_t)ws_frame_find_column(f, "a"), w = (size_t)ws_frame_find_column(f, "power.w"),
                 v = (size_t)ws_frame_find_column(f, "power.v");
    for (size_t r = 0; r < f->rows; r++) {
        assert_float_equal(f->value[r * f->columns + a], (double)r + 1, 0);
        assert_float_equal(f->value[r * f->columns + w], 6, 0);
        assert_float_equal(f->value[r * f->columns + v], 7, 0);
    }
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
    static const char *const torn[] = {"", "0\nseco", "NA\n%s", "1e300\n%s", "x\n%s"};
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
        char text[512], rest[512];
        snprintf(rest, sizeof rest, torn[i],
                 "signal = 0\nseconds = 1\ncpu_seconds = 1\npeak_bytes = 1\n"
                 "disk_bytes = 1\nwhen = now\n");
        snprintf(text, sizeof text, "state = done\nexit = %s", rest);
        write_file(path, "status", text);
        assert_int_equal(ws_sweep_look(sweep, 2)->state, WS_POINT_MISSING);
    }
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
        ws_sweep_clean(sweep);
        assert_int_equal(!access(path, F_OK), left[i].other);
    }
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

/* What was put on disk, of a folder that has not its name yet. */
static char synced[1024];

int fsync(int fd)
{
    char name[64], path[512] = "";
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(name, path, sizeof path - 1);
    if (n > 0 && strstr(path, "/points/."))
        snprintf(synced + strlen(synced), sizeof synced - strlen(synced), "%s ", strrchr(path, '/') + 1);
    return 0;
}

/* A process has run the point in a folder beside its place, which is handed over. */
static void finish(const ws_sweep *sweep, size_t point, int exit, const char *of)
{
    char path[512];
    snprintf(path, sizeof path, "%s/points/.%s.h.5", folder, ws_sweep_plan(sweep)->point[point].key);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file(path, "out.csv", of);
    write_file(path, "log", of);
    ws_point_run run = {.point = point, .folder = strdup(path)};
    const struct rusage usage = {0};
    assert_int_equal(ws_point_finish(sweep, &run, exit << 8, &usage), WS_OK);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void assert_log(const ws_sweep *sweep, size_t point, const char *wanted)
{
    char line[64];
    ws_sweep_last_line(sweep, point, line, sizeof line);
    assert_string_equal(line, wanted);
}

/* A run that failed does not take the place of one that is done; all files of a point are on disk before it has its
 * name; a checkpoint stays while another process runs the point. */
static void places(void **state)
{
    (void)state;
    char checkpoint[512], other[512];
    ws_plan *const plan = plan_of("[plan]\ncommand = sim x");
    ws_sweep *const sweep = sweep_of(plan);
    const char *const key = plan->point[0].key;
    snprintf(checkpoint, sizeof checkpoint, "%s/points/%s.checkpoint", folder, key);
    snprintf(other, sizeof other, "%s/points/.%s.elsewhere.1", folder, key);
    mkdir(checkpoint, 0777);
    finish(sweep, 0, 1, "one");
    assert_int_equal(ws_sweep_look(sweep, 0)->state, WS_POINT_FAILED);
    assert_log(sweep, 0, "one");
    assert_int_equal(access(checkpoint, F_OK), 0);
    finish(sweep, 0, 2, "two");
    assert_log(sweep, 0, "two");
    mkdir(other, 0777);
    *synced = '\0';
    finish(sweep, 0, 0, "three");
    assert_int_equal(ws_sweep_state_now(sweep, 0), WS_POINT_DONE);
    assert_non_null(strstr(synced, "out.csv "));
    assert_non_null(strstr(synced, "log "));
    assert_non_null(strstr(synced, "status "));
    assert_non_null(strstr(synced, ".h.5 "));
    finish(sweep, 0, 1, "four");
    assert_int_equal(ws_sweep_look(sweep, 0)->state, WS_POINT_DONE);
    assert_log(sweep, 0, "three");
    ws_sweep_clean(sweep);
    assert_int_equal(access(checkpoint, F_OK), 0);
    ws_point_remove_folder(other);
    ws_sweep_clean(sweep);
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    mkdir(checkpoint, 0777);
    finish(sweep, 0, 0, "five");
    assert_log(sweep, 0, "five");
    assert_int_not_equal(access(checkpoint, F_OK), 0);
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

/* A point that another process has done since is not run: no folder is put on disk. */
static void done_meanwhile(void **state)
{
    (void)state;
    ws_sweep_tally tally;
    ws_plan *const plan = plan_of("[plan]\ncommand = sim x");
    ws_sweep *const sweep = sweep_of(plan);
    const ws_sweep_request request = {.wanted = all, .executor = ws_executor_find("local"), .jobs = 1};
    leave(sweep, 0, "done", "a,b\nx,1\n");
    *synced = '\0';
    assert_int_equal(ws_sweep_run(sweep, &request, &tally), WS_OK);
    assert_int_equal(tally.done, 1);
    assert_string_equal(synced, "");
    assert_log(sweep, 0, "the last");
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

/* A command that said nothing. */
static void silent_ends(void **state)
{
    (void)state;
    ws_plan *const plan = plan_of("[plan]\ncommand = sim x");
    ws_sweep *const sweep = sweep_of(plan);
    finish(sweep, 0, 7, "");
    ws_sweep_look(sweep, 0);
    assert_log(sweep, 0, "exit status 7, without a message");
    ws_sweep_close(sweep);
    ws_plan_destroy(plan);
}

static void last_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"", ""},
        {"\n\n", ""},
        {"one\ntwo", "two"},
        {"one\ntwo\n\n", "two"},
        {"sim: no\nTry `sim --help' for more information.\n", "sim: no"},
        {"sim: no\nTry `sim --help' or `sim --usage' for more\ninformation.\n", "sim: no"},
        {"sim: no\nTry `sim --help' or `sim --usage' for\nmore information.\nafter\n", "after"},
        {"Try `x", ""},
        {"a line that is too long", "a line "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[8];
        ws_last_line(cases[i].text, line, sizeof line);
        assert_string_equal(line, cases[i].line);
    }
}

static void executors(void **state)
{
    (void)state;
    for (const char *const *name = ws_executor_names; *name; name++) {
        const ws_executor *const e = ws_executor_find(*name);
        assert_non_null(e);
        assert_string_equal(e->name, *name);
        assert_non_null(e->run);
    }
    assert_null(ws_executor_find("pretender"));
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) /* as a point */
        return 7;
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(stages, begin, end),
                                       cmocka_unit_test_setup_teardown(frames, begin, end),
                                       cmocka_unit_test_setup_teardown(sums, begin, end),
                                       cmocka_unit_test_setup_teardown(folders, begin, end),
                                       cmocka_unit_test(executors),
                                       cmocka_unit_test_setup_teardown(rows_with_outputs, begin, end),
                                       cmocka_unit_test_setup_teardown(places, begin, end),
                                       cmocka_unit_test_setup_teardown(done_meanwhile, begin, end),
                                       cmocka_unit_test_setup_teardown(silent_ends, begin, end),
                                       cmocka_unit_test(last_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
