/* check.h - checker of an event stream against the guarantees of event.h. */
#ifndef WS_CHECK_H
#define WS_CHECK_H

#include "collect/trace/sink.h"

/* Sink that ends the launch with WS_EINPUT at the first violation. ws_message() names kernel, CTA, warp, instruction
 * and the expected state.
 *
 * Checks of every event: indices are within their tables, executing lanes within the lanes of the path, and these
 * within the CTA. Checks of a warp: each divergent section ends once, with the number of instructions that ran in it;
 * launches that were cut short are exempt. On one path, the event after a run, an access or a barrier is the next
 * instruction (PTX). Checks of accesses: a resolved space, a width, zero in lanes that do not take part, and offsets
 * within the shared, local and parameter memory of the launch. Checks of barriers: no warp arrives for the n-th time
 * after another warp of the CTA arrived for the n + 1st. */
extern const ws_sink ws_event_checker;

#endif
