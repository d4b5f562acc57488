/* source_file.h - a text that a compiler read: its lines, and a number that tells whether it is still the same.
 *
 * Names of sources stand in PTX, traces and results files, which may be anybody's. So they are read as regular files
 * alone, below folders that the user names: those of WARPSCAPE_SOURCES in the environment (a list with colons, to which
 * --sources adds), and the current one unless that is the root. Links and `..` do not lead out of them. */
#ifndef WS_SOURCE_FILE_H
#define WS_SOURCE_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_source_file {
    char *text;        /* with a zero byte in the place of each line's end */
    const char **line; /* [lines], the first is line[0] */
    size_t lines;
    uint64_t fingerprint;
} ws_source_file;

/* Names one more folder, for this process and those that it starts. WS_EIO when there is no such folder, WS_EINPUT for
 * a colon in its name. */
int ws_source_folder_add(const char *folder);

/* The folder of a program or of kernels, where their sources mostly are. One that no list can hold, and the root, are
 * left out. */
void ws_source_folder_of(const char *file);

/* Reads it. WS_ENOTFOUND when it is not there, WS_EUNSUPPORTED outside of the folders, WS_EIO, WS_EMEM, WS_ELIMIT for
 * what is too large to be a source. Free with fini, which accepts a zeroed one. */
int ws_source_file_load(const char *path, ws_source_file *out);

/* The same to show its lines. One that is not in its place is looked for in the folders of WARPSCAPE_SOURCES:
 * /home/a/src/x.cu as home/a/src/x.cu, a/src/x.cu, src/x.cu or x.cu there. `known` is its fingerprint when the program
 * ran, or NULL: a file with that one was below the folders of that time, and is read wherever it is. */
int ws_source_file_find(const char *path, const uint64_t *known, ws_source_file *out);
void ws_source_file_fini(ws_source_file *file);

#endif
