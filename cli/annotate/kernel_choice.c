/* kernel_choice.c - see kernel_choice.h. */
#include "cli/annotate/kernel_choice.h"

#include "base/status.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool ws_kernel_choice_take(ws_kernel_choice *c, const char *argument)
{
    if (c->kernel)
        return false;
    *(c->workload ? &c->kernel : &c->workload) = argument;
    return true;
}

int ws_kernel_choice_prepare(ws_kernel_choice *c)
{
    const int error = c->kernel ? regcomp(&c->match, c->kernel, REG_EXTENDED | REG_NOSUB) : 0;
    char reason[128];
    c->prepared = c->kernel && !error;
    if (!error)
        return WS_OK;
    regerror(error, &c->match, reason, sizeof reason);
    return ws_fail(WS_EINPUT, "kernel '%s': no regular expression: %s", c->kernel, reason);
}

void ws_kernel_choice_fini(ws_kernel_choice *c)
{
    if (c->prepared)
        regfree(&c->match);
    *c = (ws_kernel_choice){0};
}

bool ws_kernel_choice_has(const ws_kernel_choice *c, const char *workload, const char *kernel, const char *title)
{
    const bool all = !c->workload || !strcmp(c->workload, ".");
    return (all || !strcasecmp(c->workload, workload)) &&
           (!c->kernel || !regexec(&c->match, title, 0, NULL, 0) || !regexec(&c->match, kernel, 0, NULL, 0));
}

int ws_kernel_choice_refuse(const ws_kernel_choice *c, const char *db)
{
    return ws_fail(WS_ENOTFOUND, "%s: no kernel matches %s%s%s (see `warpscape launches')", db, c->workload, c->kernel ? " " : "",
                   c->kernel ? c->kernel : "");
}
