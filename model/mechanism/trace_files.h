/* trace_files.h - trace files given to a command: files, and folders of them. */
#ifndef WS_TRACE_FILES_H
#define WS_TRACE_FILES_H

#include "collect/wst/wst.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_trace_files {
    char **path;
    size_t count, room;
} ws_trace_files;

/* Adds a file, or the trace files of a folder in the order of their names. WS_ENOTFOUND for a folder without any. */
int ws_trace_files_add(ws_trace_files *files, const char *path);
void ws_trace_files_free(ws_trace_files *files);

/* Returns whether an argument is a trace: its name ends in .wst, or it is a folder. */
bool ws_trace_files_means(const char *path);

/* Returns the workload name stored by the trace's writer, otherwise the file name without folder and extension. The
 * caller frees it; NULL with ws_fail set: out of memory. */
char *ws_trace_workload(const ws_trace *trace);

/* Returns a copy of the value of a note "NAME=VALUE", or of `otherwise` if absent. NULL as above. */
char *ws_trace_note(const ws_trace *trace, const char *name, const char *otherwise);

#endif
