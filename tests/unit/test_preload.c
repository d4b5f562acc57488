/* test_preload.c - do programs with a runtime of their own get ours, and is there one clear line where they cannot? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collect/preload/redirect.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
int main(void)
{
    return 0; /* programs are redirected on x86-64 only */
}
#else

static char folder[4096]; /* of the stand-ins */

/* Runs a command with the library preloaded; what it prints, standard error behind standard output, comes back. */
static const char *output_of(int wanted, const char *format, ...)
{
    static char text[8192];
    char command[4096], all[12800];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    /* the sanitizers' own library would have to be the first, which the preloaded one is */
    snprintf(all, sizeof all,
             "cd '%s' && { LD_PRELOAD='%s/../../lib/libwarpscape-preload.so' ASAN_OPTIONS=verify_asan_link_order=0:"
             "detect_leaks=0 %s; } 2>&1",
             folder, folder, command);
    FILE *const in = popen(all, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    const int status = pclose(in);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted)
        fail_msg("%s: status %d\n%s", command, status, text);
    return text;
}

static void test_programs(void **state)
{
    (void)state;
    assert_string_equal(output_of(0, "./standin"), "program: passed\n");
    assert_string_equal(output_of(0, "./standin_fixed"), "program: passed\n");
    assert_string_equal(output_of(0, "./standin child"), "program: passed\n");
    assert_string_equal(output_of(0, "./standin_linked"), "library: passed\nprogram: passed\n");
    assert_string_equal(output_of(0, "./standin open ./libstandin.so"), "library: passed\n");
    assert_string_equal(output_of(0, "/bin/echo nothing to do"), "nothing to do\n");
}

/* The report counts the functions of standin.c. */
static void test_report(void **state)
{
    (void)state;
    const char *const text = output_of(0, "env WARPSCAPE_PRELOAD_REPORT=1 ./standin");
    assert_non_null(strstr(text, "/standin: 10 functions of the CUDA runtime go to libcudart.so.13\n"));
}

static void test_without_preload(void **state)
{
    (void)state;
    const char *const text = output_of(1, "env -u LD_PRELOAD ./standin");
    assert_non_null(strstr(text, "standin: cudaMalloc was not redirected\n"));
    assert_non_null(strstr(text, "program: failed\n"));
}

static void test_private_table(void **state)
{
    (void)state;
    assert_string_equal(
        output_of(0, "./standin table"),
        "warpscape: libcudart.so.13: a private table of NVIDIA's runtime is asked for, as cuBLAS, cuFFT and the "
        "like do when they are linked statically; there is none, and what that library is called for will fail\n"
        "table: 801 801\n");
}

/* No symbols; and with the section headers gone, too: 8 bytes at 40 and 2 at 60 of the ELF header. */
static void test_stripped(void **state)
{
    (void)state;
    static const char message[] =
        "has device code, but no symbol table (it is stripped), so its statically linked CUDA runtime "
        "cannot be found; build with -cudart shared, or do not strip\n";
    char path[4200];
    assert_non_null(strstr(output_of(1, "./standin_stripped"), message));
    output_of(0, "cp standin_stripped standin_bare");
    snprintf(path, sizeof path, "%s/standin_bare", folder);
    FILE *const f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, 40, SEEK_SET), 0);
    assert_int_equal(fwrite("\0\0\0\0\0\0\0", 1, 8, f), 8);
    assert_int_equal(fseek(f, 60, SEEK_SET), 0);
    assert_int_equal(fwrite("\0", 1, 2, f), 2);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(output_of(1, "./standin_bare"), message));
    unlink(path);
}

/* Libraries of machine code are named, once, and nobody is told to build what others have built. */
static void test_machine_code(void **state)
{
    (void)state;
    static const char line[] =
        "is a library of machine code, without PTX: its kernels cannot run here, and what it is called for fails; "
        "the program's own kernels run";
    static const struct {
        const char *command, *name, *also;
        int status;
    } cases[] = {
        {"./standin open ./libcufft.so.11", "/libcufft.so.11: cuFFT ", "library: failed\n", 1},
        {"./standin_needs", "libcufft.so.11: cuFFT ", "program: passed\n", 0},
        {"./standin_blas blas", "/standin_blas: cuBLAS ", "program: passed\n", 0},
        {"./standin_blas", "/standin_blas: cuBLAS ", "program: passed\n", 0},
        {"./standin_blas_stripped", "/standin_blas_stripped: cuBLAS ", "run when it is not stripped\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const text = output_of(cases[i].status, "%s", cases[i].command), *const at = strstr(text, line);
        if (!at || strstr(at + 1, line) || !strstr(text, cases[i].name) || !strstr(text, cases[i].also))
            fail_msg("%s:\n%s", cases[i].command, text);
        if (strstr(text, "-cudart shared") || strstr(text, "private table"))
            fail_msg("%s:\n%s", cases[i].command, text);
    }
    assert_null(strstr(output_of(1, "./standin open ./libcublas.so.12"), line)); /* a wrapper */
}

/* --- the jumps alone: functions of all lengths in a page, near to the slots and far from them --- */

static int target(int a, int b)
{
    return 10 * a + b;
}

/* mov $99, %eax; ret, after `lead` bytes; the bytes around are int3. */
static uint8_t *make_function(uint8_t *page, const char *lead, size_t lead_bytes)
{
    static const uint8_t body[] = {0xb8, 99, 0, 0, 0, 0xc3};
    memset(page, 0xcc, 4096);
    memcpy(page + 64, lead, lead_bytes);
    memcpy(page + 64 + lead_bytes, body, sizeof body);
    return page + 64;
}

static int call(uint8_t *function)
{
    assert_int_equal(mprotect((void *)((uintptr_t)function / 4096 * 4096), 4096, PROT_READ | PROT_EXEC), 0);
    return ((int (*)(int, int))(uintptr_t)function)(4, 2);
}

static uint8_t *page_at(void *where)
{
    uint8_t *const page = mmap(where, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(page, MAP_FAILED);
    return page;
}

static const struct {
    const char *lead;
    size_t lead_bytes, room, before;
    bool far_too; /* works without a slot in reach */
} jumps[] = {
    {"", 0, 16, 0, true},                 /* any jump fits */
    {"\xf3\x0f\x1e\xfa", 4, 16, 0, true}, /* endbr64 stays */
    {"\xf3\x0f\x1e\xfa", 4, 12, 0, true}, /* endbr64 goes when the jump is far */
    {"", 0, 5, 0, false},
    {"\xf3\x0f\x1e\xfa", 4, 8, 0, false},
    {"", 0, 4, 5, false}, /* through the padding in front */
    {"", 0, 2, 64, false},
};

static void test_jumps(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        for (int is_far = 0; is_far < 2; is_far++) {
            uint8_t *const page = page_at((void *)0x100000000000);
            uint8_t *const function = make_function(page, jumps[i].lead, jumps[i].lead_bytes);
            const uintptr_t near_to = is_far ? UINT64_C(0x200000000000) : (uintptr_t)page;
            ws_slots slots;
            assert_true(ws_slots_make(&slots, near_to, near_to + 4096, 3, 0, NULL));
            slots.pointer[1] = (const void *)(uintptr_t)target;
            assert_true(ws_slots_finish(&slots));
            const bool done = ws_redirect(function, jumps[i].room, jumps[i].before, ws_slot(&slots, 1));
            if (done != (!is_far || jumps[i].far_too))
                fail_msg("case %zu, far %d", i, is_far);
            if (jumps[i].lead_bytes && done && jumps[i].room >= 16)
                assert_memory_equal(function, jumps[i].lead, jumps[i].lead_bytes);
            for (size_t k = jumps[i].room; k < 64; k++) /* nothing behind it has changed */
                assert_true(k < jumps[i].lead_bytes + 6 || function[k] == 0xcc);
            assert_int_equal(call(function), done ? 42 : 99);
            munmap(page, 4096);
            munmap(slots.code, slots.bytes);
        }
    }
}

static void test_too_short(void **state)
{
    (void)state;
    uint8_t *const page = page_at((void *)0x100000000000), *const function = make_function(page, "", 0);
    ws_slots slots;
    assert_true(ws_slots_make(&slots, (uintptr_t)page, (uintptr_t)page + 4096, 1, 0, NULL));
    assert_false(ws_redirect(function, 1, 64, ws_slot(&slots, 0)));
    assert_false(ws_redirect(function, 4, 4, ws_slot(&slots, 0)));
    page[62] = 0xc3; /* what is in front is no padding */
    assert_false(ws_redirect(function, 4, 64, ws_slot(&slots, 0)));
    assert_int_equal(call(function), 99);
    assert_int_equal(ws_padded_bytes(function, 6, 16), 16);
    assert_int_equal(ws_padded_bytes(function, 6, 4), 4);
    assert_int_equal(ws_padded_bytes(function, 3, 16), 5); /* two zeros, then `ret` */
    munmap(page, 4096);
    munmap(slots.code, slots.bytes);
}

int main(int argc, char **argv)
{
    (void)argc;
    char *const self = realpath(argv[0], NULL);
    if (!self)
        return 1;
    snprintf(folder, sizeof folder, "%s/preload", dirname(self));
    free(self);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),      cmocka_unit_test(test_report),    cmocka_unit_test(test_without_preload),
        cmocka_unit_test(test_private_table), cmocka_unit_test(test_stripped),  cmocka_unit_test(test_machine_code),
        cmocka_unit_test(test_jumps),         cmocka_unit_test(test_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
