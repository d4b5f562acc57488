/* rainflow.c - which closed cycles does a series hold? ASTM E1049-85 (2017), Standard Practices for Cycle Counting in
 * Fatigue Analysis, section 5.4.4; the numbers in comments are its steps. */
#include "model/control/rainflow.h"

#include <math.h>
#include <string.h>

void ws_rainflow_init(ws_rainflow *flow, ws_rainflow_see *see, void *context)
{
    *flow = (ws_rainflow){.see = see, .context = context};
}

static void count_range(const ws_rainflow *flow, double from, double to, double count)
{
    flow->see(flow->context, fabs(to - from), from + (to - from) / 2, count);
}

static void drop_oldest(ws_rainflow *flow)
{
    count_range(flow, flow->point[0], flow->point[1], 0.5);
    memmove(flow->point, flow->point + 1, --flow->open * sizeof *flow->point);
}

static void add_point(ws_rainflow *flow, double value) /* 1: a peak or valley */
{
    if (flow->open == WS_RAINFLOW_OPEN) {
        drop_oldest(flow);
        flow->forced++;
    }
    flow->point[flow->open++] = value;
    while (flow->open >= 3) { /* 2 */
        double *const top = flow->point + flow->open - 1;
        if (fabs(top[0] - top[-1]) < fabs(top[-1] - top[-2])) /* 3a */
            return;
        if (flow->open == 3) { /* 5: Y contains the starting point, which moves on */
            drop_oldest(flow);
        } else { /* 4 */
            count_range(flow, top[-2], top[-1], 1);
            top[-2] = top[0];
            flow->open -= 2;
        }
    }
}

void ws_rainflow_add(ws_rainflow *flow, double value)
{
    if (!isfinite(value)) {
        flow->ignored++;
        return;
    }
    if (flow->values++ == 0)
        add_point(flow, value);
    else if (value != flow->last) {
        const int direction = value > flow->last ? 1 : -1;
        if (flow->direction == -direction) {
            flow->reversals++;
            add_point(flow, flow->last);
        }
        flow->direction = direction;
    }
    flow->last = value;
}

void ws_rainflow_finish(ws_rainflow *flow)
{
    if (flow->direction)
        add_point(flow, flow->last);
    for (size_t i = 0; i + 1 < flow->open; i++) /* 6 */
        count_range(flow, flow->point[i], flow->point[i + 1], 0.5);
    flow->open = 0;
    flow->direction = 0;
    flow->values = 0;
}
