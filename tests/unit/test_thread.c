/* Do threads have room on their stacks when the limit on stacks leaves none? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/thread.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void *use_much(void *sum)
{
    volatile char much[512 << 10];
    for (size_t i = 0; i < sizeof much; i += 1024)
        much[i] = 1;
    for (size_t i = 0; i < sizeof much; i += 1024)
        *(int *)sum += much[i];
    return NULL;
}

static int start_one(void)
{
    pthread_t thread;
    int sum = 0;
    if (ws_thread_start(&thread, use_much, &sum) || pthread_join(thread, NULL))
        return 1;
    return sum == 512 ? 0 : 2;
}

/* The C library takes a thread's stack from the limit at the start of the program. */
static void a_small_limit_leaves_threads_room(void **state)
{
    (void)state;
    int how = -1;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit small = {64 << 10, 64 << 10};
        setrlimit(RLIMIT_STACK, &small);
        setenv("TEST_THREAD_ALONE", "1", 1);
        execl("/proc/self/exe", "test_thread", (char *)NULL);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_small_limit_leaves_threads_room)};
    return getenv("TEST_THREAD_ALONE") ? start_one() : cmocka_run_group_tests(tests, NULL, NULL);
}
