/* register_file.c - the table of organisations of register files. */
#include "model/sim/sm/register_file_internal.h"
#include "model/machine/machine.h"

#include "model/sim/sm/register_banks.h"

#include <string.h>

static const ws_register_file_ops *const files[] = {
#define REGISTER_FILE(name) &ws_register_file_##name,
#include "model/sim/sm/register_files.def"
#undef REGISTER_FILE
};
enum { FILES = sizeof files / sizeof *files };

const ws_register_file_ops *ws_register_file_at(size_t index)
{
    return index < FILES ? files[index] : NULL;
}

const ws_register_file_ops *ws_register_file_of(const ws_machine *m, uint64_t values[WS_REGISTER_OPTIONS])
{
    const ws_register_file_ops *const ops = m->registers_file;
    ws_option_choose(ops->options, m->registers.list, m->registers.count, values);
    return ops;
}

const ws_register_file_ops *ws_register_file_find(const char *name)
{
    for (size_t i = 0; i < FILES; i++)
        if (!strcmp(files[i]->name, name))
            return files[i];
    return NULL;
}

uint32_t ws_register_banks(const ws_machine *m)
{
    return (uint32_t)ws_option_value(m->registers_file->options, WS_REGISTER_BANKS, m->registers.list,
                                     m->registers.count, 1);
}
