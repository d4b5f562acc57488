/* launch_content.h - contents of buffers in a launch file: initialisation of memory, and comparison with it. */
#ifndef WS_LAUNCH_CONTENT_H
#define WS_LAUNCH_CONTENT_H

#include "cli/launch/launchfile.h"

/* Writes `count` elements of `type` with the described content. same: memory of the buffer named by a SAME content,
 * from the same element on; else unused. WS_EIO or WS_EINPUT for an unreadable file or one of another size. KEEP writes
 * nothing. */
int ws_content_write(const ws_script *script, const ws_content *content, ws_type type, uint64_t count, const void *same,
                     void *memory);

typedef struct ws_mismatch {
    uint64_t differing;     /* elements out of tolerance */
    uint64_t element;       /* the first of them */
    uint64_t found, wanted; /* bits of that element, found and expected */
} ws_mismatch;

/* Compares `count` elements; tolerances as in ws_value_same. */
void ws_content_compare(ws_type type, const void *memory, const void *wanted, uint64_t count, double within,
                        double relative, ws_mismatch *mismatch);

#endif
