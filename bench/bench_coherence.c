/* bench_coherence.c - how many accesses a second does the functional replay of coherence traffic take? One core.
 *
 * 16 SMs of 48 warps, L1s of 16 KB, 8 banks of 128 KB. Accesses are made before the clock starts: most to blocks that
 * the SM uses often, some to blocks that all SMs share and that fit L2, some to a region that does not. */
#include "base/status.h"
#include "model/coherence/replay.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ACCESSES = 1 << 20, SMS = 16, WARPS = 48, HOT = 96, SHARED = 4096, FAR = 1 << 16 };

typedef struct access {
    uint32_t block, mask;
    uint8_t kind, sm, warp;
} access;

static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static access *make_accesses(double hot, double shared, double stores)
{
    access *const list = malloc(ACCESSES * sizeof *list);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 1);
    for (size_t i = 0; list && i < ACCESSES; i++) {
        access *const a = &list[i];
        const double where = gsl_rng_uniform(rng);
        a->sm = (uint8_t)(i % SMS);
        a->warp = (uint8_t)(i / SMS % WARPS);
        a->block = (uint32_t)(where < hot            ? FAR + SHARED + a->sm * HOT + gsl_rng_uniform_int(rng, HOT)
                              : where < hot + shared ? FAR + gsl_rng_uniform_int(rng, SHARED)
                                                     : gsl_rng_uniform_int(rng, FAR));
        a->kind = gsl_rng_uniform(rng) < stores ? WS_REQUEST_STORE : WS_REQUEST_LOAD;
        a->mask = UINT32_MAX;
    }
    gsl_rng_free(rng);
    return list;
}

static int run(ws_coherence_replay *replay, const access *list, uint64_t from)
{
    ws_request r = {0};
    for (size_t i = 0; i < ACCESSES; i++) {
        const access *const a = &list[i];
        r.kind = a->kind;
        r.warp = a->warp;
        r.mask = a->mask;
        r.block = a->block;
        const int rc = ws_coherence_replay_request(replay, a->sm, &r, from + i / SMS);
        if (rc < 0)
            return rc;
    }
    return WS_OK;
}

static int measure(const char *protocol, const access *list, unsigned rounds)
{
    ws_coherence_config config = ws_coherence_defaults;
    config.protocol = protocol;
    config.lease = ws_coherence_is_physical(protocol) ? 400 : 10;
    ws_coherence_replay *replay;
    if (ws_coherence_replay_create(&config, &ws_message_default_sizes, &replay)) {
        fprintf(stderr, "%s\n", ws_message());
        return 1;
    }
    double best = 1e9;
    for (unsigned i = 0; i < rounds; i++) {
        const double start = cpu_s();
        if (run(replay, list, (uint64_t)i * (ACCESSES / SMS))) {
            fprintf(stderr, "%s\n", ws_message());
            return 1;
        }
        const double seconds = cpu_s() - start;
        best = seconds < best ? seconds : best;
    }
    ws_coherence_traffic t;
    ws_coherence_replay_sum(replay, &t);
    const uint64_t taken = t.l1.loads + t.l1.stores;
    printf("%-12s %8.1f %8.1f %9.2f %8.1f\n", protocol, 100.0 * (double)t.l1.hits / (double)taken,
           100.0 * (double)t.l1.expired / (double)taken, (double)t.network_messages / (double)taken,
           (double)taken / rounds / best / 1e6);
    ws_coherence_replay_destroy(replay);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *what;
        double hot, shared, stores;
    } mixes[] = {
        {"hits: 95 % often used, 2 % stores", 0.95, 0.05, 0.02},
        {"mixed: 70 % often used, 20 % shared, 15 % stores", 0.70, 0.20, 0.15},
        {"misses: 20 % often used, 60 % shared, 30 % stores", 0.20, 0.60, 0.30},
    };
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        access *const list = make_accesses(mixes[i].hot, mixes[i].shared, mixes[i].stores);
        if (!list)
            return 1;
        printf("%s\n%-12s %8s %8s %9s %8s\n", mixes[i].what, "protocol", "hits %", "expired", "messages", "10^6/s");
        for (size_t p = 0; ws_coherence_protocol_name(p); p++)
            if ((argc < 2 || !strcmp(argv[1], ws_coherence_protocol_name(p))) &&
                measure(ws_coherence_protocol_name(p), list, 3))
                return 1;
        free(list);
    }
    return 0;
}
