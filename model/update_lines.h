/* update_lines.h - what do L1s of several sizes keep of updates that lie in their lines, beside data?
 *
 * For profiles: one replacement for data and updates (A. Mukkara, N. Beckmann, D. Sanchez, "PHI", MICRO 2019; P.
 * Dalmia's thesis of 2023 has it for GPUs), in sets as deep as those of the profile's L1s, so that one pass tells for
 * L1s of all their ways what updates hit, what leaves, and which loads still find data. */
#ifndef WS_UPDATE_LINES_H
#define WS_UPDATE_LINES_H

#include "model/traffic_profile.h"

typedef struct ws_update_lines ws_update_lines;

int ws_update_lines_create(uint32_t sms, ws_traffic_rung *to, ws_update_lines **out); /* WS_EMEM */
void ws_update_lines_destroy(ws_update_lines *lines);                                 /* accepts NULL */
/* An SM's load of a line; one that polls brings its data, and is not counted. */
void ws_update_lines_load(ws_update_lines *lines, uint32_t sm, uint64_t line, bool poll);
/* ... update of words of a line (code: ws_update_code). */
void ws_update_lines_update(ws_update_lines *lines, uint32_t sm, uint64_t line, uint32_t words, uint32_t code);
/* ... atomic that L2 does: the copy is given up, and what it has is sent. */
void ws_update_lines_drop(ws_update_lines *lines, uint32_t sm, uint64_t line);
/* All updates that the SM has leave: at a fence, and at the end. Data stay. */
void ws_update_lines_flush(ws_update_lines *lines, uint32_t sm);

#endif
