/* atomic_log.c - a bounded list of what atomics change, in the order of thread blocks. */
#include "metrics/atomic_log.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

void ws_atomic_log_fini(ws_atomic_log *log)
{
    free(log->record);
    *log = (ws_atomic_log){0};
}

static int add(ws_atomic_log *log, const ws_atomic_record *record)
{
    if (log->records == WS_ATOMIC_LOG)
        return WS_OK;
    const int status = WS_GROW(log->record, log->room, log->records, 1);
    if (!status)
        log->record[log->records++] = *record;
    return status;
}

/* The lanes of `rest` that want the word of the lowest of them. */
static uint32_t lanes_at(const uint64_t *address, uint32_t rest)
{
    const uint64_t word = address[__builtin_ctz(rest)] >> WS_ATOMIC_WORD_SHIFT;
    uint32_t same = 0;
    WS_EACH_LANE (lane, rest) {
        same |= (uint32_t)(address[lane] >> WS_ATOMIC_WORD_SHIFT == word) << lane;
    }
    return same;
}

int ws_atomic_log_atomic(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *address, uint8_t op)
{
    ws_atomic_record r = {.block = (uint32_t)block, .warp = ev->warp, .kind = WS_LOGGED_ATOMIC, .op = op & 0xf};
    int status = WS_OK;
    for (uint32_t rest = ev->exec, same; rest && !status; rest &= ~same) {
        same = lanes_at(address, rest);
        r.place = address[__builtin_ctz(rest)] >> WS_ATOMIC_WORD_SHIFT;
        r.lanes = (uint8_t)ws_popcount(same);
        status = add(log, &r);
        r.kind = WS_LOGGED_WORD;
    }
    return status;
}

int ws_atomic_log_data(ws_atomic_log *log, const ws_event *ev, uint64_t block, const uint64_t *line, unsigned lines)
{
    ws_atomic_record r = {.block = (uint32_t)block, .warp = ev->warp, .kind = WS_LOGGED_DATA};
    int status = WS_OK;
    for (unsigned i = 0; i < lines && !status; i++) {
        r.place = line[i];
        status = add(log, &r);
    }
    return status;
}

int ws_atomic_log_fence(ws_atomic_log *log, const ws_event *ev, uint64_t block)
{
    const ws_atomic_record r = {.block = (uint32_t)block, .warp = ev->warp, .kind = WS_LOGGED_FENCE};
    return add(log, &r);
}

int ws_atomic_log_append(ws_atomic_log *into, const ws_atomic_log *from)
{
    int status = WS_OK;
    for (size_t i = 0; i < from->records && !status; i++)
        status = add(into, &from->record[i]);
    return status;
}

int ws_atomic_log_by_sm(const ws_atomic_log *log, uint32_t **index, size_t begin[WS_ATOMIC_SMS + 1])
{
    size_t next[WS_ATOMIC_SMS + 1] = {0};
    uint32_t *const out = malloc((log->records + 1) * sizeof *out);
    *index = out;
    if (!out)
        return ws_fail(WS_EMEM, "no memory for the atomics of a launch");
    for (size_t i = 0; i < log->records; i++)
        next[log->record[i].block % WS_ATOMIC_SMS + 1]++;
    for (unsigned sm = 0; sm < WS_ATOMIC_SMS; sm++)
        next[sm + 1] += next[sm];
    for (unsigned sm = 0; sm <= WS_ATOMIC_SMS; sm++)
        begin[sm] = next[sm];
    for (size_t i = 0; i < log->records; i++)
        out[next[log->record[i].block % WS_ATOMIC_SMS]++] = (uint32_t)i;
    return WS_OK;
}
