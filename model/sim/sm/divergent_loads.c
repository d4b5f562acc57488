/* divergent_loads.c - which loads of a program touch many blocks, and how many of these miss? */
#include "model/sim/sm/divergent_loads.h"

#include "model/load_class.h"

#include <stddef.h>

const ws_divergent_load *ws_divergent_find(const ws_divergent_loads *table, uint32_t pc)
{
    for (unsigned i = 0; i < WS_DIVERGENT_PLACES; i++)
        if (table->place[i].seen && table->place[i].pc == pc)
            return &table->place[i];
    return NULL;
}

/* A free place, else one whose load is not counted any more, else the one seen longest ago. */
static ws_divergent_load *find_place(ws_divergent_loads *table, unsigned places)
{
    ws_divergent_load *best = &table->place[0];
    for (unsigned i = 1; i < places; i++) {
        ws_divergent_load *const other = &table->place[i];
        const int gain = (best->count != 0) - (other->count != 0);
        if (gain > 0 || (gain == 0 && other->seen < best->seen))
            best = other;
    }
    return best;
}

static void halve(ws_divergent_loads *table)
{
    for (unsigned i = 0; i < WS_DIVERGENT_PLACES; i++) {
        table->place[i].count /= 2;
        table->place[i].touches /= 2;
        table->place[i].misses /= 2;
    }
}

void ws_divergent_learn(ws_divergent_loads *table, unsigned places, uint32_t pc, uint32_t touches, uint32_t misses)
{
    ws_divergent_load *load = (ws_divergent_load *)ws_divergent_find(table, pc);
    if (!load && ws_load_class_of(touches) == WS_LOAD_COHERENT)
        return;
    if (!load) {
        load = find_place(table, places);
        *load = (ws_divergent_load){.pc = pc};
    }
    load->seen = ++table->clock;
    load->touches += touches;
    load->misses += misses;
    load->last = (uint16_t)touches;
    if (++load->count == WS_DIVERGENT_COUNT)
        halve(table);
}

uint32_t ws_divergent_missed(const ws_divergent_load *load, uint32_t whole)
{
    return load->touches ? (uint32_t)((uint64_t)load->misses * whole / load->touches) : whole;
}
