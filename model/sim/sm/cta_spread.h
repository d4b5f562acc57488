/* cta_spread.h - have groups of neighbouring CTAs equal time? Cycles of CTAs, summed by group as they end.
 *
 * Schedulers that give groups of consecutive CTAs to an SM (Tabbakh, "Efficient Memory Coherence and Consistency
 * Support for Enabling Data Sharing in GPUs", 2018, chapter 2) are as good as their groups are even. Groups are of 8,
 * of 16, of a row of the grid, as those of the metrics `groups_peak`, and those of the CTA scheduler. Memory goes with
 * the groups that have begun and not ended. */
#ifndef WS_CTA_SPREAD_H
#define WS_CTA_SPREAD_H

#include "base/bytes.h"
#include "base/table.h"

enum { WS_CTA_SPREAD_8, WS_CTA_SPREAD_16, WS_CTA_SPREAD_ROW, WS_CTA_SPREAD_OWN, WS_CTA_SPREADS };

/* Ratios of groups, times CTAs, are kept as integers of this scale: sums of these are the same in any order. */
enum { WS_CTA_SPREAD_SCALE = 1 << 24 };

typedef struct ws_cta_spread_by {
    uint64_t size;  /* CTAs of a group; 0: there are no such groups */
    uint64_t most;  /* cycles of the longest group that is complete */
    uint64_t over;  /* entries of those */
    ws_table group; /* by number: a group that has begun */
} ws_cta_spread_by;

typedef struct ws_cta_spread {
    uint64_t ctas, ended, cycles;
    ws_cta_spread_by by[WS_CTA_SPREADS];
} ws_cta_spread;

/* A launch of so many CTAs, in rows of `row`, in groups of `own` by its scheduler, 0: it has none. What was there is
 * forgotten; zeroed is fine at first. */
void ws_cta_spread_begin(ws_cta_spread *spread, uint64_t ctas, uint64_t row, uint64_t own);
void ws_cta_spread_fini(ws_cta_spread *spread);

/* A CTA has ended, that took so many cycles. WS_EMEM. */
int ws_cta_spread_add(ws_cta_spread *spread, uint64_t cta, uint64_t cycles);

/* Cycles of the longest group over those of the mean one, times the CTAs that ended, in WS_CTA_SPREAD_SCALE; the last
 * group may be smaller. 0: no such groups. */
uint64_t ws_cta_spread_peak(const ws_cta_spread *spread, unsigned by);

void ws_cta_spread_save(const ws_cta_spread *spread, ws_bytes *bytes);
int ws_cta_spread_load(ws_cta_spread *spread, ws_reader *reader); /* WS_EINPUT, WS_EMEM */

#endif
