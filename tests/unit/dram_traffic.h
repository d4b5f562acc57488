/* dram_traffic.h - the two loads with which DRAMsim3 measures bandwidth, number for number.
 *
 * Its generator is std::mt19937_64 with the seed 5489 (Matsumoto, Nishimura, Mersenne Twister, 1998; the 64-bit
 * numbers by Nishimura, 2000). "stream": two arrays are read and one is written in steps of 64 bytes, 2 MiB at a
 * time, at random starts. "random": a third of the requests, at random addresses, are writes. Both offer all that the
 * queues take. */
#ifndef WS_TEST_DRAM_TRAFFIC_H
#define WS_TEST_DRAM_TRAFFIC_H

#include "model/sim/memory/dram.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct twister {
    uint64_t state[312];
    int at;
} twister;

static inline void twister_seed(twister *t, uint64_t seed)
{
    t->state[0] = seed;
    for (uint64_t i = 1; i < 312; i++)
        t->state[i] = 6364136223846793005u * (t->state[i - 1] ^ t->state[i - 1] >> 62) + i;
    t->at = 312;
}

static inline uint64_t twister_next(twister *t)
{
    for (int i = 0; t->at == 312 && i < 312; i++) {
        const uint64_t mixed = (t->state[i] & ~(uint64_t)0x7fffffff) | (t->state[(i + 1) % 312] & 0x7fffffff);
        t->state[i] = t->state[(i + 156) % 312] ^ mixed >> 1 ^ (mixed & 1 ? 0xb5026f5aa96619e9u : 0);
    }
    t->at = t->at == 312 ? 0 : t->at;
    uint64_t x = t->state[t->at++];
    x ^= x >> 29 & 0x5555555555555555u;
    x ^= x << 17 & 0x71d67fffeda60000u;
    x ^= x << 37 & 0xfff7eee000000000u;
    return x ^ x >> 43;
}

typedef struct dram_load {
    ws_dram *dram;
    const ws_dram_map *map;
    twister random;
    uint64_t start[3], offset; /* stream */
    bool taken[3];
    uint64_t address; /* random */
    bool write, next;
} dram_load;

static inline bool offer_request(dram_load *load, uint64_t address, bool write)
{
    ws_dram_request request = {.address = address, .write = write};
    ws_dram_map_place(load->map, address, &request.at);
    return ws_dram_push(load->dram, &request);
}

static inline void offer_stream(dram_load *load)
{
    if (load->offset >= 2 << 20)
        for (int i = load->offset = 0; i < 3; i++)
            load->start[i] = twister_next(&load->random);
    for (int i = 0; i < 3; i++)
        load->taken[i] = load->taken[i] || offer_request(load, load->start[i] + load->offset, i == 2);
    if (!load->taken[0] || !load->taken[1] || !load->taken[2])
        return;
    load->offset += 64;
    load->taken[0] = load->taken[1] = load->taken[2] = false;
}

static inline void offer_random(dram_load *load)
{
    if (load->next) {
        load->address = twister_next(&load->random);
        load->write = twister_next(&load->random) % 3 == 0;
    }
    load->next = offer_request(load, load->address, load->write);
}

/* GB/s over that many cycles: replies and writes that were taken. */
static inline double measure_bandwidth(ws_dram *dram, const ws_dram_part *part, const ws_dram_map *map, bool stream,
                                       uint64_t cycles)
{
    dram_load load = {.dram = dram, .map = map, .offset = 2 << 20, .next = true};
    twister_seed(&load.random, 5489);
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        ws_dram_request reply;
        ws_dram_step(dram, cycle + 1);
        while (ws_dram_pop(dram, &reply))
            continue;
        (stream ? offer_stream : offer_random)(&load);
    }
    const ws_dram_totals sum = ws_dram_sum(dram);
    return (double)(sum.reads_out + sum.writes_in) * part->burst_bytes * part->clock_mhz / 1e3 / (double)cycles;
}

#endif
