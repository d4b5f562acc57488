/* test_slurm_queue.c - is what squeue, sacct and sbatch print read, and nothing else? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/status.h"
#include "record/sweep/slurm_command.h"
#include "record/sweep/slurm_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8 };

typedef struct rows {
    ws_slurm_row row[ROWS];
    size_t count;
} rows;

static int keep(void *context, const ws_slurm_row *row)
{
    rows *const r = context;
    assert_in_range(r->count, 0, ROWS - 1);
    r->row[r->count++] = *row;
    return WS_OK;
}

static int refuse(void *context, const ws_slurm_row *row)
{
    (void)row;
    ++*(int *)context;
    return WS_ELIMIT;
}

static int queue(const char *text, rows *r)
{
    r->count = 0;
    return ws_slurm_read_queue(text, strlen(text), keep, r);
}

static int accounts(const char *text, rows *r)
{
    r->count = 0;
    return ws_slurm_read_accounts(text, strlen(text), keep, r);
}

static void rows_of_the_queue(void **state)
{
    (void)state;
    rows r;
    assert_int_equal(queue("", &r), WS_OK);
    assert_int_equal(queue("12|3|RUNNING|7|n1|1:30:00|500M|None\n12|4|PENDING|7||UNLIMITED|0|Resources\n\n"
                           "4294967295|0|TIMEOUT|99999|a[1-2]|||",
                           &r),
                     WS_OK);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.row[0].job, 12);
    assert_int_equal(r.row[0].task, 3);
    assert_int_equal(r.row[0].batch, 7);
    assert_int_equal(r.row[0].state, WS_SLURM_RUNNING);
    assert_string_equal(r.row[0].node, "n1");
    assert_string_equal(r.row[1].node, "");
    assert_string_equal(r.row[1].reason, "Resources");
    assert_int_equal(r.row[2].job, 4294967295);
    assert_int_equal(r.row[2].state, WS_SLURM_TIMEOUT);
    assert_string_equal(r.row[2].node, "a[1-2]");
    assert_int_equal(queue("69|N/A|CANCELLED|2||1-00:00:30|2G|Priority", &r), WS_OK);
    assert_int_equal(r.row[0].task, WS_SLURM_ALL);
    assert_int_equal(queue("1|2|DANCING|3||||", &r), WS_OK);
    assert_int_equal(r.row[0].state, WS_SLURM_UNKNOWN);
    assert_string_equal(r.row[0].word, "DANCING");
    assert_int_equal(ws_slurm_kind_of(r.row[0].state), WS_SLURM_IS_RUNS);
}

static void limits_of_the_queue(void **state)
{
    (void)state;
    static const struct {
        const char *time, *memory;
        double minutes, megabytes;
    } cases[] = {{"30:00", "500M", 30, 500},
                 {"2:30:15", "2G", 150.25, 2048},
                 {"1-02:00:00", "1.50G", 1560, 1536},
                 {"UNLIMITED", "0", 0, 0},
                 {"INVALID", "512000K", 0, 500},
                 {"5", "1T", 0, 1048576},
                 {"x-1:00:00", "500X", 0, 0},
                 {"1:2:3:4", "many", 0, 0},
                 {"-5:00", "-5M", 0, 0},
                 {"99999999999-1:00:00", "1e300", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        rows r;
        snprintf(text, sizeof text, "1|2|RUNNING|3|n|%s|%s|", cases[i].time, cases[i].memory);
        assert_int_equal(queue(text, &r), WS_OK);
        assert_float_equal(r.row[0].minutes, cases[i].minutes, 0);
        assert_float_equal(r.row[0].megabytes, cases[i].megabytes, 0);
    }
}

static void rows_of_another_form_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {"x",
                                      "12",
                                      "12|N/B|RUNNING|7|n1|||None",
                                      "12|3|dancing|7|n1|||None",
                                      "12|3||7|n1|||None",
                                      "12|3|RUNNING|(null)|n1|||None",
                                      "12|3|RUNNING|7|n1||",
                                      "12|3|RUNNING|7",
                                      "4294967296|3|RUNNING|7|n1|||None",
                                      "12|4000000|RUNNING|7|n1|||None",
                                      "12|3|RUNNING|100000|n1|||None",
                                      "-1|3|RUNNING|7|n1|||None",
                                      " 12|3|RUNNING|7|n1|||None",
                                      "|||||",
                                      "12|3|RUNNING 7|n1|||None",
                                      "12|99999999999999999999999|RUNNING|7|n1|||None"};
    rows r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(queue(bad[i], &r), WS_EINPUT);
        assert_non_null(strstr(ws_message(), bad[i]));
        assert_int_equal(r.count, 0);
    }
    assert_int_equal(queue("12|3|RUNNING|7|n1|||None\nslurm_load_jobs error", &r), WS_EINPUT);
}

static void long_words_are_cut(void **state)
{
    (void)state;
    char text[4 * WS_SLURM_WORD];
    rows r;
    snprintf(text, sizeof text, "1|2|RUNNING|3|%0*d|||%0*d", WS_SLURM_WORD, 0, WS_SLURM_WORD + 7, 0);
    assert_int_equal(queue(text, &r), WS_OK);
    assert_int_equal(strlen(r.row[0].node), WS_SLURM_WORD - 1);
    assert_int_equal(strlen(r.row[0].reason), WS_SLURM_WORD - 1);
}

static void rows_of_accounting(void **state)
{
    (void)state;
    rows r;
    assert_int_equal(accounts("21_0|COMPLETED|n1\n21_3|CANCELLED by 1000|n2\n21_[4-7%3]|PENDING|None assigned\n"
                              "21_9|OUT_OF_MEMORY|None assigned\n",
                              &r),
                     WS_OK);
    assert_int_equal(r.count, 3);
    assert_int_equal(r.row[1].state, WS_SLURM_CANCELLED);
    assert_int_equal(r.row[1].task, 3);
    assert_string_equal(r.row[1].node, "n2");
    assert_int_equal(r.row[2].state, WS_SLURM_OUT_OF_MEMORY);
    assert_int_equal(accounts("21|COMPLETED|n1", &r), WS_EINPUT);
    assert_int_equal(accounts("21_1|COMPLETED", &r), WS_EINPUT);
    assert_int_equal(accounts("21_1|ended|n1", &r), WS_EINPUT);
}

static void who_takes_ends_the_walk(void **state)
{
    (void)state;
    static const char text[] = "1|2|RUNNING|3|a|||b\n1|3|RUNNING|3|a|||b\n";
    int calls = 0;
    assert_int_equal(ws_slurm_read_queue(text, strlen(text), refuse, &calls), WS_ELIMIT);
    assert_int_equal(calls, 1);
}

static void numbers_of_jobs(void **state)
{
    (void)state;
    static const char *const good[] = {"123\n", "123", "123;cluster\n"}, *const bad[] = {"", "\n", "Submitted 123",
                                                                                         "12x", "-3"};
    uint64_t job;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(ws_slurm_read_job(good[i], strlen(good[i]), &job), WS_OK);
        assert_int_equal(job, 123);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ws_slurm_read_job(bad[i], strlen(bad[i]), &job), WS_EINPUT);
}

static void every_state_has_its_name(void **state)
{
    (void)state;
    char text[64];
    rows r;
    for (ws_slurm_state s = 0; s < WS_SLURM_STATES; s++) {
        snprintf(text, sizeof text, "1|2|%s|3||||", ws_slurm_state_name(s));
        assert_int_equal(queue(text, &r), WS_OK);
        assert_int_equal(r.row[0].state, s);
        assert_in_range(ws_slurm_kind_of(s), WS_SLURM_IS_WAITS, WS_SLURM_IS_CANCELLED);
    }
}

static void commands_are_heard(void **state)
{
    (void)state;
    ws_slurm_said said;
    const char *const speak[] = {"sh", "-c", "echo out; echo first >&2; echo last >&2; echo >&2; exit 3", NULL};
    assert_int_equal(ws_slurm_command(speak, &said), WS_OK);
    assert_int_equal(said.exit, 3);
    assert_string_equal(said.output, "out\n");
    assert_int_equal(said.length, 4);
    assert_string_equal(said.error, "last");
    free(said.output);
    const char *const much[] = {"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; kill -KILL $$",
                                NULL};
    assert_int_equal(ws_slurm_command(much, &said), WS_OK);
    assert_int_equal(said.exit, -1);
    assert_int_equal(said.length, 300000);
    free(said.output);
    const char *const nothing[] = {"no-such-command-of-slurm", NULL};
    assert_int_equal(ws_slurm_command(nothing, &said), WS_ENOTFOUND);
    free(said.output);
    const char *const endless[] = {"sh", "-c", "exec cat /dev/zero", NULL};
    assert_int_equal(ws_slurm_command(endless, &said), WS_ELIMIT);
    free(said.output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_the_queue),
        cmocka_unit_test(rows_of_the_queue),
        cmocka_unit_test(rows_of_another_form_are_named),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(rows_of_accounting),
        cmocka_unit_test(who_takes_ends_the_walk),
        cmocka_unit_test(numbers_of_jobs),
        cmocka_unit_test(every_state_has_its_name),
        cmocka_unit_test(commands_are_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
