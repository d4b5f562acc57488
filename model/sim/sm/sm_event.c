/* sm_event.c - what will happen in an SM, by cycle: a wheel of lists, and a bit for each list that is not empty. */
#include "model/sim/sm/sm_internal.h"

void sm_schedule(ws_sm *sm, uint64_t cycle, event_kind kind, unsigned warp, uint32_t detail)
{
    state *const s = sm->s;
    /* What lies farther ahead than the wheel reaches goes round once more. */
    const uint64_t at = cycle - s->now < WHEEL ? cycle : s->now + WHEEL - 1;
    const uint32_t index = s->events_free, place = at % WHEEL;
    event *const e = &sm->event[index];
    s->events_free = e->next;
    s->events++;
    *e = (event){.cycle = cycle, .detail = detail, .next = NONE, .kind = (uint8_t)kind, .warp = (uint8_t)warp};
    if (s->wheel_bits[place / 64] & bit(place % 64))
        sm->event[s->wheel_last[place]].next = index;
    else
        s->wheel_first[place] = index;
    s->wheel_last[place] = index;
    s->wheel_bits[place / 64] |= bit(place % 64);
}

uint64_t sm_next_event(const ws_sm *sm)
{
    const state *const s = sm->s;
    if (!s->events)
        return WS_NEVER;
    const uint32_t start = s->now % WHEEL;
    uint64_t bits = s->wheel_bits[start / 64] >> start % 64 << start % 64;
    for (uint32_t i = 0; i <= WHEEL / 64; i++) {
        if (bits) {
            const uint32_t word = (start / 64 + i) % (WHEEL / 64);
            const uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(bits);
            return s->now + (place + WHEEL - start) % WHEEL;
        }
        bits = s->wheel_bits[(start / 64 + i + 1) % (WHEEL / 64)];
        if (i + 1 == WHEEL / 64) /* back in the first word: what lies before `start` */
            bits &= bit(start % 64) - 1;
    }
    return WS_NEVER;
}

bool sm_take_event(ws_sm *sm, event *out)
{
    state *const s = sm->s;
    const uint32_t place = s->now % WHEEL;
    while (s->wheel_bits[place / 64] & bit(place % 64)) {
        const uint32_t index = s->wheel_first[place];
        event *const e = &sm->event[index];
        *out = *e;
        if (index == s->wheel_last[place])
            s->wheel_bits[place / 64] &= ~bit(place % 64);
        else
            s->wheel_first[place] = e->next;
        e->next = s->events_free;
        s->events_free = index;
        s->events--;
        if (out->cycle <= s->now)
            return true;
        sm_schedule(sm, out->cycle, out->kind, out->warp, out->detail);
    }
    return false;
}
