/* trace_folder.h - traces in a folder, in the order of their kernels' execution. */
#ifndef WS_TRACE_FOLDER_H
#define WS_TRACE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_trace_folder {
    char *list;        /* path of its list of kernels; NULL: none */
    size_t more_lists; /* further lists as suitable as that one: tracers write one per context */
    char **file;       /* [files] without a list: paths of kernel traces, sorted by the numbers in their names */
    size_t files, room;
} ws_trace_folder;

/* WS_EIO; WS_ENOTFOUND for a folder without lists and traces. Always call ws_trace_folder_fini afterwards. */
int ws_trace_folder_read(const char *folder, ws_trace_folder *out);
void ws_trace_folder_fini(ws_trace_folder *folder);

/* Returns whether the path's file name is that of a list. */
bool ws_trace_is_list(const char *path);

#endif
