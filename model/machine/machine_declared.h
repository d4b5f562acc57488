/* machine_declared.h - queries of a machine without its options (machine.h), so that a new option recompiles only files
 * that read options. */
#ifndef WS_MACHINE_DECLARED_H
#define WS_MACHINE_DECLARED_H

#include <stdbool.h>

typedef struct ws_machine ws_machine;

#define WS_MACHINE_ALL         "all"      /* of sm.commutative: every kernel */
#define WS_MACHINE_SAME        "same"     /* reply.kind: as network.kind */
#define WS_MACHINE_PLAIN       "none"     /* coherence.protocol: plain caches; power.chip: not given */
#define WS_MACHINE_BY_PROTOCOL "protocol" /* coherence.consistency: that of coherence.protocol */

/* Reads a configuration: `name` is a path (it contains a slash or ends in .ini or .config) or a name of data/configs.
 * Files of GPGPU-Sim ("-option value") are recognised by their first line that is not a comment. `data` is the data
 * folder of the installation. WS_EIO; WS_EINPUT with "FILE:LINE:COLUMN: ..." for a bad value, an unknown option, or
 * inconsistent values. The caller frees it with ws_machine_destroy. */
int ws_machine_read(const char *data, const char *name, ws_machine **out);
void ws_machine_destroy(ws_machine *machine); /* accepts NULL */

/* Returns the name of its file, without folder and extension; lives as long as the machine. */
const char *ws_machine_name(const ws_machine *machine);

/* Sets "section.name" (or "-option" of GPGPU-Sim) to a value as a file would, e.g. from the command line; call
 * ws_machine_check afterwards. The value replaces an earlier one. A new network, memory controller, scheduler or
 * register file discards the options that only the previous one had. WS_EINPUT names the option. */
int ws_machine_set(ws_machine *machine, const char *option, const char *value);

/* Checks that the values are consistent, and derives machine->shape. WS_EINPUT names the option and the reason. */
int ws_machine_check(ws_machine *machine);

/* Returns whether sm.commutative names this kernel (mangled name), so that its updates count as such. */
bool ws_machine_is_commutative(const ws_machine *machine, const char *kernel);

/* Return whether a die is given for its power (power.chip); whether accesses cost the values that a study prints
 * (power.accesses); whether only some kernels' atomics are commutative (sm.commutative). */
bool ws_machine_has_chip(const ws_machine *machine);
bool ws_machine_has_printed_accesses(const ws_machine *machine);
bool ws_machine_labels_kernels(const ws_machine *machine);

/* Returns the name of the protocol, or WS_MACHINE_PLAIN. */
const char *ws_machine_protocol(const ws_machine *machine);

/* Note of a frame: name and protocol of its machine. */
#define WS_MACHINE_NOTE "machine: %s, protocol %s"
/* Return whether copies live until a physical time; whether the L2 slices predict it (coherence.predict). */
bool ws_machine_has_physical_leases(const ws_machine *machine);
bool ws_machine_predicts_leases(const ws_machine *machine);
/* The protocol has a race detector. */
bool ws_machine_detects_races(const ws_machine *machine);
/* Its race detector and filters take time, bytes and energy: the detector is not ideal. */
bool ws_machine_races_cost(const ws_machine *machine);
/* Its warps run ahead of their own accesses: coherence.race_registers, under a protocol that allows it; without limit
 * if race detection costs nothing. */
bool ws_machine_runs_ahead(const ws_machine *machine);
/* Its L1 reports when an access has its place in the global order; the warp's next access waits for that. */
bool ws_machine_places(const ws_machine *machine);
/* Returns whether its SMs track the sharing of blocks (l1.sharing); a plain L1 is required. */
bool ws_machine_follows_sharing(const ws_machine *machine);

#endif
