/* register_file.c - the table of organisations of register files. */
#include "model/sim/sm/register_file_internal.h"

static const ws_register_file_ops *const files[] = {
#define REGISTER_FILE(name, ...) &ws_register_file_##name,
#include "model/machine/register_files.def"
};

const ws_register_file_ops *ws_register_file_ops_of(const ws_register_file_kind *kind)
{
    return files[kind - ws_register_file_kinds];
}
