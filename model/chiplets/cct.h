/* cct.h - which L2s have to write back or give up their copies before a kernel starts? The Chiplet Coherence Table of a
 * command processor.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5 (CPCoh). A row
 * for each data structure says in which L2s it is, and how. At a launch the table is asked for two sets of chiplets:
 * those that acquire (give up clean copies; dirty words stay) and those that release (write dirty words back; whole
 * lines stay, clean). Acquires come first, else what was just written back would be lost. Both concern a whole L2, so
 * all rows.
 *
 *     release  a chiplet whose row is dirty, where another one will use addresses of its range
 *     acquire  a chiplet whose row is stale, and that will use it
 *
 * Nothing is said here of who has the newest value: docs/chiplets.md says on what the rules rely. */
#ifndef WS_CCT_H
#define WS_CCT_H

#include "base/bytes.h"
#include "model/chiplets/chiplet_kernel.h"

typedef enum ws_cct_state {
#define STATE(name, bits, letters, meaning) WS_CCT_##name = (bits),
#include "model/chiplets/cct_states.def"
#undef STATE
} ws_cct_state;

/* The table of the source: 64 rows of 25 bytes, 8 data structures of a kernel; overflows are merged. */
enum { WS_CCT_ROWS = 64, WS_CCT_ROW_BYTES = 25, WS_CCT_ARGUMENTS = 8, WS_CCT_ROWS_MOST = 4096 };

typedef struct ws_cct_options {
    uint32_t chiplets;  /* 1 to WS_CHIPLETS_MOST */
    uint32_t rows;      /* 2 to WS_CCT_ROWS_MOST */
    uint32_t arguments; /* data structures of a kernel that are told apart, at least 1 and fewer than rows */
    uint32_t granule; /* bytes that caches keep together, a power of two: ranges are rounded out to them, or a line that
                         two chiplets share would be out of date unseen */
    bool ranges; /* false: rows have no ranges, and dirty chiplets release by number: the rule of the source's artifact
                  */
    bool strict; /* a chiplet that wrote where another one did, too, acquires before it uses the data again */
    bool release_empties; /* a release gives up all copies, and rows begin anew (not present); else clean lines stay
                             (valid) */
} ws_cct_options;

ws_cct_options ws_cct_defaults(uint32_t chiplets);

typedef struct ws_cct_row {
    ws_address_range whole;
    ws_address_range range[WS_CHIPLETS_MOST]; /* of what is in the L2 of each */
    uint8_t state[WS_CHIPLETS_MOST];          /* ws_cct_state */
    uint32_t mixed; /* with `strict`: chiplets whose copies others may have written over in the same kernel */
    uint32_t torn;  /* between two launches nothing: chiplets for which a dirty and a stale row became one */
} ws_cct_row;

/* Operations: a bit for each chiplet. */
typedef struct ws_cct_operations {
    uint32_t acquires, releases; /* before the kernel starts */
    uint32_t end_releases;       /* as soon as it has ended: of a kernel that is not known */
    uint32_t looked_up;          /* rows of the table */
    uint32_t merged;             /* data structures and rows that were put together for want of room */
} ws_cct_operations;

typedef struct ws_cct ws_cct;

/* WS_EINPUT: an option beyond its bounds; WS_EMEM. */
int ws_cct_create(const ws_cct_options *options, ws_cct **out);
void ws_cct_destroy(ws_cct *cct); /* accepts NULL */

/* The kernel is launched. What is not known of it is done as without a table: all acquire, and release at its end.
 * WS_EMEM. */
int ws_cct_launch(ws_cct *cct, const ws_chiplet_kernel *kernel, ws_cct_operations *out);
/* The program ends, or its host wants to see results: chiplets that have to release. */
uint32_t ws_cct_finish(ws_cct *cct);

/* Between launches. WS_EINPUT for what no table of these options could be; WS_EMEM. */
void ws_cct_save(const ws_cct *cct, ws_bytes *bytes);
int ws_cct_restore(ws_cct *cct, ws_reader *reader);

/* Rows in rising order of addresses, the table's until the next launch. */
size_t ws_cct_rows(const ws_cct *cct, const ws_cct_row **rows);

#endif
