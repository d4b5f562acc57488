/* cta_sums.c - see cta_sums.h. */
#include "model/mechanism/sharing/cta_sums.h"

#include "base/mix.h"
#include "base/status.h"
#include "model/machine/machine.h"

#include <stdlib.h>

ws_touch_log_options ws_cta_log_options(const ws_machine *m)
{
    enum { MOST_PAIRS = 1 << 22 }; /* of a launch that are kept: 64 MiB */
    return (ws_touch_log_options){.line_shift = (unsigned)__builtin_ctz(m->l1_line), .limit = MOST_PAIRS};
}

/* A map of the first wave alone, the other CTAs nowhere; the caller frees it. NULL: no memory. */
static uint32_t *wave_map(const ws_placement *p)
{
    uint32_t *const map = malloc((p->ctas + 1) * sizeof *map);
    for (uint64_t i = 0; map && i < p->ctas; i++)
        map[i] = WS_TOUCH_NOWHERE;
    for (uint64_t i = 0; map && i < p->first_wave; i++)
        map[p->order[i]] = p->sm[p->order[i]];
    return map;
}

static int add_placed(ws_cta_sums *sums, const ws_touch_log *log, const ws_placement *p)
{
    uint64_t longest = 0, work = 0;
    uint32_t *const wave = wave_map(p);
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

/* As a part of 1. */
static double draw(uint64_t number)
{
    return (double)(ws_mix((number + 1) * WS_MIX_STEP) >> 11) * 0x1p-53;
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
    int status = ws_placement_make(machine, launch, log->ctas, log->work, placement);
    if (!status)
        status = add_placed(sums, log, placement);
    return status ? status : count_steady(sums, log, launch, machine, placement);
}
