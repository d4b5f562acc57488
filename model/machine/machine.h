/* machine.h - simulated machine: the numbers and names of machine.def, read from a file of data/configs. */
#ifndef WS_MACHINE_H
#define WS_MACHINE_H

#include "model/cache/cache.h"
#include "model/cache/slice_map.h"
#include "model/instruction_times.h"
#include "model/machine/dram_part.h"
#include "model/machine/machine_declared.h"
#include "model/machine/machine_option.h"
#include "model/machine/machine_shape.h"
#include "model/machine/machine_words.h"
#include "model/residency.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_MACHINE_WORD = 64 };

/* Options of a policy or network, which are in its section and not in machine.def. */
typedef struct ws_machine_options {
    ws_given *list;
    size_t count;
} ws_machine_options;

struct ws_machine {
    const char *name; /* of the file, without folder and extension */
#define NUMBER(section, name, unit, fallback, least, most, meaning) uint32_t section##_##name;
#define WORD(section, name, fallback, meaning)                      char section##_##name[WS_MACHINE_WORD];
#define KIND(section, name, fallback, meaning)
#include "model/machine/machine.def"
#undef NUMBER
#undef WORD
#undef KIND
/* Components named by its words, and the options of their sections. */
#define TABLE(section, word, list, table, type, common)                const struct type *section##_##word;
#define ELSE(section, word, list, table, type, common, first, summary) const struct type *section##_##word;
#define WORDS(section, word, type, count)                              ws_##type section##_##word;
#define LIST(section)                                                  ws_machine_options section;
#include "model/machine/kinds.def"
    const char *folder;  /* data/tech of this configuration, with its memory parts */
    const char *ignored; /* options of a GPGPU-Sim file without an equivalent, lines of "-option: effect"; "" if none */
    bool has_part;       /* the file describes its memory in `part`, and memory_part is "" */
    ws_dram_part part;
    ws_machine_shape shape;             /* derived by ws_machine_check */
    struct ws_machine_storage *storage; /* of names and positions */
};

/* Parses text[0..length), which came from `file`, like ws_machine_read(). */
int ws_machine_parse(const char *data, const char *file, const char *text, size_t length, ws_machine **out);

/* Sets all values to their defaults, for callers that build a machine themselves. */
void ws_machine_defaults(ws_machine *machine);

/* Returns whether its caches follow a protocol of model/coherence; otherwise they are plain. */
static inline bool ws_machine_has_protocol(const ws_machine *machine)
{
    return machine->coherence_protocol != NULL;
}
/* Return the replacement of its L1s and of its L2 slices if they are plain, otherwise NULL. */
const ws_cache_replacement *ws_machine_plain_l1(const ws_machine *machine);
const ws_cache_replacement *ws_machine_plain_l2(const ws_machine *machine);
/* Return whether its L1 is plain and invalidates copies at fences; whether its L1 may bypass blocks. */
static inline bool ws_machine_invalidates(const ws_machine *machine)
{
    return !ws_machine_has_protocol(machine) && machine->l1_fence == WS_L1_FENCE_INVALIDATE;
}
bool ws_machine_l1_bypasses(const ws_machine *machine);

/* Return the index and replacement of the L1s, the L2 slices and the parts of the L3; they live as long as the machine.
 */
static inline ws_cache_choice ws_machine_l1_choice(const ws_machine *m)
{
    return (ws_cache_choice){m->l1_index->name, m->l1_replacement->name, m->l1.list, m->l1.count};
}
static inline ws_cache_choice ws_machine_l2_choice(const ws_machine *m)
{
    return (ws_cache_choice){m->l2_index->name, m->l2_replacement->name, m->l2.list, m->l2.count};
}
static inline ws_cache_choice ws_machine_l3_choice(const ws_machine *m)
{
    return (ws_cache_choice){m->l3_index->name, m->l3_replacement->name, m->l3.list, m->l3.count};
}

/* Returns the options set for plain caches that a coherence protocol with whole lines ignores, such as "l1.sector,
 * l2.mshrs"; "" if there are none, or no protocol. Lives as long as the machine. */
const char *ws_machine_unfollowed(ws_machine *machine);

/* Returns what an SM offers to CTAs. */
static inline ws_sm_capacity ws_machine_capacity(const ws_machine *machine)
{
    return (ws_sm_capacity){.blocks = machine->sm_blocks,
                            .threads = machine->sm_threads,
                            .registers = machine->sm_registers,
                            .register_unit = machine->sm_register_unit,
                            .register_parts = machine->sm_register_parts,
                            .shared = machine->sm_shared,
                            .shared_unit = machine->shared_unit,
                            .shared_reserved = machine->shared_reserved};
}

/* Of all chips together. */
static inline uint32_t ws_machine_sms(const ws_machine *machine)
{
    return machine->package_chips * machine->chip_sms;
}
static inline uint32_t ws_machine_channels(const ws_machine *machine)
{
    return machine->package_chips * machine->memory_channels;
}
static inline uint32_t ws_machine_chip_slices(const ws_machine *machine)
{
    return machine->memory_channels * machine->l2_slices;
}
/* Returns the nodes of a chip's network: one for each SM, slice or cluster of them, and the port to other chips. */
static inline uint32_t ws_machine_nodes(const ws_machine *machine)
{
    return (machine->network_cluster ? 0 : machine->chip_sms) + ws_machine_chip_slices(machine) +
           (machine->package_chips > 1);
}

static inline uint32_t ws_machine_slices(const ws_machine *machine)
{
    return machine->package_chips * ws_machine_chip_slices(machine);
}

/* Returns the row of consistencies.def of the machine: its own, or that of its protocol. */
const struct ws_consistency_kind *ws_machine_consistency(const ws_machine *machine);

/* Return the map of lines in L2; the map of home lines, by `each` slices or channels of a chip. The machine must have
 * been checked. */
ws_slice_map ws_machine_slice_map(const ws_machine *machine);
ws_slice_map ws_machine_home_map(const ws_machine *machine, uint32_t each);

/* Returns whether L2 slices keep lines with a home on other chips (l2.side, on several chips). */
static inline bool ws_machine_keeps_remote(const ws_machine *machine)
{
    return machine->package_chips > 1 && machine->l2_side == WS_L2_SIDE_REQUESTER;
}

/* Return the sector that a miss of an L3 part reads; its sets. */
static inline uint32_t ws_machine_l3_sector(const ws_machine *machine)
{
    return machine->l3_sector ? machine->l3_sector : machine->l2_sector;
}
static inline uint32_t ws_machine_l3_sets(const ws_machine *machine)
{
    return machine->l3_size / machine->l3_ways / machine->l2_line;
}

struct ws_kind;
/* Returns the machine's row of that kind. */
const char *ws_machine_named(const ws_machine *machine, const struct ws_kind *kind);
/* Returns list `index` of the options given to components, and its section; NULL past the last. */
const ws_machine_options *ws_machine_given(const ws_machine *machine, size_t index, const char **section);

/* Return the value of row `index`: of a word, of a number. */
const char *ws_machine_word(const ws_machine *machine, size_t index);
uint32_t ws_machine_number(const ws_machine *machine, size_t index);

/* Option of GPGPU-Sim and its equivalent; ws_machine_alias_row() returns false past the last. */
typedef struct ws_machine_alias {
    const char *theirs, *ours; /* ours: an option, or a sentence */
    const char *fallback;      /* their default, used if a file lacks the option; NULL: none */
    const char *must;          /* the only accepted value, with the reason in `ours`; NULL: any */
} ws_machine_alias;
bool ws_machine_alias_row(size_t index, ws_machine_alias *row);

#endif
