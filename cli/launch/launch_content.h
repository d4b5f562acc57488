/* launch_content.h - the elements that a launch file describes, and how well memory agrees with them. */
#ifndef WS_LAUNCH_CONTENT_H
#define WS_LAUNCH_CONTENT_H

#include "cli/launch/launchfile.h"

/* Writes count elements of `type` as the content says. same: memory of the buffer that a SAME content names, from the
 * same element on; else unused. A file that cannot be read or has another size is WS_EIO or WS_EINPUT. KEEP writes
 * nothing. */
int ws_content_write(const ws_script *script, const ws_content *content, ws_type type, uint64_t count, const void *same,
                     void *memory);

typedef struct ws_mismatch {
    uint64_t differing;     /* elements out of tolerance */
    uint64_t element;       /* the first of them */
    uint64_t found, wanted; /* its bits */
} ws_mismatch;

/* Compares count elements; tolerances as in ws_value_same. */
void ws_content_compare(ws_type type, const void *memory, const void *wanted, uint64_t count, double within,
                        double relative, ws_mismatch *mismatch);

#endif
