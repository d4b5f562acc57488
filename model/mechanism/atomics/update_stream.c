/* update_stream.c - see update_stream.h. */
#include "model/mechanism/atomics/update_stream.h"

#include "base/status.h"

#include <stdlib.h>

#define BY(a, b) \
    if ((a) != (b)) \
    return (a) < (b) ? -1 : 1

static int compare(const void *x, const void *y)
{
    const ws_update_step *const a = x, *const b = y;
    BY(a->time, b->time);
    BY(a->sm, b->sm);
    BY(a->rank, b->rank);
    BY(a->warp, b->warp);
    BY(a->record, b->record);
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

static void put_steps(const ws_update_log *log, const ws_placement *p, uint64_t *free_at, ws_update_step *steps)
{
    for (uint32_t i = 0; i < log->ctas; i++) {
        const size_t cta = p->order[i];
        uint64_t *const place = first_free(free_at + (size_t)p->sm[cta] * p->places, p->places);
        for (size_t k = log->first[cta]; k < ws_update_log_end(log, cta); k++)
            *steps++ = (ws_update_step){.time = *place + log->record[k].at,
                                        .sm = p->sm[cta],
                                        .rank = i,
                                        .record = (uint32_t)k,
                                        .warp = log->record[k].warp};
        *place += log->length[cta] ? log->length[cta] : 1;
    }
}

int ws_update_order(const ws_update_log *log, const ws_placement *p, ws_update_step **out)
{
    uint64_t *const free_at = calloc((size_t)p->sms * p->places + 1, sizeof *free_at);
    *out = malloc((log->records + 1) * sizeof **out);
    const int status =
        free_at && *out ? WS_OK : ws_fail(WS_EMEM, "no memory for the order of %zu accesses", log->records);
    if (!status) {
        put_steps(log, p, free_at, *out);
        qsort(*out, log->records, sizeof **out, compare);
    }
    free(free_at);
    return status;
}
