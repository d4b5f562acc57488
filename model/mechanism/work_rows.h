/* work_rows.h - rows of launches, kernels or workloads, each with what is kept of it. */
#ifndef WS_WORK_ROWS_H
#define WS_WORK_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_work_row {
    char *workload, *kernel; /* the latter as people write it */
    char *mangled;           /* the kernel's name as it was given */
    size_t launch;           /* 1-based; 0: it is of several */
    void *kept;              /* bytes of ws_work_rows, zeroed at first */
} ws_work_row;

/* Zeroed but for `bytes`: none yet. Freed with fini; what `kept` owns is freed by the caller before. */
typedef struct ws_work_rows {
    size_t bytes;
    ws_work_row *row;
    size_t count, room;
    size_t first; /* rows before it are not found again: those of traces that are over */
} ws_work_rows;
void ws_work_rows_fini(ws_work_rows *rows);

/* What is kept of a new row. NULL: no memory, with a message. */
void *ws_work_rows_add(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch);

/* What is kept of the row of these, which is added when there is none; `scattered`: rows of its workload need not
 * follow one another. NULL as above. */
void *ws_work_rows_find(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch, bool scattered);

/* What is kept of all launches of a kernel of the trace, as of ws_work_rows_find. */
void *ws_work_rows_kernel(ws_work_rows *rows, const char *workload, const char *kernel);

/* The launch as a label: "" for 0. */
enum { WS_LAUNCH_LABEL = 24 };
const char *ws_launch_label(size_t launch, char text[WS_LAUNCH_LABEL]);

#endif
