/* cell.c - what does a file of data/tech say about a memory cell? */
#include "model/array/array.h"

#include "base/fields.h"

static const ws_field fields[] = {
#define FIELD(section, name, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_cell, member),
#include "model/array/cell.def"
#undef FIELD
};

static int read_cell(const ws_settings *file, void *out)
{
    *(ws_cell *)out = (ws_cell){0};
    return ws_fields_read(file, fields, sizeof fields / sizeof *fields, "a cell", NULL, out);
}

int ws_cell_parse(const char *file, const char *text, size_t length, ws_cell *out)
{
    return ws_settings_take(file, text, length, read_cell, out);
}

int ws_cell_read(const char *path, ws_cell *out)
{
    return ws_cell_parse(path, NULL, 0, out);
}

int ws_cell_set(ws_cell *cell, const char *name, const char *value)
{
    return ws_fields_set(fields, sizeof fields / sizeof *fields, name, value, cell);
}
