/* power_internal.h - interface of components for their energies. */
#ifndef WS_POWER_INTERNAL_H
#define WS_POWER_INTERNAL_H

#include "base/status.h"
#include "model/power/chip.h"
#include "model/power/power.h"
#include "model/array/array.h"
#include "model/machine/machine_words.h"
#include "model/memory/memory_model.h"
#include "model/machine/cells.h"
#include "model/tech/node.h"
#include "model/tech/optics.h"
#include "model/tech/race_tech.h"

typedef struct ws_power_build {
    const ws_machine *machine;
    const ws_chip *chip;
    const ws_energies *energies; /* data/tech/energy.ini */
    const ws_memory_energies *memory;
    const ws_node *node;
    const ws_cell *cell; /* of all arrays */
    const ws_optics *optics;
    double volts, temperature_k;
    double logic;                 /* energy of a gate relative to the node and voltage of energies->node: C V^2 */
    double wire;                  /* joules per bit and metre, with half of the bits changing */
    ws_power_component component; /* the current one */
    ws_power *power;
} ws_power_build;

#define COMPONENT(name, group, summary) int ws_power_add_##name(ws_power_build *build);
#include "model/power/components.def"
#undef COMPONENT

/* Replaces all components if the machine has power.accesses: each access costs the value that a study prints
 * (data/tech/lab_12nm.ini). */
int ws_power_add_accesses(ws_power_build *build);

/* Index of a counter among the numbers of a ws_activity. */
#define WS_COUNTER(member, element) (offsetof(ws_activity, member) / sizeof(uint64_t) + (element))

/* Adds `joules` per event of the counter. `why` is a format. WS_EMEM. */
int ws_power_event(ws_power_build *build, size_t counter, double joules, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds `watts` while the chip runs, or per SM: while it has a block, has none, or has a block and the section of its
 * shared memory on. */
typedef enum ws_power_while { WS_WHILE_RUNNING, WS_WHILE_BUSY, WS_WHILE_IDLE, WS_WHILE_SECTION } ws_power_while;
int ws_power_leak(ws_power_build *build, ws_power_while when, double watts, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds leakage of each SM, with and without a block; without one it is reduced by the chip's power gating. */
int ws_power_leak_in_sms(ws_power_build *build, double watts, const char *why);

/* Add energies of energy.ini, which are per operation, scaled to the node and voltage. */
int ws_power_operation(ws_power_build *build, ws_operation operation);
int ws_power_operations(ws_power_build *build, const ws_operation *operations, size_t count);

/* Return the side of an SM as a square, and of one of its floating-point lanes, in metres. */
double ws_power_sm_side_m(const ws_power_build *build);
double ws_power_lane_side_m(const ws_power_build *build);
/* Returns the joules of `transistors` switching logic transistors, C V^2 of their gates. */
double ws_power_switched(const ws_power_build *build, double transistors);
/* Returns the joules of a bit stored in a flip-flop, without its clock: clocks are a separate component. */
double ws_power_latched(const ws_power_build *build);

/* Logic of an SM that a component counts: flip-flops, and all transistors including those of flip-flops. Arrays count
 * no logic. */
typedef struct ws_power_size {
    double flipflops, transistors;
} ws_power_size;
ws_power_size ws_power_lanes_size(const ws_power_build *build);
ws_power_size ws_power_decode_size(const ws_power_build *build);
ws_power_size ws_power_scoreboard_size(const ws_power_build *build);
ws_power_size ws_power_scheduler_size(const ws_power_build *build);
ws_power_size ws_power_collectors_size(const ws_power_build *build);
ws_power_size ws_power_counted(const ws_power_build *build);   /* all of the above together */
ws_power_size ws_power_uncounted(const ws_power_build *build); /* the rest of an SM, by the transistors of the die */
/* Adds the leakage of such a size, in SMs with and without a block. */
int ws_power_leak_of(ws_power_build *build, ws_power_size size, const char *why);
/* Adds `joules` per warp instruction of any unit. `why` is a format. */
int ws_power_instructions(ws_power_build *build, double joules, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

/* Return the leakage of logic transistors with the off-state of energy.ini (array cells leak separately): of an SM; of
 * everything else in the machine's chips, which grows with memory channels. Watts at the node, voltage and temperature.
 */
double ws_power_sm_leakage(const ws_power_build *build);
double ws_power_uncore_leakage(const ws_power_build *build);
/* Return that of `transistors` transistors; the transistors of routers: buffers and switches of both directions. */
double ws_power_transistors_leakage(const ws_power_build *build, double transistors);
double ws_power_router_transistors(const ws_power_build *build);
/* Returns the side of a square chip with the machine's SMs and channels. */
double ws_power_side_m(const ws_power_build *build);

/* Describes the optical crossbar of requests (0) or answers (1); *light: it is one. WS_EINPUT if losses exceed the
 * laser's power, or light is slower than network.loop; the message names the option. */
int ws_power_light(const ws_power_build *build, unsigned direction, bool *light, ws_optics_crossbar *out);

/* Evaluates a memory of `bytes`, accessed `word` bytes at a time; ways: words read in parallel. */
int ws_power_array(const ws_power_build *build, uint64_t bytes, unsigned word, unsigned ways, ws_array_result *out);

/* Part of the machine with magnetic cells whose accesses activity counts. */
typedef struct ws_power_magnetic {
    ws_memory_part part;
    uint64_t bytes;       /* of an SM */
    uint32_t banks, word; /* bytes of a bank access */
    ws_cells cells;
    double read_j, write_j; /* of 32 bits in SRAM */
    size_t reads, lanes,
        parts; /* counters: registers or words read; written; 1/64 of the latter whose cells were written */
} ws_power_magnetic;
/* Adds the terms of reads and writes, with the ratios of model/memory, which are stored in *ratios. */
int ws_power_add_magnetic(ws_power_build *build, const ws_power_magnetic *part, ws_memory_ratios *ratios);
/* Computes the ratios of an SM's read-only caches as one array; 1 each with SRAM cells. */
int ws_power_readonly_ratios(const ws_power_build *build, ws_bit_cells cells, ws_memory_ratios *ratios);

/* Reads the costs of the machine's signatures from the file that power.race names; *out is all 0 without race
 * detection, or with ideal detection. WS_EINPUT for a signature size outside the file's range, WS_EIO. */
int ws_power_race_costs(const ws_power_build *build, ws_race_costs *out);

enum { WS_TAG_BYTES = 4 }; /* address and state */

/* Cache whose tags are looked up before a sector of the hit way is read: hits, updates, fills (written and forwarded)
 * and writebacks. */
typedef struct ws_power_cache_shape {
    uint64_t bytes;
    unsigned ways, line, sector;
    unsigned cache;  /* index among the caches of ws_activity */
    unsigned copies; /* number in the machine */
    double way_m;    /* length of wires to the destination of data */
    bool in_sms;
    ws_bit_cells cells; /* magnetic: read-only cache of an SM */
} ws_power_cache_shape;
int ws_power_add_cache(ws_power_build *build, const ws_power_cache_shape *shape);

#endif
