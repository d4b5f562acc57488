/* sim_curves.c - the whole curves of networks and memory channels, held against reference programs and closed forms.
 *
 * The unit tests take a few quick points of the same. Prints a table for each; ends with how many points hold.
 * References: BookSim 2 (settings in tests/unit/test_network_mesh.c; 60000 cycles), Karol, Hluchyj and Morgan 1987,
 * DRAMsim3 (its report after 10^6 cycles). */
#include "base/status.h"
#include "tests/unit/dram_traffic.h"
#include "tests/unit/network_traffic.h"

#include <math.h>
#include <stdio.h>

typedef struct tally {
    int passed, failed;
} tally;

static const char *judge(tally *t, bool good)
{
    t->passed += good;
    t->failed += !good;
    return good ? "" : "  <-- out of its band";
}

static bool within(double got, double want, double part)
{
    return fabs(got / want - 1) <= part;
}

/* --- The mesh --- */

static uint32_t transpose(gsl_rng *rng, uint32_t nodes, uint32_t source)
{
    (void)rng;
    (void)nodes;
    return source / 8 + source % 8 * 8;
}

static traffic_result measure_mesh(double rate, uint32_t (*destination)(gsl_rng *, uint32_t, uint32_t))
{
    ws_network *net;
    if (ws_network_create("mesh", 64, NULL, 0, &net)) {
        fprintf(stderr, "%s\n", ws_message());
        exit(1);
    }
    const traffic load = {.nodes = 64,
                          .rate = rate,
                          .bytes = 32,
                          .warm_up = 30000,
                          .measure = 30000,
                          .give_up = 120000,
                          .seed = 1,
                          .destination = destination};
    const traffic_result got = run_traffic(net, &load);
    ws_network_destroy(net);
    return got;
}

static void mesh_uniform(tally *t)
{
    static const struct {
        double rate, latency;
    } reference[] = {{0.02, 27.08}, {0.10, 27.28}, {0.20, 27.84}, {0.30, 29.44}, {0.35, 31.63}, {0.40, 39.87}};
    puts("8x8 mesh, uniform random traffic\nflits/cycle/node   latency   BookSim   accepted");
    for (size_t i = 0; i < sizeof reference / sizeof *reference; i++) {
        const traffic_result got = measure_mesh(reference[i].rate, uniform_destination);
        const bool good = got.drained && within(got.latency, reference[i].latency, 0.02);
        printf("%16.2f %9.2f %9.2f %10.4f%s\n", reference[i].rate, got.latency, reference[i].latency, got.accepted,
               judge(t, good));
    }
}

/* Where the mean latency is three times that of an empty network, 27 cycles. */
static void mesh_saturation(tally *t)
{
    double low = 0.30, high = 0.50;
    while (high - low > 0.004) {
        const double rate = (low + high) / 2;
        const traffic_result got = measure_mesh(rate, uniform_destination);
        if (got.drained && got.latency < 3 * 27)
            low = rate;
        else
            high = rate;
    }
    printf("saturation at %.3f, expected 0.40 to 0.44%s\n", low, judge(t, low >= 0.40 && high <= 0.44));
}

static void mesh_transpose(tally *t)
{
    const traffic_result below = measure_mesh(0.05, transpose), above = measure_mesh(0.15, transpose);
    printf("transpose: latency %.2f at 0.05, BookSim 27.2%s\n", below.latency,
           judge(t, below.drained && within(below.latency, 27.2, 0.02)));
    printf("transpose: latency %.0f at 0.15, BookSim is saturated%s\n", above.latency,
           judge(t, !above.drained || above.latency > 3 * 27));
}

/* --- The crossbar --- */

static double saturated_crossbar(uint32_t nodes)
{
    ws_network *net;
    const ws_given given[] = {{"injection_flits", 2, NULL}};
    if (ws_network_create("crossbar", nodes, given, 1, &net)) {
        fprintf(stderr, "%s\n", ws_message());
        exit(1);
    }
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    const uint64_t warm_up = 2000, cycles = 6000000 / nodes;
    uint64_t before = 0;
    for (uint64_t cycle = 0; cycle < warm_up + cycles; cycle++) {
        for (uint32_t n = 0; n < nodes; n++) {
            ws_packet p = {.source = n, .bytes = 32}, got;
            while (ws_network_has_room(net, n, 32)) {
                p.destination = (uint32_t)gsl_rng_uniform_int(rng, nodes);
                ws_network_inject(net, &p);
            }
            while (ws_network_eject(net, n, &got))
                continue;
        }
        before = cycle == warm_up ? ws_network_sum(net).packets_out : before;
        ws_network_step(net, cycle + 1);
    }
    const double out = (double)(ws_network_sum(net).packets_out - before);
    gsl_rng_free(rng);
    ws_network_destroy(net);
    return out / (double)cycles / nodes;
}

static void crossbar_head_of_line(tally *t)
{
    static const struct {
        uint32_t nodes;
        double carried;
    } known[] = {{2, 0.7500}, {3, 0.6825}, {4, 0.6553}, {5, 0.6399}, {6, 0.6302}, {7, 0.6234}, {8, 0.6184}};
    puts("\ncrossbar, a queue per input, saturated\nnodes   carried   Karol and others");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double got = saturated_crossbar(known[i].nodes);
        printf("%5u %9.4f %10.4f%s\n", known[i].nodes, got, known[i].carried,
               judge(t, within(got, known[i].carried, 0.005)));
    }
    const double many = saturated_crossbar(256);
    printf("%5d %9.4f %10.4f (endlessly many)%s\n", 256, many, 2 - sqrt(2), judge(t, within(many, 2 - sqrt(2), 0.01)));
}

/* --- Memory --- */

static void memory_bandwidth(tally *t)
{
    static const struct {
        const char *file;
        double stream, random; /* DRAMsim3, GB/s */
    } known[] = {
        {"data/tech/dram_gddr5_8gb.ini", 77.24, 16.31},
        {"data/tech/dram_gddr6_8gb.ini", 114.06, 29.33},
        {"data/tech/dram_ddr4_3200.ini", 17.26, 18.67},
    };
    const ws_given given[] = {{"read_queue", 64, NULL}, {"row_hits", 4, NULL}};
    puts("\nmemory channel                  load       GB/s  DRAMsim3  efficiency  accesses a row");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int stream = 1; stream >= 0; stream--) {
            ws_dram_part part;
            ws_dram_map map;
            ws_dram *dram;
            if (ws_dram_part_read(known[i].file, &part) ||
                ws_dram_map_parse(part.mapping, known[i].file, &part, 1, &map) ||
                ws_dram_create("frfcfs", &part, given, 2, &dram)) {
                fprintf(stderr, "%s\n", ws_message());
                exit(1);
            }
            const double got = measure_bandwidth(dram, &part, &map, stream, 1000000);
            const double want = stream ? known[i].stream : known[i].random;
            printf("%-30s  %s %8.2f %9.2f %11.3f %15.1f%s\n", known[i].file, stream ? "stream" : "random", got, want,
                   ws_dram_efficiency(dram), ws_dram_row_locality(dram), judge(t, within(got, want, 0.05)));
            ws_dram_destroy(dram);
        }
}

int main(void)
{
    tally t = {0, 0};
    mesh_uniform(&t);
    mesh_saturation(&t);
    mesh_transpose(&t);
    crossbar_head_of_line(&t);
    memory_bandwidth(&t);
    printf("sim-curves: %d passed, %d failed\n", t.passed, t.failed);
    return t.failed > 0;
}
