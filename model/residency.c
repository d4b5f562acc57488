/* residency.c - see residency.h. */
#include "model/residency.h"

#include "collect/trace/event.h"

const ws_resident_limit_row ws_resident_limit_table[WS_RESIDENT_LIMITS] = {
#define RESIDENT_LIMIT(name, resource) [WS_RESIDENT_##name] = {#name, resource},
#include "model/resident_limits.def"
#undef RESIDENT_LIMIT
};

static uint64_t whole(uint64_t number, uint32_t unit)
{
    return unit > 1 ? (number + unit - 1) / unit * unit : number;
}

static uint64_t registers_of_warp(const ws_sm_capacity *room, const ws_cta_need *need)
{
    return whole(need->registers * WS_WARP, room->register_unit);
}

uint64_t ws_residency_registers(const ws_sm_capacity *room, const ws_cta_need *need)
{
    return registers_of_warp(room, need) * need->warps;
}

uint64_t ws_residency_shared(const ws_sm_capacity *room, const ws_cta_need *need)
{
    return whole(need->shared + room->shared_reserved, room->shared_unit);
}

static uint64_t fit(uint64_t room, uint64_t each)
{
    return each ? room / each : UINT64_MAX;
}

static uint64_t fit_blocks(const ws_sm_capacity *room, const ws_cta_need *need)
{
    (void)need;
    return room->blocks;
}

static uint64_t fit_threads(const ws_sm_capacity *room, const ws_cta_need *need)
{
    return fit(room->threads, need->warps * WS_WARP);
}

/* Each part holds whole warps; the warps of a CTA may be in any parts. */
static uint64_t fit_registers(const ws_sm_capacity *room, const ws_cta_need *need)
{
    const uint32_t parts = room->register_parts ? room->register_parts : 1;
    const uint64_t of_warp = registers_of_warp(room, need);
    return of_warp && need->warps ? room->registers / parts / of_warp * parts / need->warps : UINT64_MAX;
}

static uint64_t fit_shared(const ws_sm_capacity *room, const ws_cta_need *need)
{
    return fit(room->shared, ws_residency_shared(room, need));
}

ws_resident_limit ws_residency_limits(const ws_sm_capacity *room, const ws_cta_need *need,
                                      uint64_t ctas[WS_RESIDENT_LIMITS])
{
    unsigned least = 0;
#define RESIDENT_LIMIT(name, resource) ctas[WS_RESIDENT_##name] = fit_##name(room, need);
#include "model/resident_limits.def"
#undef RESIDENT_LIMIT
    for (unsigned i = 1; i < WS_RESIDENT_LIMITS; i++)
        if (ctas[i] < ctas[least])
            least = i;
    return (ws_resident_limit)least;
}

uint64_t ws_residency_of(const ws_sm_capacity *room, const ws_cta_need *need)
{
    uint64_t ctas[WS_RESIDENT_LIMITS];
    return ctas[ws_residency_limits(room, need, ctas)];
}
