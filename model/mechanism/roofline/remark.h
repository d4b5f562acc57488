/* remark.h - a kernel's roofline in a line, for `warpscape summary'. */
#ifndef WS_ROOFLINE_REMARK_H
#define WS_ROOFLINE_REMARK_H

#include "base/frame.h"

#include <stdio.h>

/* frame: ws_roofline_table per kernel, on that machine. Nothing is written about a kernel that has no row. */
void ws_roofline_remark(const ws_frame *frame, const char *machine, const char *workload, const char *kernel,
                        FILE *out);

#endif
