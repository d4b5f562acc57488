/* page_table.h - lines of a table in a page of docs, compared with the rows of a .def file. */
#ifndef WS_PAGE_TABLE_H
#define WS_PAGE_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct page_table {
    char *text;    /* of the section; owned */
    unsigned rows; /* that were looked for and found */
} page_table;

/* The section of that title, up to the next title of the same depth. */
static page_table page_table_open(const char *file, const char *title)
{
    FILE *const f = fopen(file, "rb");
    if (!f)
        fail_msg("%s is not there", file);
    char *const text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    char *const from = strstr(text, title);
    if (!from)
        fail_msg("%s has no section %s", file, title);
    char *const end = strstr(from + strlen(title), "\n## ");
    if (end)
        end[1] = '\0';
    memmove(text, from, strlen(from) + 1);
    return (page_table){.text = text};
}

/* A line of the table; tells the line that is missing. */
static bool page_table_has(page_table *page, const char *line)
{
    const char *const at = strstr(page->text, line);
    const bool found = at && at[-1] == '\n';
    if (!found)
        print_error("the page lacks: %s", line);
    page->rows += found;
    return found;
}

/* Whether the tables have no other lines: heads and rules are not counted. */
static bool page_table_close(page_table *page)
{
    unsigned rows = 0;
    for (const char *at = page->text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        rows += !strncmp(at, "| `", 3);
    free(page->text);
    if (rows != page->rows)
        print_error("the page has %u rows, %u of them are known\n", rows, page->rows);
    return rows == page->rows;
}

#endif
