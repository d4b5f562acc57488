/* machine_choice.c - see machine_choice.h. */
#include "model/machine/machine_choice.h"

#include "model/machine/machine_declared.h"

#include "base/status.h"
#include "base/data_folder.h"
#include "base/misused.h"

#include <stdlib.h>
#include <string.h>

static int set_option(ws_machine *machine, const char *setting)
{
    const char *const equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return ws_fail(WS_MISUSED, "--set needs OPTION=VALUE, not '%s'", setting);
    char *const name = strndup(setting, (size_t)(equals - setting));
    const int status = name ? ws_machine_set(machine, name, equals + 1) : ws_fail(WS_EMEM, "out of memory");
    free(name);
    return status;
}

static int set_lines(ws_machine *machine, const char *lines)
{
    char *const text = strdup(lines), *rest = text;
    int status = text ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (const char *line; !status && (line = strsep(&rest, "\n"));)
        if (*line)
            status = set_option(machine, line);
    free(text);
    return status;
}

int ws_machine_choose(const ws_machine_choice *choice, ws_machine **out)
{
    char folder[4096];
    ws_machine *machine;
    int status = ws_data_folder(folder, sizeof folder);
    if (!status)
        status = ws_machine_read(folder, choice->config, &machine);
    if (status)
        return status;
    if (choice->protocol)
        status = ws_machine_set(machine, "coherence.protocol", choice->protocol);
    if (!status && choice->first)
        status = set_lines(machine, choice->first);
    for (size_t i = 0; i < choice->settings && !status; i++)
        status = set_option(machine, choice->setting[i]);
    if (!status && choice->more)
        status = set_lines(machine, choice->more);
    if (!status)
        status = ws_machine_check(machine);
    if (status)
        ws_machine_destroy(machine);
    else
        *out = machine;
    return status;
}
