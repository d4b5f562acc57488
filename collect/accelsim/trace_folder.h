/* trace_folder.h - which files of a folder are traces, and in which order did their kernels run? */
#ifndef WS_TRACE_FOLDER_H
#define WS_TRACE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_trace_folder {
    char *list;        /* path of its list of kernels; NULL: it has none */
    size_t more_lists; /* others as good as that one: tracers write one for each context */
    char **file; /* [files] without a list: paths of kernels' traces, in the order of the numbers in their names */
    size_t files, room;
} ws_trace_folder;

/* WS_EIO; WS_ENOTFOUND when there are neither lists nor traces. The caller calls ws_trace_folder_fini in any case. */
int ws_trace_folder_read(const char *folder, ws_trace_folder *out);
void ws_trace_folder_fini(ws_trace_folder *folder);

/* Is it the name of a list, whatever the folder? */
bool ws_trace_is_list(const char *path);

#endif
