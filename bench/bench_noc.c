/* bench_noc.c - how long does a point of a closed form of a network take? One core.
 *
 * The machines that ship, all SMs with all slices, at half of saturation: a solution, and the search for saturation.
 * Run it in the source tree. */
#include "base/status.h"
#include "model/machine/machine.h"
#include "model/machine/network_kind.h"
#include "model/machine/noc_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 20, DIRECTION = 1 };

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int measure(const ws_machine *m)
{
    const char *const kind = m->shape.network[DIRECTION].kind->name;
    const ws_noc_shape shape = ws_noc_machine_shape(m, DIRECTION);
    ws_noc_flow *flow = NULL;
    ws_noc_traffic t = {.dispersion = 1};
    ws_noc_result r;
    ws_noc_messages messages = {ws_noc_machine_bytes(m, DIRECTION), 1};
    double share, times;
    int status = ws_noc_machine_flows(m, DIRECTION, &messages, 1, NULL, &flow, &t.flows, &share);
    t.flow = flow;
    const double begin = cpu_s();
    if (!status)
        status = ws_noc_saturation(kind, &shape, &t, &times);
    const double searched = cpu_s();
    for (size_t i = 0; i < t.flows && !status; i++)
        flow[i].rate *= times / 2;
    for (int i = 0; i < TIMES && !status; i++)
        status = ws_noc_solve(kind, &shape, &t, NULL, &r);
    if (!status)
        printf("%-20s %-9s %6u %8zu %10.3f %12.2f\n", m->name, kind, shape.nodes, t.flows,
               (cpu_s() - searched) / TIMES * 1e3, (searched - begin) * 1e3);
    free(flow);
    return status;
}

int main(void)
{
    static const char *const machines[] = {
        "photonic-electrical", "photonic-mwsr", "photonic-swmr", "gtsc", "qv100", "h100"};
    puts("machine              network    nodes    flows   ms a point ms saturation");
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        ws_machine *m;
        if (ws_machine_read("data", machines[i], &m) || measure(m)) {
            fprintf(stderr, "%s\n", ws_message());
            return 1;
        }
        ws_machine_destroy(m);
    }
    return 0;
}
