/* organisation.h - parser of "stt:width=4,coalesce": a row of organisations.def and the values of its options. */
#ifndef WS_ORGANISATION_H
#define WS_ORGANISATION_H

#include "model/memory/memory_internal.h"

/* WS_EINPUT for a name unknown to the part (the message lists the known ones), an unknown or repeated option, or a
 * value out of bounds. */
int ws_organisation_parse(ws_memory_part part, const char *text, const ws_memory_ops **ops,
                          uint64_t values[WS_MEMORY_OPTIONS]);

#endif
