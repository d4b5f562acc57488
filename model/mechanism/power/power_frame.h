/* power_frame.h - watts and joules of launches or stretches of them: a frame with a row each, a column a component. */
#ifndef WS_POWER_FRAME_H
#define WS_POWER_FRAME_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/activity.h"
#include "model/power/power.h"
#include "model/sample/launch_list.h"

typedef struct ws_power_table ws_power_table;

/* What columns of components have: all, or without leakage and what flows whatever the chip does. */
typedef enum ws_power_part { WS_POWER_ALL, WS_POWER_DYNAMIC } ws_power_part;

/* joules: columns of components are in joules, else in watts. `power` is borrowed. WS_EMEM. */
int ws_power_table_create(const ws_power *power, ws_power_part part, bool joules, ws_power_table **out);
void ws_power_table_destroy(ws_power_table *table); /* accepts NULL */

/* All stretches of a report of activity: a row for each, or for each kernel or workload. WS_EMEM. */
int ws_power_table_report(ws_power_table *table, const ws_activity_report *report);
int ws_power_table_per(ws_power_table *table, const ws_activity_report *report, ws_per per);

/* The launches were chosen by the list, which is borrowed: each workload gets a row `total', an estimate of what all of
 * its launches would do, from weights; not `whole' (some did not end): it is missing. After the last row has been
 * added. WS_EMEM. */
int ws_power_table_estimate(ws_power_table *table, const ws_launch_list *list, bool whole);

/* Labels workload, kernel, launch; columns begin, cycles, seconds, watts, joules, dynamic, leakage, then one for each
 * component that costs anything in any row; with a list weight, and of totals seconds_bound and joules_bound, half of
 * their 95 % intervals (model/sample/extrapolate.h); of stretches of launches time, seconds from the beginning of the
 * first launch. Components add up to watts (joules), or to dynamic. Notes say
 * chip, node, voltage, clock, temperature. The caller frees it. */
int ws_power_table_frame(const ws_power_table *table, ws_frame **out);

/* The terms of the model: labels component, counter, instance, why; columns joules (for one) and what a row's activity
 * makes of it, in joules, when `did` is given. */
int ws_power_terms_frame(const ws_power *power, const ws_activity *did, ws_frame **out);

#endif
