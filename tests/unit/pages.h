/* pages.h - pages of the documentation, for tests that look for names in them. */
#ifndef WS_TEST_PAGES_H
#define WS_TEST_PAGES_H

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Returns the text of all pages of a pattern; the caller frees it. Tests run from the top of the tree. */
static char *read_pages(const char *pattern)
{
    enum { MOST = 1 << 20 };
    glob_t pages;
    assert_int_equal(glob(pattern, 0, NULL, &pages), 0);
    char *const text = calloc(1, MOST);
    assert_non_null(text);
    size_t length = 0;
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        FILE *const in = fopen(pages.gl_pathv[i], "r");
        assert_non_null(in);
        const size_t n = fread(text + length, 1, MOST - 1 - length, in);
        assert_true(n > 0 && length + n < MOST - 1);
        length += n;
        fclose(in);
    }
    globfree(&pages);
    return text;
}

#endif
