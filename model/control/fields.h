/* fields.h - files of settings that are a plain list of numbers: all of them there, none besides, each within bounds. */
#ifndef WS_CONTROL_FIELDS_H
#define WS_CONTROL_FIELDS_H

#include "base/settings.h"

#include <stddef.h>

typedef struct ws_field {
    const char *section, *name, *unit;
    double least, most;
    const char *meaning;
    size_t offset; /* of a double in what is filled */
} ws_field;

/* Fills the doubles at `out`. `what` names the thing in messages, "a plant". WS_EINPUT with FILE:LINE:COLUMN for a name that no
 * field has, another unit, a number out of bounds, and with the field for one that is missing. */
int ws_fields_read(const ws_settings *settings, const ws_field *fields, size_t count, const char *what, void *out);

#endif
