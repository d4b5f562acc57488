/* cta_set.h - which CTAs of a grid are left? Ranges in rising order: memory goes with the number of gaps, not with that
 * of CTAs, of which a grid may have more than fit. */
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
    ws_cta_range *range; /* from `first` on, `count` of them */
    size_t first, count, room;
    uint64_t left;
} ws_cta_set;

/* CTAs 0 .. CTAs-1. WS_EMEM. A set of zeros is empty; what it had before is given up. */
int ws_cta_set_fill(ws_cta_set *set, uint64_t ctas);
void ws_cta_set_fini(ws_cta_set *set);

bool ws_cta_set_has(const ws_cta_set *set, uint64_t cta);
/* The first CTA from `from` on that is there; WS_NO_CTA. */
uint64_t ws_cta_set_next(const ws_cta_set *set, uint64_t from);
/* Takes a CTA out that is there. WS_EMEM. */
int ws_cta_set_take(ws_cta_set *set, uint64_t cta);

void ws_cta_set_save(const ws_cta_set *set, ws_bytes *bytes);
/* Of a grid with so many CTAs; else WS_EINPUT. */
int ws_cta_set_load(ws_cta_set *set, uint64_t ctas, ws_reader *reader);

#endif
