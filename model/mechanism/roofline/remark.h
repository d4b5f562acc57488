/* remark.h - one-line roofline of a kernel, for `warpscape summary'. */
#ifndef WS_ROOFLINE_REMARK_H
#define WS_ROOFLINE_REMARK_H

#include "base/frame.h"

#include <stdio.h>

/* Writes the line. frame: ws_roofline_table per kernel, on that machine. Writes nothing for a kernel without a row. */
void ws_roofline_remark(const ws_frame *frame, const char *machine, const char *workload, const char *kernel,
                        FILE *out);

#endif
