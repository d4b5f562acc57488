/* machine_traces.c - see machine_traces.h. */
#include "cli/machine_traces.h"

error_t ws_machine_traces_parse(int key, char *arg, struct argp_state *state)
{
    ws_machine_traces *const r = state->input;
    switch (key) {
    case 'c':
        r->choice.config = arg;
        return 0;
    case 's':
        if (r->choice.settings == WS_MACHINE_TRACES_SETTINGS)
            argp_error(state, "more than %d settings; write a configuration file", WS_MACHINE_TRACES_SETTINGS);
        r->setting[r->choice.settings++] = arg;
        r->choice.setting = r->setting;
        return 0;
    case ARGP_KEY_ARG:
        r->failed = r->failed ? r->failed : ws_trace_files_add(&r->traces, arg);
        return 0;
    case ARGP_KEY_END:
        if (!r->traces.count && !r->failed)
            argp_error(state, "which trace files, or folder of them?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
