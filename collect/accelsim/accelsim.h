/* accelsim.h - import of traces from Accel-Sim's tracer: SASS instructions executed on a GPU, sent to the sinks of a
 * live run.
 *
 * ws_launch.isa tells sinks what these traces lack: guard predicates, values and constant operands. `active` is derived
 * from masks (sass_events.h). */
#ifndef WS_ACCELSIM_H
#define WS_ACCELSIM_H

#include "collect/trace/sink.h"

typedef struct ws_accelsim_import {
    const ws_sink *const *sinks;
    size_t sink_count;
    const char *kernels;  /* POSIX extended regular expression for mangled or demangled names; NULL: all */
    uint64_t first, last; /* launches [first, last], counted from 1; last 0: to the end */
    const char *source;   /* file of lines that traces give only by number; NULL: WS_PLACE_UNNAMED */
    uint64_t
        memory_bytes; /* limit of packed instructions in memory, beyond which a temporary file is used; 0: 64 MiB */

    /* All may be NULL. progress: receives the share of the file read; non-zero ends with WS_EINTERRUPTED. collect: as
     * in ws_run, for each sink of a successful launch. launched: called after collect with the launch's counts, or with
     * the status of a failure. */
    int (*progress)(void *context, const char *kernel, double done);
    int (*collect)(void *context, const ws_launch *launch, size_t sink, void *state);
    int (*launched)(void *context, const ws_launch *launch, uint64_t warp_instructions, uint64_t thread_instructions,
                    int status);
    void *context;
} ws_accelsim_import;

enum { WS_ACCELSIM_NAMES = 512 };

typedef struct ws_accelsim_result {
    uint64_t launches, left_out; /* imported; not selected */
    uint64_t warp_instructions, thread_instructions, text_bytes;
    uint64_t unknown;                      /* warp instructions whose opcode is missing from sass_opcode.def */
    char unknown_names[WS_ACCELSIM_NAMES]; /* such as "FOO, BAR" */
    uint64_t bulk, bulk_bytes;             /* bulk copies, and bytes moved; events show only their global memory side */
    uint64_t halves;        /* LDGSTS of grouped traces: events show the address read, not the address written */
    uint64_t with_lines;    /* launches whose trace has source lines */
    uint64_t ignored;       /* unknown lines of the list */
    uint64_t odd_registers; /* launches whose header has more registers than a thread can have */
    uint64_t without_list;  /* traces of a folder without a list: copies are unknown */
    uint64_t more_lists;    /* further lists as suitable as `list`, the one read */
    char list[WS_ACCELSIM_NAMES];
    uint64_t h2d_bytes, d2h_bytes; /* copied after the last launch */
    unsigned version, binary;      /* versions of the tracer and of the machine, from the last launch */
} ws_accelsim_result;

/* Imports a folder, a list of kernels (its name begins with "kernelslist"), or the trace of one kernel (.trace,
 * .traceg, these with .xz, .tracez). WS_EINPUT with "file:line:column: expected ..."; earlier launches have then been
 * delivered in full. */
int ws_accelsim_read(const char *path, const ws_accelsim_import *how, ws_accelsim_result *result);

#endif
