/* kernel_request.c - see kernel_request.h. */
#include "cli/kernel_request.h"

#include "base/status.h"
#include "cli/cli.h"

#include <string.h>
#include <strings.h>

void ws_take_kernels(const struct argp_state *state, void *member, char *arg)
{
    ws_kernel_request *const r = member;
    if (r->kernel)
        argp_error(state, "a workload and a kernel at most; what is '%s'?", arg);
    *(r->workload ? &r->kernel : &r->workload) = arg;
}

void ws_take_kernel_format(const struct argp_state *state, void *member, char *arg)
{
    ws_kernel_request *const r = member;
    const size_t format = ws_argp_choice(state, "--format", arg, ws_frame_output_or_text);
    r->frame = format > 0;
    r->format = r->frame ? (ws_frame_format)(format - 1) : WS_FORMAT_csv;
}

static int prepare(ws_kernel_request *r)
{
    const int error = r->kernel ? regcomp(&r->match, r->kernel, REG_EXTENDED | REG_NOSUB) : 0;
    char reason[128];
    r->prepared = r->kernel && !error;
    if (!error)
        return WS_OK;
    regerror(error, &r->match, reason, sizeof reason);
    return ws_fail(WS_EINPUT, "kernel '%s': no regular expression: %s", r->kernel, reason);
}

int ws_kernel_request_open(ws_kernel_request *r, ws_store **out)
{
    *out = NULL;
    const int status = prepare(r);
    return status ? status : ws_store_open_run(r->db, (int64_t)r->run, out);
}

void ws_kernel_request_fini(ws_kernel_request *r)
{
    if (r->prepared)
        regfree(&r->match);
    r->prepared = false;
}

bool ws_kernel_request_has(ws_kernel_request *r, const char *workload, const char *kernel, const char *title)
{
    const bool all = !r->workload || !strcmp(r->workload, "."), is_of = all || !strcasecmp(r->workload, workload);
    r->met |= is_of;
    r->is_kernel |= !is_of && strcasestr(title, r->workload);
    return is_of && (!r->kernel || !regexec(&r->match, title, 0, NULL, 0) || !regexec(&r->match, kernel, 0, NULL, 0));
}

int ws_kernel_request_refuse(const ws_kernel_request *r)
{
    if (!r->met && r->workload)
        return ws_fail(WS_ENOTFOUND, "%s: no workload '%s' in it (see `warpscape runs')%s%s", r->db, r->workload,
                       r->is_kernel ? "; kernels of that name, of any workload: . " : "",
                       r->is_kernel ? r->workload : "");
    return ws_fail(WS_ENOTFOUND, "%s: no kernel matches %s%s%s (see `warpscape launches')", r->db,
                   r->workload ? r->workload : "", r->workload && r->kernel ? " " : "", r->kernel ? r->kernel : "");
}
