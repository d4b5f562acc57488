/* rainflow.h - rainflow counting of the closed cycles of a series.
 *
 * Rainflow counting of ASTM E1049-85, section 5.4.4: a range that a later one covers is a cycle; a range that contains
 * the starting point, and the remainder at the end, are half cycles. Values are added one by one; memory is constant.
 *
 *     ws_rainflow flow;
 *     ws_rainflow_init(&flow, see, context);
 *     ... ws_rainflow_add(&flow, value) ...
 *     ws_rainflow_finish(&flow); */
#ifndef WS_CONTROL_RAINFLOW_H
#define WS_CONTROL_RAINFLOW_H

#include <stddef.h>
#include <stdint.h>

/* Limit of open ranges. These shrink from the oldest to the newest, so the limit is rarely reached. At the limit the
 * oldest range is counted early as half a cycle, and `forced` is incremented. */
enum { WS_RAINFLOW_OPEN = 512 };

/* Called for each cycle (count 1) or half cycle (0.5): range is above 0, mean is its middle. */
typedef void ws_rainflow_see(void *context, double range, double mean, double count);

typedef struct ws_rainflow {
    ws_rainflow_see *see;
    void *context;
    uint64_t values, reversals, forced, ignored; /* ignored: non-finite values */
    double last;                                 /* last value: a turning point if the next one turns */
    int direction;                               /* +1 rising to it, -1 falling, 0 not known yet */
    size_t open;                                 /* turning points in `point` */
    double point[WS_RAINFLOW_OPEN];
} ws_rainflow;

void ws_rainflow_init(ws_rainflow *flow, ws_rainflow_see *see, void *context);

/* Adds a finite value; others are skipped and counted in `ignored`. */
void ws_rainflow_add(ws_rainflow *flow, double value);

/* Ends the series at the last value: open ranges are counted as half cycles. A later value begins a new series. */
void ws_rainflow_finish(ws_rainflow *flow);

#endif
