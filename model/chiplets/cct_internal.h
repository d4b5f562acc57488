/* cct_internal.h - shared parts of the coherence table. */
#ifndef WS_CCT_INTERNAL_H
#define WS_CCT_INTERNAL_H

#include "model/chiplets/cct.h"

/* Data used by the launched kernel: one of its arguments, or several merged ones. */
typedef struct cct_use {
    ws_address_range whole;
    ws_address_range range[WS_CHIPLETS_MOST]; /* of each chiplet, rounded out; empty: not used */
    bool writes, identical, unchanged;
    size_t row; /* of the table */
} cct_use;

struct ws_cct {
    ws_cct_options options;
    ws_cct_row *row; /* [rows] in rising order of addresses; no two overlap */
    size_t rows, row_room;
    cct_use *use; /* [uses] of the launch, in the same order */
    size_t uses, use_room;
    uint32_t unknown; /* chiplets whose L2s may have stale copies that are in no row */
};

/* Makes the uses of a launch, finds or adds their rows, and merges those without room. Counts merges, and sets releases
 * of chiplets for which a merged row became both dirty and stale. WS_EMEM. */
int cct_place(ws_cct *cct, const ws_chiplet_kernel *kernel, ws_cct_operations *out);

#endif
