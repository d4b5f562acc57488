/* program_options.h - option rows of commands that say how programs run with our libraries: run and env. All rows are
 * of a member ws_program_request. */
#ifndef WS_PROGRAM_OPTIONS_H
#define WS_PROGRAM_OPTIONS_H

#include "cli/common_options.h"
#include "cli/features.h"
#include "record/start/run_program.h"

enum { WS_PROGRAM_MOST_WORKERS = 4096 };

/* needs of texts that must not be empty. */
#define WS_PROGRAM_NOT_EMPTY "a text that is not empty"

/* Defaults of both commands; further members may follow. */
#define WS_PROGRAM_DEFAULTS  .set = "all", .seed = 1, .turns = WS_TURNS_STORES, .bounds = WS_BOUNDS_PAGES

#define WS_PROGRAM_NAME_OPTION(type, request) \
    WS_OPTION_FILLED("name", 'n', "NAME", type, request.name, WS_PROGRAM_NOT_EMPTY, \
                     "of the workload in the results file [the program's]")

/* The measured metrics and launches. */
#define WS_PROGRAM_MEASURE_OPTIONS(type, request) \
    WS_OPTION_ONE_OF("metrics-set", 'm', "SET", type, request.set, ws_cli_sets, \
                     "metrics to collect: study, modern, all (both), machines or synchronization [all]"), \
        WS_OPTION_ALIAS("set", 0), \
        WS_OPTION_FILLED("kernels", 'k', "REGEX", type, request.kernels, WS_PROGRAM_NOT_EMPTY, \
                         "measure only kernels whose name, mangled or not, matches [all]"), \
        WS_OPTION_FILLED("launches", 'l', "A-B|FILE", type, request.launches, WS_PROGRAM_NOT_EMPTY, \
                         "measure only launches with these numbers, counted from 1: 1-10,20,30-; or those listed in " \
                         "FILE (`warpscape sample') [all]")

/* Data kept of each launch; lines_ is a bool, true without them. */
#define WS_PROGRAM_KEEP_OPTIONS(type, request, lines_) \
    WS_OPTION_FLAG("profile", 'p', type, request.profile, \
                   "also keep a profile of each measured launch, for `warpscape model'"), \
        WS_OPTION_FLAG("no-lines", 0, type, lines_, \
                       "do not keep counts of each instruction, which `warpscape annotate' shows")

/* The rules by which kernels run. */
#define WS_PROGRAM_RULE_OPTIONS(type, request) \
    WS_OPTION_WORD("turns", 0, "barriers|stores", type, request.turns, ws_turns_words, \
                   "when a warp yields to the others of its block: at barriers, or also before each store to global " \
                   "memory [stores]"), \
        WS_OPTION_WORD("bounds", 0, "pages|exact", type, request.bounds, ws_bounds_words, \
                       "accesses outside allocations: count them in pages that a GPU has mapped, or stop at the " \
                       "first anywhere [pages]"), \
        WS_OPTION_WORD("alignment", 0, "strict|relaxed", type, request.alignment, ws_alignment_words, \
                       "misaligned loads and stores of global, shared and local memory: an error, as on a GPU, or " \
                       "done and counted; atomics, ordered and volatile accesses, asynchronous copies, matrices and " \
                       "surfaces remain errors [strict]")

/* checks_ is an unsigned member, one bit per ws_check. */
#define WS_PROGRAM_CHECK_OPTION(type, checks_) \
    WS_OPTION_TAKE("check", 0, "race,init,sync,leak", type, checks_, ws_take_checks, \
                   "check for races, reads of uninitialised memory, barriers that some threads never reach, and " \
                   "leaks; on one thread [nothing]")

#define WS_PROGRAM_MACHINE_OPTIONS(type, request) \
    WS_OPTION_WORKERS(type, request.workers, WS_PROGRAM_MOST_WORKERS, "threads that run blocks [one per processor]"), \
        WS_OPTION_NUMBER("device-memory", 0, "GIB", type, request.device_memory, 1, WS_DEVICE_MOST_GIB, \
                         "device memory in GiB; the system provides pages when they are touched [80]")

#endif
