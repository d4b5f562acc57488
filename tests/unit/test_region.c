/* test_region.c - the wall behind the checks: wherever an address points, it leads into the region or to a page that
 * faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collect/simt/simt_internal.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t wild[] = {0,
                                1,
                                0xffc,
                                0x400000,
                                0x10000000,
                                UINT32_MAX,
                                0x200000000000,
                                0x200000000000 - 4,
                                0x555555554000,
                                0x7fffdeadbee0,
                                0x7fffffffffff,
                                (uint64_t)1 << 63,
                                UINT64_MAX - 0xffffff,
                                UINT64_MAX - 15,
                                UINT64_MAX - 3,
                                UINT64_MAX};
enum { WILD = sizeof wild / sizeof *wild };

/* How a process ends that writes at an address: 0, or the signal. */
static int end_of_write(uintptr_t at)
{
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers have a handler of their own */
        *(volatile unsigned char *)at = 1;
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static void addresses_stay_in_the_device(void **state)
{
    (void)state;
    memory *m;
    uint64_t first;
    int secret = 4711;
    assert_int_equal(memory_create(64u << 20, 4096, false, false, &m), WS_OK);
    assert_int_equal(memory_alloc(m, 4096, &first), WS_OK);
    const ground g = memory_ground(m);
    /* What is right stays what it is. */
    assert_int_equal(g.origin + (first & g.fence), first);
    assert_int_equal(g.origin + ((first + 4095) & g.fence), first + 4095);
    assert_int_equal(end_of_write(g.origin + (first & g.fence)), 0);
    /* What is wrong lands in the device's window, and behind what is allocated nothing can be written. */
    assert_true(g.fence < (uint64_t)1 << 30);
    for (size_t i = 0; i < WILD; i++) {
        const uint64_t at = g.origin + (wild[i] & g.fence);
        assert_true(at >= g.origin && at <= g.origin + g.fence);
    }
    assert_int_equal(end_of_write(g.origin + g.fence), SIGSEGV);
    assert_int_equal(end_of_write(g.origin + g.fence + 1), SIGSEGV); /* the rest of a vector that begins there */
    assert_int_equal(end_of_write(g.origin + g.fence + 32 * 16), SIGSEGV);
    const uint64_t here = (uintptr_t)&secret, there = g.origin + (here & g.fence);
    assert_true(there != here);
    memory_destroy(m);
}

static void sandboxes_end_in_guard_pages(void **state)
{
    (void)state;
    sandbox s;
    assert_int_equal(region_sandbox_create(&s), WS_OK);
    unsigned char *const a = region_sandbox_alloc(&s, 1000), *const b = region_sandbox_alloc(&s, 0),
                         *const c = region_sandbox_alloc(&s, 40u << 20);
    assert_true(a && b && c && a != b);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(a[i], 0);
        a[i] = 1;
    }
    c[(40u << 20) - 1] = 1;
    region_sandbox_free(&s, a);
    region_sandbox_free(&s, c);
    unsigned char *const again = region_sandbox_alloc(&s, 1000), *const large = region_sandbox_alloc(&s, 40u << 20);
    assert_ptr_equal(again, a);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(again[i], 0);
    assert_int_equal(large[(40u << 20) - 1], 0);
    const uintptr_t end = (uintptr_t)(s.region.base + s.region.reserved);
    for (size_t i = 0; i < WILD; i++) {
        const ground g = sandbox_ground(large);
        assert_true(g.origin + (wild[i] & g.fence) + 32 * 16 < end);
    }
    /* Nothing is given out so near to the end that the fence would lead behind it. */
    assert_true(s.region.base + s.region.bytes + SANDBOX_FENCE + 32 * 16 < end);
    assert_int_equal(end_of_write((uintptr_t)s.region.open), SIGSEGV);
    assert_int_equal(end_of_write(end - 1), SIGSEGV);
    region_sandbox_destroy(&s);
}

static void limits_are_errors(void **state)
{
    (void)state;
    memory *m;
    assert_int_equal(memory_create((uint64_t)1 << 50, 4096, false, false, &m), WS_EMEM);
    assert_non_null(strstr(ws_message(), "ask for less"));
    assert_int_equal(memory_create(1u << 20, 4096, false, false, &m), WS_OK);
    uint64_t at;
    assert_int_equal(memory_alloc(m, UINT64_MAX, &at), WS_EMEM);
    assert_int_equal(memory_alloc(m, 2u << 20, &at), WS_EMEM);
    assert_int_equal(memory_register(m, UINT64_MAX - 10, 20, false), WS_EINPUT);
    assert_int_equal(memory_register(m, m ? memory_ground(m).origin - 4096 : 0, 4097, false), WS_EINPUT);
    memory_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_stay_in_the_device),
        cmocka_unit_test(sandboxes_end_in_guard_pages),
        cmocka_unit_test(limits_are_errors),
    };
    return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
