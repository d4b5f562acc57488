/* library_internal.h - conversions between the library's opaque frames and ws_frame. */
#ifndef WS_LIBRARY_INTERNAL_H
#define WS_LIBRARY_INTERNAL_H

#include "base/frame.h"
#include "base/status.h"
#include "library/warpscape.h"

/* A warpscape_frame is a ws_frame under another name. */
static inline const ws_frame *library_frame_of(const warpscape_frame *frame)
{
    return (const ws_frame *)frame;
}

static inline warpscape_frame *library_frame_as(ws_frame *frame)
{
    return (warpscape_frame *)frame;
}

#endif
