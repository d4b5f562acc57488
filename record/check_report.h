/* check_report.h - says what checks find: a line on stderr, and a note for the command that started this process. */
#ifndef WS_CHECK_REPORT_H
#define WS_CHECK_REPORT_H

#include "collect/check/checker.h"

/* The line of a note (base/note.h) that has a finding begins so. */
#define WS_CHECK_NOTE "finding "
enum { WS_CHECK_EXIT = 1 }; /* of a program that ended well, where something was found */

/* Findings are counted by check. Behind those stand errors of the program, which count under every check: a launch that
 * failed by ws_check_is_error, a kernel with accesses outside allocations. */
enum { WS_CHECK_ERRORS = WS_CHECKS, WS_CHECK_COUNTS };

/* A ws_check_tell_fn; without context. */
void ws_check_report(void *context, bool is_finding, const char *line);

/* Whether a launch that ended with this status failed by the program: its kernel did something illegal, or it asked for
 * an impossible launch. Limits of ours (memory, instructions, what is not supported) are none of its errors. */
bool ws_check_is_error(int launched);

/* Notes an error of the program, which has its line on stderr already. */
void ws_check_report_error(const char *line);

/* Counts the finding of such a line. False: it is none. */
bool ws_check_count(const char *line, uint64_t findings[WS_CHECK_COUNTS]);
/* "race 2, leak 1, error 1", of what was found; "nothing". */
void ws_check_summary(const uint64_t findings[WS_CHECK_COUNTS], char *text, size_t size);
/* Of all checks, and errors. */
uint64_t ws_check_sum(const uint64_t findings[WS_CHECK_COUNTS]);

#endif
