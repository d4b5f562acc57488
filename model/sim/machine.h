/* machine.h - what is simulated: the numbers and names of machine.def, read from a file of data/configs. */
#ifndef WS_MACHINE_H
#define WS_MACHINE_H

#include "model/sim/option.h"

#include <stdint.h>

enum { WS_MACHINE_WORD = 64 };

/* Options of a policy or network that stand in its section and are not in machine.def. */
typedef struct ws_machine_options {
    ws_given *list;
    size_t count;
} ws_machine_options;

typedef struct ws_machine {
    char *name; /* of the file, without folder and ending */
#define NUMBER(section, name, unit, fallback, least, most, meaning) uint32_t section##_##name;
#define WORD(section, name, fallback, meaning) char section##_##name[WS_MACHINE_WORD];
#include "model/sim/machine.def"
#undef NUMBER
#undef WORD
    ws_machine_options network, memory, scheduler, registers, cta;
    char *folder;  /* data/tech of this configuration: where parts of memory are */
    void *storage; /* of names and places in the lists */
} ws_machine;

/* Reads a configuration: `name` is a path (it contains a slash or ends in .ini or .config) or a name of data/configs.
 * Files of GPGPU-Sim ("-option value") are told by their first line that is no comment. `data` is the data folder of
 * the installation. WS_EIO; WS_EINPUT with "FILE:LINE:COLUMN: ..." for a bad value, an unknown option, or values that
 * do not go together. The caller frees it with ws_machine_destroy. */
int ws_machine_read(const char *data, const char *name, ws_machine **out);
void ws_machine_destroy(ws_machine *machine); /* accepts NULL */

/* Sets "section.name" to a value as a file would, e.g. from the command line; then ws_machine_check. */
int ws_machine_set(ws_machine *machine, const char *option, const char *value);

/* Do the values go together? WS_EINPUT names the option and the reason. */
int ws_machine_check(const ws_machine *machine);

#endif
