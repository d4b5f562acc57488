/* fuzz_accelsim.c - can any bytes break the reader of Accel-Sim's traces, or the metrics of the study behind it?
 *
 * Bytes are taken as the trace of one kernel: as a .tracez when a 0 is among the first that are no text, else as text.
 */
#include "base/status.h"
#include "collect/accelsim/accelsim.h"
#include "metrics/collector.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int collect(void *context, const ws_launch *of, size_t sink, void *state)
{
    return ws_collector_collect(context, of, sink, state);
}

static void import(const char *path)
{
    ws_collector *collector;
    ws_accelsim_result result;
    size_t n;
    if (ws_collector_create("study", &collector))
        return;
    const ws_sink *const *const sinks = ws_collector_sinks(collector, &n);
    const ws_accelsim_import how = {
        .sinks = sinks, .sink_count = n, .memory_bytes = 1, .collect = collect, .context = collector};
    (void)ws_accelsim_read(path, &how, &result);
    ws_collector_destroy(collector);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const char *const folder = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
    snprintf(path, sizeof path, "%s/fuzz_accelsim-%d.trace%s", folder, (int)getpid(),
             memchr(data, 0, size) ? "z" : "g");
    FILE *const out = fopen(path, "wb");
    if (!out)
        return 0;
    if (fwrite(data, 1, size, out) == size && fclose(out) == 0)
        import(path);
    unlink(path);
    return 0;
}
