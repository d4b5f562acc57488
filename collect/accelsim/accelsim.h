/* accelsim.h - traces of Accel-Sim's tracer: SASS instructions that ran on a GPU, into the sinks of a live run.
 *
 * What they do not tell is said by ws_launch.isa: sinks see events without guard predicates, without
 * values, without constant operands. `active` comes from masks (sass_events.h). */
#ifndef WS_ACCELSIM_H
#define WS_ACCELSIM_H

#include "collect/trace/sink.h"

typedef struct ws_accelsim_import {
    const ws_sink *const *sinks;
    size_t sink_count;
    const char *kernels;   /* POSIX extended regular expression that names, mangled or not, match; NULL: all */
    uint64_t first, last;  /* launches [first, last], counted from 1; last 0: to the end */
    const char *source;    /* file of the lines that traces tell by number alone; NULL: WS_PLACE_UNNAMED */
    uint64_t memory_bytes; /* of packed instructions in memory, the rest goes to a temporary file; 0: 64 MiB */

    /* All may be NULL. progress: share of the file that is read; non-zero ends with WS_EINTERRUPTED. collect: as in
     * ws_run, for each sink of a launch that went well; launched: after that, with its counts, or with the status of a
     * failure. */
    int (*progress)(void *context, const char *kernel, double done);
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    int (*launched)(void *context, const ws_launch *launch, uint64_t warp_instructions, uint64_t thread_instructions,
                    int status);
    void *context;
} ws_accelsim_import;

enum { WS_ACCELSIM_NAMES = 512 };

typedef struct ws_accelsim_result {
    uint64_t launches, left_out; /* imported, and not chosen */
    uint64_t warp_instructions, thread_instructions, text_bytes;
    uint64_t unknown;                      /* warp instructions whose opcode is not in sass_opcode.def */
    char unknown_names[WS_ACCELSIM_NAMES]; /* "FOO, BAR" */
    uint64_t bulk, bulk_bytes; /* bulk copies, and what they moved: events have their side in global memory */
    uint64_t halves;           /* LDGSTS of grouped traces: events have where they read, not where they write */
    uint64_t with_lines;       /* launches whose trace tells lines of the source */
    uint64_t ignored;          /* lines of the list that say nothing to us */
    uint64_t odd_registers;    /* launches with more registers in the header than a thread can have */
    uint64_t without_list;     /* traces of a folder without a list: what was copied is not known */
    uint64_t more_lists;       /* as good as the one that was read, `list` */
    char list[WS_ACCELSIM_NAMES];
    uint64_t h2d_bytes, d2h_bytes; /* copied behind the last launch */
    unsigned version, binary;      /* of the tracer, and of the machine, as the last launch has them */
} ws_accelsim_result;

/* Imports a folder, a list of kernels (its name begins with "kernelslist"), or the trace of one kernel (.trace,
 * .traceg, these with .xz, .tracez). WS_EINPUT with "file:line:column: expected ..."; launches before that were shown
 * whole. */
int ws_accelsim_read(const char *path, const ws_accelsim_import *how, ws_accelsim_result *result);

#endif
