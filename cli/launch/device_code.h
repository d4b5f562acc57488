/* device_code.h - kernels of a file: PTX, a fat binary, or a program, library or object file from nvcc. */
#ifndef WS_DEVICE_CODE_H
#define WS_DEVICE_CODE_H

#include "cli/launch/launchfile.h"
#include "collect/fatbin/program.h"

/* Loads a launch file and its module: among several modules of `path`, the first with every kernel that the script
 * launches. `most` is the highest architecture allowed where the file has several, 0 for any. The caller destroys both.
 */
int ws_device_code_load(const char *path, uint32_t most, const char *launch_file, ws_script **script,
                        ws_module **module);

/* Prints the file's images and their kernels on standard output, one per line. */
int ws_device_code_list(const char *path, uint32_t most);

/* Calls `see` with each module of the file that has PTX; stops at the first failure and returns it. */
int ws_device_code_each(const char *path, uint32_t most, int (*see)(const ws_module *module, void *context),
                        void *context);

#endif
