/* lab_tech.c - see lab_tech.h. */
#include "model/tech/lab_tech.h"

#include "base/fields.h"
#include "base/status.h"

#include <math.h>

static const ws_field fields[] = {
#define FIELD(section, name, member, meaning) \
    WS_FIELD_REAL(#section, #name, "pJ", 0, 1e6, meaning, ws_lab_tech, member),
#include "model/tech/lab_tech.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields, LINEAR_LINES = 16 };

static int read_lab(const ws_settings *file, void *out)
{
    *(ws_lab_tech *)out = (ws_lab_tech){0};
    return ws_fields_read(file, fields, FIELDS, "local atomic buffers", NULL, out);
}

int ws_lab_tech_read(const char *path, ws_lab_tech *out)
{
    return ws_settings_take(path, NULL, 0, read_lab, out);
}

ws_lab_energy ws_lab_energy_of(const ws_lab_tech *t, double lines, bool linear)
{
    const struct {
        double lines;
        ws_lab_energy energy;
    } rows[] = {
        {8, {t->buffer_read_8, t->buffer_write_8}},       {16, {t->buffer_read_16, t->buffer_write_16}},
        {64, {t->buffer_read_64, t->buffer_write_64}},    {128, {t->buffer_read_128, t->buffer_write_128}},
        {256, {t->buffer_read_256, t->buffer_write_256}},
    };
    if (isinf(lines))
        return (ws_lab_energy){t->buffer_read_inf, t->buffer_write_inf};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows && !linear; i++)
        if (rows[i].lines == lines)
            return rows[i].energy;
    return (ws_lab_energy){t->linear_read * lines / LINEAR_LINES, t->linear_write * lines / LINEAR_LINES};
}
