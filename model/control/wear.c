/* wear.c - see wear.h. */
#include "model/control/wear.h"

#include "base/grow.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_core(const ws_thermal_block *block)
{
    return !strncmp(block->name, "core", 4);
}

int ws_wear_init(const ws_thermal_chip *chip, const ws_thermal *thermal, const ws_fatigue *law, const ws_server *server,
                 double step_s, ws_wear *wear)
{
    double core_m2 = 0, rest_m2 = 0;
    *wear = (ws_wear){.thermal = thermal, .server = server, .step_s = step_s};
    ws_lifetime_init(&wear->life, law);
    for (size_t i = 0; i < chip->blocks; i++)
        *(is_core(&chip->block[i]) ? &core_m2 : &rest_m2) += chip->block[i].width_m * chip->block[i].height_m;
    if (core_m2 == 0 || rest_m2 == 0)
        return ws_fail(WS_EINPUT,
                       "the floor plan needs a block whose name begins with 'core', and one for the rest of the chip");
    for (size_t i = 0; i < chip->blocks; i++) {
        const double m2 = chip->block[i].width_m * chip->block[i].height_m;
        if (is_core(&chip->block[i]))
            wear->core_part[i] = m2 / core_m2;
        else
            wear->rest_part[i] = m2 / rest_m2;
    }
    return WS_OK;
}

void ws_wear_fini(ws_wear *wear)
{
    free(wear->die_k);
    wear->die_k = NULL;
}

static void powers_of(const ws_wear *w, const ws_plant_flow *flow, double activity, double *power_w)
{
    const ws_operating_point *const point = &w->server->point[flow->point];
    const double core = point->core_fixed_w + activity * point->core_active_w;
    const double rest = flow->load_w - core - (point->cores ? w->server->host_w : 0);
    for (size_t i = 0; i < ws_thermal_blocks(w->thermal); i++)
        power_w[i] = w->core_part[i] * core + w->rest_part[i] * rest;
}

int ws_wear_see(void *wear, const ws_drive_period *period)
{
    ws_wear *const w = wear;
    const size_t blocks = ws_thermal_blocks(w->thermal);
    double power_w[WS_THERMAL_BLOCKS], die_k[WS_THERMAL_BLOCKS];
    const int rc = WS_GROW(w->die_k, w->room, 0, period->steps);
    for (size_t i = 0; i < period->steps && !rc; i++) {
        powers_of(w, &period->flow[i], period->activity[i], power_w);
        if (!w->started)
            ws_thermal_start(w->thermal, power_w, &w->state);
        w->started = true;
        ws_thermal_step(w->thermal, &w->state, power_w, die_k);
        double hottest = die_k[0];
        for (size_t b = 1; b < blocks; b++)
            hottest = die_k[b] > hottest ? die_k[b] : hottest;
        ws_lifetime_add(&w->life, hottest);
        w->hottest_k = hottest > w->hottest_k ? hottest : w->hottest_k;
        w->die_k[i] = hottest;
    }
    w->observed_s += (double)period->steps * w->step_s;
    return rc;
}

ws_wear_result ws_wear_finish(ws_wear *w)
{
    ws_lifetime_finish(&w->life);
    return (ws_wear_result){.mtbf_s = ws_lifetime_mtbf_s(&w->life, w->observed_s),
                            .hottest_k = w->hottest_k,
                            .largest_k = w->life.largest_k};
}
