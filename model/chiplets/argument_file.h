/* argument_file.h - kernels and what they use, from a text that people write: docs/chiplets.md has the format.
 *
 *     kernel stencil                      # in the order of launches
 *     chiplets 0 1                        # that run some of it; by itself all
 *     data 0x10000 0x8000 rw              # base, bytes, mode r or rw
 *     range 0 0x10000 0x13fff             # of the data above: chiplet, first and last address
 *     range 1 0x14000 0x17fff
 *     data 0x20000 0x8000 r identical     # no ranges: each chiplet may use all; used as by the kernel before
 *     kernel chase
 *     unknown                             # what it touches nobody can say */
#ifndef WS_ARGUMENT_FILE_H
#define WS_ARGUMENT_FILE_H

#include "model/chiplets/chiplet_kernel.h"

#include <stdio.h>

/* Reads text[0..length), which came from `file`, for a machine of so many chiplets. The caller frees *out with
 * ws_chiplet_kernels_fini; after a failure it is empty. WS_EINPUT with FILE:LINE:COLUMN for what is of another form, of
 * a chiplet that is not there or not scheduled, outside of its data structure, or overlaps another one of the kernel.
 */
int ws_argument_file_parse(const char *file, const char *text, size_t length, uint32_t chiplets,
                           ws_chiplet_kernels *out);

/* Writes what such a text would say of the kernels, in the order that they have. Who uses nothing of a data structure
 * is left out. WS_EIO. */
int ws_argument_file_write(FILE *out, const ws_chiplet_kernels *kernels, uint32_t chiplets);
/* The same into a file on disk. */
int ws_argument_file_save(const char *path, const ws_chiplet_kernels *kernels, uint32_t chiplets);

/* Reads a file on disk; WS_EIO when it cannot be read. */
int ws_argument_file_read(const char *path, uint32_t chiplets, ws_chiplet_kernels *out);

#endif
