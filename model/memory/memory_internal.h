/* memory_internal.h - what an organisation is told, and what it answers. */
#ifndef WS_MEMORY_INTERNAL_H
#define WS_MEMORY_INTERNAL_H

#include "model/memory/memory_model.h"

enum { WS_MEMORY_OPTIONS = 8 };

/* A part of the machine under an organisation. prepare() fills what is behind `values`; before it, all is as in SRAM.
 */
typedef struct ws_memory_setup {
    const ws_memory_chip *chip;
    ws_memory_part part;
    uint64_t values[WS_MEMORY_OPTIONS]; /* as the organisation's options are */
    bool magnetic;
    uint32_t width; /* of arrays that are compared before they are written; 0: none are */
    /* Over SRAM's: a read, a write of all bits, a comparison before it (all of 32 bits), leakage. */
    double read, write, compare, leakage;
    double area_m2; /* of an SM */
    double read_cycles, write_cycles;
    double result_cycles; /* registers: from a result until an instruction can read it, where its bank is idle and takes
                             it in one turn */
    uint32_t port;        /* registers: words that a bank writes in a turn; 0: all of a row */
    uint32_t waiting;     /* registers: of warps, that wait in front of banks; 0: none do */
    double activate_j;    /* registers: word line of a row, and its decoder */
    /* A section of SRAM, or a buffer, over SRAM of the part: an access of 32 bits, a lookup of a line's tag, leakage.
     */
    double section, tag, section_leakage;
} ws_memory_setup;

/* A launch. */
typedef struct ws_memory_use {
    const ws_memory_launch *launch;
    double seconds, leakage_j; /* with the times of the organisations; in SRAM */
    double busy_leakage_j;     /* of this, of SMs while they have a block */
    double busy_cycles;        /* of SMs with a block, summed over them */
    double instruction_cycles; /* from an instruction of a warp to its next */
    double rounds;             /* blocks that one place in an SM sees one after the other */
} ws_memory_use;

/* Of shared memory, in a launch. */
typedef struct ws_memory_delays {
    double read_cycles; /* of a load */
    double busy_cycles; /* that a store keeps banks busy beyond a load, as in model/sim/sm/load_store.c */
} ws_memory_delays;

struct ws_memory_ops {
    const char *name; /* unique for its part */
    ws_memory_part part;
    const ws_option *options;
    int (*prepare)(ws_memory_setup *setup);
    void (*add)(const ws_memory_setup *setup, const ws_memory_use *use, ws_memory_sum *sum);
    void (*delays)(const ws_memory_setup *setup, const ws_memory_launch *launch,
                   ws_memory_delays *out); /* NULL: as the setup's times say */
};

/* --- for prepare --- */

/* A memory of so many bytes in an SM, cut as the part is. */
int ws_memory_array(const ws_memory_setup *setup, const ws_cell *cell, uint64_t bytes, ws_array_result *out);
/* The part becomes magnetic: ratios, area, times. */
int ws_memory_magnetic(ws_memory_setup *setup);
/* A section of SRAM, or a buffer, of so many bytes beside the part. tags: 4 bytes for each line of WS_RECENCY_LINE, so
 * many of which are looked up at once; 0: none. */
int ws_memory_section(ws_memory_setup *setup, uint64_t bytes, uint32_t tags);
/* SRAM in front of banks of registers, for so many registers of warps: a buffer of a word each in each lane, and their
 * addresses in front of each bank. */
int ws_memory_buffers(ws_memory_setup *setup, uint32_t waiting);
/* Writes are compared in arrays so wide; WS_EINPUT unless these make up a word of 32 bits; 0: they are not. */
int ws_memory_set_width(ws_memory_setup *setup, uint64_t width);

/* --- banks of registers (register_banks.c) --- */

/* Turns of the port that a row takes, in the mean (register_turns.h). */
double ws_memory_turns(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* For how long the write of a row keeps its bank, in the mean. */
double ws_memory_row_cycles(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* The mean of the cycles that rows wait for their bank in a launch of so many cycles, and the most that is taken for
 * one; the cycles for which the busiest bank is. */
double ws_memory_bank_wait(const ws_memory_setup *setup, const ws_memory_launch *launch, double cycles);
double ws_memory_bank_wait_most(const ws_memory_setup *setup, const ws_memory_launch *launch);
double ws_memory_bank_cycles(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* Cycles by which a result and an operand of a launch of so many cycles come later than from banks that are idle and
 * write rows whole. */
double ws_memory_port_delay(const ws_memory_setup *setup, const ws_memory_launch *launch, double cycles);
/* Turns beyond the first of rows, of which `merged` (a share) join others, and what they cost. */
void ws_memory_add_turns(const ws_memory_setup *setup, const ws_memory_launch *launch, double merged,
                         ws_memory_sum *sum);

/* --- for add and delays --- */

/* Stores that are slower than loads keep banks for the difference. */
double ws_memory_busy(double read_cycles, double write_cycles);

/* Of the bits that are written, the share that arrays of that width write; 0: all. */
double ws_memory_share_written(const ws_changed_bits *changed, uint64_t width);
/* A write over one of SRAM: arrays of that width, 0: whole, without looking. */
double ws_memory_write_cost(const ws_memory_setup *setup, const ws_changed_bits *changed, uint64_t width);
/* A write that ends early in cells that hold their bit. */
double ws_memory_terminated_cost(const ws_memory_setup *setup, const ws_changed_bits *changed);
/* Of a histogram of times (WS_VALUE_TIMES), what is beyond `limit`; within a bin as if its logarithm were even. */
double ws_memory_beyond(const uint64_t *times, double limit);
/* Instructions of a warp in which a cell forgets. */
double ws_memory_retention(const ws_memory_setup *setup, const ws_memory_use *use);
/* Words of shared memory that decay before they are read last; `share` of the writes go to magnetic memory. */
void ws_memory_forgets(const ws_memory_setup *setup, const ws_memory_use *use, double share, ws_memory_sum *sum);
/* Hits of a cache, of accesses with the distances of this bin (model/shared_recency.h) when so many blocks share it:
 * the least recent of `ways` lines of a set goes, lines fall into sets as lots do (Hill, Smith, Evaluating
 * Associativity in CPU Caches, 1989). */
double ws_memory_hits(unsigned bin, double residents, uint64_t sets, uint64_t ways);

static inline double ws_memory_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

#define ORGANISATION(name) extern const ws_memory_ops ws_memory_##name;
#include "model/memory/organisations.def"
#undef ORGANISATION

#endif
