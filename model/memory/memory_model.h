/* memory_model.h - cost of magnetic (STT-MRAM) registers, shared memory and read-only caches under several write
 * organisations.
 *
 * The model consists of closed forms over profiles; no event is processed. model/power provides the cost of a launch in
 * SRAM. Organisations scale its reads, writes and leakage by the shares of changed bits, of long-lived data and of
 * rewritten lines (model/launch_values.h). An organisation is a file and a row of organisations.def:
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

/* Values of data/tech/memory_*.ini: the rows of memory_tech.def. */
typedef struct ws_memory_tech {
#define FIELD(section, name, unit, least, most, meaning) double section##_##name;
#include "model/memory/memory_tech.def"
#undef FIELD
} ws_memory_tech;

/* WS_EINPUT with FILE:LINE:COLUMN for an unknown or missing entry, a value beyond its bounds or another unit; WS_EIO.
 */
int ws_memory_tech_read(const char *path, ws_memory_tech *out);
/* Sets a value: "coalesce.pass", "0.5". WS_ENOTFOUND without a message for an unknown name; WS_EINPUT. */
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

/* Machine with all parts in SRAM. */
typedef struct ws_memory_chip {
    const ws_memory_tech *tech;
    const ws_node *node;
    const ws_cell *sram, *stt;
    double volts, kelvin, clock_hz;
    bool arrays; /* energies of magnetic memory relative to SRAM are those of model/array for the cells; otherwise from
                    the bits of `tech` */
    double scrub_s; /* period of rewriting all magnetic memory; 0: never */
    uint32_t sms;
    struct {
        uint64_t bytes;         /* of an SM; 0: no such part */
        uint32_t banks, word;   /* bytes of a bank access */
        double read_j, write_j; /* of 32 bits; not used for read-only caches */
        double read_cycles, write_cycles;
    } part[WS_MEMORY_PARTS];
    uint32_t register_port; /* words that a register bank writes per cycle; 0: a whole row */
} ws_memory_chip;

/* Launch in SRAM. */
typedef struct ws_memory_launch {
    const ws_launch_values *values;
    struct {
        double reads, writes; /* of 32 bits */
        double read_j, write_j, leakage_j;
        double busy_leakage_j; /* its share of SMs while they have a block */
    } part[WS_MEMORY_PARTS];
    double cycles;
    double busy_cycles;                                  /* cycles of SMs with a block, summed over SMs */
    double bound;                                        /* cycles of the busiest resource alone */
    double shared_cycles;                                /* cycles that the shared-memory banks of an SM are busy */
    double shared_loads, shared_stores;                  /* instructions of warps */
    double row_writes, row_reads;                        /* warp registers */
    double blocks, warps_per_block, busy_sms, residents; /* residents: concurrent blocks of an SM */
} ws_memory_launch;

typedef struct ws_memory_sum {
    double reads, writes; /* of 32 bits */
    double read_j, write_j, leakage_j, scrub_j;
    double bits, bits_written; /* bits of writes; bits of magnetic cells written */
    double cell_writes;        /* of 32 bits, to magnetic cells */
    double same, single;       /* writes without a change; register values read once before the next write */
    double text_writes, once;  /* writes of registers named in the kernel's text; those that are a warp's only write */
    double coalesced;          /* warp register rows merged with a waiting one */
    double turns, more_turns;  /* turns of register bank ports; those after the first of each row */
    double section_reads, section_writes; /* served by a section of SRAM */
    double lookups;                       /* of tags of its lines */
    double section_cycles;                /* cycles of SMs with a block and this section on */
    double decayed;                       /* writes whose data were read after they decayed */
    double wear;                          /* writes of the most written cell */
} ws_memory_sum;

/* Sums over launches. */
typedef struct ws_memory_result {
    ws_memory_sum part[WS_MEMORY_PARTS];
    double cycles, seconds;
} ws_memory_result;

/* Magnetic memory relative to SRAM: a read and a write of 32 bits; a comparison before the write; of a write with early
 * termination, watching its bits and unchanged bits; leakage. Section or buffer of SRAM, relative to the part in SRAM:
 * an access of 32 bits, a lookup of a line's tag, leakage. */
typedef struct ws_memory_ratios {
    double read, write, compare, watch, same, leakage;
    double section, tag, section_leakage;
    double activate_j; /* of one of its rows */
} ws_memory_ratios;

/* SRAM of an SM in addition to magnetic memory. */
typedef struct ws_memory_beside {
    uint64_t section_bytes; /* 0: none */
    uint32_t tags;          /* read by a lookup in the section; 0: it has none */
    uint32_t waiting;       /* warp registers that wait in front of banks; 0: none */
} ws_memory_beside;

/* Computes the constants of the organisations, for models that count cell activity. Of `chip` only the part's bytes,
 * banks and word are used. WS_EINPUT. */
int ws_memory_ratios_of(const ws_memory_chip *chip, ws_memory_part part, const ws_memory_beside *beside,
                        ws_memory_ratios *out);

/* Describes the constant and texture caches as one part: an array of all their bytes, with lines of textures. */
static inline void ws_memory_readonly_part(ws_memory_chip *chip, uint64_t bytes, uint32_t line)
{
    chip->part[WS_MEMORY_READONLY].bytes = bytes;
    chip->part[WS_MEMORY_READONLY].banks = 1;
    chip->part[WS_MEMORY_READONLY].word = line;
}

typedef struct ws_memory ws_memory;

/* Creates a model with an organisation for each part: NAME[:OPTION[=VALUE][,...]], "stt:width=4,coalesce"; sizes may
 * end in K. `chip` is copied; its pointers are borrowed. WS_EINPUT with the option and the reason. Freed with
 * ws_memory_destroy. */
int ws_memory_create(const ws_memory_chip *chip, const char *const organisation[WS_MEMORY_PARTS], ws_memory **out);
void ws_memory_destroy(ws_memory *memory); /* accepts NULL */

/* Adds a launch of the kernel, whose values must be known. WS_EVERIFY for a time beyond the bounds of
 * model/time_bounds.h. */
int ws_memory_add(const ws_memory *memory, const char *kernel, const ws_memory_launch *launch, ws_memory_result *sum);

/* Returns square metres of all SMs. */
double ws_memory_area(const ws_memory *memory, ws_memory_part part);
/* Returns the bits of the arrays that are compared before a write; 0: no comparison. */
uint32_t ws_memory_width(const ws_memory *memory, ws_memory_part part);
double ws_memory_joules(const ws_memory_sum *sum);
/* Returns the years until the most written cell is worn out at this rate; INFINITY: no wear. */
double ws_memory_years(const ws_memory *memory, const ws_memory_result *result, ws_memory_part part);

/* Row of the table, for listings and tests; ws_memory_ops_at() returns NULL past the last. */
typedef struct ws_memory_ops ws_memory_ops;
const ws_memory_ops *ws_memory_ops_at(size_t index);
const char *ws_memory_ops_name(const ws_memory_ops *ops);
ws_memory_part ws_memory_ops_part(const ws_memory_ops *ops);

#endif
