/* cache_variant.h - machines that differ in whether caches know who shares, and the streams that closed forms of their
 * misses need. */
#ifndef WS_CACHE_VARIANT_H
#define WS_CACHE_VARIANT_H

#include "model/mechanism/sharing/cta_variant.h"
#include "model/access_log.h"
#include "model/mechanism/sharing/cache_streams.h"

enum {
#define CACHES(name, settings, summary) WS_CACHES_##name,
#include "model/mechanism/sharing/cache_variants.def"
#undef CACHES
    WS_CACHE_VARIANTS
};

/* All of cache_variants.def on the machine of the choice, or none, count 0, where the forms do not hold
 * (cache_needs.def); then *why is what would have to be set for them, for the caller to free, else NULL. Failures as of
 * ws_machine_choose. Free with ws_cta_variants_destroy, after failures, too. */
int ws_cache_variants_create(const ws_machine_choice *choice, ws_cta_variant variant[WS_CACHE_VARIANTS], size_t *count,
                             char **why);

/* What streams need of a machine. `merges`: loads of a shared block that come sooner than an idle L2 answers, its way
 * there not counted, wait for one another. */
ws_sharing_caches ws_sharing_caches_of(const ws_machine *machine, bool merges);

/* The accesses of a launch by a placement of its CTAs, `places` to an SM, in an order without time; then the launch is
 * over. Of a log that holds but the first of its CTAs, counts are scaled. Adds to the sums. WS_EMEM. */
int ws_cache_streams_run(ws_cache_streams *streams, const ws_access_log *log, const ws_placement *placement,
                         ws_sharing_misses *sums);

#endif
