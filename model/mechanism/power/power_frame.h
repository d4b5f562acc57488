/* power_frame.h - frame of watts and joules of launches or stretches: one row each, one column per component. */
#ifndef WS_POWER_FRAME_H
#define WS_POWER_FRAME_H

#include "base/frame.h"
#include "metrics/store/store.h"
#include "model/activity.h"
#include "model/power/power.h"
#include "model/sample/launch_list.h"

typedef struct ws_power_table ws_power_table;

/* Content of component columns: all, or without leakage and other constant power. */
typedef enum ws_power_part { WS_POWER_ALL, WS_POWER_DYNAMIC } ws_power_part;

/* joules: component columns are in joules, otherwise in watts. `power` is borrowed. WS_EMEM. */
int ws_power_table_create(const ws_power *power, ws_power_part part, bool joules, ws_power_table **out);
void ws_power_table_destroy(ws_power_table *table); /* accepts NULL */

/* Add all stretches of an activity report: a row for each, or for each kernel or workload. WS_EMEM. */
int ws_power_table_report(ws_power_table *table, const ws_activity_report *report);
int ws_power_table_per(ws_power_table *table, const ws_activity_report *report, ws_per per);

/* Adds a row `total' for each workload whose launches were selected by the list, which is borrowed: an estimate over
 * all launches of the workload, by weights. It is missing if not `whole' (some launches did not end). Call it after the
 * last row. WS_EMEM. */
int ws_power_table_estimate(ws_power_table *table, const ws_launch_list *list, bool whole);

/* Makes the frame, freed by the caller. Labels: workload, kernel, launch. Columns: begin, cycles, seconds, watts,
 * joules, dynamic, leakage, and one for each component with a cost in any row. With a list: weight, and for totals
 * seconds_bound and joules_bound, half of their 95 % intervals (model/sample/extrapolate.h). For stretches of launches:
 * time, seconds from the beginning of the first launch. Components add up to watts (joules), or to dynamic. Notes give
 * chip, node, voltage, clock and temperature. */
int ws_power_table_frame(const ws_power_table *table, ws_frame **out);

/* Makes a frame of the model's terms: labels component, counter, instance, why; columns joules (per count) and, if
 * `did` is given, the joules of its activity. */
int ws_power_terms_frame(const ws_power *power, const ws_activity *did, ws_frame **out);

#endif
