/* bench_sim_parts.c - how fast are the networks and memory channels of the simulator? One core.
 *
 * Flits over channels, packets, requests and simulated cycles per second of processor time, lightly loaded and
 * heavily. */
#include "base/status.h"
#include "tests/unit/dram_traffic.h"
#include "tests/unit/network_traffic.h"

#include <stdio.h>
#include <time.h>

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int network(const char *name, double rate, uint32_t flits)
{
    ws_network *net;
    if (ws_network_create(name, 64, NULL, 0, &net)) {
        fprintf(stderr, "%s\n", ws_message());
        return 1;
    }
    const traffic load = {.nodes = 64,
                          .rate = rate / flits,
                          .bytes = 32 * flits,
                          .measure = 60000,
                          .give_up = 60000,
                          .seed = 1,
                          .destination = uniform_destination};
    const double start = cpu_s();
    const traffic_result got = run_traffic(net, &load);
    const double seconds = cpu_s() - start;
    printf("%-9s %8.3f %6u %12.2f %12.2f %12.1f\n", name, rate, flits, (double)got.moves / seconds / 1e6,
           (double)ws_network_sum(net).packets_out / seconds / 1e6, (double)got.cycles / seconds / 1e3);
    ws_network_destroy(net);
    return 0;
}

/* One packet after the other, each alone, from one time at which something happens to the next. */
static int alone(const char *name)
{
    ws_network *net;
    if (ws_network_create(name, 64, NULL, 0, &net)) {
        fprintf(stderr, "%s\n", ws_message());
        return 1;
    }
    const double start = cpu_s();
    for (uint32_t i = 0; i < 200000; i++) {
        ws_packet p = {.source = i % 64, .destination = i * 7 % 64, .bytes = 32};
        const uint32_t to = p.destination;
        ws_network_inject(net, &p);
        while (!ws_network_eject(net, to, &p))
            ws_network_step(net, ws_network_next_time(net) + 1);
        ws_network_step(net, ws_network_now(net) + 100);
    }
    const double seconds = cpu_s() - start;
    printf("%-9s    alone %6d %12.2f %12.2f %12.1f\n", name, 1, (double)ws_network_sum(net).flit_moves / seconds / 1e6,
           0.2 / seconds, (double)ws_network_now(net) / seconds / 1e3);
    ws_network_destroy(net);
    return 0;
}

static int memory(const char *file, const char *controller, bool stream)
{
    ws_dram_part part;
    ws_dram_map map;
    ws_dram *dram;
    if (ws_dram_part_read(file, &part) || ws_dram_map_parse(part.mapping, file, &part, 1, &map) ||
        ws_dram_create(controller, &part, NULL, 0, &dram)) {
        fprintf(stderr, "%s\n", ws_message());
        return 1;
    }
    const uint64_t cycles = 1000000;
    const double start = cpu_s();
    measure_bandwidth(dram, &part, &map, stream, cycles);
    const double seconds = cpu_s() - start;
    const ws_dram_totals sum = ws_dram_sum(dram);
    printf("%-30s %-7s %-7s %11.2f %11.2f\n", file, controller, stream ? "stream" : "random",
           (double)(sum.reads + sum.writes) / seconds / 1e6, (double)cycles / seconds / 1e6);
    ws_dram_destroy(dram);
    return 0;
}

int main(void)
{
    int failed = 0;
    puts("64 nodes   flits/  flits/  10^6 moves  10^6 packets  10^3 cycles\n"
         "           node    packet  a second    a second      a second");
    static const double rates[] = {0.02, 0.2, 0.4};
    for (size_t i = 0; ws_network_kind_at(i); i++) {
        failed |= alone(ws_network_kind_at(i)->name);
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
            for (uint32_t flits = 1; flits <= 5; flits += 4)
                failed |= network(ws_network_kind_at(i)->name, rates[r], flits);
    }
    puts("\nmemory channel                 order   load    10^6 reqs/s 10^6 cycles/s");
    for (size_t c = 0; ws_dram_controller_kind_at(c); c++)
        for (int stream = 1; stream >= 0; stream--) {
            failed |= memory("data/tech/dram_gddr5_8gb.ini", ws_dram_controller_kind_at(c)->name, stream);
            failed |= memory("data/tech/dram_gddr6_rtx2060.ini", ws_dram_controller_kind_at(c)->name, stream);
        }
    return failed;
}
