/* sharing_machines.h - compared machines: placement of CTAs, and sharing-aware caches. */
#ifndef WS_SHARING_MACHINES_H
#define WS_SHARING_MACHINES_H

#include "model/mechanism/variant.h"

enum {
    WS_CTA_VARIANTS = 0
#define VARIANT(name, settings) +1
#include "model/mechanism/sharing/cta_variants.def"
#undef VARIANT
};
enum {
#define CACHES(name, settings) WS_CACHES_##name,
#include "model/mechanism/sharing/cache_variants.def"
#undef CACHES
    WS_CACHE_VARIANTS
};

typedef struct ws_sharing_machines {
    ws_variant by_cta[WS_CTA_VARIANTS];      /* cta_variants.def, with the caches of the choice */
    ws_variant by_caches[WS_CACHE_VARIANTS]; /* cache_variants.def, with its CTA scheduler */
    size_t ctas, caches;                     /* caches: 0 if the forms do not hold (cache_needs.def) */
    char *lacking;                           /* settings required for these; NULL: none */
} ws_sharing_machines;

/* Makes all variants on the machine of the choice, `base`. Fails as ws_machine_choose; WS_EUNSUPPORTED for a machine
 * with more SMs than the model distinguishes. *out must be zeroed; free it with ws_sharing_machines_fini, also after
 * failures. */
int ws_sharing_machines_create(const ws_machine_choice *choice, const ws_machine *base, ws_sharing_machines *out);
void ws_sharing_machines_fini(ws_sharing_machines *machines);

#endif
