/* checker.h - registry of correctness findings: enabled checks, their findings, and reporting.
 *
 * A finding is a kind, a kernel and one or two source locations. Repeated findings are counted, not reported again. One
 * thread at a time uses a checker. The checks themselves: race_check.h, written.h, and collect/simt/checks.c, which
 * handles warps. */
#ifndef WS_CHECKER_H
#define WS_CHECKER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ws_check {
#define CHECK(NAME, name, what) WS_CHECK_##NAME,
#include "collect/check/checks.def"
#undef CHECK
    WS_CHECKS
} ws_check;

typedef enum ws_finding_kind {
#define FINDING(NAME, CHECK, what) WS_FINDING_##NAME,
#include "collect/check/findings.def"
#undef FINDING
    WS_FINDING_KINDS
} ws_finding_kind;

extern const char *const ws_check_names[]; /* "race", ...; terminated by NULL */

/* Parses a list such as "race,init" into bits 1 << ws_check. WS_EINPUT names an unknown word and the closest known one.
 */
int ws_checks_parse(const char *list, unsigned *checks);
/* Formats bits as a list such as "race,init"; "" for no check. */
void ws_checks_list(unsigned checks, char *text, size_t size);

typedef struct ws_checker ws_checker;
typedef void
ws_check_tell_fn(void *context, bool is_finding,
                 const char *line); /* is_finding: true for a new finding; false for repetitions and remarks */

/* `tell` receives each line without a newline. Returns NULL when memory is short, with the failure set. */
ws_checker *ws_checker_create(unsigned checks, ws_check_tell_fn *tell, void *context);
void ws_checker_destroy(ws_checker *c);                     /* accepts NULL */
bool ws_checker_wants(const ws_checker *c, ws_check check); /* accepts NULL and then returns false */

/* Location of a finding: instructions of a kernel. */
typedef struct ws_finding_at {
    ws_finding_kind kind;
    const char *kernel; /* name in the program */
    uint32_t pc, other; /* indices of its instruction table; other: UINT32_MAX for a single access */
} ws_finding_at;

/* Counts another occurrence of a known finding. Returns false for a new finding, which the caller must pass to
 * ws_checker_add. */
bool ws_checker_again(ws_checker *c, const ws_finding_at *at);
/* Adds a finding. `pair` describes the two locations and identifies the finding; `text` is the reported line. Without
 * memory the finding is counted but not reported. */
void ws_checker_add(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text);

/* Adds a finding that may be one of several similar ones. Three or more findings of one kind, kernel and `of` are
 * reported as one: the first, with the source lines of all. Findings at the same two offsets are kept separate, because
 * they are not copies of one another. */
typedef struct ws_alike {
    const char *of;
    uint32_t
        line[2]; /* lines of the two locations in the text used as source, in the same order for all similar findings */
    uint64_t offset[2]; /* constant offsets that distinguish the addresses of similar findings */
    bool swapped;       /* the order is the reverse of that in `text` */
} ws_alike;
void ws_checker_add_alike(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text,
                          const ws_alike *alike);

/* Notes that a check is impossible in a launch of a kernel. Reports give one line per kernel and reason, with the
 * number of launches. */
void ws_checker_cannot(ws_checker *c, const char *kernel, const char *what);

/* Reports a remark immediately, on a separate line. */
void ws_checker_say(ws_checker *c, const char *line);

/* Ends a launch: reports new findings with their number of occurrences. */
void ws_checker_flush(ws_checker *c);
/* Ends a launch by the host and its nested launches. Also reports new entries of ws_checker_cannot. */
void ws_checker_flush_family(ws_checker *c);
/* Ends the program: reports occurrences since each finding was reported. */
void ws_checker_finish(ws_checker *c);
uint64_t ws_checker_findings(const ws_checker *c, ws_check check); /* number of distinct findings */

/* Checkers of memory, or NULL if the check is disabled. Races are detected within one launch at a time. If a launch
 * begins while another waits for it, the two are checked separately; the outer one resumes afterwards. */
struct ws_race *ws_checker_race(const ws_checker *c); /* of the running launch */
struct ws_written *ws_checker_written(const ws_checker *c);
struct ws_overlap *
ws_checker_overlap(const ws_checker *c); /* accepts NULL; races between operations of different streams */
/* As ws_race_begin, ws_race_end and ws_race_forget. ws_checker_race_begin also fails when memory is short. */
bool ws_checker_race_begin(ws_checker *c, uint64_t blocks, uint32_t warps_per_block);
void ws_checker_race_end(ws_checker *c);
void ws_checker_race_forget(const ws_checker *c, uint64_t address, uint64_t bytes);

#endif
