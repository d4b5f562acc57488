/* memory_tech.c - what does a file of data/tech say about bits of magnetic memory? */
#include "model/memory/memory_model.h"

#include "base/fields.h"

static const ws_field fields[] = {
#define FIELD(section, name, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_memory_tech, section##_##name),
#include "model/memory/memory_tech.def"
#undef FIELD
};

static int read_tech(const ws_settings *file, void *out)
{
    *(ws_memory_tech *)out = (ws_memory_tech){0};
    return ws_fields_read(file, fields, sizeof fields / sizeof *fields, "a magnetic memory", NULL, out);
}

int ws_memory_tech_parse(const char *file, const char *text, size_t length, ws_memory_tech *out)
{
    return ws_settings_take(file, text, length, read_tech, out);
}

int ws_memory_tech_read(const char *path, ws_memory_tech *out)
{
    return ws_memory_tech_parse(path, NULL, 0, out);
}

int ws_memory_tech_set(ws_memory_tech *tech, const char *name, const char *value)
{
    return ws_fields_set(fields, sizeof fields / sizeof *fields, name, value, tech);
}
