/* machine_settings.h - what --set says of a machine, as often as it is given. */
#ifndef WS_MACHINE_SETTINGS_H
#define WS_MACHINE_SETTINGS_H

#include <argp.h>
#include <stddef.h>

enum { WS_MACHINE_SETTINGS_MOST = 256 };

/* room[(*count)++] = setting, which is kept; where there is no room the command ends and says what to do. */
void ws_machine_settings_add(const char *room[WS_MACHINE_SETTINGS_MOST], size_t *count, const char *setting,
                             const struct argp_state *state);

#endif
