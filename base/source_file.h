/* source_file.h - source files of kernels: their lines, and a fingerprint that detects changes.
 *
 * PTX, traces and results files name sources, and may come from untrusted users. Sources are therefore read only as
 * regular files below folders that the user names. The environment variable WARPSCAPE_SOURCES lists these folders,
 * separated by colons; --sources adds to it. The current folder is also one, unless it is the root. Links and `..`
 * cannot lead out of them. */
#ifndef WS_SOURCE_FILE_H
#define WS_SOURCE_FILE_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_source_file {
    char *text;        /* with a zero byte in place of each line end */
    const char **line; /* [lines]; the first is line[0] */
    size_t lines;
    uint64_t fingerprint;
} ws_source_file;

/* Adds a folder, for this process and its children. Returns WS_EIO for a missing folder, WS_EINPUT for a colon in its
 * name. */
int ws_source_folder_add(const char *folder);

/* Adds the folder of a program or of kernels, the usual place of their sources. Ignores the root, and names that a list
 * with colons cannot hold. */
void ws_source_folder_of(const char *file);

/* Reads a source. Returns WS_ENOTFOUND for a missing file, WS_EUNSUPPORTED outside the folders, WS_EIO, WS_EMEM, or
 * WS_ELIMIT for a file too large to be a source. Free with ws_source_file_fini, which accepts a zeroed one. */
int ws_source_file_load(const char *path, ws_source_file *out);

/* Reads a source to show its lines. A missing file is searched for in the folders of WARPSCAPE_SOURCES:
 * /home/a/src/x.cu as home/a/src/x.cu, a/src/x.cu, src/x.cu or x.cu there. `known` is its fingerprint when the program
 * ran, or NULL. A file with that fingerprint was below the folders of that time, and is read from any place. */
int ws_source_file_find(const char *path, const uint64_t *known, ws_source_file *out);
void ws_source_file_fini(ws_source_file *file);

#endif
