/* cta_set.h - set of the unstarted CTAs of a grid, as ranges in rising order: memory grows with the gaps, not with the
 * CTAs. */
#ifndef WS_CTA_SET_H
#define WS_CTA_SET_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WS_NO_CTA UINT64_MAX

typedef struct ws_cta_range {
    uint64_t from, to; /* from .. to-1, never empty */
} ws_cta_range;

typedef struct ws_cta_set {
    ws_cta_range *range; /* [count] from index `first` */
    size_t first, count, room;
    uint64_t left;
} ws_cta_set;

/* Fills the set with CTAs 0 .. ctas-1, and frees its old content. A zeroed set is empty. WS_EMEM. */
int ws_cta_set_fill(ws_cta_set *set, uint64_t ctas);
void ws_cta_set_fini(ws_cta_set *set);

bool ws_cta_set_has(const ws_cta_set *set, uint64_t cta);
/* Returns the first CTA of the set at or after `from`, or WS_NO_CTA. */
uint64_t ws_cta_set_next(const ws_cta_set *set, uint64_t from);
/* Removes a CTA of the set. WS_EMEM. */
int ws_cta_set_take(ws_cta_set *set, uint64_t cta);

void ws_cta_set_save(const ws_cta_set *set, ws_bytes *bytes);
/* Loads the set of a grid with `ctas` CTAs; otherwise WS_EINPUT. */
int ws_cta_set_load(ws_cta_set *set, uint64_t ctas, ws_reader *reader);

#endif
