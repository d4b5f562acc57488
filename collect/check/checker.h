/* checker.h - what a program does wrong that its results may not show: the checks that are wanted, what they found, and
 * who is told.
 *
 * A finding is a kind, a kernel and one or two places of the source text. The same one again is counted, not told
 * again. One thread at a time uses a checker. Who checks: race_check.h, written.h, and collect/simt/checks.c, which
 * knows warps. */
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

extern const char *const ws_check_names[]; /* "race", ...; NULL ends them */

/* Bits 1 << ws_check of a list "race,init". WS_EINPUT names the word that is none, and the one that was meant. */
int ws_checks_parse(const char *list, unsigned *checks);
/* And back: "race,init"; "" for none. */
void ws_checks_list(unsigned checks, char *text, size_t size);

typedef struct ws_checker ws_checker;
typedef void ws_check_tell_fn(void *context, bool is_finding,
                              const char *line); /* is_finding: a new one, not more of one or a remark */

/* `tell` gets each line without a newline. NULL: no memory, which is recorded. */
ws_checker *ws_checker_create(unsigned checks, ws_check_tell_fn *tell, void *context);
void ws_checker_destroy(ws_checker *c);                     /* accepts NULL */
bool ws_checker_wants(const ws_checker *c, ws_check check); /* accepts NULL: no */

/* Where something was found: instructions of a kernel. */
typedef struct ws_finding_at {
    ws_finding_kind kind;
    const char *kernel; /* as in the program */
    uint32_t pc, other; /* of its instruction table; other: UINT32_MAX where there is one access */
} ws_finding_at;

/* Counts one more of what is known. False: it is new, and to be described to ws_checker_add. */
bool ws_checker_again(ws_checker *c, const ws_finding_at *at);
/* `pair` are the places in words, which findings are told apart by; `text` is the line that tells of the first. Without
 * memory the finding is counted and not told. */
void ws_checker_add(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text);

/* The same; three findings and more of a kind, a kernel and the same `of` are told as one, the first, with the lines of
 * all. Those at the same two offsets are not: they are no copies of one another. */
typedef struct ws_alike {
    const char *of;
    uint32_t line[2];   /* of the two places, in the text that stands in for a source, in the same order for all; */
    uint64_t offset[2]; /* ... how far apart from the others their addresses are; */
    bool swapped;       /* the order is not that of `text` */
} ws_alike;
void ws_checker_add_alike(ws_checker *c, const ws_finding_at *at, const char *pair, const char *text,
                          const ws_alike *alike);

/* Something that cannot be checked in a launch of a kernel. It is told with how many launches it was, those of the same
 * kernel in one line. */
void ws_checker_cannot(ws_checker *c, const char *kernel, const char *what);

/* A remark, told at once: a line of its own. */
void ws_checker_say(ws_checker *c, const char *line);

/* A launch is over: tells what is new, with how often it was met. */
void ws_checker_flush(ws_checker *c);
/* A launch of the host's and all that its kernels launched are over: tells in addition what could not be checked in
 * them, when it is new. */
void ws_checker_flush_family(ws_checker *c);
/* The program is over: tells what went on after it was told. */
void ws_checker_finish(ws_checker *c);
uint64_t ws_checker_findings(const ws_checker *c, ws_check check); /* different ones */

/* The parts that look at memory: NULL where the check is not wanted. Races are looked for in one launch at a time: in
 * one that begins while another waits for it apart from that one, which goes on behind it. */
struct ws_race *ws_checker_race(const ws_checker *c); /* of the launch that runs */
struct ws_written *ws_checker_written(const ws_checker *c);
struct ws_overlap *
ws_checker_overlap(const ws_checker *c); /* accepts NULL; of operations of different streams, with races */
/* As ws_race_begin, _end and _forget. Begin fails also without memory. */
bool ws_checker_race_begin(ws_checker *c, uint64_t blocks, uint32_t warps_per_block);
void ws_checker_race_end(ws_checker *c);
void ws_checker_race_forget(const ws_checker *c, uint64_t address, uint64_t bytes);

#endif
