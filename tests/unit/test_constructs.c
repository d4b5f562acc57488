/* Is the table of constructs in docs/engine.md true: does each named kernel exist, with the instruction, and with
 * something that it has to give? */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTRUCTS = 27 };

static char *read_text(const char *path)
{
    FILE *const f = fopen(path, "rb");
    if (!f)
        fail_msg("%s is not there", path);
    char *const text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The text between two marks, without the backslashes of Markdown. */
static void between(const char *from, const char *to, char *out, size_t size)
{
    size_t n = 0;
    for (; from < to && n + 1 < size; from++)
        if (*from != '\\')
            out[n++] = *from;
    out[n] = '\0';
}

static void check_row(const char *row)
{
    char instruction[128], kernel[64], path[128];
    const char *const open = strchr(row, '`'), *const close = open ? strchr(open + 1, '`') : NULL;
    assert_non_null(close);
    between(open + 1, close, instruction, sizeof instruction);
    const char *const name = strchr(close, '|') + 2;
    between(name, name + strcspn(name, " |\n"), kernel, sizeof kernel);
    snprintf(path, sizeof path, "tests/kernels/%s.ptx", kernel);
    char *const ptx = read_text(path);
    if (!strstr(ptx, instruction))
        fail_msg("%s has no `%s`", path, instruction);
    free(ptx);
    snprintf(path, sizeof path, "tests/kernels/%s.launch", kernel);
    char *const launch = read_text(path);
    if (!strstr(launch, "\nexpect "))
        fail_msg("%s expects nothing", path);
    free(launch);
}

static void every_construct_has_a_kernel(void **state)
{
    (void)state;
    char *const page = read_text("docs/engine.md");
    for (unsigned i = 1; i <= CONSTRUCTS; i++) {
        char start[16];
        snprintf(start, sizeof start, "\n| %u | ", i);
        const char *const row = strstr(page, start);
        if (!row)
            fail_msg("construct %u is not in the table", i);
        check_row(row + 1);
    }
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_construct_has_a_kernel)};
    return cmocka_run_group_tests_name("constructs", tests, NULL, NULL);
}
