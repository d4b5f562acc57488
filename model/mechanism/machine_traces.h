/* machine_traces.h - common options for machines and traces, and the structs that they fill. */
#ifndef WS_MACHINE_TRACES_H
#define WS_MACHINE_TRACES_H

#include "base/options/option_rows.h"
#include "model/mechanism/trace_files.h"
#include "model/machine/machine_choice.h"

enum { WS_MACHINE_SETTINGS_MOST = 256 };

/* --config and --set, repeatable up to the limit. */
typedef struct ws_machine_asked {
    ws_machine_choice choice; /* its settings are `setting` */
    const char *setting[WS_MACHINE_SETTINGS_MOST];
} ws_machine_asked;

/* Trace files and folders of them. Free with ws_trace_files_free. */
typedef struct ws_traces_asked {
    ws_trace_files files;
    int failed; /* a folder without traces */
} ws_traces_asked;

/* Options of commands that process traces on a machine. */
typedef struct ws_machine_traces {
    ws_machine_asked machine;
    ws_traces_asked traces;
} ws_machine_traces;

/* Source of workloads: a results file with profiles; or traces, replayed or simulated. */
typedef struct ws_works_asked {
    const char *db;         /* NULL: not given */
    ws_traces_asked traces; /* none: use the results file */
    bool simulate;
} ws_works_asked;

/* Rows for members of these types; `text` is the help of the option. */
#define WS_OPTION_CONFIG(argument, type, member, text) \
    WS_OPTION_TEXT("config", 'c', argument, type, member.choice.config, text)
#define WS_OPTION_SET(type, member, text) \
    WS_OPTION_TAKE("set", 's', "OPTION=VALUE", type, member, ws_take_setting, text)
#define WS_TRACE_ARGUMENTS(type, member, need) WS_ARGUMENTS(type, member, ws_take_traces, need)

/* Rows of a ws_machine_traces, with the name of the default machine. */
#define WS_MACHINE_TRACES_OPTIONS(type, member, machine_) \
    WS_OPTION_CONFIG("NAME", type, member.machine, "The machine: a file, or a name of data/configs [" machine_ "]"), \
        WS_OPTION_SET(type, member.machine, "Set an option of the machine, such as l1.ways=4; may be repeated"), \
        WS_TRACE_ARGUMENTS(type, member.traces, ws_need_traces)

/* --db of profiles, with its default; --db and --simulate of a ws_works_asked. */
#define WS_OPTION_PROFILES(type, member, otherwise) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member, \
                   "Results file with profiles (`--profile' of suite run, exec and replay) [" otherwise "]")
#define WS_WORKS_OPTIONS(type, member) \
    WS_OPTION_PROFILES(type, member.db, "warpscape.db, without traces"), \
        WS_OPTION_FLAG("simulate", 0, type, member.simulate, "Simulate the traces cycle by cycle [estimate]")

ws_option_take ws_take_setting, ws_take_traces;

/* Reports misuse: both a results file and traces, or --simulate without traces. ws_works_db() returns the results file.
 */
void ws_check_works(const struct argp_state *state, const ws_works_asked *works);
const char *ws_works_db(const ws_works_asked *works);

/* Reports misuse if there are no traces, unless a folder without traces was already reported. */
void ws_need_traces(const struct argp_state *state, const void *member);

#endif
