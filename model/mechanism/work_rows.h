/* work_rows.h - rows of launches, kernels or workloads, each with caller-defined data. */
#ifndef WS_WORK_ROWS_H
#define WS_WORK_ROWS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_work_row {
    char *workload, *kernel; /* kernel: demangled */
    char *mangled;           /* the kernel's name as given */
    size_t launch;           /* 1-based; 0: several launches */
    void *kept;              /* data of ws_work_rows.bytes, initially zero */
} ws_work_row;

/* Zeroed except `bytes`: empty. Freed with ws_work_rows_fini; the caller frees the contents of `kept` before. */
typedef struct ws_work_rows {
    size_t bytes;
    ws_work_row *row;
    size_t count, room;
    size_t first; /* earlier rows, of completed traces, are not found again */
} ws_work_rows;
void ws_work_rows_fini(ws_work_rows *rows);

/* Adds a row and returns its data. NULL: out of memory, with a message. */
void *ws_work_rows_add(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch);

/* Returns the data of the matching row, which is added if absent; `scattered`: rows of its workload need not be
 * adjacent. NULL as above. */
void *ws_work_rows_find(ws_work_rows *rows, const char *workload, const char *kernel, size_t launch, bool scattered);

/* Returns the data of all launches of a kernel of the trace, as ws_work_rows_find. */
void *ws_work_rows_kernel(ws_work_rows *rows, const char *workload, const char *kernel);

/* Returns the launch as a label: "" for 0. */
enum { WS_LAUNCH_LABEL = 24 };
const char *ws_launch_label(size_t launch, char text[WS_LAUNCH_LABEL]);

#endif
