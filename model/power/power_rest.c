/* power_rest.c - what the card takes whatever its chip does. */
#include "model/power/power_internal.h"

int ws_power_add_rest(ws_power_build *b)
{
    return ws_power_leak(b, WS_WHILE_RUNNING, b->chip->constant_w, "%g W of the card", b->chip->constant_w);
}
