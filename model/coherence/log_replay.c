/* log_replay.c - see log_replay.h. A warp that is refused comes back when what it waits for may have ended. */
#include "model/coherence/log_replay.h"

#include "base/status.h"
#include "model/access_order.h"

/* When the refused access may be taken: after a lease that a store waits for, or that its warp's fence waits for. */
static uint64_t next_time(const ws_coherence_replay *replay, const ws_ordered_access *a)
{
    uint64_t next = ws_coherence_replay_next_time(replay);
    if (a->kind == WS_LOG_FENCE) {
        const uint64_t visible = ws_coherence_replay_fence_time(replay, a->sm, a->warp);
        next = visible > a->now && visible < next ? visible : next;
    }
    return next == WS_COHERENCE_NEVER || next <= a->now ? a->now + 1 : next;
}

static int replay_all(ws_coherence_replay *replay, ws_access_order *order)
{
    static const uint8_t kinds[] = {WS_REQUEST_LOAD, WS_REQUEST_STORE, WS_REQUEST_ATOMIC, WS_REQUEST_FENCE};
    ws_ordered_access a;
    ws_request r = {0};
    while (ws_access_order_next(order, &a)) {
        r.kind = kinds[a.kind];
        r.poll = a.poll;
        r.warp = (uint16_t)a.warp;
        r.tag = (uint16_t)a.tag;
        r.mask = a.mask;
        r.block = a.line;
        const int rc = ws_coherence_replay_request(replay, a.sm, &r, a.now);
        if (rc < 0)
            return rc;
        if (rc > 0)
            ws_access_order_wait(order, next_time(replay, &a));
    }
    return WS_OK;
}

/* Stores of warps that have ended wait on. */
static int drain(ws_coherence_replay *replay, uint64_t *now)
{
    uint64_t next;
    while ((next = ws_coherence_replay_next_time(replay)) != WS_COHERENCE_NEVER) {
        *now = next;
        const int status = ws_coherence_replay_advance(replay, *now);
        if (status)
            return status;
    }
    return WS_OK;
}

int ws_log_replay(ws_coherence_replay *replay, const ws_access_log *log, uint32_t sms, uint32_t residents,
                  uint64_t *now)
{
    ws_access_order *order;
    int status = ws_access_order_create(log, sms, residents, *now, &order);
    if (status)
        return status;
    status = replay_all(replay, order);
    *now = ws_access_order_now(order);
    ws_access_order_destroy(order);
    if (!status)
        status = drain(replay, now);
    return status ? status : ws_coherence_replay_flush(replay, *now);
}
