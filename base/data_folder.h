/* data_folder.h - location of the data folder, with the run-time files in `tech` and `configs`. */
#ifndef WS_DATA_FOLDER_H
#define WS_DATA_FOLDER_H

#include <stddef.h>

/* Finds the folder with `configs` and `tech`. The environment variable WARPSCAPE_DATA overrides the default. Without
 * it, the folder is the source tree of the build, the folder relative to an installed program, or the configured
 * installation folder. Returns WS_ENOTFOUND with the places searched. */
int ws_data_folder(char *folder, size_t size);

/* Finds the folder for a program in the folder `here`. `given` is the value of WARPSCAPE_DATA, or NULL. */
int ws_data_folder_of(const char *here, const char *given, char *folder, size_t size);

#endif
