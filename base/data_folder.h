/* data_folder.h - where are the files that the program reads at run time: tech and configs? */
#ifndef WS_DATA_FOLDER_H
#define WS_DATA_FOLDER_H

#include <stddef.h>

/* The folder with `configs` and `tech`: what the environment variable WARPSCAPE_DATA names; else the source tree in
 * which this program was built, the place beside an installed program, or that which it was built for. WS_ENOTFOUND
 * names the places. */
int ws_data_folder(char *folder, size_t size);

/* The same for a program in the folder `here`; `given` is the environment's, or NULL. */
int ws_data_folder_of(const char *here, const char *given, char *folder, size_t size);

#endif
