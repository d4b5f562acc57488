/* memory_model.h - what would registers, shared memory and read-only caches cost if they were magnetic (STT-MRAM),
 * written as this or that organisation writes?
 *
 * Closed forms over profiles, no event is looked at. What a launch costs in SRAM comes in, from model/power;
 * organisations say by how much reads, writes and leakage differ, from the shares of bits that change, of data that
 * live long, of lines that are written again (model/launch_values.h). An organisation is a file and a row of
 * organisations.def:
 *
 *     ws_memory *memory;   ws_memory_result sum = {0};
 *     ws_memory_create(&chip, (const char *[]){"stt:width=4", "hybrid:16K,ways=2", "sram"}, &memory);
 *     ws_memory_add(memory, kernel, &launch, &sum);
 *
 * After Goswami, Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies, 2013,
 * chapter 6. docs/memory.md has the formulas. */
#ifndef WS_MEMORY_MODEL_H
#define WS_MEMORY_MODEL_H

#include "model/array/array.h"
#include "model/launch_values.h"
#include "base/option.h"

/* data/tech/memory_*.ini: the rows of memory_tech.def. */
typedef struct ws_memory_tech {
#define FIELD(section, name, unit, least, most, meaning) double section##_##name;
#include "model/memory/memory_tech.def"
#undef FIELD
} ws_memory_tech;

/* WS_EINPUT with FILE:LINE:COLUMN for what is unknown, missing, beyond its bounds or has another unit; WS_EIO. */
int ws_memory_tech_read(const char *path, ws_memory_tech *out);
/* "coalesce.pass", "0.5". WS_ENOTFOUND without a message: there is none of that name; WS_EINPUT. */
int ws_memory_tech_set(ws_memory_tech *tech, const char *name, const char *value);
int ws_memory_tech_parse(const char *file, const char *text, size_t length, ws_memory_tech *out);

enum { WS_MEMORY_WORD = 32 }; /* bits */

typedef enum ws_memory_part {
    WS_MEMORY_REGISTERS,
    WS_MEMORY_SHARED,
    WS_MEMORY_READONLY,
    WS_MEMORY_PARTS
} ws_memory_part;
/* "registers", "shared", "readonly". */
extern const char *const ws_memory_part_names[WS_MEMORY_PARTS];

/* The machine, with all of it in SRAM. */
typedef struct ws_memory_chip {
    const ws_memory_tech *tech;
    const ws_node *node;
    const ws_cell *sram, *stt;
    double volts, kelvin, clock_hz;
    bool arrays; /* energies of magnetic memory over SRAM's by model/array from the cells; else by the bits of `tech` */
    double scrub_s; /* all magnetic memory is written again so often; 0: never */
    uint32_t sms;
    struct {
        uint64_t bytes;         /* of an SM; 0: there is none */
        uint32_t banks, word;   /* bytes that a bank reads or writes at a time */
        double read_j, write_j; /* 32 bits; of read-only caches not used */
        double read_cycles, write_cycles;
    } part[WS_MEMORY_PARTS];
    uint32_t register_port; /* words that a bank of registers writes in a cycle; 0: all of a row */
} ws_memory_chip;

/* A launch in SRAM. */
typedef struct ws_memory_launch {
    const ws_launch_values *values;
    struct {
        double reads, writes; /* of 32 bits */
        double read_j, write_j, leakage_j;
        double busy_leakage_j; /* of this, of SMs while they have a block */
    } part[WS_MEMORY_PARTS];
    double cycles;
    double busy_cycles;                                  /* of SMs with a block, summed over them */
    double bound;                                        /* cycles of the busiest resource alone */
    double shared_cycles;                                /* for which the banks of shared memory are busy, of an SM */
    double shared_loads, shared_stores;                  /* instructions of warps */
    double row_writes, row_reads;                        /* registers of warps */
    double blocks, warps_per_block, busy_sms, residents; /* residents: blocks in an SM at a time */
} ws_memory_launch;

typedef struct ws_memory_sum {
    double reads, writes; /* of 32 bits */
    double read_j, write_j, leakage_j, scrub_j;
    double bits, bits_written; /* that are written to; of magnetic cells, that are */
    double cell_writes;        /* of 32 bits, that reach magnetic cells */
    double same, single;       /* writes that change nothing; of registers, that are read once before the next */
    double text_writes, once;  /* of registers as the kernel's text names them; of these the only ones of a warp */
    double coalesced;          /* rows of registers, of warps, that joined one that waited */
    double turns, more_turns;  /* of ports of banks of registers; of these beyond the first of each row */
    double section_reads, section_writes; /* that a section of SRAM served */
    double lookups;                       /* of tags of its lines */
    double section_cycles;                /* of SMs with a block and this section on */
    double decayed;                       /* writes whose data were read when they had decayed */
    double wear;                          /* writes of the cell that is written most */
} ws_memory_sum;

/* Sums over launches. */
typedef struct ws_memory_result {
    ws_memory_sum part[WS_MEMORY_PARTS];
    double cycles, seconds;
} ws_memory_result;

/* A part of magnetic memory over one of SRAM: a read and a write of 32 bits, a comparison of them before it; of a write
 * that ends early, watching its bits, and bits that stay; leakage. Of a section or buffer of SRAM beside it: an access
 * of 32 bits, a lookup of a line's tag, leakage, over the part in SRAM. */
typedef struct ws_memory_ratios {
    double read, write, compare, watch, same, leakage;
    double section, tag, section_leakage;
    double activate_j; /* of a row of it */
} ws_memory_ratios;

/* SRAM beside a magnetic memory, of an SM. */
typedef struct ws_memory_beside {
    uint64_t section_bytes; /* 0: there is none */
    uint32_t tags;          /* that a lookup in the section reads; 0: it has none */
    uint32_t waiting;       /* registers of warps that wait in front of banks; 0: none do */
} ws_memory_beside;

/* For models that count what cells do: the constants of the organisations. Of `chip` the part's bytes, banks and word
 * are used, not its energies and times. WS_EINPUT. */
int ws_memory_ratios_of(const ws_memory_chip *chip, ws_memory_part part, const ws_memory_beside *beside,
                        ws_memory_ratios *out);

/* Caches of constants and textures are one part: an array of all their bytes, with lines of textures. */
static inline void ws_memory_readonly_part(ws_memory_chip *chip, uint64_t bytes, uint32_t line)
{
    chip->part[WS_MEMORY_READONLY].bytes = bytes;
    chip->part[WS_MEMORY_READONLY].banks = 1;
    chip->part[WS_MEMORY_READONLY].word = line;
}

typedef struct ws_memory ws_memory;

/* An organisation for each part: NAME[:OPTION[=VALUE][,...]], "stt:width=4,coalesce"; sizes may end in K. `chip` is
 * copied, what it points to borrowed. WS_EINPUT with the option and the reason. Freed with destroy. */
int ws_memory_create(const ws_memory_chip *chip, const char *const organisation[WS_MEMORY_PARTS], ws_memory **out);
void ws_memory_destroy(ws_memory *memory); /* accepts NULL */

/* Adds a launch of the kernel, whose values are known. WS_EVERIFY for a time beyond the bounds of model/time_bounds.h.
 */
int ws_memory_add(const ws_memory *memory, const char *kernel, const ws_memory_launch *launch, ws_memory_result *sum);

/* Square metres, of all SMs. */
double ws_memory_area(const ws_memory *memory, ws_memory_part part);
/* Bits of the arrays that are compared before they are written; 0: none are. */
uint32_t ws_memory_width(const ws_memory *memory, ws_memory_part part);
double ws_memory_joules(const ws_memory_sum *sum);
/* Years until the cell that is written most is worn out, at this rate; INFINITY: nothing wears. */
double ws_memory_years(const ws_memory *memory, const ws_memory_result *result, ws_memory_part part);

/* The table, for lists and tests: NULL behind its end. */
typedef struct ws_memory_ops ws_memory_ops;
const ws_memory_ops *ws_memory_ops_at(size_t index);
const char *ws_memory_ops_name(const ws_memory_ops *ops);
ws_memory_part ws_memory_ops_part(const ws_memory_ops *ops);

#endif
