/* device_code.h - the kernels of a file: PTX, a fat binary, or a program, library or object file that nvcc made. */
#ifndef WS_DEVICE_CODE_H
#define WS_DEVICE_CODE_H

#include "cli/launch/launchfile.h"
#include "collect/fatbin/program.h"

/* A launch file and the module that it is for: of a file with several, the first one that has all kernels which the
 * script launches. `most`: the highest architecture that is taken where there are several, 0 for any. The caller
 * destroys both. */
int ws_device_code_load(const char *path, uint32_t most, const char *launch_file, ws_script **script,
                        ws_module **module);

/* Prints what the file holds on standard output: images and their kernels, a line each. */
int ws_device_code_list(const char *path, uint32_t most);

/* Calls `see` with each module of the file that has PTX; ends with its first failure. */
int ws_device_code_each(const char *path, uint32_t most, int (*see)(const ws_module *module, void *context),
                        void *context);

#endif
