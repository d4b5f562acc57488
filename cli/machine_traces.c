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
        ws_machine_settings_add(r->setting, &r->choice.settings, arg, state);
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
