/* walk_spread.c - how many SMs use a line, and which slices have the lines: what a walk of one SM has to know of the
 * others. */
#include "base/status.h"
#include "base/table.h"
#include "model/mechanism/divergence/walk_internal.h"

#include <string.h>

enum {
    SAMPLE_BITS = 6 /* of the lines' hash: one line in 64 */,
    SAMPLED = 7 /* one entry in so many, no power of two as strides are */
};

int walk_count_sharers(const ws_access_log *log, uint32_t sms, double *sharers)
{
    ws_table lines = {0}, pairs = {0};
    int status = WS_OK;
    for (size_t b = 0; b < log->blocks && !status; b++)
        for (uint64_t i = log->first[b]; i < log->first[b + 1] && !status; i++) {
            const ws_log_entry *const e = &log->entry[i];
            size_t slot;
            if (e->kind != WS_LOG_LOAD || e->flags & WS_LOG_LOCAL ||
                e->line * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SAMPLE_BITS))
                continue;
            status = ws_table_add(&lines, e->line, &slot);
            if (!status)
                status = ws_table_add(&pairs, e->line * sms + b % sms, &slot);
        }
    *sharers = lines.used ? (double)pairs.used / (double)lines.used : 1;
    ws_table_fini(&lines);
    ws_table_fini(&pairs);
    return status;
}

void walk_count_slices(const ws_access_log *log, const ws_walk_machine *m, double *spread)
{
    double all = 0;
    memset(spread, 0, m->slices * sizeof *spread);
    for (size_t i = 0; i < log->entries; i += SAMPLED) {
        const ws_log_entry *const e = &log->entry[i];
        if (e->kind > WS_LOG_ATOMIC || e->flags & WS_LOG_LOCAL)
            continue;
        spread[ws_slice_map_slice(&m->slice_map, e->line)]++;
        all++;
    }
    for (uint32_t i = 0; i < m->slices; i++)
        spread[i] = all ? spread[i] / all : 1.0 / m->slices;
}
