/* register_file_internal.h - the organisations of register_files.def. */
#ifndef WS_REGISTER_FILE_INTERNAL_H
#define WS_REGISTER_FILE_INTERNAL_H

#include "model/sim/register_file.h"

#define REGISTER_FILE(name) extern const ws_register_file_ops ws_register_file_##name;
#include "model/sim/register_files.def"
#undef REGISTER_FILE

#endif
