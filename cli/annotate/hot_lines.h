/* hot_lines.h - which lines of each kernel run most, with what stands in them. */
#ifndef WS_HOT_LINES_H
#define WS_HOT_LINES_H

#include "cli/annotate/summary.h"

/* Of each kernel the `most` lines with most instructions executed, those first; where lines are not known,
 * instructions. Labels workload, kernel, file (empty: instructions), line (then of the PTX, 0 when it is not known) and
 * text: the source when it is there as it was when the program ran, or the instruction. Columns issues and the measures
 * of lines. WS_EIO, WS_EMEM. The caller frees *out. */
int ws_hot_lines_frame(const ws_summary *summary, ws_store *store, size_t most, ws_frame **out);

#endif
