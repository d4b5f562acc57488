/* region_directory.h - which chiplets have copies of lines that are at home here? A directory whose entries are regions
 * of several lines.
 *
 * Ren, Lustig, Bolotin, Jaleel, Villa, Nellans, "HMG: Extending Cache Coherence Protocols Across Modern Hierarchical
 * Multi-GPU Systems", HPCA 2020, without its hierarchy, as P. Dalmia, "Reducing Synchronization and Communication
 * Overheads in GPUs", 2023, compares with. An entry is there (valid) with the chiplets that asked, or not; no state in
 * between, nobody answers invalidations, and sharers give up clean copies in silence. */
#ifndef WS_REGION_DIRECTORY_H
#define WS_REGION_DIRECTORY_H

#include "base/bytes.h"

#include <stdbool.h>

/* Of a GPU module: about 12 K entries of 4 lines in the former; the latter has the lines alone. The ways are ours. */
enum { WS_DIRECTORY_ENTRIES = 12288, WS_DIRECTORY_WAYS = 8, WS_DIRECTORY_LINES = 4, WS_DIRECTORY_LINES_MOST = 64 };

typedef struct ws_directory_options {
    uint32_t entries, ways, lines; /* entries: a multiple of ways; lines: of a region */
} ws_directory_options;

/* Who has to give up what: the lines of region `region`, from region * lines on; a bit for each chiplet. */
typedef struct ws_directory_result {
    uint64_t written, evicted; /* regions */
    uint32_t invalidate;       /* chiplets that have to give `written` up */
    uint32_t evict;            /* chiplets that have to give `evicted` up: its entry made room */
} ws_directory_result;

typedef struct ws_directory ws_directory;

/* WS_EINPUT, WS_EMEM. */
int ws_directory_create(const ws_directory_options *options, ws_directory **out);
void ws_directory_destroy(ws_directory *directory); /* accepts NULL */

/* Chiplet `from` asks the home, which is chiplet `home`, for a line, or stores into it (atomics, too). */
ws_directory_result ws_directory_load(ws_directory *directory, uint64_t line, uint32_t from, uint32_t home);
ws_directory_result ws_directory_store(ws_directory *directory, uint64_t line, uint32_t from, uint32_t home);

void ws_directory_save(const ws_directory *directory, ws_bytes *bytes);
int ws_directory_restore(ws_directory *directory, ws_reader *reader); /* WS_EINPUT */

#endif
