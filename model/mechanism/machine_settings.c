/* machine_settings.c - see machine_settings.h. */
#include "model/mechanism/machine_settings.h"

void ws_machine_settings_add(const char *room[WS_MACHINE_SETTINGS_MOST], size_t *count, const char *setting,
                             const struct argp_state *state)
{
    if (*count == WS_MACHINE_SETTINGS_MOST)
        argp_error(state, "more than %d settings; write a configuration file", WS_MACHINE_SETTINGS_MOST);
    room[(*count)++] = setting;
}
