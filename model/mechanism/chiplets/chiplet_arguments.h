/* chiplet_arguments.h - what the kernels of a trace use on which chiplet: from a file, or measured. */
#ifndef WS_CHIPLET_ARGUMENTS_H
#define WS_CHIPLET_ARGUMENTS_H

#include "collect/wst/wst.h"
#include "model/chiplets/chiplet_kernel.h"

/* `file` NULL: measured, of blocks in contiguous parts or `anywhere` (range_log.h). Else its kernels have to be the
 * launches of the trace, by name: the mangled one, or as people write it. The caller frees *out with
 * ws_chiplet_kernels_fini. WS_EINPUT, and what reading traces and files gives. */
int ws_chiplet_arguments(ws_trace *trace, const char *file, uint32_t chiplets, bool anywhere, ws_chiplet_kernels *out);

#endif
