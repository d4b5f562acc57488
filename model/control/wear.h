/* wear.h - temperature and wear of a driven server: a drive watcher that converts the power of each step to die
 * temperatures, and those of the hottest block to thermal cycles. */
#ifndef WS_WEAR_H
#define WS_WEAR_H

#include "model/control/drive.h"
#include "model/control/lifetime.h"
#include "model/control/thermal.h"

/* Result of a run. */
typedef struct ws_wear_result {
    double mtbf_s;    /* only for ratios, see lifetime.h */
    double hottest_k; /* highest temperature of any block */
    double largest_k; /* range of the largest cycle */
} ws_wear_result;

typedef struct ws_wear {
    const ws_thermal *thermal;
    const ws_server *server;
    double core_part[WS_THERMAL_BLOCKS],
        rest_part[WS_THERMAL_BLOCKS]; /* share of a block in the cores' power, and in the other power */
    ws_thermal_state state;
    ws_lifetime life;
    double hottest_k;
    double observed_s, step_s;
    double *die_k; /* [room] hottest block at the end of each step of the last period */
    size_t room;
    bool started;
} ws_wear;

/* Initialises wear. Blocks with a name that begins with "core" share the cores' power by area; the others share that of
 * network, L2 and memory controllers. Chip, its network and server are borrowed. WS_EINPUT if one of the two kinds is
 * missing. */
int ws_wear_init(const ws_thermal_chip *chip, const ws_thermal *thermal, const ws_fatigue *law, const ws_server *server,
                 double step_s, ws_wear *wear);
void ws_wear_fini(ws_wear *wear); /* accepts a zeroed one */

/* Processes a period of a drive, for ws_drive_watcher. The die starts at the steady temperature of the first step's
 * power, so a cold start does not count as a thermal cycle. */
int ws_wear_see(void *wear, const ws_drive_period *period);

/* Returns the result after the last period. */
ws_wear_result ws_wear_finish(ws_wear *wear);

#endif
