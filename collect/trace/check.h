/* check.h - does a stream of events keep what event.h promises? */
#ifndef WS_CHECK_H
#define WS_CHECK_H

#include "collect/trace/sink.h"

/* A sink that ends the launch with WS_EINPUT at the first event that breaks a promise; ws_message() names kernel, CTA,
 * warp, instruction and what was expected. Of every event: places within their tables; lanes that run within the lanes
 * of the path, these within the CTA. Of a warp: sections end once, with the number of instructions that ran in them;
 * launches that were cut short are left out; what follows a run, an access or a barrier on the same path is the next
 * instruction (PTX). Of accesses: a resolved space, a width, nothing in lanes that do not take part, offsets within the
 * shared, local and parameter memory of the launch. Of barriers: nobody arrives for the n-th time after another warp of
 * the CTA arrived for the n + 1st. */
extern const ws_sink ws_event_checker;

#endif
