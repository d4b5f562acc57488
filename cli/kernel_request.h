/* kernel_request.h - arguments of commands that show kernels of a results file: [WORKLOAD [KERNEL]], --db, --run,
 * --format. */
#ifndef WS_KERNEL_REQUEST_H
#define WS_KERNEL_REQUEST_H

#include "base/options/frame_output.h"
#include "base/options/option_rows.h"
#include "metrics/store/store.h"

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

/* Zero all members except db. */
typedef struct ws_kernel_request {
    const char *db;
    const char *workload, *kernel; /* case-insensitive, `.` for all; kernel is a regular expression. NULL: all */
    uint64_t run;                  /* 0: the runs shown by default */
    bool frame;                    /* output a frame in `format`, not text */
    ws_frame_format format;
    regex_t match; /* compiled `kernel`, if given */
    bool prepared;
    bool met, is_kernel; /* some kernel belongs to that workload; the workload matches a part of a kernel's name */
} ws_kernel_request;

/* Rows of a member of this type; `frame` describes the rows of the frame. */
#define WS_KERNEL_REQUEST_OPTIONS(type, member, frame) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member.db, "Results file [warpscape.db]"), \
        WS_OPTION_TAKE("format", 'f', ws_frame_output_or_text_arg, type, member, ws_take_kernel_format, \
                       "For people, or a frame with a row for " frame " [text]"), \
        WS_OPTION_NUMBER("run", 'r', "N", type, member.run, 1, INT64_MAX, \
                         "Those of run N (see `warpscape runs') [of each workload the last run that counts]"), \
        WS_ARGUMENTS(type, member, ws_take_kernels, NULL)

ws_option_take ws_take_kernels, ws_take_kernel_format;

#define WS_KERNEL_REQUEST_ARGS "[WORKLOAD [KERNEL]]"

/* Opens the results file at the requested run. WS_EINPUT if the kernel is no regular expression. The caller closes the
 * store, and calls fini, which also accepts an unopened request. */
int ws_kernel_request_open(ws_kernel_request *request, ws_store **out);
void ws_kernel_request_fini(ws_kernel_request *request);

/* Returns whether the request includes a kernel, given its name in the program and its readable title. Records facts
 * for ws_kernel_request_refuse. */
bool ws_kernel_request_has(ws_kernel_request *request, const char *workload, const char *kernel, const char *title);

/* WS_ENOTFOUND with the request: no kernel matched it. */
int ws_kernel_request_refuse(const ws_kernel_request *request);

#endif
