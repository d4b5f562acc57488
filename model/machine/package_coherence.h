/* package_coherence.h - coherence of the L2s of a machine's chips between launches: its policy
 * (model/chiplets/chiplet_policies.def) and the policy's options in [package]. */
#ifndef WS_PACKAGE_COHERENCE_H
#define WS_PACKAGE_COHERENCE_H

#include "model/chiplets/policy_options.h"
#include "model/machine/machine_declared.h"

/* Return the machine's options; options of policies that the machine does not use have their defaults. */
ws_package_table ws_package_table_of(const ws_machine *machine);
ws_directory_options ws_package_directory_of(const ws_machine *machine);

#endif
