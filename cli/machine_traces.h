/* machine_traces.h - arguments of commands that look at traces on a machine: --config, --set, trace files and folders.
 */
#ifndef WS_MACHINE_TRACES_H
#define WS_MACHINE_TRACES_H

#include "cli/machine_settings.h"
#include "record/simulate/machine_choice.h"
#include "model/mechanism/trace_files.h"

#include <argp.h>

/* Free traces with ws_trace_files_free. */
typedef struct ws_machine_traces {
    const char *setting[WS_MACHINE_SETTINGS_MOST];
    ws_machine_choice choice; /* has settings of `setting` */
    ws_trace_files traces;
    int failed; /* a folder without traces */
} ws_machine_traces;

/* Rows of a table of options, with the name of the machine that is taken when none is given. */
#define WS_MACHINE_TRACES_OPTIONS(machine) \
    {"config", 'c', "NAME", 0, "The machine: a file, or a name of data/configs [" machine "]", 0}, \
    { \
        "set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as l1.ways=4; may be repeated", 0 \
    }

/* Of an argp whose input is a ws_machine_traces that has choice.config. */
error_t ws_machine_traces_parse(int key, char *arg, struct argp_state *state);

#endif
