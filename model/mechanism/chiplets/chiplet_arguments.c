/* chiplet_arguments.c - see chiplet_arguments.h. */
#include "model/mechanism/chiplets/chiplet_arguments.h"

#include "base/status.h"
#include "model/chiplets/argument_file.h"
#include "model/chiplets/range_log.h"

static int measure(ws_trace *trace, uint32_t chiplets, bool anywhere, ws_chiplet_kernels *out)
{
    const ws_range_log_options how_to_log = {.chiplets = chiplets};
    const ws_sink sink = ws_range_log_sink(&how_to_log), *const sinks[] = {&sink};
    ws_range_program *program;
    ws_replay_result done;
    int status = ws_range_program_create(chiplets, anywhere, &program);
    if (status)
        return status;
    const ws_replay how = {
        .sinks = sinks, .sink_count = 1, .workers = 1, .collect = ws_range_program_take, .context = program};
    for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
        status = ws_trace_replay(trace, i, &how, &done);
    if (!status)
        status = ws_range_program_kernels(program, out);
    ws_range_program_destroy(program);
    return status;
}

static int read_file(const ws_trace *trace, const char *file, uint32_t chiplets, ws_chiplet_kernels *out)
{
    const int status = ws_argument_file_read(file, chiplets, out);
    if (status)
        return status;
    if (out->kernels != ws_trace_launches(trace))
        return ws_fail(WS_EINPUT, "%s: %zu kernels; expected the %zu launches of %s", file, out->kernels,
                       ws_trace_launches(trace), ws_trace_path(trace));
    for (size_t i = 0; i < out->kernels; i++) {
        const ws_launch *const launch = &ws_trace_get(trace, i)->launch;
        if (!ws_chiplet_kernel_is(&out->kernel[i], launch->kernel))
            return ws_fail(WS_EINPUT, "%s: kernel %zu is %s; expected %s, as in %s", file, i + 1, out->kernel[i].name,
                           launch->kernel, ws_trace_path(trace));
        out->kernel[i].launch = launch->sequence;
    }
    return WS_OK;
}

int ws_chiplet_arguments(ws_trace *trace, const char *file, uint32_t chiplets, bool anywhere, ws_chiplet_kernels *out)
{
    *out = (ws_chiplet_kernels){0};
    const int status = file ? read_file(trace, file, chiplets, out) : measure(trace, chiplets, anywhere, out);
    if (status)
        ws_chiplet_kernels_fini(out);
    return status;
}
