/* trace_files.h - the trace files that a command was given: files, and folders of them. */
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

/* Whether an argument means traces: its name ends in .wst, or it is a folder. */
bool ws_trace_files_means(const char *path);

/* The name that the trace's writer noted as its workload, else that of the file without folder and ending. The caller
 * frees it; NULL when memory is short, with the message recorded. */
char *ws_trace_workload(const ws_trace *trace);

/* The value of a note "NAME=VALUE", copied; `otherwise` when there is none. NULL as above. */
char *ws_trace_note(const ws_trace *trace, const char *name, const char *otherwise);

#endif
