/* record_live.h - a captured program whose launches run on a simulated machine, told by environment variables. */
#ifndef WS_RECORD_LIVE_H
#define WS_RECORD_LIVE_H

#include "collect/simt/engine.h"

typedef struct ws_record_live ws_record_live;

/* What WARPSCAPE_SIMULATE and its companions say, see record/record.c; `workload` labels the rows. *out is NULL
 * when nothing is to be simulated. Else *simulator runs the launches. */
int ws_record_live_open(ws_record_live **out, const char *workload, ws_launch_simulator *simulator);

/* Writes the rows and frees it; accepts NULL. */
int ws_record_live_close(ws_record_live *live);

#endif
