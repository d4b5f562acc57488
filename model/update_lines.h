/* update_lines.h - one-pass model of L1s of several sizes that keep updates in their lines, together with data.
 *
 * For profiles: one replacement for data and updates (A. Mukkara, N. Beckmann, D. Sanchez, "PHI", MICRO 2019; P.
 * Dalmia's thesis of 2023 has it for GPUs), in sets as deep as those of the profile's L1s. One pass therefore gives,
 * for L1s of all their ways, the updates that hit, the words that leave, and the loads that find data. */
#ifndef WS_UPDATE_LINES_H
#define WS_UPDATE_LINES_H

#include "model/traffic_profile.h"

typedef struct ws_update_lines ws_update_lines;

int ws_update_lines_create(uint32_t sms, ws_traffic_rung *to, ws_update_lines **out); /* WS_EMEM */
void ws_update_lines_destroy(ws_update_lines *lines);                                 /* accepts NULL */
/* Load of a line by an SM; a poll fetches its data and is not counted. */
void ws_update_lines_load(ws_update_lines *lines, uint32_t sm, uint64_t line, bool poll);
/* Update of words of a line by an SM (code: ws_update_code). */
void ws_update_lines_update(ws_update_lines *lines, uint32_t sm, uint64_t line, uint32_t words, uint32_t code);
/* Atomic performed at L2: the copy is invalidated, and its updates are sent. */
void ws_update_lines_drop(ws_update_lines *lines, uint32_t sm, uint64_t line);
/* Sends all updates of the SM, at a fence and at the end. Data stay. */
void ws_update_lines_flush(ws_update_lines *lines, uint32_t sm);

#endif
