/* mechanism.c - the table of mechanisms. */
#include "model/mechanism/mechanism.h"

const ws_mechanism_row ws_mechanism_rows[WS_MECHANISMS] = {
#define MECHANISM(name, summary) {#name, summary, &ws_mechanism_##name},
#include "model/mechanism/mechanisms.def"
#undef MECHANISM
};
