/* cta_spread.h - balance of groups of neighbouring CTAs: cycles of CTAs, summed by group as they end.
 *
 * Schedulers that assign groups of consecutive CTAs to an SM (Tabbakh, "Efficient Memory Coherence and Consistency
 * Support for Enabling Data Sharing in GPUs", 2018, chapter 2) depend on groups of equal duration. Groups are of 8, of
 * 16, of a row of the grid, as in the metrics `groups_peak`, and those of the CTA scheduler. Memory grows with the
 * incomplete groups. */
#ifndef WS_CTA_SPREAD_H
#define WS_CTA_SPREAD_H

#include "base/bytes.h"
#include "base/table.h"

enum { WS_CTA_SPREAD_8, WS_CTA_SPREAD_16, WS_CTA_SPREAD_ROW, WS_CTA_SPREAD_OWN, WS_CTA_SPREADS };

/* Scale of the integers that store ratios of groups times CTAs: integer sums do not depend on the order. */
enum { WS_CTA_SPREAD_SCALE = 1 << 24 };

typedef struct ws_cta_spread_by {
    uint64_t size;  /* CTAs of a group; 0: no such groups */
    uint64_t most;  /* cycles of the longest complete group */
    uint64_t over;  /* table entries of complete groups */
    ws_table group; /* by number: a started group */
} ws_cta_spread_by;

typedef struct ws_cta_spread {
    uint64_t ctas, ended, cycles;
    ws_cta_spread_by by[WS_CTA_SPREADS];
} ws_cta_spread;

/* Begins a launch of `ctas` CTAs, in rows of `row`, in groups of `own` of its scheduler (0: none), and discards the
 * previous one. Zero it before the first. */
void ws_cta_spread_begin(ws_cta_spread *spread, uint64_t ctas, uint64_t row, uint64_t own);
void ws_cta_spread_fini(ws_cta_spread *spread);

/* Adds a CTA that ended after `cycles` cycles. WS_EMEM. */
int ws_cta_spread_add(ws_cta_spread *spread, uint64_t cta, uint64_t cycles);

/* Returns the cycles of the longest group over those of the mean one, times the ended CTAs, in WS_CTA_SPREAD_SCALE; the
 * last group may be smaller. 0: no such groups. */
uint64_t ws_cta_spread_peak(const ws_cta_spread *spread, unsigned by);

void ws_cta_spread_save(const ws_cta_spread *spread, ws_bytes *bytes);
int ws_cta_spread_load(ws_cta_spread *spread, ws_reader *reader); /* WS_EINPUT, WS_EMEM */

#endif
