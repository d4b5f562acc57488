/* region_directory.h - directory of the chiplets with copies of local lines; its entries are regions of several lines.
 *
 * Ren, Lustig, Bolotin, Jaleel, Villa, Nellans, "HMG: Extending Cache Coherence Protocols Across Modern Hierarchical
 * Multi-GPU Systems", HPCA 2020, without its hierarchy, as P. Dalmia, "Reducing Synchronization and Communication
 * Overheads in GPUs", 2023, compares with. An entry is present (valid) with its sharers, or absent. There are no
 * transient states, invalidations are not acknowledged, and sharers evict clean copies silently. */
#ifndef WS_REGION_DIRECTORY_H
#define WS_REGION_DIRECTORY_H

#include "base/bytes.h"

#include <stdbool.h>

/* Of a GPU module: about 12 K entries of 4 lines in the former; the latter has the lines alone. The ways are ours. */
enum { WS_DIRECTORY_ENTRIES = 12288, WS_DIRECTORY_WAYS = 8, WS_DIRECTORY_LINES = 4, WS_DIRECTORY_LINES_MOST = 64 };

typedef struct ws_directory_options {
    uint32_t entries, ways, lines; /* entries: a multiple of ways; lines: of a region */
} ws_directory_options;

/* Chiplets that must invalidate the lines of region `region`, from region * lines up; one bit for each chiplet. */
typedef struct ws_directory_result {
    uint64_t written, evicted; /* regions */
    uint32_t invalidate;       /* chiplets that must invalidate `written` */
    uint32_t evict;            /* chiplets that must invalidate `evicted`, whose entry was replaced */
} ws_directory_result;

typedef struct ws_directory ws_directory;

/* WS_EINPUT, WS_EMEM. */
int ws_directory_create(const ws_directory_options *options, ws_directory **out);
void ws_directory_destroy(ws_directory *directory); /* accepts NULL */

/* Chiplet `from` requests a line from its home, chiplet `home`, or stores to it (including atomics). */
ws_directory_result ws_directory_load(ws_directory *directory, uint64_t line, uint32_t from, uint32_t home);
ws_directory_result ws_directory_store(ws_directory *directory, uint64_t line, uint32_t from, uint32_t home);

void ws_directory_save(const ws_directory *directory, ws_bytes *bytes);
int ws_directory_restore(ws_directory *directory, ws_reader *reader); /* WS_EINPUT */

#endif
