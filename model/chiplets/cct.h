/* cct.h - Chiplet Coherence Table of a command processor: L2s that must write back or invalidate copies before a kernel
 * starts.
 *
 * P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", UW-Madison 2023, chapter 5 (CPCoh). A row
 * for each data structure records the L2s that hold it, and their state. At a launch the table gives two sets of
 * chiplets: those that acquire (invalidate clean copies; dirty words stay) and those that release (write dirty words
 * back; whole lines stay, clean). Acquires come first; otherwise data just written back would be lost. Both apply to a
 * whole L2, hence to all rows.
 *
 *     release  a chiplet whose row is dirty, if another one will use addresses of its range
 *     acquire  a chiplet whose row is stale, and that will use it
 *
 * The table does not record which chiplet has the newest value; docs/chiplets.md states the assumptions of the rules.
 */
#ifndef WS_CCT_H
#define WS_CCT_H

#include "base/bytes.h"
#include "model/chiplets/chiplet_kernel.h"

typedef enum ws_cct_state {
#define STATE(name, bits, letters, meaning) WS_CCT_##name = (bits),
#include "model/chiplets/cct_states.def"
#undef STATE
} ws_cct_state;

/* Table of the source: 64 rows of 25 bytes, 8 data structures of a kernel; overflows are merged. */
enum { WS_CCT_ROWS = 64, WS_CCT_ROW_BYTES = 25, WS_CCT_ARGUMENTS = 8, WS_CCT_ROWS_MOST = 4096 };

typedef struct ws_cct_options {
    uint32_t chiplets;  /* 1 to WS_CHIPLETS_MOST */
    uint32_t rows;      /* 2 to WS_CCT_ROWS_MOST */
    uint32_t arguments; /* data structures of a kernel that are distinguished, at least 1 and fewer than rows */
    uint32_t granule;   /* bytes that caches keep together, a power of two: ranges are rounded to them, as a line shared
                           by two chiplets would otherwise become stale unnoticed */
    bool ranges; /* false: rows have no ranges, and dirty chiplets release by number: the rule of the source's artifact
                  */
    bool strict; /* a chiplet that wrote a row also written by another acquires before it uses the data again */
    bool release_empties; /* a release invalidates all copies, and rows restart (not present); otherwise clean lines
                             stay (valid) */
} ws_cct_options;

ws_cct_options ws_cct_defaults(uint32_t chiplets);

typedef struct ws_cct_row {
    ws_address_range whole;
    ws_address_range range[WS_CHIPLETS_MOST]; /* of the data in the L2 of each */
    uint8_t state[WS_CHIPLETS_MOST];          /* ws_cct_state */
    uint32_t mixed; /* with `strict`: chiplets whose copies others may have overwritten in the same kernel */
    uint32_t torn;  /* zero between launches: chiplets for which a dirty and a stale row were merged */
} ws_cct_row;

/* Operations: one bit per chiplet. */
typedef struct ws_cct_operations {
    uint32_t acquires, releases; /* before the kernel starts */
    uint32_t end_releases;       /* right after its end: of an unknown kernel */
    uint32_t looked_up;          /* rows of the table */
    uint32_t merged;             /* data structures and rows merged for lack of room */
} ws_cct_operations;

typedef struct ws_cct ws_cct;

/* WS_EINPUT for an option beyond its bounds; WS_EMEM. */
int ws_cct_create(const ws_cct_options *options, ws_cct **out);
void ws_cct_destroy(ws_cct *cct); /* accepts NULL */

/* Launches the kernel. An unknown kernel is handled as without a table: all chiplets acquire, and release at its end.
 * WS_EMEM. */
int ws_cct_launch(ws_cct *cct, const ws_chiplet_kernel *kernel, ws_cct_operations *out);
/* Ends the program, or makes results visible to the host: returns the chiplets that must release. */
uint32_t ws_cct_finish(ws_cct *cct);

/* Save and restore between launches. WS_EINPUT for an impossible table; WS_EMEM. */
void ws_cct_save(const ws_cct *cct, ws_bytes *bytes);
int ws_cct_restore(ws_cct *cct, ws_reader *reader);

/* Returns rows in rising order of addresses, owned by the table, valid until the next launch. */
size_t ws_cct_rows(const ws_cct *cct, const ws_cct_row **rows);

#endif
