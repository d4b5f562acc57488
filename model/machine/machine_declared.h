/* machine_declared.h - what can be asked of a machine but its options (machine.h), so that a new option recompiles only
 * files that read options. */
#ifndef WS_MACHINE_DECLARED_H
#define WS_MACHINE_DECLARED_H

#include <stdbool.h>

typedef struct ws_machine ws_machine;

#define WS_MACHINE_ALL         "all"      /* of sm.commutative: every kernel */
#define WS_MACHINE_SAME        "same"     /* reply.kind: as network.kind */
#define WS_MACHINE_PLAIN       "none"     /* coherence.protocol: plain caches; power.chip: nobody said */
#define WS_MACHINE_BY_PROTOCOL "protocol" /* coherence.consistency: as coherence.protocol has it */

/* Reads a configuration: `name` is a path (it contains a slash or ends in .ini or .config) or a name of data/configs.
 * Files of GPGPU-Sim ("-option value") are told by their first line that is no comment. `data` is the data folder of
 * the installation. WS_EIO; WS_EINPUT with "FILE:LINE:COLUMN: ..." for a bad value, an unknown option, or values that
 * do not go together. The caller frees it with ws_machine_destroy. */
int ws_machine_read(const char *data, const char *name, ws_machine **out);
void ws_machine_destroy(ws_machine *machine); /* accepts NULL */

/* Of its file, without folder and ending; lives as long as the machine. */
const char *ws_machine_name(const ws_machine *machine);

/* Sets "section.name" (or "-option" of GPGPU-Sim) to a value as a file would, e.g. from the command line; then
 * ws_machine_check. The new value replaces one that was given before. A new network, memory controller, scheduler or
 * register file takes the options along that only the former one had. WS_EINPUT names the option. */
int ws_machine_set(ws_machine *machine, const char *option, const char *value);

/* Do the values go together? Then machine->shape says what follows from them. WS_EINPUT names the option and the
 * reason. */
int ws_machine_check(ws_machine *machine);

/* Do the updates of this kernel (mangled name) count as such: does sm.commutative name it? */
bool ws_machine_is_commutative(const ws_machine *machine, const char *kernel);

/* Is there a die to know the power of (power.chip)? Is an access charged what a study prints (power.accesses)? Are only
 * some kernels' atomics commutative (sm.commutative)? */
bool ws_machine_has_chip(const ws_machine *machine);
bool ws_machine_has_printed_accesses(const ws_machine *machine);
bool ws_machine_labels_kernels(const ws_machine *machine);

/* The name of the protocol, or WS_MACHINE_PLAIN. */
const char *ws_machine_protocol(const ws_machine *machine);

/* A note of a frame: the name and the protocol of the machine that it is of. */
#define WS_MACHINE_NOTE "machine: %s, protocol %s"
/* Copies live until a time by the clock; and the L2 slices predict for how long (coherence.predict). */
bool ws_machine_has_physical_leases(const ws_machine *machine);
bool ws_machine_predicts_leases(const ws_machine *machine);
/* The protocol has a race detector. */
bool ws_machine_detects_races(const ws_machine *machine);
/* It has a detector of races and filters, which are no idea of what one would do: they take time, bytes and energy. */
bool ws_machine_races_cost(const ws_machine *machine);
/* Its warps run ahead of their own accesses: coherence.race_registers, under a protocol that lets them; without limit
 * where race detection costs nothing. */
bool ws_machine_runs_ahead(const ws_machine *machine);
/* Its L1 says when an access has its place in the order of all, which is what the warp's next one waits for. */
bool ws_machine_places(const ws_machine *machine);
/* Do its SMs follow blocks (l1.sharing)? Those with a plain L1 can. */
bool ws_machine_follows_sharing(const ws_machine *machine);

#endif
