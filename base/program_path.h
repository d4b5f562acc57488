/* program_path.h - the file that a shell would start. */
#ifndef WS_PROGRAM_PATH_H
#define WS_PROGRAM_PATH_H

/* The first file of that name in the folders of PATH that may be executed, else the first one at all; a name with a
 * slash stands for itself. An empty name in PATH is the current folder. NULL when there is none, without a message. The
 * caller frees it. */
char *ws_program_path(const char *name);

#endif
