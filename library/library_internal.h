/* library_internal.h - what is behind the library's opaque frames. */
#ifndef WS_LIBRARY_INTERNAL_H
#define WS_LIBRARY_INTERNAL_H

#include "base/frame.h"
#include "base/status.h"
#include "library/warpscape.h"

/* A frame of the library is one of ours under another name. */
static inline const ws_frame *library_frame_of(const warpscape_frame *frame)
{
    return (const ws_frame *)frame;
}

static inline warpscape_frame *library_frame_as(ws_frame *frame)
{
    return (warpscape_frame *)frame;
}

#endif
