/* kernel_request.h - what commands that show kernels of a results file take: [WORKLOAD [KERNEL]], --db, --run,
 * --format. */
#ifndef WS_KERNEL_REQUEST_H
#define WS_KERNEL_REQUEST_H

#include "base/options/frame_output.h"
#include "base/options/option_rows.h"
#include "metrics/store/store.h"

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

/* Zeroed but for db. */
typedef struct ws_kernel_request {
    const char *db;
    const char *workload, *kernel; /* any case, `.` for all; a regular expression of the kernel. NULL: all */
    uint64_t run;                  /* 0: those that are shown */
    bool frame;                    /* not text, but: */
    ws_frame_format format;
    regex_t match; /* where kernel is said */
    bool prepared;
    bool met, is_kernel; /* some kernel is of that workload; the workload is a part of a kernel's name */
} ws_kernel_request;

/* Rows of a member of this type; `frame` says what a row of the frame is for. */
#define WS_KERNEL_REQUEST_OPTIONS(type, member, frame) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member.db, "Results file [warpscape.db]"), \
        WS_OPTION_TAKE("format", 'f', ws_frame_output_or_text_arg, type, member, ws_take_kernel_format, \
                       "For people, or a frame with a row for " frame " [text]"), \
        WS_OPTION_NUMBER("run", 'r', "N", type, member.run, 1, INT64_MAX, \
                         "Those of run N (see `warpscape runs') [of each workload the last run that counts]"), \
        WS_ARGUMENTS(type, member, ws_take_kernels, NULL)

ws_option_take ws_take_kernels, ws_take_kernel_format;

#define WS_KERNEL_REQUEST_ARGS "[WORKLOAD [KERNEL]]"

/* Opens the results file, at the run that is asked for. WS_EINPUT where the kernel is no regular expression. The caller
 * closes the store, and ends with fini, which accepts a request that was not opened. */
int ws_kernel_request_open(ws_kernel_request *request, ws_store **out);
void ws_kernel_request_fini(ws_kernel_request *request);

/* kernel and title: as in the program and as people write it. Keeps what ws_kernel_request_refuse says. */
bool ws_kernel_request_has(ws_kernel_request *request, const char *workload, const char *kernel, const char *title);

/* WS_ENOTFOUND, with what was asked for: none of the kernels that were looked at has it. */
int ws_kernel_request_refuse(const ws_kernel_request *request);

#endif
