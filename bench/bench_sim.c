/* bench_sim.c - how fast is the cycle simulator? Warp instructions per second of processor time, one core.
 *
 * The four kernels of tests/anchors (2^18 additions, a reduction of 2^19, two 256 x 256 matrix products), from a trace
 * file, on two machines. To compare: on this class of machine Accel-Sim replays a trace of the tiled product at 40
 * thousand warp instructions a second, GPGPU-Sim 4.2 executes the four kernels at 18 to 24 thousand. */
#include "base/status.h"
#include "base/data_folder.h"
#include "collect/wst/wst.h"
#include "model/machine/machine.h"
#include "model/sim/sim.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { SLICE = 1000000 };
static const double ACCEL_SIM = 40e3; /* warp instructions a second */

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_launch(ws_sim *sim, ws_trace *trace, size_t index, const ws_machine *machine)
{
    ws_source *source;
    bool done = false;
    int status = ws_source_of_trace(trace, index, ws_sim_slots(machine), &source);
    if (status)
        return status;
    status = ws_sim_begin(sim, source);
    while (!status && !done)
        status = ws_sim_run(sim, ws_sim_now(sim) + SLICE, &done);
    const int ended = ws_sim_end(sim);
    source->ops->destroy(source);
    return status ? status : ended;
}

static int measure(const char *folder, const char *config, ws_trace *trace, size_t index)
{
    ws_machine *machine;
    ws_sim *sim;
    int status = ws_machine_read(folder, config, &machine);
    if (status)
        return status;
    status = ws_sim_create(machine, NULL, &sim);
    const double start = cpu_s();
    if (!status)
        status = run_launch(sim, trace, index, machine);
    const double seconds = cpu_s() - start;
    if (!status) {
        ws_sim_sums sums;
        ws_sim_sum(sim, &sums);
        const double rate = (double)sums.sm.warp_instructions / seconds;
        printf("%-9s %-8s %12llu %10llu %9.3f %10.0f %10.1f\n", config, ws_trace_get(trace, index)->launch.kernel,
               (unsigned long long)sums.sm.warp_instructions, (unsigned long long)sums.cycles, seconds, rate / 1e3,
               rate / ACCEL_SIM);
        ws_sim_destroy(sim);
    }
    ws_machine_destroy(machine);
    return status;
}

/* Written by the program that stands beside the folder of this one. */
static int make_trace(const char *self, char *path, size_t size)
{
    char command[3 * PATH_MAX];
    const char *const slash = strrchr(self, '/');
    snprintf(path, size, "/tmp/bench_sim.%ld.wst", (long)getpid());
    snprintf(command, sizeof command,
             "'%.*s/../warpscape' exec --trace '%s' tests/anchors/four.ptx tests/anchors/four.launch > /dev/null",
             slash ? (int)(slash - self) : 1, slash ? self : ".", path);
    return system(command) == 0 ? WS_OK : ws_fail(WS_EIO, "cannot run: %s", command);
}

int main(int argc, char **argv)
{
    static const char *const configs[] = {"gtsc", "rtx2060"};
    char path[PATH_MAX], folder[PATH_MAX];
    ws_trace *trace = NULL;
    (void)argc;
    int status = make_trace(argv[0], path, sizeof path);
    if (!status)
        status = ws_data_folder(folder, sizeof folder);
    if (!status)
        status = ws_trace_open(path, &trace);
    printf("%-9s %-8s %12s %10s %9s %10s %10s\n", "machine", "kernel", "warp inst", "cycles", "CPU s", "K inst/s",
           "x Accel-Sim");
    for (size_t c = 0; c < sizeof configs / sizeof *configs && !status; c++)
        for (size_t i = 0; i < ws_trace_launches(trace) && !status; i++)
            status = measure(folder, configs[c], trace, i);
    ws_trace_close(trace);
    remove(path);
    if (status) {
        fprintf(stderr, "%s\n", ws_message());
        return 1;
    }
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("peak memory %ld MB\n", use.ru_maxrss / 1024);
    return 0;
}
