/* drd.c - sequential consistency by dynamic race detection: a copy is good until its SM knows of something newer.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4;
 * choices are in docs/races.md. The L2 is a plain one; the detector sees each request when it comes to its slice
 * (race_detector.c), and the epochs of copies stand where G-TSC has times (race_l1.c). */
#include "model/coherence/coherence_internal.h"

/* Who stalls waits for the answer to a check as well. */
static const ws_row l1_stalls[] = {
#include "model/coherence/l1_race.def"
    L1_ROW(V, CHECK, VR, DO_send_read),
    L1_ROW(VR, CHECK, VR, DO_join),
};

/* A hit may stand before what others have stored meanwhile, so the load need not wait: the check is there for the next
 * ones. */
static const ws_row l1_goes_on[] = {
#include "model/coherence/l1_race.def"
    L1_ROW(V, CHECK, VR, DO_hit, DO_send_check),
    L1_ROW(VR, CHECK, VR, DO_hit),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

const ws_protocol ws_protocol_drd = {
    .name = "drd",
    .summary = "race detection, sequentially consistent: an L1 takes no other access until the detector has answered",
    .race = WS_RACE_STALLS,
    .promise = WS_PROMISE_ORDERED,
    .sequential = true,
    WS_PROTOCOL_ROWS(l1_stalls, l2_rows),
};

const ws_protocol ws_protocol_drd_spec = {
    .name = "drd-spec",
    .summary = "race detection, sequentially consistent: copies serve loads before the detector has answered, and are "
               "checked then",
    .race = WS_RACE_SPECULATES,
    .promise = WS_PROMISE_ORDERED,
    .sequential = true,
    WS_PROTOCOL_ROWS(l1_goes_on, l2_rows),
};

const ws_protocol ws_protocol_drd_ideal = {
    .name = "drd-ideal",
    .summary = "race detection, sequentially consistent: exact sets, detected at no cost",
    .race = WS_RACE_IDEAL,
    .promise = WS_PROMISE_ORDERED,
    .sequential = true,
    WS_PROTOCOL_ROWS(l1_goes_on, l2_rows),
};
