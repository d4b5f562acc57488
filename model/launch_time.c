/* launch_time.c - see launch_time.h. */
#include "model/launch_time.h"

#include <assert.h>
#include <math.h>

enum { ROUNDS = 100 };            /* of the iteration: it converges linearly, in some ten rounds */
static const double CLOSE = 1e-6; /* of the time of a warp */

void ws_time_add(ws_time_launch *l, ws_time_part part, bool of_chip, double cycles, double servers)
{
    if (cycles <= 0 || servers <= 0)
        return;
    assert(l->stations < WS_TIME_STATIONS);
    l->station[l->stations++] =
        (ws_time_station){.cycles = cycles, .servers = servers, .part = part, .of_chip = of_chip};
}

/* Adds the time of blocks that run together, `times` times. */
static double add_wave(const ws_time_launch *l, double blocks, double times, double *part)
{
    const double warps = l->blocks * l->warps_per_block, sms = fmin(l->sms, blocks);
    const double customers = blocks * l->warps_per_block / sms, alone = (l->dependence + l->loads) / warps;
    double wait[WS_TIME_STATIONS] = {0}, time = alone, before = 0;
    for (unsigned i = 0; i < l->stations; i++)
        time += l->station[i].cycles / warps;
    for (unsigned round = 0; round < ROUNDS && fabs(time - before) > CLOSE * time; round++) {
        double sum = alone;
        for (unsigned i = 0; i < l->stations; i++) {
            const ws_time_station *const s = &l->station[i];
            const double n = s->of_chip ? customers * sms : customers, d = s->cycles / warps;
            const double queue = n * (d + wait[i]) / time;
            wait[i] = n > 1 ? d * queue * (n - 1) / (n * s->servers) : 0;
            sum += wait[i];
        }
        before = time;
        time = sum;
    }
    for (unsigned i = 0; i < l->stations; i++)
        part[l->station[i].part] += times * wait[i];
    part[WS_TIME_PART_dependence] += times * l->dependence / warps;
    part[WS_TIME_PART_loads] += times * l->loads / warps;
    return times * time;
}

double ws_launch_time(const ws_time_launch *l, double *part)
{
    const double together = l->sms * l->residents, full = floor(l->blocks / together),
                 left = l->blocks - full * together;
    for (unsigned i = 0; i < WS_TIME_PARTS; i++)
        part[i] = 0;
    part[WS_TIME_PART_launch] = l->launch_cycles + l->dispatch_cycles * fmin(l->blocks, together);
    double time = part[WS_TIME_PART_launch];
    if (l->warps_per_block <= 0)
        return time;
    if (full > 0)
        time += add_wave(l, together, full, part);
    if (left > 0)
        time += add_wave(l, left, 1, part);
    return time;
}
