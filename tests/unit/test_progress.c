/* test_progress.c - does the line on the terminal say what runs, how far it is and how long it takes? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* What a progress that began `seconds` ago shows. The caller frees. */
static char *shown(double seconds, double done)
{
    char *text = NULL;
    size_t size;
    ws_progress progress = {.out = open_memstream(&text, &size)};
    assert_non_null(progress.out);
    clock_gettime(CLOCK_MONOTONIC, &progress.begin);
    progress.begin.tv_sec -= (time_t)seconds;
    ws_progress_show(&progress, "KM km_assign", done);
    fclose(progress.out);
    return text;
}

static void assert_shown(double seconds, double done, const char *expected)
{
    char *text = shown(seconds, done);
    if (!strstr(text, expected))
        fail_msg("'%s' does not say '%s'", text, expected);
    free(text);
}

static void percent_time_and_name_are_shown(void **state)
{
    (void)state;
    /* Seconds are left open, so that a busy machine passes too. */
    assert_shown(600, 0.5, "[############............]  50 %  10:0");
    assert_shown(60, 0.25, " 25 %  3:0");
    assert_shown(3600, 0.5, " 50 %  1:00:0");
    assert_shown(60, 0.25, " left  KM km_assign");
}

static void nothing_done_yet_promises_nothing(void **state)
{
    (void)state;
    assert_shown(5, 0, "[........................]   0 %  -:-- left");
    assert_shown(5, -1, "   0 %  -:-- left");
}

static void more_than_all_is_all(void **state)
{
    (void)state;
    assert_shown(5, 1.5, "[########################] 100 %  0:0");
}

static void lines_come_ten_times_a_second_at_most_and_are_wiped(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    ws_progress progress = {.out = open_memstream(&text, &size)};
    assert_non_null(progress.out);
    clock_gettime(CLOCK_MONOTONIC, &progress.begin);
    ws_progress_end(&progress); /* nothing drawn, nothing to wipe */
    fflush(progress.out);
    assert_int_equal(size, 0);
    ws_progress_show(&progress, "first", 0.1);
    progress.shown.tv_sec += 3600; /* however slow the machine is, that was just now */
    ws_progress_show(&progress, "second", 0.1);
    ws_progress_end(&progress);
    fclose(progress.out);
    assert_non_null(strstr(text, "first"));
    assert_null(strstr(text, "second"));
    assert_string_equal(text + strlen(text) - 4, "\r\033[K");
    free(text);
}

static void no_terminal_no_line(void **state)
{
    (void)state;
    ws_progress progress = {0};
    ws_progress_show(&progress, "nobody looks", 0.5);
    ws_progress_end(&progress);
    assert_false(progress.drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percent_time_and_name_are_shown),
        cmocka_unit_test(nothing_done_yet_promises_nothing),
        cmocka_unit_test(more_than_all_is_all),
        cmocka_unit_test(lines_come_ten_times_a_second_at_most_and_are_wiped),
        cmocka_unit_test(no_terminal_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
