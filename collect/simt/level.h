/* level.h - check of the vector level requested by WARPSCAPE_LEVEL. lanes.h lists the levels. */
#ifndef WS_LEVEL_H
#define WS_LEVEL_H

/* WS_EUNSUPPORTED when WARPSCAPE_LEVEL names an unknown level, or one that the processor or this build lacks. If the
 * variable is unset, the best level of the processor is used. */
int ws_level_check(void);

#endif
