/* claims_page.h - Markdown pages with generated tables. A table is between lines that begin with "<!-- NAME: begin" and
 * "<!-- NAME: end"; updates replace the lines between these marks. */
#ifndef WS_CLAIMS_PAGE_H
#define WS_CLAIMS_PAGE_H

#include "base/frame.h"
#include "cli/claims/claims.h"

typedef struct ws_claims_page {
    const char *path;
    char *text;
    size_t length;
    bool is_changed;
} ws_claims_page;

/* WS_EIO, WS_ELIMIT, WS_EMEM. The caller frees it with fini, also after a failure. */
int ws_claims_page_read(const char *path, ws_claims_page *out);
void ws_claims_page_fini(ws_claims_page *page);

/* Replaces the text between the marks of that name; *was_there is false without marks. WS_EINPUT for a mark without its
 * counterpart. */
int ws_claims_page_put(ws_claims_page *page, const char *name, const char *text, size_t length, bool *was_there);

/* Writes the page if it has changed. WS_EIO. */
int ws_claims_page_write(const ws_claims_page *page);

/* Checks that the page has each line of the text, except the first two, between the marks. WS_EINPUT names the first
 * missing line. *was_there as above. */
int ws_claims_page_has(const ws_claims_page *page, const char *name, const char *text, bool *was_there);

/* Counts the claims of the page. Adds one row per table "STUDY claims" to a frame with the label study and the columns
 * claims, size, direction, no, not_judged. WS_EINPUT for a table of another kind, and for the invalid verdict "yes". */
int ws_claims_page_count(const ws_claims_page *page, ws_frame *counts);
int ws_claims_counts_begin(ws_frame **counts);
/* Writes the counts as a Markdown table with a sum. */
void ws_claims_counts_write(const ws_frame *counts, FILE *out);

/* Collects the page's tables "STUDY NAME" with columns `theirs' and `ours', such as headlines. Adds their rows to a
 * frame with the labels study, row, theirs, ours. The columns theirs_value and ours_value are the first number of each
 * text, outside parentheses. A table without rows adds none. WS_EINPUT for a table with other columns. */
int ws_claims_gather_begin(ws_frame **gathered);
int ws_claims_page_gather(const ws_claims_page *page, const char *name, ws_frame *gathered);

#endif
