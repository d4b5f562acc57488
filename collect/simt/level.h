/* level.h - may kernels run with the vector level that the environment asks for (WARPSCAPE_LEVEL)? lanes.h has the
 * levels. */
#ifndef WS_LEVEL_H
#define WS_LEVEL_H

/* WS_EUNSUPPORTED when WARPSCAPE_LEVEL names a level that there is not, or that the processor or this build lacks.
 * Without the variable the best that the processor has is taken. */
int ws_level_check(void);

#endif
