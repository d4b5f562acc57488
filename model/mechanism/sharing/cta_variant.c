/* cta_variant.c - see cta_variant.h. */
#include "model/mechanism/sharing/cta_variant.h"

#include "base/status.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *settings;
} table[] = {
#define VARIANT(name, settings, summary) {name, settings},
#include "model/mechanism/sharing/cta_variants.def"
#undef VARIANT
};
enum { VARIANTS = sizeof table / sizeof *table };
_Static_assert((int)VARIANTS <= (int)WS_CTA_VARIANTS_MOST, "there is room for all");

int ws_variant_machine(const ws_machine_choice *choice, const char *settings, ws_machine **out)
{
    ws_machine_choice with = *choice;
    with.more = settings;
    return ws_machine_choose(&with, out);
}

int ws_cta_variants_create(const ws_machine_choice *choice, ws_cta_variant variant[WS_CTA_VARIANTS_MOST], size_t *count)
{
    int status = WS_OK;
    for (*count = 0; *count < VARIANTS && !status;) {
        ws_cta_variant *const v = &variant[*count];
        *v = (ws_cta_variant){.name = table[*count].name};
        status = ws_variant_machine(choice, table[*count].settings, &v->machine);
        *count += !status;
    }
    if (!status && ws_machine_sms(variant[0].machine) > WS_TOUCH_SMS)
        status = ws_fail(WS_EUNSUPPORTED, "machine %s has %u SMs; what SMs share is told of %d at most",
                         variant[0].machine->name, ws_machine_sms(variant[0].machine), WS_TOUCH_SMS);
    return status;
}

void ws_cta_variants_destroy(ws_cta_variant *variant, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ws_machine_destroy(variant[i].machine);
}

uint32_t *ws_cta_wave_map(const uint32_t *sm, const uint64_t *order, uint64_t count, uint64_t ctas)
{
    uint32_t *const map = malloc((ctas + 1) * sizeof *map);
    for (uint64_t i = 0; map && i < ctas; i++)
        map[i] = WS_TOUCH_NOWHERE;
    for (uint64_t i = 0; map && i < count; i++)
        map[order[i]] = sm[order[i]];
    return map;
}

static int add_placed(ws_cta_sums *sums, const ws_touch_log *log, const ws_placement *p)
{
    uint64_t longest = 0, work = 0;
    uint32_t *const wave = ws_cta_wave_map(p->sm, p->order, p->first_wave, p->ctas);
    if (!wave)
        return ws_fail(WS_EMEM, "no memory for the places of blocks");
    ws_touch_log_sharers(log, wave, &sums->wave);
    ws_touch_log_sharers(log, p->sm, &sums->whole);
    free(wave);
    for (uint32_t i = 0; i < p->sms; i++) {
        work += p->busy[i];
        longest = p->busy[i] > longest ? p->busy[i] : longest;
    }
    sums->launches++;
    sums->ctas += (double)p->ctas;
    sums->places += (double)p->places;
    sums->wave_ctas += (double)p->first_wave;
    sums->work += (double)work;
    sums->longest += (double)longest * p->sms;
    sums->offered += (double)p->makespan * p->sms * p->places;
    return WS_OK;
}

/* SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014. As a part of 1. */
static double draw(uint64_t number)
{
    uint64_t x = (number + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

/* A CTA whose instructions are known waits for memory besides, nobody knows for how long: here up to as long again. */
static int count_steady(ws_cta_sums *sums, const ws_touch_log *log, const ws_launch *launch, const ws_machine *machine,
                        const ws_placement *p)
{
    enum { PARTS = 64 }; /* of an instruction */
    if (p->first_wave == p->ctas) {
        sums->steady += (double)p->ctas;
        return WS_OK;
    }
    ws_placement other = {0};
    uint64_t *const work = malloc((log->ctas + 1) * sizeof *work);
    for (size_t i = 0; work && i < log->ctas; i++)
        work[i] = (uint64_t)((double)log->work[i] * PARTS * (1 + draw(i)));
    const int status = work ? ws_placement_make(machine, launch, log->ctas, work, &other)
                            : ws_fail(WS_EMEM, "no memory for the places of blocks");
    for (uint64_t i = 0; !status && i < p->ctas; i++)
        sums->steady += other.sm[i] == p->sm[i];
    ws_placement_fini(&other);
    free(work);
    return status;
}

int ws_cta_sums_add(ws_cta_sums *sums, const ws_touch_log *log, const ws_launch *launch, const ws_machine *machine,
                    ws_placement *placement)
{
    ws_placement own;
    int status = ws_placement_make(machine, launch, log->ctas, log->work, &own);
    if (!status)
        status = add_placed(sums, log, &own);
    if (!status)
        status = count_steady(sums, log, launch, machine, &own);
    if (placement)
        *placement = own;
    else
        ws_placement_fini(&own);
    return status;
}
