/* annotated.h - a kernel's source with what each line did: as text for people, or as rows of a frame. */
#ifndef WS_ANNOTATED_H
#define WS_ANNOTATED_H

#include "base/frame.h"
#include "metrics/store/store.h"

#include <stdio.h>

typedef struct ws_annotated {
    const char *workload, *title;
    const ws_listing *listing;
    ws_store *store; /* says what stood in the source when the program ran */
    int64_t run;
    bool instructions; /* under each line, or instead of lines */
} ws_annotated;

/* Prints the kernel. A file that is not there, or not what it was when the program ran, is said; the numbers are
 * printed all the same. WS_EMEM; WS_EIO is the stream's to tell. */
int ws_annotated_print(const ws_annotated *what, FILE *out);

/* A frame that grows: labels workload, kernel, file, line, function, inlined_at (and instruction), columns the counts
 * and what follows from them. Destroy accepts NULL. */
typedef struct ws_annotated_frame ws_annotated_frame;
int ws_annotated_frame_create(bool instructions, ws_annotated_frame **out);
int ws_annotated_add(ws_annotated_frame *rows, const ws_annotated *what);
int ws_annotated_frame_finish(const ws_annotated_frame *rows, ws_frame **out);
void ws_annotated_frame_destroy(ws_annotated_frame *rows);

#endif
