/* cta_variant.h - machines that differ in where CTAs run, and what the CTAs of a launch share there. */
#ifndef WS_CTA_VARIANT_H
#define WS_CTA_VARIANT_H

#include "model/machine/machine_choice.h"
#include "model/placement/placement.h"
#include "model/mechanism/sharing/touch_log.h"

enum { WS_CTA_VARIANTS_MOST = 16, WS_CTA_PAIRS_MOST = 1 << 22 /* of a launch that are kept: 64 MiB */ };

typedef struct ws_cta_variant {
    const char *name;
    ws_machine *machine;
} ws_cta_variant;

/* The machine of the choice with lines of OPTION=VALUE on top. Failures as of ws_machine_choose. */
int ws_variant_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out);

/* All of cta_variants.def on the machine of the choice. Failures as of ws_machine_choose; WS_EUNSUPPORTED for a machine
 * with more SMs than the model tells apart. Free with ws_cta_variants_destroy, after failures, too. */
int ws_cta_variants_create(const ws_machine_choice *choice, ws_cta_variant variant[WS_CTA_VARIANTS_MOST],
                           size_t *count);
void ws_cta_variants_destroy(ws_cta_variant *variant, size_t count);

/* What is known of launches of a kernel under a variant: sums. */
typedef struct ws_cta_sums {
    double launches, ctas, places; /* places: CTAs that an SM holds */
    double wave_ctas;              /* in the first wave */
    double steady; /* CTAs that stay at their SM when times are other ones, up to twice as long: where they run does not
                      hang on time */
    ws_sharers wave, whole; /* first wave; launch */
    double work, longest,
        offered; /* warp instructions; of the SM that has most, times SMs; of all places until the end */
} ws_cta_sums;

/* Adds a launch, by its sorted log; *placement (NULL: not wanted) is then the caller's to free. Failures as of
 * ws_placement_make. */
int ws_cta_sums_add(ws_cta_sums *sums, const ws_touch_log *log, const ws_launch *launch, const ws_machine *machine,
                    ws_placement *placement);

/* A map of which only the CTAs order[0 .. count) remain, the others nowhere; the caller frees it. NULL: no memory. */
uint32_t *ws_cta_wave_map(const uint32_t *sm, const uint64_t *order, uint64_t count, uint64_t ctas);

#endif
