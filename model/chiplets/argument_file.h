/* argument_file.h - kernels and their data structures, from a hand-written text file: docs/chiplets.md has the format.
 *
 *     kernel stencil                      # in the order of launches
 *     chiplets 0 1                        # that run part of it; default: all
 *     data 0x10000 0x8000 rw              # base, bytes, mode r or rw
 *     range 0 0x10000 0x13fff             # of the data above: chiplet, first and last address
 *     range 1 0x14000 0x17fff
 *     data 0x20000 0x8000 r identical     # no ranges: each chiplet may use all; used as by the previous kernel
 *     kernel chase
 *     unknown                             # its accesses are not known */
#ifndef WS_ARGUMENT_FILE_H
#define WS_ARGUMENT_FILE_H

#include "model/chiplets/chiplet_kernel.h"

#include <stdio.h>

/* Parses text[0..length), which came from `file`, for a machine of `chiplets` chiplets. The caller frees *out with
 * ws_chiplet_kernels_fini; after a failure it is empty. WS_EINPUT with FILE:LINE:COLUMN for malformed input, a chiplet
 * that is absent or not scheduled, or a range outside its data structure or overlapping another one of the kernel. */
int ws_argument_file_parse(const char *file, const char *text, size_t length, uint32_t chiplets,
                           ws_chiplet_kernels *out);

/* Writes kernels in this format, in their order. Chiplets that do not use a data structure are omitted. WS_EIO. */
int ws_argument_file_write(FILE *out, const ws_chiplet_kernels *kernels, uint32_t chiplets);
/* The same to a file on disk. */
int ws_argument_file_save(const char *path, const ws_chiplet_kernels *kernels, uint32_t chiplets);

/* Reads a file on disk; WS_EIO if it cannot be read. */
int ws_argument_file_read(const char *path, uint32_t chiplets, ws_chiplet_kernels *out);

#endif
