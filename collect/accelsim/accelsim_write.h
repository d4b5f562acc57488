/* accelsim_write.h - export of a trace file's launches as traces for Accel-Sim, in the syntax of version 5. */
#ifndef WS_ACCELSIM_WRITE_H
#define WS_ACCELSIM_WRITE_H

#include "collect/wst/wst.h"

/* Writes kernelslist.g, one kernel-N.traceg per launch, and stats.csv into a folder, which is created if missing.
 * `progress` receives the share done; non-zero ends with WS_EINTERRUPTED. NULL: not called. WS_EIO; WS_EINPUT when the
 * file is damaged: earlier launches are then written and listed. */
int ws_accelsim_write(ws_trace *trace, const char *folder,
                      int (*progress)(void *context, const char *kernel, double done), void *context);

#endif
