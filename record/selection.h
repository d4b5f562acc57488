/* selection.h - which launches of a program are to be measured? */
#ifndef WS_SELECTION_H
#define WS_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_launch_selection ws_launch_selection;

/* kernels: POSIX extended regular expression that some part of the kernel's name matches, mangled or not. launches:
 * numbers from 1 on, as `warpscape launches` shows them, and ranges such as "1-10,20,30-"; or a file that lists
 * launches of `workload` (model/sample/launch_list.h). NULL: all. WS_EINPUT says what is wrong with which. */
int ws_launch_selection_create(const char *kernels, const char *launches, const char *workload,
                               ws_launch_selection **out);
/* Whether `launches` would be taken for the name of a file. */
bool ws_launch_selection_is_file(const char *launches);
void ws_launch_selection_destroy(ws_launch_selection *selection); /* accepts NULL */

/* `launch` as ws_launch.sequence, which counts from 0. NULL selects all. */
bool ws_launch_selection_has(const ws_launch_selection *selection, const char *kernel, const char *title,
                             uint64_t launch);

#endif
