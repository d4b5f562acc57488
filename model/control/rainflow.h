/* rainflow.h - which closed cycles does a series that goes up and down hold?
 *
 * Rainflow counting of ASTM E1049-85, section 5.4.4: a range that a later one covers is a cycle; a range that
 * contains the starting point, and what is left at the end, are half cycles. Values come one at a time; nothing grows
 * with their number.
 *
 *     ws_rainflow flow;
 *     ws_rainflow_init(&flow, see, context);
 *     ... ws_rainflow_add(&flow, value) ...
 *     ws_rainflow_finish(&flow);
 */
#ifndef WS_CONTROL_RAINFLOW_H
#define WS_CONTROL_RAINFLOW_H

#include <stddef.h>
#include <stdint.h>

/* Open ranges shrink from the oldest to the newest, so this many are seldom open at once. When they are, the oldest is
 * counted as half a cycle before its time, and `forced` says how often that was. */
enum { WS_RAINFLOW_OPEN = 512 };

/* Called for each cycle (count 1) or half cycle (0.5): range is above 0, mean is the middle of it. */
typedef void ws_rainflow_see(void *context, double range, double mean, double count);

typedef struct ws_rainflow {
    ws_rainflow_see *see;
    void *context;
    uint64_t values, reversals, forced, ignored; /* ignored: values that were not finite */
    double last;                                 /* value seen last, a turning point if the next one turns */
    int direction;                               /* +1 rising to it, -1 falling, 0 not known yet */
    size_t open;                                 /* turning points in `point` */
    double point[WS_RAINFLOW_OPEN];
} ws_rainflow;

void ws_rainflow_init(ws_rainflow *flow, ws_rainflow_see *see, void *context);

/* Takes a finite value; others are skipped and counted in `ignored`. */
void ws_rainflow_add(ws_rainflow *flow, double value);

/* The last value ends the series: what is still open is counted as half cycles. Adding more begins a new series. */
void ws_rainflow_finish(ws_rainflow *flow);

#endif
