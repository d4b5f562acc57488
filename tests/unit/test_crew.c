/* test_crew.c - is each task done once, and does a failure end the others? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/crew.h"
#include "base/status.h"

#include <stdlib.h>

enum { TASKS = 1000 };

typedef struct job {
    atomic_uint done[TASKS], calls;
    size_t bad; /* the task that fails */
} job;

static int work(ws_crew *crew)
{
    job *const j = crew->context;
    for (size_t i; ws_crew_next(crew, &i);) {
        j->done[i]++;
        if (i == j->bad)
            return ws_fail(WS_EINPUT, "task %zu", i);
    }
    return WS_OK;
}

static int work_until_stopped(ws_crew *crew)
{
    while (!ws_crew_stopped(crew))
        ;
    return WS_OK;
}

static int refuse(void *context)
{
    ((job *)context)->calls++;
    return ws_fail(WS_EINTERRUPTED, "enough");
}

static int see(void *context)
{
    ((job *)context)->calls++;
    return WS_OK;
}

static void each_task_is_done_once(void **state)
{
    (void)state;
    for (unsigned workers = 0; workers < 5; workers++) {
        job j = {.bad = TASKS};
        ws_crew crew = {
            .work = work, .progress = workers % 2 ? see : NULL, .context = &j, .tasks = TASKS, .workers = workers};
        assert_int_equal(ws_crew_run(&crew), WS_OK);
        for (size_t i = 0; i < TASKS; i++)
            assert_int_equal(j.done[i], 1);
    }
    job none = {.bad = TASKS};
    assert_int_equal(ws_crew_run(&(ws_crew){.work = work, .context = &none}), WS_OK);
    assert_int_equal(none.done[0], 0);
}

static void a_failure_ends_all(void **state)
{
    (void)state;
    job j = {.bad = 3};
    ws_crew crew = {.work = work, .context = &j, .tasks = TASKS, .workers = 1};
    assert_int_equal(ws_crew_run(&crew), WS_EINPUT);
    assert_string_equal(ws_message(), "task 3");
    assert_int_equal(j.done[3], 1);
    assert_int_equal(j.done[4], 0);

    job endless = {.bad = TASKS};
    crew = (ws_crew){.work = work_until_stopped, .progress = refuse, .context = &endless, .tasks = TASKS, .workers = 3};
    assert_int_equal(ws_crew_run(&crew), WS_EINTERRUPTED);
    assert_string_equal(ws_message(), "enough");
    assert_int_equal(endless.calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_is_done_once),
        cmocka_unit_test(a_failure_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
