/* hot_lines.h - most executed lines of each kernel, with their text. */
#ifndef WS_HOT_LINES_H
#define WS_HOT_LINES_H

#include "cli/annotate/summary.h"

/* Returns, for each kernel, the `most` lines with most instructions executed, in decreasing order; instructions where
 * lines are unknown. Labels: workload, kernel, file, line and text. For lines, text is the source line if the file is
 * unchanged since the run. For instructions, file is empty, line is that of the PTX (0 if unknown), and text the
 * instruction. Columns: issues and the measures of lines. WS_EIO, WS_EMEM. The caller frees *out. */
int ws_hot_lines_frame(const ws_summary *summary, ws_store *store, size_t most, ws_frame **out);

#endif
