/* check_report.h - says what checks find: a line on stderr, and a note for the command that started this process. */
#ifndef WS_CHECK_REPORT_H
#define WS_CHECK_REPORT_H

#include "collect/check/checker.h"

/* The line of a note (base/note.h) that has a finding begins so. */
#define WS_CHECK_NOTE "finding "
enum { WS_CHECK_EXIT = 1 }; /* of a program that ended well, where something was found */

/* A ws_check_tell_fn; without context. */
void ws_check_report(void *context, bool is_finding, const char *line);

/* How many findings of each check, by the text of such a line. False: it is none. */
bool ws_check_count(const char *line, uint64_t findings[WS_CHECKS]);
/* "race 2, leak 1", of the checks that found something; "nothing". */
void ws_check_summary(const uint64_t findings[WS_CHECKS], char *text, size_t size);
/* Of all checks. */
uint64_t ws_check_sum(const uint64_t findings[WS_CHECKS]);

#endif
