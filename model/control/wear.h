/* wear.h - how hot does a driven server get, and what does that do to its life? Watches a drive: power of each step to
 * temperatures of the die, the hottest of them to thermal cycles. */
#ifndef WS_WEAR_H
#define WS_WEAR_H

#include "model/control/drive.h"
#include "model/control/lifetime.h"
#include "model/control/thermal.h"

/* What is left of a run. */
typedef struct ws_wear_result {
    double mtbf_s;    /* see lifetime.h: good for ratios only */
    double hottest_k; /* highest temperature of any block */
    double largest_k; /* range of the largest cycle */
} ws_wear_result;

typedef struct ws_wear {
    const ws_thermal *thermal;
    const ws_server *server;
    double core_part[WS_THERMAL_BLOCKS],
        rest_part[WS_THERMAL_BLOCKS]; /* of the cores' power, of the rest: what a block gets */
    ws_thermal_state state;
    ws_lifetime life;
    double hottest_k;
    double observed_s, step_s;
    double *die_k; /* [room] hottest block at the end of each step of the last period */
    size_t room;
    bool started;
} ws_wear;

/* Blocks whose name begins with "core" share the cores' power by their area, the others that of network, L2 and memory
 * controllers. Chip, network of it and server are borrowed. WS_EINPUT when one of the two kinds is missing. */
int ws_wear_init(const ws_thermal_chip *chip, const ws_thermal *thermal, const ws_fatigue *law, const ws_server *server,
                 double step_s, ws_wear *wear);
void ws_wear_fini(ws_wear *wear); /* accepts what is all zero */

/* A period of a drive, for ws_drive_watcher. The die begins as warm as the power of the first step makes it in the long
 * run, so that a start from cold is not taken for a thermal cycle. */
int ws_wear_see(void *wear, const ws_drive_period *period);

/* After the last period. */
ws_wear_result ws_wear_finish(ws_wear *wear);

#endif
