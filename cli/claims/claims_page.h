/* claims_page.h - pages of Markdown whose tables stand between marks: "<!-- NAME: begin" and "<!-- NAME: end" begin
 * lines, and what stands between these lines is replaced. */
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

/* Puts the text between the marks of that name; *was_there is false if there are none. WS_EINPUT for a mark without its
 * other one. */
int ws_claims_page_put(ws_claims_page *page, const char *name, const char *text, size_t length, bool *was_there);

/* Writes the page if it has changed. WS_EIO. */
int ws_claims_page_write(const ws_claims_page *page);

/* Is each line of the text, but for the first two, one of those between the marks? WS_EINPUT with the first that is
 * none. *was_there as above. */
int ws_claims_page_has(const ws_claims_page *page, const char *name, const char *text, bool *was_there);

/* Counts claims of the page: adds a row for each of its tables "STUDY claims" to a frame with the label study and the
 * columns claims, size, direction, no, not_judged. WS_EINPUT for a table that is none of claims, and for a verdict
 * "yes", which is none. */
int ws_claims_page_count(const ws_claims_page *page, ws_frame *counts);
int ws_claims_counts_begin(ws_frame **counts);
/* The same as a table in Markdown, with a sum. */
void ws_claims_counts_write(const ws_frame *counts, FILE *out);

/* Gathers the tables "STUDY NAME" of the page with columns `theirs' and `ours', such as headlines: adds their rows to a
 * frame with the labels study, row, theirs, ours, and as columns theirs_value and ours_value the first number of either
 * text, of parentheses none. A table without rows adds none. WS_EINPUT for a table of other columns. */
int ws_claims_gather_begin(ws_frame **gathered);
int ws_claims_page_gather(const ws_claims_page *page, const char *name, ws_frame *gathered);

#endif
