/* machine_traces.h - rows of options about a machine and about traces, and what they fill. */
#ifndef WS_MACHINE_TRACES_H
#define WS_MACHINE_TRACES_H

#include "base/options/option_rows.h"
#include "model/mechanism/trace_files.h"
#include "model/machine/machine_choice.h"

enum { WS_MACHINE_SETTINGS_MOST = 256 };

/* --config and --set, as often as it is given; more than there is room for is misuse. */
typedef struct ws_machine_asked {
    ws_machine_choice choice; /* has settings of `setting` */
    const char *setting[WS_MACHINE_SETTINGS_MOST];
} ws_machine_asked;

/* Trace files and folders of them. Free with ws_trace_files_free. */
typedef struct ws_traces_asked {
    ws_trace_files files;
    int failed; /* a folder without traces */
} ws_traces_asked;

/* What commands ask that look at traces on a machine. */
typedef struct ws_machine_traces {
    ws_machine_asked machine;
    ws_traces_asked traces;
} ws_machine_traces;

/* Where workloads are: a results file with profiles, or traces, which are replayed, or simulated cycle by cycle. */
typedef struct ws_works_asked {
    const char *db;         /* NULL: not given */
    ws_traces_asked traces; /* none: those of the results file */
    bool simulate;
} ws_works_asked;

/* Rows of members of these types; texts are the help of the option. */
#define WS_OPTION_CONFIG(argument, type, member, text) \
    WS_OPTION_TEXT("config", 'c', argument, type, member.choice.config, text)
#define WS_OPTION_SET(type, member, text) \
    WS_OPTION_TAKE("set", 's', "OPTION=VALUE", type, member, ws_take_setting, text)
#define WS_TRACE_ARGUMENTS(type, member, need) WS_ARGUMENTS(type, member, ws_take_traces, need)

/* The rows of a ws_machine_traces, with the name of the machine that is taken when none is given. */
#define WS_MACHINE_TRACES_OPTIONS(type, member, machine_) \
    WS_OPTION_CONFIG("NAME", type, member.machine, "The machine: a file, or a name of data/configs [" machine_ "]"), \
        WS_OPTION_SET(type, member.machine, "Set an option of the machine, such as l1.ways=4; may be repeated"), \
        WS_TRACE_ARGUMENTS(type, member.traces, ws_need_traces)

/* --db of profiles, with what is taken when it is not given; --db and --simulate of a ws_works_asked. */
#define WS_OPTION_PROFILES(type, member, otherwise) \
    WS_OPTION_TEXT("db", 'd', "FILE", type, member, \
                   "Results file with profiles (`--profile' of suite run, exec and replay) [" otherwise "]")
#define WS_WORKS_OPTIONS(type, member) \
    WS_OPTION_PROFILES(type, member.db, "warpscape.db, without traces"), \
        WS_OPTION_FLAG("simulate", 0, type, member.simulate, "Simulate the traces cycle by cycle [estimate]")

ws_option_take ws_take_setting, ws_take_traces;

/* Misuse: a results file and traces, or a simulation without traces. The second: the results file. */
void ws_check_works(const struct argp_state *state, const ws_works_asked *works);
const char *ws_works_db(const ws_works_asked *works);

/* Misuse: there are no traces, and no folder was without any. */
void ws_need_traces(const struct argp_state *state, const void *member);

#endif
