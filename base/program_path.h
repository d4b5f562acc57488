/* program_path.h - lookup of a program in PATH, as by a shell. */
#ifndef WS_PROGRAM_PATH_H
#define WS_PROGRAM_PATH_H

/* Returns the first executable file with that name in the folders of PATH, or else the first file with that name. A
 * name with a slash is a path. An empty entry of PATH is the current folder. Returns NULL, without a message, if no
 * file is found. The caller frees the result. */
char *ws_program_path(const char *name);

#endif
