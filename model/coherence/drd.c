/* drd.c - sequential consistency by dynamic race detection: a copy is good until its SM knows of something newer.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4; choices
 * are in docs/races.md. The L2 is a plain one; the detector sees each request when it comes to its slice (race_detector.c), and
 * the epochs of copies stand where G-TSC has times (race_l1.c). */
#include "model/coherence/coherence_internal.h"

/* A line with stores in flight is locked, as in G-TSC: nobody may see a store before it is performed. A copy that is checked (VR)
 * takes no store, so it is there when the answer says that it is good. */
static const ws_row l1_rows[] = {
    L1_ROW( I,   MISS,      IV,  DO_send_read ),
    L1_ROW( I,   STORE,     I,   DO_send_write ),
    L1_ROW( I,   UPDATE,    I,   DO_send_update ),
    L1_ROW( I,   ACK_OTHER, I,   DO_NOTHING ),

    L1_ROW( IV,  MISS,      IV,  DO_join ),
    L1_ROW( IV,  STORE,     IVD, DO_send_write ),
    L1_ROW( IV,  UPDATE,    IVD, DO_send_update ),
    L1_ROW( IV,  FILL,      V,   DO_install_epoch, DO_serve, DO_wake ),
    L1_ROW( IV,  ACK_OTHER, IV,  DO_NOTHING ),

    L1_ROW( IVD, MISS,      IVD, DO_park ),
    L1_ROW( IVD, STORE,     IVD, DO_send_write ),
    L1_ROW( IVD, UPDATE,    IVD, DO_send_update ),
    L1_ROW( IVD, FILL,      I,   DO_serve, DO_wake ),
    L1_ROW( IVD, ACK_OTHER, IVD, DO_NOTHING ),

    L1_ROW( V,   LOAD,      V,   DO_hit ),
    L1_ROW( V,   MISS,      IV,  DO_send_read ),
    L1_ROW( V,   CHECK,     VR,  DO_send_read ),
    L1_ROW( V,   STORE,     VW,  DO_write_line, DO_lock, DO_send_write ),
    L1_ROW( V,   UPDATE,    I,   DO_send_update ),
    L1_ROW( V,   ACK_OTHER, V,   DO_NOTHING ),
    L1_ROW( V,   EVICT,     I,   DO_NOTHING ),
    L1_ROW( V,   FLUSH,     I,   DO_NOTHING ),

    L1_ROW( VR,  LOAD,      VR,  DO_hit ),
    L1_ROW( VR,  MISS,      VR,  DO_join ),
    L1_ROW( VR,  CHECK,     VR,  DO_join ),
    L1_ROW( VR,  FILL,      V,   DO_install_epoch, DO_serve, DO_wake ),
    L1_ROW( VR,  RENEW,     V,   DO_renew_epoch, DO_serve_copy, DO_wake ),
    L1_ROW( VR,  ACK_OTHER, VR,  DO_NOTHING ),

    L1_ROW( VW,  LOAD,      VW,  DO_hit ), /* without WS_CLOSE_LOCK */
    L1_ROW( VW,  MISS,      VW,  DO_park ),
    L1_ROW( VW,  CHECK,     VW,  DO_park ),
    L1_ROW( VW,  HELD,      VW,  DO_park ),
    L1_ROW( VW,  STORE,     VW,  DO_write_line, DO_lock, DO_send_write ),
    L1_ROW( VW,  ACK,       V,   DO_wake ),
    L1_ROW( VW,  ACK_MORE,  VW,  DO_NOTHING ),
    L1_ROW( VW,  ACK_OTHER, VW,  DO_NOTHING ),
};

static const ws_row l2_rows[] = {
#include "model/coherence/l2_plain.def"
};

#define TABLES \
    .promise = WS_PROMISE_ORDERED, \
    .l1 = l1_rows, .l1_rows = sizeof l1_rows / sizeof *l1_rows, \
    .l2 = l2_rows, .l2_rows = sizeof l2_rows / sizeof *l2_rows, \
    .sequential = true

const ws_protocol ws_protocol_drd = {
    .name = "drd",
    .summary = "race detection, sequentially consistent: an L1 takes nothing else until the detector has answered",
    .race = RACE_STALLS,
    TABLES,
};

const ws_protocol ws_protocol_drd_spec = {
    .name = "drd-spec",
    .summary = "race detection, sequentially consistent: copies serve loads before the detector has answered, and are checked then",
    .race = RACE_SPECULATES,
    TABLES,
};

const ws_protocol ws_protocol_drd_ideal = {
    .name = "drd-ideal",
    .summary = "race detection, sequentially consistent: exact sets, detected at no cost",
    .race = RACE_IDEAL,
    TABLES,
};
