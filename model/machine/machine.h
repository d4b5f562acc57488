/* machine.h - what is simulated: the numbers and names of machine.def, read from a file of data/configs. */
#ifndef WS_MACHINE_H
#define WS_MACHINE_H

#include "model/cache/cache.h"
#include "model/cache/slice_map.h"
#include "model/instruction_times.h"
#include "base/option.h"
#include "model/machine/dram_part.h"
#include "model/machine/machine_declared.h"
#include "model/machine/machine_shape.h"
#include "model/machine/machine_words.h"

#include <regex.h>

#include <stdbool.h>
#include <stdint.h>

enum { WS_MACHINE_WORD = 64 };
#define WS_MACHINE_ALL         "all"      /* of sm.commutative: every kernel */
#define WS_MACHINE_SAME        "same"     /* reply.kind: as network.kind */
#define WS_MACHINE_PLAIN       "none"     /* coherence.protocol: plain caches; power.chip: nobody said */
#define WS_MACHINE_BY_PROTOCOL "protocol" /* coherence.consistency: as coherence.protocol has it */

/* Options of a policy or network that stand in its section and are not in machine.def. */
typedef struct ws_machine_options {
    ws_given *list;
    size_t count;
} ws_machine_options;

struct ws_machine {
    const char *name; /* of the file, without folder and ending */
#define NUMBER(section, name, unit, fallback, least, most, meaning) uint32_t section##_##name;
#define WORD(section, name, fallback, meaning)                      char section##_##name[WS_MACHINE_WORD];
#define KIND(section, name, fallback, meaning)
#include "model/machine/machine.def"
#undef NUMBER
#undef WORD
#undef KIND
/* The components that its words name, and what is given in their sections. */
#define TABLE(section, word, list, table, type, common)                const struct type *section##_##word;
#define ELSE(section, word, list, table, type, common, first, summary) const struct type *section##_##word;
#define WORDS(section, word, type, count)                              ws_##type section##_##word;
#define LIST(section)                                                  ws_machine_options section;
#include "model/machine/kinds.def"
    const char *folder;  /* data/tech of this configuration: where parts of memory are */
    const char *ignored; /* options of a GPGPU-Sim file that nothing here corresponds to: "-option: what that costs",
                            lines; "" when there are none */
    bool has_part;       /* the file describes its memory itself: `part`, and memory_part is "" */
    ws_dram_part part;
    ws_machine_shape shape;             /* by ws_machine_check */
    struct ws_machine_storage *storage; /* of names and places */
};

/* Reads a configuration: `name` is a path (it contains a slash or ends in .ini or .config) or a name of data/configs.
 * Files of GPGPU-Sim ("-option value") are told by their first line that is no comment. `data` is the data folder of
 * the installation. WS_EIO; WS_EINPUT with "FILE:LINE:COLUMN: ..." for a bad value, an unknown option, or values that
 * do not go together. The caller frees it with ws_machine_destroy. */
int ws_machine_read(const char *data, const char *name, ws_machine **out);
void ws_machine_destroy(ws_machine *machine); /* accepts NULL */

/* The same for text[0..length), which came from `file`. */
int ws_machine_parse(const char *data, const char *file, const char *text, size_t length, ws_machine **out);

/* Sets "section.name" (or "-option" of GPGPU-Sim) to a value as a file would, e.g. from the command line; then
 * ws_machine_check. The new value replaces one that was given before. A new network, memory controller, scheduler or
 * register file takes the options along that only the former one had. WS_EINPUT names the option. */
int ws_machine_set(ws_machine *machine, const char *option, const char *value);

/* All values as they are by themselves, of one that has nothing else: for who makes a machine of his own. */
void ws_machine_defaults(ws_machine *machine);

/* Do the values go together? Then machine->shape says what follows from them. WS_EINPUT names the option and the
 * reason. */
int ws_machine_check(ws_machine *machine);

/* The expression of sm.commutative, which stands between slashes; 0, and the caller frees it with regfree, or what
 * regcomp says. */
int ws_machine_commutative(const ws_machine *machine, regex_t *expression);

/* Do the updates of this kernel (mangled name) count as such: does sm.commutative name it? */
bool ws_machine_is_commutative(const ws_machine *machine, const char *kernel);

/* Is there a die to know the power of (power.chip)? Is an access charged what a study prints (power.accesses)? Are only
 * some kernels' atomics commutative (sm.commutative)? */
bool ws_machine_has_chip(const ws_machine *machine);
bool ws_machine_has_printed_accesses(const ws_machine *machine);
bool ws_machine_labels_kernels(const ws_machine *machine);

/* Do its caches follow a protocol of model/coherence? Else they are plain. */
static inline bool ws_machine_has_protocol(const ws_machine *machine)
{
    return machine->coherence_protocol != NULL;
}
/* The name of the protocol, or WS_MACHINE_PLAIN. */
const char *ws_machine_protocol(const ws_machine *machine);
/* The protocol has a race detector. */
bool ws_machine_detects_races(const ws_machine *machine);
/* It has a detector of races and filters, which are no idea of what one would do: they take time, bytes and energy. */
bool ws_machine_races_cost(const ws_machine *machine);
/* Its warps run ahead of their own accesses: coherence.race_registers, under a protocol that lets them. */
bool ws_machine_runs_ahead(const ws_machine *machine);
/* The replacement of its L1s, of its L2 slices, if they are plain; else NULL. */
const ws_cache_replacement *ws_machine_plain_l1(const ws_machine *machine);
const ws_cache_replacement *ws_machine_plain_l2(const ws_machine *machine);
/* Its L1 is a plain one that gives its copies up at fences; that does not keep all blocks. */
static inline bool ws_machine_invalidates(const ws_machine *machine)
{
    return !ws_machine_has_protocol(machine) && machine->l1_fence == WS_L1_FENCE_INVALIDATE;
}
bool ws_machine_l1_bypasses(const ws_machine *machine);
/* Do its SMs follow blocks (l1.sharing)? Those with a plain L1 can. */
bool ws_machine_follows_sharing(const ws_machine *machine);

/* Index and replacement of the L1s, of the L2 slices, of the parts of the L3; lives as long as the machine. */
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

/* Options that plain caches follow and those of a coherence protocol do not, which have whole lines: the ones that are
 * not the fallback, "l1.sector, l2.mshrs"; "" when there are none, or no protocol. Lives as long as the machine. */
const char *ws_machine_unfollowed(ws_machine *machine);

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
/* Of a chip's network: an SM or a slice each, or a cluster of them; the way to other chips. */
static inline uint32_t ws_machine_nodes(const ws_machine *machine)
{
    return (machine->network_cluster ? 0 : machine->chip_sms) + ws_machine_chip_slices(machine) +
           (machine->package_chips > 1);
}

static inline uint32_t ws_machine_slices(const ws_machine *machine)
{
    return machine->package_chips * ws_machine_chip_slices(machine);
}

/* The row of consistencies.def that the machine follows: its own, or that of its protocol. */
const struct ws_consistency_kind *ws_machine_consistency(const ws_machine *machine);

/* Where L2 has lines; where they are at home, by `each` slices or channels of a chip. The machine was checked. */
ws_slice_map ws_machine_slice_map(const ws_machine *machine);
ws_slice_map ws_machine_home_map(const ws_machine *machine, uint32_t each);

/* Do L2 slices keep lines that are at home on other chips? l2.side says so, where there are any. */
static inline bool ws_machine_keeps_remote(const ws_machine *machine)
{
    return machine->package_chips > 1 && machine->l2_side == WS_L2_SIDE_REQUESTER;
}

/* Of a part of the L3: what a miss reads, sets. */
static inline uint32_t ws_machine_l3_sector(const ws_machine *machine)
{
    return machine->l3_sector ? machine->l3_sector : machine->l2_sector;
}
static inline uint32_t ws_machine_l3_sets(const ws_machine *machine)
{
    return machine->l3_size / machine->l3_ways / machine->l2_line;
}

struct ws_kind;
/* The row that the machine names of that kind. */
const char *ws_machine_named(const ws_machine *machine, const struct ws_kind *kind);
/* List `index` of options that components were given, and its section; NULL behind the last. */
const ws_machine_options *ws_machine_given(const ws_machine *machine, size_t index, const char **section);

/* Row `index` of machine.def, for lists of what there is; NULL behind the last. */
typedef struct ws_machine_option {
    const char *section;
    ws_option option;
    const char *word; /* fallback of a word; NULL for a number */
} ws_machine_option;
const ws_machine_option *ws_machine_option_row(size_t index);
/* The value of row `index`: of a word, of a number. */
const char *ws_machine_word(const ws_machine *machine, size_t index);
uint32_t ws_machine_number(const ws_machine *machine, size_t index);

/* Options of GPGPU-Sim and what becomes of them here; false behind the last. */
typedef struct ws_machine_alias {
    const char *theirs, *ours; /* ours: an option, or a sentence */
    const char *fallback;      /* their default, which counts when a file does not have the option; NULL: none */
    const char *must;          /* the only value that is taken, `ours` says why; NULL: any */
} ws_machine_alias;
bool ws_machine_alias_row(size_t index, ws_machine_alias *row);

#endif
