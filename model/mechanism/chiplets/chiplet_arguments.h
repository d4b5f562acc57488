/* chiplet_arguments.h - data that the kernels of a trace use on each chiplet, from a file or measured. */
#ifndef WS_CHIPLET_ARGUMENTS_H
#define WS_CHIPLET_ARGUMENTS_H

#include "collect/wst/wst.h"
#include "model/chiplets/chiplet_kernel.h"

/* Reads `file`; its kernels must match the launches of the trace by mangled or demangled name. NULL: measures, with
 * blocks in contiguous parts or `anywhere` (range_log.h). The caller frees *out with ws_chiplet_kernels_fini.
 * WS_EINPUT, and failures of reading traces and files. */
int ws_chiplet_arguments(ws_trace *trace, const char *file, uint32_t chiplets, bool anywhere, ws_chiplet_kernels *out);

#endif
