/* annotated.h - annotated source of a kernel, with counts per line: as text, or as rows of a frame. */
#ifndef WS_ANNOTATED_H
#define WS_ANNOTATED_H

#include "base/frame.h"
#include "metrics/store/store.h"

#include <stdio.h>

typedef struct ws_annotated {
    const char *workload, *title;
    const ws_listing *listing;
    ws_store *store; /* holds the fingerprints of the sources at run time */
    int64_t run;
    bool instructions; /* under each line, or instead of lines */
} ws_annotated;

/* Prints the kernel. A missing or changed source file is reported, and the numbers are still printed. WS_EMEM. The
 * caller checks the stream for WS_EIO. */
int ws_annotated_print(const ws_annotated *what, FILE *out);

/* Growing frame. Labels: workload, kernel, file, line, function, inlined_at (and instruction). Columns: the counts and
 * derived measures. Destroy accepts NULL. */
typedef struct ws_annotated_frame ws_annotated_frame;
int ws_annotated_frame_create(bool instructions, ws_annotated_frame **out);
int ws_annotated_add(ws_annotated_frame *rows, const ws_annotated *what);
int ws_annotated_frame_finish(const ws_annotated_frame *rows, ws_frame **out);
void ws_annotated_frame_destroy(ws_annotated_frame *rows);

#endif
