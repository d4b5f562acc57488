/* accelsim_write.h - launches of a trace file as traces that Accel-Sim reads: the syntax of version 5. */
#ifndef WS_ACCELSIM_WRITE_H
#define WS_ACCELSIM_WRITE_H

#include "collect/wst/wst.h"

/* Writes kernelslist.g, a kernel-N.traceg for each launch, and stats.csv into a folder, which is made when it is not
 * there. `progress` gets the share done, and ends it with WS_EINTERRUPTED when it returns non-zero; NULL: not called.
 * WS_EIO; WS_EINPUT when the file is damaged: launches before that are written, and are in the list. */
int ws_accelsim_write(ws_trace *trace, const char *folder,
                      int (*progress)(void *context, const char *kernel, double done), void *context);

#endif
