/* update_stream.c - see update_stream.h. */
#include "model/mechanism/atomics/update_stream.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct key {
    ws_update_step step;
    uint16_t warp;
} key;

#define BY(a, b) \
    if ((a) != (b)) \
    return (a) < (b) ? -1 : 1

static int compare(const void *x, const void *y)
{
    const key *const a = x, *const b = y;
    BY(a->step.time, b->step.time);
    BY(a->step.sm, b->step.sm);
    BY(a->step.rank, b->step.rank);
    BY(a->warp, b->warp);
    BY(a->step.record, b->step.record);
    return 0;
}

/* The place of the SM that is free first. */
static uint64_t *first_free(uint64_t *free_at, uint32_t places)
{
    uint64_t *best = free_at;
    for (uint32_t i = 1; i < places; i++)
        if (free_at[i] < *best)
            best = &free_at[i];
    return best;
}

static void put_steps(const ws_update_log *log, const ws_update_places *p, uint64_t *free_at, key *keys)
{
    size_t n = 0;
    for (size_t i = 0; i < log->ctas; i++) {
        const size_t cta = p->order[i];
        uint64_t *const place = first_free(free_at + (size_t)p->sm[cta] * p->places, p->places);
        for (size_t k = log->first[cta]; k < ws_update_log_end(log, cta); k++)
            keys[n++] =
                (key){.step = {.time = *place + log->record[k].at, .sm = p->sm[cta], .rank = (uint32_t)i, .record = k},
                      .warp = log->record[k].warp};
        *place += log->length[cta] ? log->length[cta] : 1;
    }
}

int ws_update_order(const ws_update_log *log, const ws_update_places *p, ws_update_step **out)
{
    uint64_t *const free_at = calloc((size_t)p->sms * p->places + 1, sizeof *free_at);
    key *const keys = malloc((log->records + 1) * sizeof *keys);
    ws_update_step *const steps = *out = malloc((log->records + 1) * sizeof *steps);
    const int status =
        free_at && keys && steps ? WS_OK : ws_fail(WS_EMEM, "no memory for the order of %zu accesses", log->records);
    if (!status) {
        put_steps(log, p, free_at, keys);
        qsort(keys, log->records, sizeof *keys, compare);
        for (size_t i = 0; i < log->records; i++)
            steps[i] = keys[i].step;
    }
    free(free_at);
    free(keys);
    return status;
}
