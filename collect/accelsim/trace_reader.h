/* trace_reader.h - reader of one kernel's trace file: its header, and its instructions into a spool.
 *
 * Grouped traces (.traceg) are sorted by block and warp; raw ones (.trace) are in execution order; both may be
 * compressed by xz. A .tracez has a different container around the same lines. */
#ifndef WS_TRACE_READER_H
#define WS_TRACE_READER_H

#include "collect/accelsim/instruction.h"
#include "collect/accelsim/lines.h"
#include "collect/accelsim/spool.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { WS_KERNEL_BLOCKS_MOST = 1 << 10 }; /* small, because blocks missing from the trace also take time */
#else
enum { WS_KERNEL_BLOCKS_MOST = INT32_MAX };
#endif
enum { WS_KERNEL_THREADS_MOST = 1024 };

typedef struct ws_kernel_header {
    char *name; /* mangled name, as in the file */
    uint64_t id, stream, grid[3], block[3], shared_bytes, registers, binary;
    char nvbit[32];
    ws_line_form form;
} ws_kernel_header;

void ws_kernel_header_fini(ws_kernel_header *header);

/* Reads the header of a text trace. *begun: the header ended with #BEGIN_TB. WS_EINPUT with file, line and column. */
int ws_kernel_header_read(ws_lines *lines, ws_kernel_header *header, bool *begun);

/* Destination of instructions. */
typedef struct ws_trace_target {
    const ws_kernel_header *header;
    ws_instr_table *table;
    ws_spool *spool;
    int (*progress)(void *context, double done); /* non-zero ends with WS_EINTERRUPTED */
    void *context;
    uint64_t since;                  /* lines since the last call */
    bool pairs;                      /* LDGSTS occurs twice */
    uint64_t local_first, local_end; /* offsets in local memory reached by instructions; local_end 0: none */
} ws_trace_target;

/* Reads the lines from the header to the end of the file. */
int ws_trace_body_read(ws_lines *lines, bool begun, ws_line_form form, ws_trace_target *target);

/* Adds the instruction of a line to `warp`, or, for NULL, to the warp in the line. `path` and `line_number` are for
 * messages. */
typedef struct ws_trace_warp {
    uint64_t block; /* linear index */
    uint32_t number;
} ws_trace_warp;

int ws_trace_line_read(ws_trace_target *target, const ws_line_form *form, const char *line, const char *end,
                       const ws_trace_warp *warp, uint32_t *before, const char *path, uint64_t line_number);

/* Records "path:line:column: expected WHAT, not 'WORD'" and returns WS_EINPUT. */
int ws_trace_fail(const char *path, uint64_t line_number, const char *line, const char *end, const char *at,
                  const char *expected);

/* Reads a .tracez: the header and, with a target, the remainder. `choose` is called with the header and may refuse. */
int ws_tracez_read(const char *path, ws_kernel_header *header,
                   int (*choose)(void *context, const ws_kernel_header *header, ws_trace_target **target),
                   void *context);

#endif
