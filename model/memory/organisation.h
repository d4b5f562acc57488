/* organisation.h - "stt:width=4,coalesce" as a row of organisations.def and the values of its options. */
#ifndef WS_ORGANISATION_H
#define WS_ORGANISATION_H

#include "model/memory/memory_internal.h"

/* WS_EINPUT for a name that the part does not have (the message lists them), an option that it does not have or that is
 * given twice, a value out of bounds. */
int ws_organisation_parse(ws_memory_part part, const char *text, const ws_memory_ops **ops,
                          uint64_t values[WS_MEMORY_OPTIONS]);

#endif
