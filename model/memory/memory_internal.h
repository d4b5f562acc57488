/* memory_internal.h - interface of memory organisations. */
#ifndef WS_MEMORY_INTERNAL_H
#define WS_MEMORY_INTERNAL_H

#include "model/memory/memory_model.h"

enum { WS_MEMORY_OPTIONS = 8 };

/* Part of the machine under an organisation. prepare() fills the members after `values`, which initially equal those of
 * SRAM. */
typedef struct ws_memory_setup {
    const ws_memory_chip *chip;
    ws_memory_part part;
    uint64_t values[WS_MEMORY_OPTIONS]; /* of the organisation's options */
    bool magnetic;
    uint32_t width; /* of arrays that are compared before a write; 0: no comparison */
    /* Relative to SRAM: a read, a write of all bits, a comparison before it (all of 32 bits), leakage. */
    double read, write, compare, leakage;
    double area_m2; /* of an SM */
    double read_cycles, write_cycles;
    double result_cycles; /* registers: from a result until an instruction can read it, with an idle bank that takes it
                             in one turn */
    uint32_t port;        /* registers: words that a bank writes per turn; 0: a whole row */
    uint32_t waiting;     /* warp registers that wait in front of banks; 0: none */
    double activate_j;    /* registers: word line of a row and its decoder */
    /* Section or buffer of SRAM, relative to SRAM of the part: an access of 32 bits, a lookup of a line's tag, leakage.
     */
    double section, tag, section_leakage;
} ws_memory_setup;

/* Launch. */
typedef struct ws_memory_use {
    const ws_memory_launch *launch;
    double seconds, leakage_j; /* with the times of the organisations; in SRAM */
    double busy_leakage_j;     /* its share of SMs while they have a block */
    double busy_cycles;        /* cycles of SMs with a block, summed over SMs */
    double instruction_cycles; /* between instructions of a warp */
    double rounds;             /* successive blocks of one slot of an SM */
} ws_memory_use;

/* Shared memory in a launch. */
typedef struct ws_memory_delays {
    double read_cycles; /* of a load */
    double busy_cycles; /* added occupancy of banks by a store relative to a load, as in model/sim/sm/load_store.c */
} ws_memory_delays;

struct ws_memory_ops {
    const char *name; /* unique for its part */
    ws_memory_part part;
    const ws_option *options;
    int (*prepare)(ws_memory_setup *setup);
    void (*add)(const ws_memory_setup *setup, const ws_memory_use *use, ws_memory_sum *sum);
    void (*delays)(const ws_memory_setup *setup, const ws_memory_launch *launch,
                   ws_memory_delays *out); /* NULL: from the times of the setup */
};

/* --- for prepare --- */

/* Evaluates a memory of `bytes` bytes in an SM, with the banks of the part. */
int ws_memory_array(const ws_memory_setup *setup, const ws_cell *cell, uint64_t bytes, ws_array_result *out);
/* Makes the part magnetic: ratios, area, times. */
int ws_memory_magnetic(ws_memory_setup *setup);
/* Adds a section or buffer of `bytes` bytes of SRAM to the part. tags: number looked up at once, of 4 bytes for each
 * line of WS_RECENCY_LINE; 0: none. */
int ws_memory_section(ws_memory_setup *setup, uint64_t bytes, uint32_t tags);
/* Adds SRAM in front of register banks for `waiting` warp registers: a buffer of a word each in each lane, and their
 * addresses in front of each bank. */
int ws_memory_buffers(ws_memory_setup *setup, uint32_t waiting);
/* Compares writes in arrays of that width. WS_EINPUT unless such arrays divide a 32-bit word; 0: no comparison. */
int ws_memory_set_width(ws_memory_setup *setup, uint64_t width);

/* --- banks of registers (register_banks.c) --- */

/* Returns the mean port turns of a row (register_turns.h). */
double ws_memory_turns(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* Returns the mean cycles that the write of a row occupies its bank. */
double ws_memory_row_cycles(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* Return the mean cycles that rows wait for their bank in a launch of `cycles` cycles; the assumed maximum of one wait;
 * the busy cycles of the busiest bank. */
double ws_memory_bank_wait(const ws_memory_setup *setup, const ws_memory_launch *launch, double cycles);
double ws_memory_bank_wait_most(const ws_memory_setup *setup, const ws_memory_launch *launch);
double ws_memory_bank_cycles(const ws_memory_setup *setup, const ws_memory_launch *launch);
/* Returns the mean added delay of a result and an operand in a launch of `cycles` cycles, compared with idle banks that
 * write rows whole. */
double ws_memory_port_delay(const ws_memory_setup *setup, const ws_memory_launch *launch, double cycles);
/* Adds the turns of rows after the first and their cost; the share `merged` of rows joins others. */
void ws_memory_add_turns(const ws_memory_setup *setup, const ws_memory_launch *launch, double merged,
                         ws_memory_sum *sum);

/* --- for add and delays --- */

/* Returns the added occupancy of banks by stores that are slower than loads. */
double ws_memory_busy(double read_cycles, double write_cycles);

/* Returns the share of the written bits that arrays of that width write; 0: all. */
double ws_memory_share_written(const ws_changed_bits *changed, uint64_t width);
/* Returns the cost of a write relative to SRAM, with arrays of that width; 0: whole, without comparison. */
double ws_memory_write_cost(const ws_memory_setup *setup, const ws_changed_bits *changed, uint64_t width);
/* Returns the cost of a write that ends early in cells that hold their bit. */
double ws_memory_terminated_cost(const ws_memory_setup *setup, const ws_changed_bits *changed);
/* Returns the part of a histogram of times (WS_VALUE_TIMES) beyond `limit`; times within a bin are taken as uniform in
 * their logarithm. */
double ws_memory_beyond(const uint64_t *times, double limit);
/* Returns the retention time of a cell in instructions of a warp. */
double ws_memory_retention(const ws_memory_setup *setup, const ws_memory_use *use);
/* Adds the words of shared memory that decay before their last read; the share `share` of the writes goes to magnetic
 * memory. */
void ws_memory_forgets(const ws_memory_setup *setup, const ws_memory_use *use, double share, ws_memory_sum *sum);
/* Returns the hit rate of a cache for accesses with the distances of this bin (model/shared_recency.h) and `residents`
 * blocks that share it. LRU replacement, `ways` lines per set, random assignment of lines to sets (Hill, Smith,
 * Evaluating Associativity in CPU Caches, 1989). */
double ws_memory_hits(unsigned bin, double residents, uint64_t sets, uint64_t ways);

static inline double ws_memory_ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

#define ORGANISATION(name) extern const ws_memory_ops ws_memory_##name;
#include "model/memory/organisations.def"
#undef ORGANISATION

#endif
