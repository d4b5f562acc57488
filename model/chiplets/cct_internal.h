/* cct_internal.h - what the parts of the coherence table share. */
#ifndef WS_CCT_INTERNAL_H
#define WS_CCT_INTERNAL_H

#include "model/chiplets/cct.h"

/* Data that the kernel which is launched uses: one of its arguments, or several that were put together. */
typedef struct cct_use {
    ws_address_range whole;
    ws_address_range range[WS_CHIPLETS_MOST]; /* of each chiplet, rounded out; none: it does not use it */
    bool writes, identical, unchanged;
    size_t row; /* of the table */
} cct_use;

struct ws_cct {
    ws_cct_options options;
    ws_cct_row *row; /* [rows] in rising order of addresses; no two overlap */
    size_t rows, row_room;
    cct_use *use; /* [uses] of the launch, in the same order */
    size_t uses, use_room;
    uint32_t unknown; /* chiplets whose L2s may have copies that are in no row, and out of date */
};

/* Makes the uses of a launch, finds or adds their rows, and puts together what has no room. Sets what it merged, and
 * releases of chiplets for which a row became one that is both dirty and stale. WS_EMEM. */
int cct_place(ws_cct *cct, const ws_chiplet_kernel *kernel, ws_cct_operations *out);

#endif
