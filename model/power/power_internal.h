/* power_internal.h - how components say what they cost. */
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
    double logic;                 /* energy of a gate here over that at the node and voltage of energies->node: C V^2 */
    double wire;                  /* joules for a bit that moves a metre, half of the bits changing */
    ws_power_component component; /* that speaks */
    ws_power *power;
} ws_power_build;

#define COMPONENT(name, group, summary) int ws_power_add_##name(ws_power_build *build);
#include "model/power/components.def"
#undef COMPONENT

/* Instead of all of them, where the machine has power.accesses: each access as a study prints it
 * (data/tech/lab_12nm.ini). */
int ws_power_add_accesses(ws_power_build *build);

/* A place among the numbers of a ws_activity. */
#define WS_COUNTER(member, element) (offsetof(ws_activity, member) / sizeof(uint64_t) + (element))

/* Each event of the counter costs `joules`. `why` is a format. WS_EMEM. */
int ws_power_event(ws_power_build *build, size_t counter, double joules, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
/* `watts` flow while the chip runs, or an SM has a block, or has none, or has one and the section of its shared memory
 * on: of one SM. */
typedef enum ws_power_while { WS_WHILE_RUNNING, WS_WHILE_BUSY, WS_WHILE_IDLE, WS_WHILE_SECTION } ws_power_while;
int ws_power_leak(ws_power_build *build, ws_power_while when, double watts, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
/* Of each SM, with a block or without one: then less is left on by what the chip gates. */
int ws_power_leak_in_sms(ws_power_build *build, double watts, const char *why);

/* Energies of energy.ini, which are of one operation, brought to the node and voltage. */
int ws_power_operation(ws_power_build *build, ws_operation operation);
int ws_power_operations(ws_power_build *build, const ws_operation *operations, size_t count);

/* Of an SM as a square: its side, and that of one of its lanes for floats. Metres. */
double ws_power_sm_side_m(const ws_power_build *build);
double ws_power_lane_side_m(const ws_power_build *build);
/* Joules of so many transistors of logic that switch, C V^2 of their gates. */
double ws_power_switched(const ws_power_build *build, double transistors);
/* The same of a bit that a flip-flop takes over, its clock apart: clocks are a component of their own. */
double ws_power_latched(const ws_power_build *build);

/* The logic of an SM that a component counts: flip-flops, and all transistors, theirs among them. Arrays have none. */
typedef struct ws_power_size {
    double flipflops, transistors;
} ws_power_size;
ws_power_size ws_power_lanes_size(const ws_power_build *build);
ws_power_size ws_power_decode_size(const ws_power_build *build);
ws_power_size ws_power_scoreboard_size(const ws_power_build *build);
ws_power_size ws_power_scheduler_size(const ws_power_build *build);
ws_power_size ws_power_collectors_size(const ws_power_build *build);
ws_power_size ws_power_counted(const ws_power_build *build);   /* all of these together */
ws_power_size ws_power_uncounted(const ws_power_build *build); /* the rest of an SM: by the transistors of the die */
/* Leakage of such a size, in SMs with a block and without one. */
int ws_power_leak_of(ws_power_build *build, ws_power_size size, const char *why);
/* Instructions of a warp, whatever unit executes them: each costs `joules`. `why` is a format. */
int ws_power_instructions(ws_power_build *build, double joules, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

/* Transistors of logic, off as energy.ini says (cells of arrays leak besides): of an SM, of all that is not SMs in the
 * machine's chips, whose part grows with memory channels. Watts at the node, voltage and temperature. */
double ws_power_sm_leakage(const ws_power_build *build);
double ws_power_uncore_leakage(const ws_power_build *build);
/* Of that, so many of them; and what routers are made of: buffers and switches of both directions. */
double ws_power_transistors_leakage(const ws_power_build *build, double transistors);
double ws_power_router_transistors(const ws_power_build *build);
/* Of a square chip with the machine's SMs and channels. */
double ws_power_side_m(const ws_power_build *build);

/* The crossbar of light that carries requests (0) or answers (1); *light: it is one. WS_EINPUT when losses are beyond
 * what a laser gives, or light is slower than network.loop says; the message says which option. */
int ws_power_light(const ws_power_build *build, unsigned direction, bool *light, ws_optics_crossbar *out);

/* A memory of `bytes`, read and written `word` bytes at a time; ways: of so many words side by side, all of which are
 * read. */
int ws_power_array(const ws_power_build *build, uint64_t bytes, unsigned word, unsigned ways, ws_array_result *out);

/* A part of the machine whose cells are magnetic, and of which activity counts what happens to them. */
typedef struct ws_power_magnetic {
    ws_memory_part part;
    uint64_t bytes;       /* of an SM */
    uint32_t banks, word; /* bytes that a bank reads or writes at a time */
    ws_cells cells;
    double read_j, write_j; /* of 32 bits in SRAM */
    size_t reads, lanes,
        parts; /* counters: registers or words that are read, that are written, 1/64 of these that cells were written */
} ws_power_magnetic;
/* The terms of reads and writes, by the ratios of model/memory, which come back with *ratios. */
int ws_power_add_magnetic(ws_power_build *build, const ws_power_magnetic *part, ws_memory_ratios *ratios);
/* Those of read-only caches of an SM, all of them one array; 1 each where the cells are SRAM. */
int ws_power_readonly_ratios(const ws_power_build *build, ws_bit_cells cells, ws_memory_ratios *ratios);

/* Of the machine's signatures, by the file that power.race names; *out is all 0 where the machine detects no races, or
 * as an idea does that costs nothing. WS_EINPUT for a size of signatures that the file does not reach, WS_EIO. */
int ws_power_race_costs(const ws_power_build *build, ws_race_costs *out);

enum { WS_TAG_BYTES = 4 }; /* of an address and its state */

/* Tags are looked up, then a sector of the way that hits is read: hits, updates, fills (written, then handed on) and
 * writebacks. */
typedef struct ws_power_cache_shape {
    uint64_t bytes;
    unsigned ways, line, sector;
    unsigned cache;  /* index among the caches of ws_activity */
    unsigned copies; /* of it in the machine */
    double way_m;    /* of wires to where data go */
    bool in_sms;
    ws_bit_cells cells; /* magnetic ones: it is a read-only cache of an SM */
} ws_power_cache_shape;
int ws_power_add_cache(ws_power_build *build, const ws_power_cache_shape *shape);

#endif
