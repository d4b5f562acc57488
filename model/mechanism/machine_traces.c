/* machine_traces.c - see machine_traces.h. */
#include "model/mechanism/machine_traces.h"

void ws_take_setting(const struct argp_state *state, void *member, char *arg)
{
    ws_machine_asked *const m = member;
    if (m->choice.settings == WS_MACHINE_SETTINGS_MOST)
        argp_error(state, "more than %d settings; write a configuration file", WS_MACHINE_SETTINGS_MOST);
    m->setting[m->choice.settings++] = arg;
    m->choice.setting = m->setting;
}

void ws_take_traces(const struct argp_state *state, void *member, char *arg)
{
    ws_traces_asked *const t = member;
    (void)state;
    t->failed = t->failed ? t->failed : ws_trace_files_add(&t->files, arg);
}

void ws_need_traces(const struct argp_state *state, const void *member)
{
    const ws_traces_asked *const t = member;
    if (!t->files.count && !t->failed)
        argp_error(state, "which trace files, or folder of them?");
}

void ws_check_works(const struct argp_state *state, const ws_works_asked *works)
{
    if (works->db && works->traces.files.count)
        argp_error(state, "a results file or traces, not both");
    if (works->simulate && !works->traces.files.count && !works->traces.failed)
        argp_error(state, "--simulate needs traces: profiles have no instructions");
}

const char *ws_works_db(const ws_works_asked *works)
{
    return works->db ? works->db : "warpscape.db";
}
